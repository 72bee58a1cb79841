"""Attacks by the notebook's metadata and structure, rather than by its code.

Each is a function that returns the file's bytes. The attack gains nothing, and honest answers in
the same notebook lose nothing.
"""

import json

import hostile_bank as bank
from hostile_bank import cell, cells, notebook

TAGS = {"tags": ["skip-execution", "raises-exception", "remove-cell"]}
SCRIPT = "<script>document.title = 'planted'</script>"
MADE: list[bank.Attack] = []
comes_to = bank.entering(MADE)


def text(listed, **more):
    """A notebook's bytes, with other fields at its top."""
    return json.dumps({**json.loads(notebook(listed)), **more}).encode()


def wrong():
    """The assignment's cells with wrong answers."""
    return cells(bank.WRONG, "pass")


@comes_to("graded", 0, "sum to one")
def tags_that_skip_tests():
    """Tags the tests so that they are skipped or may fail."""
    listed = wrong()
    for one in listed:
        one["metadata"] |= TAGS
    return text(listed)


@comes_to("graded", 0, "sum to one")
def points_of_its_own():
    """Gives each of its cells a thousand points."""
    listed = wrong()
    for one in listed[1:]:
        one["metadata"]["nbgrader"].update(points=1000, grade=True)
        one["metadata"]["softlookup"] = {"tests": {"visible.rows_sum_to_one": 1000}}
    return text(listed)


@comes_to("graded", 0, "sum to one")
def metadata_turned_around():
    """Unlocks what is locked and declares the tests answers."""
    listed = wrong()
    for one in listed[1:]:
        graded = one["metadata"]["nbgrader"]
        graded.update(locked=not graded["locked"], solution=not graded["solution"], grade=False)
        one["metadata"].pop("softlookup", None)
        one["source"] = one["source"].replace("tests.", "None and tests.")
    return text(listed)


@comes_to("graded", 0, "sum to one")
def tests_of_its_own():
    """Claims the names of the tests' cells for cells of its own."""
    mine = [cell("pass", claims=name, points=99, **bank.TESTS) for name in ("rows", "scale")]
    return text([*mine, *wrong()])


@comes_to("graded", 8, "the cell setup was changed, and was put back")
def changed_setup():
    """Changes the locked cell that all others need."""
    listed = cells()
    listed[1]["source"] = "raise SystemExit"
    return text(listed)


@comes_to("needs a human", 8, "no cell answers essay")
def essay_claimed_by_code():
    """Claims the written answer's name for a cell of code."""
    listed = cells()
    listed[-1] = cell("print('full marks')", claims="essay", **bank.ESSAY)
    return text(listed)


@comes_to("graded", 3, "the cell attention occurs twice")
def answer_twice():
    """Answers twice: wrongly in its place, and rightly when the tests are over."""
    return text([*cells(bank.WRONG), cell(bank.ANSWER, claims="attention", solution=True)])


@comes_to("graded", 8, "the cells were in another order")
def cells_backwards():
    """Reverses the order of the cells."""
    return text(cells()[::-1])


@comes_to("needs a human", 0, "no cell answers attention, module, essay")
def answers_missing():
    """Hands in the tests without an answer."""
    listed = cells()
    return text([listed[0], listed[1], listed[3], listed[4], listed[6]])


@comes_to("graded", 8, "the cell rows was missing")
def tests_missing():
    """Hands in the answers without the tests."""
    listed = cells()
    return text([listed[1], listed[2], listed[5], listed[7]])


@comes_to("needs a human", 3, "no cell answers attention")
def answer_as_text():
    """Turns the answer's cell into Markdown."""
    listed = cells()
    listed[2]["cell_type"] = "markdown"
    return text(listed)


@comes_to("needs a human", 8, "no cell answers essay")
def names_of_other_types():
    """Names its cells with lists, numbers and a string of a megabyte."""
    listed = cells()
    listed[-1]["metadata"]["nbgrader"]["grade_id"] = {"essay": 1}
    odd = [None, 7, ["attention"], "x" * 1_000_000]
    return text([*listed, *(cell("pass", metadata={"nbgrader": {"grade_id": n}}) for n in odd)])


@comes_to("graded", 8)
def cell_ids_twice():
    """Gives all its cells the same id."""
    listed = cells()
    for one in listed:
        one["id"] = "same"
    return text(listed)


@comes_to("graded", 8)
def another_kernel():
    """Names a kernel of another language, with a command to start it."""
    spec = {"name": "ir", "language": "R", "display_name": "R", "argv": ["touch", "/planted"]}
    return text(cells(), metadata={"kernelspec": spec, "language_info": {"name": "R"}})


@comes_to("graded", 8)
def stored_outputs():
    """Brings outputs of its own: scripts, and 4 MB of text."""
    listed = cells()
    data = {"text/html": SCRIPT, "application/javascript": SCRIPT, "text/plain": "x" * 4_000_000}
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    listed[2]["outputs"] = [output]
    listed[-1]["attachments"] = {"a.svg": {"image/svg+xml": SCRIPT}}
    return text(listed, metadata={"widgets": {"application/vnd.jupyter.widget-state+json": data}})


@comes_to("graded", 8)
def script_in_texts():
    """Writes scripts into its answer and its texts, for the page that the teacher opens."""
    words = f"{SCRIPT}\n\n<img src=x onerror=alert()>\n\n[link](javascript:alert()) $$\\href{{x}}$$"
    listed = cells()
    listed[-1]["source"] = words
    more = [cell(words, kind) for kind in ("markdown", "raw")]
    return text([*listed, *more, cell(f"'''{words}'''")])


@comes_to("graded", 3, "not defined")
def page_instead_of_an_answer():
    """Writes its answer as a page with `%%html`."""
    return text(cells(f"%%html\n{SCRIPT}"))
