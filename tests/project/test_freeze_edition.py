"""The script that freezes an edition: what it keeps of a page, and what it leaves out."""

import freeze_edition
from freeze_edition import formula, normalised, paragraphs

PAGE = """\
# A title with *stress* and `code`

See [chapter 3](03.ipynb), {ref}`there <x>`; and {cite}`key2017`, said **twice** {claim}`3-so` at https://a.org/b.

$$ x = y $$

:::{admonition} Predict
:class: predict
What is $d_\\text{model} \\cdot \\tfrac12$?

(a) One. (b) None.
:::

| a | b |
| --- | --- |
| cell | other |

```python
left = "out"
```

- an item
  over two lines

  and its second paragraph
- another

![picture](a.png)

<div>raw</div>

```{glossary}
ALiBi
  A bias, $-m\\,(i - j)$.

beam search
  Many
  beginnings.
```
"""


def test_prose_stays_in_order_and_markup_goes():
    assert [normalised(text) for text in paragraphs(PAGE)] == [
        "A title with stress and code",
        "See chapter 3, there <x>; and, said twice at",
        "What is d_model · 1/2?",
        "(a) One. (b) None.",
        "- an item over two lines",
        "and its second paragraph",
        "- another",
        "",
        "ALiBi",
        "A bias, -m (i - j).",
        "beam search",
        "Many beginnings.",
    ]


def test_formulas_become_plain_text():
    assert formula(r"W_Q \in \mathbb{R}^{n \times d_k}") == "W_Q in R^n × d_k"
    assert formula(r"Q K^\top / \sqrt{d_k}") == "Q K^T / √d_k"
    assert formula(r"\frac{1}{n}\sum_{j \le i}") == "1/nsum_j ≤ i"


def test_signs_have_one_form():
    assert normalised("“So” – it’s  e\u0301, a\u00a0b…\n−1, x²") == '"So" - it\'s é, a b... -1, x^2'


def test_rare_characters_leave_with_their_paragraph(monkeypatch):
    common = "a b c. " * freeze_edition.RARE
    monkeypatch.setattr(freeze_edition, "pages", lambda: [f"{common}\n\na Ω b", f"{common}\n\na b"])
    first, second = freeze_edition.edition().removesuffix("\n").split("\n\n\n")
    assert first == common.strip()
    assert second == f"{common.strip()}\n\na b"


def test_the_pages_of_the_repository_make_an_edition():
    """The script still runs on the pages as they are; that its text differs is as it should be."""
    made = freeze_edition.edition()
    assert 300_000 < len(made) < 1_000_000
    assert made.startswith("Soft Lookup\n\n")
