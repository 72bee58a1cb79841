"""Copies stand out from honest answers under any name and layout; honest classmates do not.

The class is the bank's right answers to one assignment, written in different styles, and two
classmates who follow the chapter in the same way, each in their own words.
"""

import ast
import csv
import re
import sys
from dataclasses import replace

import course_bank
import fairness_bank
import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank
from softlookup_coursework.checking.checks import Rendered
from softlookup_coursework.commands.comparing import likeness
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.intake.notebook import StudentCell
from softlookup_coursework.likeness import compare, gather, report
from softlookup_coursework.likeness.compare import Submission
from softlookup_coursework.likeness.normal_form import MOST_TRIED, Part, Parts, parts, prose

NAME = "attention_and_masks"
ADA = '''
def attend(query, key, value, mask=None):
    """Softmax over what the mask allows."""
    s = scores(query, key)
    if mask is None:
        mask = torch.ones(s.shape, dtype=torch.bool)
    s = s.masked_fill(~mask, -torch.inf)
    top = s.amax(-1, keepdim=True).clamp(min=-1e30)
    powers = torch.exp(s - top)
    total = powers.sum(-1, keepdim=True)
    return (powers / total.clamp(min=1e-30)) @ value

def look_back(query, key, value):
    return attend(query, key, value, mask=pattern(query.shape[-2]))

def newest(query, key, value):
    n = key.shape[-2]
    seen = pattern(n)[-1].nonzero().flatten()
    return attend(query, key[..., seen, :], value[..., seen, :])
'''
BEN = """
def attend(query, key, value, mask=None):
    compared = scores(query, key)
    if mask is not None:
        compared = torch.where(mask, compared, torch.tensor(float("-inf")))
    weights = torch.nan_to_num(torch.softmax(compared, dim=-1), nan=0.0)
    # Nothing to look at gives zeros.
    return weights @ value

def look_back(query, key, value):
    length = query.size(-2)
    allowed = pattern(length)
    return attend(query, key, value, allowed)

def newest(query, key, value):
    row = pattern(key.size(-2))[-1]
    keys, values = key[..., row, :], value[..., row, :]
    weights = torch.softmax(scores(query, keys), dim=-1)
    return weights @ values
"""


NAMES = {
    "mask": "allowed", "top": "largest", "powers": "e", "total": "z", "seen": "idx", "value": "v",
    "query": "q", "key": "k", "s": "scr",
}  # fmt: skip


def renamed(code):
    """A copy with other names, other layout, comments, and its functions the other way round."""
    for old, new in NAMES.items():
        code = re.sub(rf"\b{old}\b", new, code)
    code = code.replace("(-1, ", "(\n        -1,  # rows\n        ")
    return "\n\n# mine\n\n".join(reversed(re.split(r"(?m)^(?=def )", code)))


def some_lines_changed(code):
    """A copy in which a line is added and another is written otherwise."""
    code = code.replace("    n = key.shape[-2]\n", "    n = key.transpose(-1, -2).shape[-1]\n")
    return code.replace("    powers = ", "    print(top.shape)\n    powers = ")


def in_texts(code):
    """A copy whose functions are texts that are executed, one of them within another text."""
    first, *rest = re.split(r"(?m)^(?=def )", code.strip())[1:]
    inner = "".join(f"exec({text!r})\n" for text in rest)
    return f"exec({first!r})\nexec({inner.encode()!r})\n"


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A class that copied nothing."""
    folder = tmp_path_factory.mktemp("class") / NAME
    rendered = fairness_bank.render(NAME, folder)
    found = [Submission("ada", tuple(parts([ADA]))), Submission("ben", tuple(parts([BEN])))]
    for path in fairness_bank.PATHS:
        if path.parts[-3:-1] == (NAME, "right"):
            cells = [body for _, kind, body in bank.read(path, rendered.parameters).cells
                     if kind == "code"]  # fmt: skip
            found.append(Submission(path.stem, tuple(parts(cells))))
    return found


def pairs(submissions):
    return {(pair.left, pair.right): pair for pair in compare.compare(submissions).pairs}


def test_honest_classmates_do_not_stand_out(honest):
    assert len(honest) == 12
    assert not pairs(honest)
    found = compare.compare(honest)
    assert found.baseline < 0.2
    assert found.bound == 0.5


@pytest.mark.parametrize("change", [str, renamed, some_lines_changed, in_texts])
def test_a_copy_stands_out_whatever_was_done_to_it(change, honest):
    copied = change(ADA)
    assert (copied != ADA) == (change is not str)
    compile(copied, "copy", "exec")
    padding = "def own(a, b):\n    return [a + i * b for i in range(a) if i % 3 == b % 5]\n" * 3
    found = pairs([*honest, Submission("mal", tuple(parts([padding, copied])))])
    assert set(found) == {("ada", "mal")}
    pair = found["ada", "mal"]
    assert pair.likeness > 0.9
    # `look_back` is everybody's, and does not count.
    assert len(pair.passages) == len(parts([ADA])) - 1
    exact = [passage.alike == 1.0 for passage in pair.passages]
    assert all(exact) == (change is not some_lines_changed)


def test_what_is_shared_by_many_does_not_count(honest):
    shared = "def helper(rows):\n    whole = [row / row.sum() for row in rows]\n"
    shared += "    return torch.stack(whole).mean(0) * 2\n"
    all_of_them = [Submission(one.name, one.parts + tuple(parts([shared]))) for one in honest]
    assert not pairs(all_of_them)
    found = compare.compare(all_of_them)
    before = compare.compare(honest).common
    assert 0.02 < before < found.common < 0.2
    two = [*all_of_them[:2], *honest[2:]]
    assert before * 0.9 < compare.compare(two).common <= before


def test_what_was_handed_out_does_not_count():
    given = parts([ADA])
    alone = compare.without_frame(Submission("ada", tuple(parts([ADA + BEN]))), given)
    assert {part.tokens for part in alone.parts}.isdisjoint(part.tokens for part in given)
    assert alone.parts


def test_an_earlier_submission_is_compared_with_and_not_looked_at(honest):
    old = [Submission("spring: eve", tuple(parts([renamed(ADA)])), graded=False),
           Submission("spring: fay", tuple(parts([ADA])), graded=False)]  # fmt: skip
    found = pairs([*honest, *old])
    assert set(found) == {("ada", "spring: eve"), ("ada", "spring: fay")}


@pytest.mark.parametrize(
    "cell",
    [
        "def f(:",
        "%%bash\nls",
        "((" * 5000,
        "x = " + "-" * 100_000 + "1",
        "!rm -r *",
        "\0",
        "",
        "…",
        'x = %"""',
    ],
)
def test_odd_cells_have_no_parts_and_stop_nothing(cell):
    assert len(parts([cell, ADA, f"%time {ADA.strip()}"])) >= 2


def test_of_what_cannot_be_read_nothing_is_compared_and_it_is_named(monkeypatch):
    monkeypatch.setattr(gather, "parts", lambda cells: sys.exit(len(cells)))
    read = gather._submission("ada", [StudentCell("code", ADA)])
    assert (read.parts, read.cut) == ((), True)


def test_written_answers_are_compared_by_their_words():
    text = " ".join(f"word{n}" for n in range(40))
    (one,), (other,) = prose([f"**{text.upper()}**!"]), prose([text.replace(" ", "\n")])
    assert one.tokens == other.tokens
    assert not prose(["too short to say"])


ESSAY = (
    "The factor stands above the line and below it, so whatever it is, dividing takes it away "
    "again, and <script>alert('the quotient')</script> stays as it was before we multiplied."
)
COPIED = """def scale(values):
    total = torch.zeros_like(values)
    for _ in range(7):
        total = total + values * 1.0
    return torch.where(total > 0, total, total)
"""


def test_the_command_reads_course_folders_and_writes_a_harmless_page(tmp_path):
    course = course_bank.make_course(
        tmp_path,
        {
            "ada": {"scale": COPIED, "essay": ESSAY},
            "ben": {"scale": COPIED.replace("total", "sum_"),
                    "essay": f"# {ESSAY.lower()}"},
            "eve": {"scale": "def scale(values):\n    return 7 * values\n"},
            "=1+1": {"scale": "def scale(x):\n    return 7 * x\n"},
        },
    )  # fmt: skip
    (course.folder / "collected/scales/max").mkdir()
    (course.folder / "collected/scales/max/notebook.ipynb").write_text("{")
    listed = gather.submissions(course, "scales")
    assert [one.name for one in listed] == ["=1+1", "ada", "ben", "eve", gather.SOLUTION]
    found = compare.compare(listed)
    assert [(pair.left, pair.right, pair.likeness) for pair in found.pairs] == [("ada", "ben", 1.0)]
    title = "<i>Scales</i>"
    page, table = report.write(course.folder / "likeness", "scales", title, found, 4)
    html = page.read_text()
    assert "It judges nobody" in html
    assert "too few submissions to say how alike honest ones are" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;i&gt;Scales" in html
    assert "default-src 'none'" in html
    assert not re.findall(r"(?:src|href)=\"(?!#|data:)", html)
    assert html.count("The same but for names and layout") == 2
    with table.open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row == {"student": "ada", "is like": "ben", "likeness": "1", "alike passages": "2",
                   "median of the class": ""}  # fmt: skip


def test_the_class_of_an_earlier_term_is_named_with_its_folder(tmp_path):
    course = course_bank.make_course(tmp_path, {"ada": {"essay": ESSAY}})
    (one,) = gather.earlier(course, "scales")
    assert (one.name, one.graded) == ("autumn: ada", False)
    assert gather.submissions(course, "scales")[-1].name == gather.SOLUTION


def test_the_courses_own_solution_is_recognised(tmp_path):
    rendered = Rendered.make(source.find(NAME), tmp_path / NAME, Term("fairness"))
    answers = [c.source for c in rendered.assignment.cells if c.role == "answer"]
    solution = Submission(gather.SOLUTION, tuple(parts(answers)), graded=False, published=True)
    copy = [answer.replace("compared", "sc").replace("weights", "w") for answer in answers]
    found = pairs([Submission("eve", tuple(parts(copy))), Submission("ben", tuple(parts([BEN]))),
                   solution])  # fmt: skip
    assert set(found) == {("eve", gather.SOLUTION)}
    assert found["eve", gather.SOLUTION].likeness == 1.0


def the_solution(folder):
    """The course's own solution, and its answers."""
    rendered = Rendered.make(source.find(NAME), folder / NAME, Term("fairness"))
    answers = [c.source for c in rendered.assignment.cells if c.role == "answer"]
    own = Submission(gather.SOLUTION, tuple(parts(answers)), graded=False, published=True)
    return own, answers


def test_a_class_that_handed_in_the_solution_is_like_it_although_all_wrote_alike(tmp_path, honest):
    solution, answers = the_solution(tmp_path)
    copies = [Submission(f"s{n}", tuple(parts(answers))) for n in range(8)]
    for others in ([], honest[:2]):
        found = compare.compare([*copies, *others, solution])
        against = {pair.left: pair for pair in found.pairs if pair.right == gather.SOLUTION}
        assert set(against) == {one.name for one in copies}
        assert all(pair.likeness > 0.99 for pair in against.values())
        assert all(pair.passages for pair in against.values())
        assert found.common > 0.5
        assert found.tells_little
    page, _ = report.write(tmp_path, NAME, "Masks", compare.compare(copies), 8)
    html = page.read_text()
    assert "No pair stands out" not in html
    assert "Most of what the class wrote is the same" in html


def test_honest_answers_are_not_like_the_solution(tmp_path, honest):
    solution, _ = the_solution(tmp_path)
    found = compare.compare([*honest, solution])
    assert not found.pairs
    assert not found.tells_little


def test_the_command_says_how_much_was_left_out(tmp_path, capsys):
    solution = "def scale(values):\n    total = torch.zeros_like(values)\n"
    solution += (
        "    for number in range(7):\n        total = total + values * 1.0\n    return total\n"
    )
    answers = {"scale": solution}
    course = course_bank.make_course(tmp_path, {f"s{n}": answers for n in range(6)})
    likeness("scales", course.folder)
    printed = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Left out between classmates: (\d+)% of what the class wrote", printed)
    assert "So little is left that it does not tell who worked together" in printed


# What a student can write to keep the command busy, within what intake takes of a cell.
FLOODS = {
    "functions": "def f():0\n" * (MOST_TRIED + 9),
    "statements": "x=0\n" * 2000,
    "one line": "x=0;" * 2000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_code_is_cut_and_shown_once(flood, monkeypatch):
    looked_at = []
    plain = ast.unparse
    monkeypatch.setattr(ast, "unparse", lambda tree: looked_at.append(tree) or plain(tree))
    found = parts([FLOODS[flood]])
    assert found.cut
    assert sum(len(part.source) for part in found) <= len(FLOODS[flood])
    # Before, all of it was looked at, a line that holds many statements as often.
    assert len(looked_at) <= 2 * MOST_TRIED


def test_what_is_too_long_is_cut_and_named(tmp_path):
    wall, pad = "#" * 150_000, "def f(a):\n    return [a + i for i in range(a) if i % 3 == a % 5]\n"
    padded = parts([wall, wall, ADA])
    assert {part.tokens for part in parts([ADA])} <= {part.tokens for part in padded}
    assert padded.cut
    assert prose(["word " * 4000]).cut
    assert parts([pad * 310]).cut
    assert parts(["x = [" + "a, " * 4000 + "]"]).cut
    # Nested so deeply that Python cannot write it again.
    assert parts([f"def f(a):\n    return {'a+' * 2000}a\n"]).cut
    many = Parts([])
    for _ in range(12):
        many.add("", ["a"] * 2999)
    assert sum(len(part.tokens) for part in many) == 30_000
    assert not parts([ADA, BEN]).cut
    listed = [
        Submission("eve <b>", tuple(padded), cut=True),
        Submission("ben", tuple(parts([BEN]))),
    ]
    found = compare.compare([*listed, Submission("spring: ada", (), graded=False, cut=True)])
    assert found.cut == ("eve <b>",)
    page, _ = report.write(tmp_path, NAME, "Masks", found, 2)
    assert "since it is too long: <bdi>eve &lt;b&gt;</bdi>" in page.read_text()


def test_nobody_can_make_two_others_look_alike():
    """With so many words of their own that the characters for them would be used up."""
    ada, zoe = ([f"{who}{n}" for n in range(60)] for who in ("ada", "zoe"))
    numbers = [str(n) for n in range(0x9000 - 60)]
    mal = [" ".join(numbers[at : at + 3000]) for at in range(0, len(numbers), 3000)]
    listed = [
        Submission(who, tuple(Part("", tuple(text.split())) for text in texts))
        for who, texts in (("ada", [" ".join(ada)]), ("mal", mal), ("zoe", [" ".join(zoe)]))
    ]
    assert not pairs(listed)
    alike = Submission("ben", (Part("", (*ada[:55], *"mine")),))
    assert set(pairs([*listed, alike])) == {("ada", "ben")}


def test_a_student_who_bears_the_name_of_the_solution_changes_nothing(honest, tmp_path):
    solution, _ = the_solution(tmp_path)
    before = compare.compare([*honest, solution])
    named = [replace(honest[0], name=gather.SOLUTION), *honest[1:]]
    assert compare.compare([*named, solution]).baseline == before.baseline


def test_a_module_beside_the_notebook_is_compared(tmp_path):
    course = course_bank.make_course(
        tmp_path, {who: {"scale": "from own import scale"} for who in ("ada", "ben")}
    )
    for who in ("ada", "ben"):
        files = course.folder / "collected/scales" / who / "files"
        (files / "own.py").write_text(COPIED)
        (files / "other.py").symlink_to("/etc/passwd")
    found = compare.compare(gather.submissions(course, "scales"))
    assert [(pair.left, pair.right) for pair in found.pairs] == [("ada", "ben")]


def test_the_course_is_no_earlier_one_of_itself(tmp_path):
    course = course_bank.make_course(tmp_path, {"ada": {"essay": ESSAY}})
    with pytest.raises(UsageError, match="give the folder of an earlier term"):
        likeness("scales", course.folder, [tmp_path / "autumn/../autumn"])
