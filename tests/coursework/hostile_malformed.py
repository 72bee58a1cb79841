"""Attacks by the notebook's file: broken, huge, in another encoding or another format.

Each is a function that returns the file's bytes.
"""

import json

import hostile_bank as bank
from hostile_bank import cell, cells, notebook
from hostile_notebooks import text

MADE: list[bank.Attack] = []
comes_to = bank.entering(MADE)


@comes_to("graded", 8)
def format_of_the_future():
    """Claims the format 99.text."""
    return text(cells(), nbformat=99, nbformat_minor="text")


@comes_to("unreadable", 0, "no list of cells")
def format_of_the_past():
    """Is a notebook of format 3."""
    worksheet = {"cells": [{"cell_type": "code", "input": "x = 1", "language": "python"}]}
    return json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [worksheet]}).encode()


@comes_to("unreadable", 0, "file is empty")
def empty_file():
    """Is an empty file."""
    return b""


@comes_to("unreadable", 0, "not valid JSON")
def half_a_file():
    """Is truncated in the middle."""
    return text(cells())[:300]


@comes_to("unreadable", 0, "not valid JSON")
def null_bytes():
    """Is a kilobyte of zeros."""
    return bytes(1000)


@comes_to("graded", 8)
def utf_16():
    """Is written in UTF-16."""
    return text(cells()).decode().encode("utf-16")


@comes_to("graded", 8)
def byte_order_mark():
    """Begins with a byte-order mark."""
    return b"\xef\xbb\xbf" + text(cells())


@comes_to("graded", 8)
def lone_surrogates():
    """Contains lone surrogates, which cannot be encoded."""
    listed = [*cells(), cell("print('\ud800'); x = '\udfff'")]
    listed[-2]["source"] = "Because \ud800."
    return json.dumps(json.loads(notebook(listed))).encode()


@comes_to("graded", 8)
def no_number():
    """Holds NaN and infinities where JSON has none."""
    return text(cells(), metadata={"nan": float("nan"), "far": [float("inf"), -float("inf")]})


@comes_to("unreadable", 0, "not valid JSON")
def huge_number():
    """Holds a number of 100,000 digits."""
    return text(cells())[:-1] + b', "number": ' + b"9" * 100_000 + b"}"


@comes_to("unreadable", 0, "nested too deeply")
def deep_nesting():
    """Nests 100,000 lists."""
    return b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@comes_to("unreadable", 0, "no list of cells")
def a_list():
    """Is a list instead of a notebook."""
    return b"[1, 2, 3]"


@comes_to("graded", 8)
def cells_twice():
    """Has two lists of cells; the last one counts, as in Jupyter."""
    return b'{"cells": [3], ' + text(cells())[1:]


@comes_to("unreadable", 0, "cell 1 is broken")
def cell_of_no_type():
    """Has a cell whose type is a list."""
    return b'{"cells": [{"cell_type": ["code"], "source": ""}]}'


@comes_to("unreadable", 0, "its source is not text")
def source_of_no_text():
    """Has a cell whose source is a number."""
    return b'{"cells": [{"cell_type": "code", "source": ["x = 1", 7]}]}'


@comes_to("graded", 8)
def cells_of_older_formats():
    """Has a heading as older formats had them, and a cell without a source, beside its answers."""
    heading = {"cell_type": "heading", "level": 1, "source": "My own", "metadata": {}}
    return text([heading, *cells(), {"cell_type": "code", "metadata": {}}])


@comes_to("needs a human", 3, "no cell answers attention")
def answer_of_no_kind():
    """Calls its answer's cell a heading."""
    listed = cells()
    listed[2]["cell_type"] = "heading"
    return text(listed)


@comes_to("needs a human", 3, "no cell answers attention")
def answer_without_a_source():
    """Has an answer's cell without a source."""
    listed = cells()
    del listed[2]["source"]
    return text(listed)


@comes_to("unreadable", 0, "501 cells")
def too_many_cells():
    """Has 501 cells."""
    return text([cell("pass")] * 501)


@comes_to("unreadable", 0, "longer than")
def too_long_a_cell():
    """Has a cell of 200,001 characters."""
    return text([*cells(), cell("#" * 200_001)])


@comes_to("unreadable", 0, "larger than")
def too_large_a_file():
    """Is larger than 10 MiB."""
    return text(cells()) + b" " * (10 << 20)


@comes_to("graded", 3, "not defined")
def source_nested_too_deeply():
    """Nests its answer so deeply that a parser runs out of memory."""
    return text(cells(f"attention = {'-' * 20_000}1"))


@comes_to("timed out", 8, "took longer")
def source_that_takes_long_to_read():
    """Contains 20,000 commands, for a parser of quadratic cost."""
    commands = "\n".join(" " * (number % 2) + "%a" for number in range(20_000))
    return text([*cells(), cell(commands)])
