"""What a chapter owes its reader in form, as functions from a chapter to a list of faults.

CONTRIBUTING.md states the contract; test_contract.py holds every chapter to it, and plants
faults to see that each of these functions finds its own.
"""

import ast
import re
from itertools import pairwise

from chapters import NOTEBOOKS, prose, tags

METADATA = {"title", "goals", "prerequisites", "teaches", "minutes_to_read", "minutes_to_run"}
LAST_SECTIONS = ["Exercises", "Summary", "Further reading"]
DIRECTIVES = {
    *("admonition", "dropdown", "note", "warning", "tip", "important", "seealso", "hint"),
    *("figure", "image", "math", "table", "list-table", "epigraph"),
    "live",  # a figure on the site; JupyterLab shows its words
}
HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$", re.M)
LINK = re.compile(r"\]\(([^)#\s]+\.ipynb)")


def metadata(chapter):
    """The metadata is complete, and says what it should in the right amount."""
    found = chapter.metadata
    if set(found) != METADATA:
        return [f"the keys under softlookup are {sorted(found)}; expected {sorted(METADATA)}"]
    faults = []
    if not 3 <= len(found["goals"]) <= 5:
        faults.append(f"there are {len(found['goals'])} goals; expected 3 to 5")
    if not found["teaches"]:
        faults.append("it teaches nothing; expected the names of concepts")
    if not 5 <= found["minutes_to_read"] <= 60:
        faults.append(f"minutes_to_read is {found['minutes_to_read']}; expected 5 to 60")
    if not 0 < found["minutes_to_run"] <= 2:
        faults.append(f"minutes_to_run is {found['minutes_to_run']}; expected at most 2")
    for prerequisite in found["prerequisites"]:
        if not (NOTEBOOKS / f"{prerequisite}.ipynb").exists():
            faults.append(f"prerequisite {prerequisite} does not exist")
        elif int(prerequisite.split("_")[0]) >= chapter.number:
            faults.append(f"prerequisite {prerequisite} does not come earlier")
    return faults


def headings(chapter):
    """One title, in the first cell, and no level skipped; the last sections are the agreed ones."""
    found = [
        (len(level), text) for cell in chapter.markdown for level, text in headings_in(cell.source)
    ]
    faults = []
    title = chapter.metadata.get("title")
    first = chapter.cells[0]
    if first.cell_type != "markdown" or not first.source.startswith(f"# {title}\n"):
        faults.append(f"the first cell does not begin with the title, '# {title}'")
    if [level for level, _ in found].count(1) != 1:
        faults.append("there is not exactly one heading of the first level")
    for (before, _), (level, text) in pairwise(found):
        if level > before + 1:
            faults.append(f"heading {text!r} skips a level")
    sections = [text for level, text in found if level == 2]
    if sections[-3:] != LAST_SECTIONS:
        faults.append(f"the last sections are {sections[-3:]}; expected {LAST_SECTIONS}")
    if len(sections) < 6:
        faults.append(f"there are {len(sections)} sections; expected six or more")
    return faults


def headings_in(source):
    return HEADING.findall(prose(source))


def setup(chapter):
    """All imports, the style and the seed stand in the first code cell, and nowhere else."""
    first = chapter.code[0]
    faults = []
    if "setup" not in tags(first):
        faults.append("the first code cell is not tagged setup")
    faults += [
        f"the setup cell does not call {call}"
        for call in ("use_style(", "seed_everything(")
        if call not in first.source
    ]
    for number, cell in enumerate(chapter.code[1:], start=2):
        if re.search(r"^\s*[%!]", cell.source, re.M):
            faults.append(f"code cell {number} uses a magic command")
            continue
        nodes = list(ast.walk(ast.parse(cell.source)))
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
            faults.append(f"code cell {number} imports")
        if any(isinstance(node, ast.Name) and node.id == "__import__" for node in nodes):
            faults.append(f"code cell {number} imports by stealth")
    return faults


def directives(chapter):
    """Every ``:::`` is closed, and only directives stand that read well in JupyterLab too."""
    faults = []
    for cell in chapter.markdown:
        open_fences = []
        for line in re.sub(r"^(`{3,})(?!\{).*?^\1\s*$", "", cell.source, flags=re.M | re.S).split(
            "\n"
        ):
            fence = re.match(r"(:{3,}|`{3,})(?:\{([\w-]+)\})?", line)
            if not fence:
                continue
            if fence[2]:
                open_fences.append(fence[1])
                if fence[2] not in DIRECTIVES:
                    faults.append(f"directive {fence[2]!r} is not one of {sorted(DIRECTIVES)}")
            elif open_fences and open_fences[-1] == fence[1]:
                open_fences.pop()
            else:
                faults.append(f"{line!r} closes nothing")
        if open_fences:
            faults.append(f"a directive is not closed in the cell that begins {cell.source[:40]!r}")
        if cell.source.count("$$") % 2:
            faults.append(f"a formula is not closed in the cell that begins {cell.source[:40]!r}")
    return faults


def live_figures(chapter):
    """A figure that the reader can touch stands in every chapter."""
    if any(":::{live} " in cell.source for cell in chapter.markdown):
        return []
    return ["no live figure; expected one where the chapter asks its question"]


def links(chapter):
    """A link to another chapter leads to one."""
    return [
        f"the link to {target} leads nowhere"
        for cell in chapter.markdown
        for target in LINK.findall(cell.source)
        if not (NOTEBOOKS / target).resolve().exists()
    ]


def predictions(chapter):
    """Three times or more: a question with options, a folded answer, a place to bet, a judgement.

    They come in this order, and no question comes before the last one was judged.
    """
    steps, faults = [], []
    for cell in chapter.cells:
        if cell.cell_type == "markdown":
            for match in re.finditer(
                r"^:{3,}\{(admonition|dropdown)\}(.*?)^:{3,}\s*$", cell.source, re.M | re.S
            ):
                if ":class: predict" in match[2]:
                    options = set(re.findall(r"\(([a-d])\)", match[2]))
                    steps.append(("question", frozenset(options)))
                elif match[1] == "dropdown" and match[2].strip().startswith("Answer"):
                    options = set(re.findall(r"\(([a-d])\)", match[2]))
                    steps.append(("answer", frozenset(options)))
                    faults += unfinished(match[2].partition("\n")[2])
        elif "predict" in tags(cell):
            bets = re.match(r"prediction = None\b", cell.source.strip().split("\n")[-1])
            steps.append(("bet", bool(bets)))
        elif "predictions.compare(prediction" in re.sub(r"\s", "", cell.source):
            steps.append(("judgement", True))
    kinds = [kind for kind, _ in steps]
    expected = ["question", "answer", "bet", "judgement"]
    whole = len(kinds) // 4
    if kinds != expected * whole:
        faults.append(f"predictions go {kinds}; expected {expected}, again and again")
        return faults
    if whole < 3:
        faults.append(f"there are {whole} predictions; expected at least 3")
    for question, answer, bet, _ in zip(*[iter(steps)] * 4, strict=True):
        if not 2 <= len(question[1]) <= 4:
            faults.append(f"a question has {len(question[1])} options; expected 2 to 4")
        if not question[1] <= answer[1]:
            faults.append(f"an answer says nothing of {sorted(question[1] - answer[1])}")
        if not bet[1]:
            faults.append("a cell tagged predict does not end in 'prediction = None'")
    return faults


def unfinished(answer):
    """What the site would cut within a sentence: it takes an answer apart before each letter."""
    return [
        f"an answer is cut within a sentence: {piece.strip()[-40:]!r}"
        for piece in re.split(r"(?<=\s)(?=\([a-d]\))", answer)
        if piece.strip()
        and not re.search(r"([.!?]|\([a-d]\) *\{claim\}`[^`]+`)[*)\]]*$", piece.strip())
    ]


def exercises(chapter):
    """Each exercise in order: its heading and weight, stub, hint, solution folded away."""
    stubs, solutions = chapter.tagged("exercise"), chapter.tagged("solution")
    numbers = [f"{chapter.number}.{index}" for index in range(1, len(stubs) + 1)]
    faults = []
    if len(stubs) < 3:
        faults.append(f"there are {len(stubs)} exercises; expected at least 3")
    if [*stubs] != numbers or [*solutions] != numbers:
        faults.append(f"stubs are {[*stubs]} and solutions {[*solutions]}; expected {numbers}")
        return faults
    for number in numbers:
        stub, solution = stubs[number], solutions[number]
        at, to = chapter.cells.index(stub), chapter.cells.index(solution)
        text = "\n".join(cell.source for cell in chapter.cells[max(0, at - 2) : at])
        if not re.search(
            rf"^### Exercise {re.escape(number)}(?: \N{{BLACK CIRCLE}}+)?: \S", text, re.M
        ):
            faults.append(f"exercise {number} has no heading before its stub")
        if not re.search(r"(?:Difficulty [123] of 3|\*\w+), about \d+ minutes", text):
            faults.append(f"exercise {number} does not say its kind or difficulty, and minutes")
        between = chapter.cells[at + 1 : to]
        if not any("{dropdown} Hint" in cell.source for cell in between):
            faults.append(f"exercise {number} has no hint between its stub and its solution")
        if not re.search(r"(?:^|[:=])\s*\.\.\.\s*(?:#.*)?$", stub.source, re.M):
            faults.append(f"the stub of exercise {number} leaves nothing to write")
        folded = solution.metadata.get("jupyter", {}).get("source_hidden")
        if "hide-cell" not in tags(solution) or not folded:
            faults.append(f"the solution of exercise {number} is not folded away")
        if stub.source.strip().split("\n")[-1] != solution.source.strip().split("\n")[-1]:
            faults.append(f"stub and solution of exercise {number} do not end in the same check")
    return faults


CHECKS = [metadata, headings, setup, directives, live_figures, links, predictions, exercises]
