"""Predictions come apart into options, reasons and what was measured."""

import built  # noqa: F401 - puts the extensions on the path
import pytest
from docutils import nodes

import predict  # isort: skip

OPTIONS = "(a) It raises. (b) It is 1/n (about a tenth). (c) One of them."
ANSWER = "(b). All keys are alike. (a) forgets that softmax (always) answers, (c) is hard lookup."


def chapter(options=OPTIONS, answer=ANSWER, printed="rows 5\nMeasured: (b). As you predicted."):
    question = nodes.admonition("", nodes.title(text="Predict"), classes=["predict"])
    question += [nodes.paragraph(text="What comes back?"), nodes.paragraph(text=options)]
    dropdown = nodes.container(design_component="dropdown")
    dropdown += [nodes.rubric(text="Answer, with a reason for each"), nodes.paragraph(text=answer)]
    output = nodes.literal_block(printed, printed, classes=["output", "stream"])
    document = nodes.section()
    document += [question, dropdown, output]
    return document


def taken_apart(**changes):
    document = chapter(**changes)
    predict.take_apart(document.children[0], document, "02_attention-1")
    return document.children


def test_options_become_a_list():
    question, _, _ = taken_apart()
    items = list(question.findall(nodes.list_item))
    assert [item["classes"] for item in items] == [["option", f"option-{x}"] for x in "abc"]
    assert [item.astext() for item in items] == [
        "(a) It raises. ",
        "(b) It is 1/n (about a tenth). ",
        "(c) One of them.",
    ]


def test_the_answer_has_a_part_for_each_option_and_what_was_measured_stands_first():
    _, answer, _ = taken_apart()
    reasons = [child for child in answer.children if "reason" in child["classes"]]
    assert [reason["letter"] for reason in reasons] == ["b", "a", "c"]
    assert reasons[1].astext().startswith("(a) forgets that softmax (always) answers")


def test_the_question_knows_what_was_measured_and_where():
    question, _, output = taken_apart()
    assert "measured-b" in question["classes"]
    assert question["ids"] == ["predict-02_attention-1"]
    assert output["ids"] == ["measured-02_attention-1"]


def test_a_second_paragraph_belongs_to_the_reason_before_it():
    document = chapter()
    document.children[1] += nodes.paragraph(text="A law of large numbers.")
    predict.take_apart(document.children[0], document, "x-1")
    reasons = [child for child in document.children[1].children if "reason" in child["classes"]]
    assert reasons[-1].astext().endswith("A law of large numbers.")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"options": "It raises, or not."}, "no paragraph that begins with"),
        ({"answer": "(b). All keys are alike. (a) forgets it."}, "one for each"),
        ({"answer": "(a). It raises. (b) is wrong. (c) too."}, "another option than was measured"),
        ({"answer": "All keys are alike."}, "does not begin with what came out"),
        ({"printed": "rows 5"}, "no cell behind the prediction"),
    ],
)
def test_what_is_missing_is_named(changes, says):
    with pytest.raises(ValueError, match=says):
        taken_apart(**changes)
