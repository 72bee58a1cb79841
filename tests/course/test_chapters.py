"""The library's order of the chapters is the book's."""

from pathlib import Path

import pytest
import yaml
from softlookup.course import chapters

TOC = Path(__file__).parents[2] / "_toc.yml"


def test_the_order_is_that_of_the_table_of_contents():
    parts = yaml.safe_load(TOC.read_text())["parts"]
    files = [chapter["file"] for part in parts for chapter in part["chapters"]]
    names = [file.removeprefix("notebooks/") for file in files if file.startswith("notebooks/")]
    assert [f"{chapters.number(key):02}_{key}" for key in chapters.CHAPTERS] == names


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match="there is no chapter 'attentoin'; expected one of"):
        chapters.number("attentoin")
