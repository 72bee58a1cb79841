"""What a chapter owes its reader in its stored outputs, as functions to lists of faults."""

import copy
import re

import nbformat
from chapters import NOTEBOOKS, printed, tags
from run_notebooks import tidy
from softlookup.course import claims as claims_module

UNFIT = {
    "an object's address": re.compile(r"\bat 0x[0-9a-f]{6,}|\b0x[0-9a-f]{8,}"),
    "an absolute path": re.compile(
        r"(?<![\w.])/(?:home|root|Users|tmp|usr|var|opt|mnt)/|\b[A-Z]:\\"
    ),
    "a warning": re.compile(r"\b\w*Warning\b"),
    "a traceback": re.compile(r"Traceback \(most recent call last\)"),
    "a progress bar": re.compile(r"[█▏▎▍▌▋▊▉]|\d+%\||\bit/s\b|\bs/it\b|\r"),
}
CLOCK = re.compile(r"\b(?:process_time|perf_counter|monotonic|time\.time|cpu_milliseconds)\(|%time")
STATED = re.compile(r"\bclaims\.(?:law|finding)\(")
FILE_NAME = re.compile(r"\.(?:png|svg|jpe?g|gif|ipynb)\b", re.I)
MARKDOWN_IMAGE = re.compile(r"!\[(.*?)\]\(", re.S)
LEAST_WORDS = 6
LEAST_CLAIMS = 5
IGNORED_AT_MOST = 1 / 50


def execution(chapter):
    """The cells were run in one go, from the first to the last, and none raised."""
    counts = [cell.execution_count for cell in chapter.code]
    faults = []
    if counts != list(range(1, len(counts) + 1)):
        faults.append(f"the execution counts are {counts}; expected 1, 2, 3, ...: run it anew")
    for number, cell in enumerate(chapter.code, start=1):
        for output in cell.outputs:
            if output.output_type == "error":
                faults.append(f"code cell {number} stores an error: {output.ename}")
            if output.get("name") == "stderr":
                faults.append(f"code cell {number} stores something on stderr")
    return faults


def outputs(chapter):
    """Nothing is printed that is true on one machine only, or that readers should not see."""
    return [
        f"code cell {number} shows {what}: {match[0]!r}"
        for number, cell in enumerate(chapter.code, start=1)
        for what, pattern in UNFIT.items()
        if (match := pattern.search(printed(cell)))
    ]


def pictures(chapter):
    """Each picture says in words what is seen."""
    faults = []
    for number, cell in enumerate(chapter.code, start=1):
        if not any("image/png" in output.get("data", {}) for output in cell.outputs):
            continue
        faults += [
            f"code cell {number}: {fault}"
            for fault in alt_faults(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", ""))
        ]
    for cell in chapter.markdown:
        for alt in MARKDOWN_IMAGE.findall(cell.source):
            faults += [f"a picture in the text: {fault}" for fault in alt_faults(alt)]
    return faults


def alt_faults(alt):
    if len(alt.split()) < LEAST_WORDS:
        return [f"its alt text is {alt!r}; expected what is seen, in words"]
    return [f"its alt text names a file: {alt!r}"] if FILE_NAME.search(alt) else []


def claims_of(chapter):
    """The lines that state a claim, as they are stored."""
    return [
        line
        for cell in chapter.code
        for output in cell.outputs
        if output.get("name") == "stdout"
        for line in output.text.splitlines()
        if line.startswith(("law ", "finding "))
    ]


def claim_ids(chapter):
    """The ids of the claims that a chapter states, in order; ``claims`` refuses other lines."""
    return [claim.id for claim in map(claims_module.parse, claims_of(chapter)) if claim]


def claims(chapter):
    """Five claims or more, each in the form that the book's page reads, and true as printed."""
    faults = []
    lines = claims_of(chapter)
    if len(lines) < LEAST_CLAIMS:
        faults.append(f"there are {len(lines)} claims; expected at least {LEAST_CLAIMS}")
    for line in lines:
        claim = claims_module.parse(line)
        if claim is None:
            faults.append(f"no claim can be read from {line!r}")
            continue
        if claim.id.split("-")[0] != str(chapter.number):
            faults.append(f"claim {claim.id} does not begin with the chapter's number")
        ends = (claim.measured.least, claim.measured.greatest)
        if not all(map(claim.keeps, ends)):
            faults.append(f"claim {claim.id} is false as printed")
        if max(ends) == claim.bound == 0 and claim.relation == ">=":
            faults.append(f"claim {claim.id} asks for nothing")
    return faults


def stored_as_run(chapter):
    """The file is the one that ``make run`` writes, not one that an editor saved."""
    faults = []
    tidied = copy.deepcopy(chapter.notebook)
    tidy(tidied)
    if tidied != chapter.notebook:
        faults.append("its metadata hold what belongs to one run or one screen; store it anew")
    path = NOTEBOOKS / f"{chapter.id}.ipynb"
    text = nbformat.writes(chapter.notebook, version=4, indent=1).rstrip("\n") + "\n"
    if path.exists() and path.read_text("utf-8") != text:
        faults.append("the file is laid out otherwise than `make run` lays it out")
    return faults


def verdicts(chapter):
    """What the reader sees beneath a stub and beneath a solution."""
    return [
        f"{kind} {number} stores {printed(cell)!r}"
        for kind, said in (("exercise", "to do"), ("solution", "passed"))
        for number, cell in chapter.tagged(kind).items()
        if not printed(cell).startswith(f"Exercise {number}, {said}: ")
    ]


def clocks(chapter):
    """Where a cell asks a clock, nothing is claimed or judged, and its output is not compared."""
    return [
        f"code cell {number} asks a clock {fault}"
        for number, cell in enumerate(chapter.code, start=1)
        if CLOCK.search(cell.source)
        for fault, found in (
            ("for a claim", bool(STATED.search(cell.source))),
            ("for a prediction", "predictions.compare(" in cell.source),
            ("and its output is compared", "nbval-ignore-output" not in tags(cell)),
        )
        if found
    ]


def ignored(chapters):
    """The cells whose output is not compared, each with its reason, and their share of all."""
    cells = [
        (chapter.id, cell.metadata.get("softlookup", {}).get("reason", ""))
        for chapter in chapters
        for cell in chapter.code
        if "nbval-ignore-output" in tags(cell)
    ]
    return cells, len(cells) / max(1, sum(len(chapter.code) for chapter in chapters))


CHECKS = [execution, outputs, pictures, claims, stored_as_run, verdicts, clocks]
