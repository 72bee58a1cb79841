"""The library reference: complete, and with signatures as they are written."""

import pkgutil
import re

import pytest
import softlookup
from built import EXTENSIONS, ROOT, built_page, pages
from softlookup.course.claims import Claim
from softlookup.layers.attention import attention

import accessibility  # isort: skip
import signatures  # isort: skip

REFERENCE = ROOT / "book" / "reference"


def test_every_module_is_in_the_reference_once():
    # Of the folders, only pretrained has more to say than what lies in it.
    modules = {
        m.name
        for m in pkgutil.walk_packages(softlookup.__path__, "softlookup.")
        if not m.ispkg or m.name == "softlookup.pretrained"
    }
    text = "\n".join(path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md"))
    documented = re.findall(r"automodule:: (\S+)", text)
    assert sorted(documented) == sorted(modules)


def test_a_signature_is_what_its_author_wrote():
    parameters, result = signatures.written_signature(attention)
    assert parameters.startswith('(query: Float[Tensor, "*batch queries d_head"], key: ')
    assert "mask: Bool[Tensor, " in parameters
    assert result.startswith('tuple[Float[Tensor, "*batch queries d_value"]')


def test_a_method_is_shown_without_self():
    class Thing:
        def method(self, x: int, *, y: str = "a") -> bool: ...

        def only_named(self, *, y: int) -> None: ...

    assert signatures.written_signature(Thing.method) == ('(x: int, *, y: str="a")', "bool")
    assert signatures.written_signature(Thing.only_named) == ("(*, y: int)", "None")


def test_what_has_no_source_keeps_its_signature():
    assert signatures.written_signature(len) is None
    assert signatures.process(None, "class", "", Claim, None, None, None) is None


@pytest.mark.site
def test_shapes_can_be_read_in_the_reference(site):
    words = built_page(site / "book/reference/attention.html").soup.article.get_text()
    assert 'query: Float[Tensor, "*batch queries d_head"]' in words
    assert "jaxtyping" not in words


@pytest.mark.site
def test_reference_has_no_internal_names(site):
    for name in pages(site):
        if name.startswith("book/reference/"):
            assert "object at 0x" not in built_page(site / name).soup.get_text(), name


def test_a_repair_is_made_and_noted():
    used = set()
    html = accessibility.repair('<html lang="en" data-theme="auto"><p>auto</p>', used)
    assert html == '<html lang="en" data-theme="light"><p>auto</p>'
    assert len(used) == 1


def test_parameters_are_no_list_of_definitions():
    before = '<span class="sig-paren">(</span>\n<dl>\n<dd>a,</dd>\n<dd>b</dd>\n</dl>\n)'
    after = accessibility.repair(before, set())
    assert "<dl>" not in after
    assert after.count('<span class="sig-line">') == 2


def test_no_extension_is_long():
    for path in EXTENSIONS.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 150, path.name
