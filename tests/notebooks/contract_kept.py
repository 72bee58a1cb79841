"""What a reader keeps was shown: headlines cite claims, and exercises ask for more than copying."""

import re

from chapters import prose
from contract_outputs import claims_of
from softlookup.course.claims import parse
from transcription import COPIED_AT_MOST, transcribed

CITED = re.compile(r"\{claim\}`([^`]+)`")
ANSWER = re.compile(r"^:{3,}\{dropdown\} Answer.*?^:{3,}\s*$", re.M | re.S)
BOLD = re.compile(r"\*\*([^*]+)\*\*")
A_SENTENCE = 6
KINDS = {"Build", "Derive", "Repair", "Judge"}
HEADING = r"^### Exercise {}( \N{{BLACK CIRCLE}}{{1,3}}): \S"
FINDINGS_IN_THE_SUMMARY = 3


def cited(text):
    """The ids of the claims that a text cites."""
    return [each.strip() for group in CITED.findall(text) for each in group.split(",")]


def kinds_of_claims(chapter):
    """From the id of each claim of the chapter to what it is."""
    return {claim.id: claim.kind for claim in map(parse, claims_of(chapter)) if claim}


def headlines(chapter):
    """Answers, bold sentences, summary and figures lead to what was measured."""
    faults = []
    kinds = kinds_of_claims(chapter)
    for cell in chapter.markdown:
        text = prose(cell.source)
        faults += [
            f"the answer {answer.group().splitlines()[0]!r} cites no claim"
            for answer in ANSWER.finditer(text)
            if not cited(answer.group())
        ]
        faults += [
            f"the bold sentence {bold!r} stands in a paragraph that cites no claim"
            for paragraph in re.split(r"\n\s*\n", text)
            for bold in BOLD.findall(paragraph)
            if len(bold.split()) >= A_SENTENCE and not cited(paragraph)
        ]
    bullets = re.findall(r"^- .*(?:\n[ ]+.*)*", summary_of(chapter), re.M)
    faults += [f"the summary's {each[:40]!r} cites no claim" for each in bullets if not cited(each)]
    found = [each for each in cited(summary_of(chapter)) if kinds.get(each) == "finding"]
    if len(set(found)) < FINDINGS_IN_THE_SUMMARY:
        faults.append(
            f"the summary cites {len(set(found))} findings; expected "
            f"{FINDINGS_IN_THE_SUMMARY} or more"
        )
    return faults + figures(chapter, kinds)


def summary_of(chapter):
    text = "\n\n".join(cell.source for cell in chapter.markdown)
    return re.search(r"^## Summary$(.*?)(?=^## |\Z)", text, re.M | re.S)[1]


def figures(chapter, kinds):
    """A figure names the findings that its title tells, or says what else it draws."""
    faults = []
    for number, cell in enumerate(chapter.code, start=1):
        if not any("image/png" in output.get("data", {}) for output in cell.outputs):
            continue
        told = cell.metadata.get("softlookup", {})
        shows, draws = told.get("shows", []), told.get("draws", "")
        if draws and not shows:
            if len(draws.split()) < 3:
                faults.append(f"code cell {number} draws {draws!r}; expected what, in words")
        elif not any(kinds.get(each) == "finding" for each in shows):
            faults.append(f"the figure of code cell {number} shows {shows}: no finding of its own")
        if gone := [each for each in shows if each not in kinds]:
            faults.append(f"the figure of code cell {number} shows {gone}, which nothing claims")
    return faults


def kinds_of_exercises(chapter):
    """There is one of each kind, each with its level, and none whose answer stood before it."""
    faults, kinds = [], set()
    text = "\n\n".join(cell.source for cell in chapter.markdown)
    for number in chapter.tagged("exercise"):
        if not re.search(HEADING.format(re.escape(number)), text, re.M):
            faults.append(f"exercise {number} has no level of one to three dots in its heading")
        task = re.search(
            rf"^### Exercise {re.escape(number)}\b.*\n+\*(\w+), about \d+ minutes\.\*", text, re.M
        )
        if task is None or task[1] not in KINDS | {"Measure"}:
            faults.append(
                f"exercise {number} does not begin with its kind and minutes, as in "
                "'*Build, about 10 minutes.*'"
            )
        else:
            kinds.add(task[1])
    if missing := KINDS - kinds:
        faults.append(f"there is no exercise of the kind {sorted(missing)}")
    return faults


def copied(chapter):
    """No answer stands in the chapter before its exercise."""
    return [
        f"{share:.0%} of the solution of exercise {number} stands in the chapter before it"
        for number, share in transcribed(chapter).items()
        if share > COPIED_AT_MOST
    ]


CHECKS = [headlines, kinds_of_exercises, copied]
