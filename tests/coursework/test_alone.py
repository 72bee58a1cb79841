"""Answers are asked where nothing has run but what they need, and only there earn points."""

import ast
import sys
from dataclasses import replace
from pathlib import Path

import hostile_bank as bank
import pytest
import torch
from softlookup.course.student_code.source_checks import StudentCode
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.grading import alone
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.overwrite import rebuild
from softlookup_coursework.grading.reading import UNREAD, Reader
from softlookup_coursework.intake.notebook import StudentCell
from softlookup_coursework.sandbox.channel import CellRun

FORBIDS = ["scaled_dot_product_attention"]
# Another cell puts the whole answer in the place of a number that every module `math` has.
PUT_ELSEWHERE = f"import math\nnames = {{}}\nexec({'import math, torch' + bank.ANSWER!r}, names)\n"
PUT_ELSEWHERE += "math.tau = names['attention']\n"
TAKES_IT = "def attention(query, key, value):\n    return math.tau(query, key, value)\n"


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "assignment").mkdir()
    return Assignment.load(bank.write_assignment(tmp_path / "assignment"))


def graded(assignment, tmp_path, answer, files=(), limits=None):
    folder = bank.write_submission(tmp_path / "student", bank.cells(answer), files)
    return grade(assignment, folder, limits)


def of(result, cell):
    return next(each for each in result.cells if each.cell == cell)


def needed(*cells, files=None, names=("attend",)):
    return StudentCode(enumerate(cells, start=1), files).needed_by(names, FORBIDS)


def test_what_a_cell_put_in_the_place_of_anything_is_not_there(assignment, tmp_path):
    result = graded(assignment, tmp_path, PUT_ELSEWHERE + TAKES_IT)
    # It is right where the whole notebook runs, and so a person is asked.
    assert of(result, "rows").earned == of(result, "scale").earned == 0
    assert (result.in_doubt("rows"), result.in_doubt("scale")) == (1, 4)
    assert "passes only where cells have run" in result.doubt
    assert of(result, "modules").earned == 3


@pytest.mark.parametrize(
    "name", ["einops.so", "torch.cpython-311-x86_64-linux-gnu.so", "a.zip", "b.pyc", "notes"]
)
def test_what_may_be_code_and_cannot_be_read_does_not_lie_beside(assignment, tmp_path, name):
    folder = bank.write_submission(tmp_path / "student", bank.cells(), {name: b"x", "a.csv": b"3"})
    cells = rebuild([], assignment).cells
    with alone.alone(Reader(), cells, folder / "files", assignment) as found:
        assert [path.name for path in found.files.iterdir()] == ["a.csv"]


def test_of_a_module_beside_the_notebook_the_part_that_is_needed_is_there(assignment, tmp_path):
    source = (
        f"import math\nimport torch\nprint(open('/etc/hostname').read())\n{bank.ANSWER}\n"
        "def other():\n    return exec('1')\n"
    )
    answer = "from helper import attention"
    result = graded(assignment, tmp_path, answer, {"helper.py": source.encode()})
    assert result.earned == 8
    assert not result.doubt
    files = needed("from helper import attention", files={"helper.py": source},
                   names=["attention"]).files  # fmt: skip
    defined = ast.parse(files["helper.py"]).body
    assert [getattr(each, "name", "import") for each in defined] == ["import"] * 2 + ["attention"]


def test_a_cell_that_stops_runs_no_further():
    right = "def attend(q, k, v): return q"
    for stop in ("raise SystemExit", "assert False", "1 / 0", "exit()", "quit()"):
        cells = needed(right, f"{stop}\nattend = None").cells
        assert [*cells] == ["cell 1"]
    goes_on = needed(right, "assert True\n1 / 2\nattend = None").cells
    assert goes_on["cell 2"] == "attend = None"


def test_statements_run_in_their_order_and_each_once():
    cells = needed(
        "size = 2\nimport math",
        "size = size * 3\nprint(size)\nkept = []",
        "def attend(q): return q * size + math.pi + kept[0]\nkept.append(size)\nother = size",
    ).cells
    assert cells == {
        "cell 1": "size = 2\nimport math",
        "cell 2": "size = size * 3\nkept = []",
        "cell 3": "def attend(q):\n    return q * size + math.pi + kept[0]\nkept.append(size)",
    }


def test_what_puts_a_part_somewhere_runs_whole_and_with_all_that_it_uses():
    cells = needed(
        "scale, most = 3, 5\nlimit = most\nboxes = {'a': []}\nother = 3",
        "if limit > 4:\n    boxes['a'].append(scale)",
        "def attend(q): return boxes['a'][0]",
    ).cells
    assert cells["cell 1"] == "scale, most = (3, 5)\nlimit = most\nboxes = {'a': []}"
    assert cells["cell 2"] == "if limit > 4:\n    boxes['a'].append(scale)"


def test_of_an_import_the_forbidden_name_alone_is_left_out():
    cell = "from torch.nn.functional import scaled_dot_product_attention, softmax"
    answer = "def attend(q, k, v): return softmax(q @ k.mT, -1) @ v"
    compared = "attend_too = scaled_dot_product_attention"
    found = needed(cell, answer, compared, names=["attend", "attend_too"]).cells
    assert found["cell 1"] == "from torch.nn.functional import softmax"
    assert "cell 3" not in found


def test_of_several_modules_that_are_imported_those_that_are_needed_are_there():
    cell = "import math, sys, torch.nn as nn"
    found = needed(cell, "def attend(q): return nn.Identity()(q) * math.pi").cells
    assert found["cell 1"] == "import math\nimport torch.nn as nn"


def test_what_is_too_slow_alone_is_told_as_too_slow(assignment, tmp_path):
    slow = "import time\n" + bank.ANSWER.replace("    return", "    time.sleep(30)\n    return")
    limits = replace(RunLimits(), call_seconds=1.0, wall_seconds=40.0)
    result = graded(assignment, tmp_path, slow, limits=limits)
    assert result.verdict == "timed out"
    assert "no answer within 1 s" in result.why


def test_a_folder_that_somebody_put_among_the_files_ends_no_grader(assignment, tmp_path):
    folder = bank.write_submission(tmp_path / "student", bank.cells(bank.ANSWER), {"a.csv": b"3"})
    (folder / "files" / "torch").mkdir()
    (folder / "files" / "torch" / "helper.py").write_text("attention = None")
    assert grade(assignment, folder).earned == 8


def test_where_nothing_is_forbidden_the_whole_notebook_answers(assignment, tmp_path):
    free = replace(assignment, forbids=())
    hidden = f"exec({bank.ANSWER!r})"
    assert graded(assignment, tmp_path / "a", hidden).doubt
    assert graded(free, tmp_path / "b", hidden).earned == 8


class Heard:
    """In the place of a channel: what it is asked to run, of which some fails."""

    def __init__(self, fails=()):
        self.ran, self.fails = [], fails

    def watch(self):
        self.ran.append("watch")

    def run(self, source):
        self.ran.append(source)
        return CellRun(error="NameError" if source in self.fails else "")


def test_the_assignments_own_cells_run_before_anything_of_the_students_is_there(assignment):
    """They may use what is forbidden, and a student's object may wait for it."""
    cells = [StudentCell("code", "x = 1", None), StudentCell("code", bank.ANSWER, "attention")]
    notebook = rebuild(cells, assignment)
    theirs = [c.source for c in notebook.cells if c.kind == "code" and not c.students_code]
    given = [c for c in notebook.cells if c.given and c.given.role == "given" and c.kind == "code"]
    heard = Heard()
    left = alone.begin(notebook.cells, heard)
    assert heard.ran == ["watch", *(cell.source for cell in given)]
    assert {*heard.ran[1:]} <= {*theirs}
    assert [c.source for c in left] == [c.source for c in notebook.cells if c not in given]
    # One that needs what the student defines runs at its place, and is watched there.
    left = alone.begin(notebook.cells, Heard(fails=[given[-1].source]))
    assert given[-1] in left


def test_a_students_cell_that_is_no_answer_keeps_its_place(assignment):
    cells = [StudentCell("code", "x = 1", None), StudentCell("code", bank.ANSWER, "attention")]
    notebook = rebuild(cells, assignment)
    with alone.alone(Reader(), notebook.cells, Path("nothing"), assignment) as found:
        assert len(found.cells) == len(notebook.cells)
        sources = [c.source for c in found.cells if c.kind == "code"]
    assert "x = 1" not in sources
    assert ast.unparse(ast.parse(bank.ANSWER)) in sources


@pytest.mark.parametrize(
    "statement",
    ["x = 0x" + "f" * 9_000, "x = 1" + " + 1" * 300, "x = '\ud800'", "x = f'{\"\\n\"}'"],
)
def test_what_cannot_be_written_down_again_ends_no_grader(statement):
    cells = needed(statement, "def attend(q): return x").cells
    assert cells["cell 2"] == "def attend(q):\n    return x"
    assert cells.get("cell 1", "x").startswith("x")


def test_an_end_of_the_process_while_reading_is_an_answer_that_cannot_be_read():
    assert Reader().read(sys.exit, "unread") == "unread"


def test_a_text_that_looks_like_a_command_stays_a_text():
    text = 'def attend(q):\n    """Look.\n\n!ls\n%time x\n    q?\n    """\n    return q'
    (source,) = needed(text).cells.values()
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(text))


def test_what_would_read_otherwise_when_written_again_does_not_run():
    # The letters are others than those of `from` and `import`, and Python takes them for these.
    other = "".join(chr(0x1D41A + ord(letter) - ord("a")) for letter in "from")
    cell = f"x = 1\nif x:\n    {other}.data(x)"
    written = needed(cell, "def attend(q): return x").cells["cell 1"]
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(cell))


def test_what_a_class_keeps_to_itself_has_a_name_that_nobody_else_has():
    cell = (
        "class Own:\n    _kept = 2\n    def _more(self): return self._kept + 1\n"
        "    def get(self): return self._more()\n"
    )
    (source,) = needed(f"{cell}def attend(q): return Own().get()").cells.values()
    names = {}
    exec(source, names)
    assert names["attend"](0) == 3
    kept = {name for name in dir(names["Own"]) if not name.startswith("__")}
    assert kept == {"get", "kept_to_itself_kept", "kept_to_itself_more"}


ASKED = """
import dataclasses, enum, typing
class Own(torch.nn.Module):
    def lend(self, x):
        \"\"\"Keep a number.\"\"\"
        self.kept = x
        return self.kept
    @property
    def twice(self): return 2 * self.kept
    @staticmethod
    def plus(x): return x + 1
    @classmethod
    def fresh(cls): return cls()
    class Inner:
        def lend(other, x): other.kept = x
class Heir(Own): pass
@dataclasses.dataclass
class Pair:
    a: int = 1
    def get(self): return self.a
@dataclasses.dataclass(slots=True)
class Slim:
    a: int = 1
    def get(self): return self.a
class Named(typing.NamedTuple):
    a: int = 1
    def get(self): return self.a
class Kind(enum.Enum):
    ONE = 1
    def get(self): return self.value
class Each:
    def __iter__(self):
        yield from [1, 2]
def attend(q):
    heir = Heir.fresh()
    ones = [each.get() for each in (Pair(), Slim(), Named(), Kind.ONE)]
    return heir.lend(3), heir.twice, heir.plus(1), *Each(), *ones, Own.Inner()
"""


def test_a_method_is_called_with_an_object_of_its_class_and_with_no_other():
    (source,) = needed(ASKED).cells.values()
    names = {"torch": torch, "__name__": "__main__"}
    exec(source, names)
    assert names["attend"](0)[:-1] == (3, 6, 2, 1, 2, 1, 1, 1, 1)
    assert names["Own"].lend.__doc__ == "Keep a number."
    other = torch.ones(1)
    others = [names[kind].get for kind in ("Pair", "Slim", "Named", "Kind")]
    for method in (names["Own"].lend, names["Own"].Inner.lend, *others):
        with pytest.raises(TypeError, match="with an object of another kind"):
            method(other, *[3][: method not in others])
    assert not hasattr(other, "kept")
    with pytest.raises(TypeError, match="with an object of another kind"):
        names["Own"].lend(names["Pair"](), 3)
    exec(ASKED, names)
    names["Own"].Inner.lend(other, 3)
    assert other.kept == 3


def test_what_a_class_takes_of_the_notebook_keeps_its_name():
    cell = (
        "_MOST = 3\ndef _halved(a): return a / 2\n"
        "class Own:\n    _kept = -_MOST\n    _twice = _kept * 2\n"
        "    _half = staticmethod(_halved)\n    def get(self): return self._half(self._twice)\n"
    )
    names = {}
    exec(needed(f"{cell}def attend(q): return Own().get()").cells["cell 1"], names)
    assert names["attend"](0) == -3


def test_a_text_with_gaps_that_some_pythons_cannot_write_down_says_the_same():
    cell = "def attend(q):\n    return f\"{' , '.join(q)}\"".replace(" ,", "\u00a0,")
    (source,) = needed(cell).cells.values()
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(cell))


@pytest.mark.parametrize("name", ["builtins.py", "subprocess.py", "torch.py", "numpy.py"])
def test_a_file_that_has_the_name_of_something_else_is_not_imported(name):
    module = name.removesuffix(".py")
    found = needed(
        f"from {module} import run as go",
        "def attend(q): return go(q)",
        files={name: "def run(q): return q"},
    )
    assert found.files == {}
    assert [*found.cells] == ["cell 2"]


def test_what_is_left_out_makes_no_word_known_to_the_rest():
    cells = needed(
        "class Notes:\n    import math as other\n    strange_word = 0",
        "def attend(q): return q.strange_word, Notes",
    ).cells
    assert "cell 2" not in cells


def test_what_a_layer_registers_for_itself_goes_by_the_same_name():
    cell = (
        "class Own(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('_order', torch.ones(2))\n"
        "    def forward(self): return self._order.sum()\n"
    )
    (source,) = needed(f"{cell}def attend(q): return Own()()").cells.values()
    names = {"torch": torch}
    exec(source, names)
    assert names["attend"](0) == 2


def test_what_a_class_keeps_to_itself_is_found_by_a_text_as_well():
    cell = (
        "class Own:\n    def __init__(self):\n        self._near = 1\n"
        "        self._far = 2\n"
        "    def get(self):\n        assert hasattr(self, '_near')\n"
        "        return getattr(self, '_near') + self._far\n"
    )
    names = {}
    exec(needed(f"{cell}def attend(q): return Own().get()").cells["cell 1"], names)
    assert names["attend"](0) == 3


@pytest.mark.parametrize(
    "put", ["boxes['a'] = 4", "boxes.a = 4", "setattr(boxes, 'a', 4)", "boxes['a'] = 'four'"]
)
def test_a_constant_that_is_put_into_an_object_is_there(put):
    cells = needed(
        "boxes = {}\nother = {}", f"{put}\nother['a'] = 3", "def attend(q): return boxes"
    )
    assert cells.cells["cell 2"] == put


# What Python cannot write as digits, or write down again at all.
HUGE = "0x" + "f" * 5000
UNREADABLE = [
    "getattr(q, '')",
    "for name in ['']: getattr(q, name)",
    "setattr(q, f'', 1)",
    f"get_ipython().run_line_magic({HUGE}, 1)",
    f"q.register_buffer({HUGE}, 1)",
    f"SimpleNamespace(1, {HUGE})",
    f"setattr({HUGE}, 'a', 3)",
    'print(f"""{\'\a\'}""", unknown_word)',
]


@pytest.mark.parametrize("line", UNREADABLE)
def test_a_line_that_is_hard_to_read_ends_no_reader(line):
    code = StudentCode([(1, f"def attend(q):\n    if False:\n        {line}\n    return q")])
    code.against(["attend"], FORBIDS)
    code.needed_by(["attend"], FORBIDS)


def test_what_cannot_be_read_in_time_or_at_all_is_a_doubt_and_does_not_run(monkeypatch):
    cells = [(1, "def attend(q): return q")]
    read = Reader().code(cells, {}, [])
    assert not read.against(["attend"], FORBIDS)
    assert read.needed_by(["attend"], FORBIDS).cells
    assert Reader(seconds=0.0).code(cells, {}, []).against(["attend"], FORBIDS) == UNREAD
    slow = Reader(seconds=0.05)
    many = ", ".join(["a.append"] * 9000)
    for code in (slow.code([(1, f"def attend(q):\n    f({many})\n    return q")], {}, []),
                 slow.code(cells, {}, [])):  # fmt: skip
        found = code.against(["attend"], FORBIDS)
        assert (found, found.sure) == (UNREAD, False)
        assert not code.needed_by(["attend"], FORBIDS).cells

    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(StudentCode, "against", fails)
    monkeypatch.setattr(StudentCode, "needed_by", fails)
    broken = Reader().code(cells, {}, [])
    assert broken.against(["attend"], FORBIDS) == UNREAD
    assert not broken.needed_by(["attend"], FORBIDS).cells
