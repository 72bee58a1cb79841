"""Shown source is the library's source: it runs, and it computes the same."""

import ast
import inspect

import pytest
from softlookup.course.sources import Source, show_source
from softlookup.layers import masks, multi_head, positions
from softlookup.layers.attention import attention

SHOWN = [attention, masks.causal, positions.rotate, multi_head.MultiHeadAttention]


@pytest.mark.parametrize("thing", SHOWN, ids=lambda thing: thing.__name__)
def test_only_docstrings_are_left_out(thing):
    shown = ast.parse(show_source(thing).text)
    whole = ast.parse(inspect.getsource(thing))
    documented = (ast.FunctionDef, ast.ClassDef)
    for node in ast.walk(whole):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            del node.body[0]
    assert ast.dump(shown) == ast.dump(whole)
    assert '"""' not in show_source(thing).text


def test_comments_stay():
    assert "# Softmax over no key at all is 0/0." in show_source(attention).text


def test_a_method_is_shown_from_the_margin():
    text = show_source(multi_head.KeyValueCache.append).text
    assert text.startswith("def append(")


def test_it_is_set_as_code():
    source = Source("x = 1")
    assert repr(source) == "x = 1"
    assert source._repr_markdown_() == "```python\nx = 1\n```"


def test_what_python_did_not_define_is_refused():
    with pytest.raises(TypeError):
        show_source(len)
