"""The predictions as question banks: what a teacher imports says what the pages say."""

import io
import json
import re
import socket
import zipfile
from html import unescape
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from built import NOTEBOOKS, built_page
from docutils import nodes
from test_predict import taken_apart

import canvas  # isort: skip
import moodle  # isort: skip
import questions  # isort: skip

CHAPTER = SimpleNamespace(id="02_attention", number=2, title="Attention and/or lookup")
NOTEBOOK_NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
MEASURED = re.compile(r"^Measured: \(([a-d])\)", re.M)
QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def one_question(formula=str, **changes):
    tree = nodes.document(None, None)
    section = nodes.section("", nodes.title(text="It never says no"))
    section += taken_apart(**changes)
    tree += section
    return questions.questions_of(tree, CHAPTER, formula)


def plain(html):
    """A text's words without its formulas, of which each system has its own."""
    soup = BeautifulSoup(html, "html.parser")
    for mark in soup.select(".claim-mark, .math, img"):
        mark.decompose()
    text = re.sub(r"\\\(.*?\\\)", "", soup.get_text(), flags=re.S)
    text = re.sub(r"\W+", "", text.translate(str.maketrans("", "", "–—")))
    return text.removesuffix("iswhatwasmeasured")


def moodle_questions(xml):
    """By id: what is asked, the options, the letters that are right, and the feedback."""
    found = {}
    for item in ElementTree.fromstring(xml).iterfind("question[@type='multichoice']"):
        answers = item.findall("answer")
        found[item.findtext("idnumber")] = (
            plain(item.findtext("questiontext/text")),
            [plain(answer.findtext("text")) for answer in answers],
            "".join("abcd"[at] for at, a in enumerate(answers) if a.get("fraction") == "100"),
            [plain(answer.findtext("feedback/text")) for answer in answers],
        )
    return found


def canvas_questions(package):
    """The same of the quizzes in a package, in the order of its manifest."""
    with zipfile.ZipFile(io.BytesIO(package)) as held:
        manifest = ElementTree.fromstring(held.read("imsmanifest.xml"))
        resources = manifest.find(f"{canvas.PACKAGE}resources")
        files = [each.find(f"{canvas.PACKAGE}file").get("href") for each in resources]
        named = {*files, "imsmanifest.xml", "non_cc_assessments/"}
        assert named == set(held.namelist())
        quizzes = [ElementTree.fromstring(held.read(name)) for name in files]
    found = []
    for quiz in (each for each in quizzes if each.tag == f"{QTI}questestinterop"):
        for item in quiz.iter(f"{QTI}item"):
            labels = list(item.iter(f"{QTI}response_label"))
            ids = [label.get("ident") for label in labels]
            scored = [
                condition.findtext(f".//{QTI}varequal")
                for condition in item.iter(f"{QTI}respcondition")
                if condition.findtext(f"{QTI}setvar") == "100"
            ]
            told = {
                each.get("ident").removesuffix("_fb"): plain(each.findtext(f".//{QTI}mattext"))
                for each in item.iter(f"{QTI}itemfeedback")
            }
            found.append(
                (
                    plain(item.findtext(f"{QTI}presentation/{QTI}material/{QTI}mattext")),
                    [plain(label.findtext(f".//{QTI}mattext")) for label in labels],
                    "".join("abcd"[ids.index(each)] for each in scored),
                    [told[each] for each in ids],
                )
            )
    return found


def in_the_page(site, name):
    """The same of a chapter's page, as its reader has it."""
    soup = built_page(site / "notebooks" / f"{name}.html").soup
    found = []
    for asked in soup.select(".admonition.predict"):
        asked = BeautifulSoup(str(asked), "html.parser")
        options = asked.select("li.option")
        right = re.search(r"measured-([a-d])", " ".join(asked.div["class"]))[1]
        reasons = soup.select(f"#{asked.div['id']} ~ details.answer")[0].select(".reason")
        reasons = {re.search(r"reason-([a-d])", " ".join(e["class"]))[1]: e for e in reasons}
        words = [plain(str(each)) for each in options]
        told = [plain(str(reasons[letter])) for letter in sorted(reasons)]
        for each in [*asked.select("ul.options"), asked.select_one(".admonition-title")]:
            each.decompose()
        found.append((plain(str(asked)), words, right, told))
    return found


def measured_in(name):
    """The letters that a notebook's stored outputs say were measured."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    outputs = [each for cell in cells for each in cell.get("outputs", [])]
    printed = "".join("".join(each.get("text", "")) for each in outputs)
    return MEASURED.findall(printed)


def test_a_question_is_what_was_taken_apart():
    (question,) = one_question()
    assert (question.id, question.section) == ("02_attention-1", "It never says no")
    assert question.asked == ("What comes back?",)
    assert [(each.letter, each.text, each.right) for each in question.options] == [
        ("a", "(a) It raises.", False),
        ("b", "(b) It is 1/n (about a tenth).", True),
        ("c", "(c) One of them.", False),
    ]
    assert question.options[0].reason[0].startswith("(a) forgets that softmax")


def test_marks_of_claims_are_left_out_with_the_space_before_them():
    mark = nodes.reference("", "law", classes=["claim-mark"], reftitle="a law")
    words = [nodes.Text("(b) "), nodes.Text("\N{NO-BREAK SPACE}"), mark]
    assert questions.words(nodes.paragraph("", "", *words, nodes.Text(". So.")), str) == "(b). So."
    alone = nodes.paragraph("", "", *words, nodes.Text("."))
    assert questions.words(alone, str) == "(b) is what was measured."


def test_what_has_no_form_in_a_bank_is_refused():
    with pytest.raises(ValueError, match="has a image; expected words"):
        questions.words(nodes.paragraph("", "", nodes.image()), str)


AWKWARD = r"(a) **No**, `x_1` costs $5 & <b>. (b) 1. *It* is 1/n [a](b) $x$. (c) It's \"so\"."


def test_what_means_something_to_markdown_stays_as_it_is():
    asked = one_question(options=AWKWARD)
    told = canvas_questions(canvas.canvas_zip([(CHAPTER, asked)]))
    assert told == list(moodle_questions(moodle.moodle_xml([(CHAPTER, asked)])).values())
    text = canvas.markdown("a*b_c $5 &lt;b&gt; <code>x[0]</code> " + canvas.formula("x_1^2"))
    assert text.endswith(" $x_1^2$")
    assert unescape(text).startswith("a*b_c $5 <b> <code>x[0]</code>")


def test_a_slash_divides_no_category():
    xml = moodle.moodle_xml([(CHAPTER, one_question())]).decode()
    assert "Soft Lookup: predictions/02 Attention and//or lookup<" in xml


def test_no_network_is_asked_and_nothing_but_the_questions_decides_the_bytes(monkeypatch):
    def refuse(*_):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    formula = [nodes.math(text=r"x^2"), nodes.Text(" rows")]
    assert questions.words(nodes.paragraph("", "", *formula), canvas.formula).startswith("\x01x^2")
    asked = one_question(canvas.formula)
    first = canvas.canvas_zip([(CHAPTER, asked)])
    assert first == canvas.canvas_zip([(CHAPTER, asked)])
    with zipfile.ZipFile(io.BytesIO(first)) as held:
        assert {each.date_time[:3] for each in held.infolist()} == {(1980, 1, 1)}


def test_the_library_is_told_if_its_manifest_has_changed(monkeypatch):
    monkeypatch.setattr(canvas, "IN_OUR_WORDS", {"Words that it never wrote": ""})
    with pytest.raises(ValueError, match="no longer writes"):
        canvas.canvas_zip([(CHAPTER, one_question())])


@pytest.fixture(scope="module")
def banks(site):
    """Both banks as they were built."""
    folder = site / "downloads"
    xml = (folder / "predictions-moodle.xml").read_bytes()
    return xml, (folder / "predictions-canvas.zip").read_bytes()


@pytest.mark.site
def test_every_prediction_is_asked_with_the_page_s_words(banks, site):
    asked = moodle_questions(banks[0])
    in_pages = {
        f"{name}-{number}": question
        for name in NOTEBOOK_NAMES
        for number, question in enumerate(in_the_page(site, name), start=1)
    }
    assert asked == in_pages
    assert canvas_questions(banks[1]) == list(in_pages.values())


def wrong_answers(xml):
    """The questions that call another option right than the notebooks have measured."""
    right = {key: question[2] for key, question in moodle_questions(xml).items()}
    measured = {
        f"{name}-{number}": letter
        for name in NOTEBOOK_NAMES
        for number, letter in enumerate(measured_in(name), start=1)
    }
    return sorted(key for key in right | measured if right.get(key) != measured.get(key))


@pytest.mark.site
def test_the_right_answer_is_what_was_measured(banks):
    assert wrong_answers(banks[0]) == []


@pytest.mark.site
def test_a_wrong_answer_and_a_second_one_are_found(banks):
    text = banks[0].decode()
    turned = text.replace('fraction="0"', 'fraction="100"', 1)
    assert wrong_answers(turned.encode()) == ["01_rnn_limits-1"]
    assert wrong_answers(turned.replace('fraction="100"', 'fraction="0"', 2).encode())


@pytest.mark.site
def test_nothing_of_the_page_s_own_machinery_is_left(banks):
    told = json.dumps([moodle_questions(banks[0]), canvas_questions(banks[1])])
    for word in ("claim", "\\u0000", "\\u0001", "Measured:"):
        assert word not in told.replace("claims that", ""), word
