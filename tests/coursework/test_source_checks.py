"""Forbidden names are found where an answer depends on them; what nobody can read does not run."""

import ast
import json
import sys

import hostile_bank as bank
import nbformat
import pytest
from IPython.core import inputtransformer2
from softlookup.course.student_code import cell_sources, flows
from softlookup.course.student_code.cell_sources import parsed, rewritten
from softlookup.course.student_code.source_checks import StudentCode
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.overwrite import Rebuilt
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.grading.written import student_code

FORBIDS = ("scaled_dot_product_attention", "MultiheadAttention")

GUILTY = {
    "called": ["def attention(q, k, v): return F.scaled_dot_product_attention(q, k, v)"],
    "under another name": [
        "from torch.nn.functional import scaled_dot_product_attention as mine",
        "def attention(q, k, v):\n    return mine(q, k, v)",
    ],
    "through a helper in a later cell": [
        "def attention(q, k, v): return helper(q, k, v)",
        "def helper(q, k, v): return (lambda *a: F.scaled_dot_product_attention(*a))(q, k, v)",
    ],
    "assigned": ["attention = torch.nn.functional.scaled_dot_product_attention"],
    "inherited": [
        "class attention(torch.nn.MultiheadAttention):\n    pass",
    ],
    "by its name as a text": [
        "f = getattr(F, 'scaled_dot_product_attention')\ndef attention(*all): return f(*all)",
    ],
    "under a magic": ["%%time\ndef attention(q, k, v):\n"
                      "    return F.scaled_dot_product_attention(q, k, v)"],
    "behind a timer": ["%time attention = F.scaled_dot_product_attention"],
    "put into a module": [
        "math.f = F.scaled_dot_product_attention", "def attention(*all): return math.f(*all)",
    ],
    "set in a module": [
        "setattr(math, 'f', F.scaled_dot_product_attention)",
        "def attention(*all): return math.f(*all)",
    ],
    "indented": [
        "  f = F.scaled_dot_product_attention\n  def attention(*all): return f(*all)",
    ],
    "behind prompts": [
        ">>> def attention(*all):\n...     return F.scaled_dot_product_attention(*all)",
    ],
    "behind so much that nobody reads it": ["0\n" * 20_001, "def attention(*all): return 0"],
    "behind so many letters that nobody reads them": [
        "# " + "a" * 1_000_000, "def attention(*all): return F.scaled_dot_product_attention(*all)",
    ],
    "in a cell with a magic that cannot be read": [
        "%%script bash\n(((\n", "%prun (\nattention = F.scaled_dot_product_attention",
    ],
    "looked up among a module's names": [
        "f = torch.nn.functional.__dict__['scaled_dot_product_attention']",
        "def attention(*all): return f(*all)",
    ],
    "looked up by a name in a list": [
        "for name in ['scaled_dot_product_attention']:\n    f = getattr(torch.nn.functional, name)",
        "def attention(*all): return f(*all)",
    ],
    "below a line that IPython completes": [
        ",print hello\nfrom torch.nn.functional import scaled_dot_product_attention as f",
        ";print hello\n/print hello\ndef attention(*all): return f(*all)",
    ],
    "in a file that a magic writes": [
        "%%writefile made.py\nfrom torch.nn.functional import scaled_dot_product_attention as f",
        "from made import f\ndef attention(*all): return f(*all)",
    ],
    "behind a method of that name, and a module by another name": [
        "class Notes:\n    def scaled_dot_product_attention(self): return self",
        "lib = torch.nn.functional",
        "def attention(*all): return lib.scaled_dot_product_attention(*all)",
    ],
    "named global": [
        "def prepare():\n    global f\n    f = F.scaled_dot_product_attention",
        "def attention(*all): return f(*all)",
    ],
}  # fmt: skip

# What a reader cannot read, whatever it may use; and what lies beside the notebook, or was made by
# it, and is no code that can be read.
HIDDEN = {
    "in a text that is run": ["exec('f = F.scaled_dot_product_attention')", "attention = f"],
    "behind a magic by another name": [
        "%alias_magic t time\n%t f = F.scaled_dot_product_attention", "attention = f",
    ],
    "in a cipher": [
        "text = bytes(c ^ 1 for c in bytes.fromhex('6c')).decode()", "exec(text)", "attention = f",
    ],
    "in a cipher that is compiled": [
        "exec(compile(text[::-1], 'cell', 'exec'))", "attention = f",
    ],
    "in a cipher, by another way to it": ["import builtins\nbuiltins.exec(text)", "attention = f"],
    "in a cipher, by IPython": ["get_ipython().run_cell(text)", "attention = f"],
    "in a cipher, by IPython in short": ["get_ipython().ex(text)", "attention = f"],
    "in a cipher, by a console": [
        "import code\ncode.InteractiveInterpreter(names).runsource(text, symbol='exec')",
        "attention = f",
    ],
    "in a module whose name is computed": [
        "f = __import__('hc' 'rot'[::-1] + end)\ndef attention(*all): return f.f(*all)",
    ],
    "in a module of a list that is not all written out": [
        "for n in ['json', end]: f = __import__(n)\ndef attention(*all): return f.f(*all)",
    ],
    "in a module by a name that does not stay what the list says": [
        "for n in ['json']:\n    n = n[::-1]\n    f = __import__(n)\n"
        "def attention(*all): return f.f(*all)",
    ],
    "in a module that is compiled": ["from answer.more import attention"],
    "in a text that is run from a file": ["%run -i ./answer.txt", "attention = f"],
    "in a text, by the library": [
        "import runpy\nattention = runpy.run_path('answer.txt')['attention']",
    ],
    "in a module that is loaded": [
        "import importlib, pathlib\npathlib.Path(name).write_text(text)\n"
        "attention = importlib.import_module('made').attention",
    ],
    "in a module that a shell writes": [
        "!echo $text > made.py", "from made import attention",
    ],
    "in a module that is put together": [
        "import sys, types\nsys.modules[name] = types.ModuleType(name)",
        "from made import attention",
    ],
    "in an archive": ["import sys\nsys.path.append('a.zip')", "from a_helper import attention"],
    "in a text, handed on": ["f = list(map(exec, texts))", "attention = f"],
    "in a text, by a method handed on": [
        "run = get_ipython().run_cell\nf = run(text)", "attention = f",
    ],
    "in what was stored": ["import pickle\nattention = pickle.loads(letters)"],
    "in what was stored, by another name": [
        "from pickle import load\ndef attention(q): return load(open('a', 'rb'))(q)",
    ],
    "in weights": ["def attention(q): return torch.load('a', weights_only=False)(q)"],
    "in an array": ["def attention(q): return np.load('a.npy', allow_pickle=True).item()(q)"],
    "on a shelf": ["import shelve\ndef attention(q): return shelve.open('a')['f'](q)"],
    "in an array, by its format": [
        "def attention(q): return np.lib.format.read_array(q, allow_pickle=True).item()(q)",
    ],
    "in a cell that nobody can parse": [
        "f = F.scaled_dot_product_attention\nx = 1 " + "+ 1" * 4_000, "attention = f",
    ],
}  # fmt: skip

# Ways of which only a person can tell whether the answer uses what they name.
UNSURE = {
    "looked up among a module's names", "looked up by a name in a list",
    "put into a module", "set in a module",
    "behind so much that nobody reads it", "behind so many letters that nobody reads them",
}  # fmt: skip

INNOCENT = {
    "a comparison beside the answer": [
        "def attention(query, key, value):\n    expected = query @ key.mT\n    return expected",
        "query = torch.randn(3, 5)\n"
        "expected = F.scaled_dot_product_attention(query, query, query)\n"
        "assert torch.allclose(attention(query, query, query), expected)",
    ],
    "texts that are run and can be read": [
        "exec('size = 3')\nexec(compile('width = 5', 'cell', 'exec'))\ntop = eval('size + 1')",
        "def attention(q, k, v): return q",
    ],
    "what only sounds like running a text": [
        "model.eval()\npattern = re.compile(letters)\nfast = torch.compile(model)",
        "def attention(q, k, v): return q",
        "def compare():\n    theirs = torch.nn.MultiheadAttention(8, 2).eval()\ncompare()",
        "def speed(): return torch.compile(F.scaled_dot_product_attention)",
        "def look():\n    if 'q' in globals(): return F.scaled_dot_product_attention(q, q, q)",
    ],
    "packages that are not here": [
        "try:\n    import google.colab\n    here = True\nexcept ImportError:\n    here = False\n"
        "if here:\n    from google.colab import drive\n    drive.mount('/content/drive')",
        "def picture(weights):\n    import no_such_seaborn\n    no_such_seaborn.heatmap(weights)",
        "!pip install -q no_such_pandas\n%pip install einops",
        "try:\n    import no_such_pandas as pd\n    print(pd.DataFrame(rows))\n"
        "except ImportError:\n    print('none')",
        "def attention(q, k, v): return q",
    ],
    "what Colab's notebooks begin with": [
        "import sys\nIN_COLAB = 'google.colab' in sys.modules\nif IN_COLAB:\n"
        "    from google.colab import drive\n    drive.mount('/content/drive')\n"
        "    sys.path.append('/content/drive/MyDrive/course')",
        "def attention(q, k, v): return q",
    ],
    "packages that are not here, and files that are no code": [
        "!python -m pip install -q no_such_pandas",
        "with open('results.txt', 'w') as file: file.write(text)",
        "%%bash\nls\necho done",
        "%%writefile notes.txt\nnothing",
        "def table(rows):\n    import no_such_pandas as pd\n"
        "    return pd.DataFrame(rows).rename(columns={'a': 'b'})",
        "def attention(q, k, v): return q",
    ],
    "an option of a module, set beside a comparison": [
        "import torch\ndef compare():\n    torch.backends.cuda.matmul.allow_tf32 = False\n"
        "    return F.scaled_dot_product_attention(q, q, q)",
        "def attention(q, k, v): return torch.softmax(q @ k.mT, -1) @ v",
    ],
    "a comparison under a magic": [
        "%timeit -n 2 -r 1 F.scaled_dot_product_attention(q, k, v)",
        "%%timeit -n 2\nF.scaled_dot_product_attention(q, k, v)",
        "t = %timeit -o F.scaled_dot_product_attention(q, k, v)",
        "def fast():\n    %time F.scaled_dot_product_attention(q, k, v)",
        "%prun -s cumulative F.scaled_dot_product_attention(q, k, v)",
        "F.scaled_dot_product_attention?",
        "?F.scaled_dot_product_attention",
        "def attention(q, k, v): return q",
    ],
    "what was copied from a console, and from a text": [
        ">>> F.scaled_dot_product_attention(q, k, v)\ntensor([[..",
        "We compare with F.scaled_dot_product_attention. Does it agree?",
        "def attention(q, k, v): return q",
    ],
    "variables of one's own of that name": [
        "def attention(q, scaled_dot_product_attention):\n"
        "    MultiheadAttention = q / q.sum()\n"
        "    return [scaled_dot_product_attention for MultiheadAttention in q]",
    ],
    "a variable at the top": [
        "MultiheadAttention = 3\ndef attention(q): return MultiheadAttention"
    ],
    "a comment and a docstring": [
        "def attention(q, k, v):\n"
        "    'Not scaled_dot_product_attention, but the same in my own words.'\n"
        "    return q  # scaled_dot_product_attention",
    ],
    "a function of one's own of that name": [
        "def scaled_dot_product_attention(q, k, v): return q @ k.mT @ v",
        "def attention(q, k, v): return scaled_dot_product_attention(q, k, v)",
    ],
    "another answer": [
        "def attention(q, k, v): return q",
        "def reference(q, k, v): return F.scaled_dot_product_attention(q, k, v)",
    ],
    "no Python at all": ["def attention(:", "scaled_dot_product_attention ?!"],
    "what Python cannot parse or write down again": [
        "x = " + "-" * 150_000 + "1",
        "x = a" + ".b" * 80_000,
        "x = f" + "()" * 90_000,
        "x = 0x" + "f" * 9_000,
        "x = 1\x00",
        "(" * 150_000,
        "if 1: pass\n" + "elif 1: pass\n" * 15_000,
    ],
    "modules that are there": [
        "import statistics, math as m\nfrom . import x\n"
        "def attention(q): return m.pi, statistics.mean(q)",
    ],
    "modules whose versions are told": [
        "import importlib\nfor n in ['numpy', 'torch', 'seaborn']:\n"
        "    print(n, importlib.import_module(n).__version__)\ndef attention(q, k, v): return q",
        "print([__import__(n).__version__ for n in ('numpy', 'torch')])",
    ],
    "what takes long to read": [
        "a?\n" * 4_500,
        "\n" * 190_000 + "x = 1",
        "\n".join(f"x{i + 1} = x{i}" for i in range(4_500)),
    ],
    "magics": ["%matplotlib inline\n!ls\ndef attention(q, k, v): return q"],
}


@pytest.mark.parametrize("way", GUILTY)
def test_a_forbidden_name_is_found_on_every_path_from_an_answer(way):
    message = StudentCode(enumerate(GUILTY[way], start=3)).against(["attention"], FORBIDS).why
    told = ("your answer uses ", " names ", "too long to be checked")
    assert any(words in message for words in told)
    assert any(name in message for name in FORBIDS) or "nobody reads" in way


BESIDE = {"helper.py": "import torch\nattend = torch.nn.functional.scaled_dot_product_attention\n"}


@pytest.mark.parametrize(
    "cell",
    [
        "from helper import attend as attention",
        "import helper\ndef attention(*all): return helper.attend(*all)",
        "from helper import *\ndef attention(*all): return attend(*all)",
        "for n in ['json', 'helper']: h = __import__(n)\ndef attention(*q): return h.attend(*q)",
    ],
)
def test_a_module_beside_the_notebook_counts_where_it_is_imported(cell):
    message = StudentCode([(3, cell)], BESIDE).against(["attention"], FORBIDS).why
    assert "scaled_dot_product_attention (helper.py)" in message


def runs_alone(cells, files=None):
    """What runs where the answer is asked alone."""
    needed = StudentCode(cells, files).needed_by(["attention"], FORBIDS)
    return "\n".join([*needed.cells.values(), *needed.files.values()])


@pytest.mark.parametrize("way", HIDDEN)
def test_what_nobody_can_read_does_not_run_where_the_answer_is_asked(way):
    alone = runs_alone(enumerate(HIDDEN[way], start=3))
    # What uses the hidden part may run, and fails there.
    deciphers = "text = bytes((c ^ 1 for c in bytes.fromhex('6c'))).decode()"
    assert alone in ("", "attention = f", "f = run(text)\nattention = f", deciphers)


@pytest.mark.parametrize("way", GUILTY)
def test_what_is_forbidden_does_not_run_where_the_answer_is_asked(way):
    alone = runs_alone(enumerate(GUILTY[way], start=3))
    assert not any(f".{name}" in alone or f"import {name}" in alone for name in FORBIDS)


@pytest.mark.parametrize("path", ["helper.py", "helper.ipynb"])
@pytest.mark.parametrize("cell", ["%run {}", "import runpy\nrunpy.run_path('{}')"])
def test_a_file_beside_the_notebook_is_not_run_but_imported(cell, path, tmp_path):
    source = BESIDE["helper.py"]
    if path.endswith(".ipynb"):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        source = nbformat.writes(notebook)
    (tmp_path / path).write_text(source)
    code = student_code(
        Reader(),
        (Rebuilt("code", f"{cell.format(path)}\ndef attention(*all): return attend(*all)"),),
        tmp_path,
    )
    needed = code.needed_by(["attention"], FORBIDS)
    assert "scaled" not in "".join(needed.files.values())
    assert [*needed.cells.values()] == ["def attention(*all):\n    return attend(*all)"]


@pytest.mark.parametrize("way", GUILTY)
def test_what_cannot_be_told_from_the_code_is_left_to_a_person(way):
    code = StudentCode(enumerate(GUILTY[way], start=3))
    objection = code.against(["attention"], FORBIDS)
    assert objection
    assert objection.sure == (way not in UNSURE)


@pytest.mark.parametrize(
    "cell",
    [
        "import sys\nsys.path.append('parts')\nfrom helper import attend as attention",
        "import sys\nsys.path.insert(0, 'parts')\nimport helper\nattention = helper.attend",
    ],
)
def test_a_module_in_a_folder_counts_where_python_is_told_to_look_there(cell):
    beside = {"parts/helper.py": BESIDE["helper.py"]}
    objection = StudentCode([(3, cell)], beside).against(["attention"], FORBIDS)
    assert "scaled_dot_product_attention (parts/helper.py)" in objection.why
    assert objection.sure


@pytest.mark.parametrize("depth", [500, 1_000, 2_000])
def test_a_cell_that_is_nested_too_deeply_to_be_read_counts_all_the_same(depth):
    # Where the student's own cell has raised Python's limit, it runs.
    deep = "attention = F.scaled_dot_product_attention\nx = 1 " + "+ 1" * depth
    message = StudentCode([(3, deep)]).against(["attention"], FORBIDS).why
    assert "cell 3" in message
    assert "scaled_dot_product_attention" in message


@pytest.mark.parametrize("encoding", ["utf-7", "unicode_escape", "utf-8", "latin-1", "none"])
def test_a_module_is_read_in_the_encoding_in_which_python_reads_it(encoding, tmp_path):
    a = {"utf-7": "+AGE-", "unicode_escape": "\\x61"}.get(encoding, "a")
    source = BESIDE["helper.py"].replace("scaled", f"sc{a}led")
    (tmp_path / "helper.py").write_text(f"# coding: {encoding}\n{source}")
    cells = (Rebuilt("code", "from helper import attend as attention"),)
    message = student_code(Reader(), cells, tmp_path).against(["attention"], FORBIDS).why
    assert "scaled_dot_product_attention (helper.py)" in message


@pytest.mark.parametrize("more", ["", "eval(text)\n", "get_ipython().run_cell_magic('a', 'b')\n"])
def test_a_module_that_no_answer_needs_may_compare_and_run_texts(more):
    cells = [(3, "def attention(q, k, v): return q"), (4, "import helper\nhelper.attend")]
    beside = {"helper.py": more + BESIDE["helper.py"]}
    assert StudentCode(cells, beside).against(["attention"], FORBIDS).why == ""
    assert runs_alone(cells, beside) == "def attention(q, k, v):\n    return q\n"


HELPERS = """import torch
import torch.nn.functional as F
def core(q, k): return (q @ k.mT).softmax(-1)
def attend(q, k, v): return core(q, k) @ v
def compare(q, k, v): return F.scaled_dot_product_attention(q, k, v)
if __name__ == "__main__":
    attend = F.scaled_dot_product_attention
"""
IMPORTED = {
    "a name": "from helpers import attend\ndef attention(*all): return attend(*all)",
    "several names": "from helpers import attend, compare\ndef attention(*a): return attend(*a)",
    "another name": "from helpers import attend as a\ndef attention(*all): return a(*all)",
    "a star": "from helpers import *\ndef attention(*all): return attend(*all)",
    "a file": "import helpers\ndef attention(*all): return helpers.attend(*all)",
    "a file by another name": "import helpers as h\ndef attention(*all): return h.attend(*all)",
    "a file by a name for it": "import helpers\n"
                               "def attention(*all): return getattr(helpers, 'attend')(*all)",
}  # fmt: skip


@pytest.mark.parametrize("way", IMPORTED)
def test_of_a_file_that_is_imported_only_what_is_used_counts(way):
    path = "helpers.py"
    cells = [(3, IMPORTED[way]), (4, "import helpers\nprint(helpers.compare(q, q, q))")]
    assert StudentCode(cells, {path: HELPERS}).against(["attention"], FORBIDS).why == ""
    used = [(3, IMPORTED[way].replace("attend", "compare"))]
    objection = StudentCode(used, {path: HELPERS}).against(["attention"], FORBIDS)
    assert f"scaled_dot_product_attention ({path})" in objection.why
    assert objection.sure


def test_what_runs_only_where_a_file_runs_by_itself_counts_where_it_does():
    run = "%run helpers.py\ndef attention(*all): return attend(*all)"
    assert StudentCode([(3, run)], {"helpers.py": HELPERS}).against(["attention"], FORBIDS)
    kept = HELPERS.replace("attend = F", "kept = F") + "else:\n    attend = kept = compare\n"
    objection = StudentCode([(3, IMPORTED["a name"])], {"helpers.py": kept})
    assert objection.against(["attention"], FORBIDS).sure
    assert objection.against(["attention"], FORBIDS)


def test_what_makes_names_in_a_file_is_shown_to_a_person():
    made = {"helpers.py": HELPERS + "def __getattr__(name): return compare"}
    assert StudentCode([(3, IMPORTED["a name"])], made).against(["attention"], FORBIDS)
    run = {"helpers.py": HELPERS + "exec(text)"}
    assert "exec" not in runs_alone([(3, IMPORTED["a name"])], run)


@pytest.mark.parametrize("way", INNOCENT)
def test_a_forbidden_name_that_no_answer_depends_on_is_allowed(way):
    code = StudentCode(enumerate(INNOCENT[way], start=3))
    assert code.against(["attention"], FORBIDS).why == ""


def test_cells_that_take_long_to_read_are_read():
    cells = ["%a"] * 1_500, ["a = %b"] * 1_500, ["a?"] * 1_500
    code = StudentCode(enumerate(map("\n".join, cells), start=3))
    assert code.against(["attention"], FORBIDS).why == ""


BY_HAND = ("backward", "torch.func", "grad_and_value")
GRADIENTS = {
    "fields of one's own": (
        "@dataclass\nclass Layer:\n    forward: object\n    backward: object\n"
        "class Norm:\n    def __init__(self, f): self.grad_and_value = f\n"
        "def gradient(x):\n    layer = Layer(f, g)\n"
        "    return layer.backward(x) + Norm(f).grad_and_value(x)",
        False,
    ),
    "a loss goes backward": ("def gradient(x): (x**2).sum().backward(); return x.grad", True),
    "behind a method of that name": (
        "class Norm:\n    def backward(self, up): return up\n"
        "def gradient(x):\n    (x**2).sum().backward()\n    return x.grad",
        True,
    ),
    "behind a method of that name, and told": (
        "class Norm:\n    def backward(self, up): return up\n"
        "def gradient(x):\n    (x**2).sum().backward()\n    return '{0.grad}'.format(x)",
        True,
    ),
    "torch.func": ("def gradient(x): return torch.func.grad(lambda y: (y**2).sum())(x)", True),
    "imported from it": ("from torch.func import grad as g\ndef gradient(x): return g(f)(x)", True),
    "imported whole": ("from torch import func\ndef gradient(x): return func.grad(f)(x)", True),
    "by another name": (
        "import torch as t\ndef gradient(x): return t.func.grad(f)(x)",
        True,
    ),
    "a method of one's own, beside a comparison": (
        "class Norm:\n    def backward(self, up): return 2 * up\n"
        "def gradient(x): return Norm().backward(x)\n"
        "w = torch.randn(3, requires_grad=True)\n(w * w).sum().backward()\nprint(w.grad)",
        False,
    ),
    "a variable of one's own": (
        "def gradient(x):\n    backward = x * x\n    return backward",
        False,
    ),
    "a method of one's own": (
        "class Norm:\n    def backward(self, up): return 2 * up\n"
        "def gradient(x): return Norm().backward(x)",
        False,
    ),
    "a name of one's own": ("def gradient(func, grad): return func(grad)", False),
}


@pytest.mark.parametrize("way", GRADIENTS)
def test_a_call_is_forbidden_and_not_a_name(way):
    source, guilty = GRADIENTS[way]
    message = StudentCode([(3, source)]).against(["gradient"], BY_HAND).why
    assert bool(message) == guilty, message


@pytest.mark.parametrize("number", ["1j", "(2 + 1e-40j)", "complex(0, 1)"])
def test_a_complex_number_is_found_without_its_name(number):
    code = StudentCode([(3, f"def gradient(x): return f(x + {number})")])
    assert "your answer uses complex (cell 3)" in code.against(["gradient"], ["complex"]).why


@pytest.mark.parametrize(
    "cell",
    [
        "%matplotlib inline\n!ls\nfiles = !ls\nx = %time f(x)\nprint(x)",
        "def f():\n    %time x = 1\n    return x\nf??\n?f.x",
        ",print hello\n;print a b\n/print f\nx = ',print'",
        "%time \\\n  print(1)\ntext = '''\n%time no magic\n'''\nx = (5\n%2)",
        "%%timeit -n 2\n%time x = 1",
        "  x = 1\n  %time y = 2\n\n",
        ">>> x = 1\n... \n>>> y?",
        "for a in b:\n    a?\n    !echo {a}\n%a\n%b",
    ],
)
def test_a_cell_is_rewritten_as_ipython_does(cell):
    assert rewritten(cell) == inputtransformer2.TransformerManager().transform_cell(cell)


@pytest.mark.parametrize("read", ["leaf.grad", "getattr(leaf, 'grad')", "rule.step()"])
def test_an_own_method_called_backward_makes_pytorchs_no_own_one(read):
    cell = (
        "class Own:\n    def backward(self): return 1\n"
        "def answer(z):\n    leaf = torch.nn.Parameter(z)\n"
        "    rule = torch.optim.SGD([leaf], 1.0)\n    Own()\n"
        f"    (leaf * leaf).sum().backward()\n    return {read}"
    )
    assert StudentCode([(1, cell)]).against(["answer"], ["backward"]).why


def test_what_ipython_cannot_read_is_no_python_and_ends_nothing():
    for half in ('x = %"""', "x = %\\"):
        assert parsed(half) == []
        assert StudentCode([(1, half), (2, "y = 1")]).steps
    # Some Pythons read the magic, and none its text.
    assert "x" not in StudentCode([(1, "%time x = %\\")]).own


def test_no_long_line_and_no_cell_of_magics_alone_is_looked_through(monkeypatch):
    looked = []
    find = inputtransformer2.HelpEnd.find
    monkeypatch.setattr(
        inputtransformer2.HelpEnd, "find", lambda given: looked.append(given) or find(given)
    )
    assert parsed(f"{'a' * 30_000} -?\n!ls") == []
    assert max(len(token.line) for lines in looked for line in lines for token in line) < 100
    assert parsed("!ls\n" * 10_000) == []
    assert len(parsed("!ls\n" * 100)) == 100


@pytest.mark.parametrize("name", ["unittest.__main__.x.py", "venv.__main__.py", "lib2to3/main.py"])
def test_to_read_a_name_imports_nothing(name):
    before = {*sys.modules}
    StudentCode([(1, f"%%writefile {name}\nx = 1"), (2, f"%run {name}")], {name: "x = 1"})
    assert {*sys.modules} == before


def test_a_forbidden_beginning_stands_for_all_that_begin_so():
    cell = (3, "def attention(*all): return torch._scaled_dot_product_attention_math(*all)")
    message = StudentCode([cell]).against(["attention"], ["_scaled_dot_product_*"]).why
    assert "uses _scaled_dot_product_attention_math (cell 3)" in message
    other = StudentCode([cell]).against(["attention"], ["_scaled_dot", "math"])
    assert not other.sure
    assert "forbids" in other.why


def test_the_message_names_the_cell():
    code = StudentCode([(4, "x = 1"), (7, GUILTY["called"][0])])
    assert "(cell 7)" in code.against(["attention"], FORBIDS).why
    assert code.against(["attention"], []).why == code.against(["other"], FORBIDS).why == ""


def test_only_the_tests_that_depend_on_it_earn_nothing(tmp_path):
    cells = bank.cells("import torch\n" + GUILTY["assigned"][0])
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment")
    assignment = Assignment.load(folder)
    assert assignment.forbids == ("scaled_dot_product_attention",)
    result = grade(assignment, bank.write_submission(tmp_path / "student", cells))
    assert [cell.earned for cell in result.cells] == [0.0, 0.0, 3.0, None]
    assert "uses scaled_dot_product_attention (cell 3)" in result.cells[0].tests[0].message


def test_of_definitions_of_a_name_the_last_one_counts_for_sure():
    attempt = "def attention(q, k, v):\n    return F.scaled_dot_product_attention(q, k, v)"
    written = "def attention(q, k, v):\n    return (q @ k.mT).softmax(-1) @ v"
    early = StudentCode([(3, attempt), (4, written)]).against(["attention"], FORBIDS)
    late = StudentCode([(3, written), (4, attempt)]).against(["attention"], FORBIDS)
    kept = StudentCode([(3, attempt), (4, "f = attention"), (5, written)])
    assigned = "attention = lambda *all: F.scaled_dot_product_attention(*all)"
    short = StudentCode([(3, assigned), (4, written)]).against(["attention"], FORBIDS)
    assert short
    assert not short.sure
    assert early
    assert not early.sure
    assert late
    assert late.sure
    assert kept.against(["attention"], FORBIDS)


def test_a_file_that_no_answer_imports_may_have_an_answers_name():
    beside = {"attention.py": "def f(*all):\n    return F.scaled_dot_product_attention(*all)\n"}
    cells = [(3, "def attention(q, k, v):\n    return (q @ k.mT).softmax(-1) @ v")]
    assert not StudentCode(cells, beside).against(["attention"], FORBIDS)
    imported = [(2, "import attention as a"), (3, "def attention(*all): return a.f(*all)")]
    objection = StudentCode(imported, beside).against(["attention"], FORBIDS)
    assert objection
    assert objection.sure


@pytest.mark.parametrize(
    ("cell", "beside"),
    [
        ("import helpers\ndef attention(*all): return helpers.core(*all)", True),
        ("class Tools:\n    from torch.nn.functional import scaled_dot_product_attention as core\n"
         "def attention(*all): return Tools.core(*all)", False),
        ("from torch.nn.functional import scaled_dot_product_attention as core\n"
         "import __main__\ndef attention(*all): return __main__.core(*all)", False),
        ("from torch.nn.functional import scaled_dot_product_attention as core\n"
         "def attention(*all): return attention.__globals__['core'](*all)", False),
    ],
)  # fmt: skip
def test_what_is_imported_is_used_as_an_attribute_and_by_a_text_too(cell, beside):
    source = "from torch.nn.functional import scaled_dot_product_attention as core"
    code = StudentCode([(3, cell)], {"helpers.py": source} if beside else {})
    assert code.against(["attention"], FORBIDS)


def test_all_places_that_leave_a_doubt_are_named():
    cells = ["a = eval(input())", "b = vars(a)", "def attention(q): return a(b, locals())"]
    objection = StudentCode(enumerate(cells, start=3)).against(["attention"], FORBIDS)
    assert objection.why.startswith("cell 3 uses eval, which this check does not know")
    assert objection.why.endswith("The same goes for cell 4, cell 5")


@pytest.mark.parametrize("assignment", ["attention_and_masks", "multi_head"])
@pytest.mark.parametrize(
    "ready",
    [
        "from softlookup.layers.attention import attention as ready",
        "from softlookup.layers.grouped_query import attention as ready",
        "from softlookup.course.exercises.self_attention import attention as ready",
        "import softlookup.alternatives.blockwise_attention as b\nready = b.blockwise_attention",
        "from softlookup.layers import blocks\nready = blocks.multi_head",
        "from softlookup import layers\nready = getattr(layers, 'attention').attention",
        "class Own:\n    def attention(self): pass\ndef ready(*all):\n"
        "    import softlookup.layers as lib\n    if not all: lib = 3\n"
        "    return lib.attention.attention(*all)",
        "ready = torch.nn.functional.multi_head_attention_forward",
        "ready = torch.nn.Transformer(8, 1, 1, 0).encoder.layers[0].self_attn",
    ],
)
def test_what_is_ready_made_is_forbidden_where_attention_is_asked_for(assignment, ready):
    template = json.loads((source.find(assignment) / f"{assignment}.ipynb").read_text("utf-8"))
    code = StudentCode([(3, f"{ready}\ndef attend(*all): return ready(*all)")])
    objection = code.against(["attend"], template["metadata"]["softlookup"]["forbids"])
    assert objection
    assert objection.sure


def test_a_notebook_beside_the_notebook_is_no_module_of_that_name():
    cells = [(3, "import torch\ndef attention(q, k, v): return torch.softmax(q @ k.mT, -1) @ v")]
    notes = {"torch.ipynb": "import torch\ntorch.nn.MultiheadAttention(8, 2)"}
    assert not StudentCode(cells, notes).against(["attention"], FORBIDS)


@pytest.mark.parametrize("cell", ["print('MultiheadAttention')", "log.info('MultiheadAttention')"])
def test_a_forbidden_name_in_a_text_that_is_only_words_is_left_to_a_person(cell):
    source = f"def attention(q, k, v):\n    {cell}\n    return q"
    assert not StudentCode([(3, source)]).against(["attention"], FORBIDS).sure


@pytest.mark.parametrize("number", ["np.sqrt(x.numpy())", "x.tolist()", "np.longdouble(3)"])
def test_where_complex_numbers_are_forbidden_numbers_that_nobody_watches_are_shown(number):
    code = StudentCode([(3, f"import numpy as np\ndef gradient(x): return {number}")])
    assert "may be complex or longer" in code.against(["gradient"], ["complex"]).why
    assert "may be complex or longer" not in code.against(["gradient"], ["vjp"]).why


# Each grows with a number, and would take its square to read, were every part compared with all.
GROWING = {
    "loops over texts": lambda n: "".join(f"for a{i} in ['x']: pass\n" for i in range(n)),
    "comprehensions": lambda n: "x = [" + ", ".join(f"[0 for a{i} in y]" for i in range(n)) + "]\n",
    "modules by other names": lambda n: "".join(f"a{i} = torch\n" for i in range(n)),
    "names": lambda n: "".join(f"a{i} = b{i} = c{i}\n" for i in range(n)),
    "attributes that are set": lambda n: "".join(f"y.a{i} = b{i}\n" for i in range(n)),
    "names with gaps": lambda n: "".join(f'getattr(y, f"abc{i}{{a}}")\n' for i in range(n)),
    "long attributes": lambda n: "".join(f"y{i}{'.T' * 50}\n" for i in range(n // 10)),
    "calls in calls": lambda n: "".join(f"y.a{'(y.a' * 20}{')' * 20}\n" for _ in range(n // 10)),
    "a chain": lambda n: "".join(f"a{i} = [a{i + 1}]\n" for i in range(n)),
    "a chain of what is put": lambda n: "".join(
        f"a{i} = []\na{i}.append(a{i + 1})\n" for i in range(n)
    ),
    "functions that call the next": lambda n: "".join(
        f"def a{i}(x): return a{i + 1}(x)\n" for i in range(n)
    ),
    "one name again and again": lambda n: "a0 = [a0]\n" * n,
    "loops in one comprehension": lambda n: (
        "x = [0 " + " ".join(f"for a{i} in ['x']" for i in range(n)) + "]\n"
    ),
    "names with gaps that are set": lambda n: (
        "".join(f'y.register_buffer(f"abc{i}{{a}}", 0)\n' for i in range(n))
        + "".join(f"y.z{i}\n" for i in range(n))
    ),
    "doubts that follow from doubts": lambda n: "".join(
        f"class K{i}:\n    z{i} = 1\na{i} = a{i - 1}.z{i - 1}\n" for i in range(1, n)
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", GROWING)
def test_what_is_twice_as_long_takes_about_twice_the_work_to_read(kind):
    """Work is counted in calls, so that no clock decides."""

    def calls(number):
        counted = 0

        def count(frame, event, argument):
            nonlocal counted
            counted += event in ("call", "c_call")

        cells = [(1, f"import torch\n{GROWING[kind](number)}def attention(q): return a0\n")]
        sys.setprofile(count)
        try:
            code = StudentCode(cells, given=["import torch"])
            code.needed_by(["attention"], FORBIDS)
            code.against(["attention"], FORBIDS)
        finally:
            sys.setprofile(None)
        assert not code.too_long
        return counted

    calls(10)  # what is looked up once
    assert calls(240) < 2.3 * calls(120)


@pytest.mark.parametrize(
    "cell",
    [
        "x.run_line_magic('run')",
        "from jaxtyping import Float\nsize: Float[()]",
        "from jaxtyping import Float\nsize: Float[3]",
        "getattr()\nsetattr()\ntype()\nsuper(1)\nisinstance()\nregister_buffer()",
        "from \U0001d422\U0001d41f import *",
        "import_module()\nrun_path()\nspec_from_file_location()",
    ],
)
def test_no_cell_ends_the_reading_of_the_others(cell):
    beside = {"if.py": "x = 3"}
    code = StudentCode([(1, cell), (2, "def attention(q): return q, x")], beside, ["import math"])
    code.against(["attention"], FORBIDS)
    assert "cell 2" in code.needed_by(["attention"], FORBIDS).cells


def test_a_notebook_of_more_than_a_person_writes_is_left_to_a_person():
    code = StudentCode([(1, "x = [" + "1, " * 60_000 + "]\ndef attention(q): return q")])
    found = code.against(["attention"], FORBIDS)
    assert "too long to be checked" in found.why
    assert not found.sure
    assert not code.needed_by(["attention"], FORBIDS).cells


def test_doubts_that_go_on_and_on_leave_nothing_that_runs():
    """Each is only known to be one when the one before it is left out."""

    def kept(number):
        first = "class K0:\n    z0 = exec\n"
        chain = "".join(f"class K{i}:\n    z{i} = K{i - 1}().z{i - 1}\n" for i in range(1, number))
        cells = [(1, f"{first}{chain}"), (2, f"def attention(q): return K{number - 1}(), q")]
        return StudentCode(cells).needed_by(["attention"], FORBIDS).cells

    assert [*kept(3)] == ["cell 2"]
    assert not kept(40)


# What takes the square of a length, or longer, in the hands of IPython or of Python itself.
def test_no_magic_is_looked_for_in_a_statement_that_is_too_long(monkeypatch):
    looked_at = []
    find = inputtransformer2.HelpEnd.find

    def finds(lines):
        looked_at.extend(token.string for token in lines[0] if "aaa" in token.string)
        return find(lines)

    monkeypatch.setattr(inputtransformer2.HelpEnd, "find", finds)
    name, most = "a" * 900, cell_sources.LONGEST_MAGIC
    for cell, is_looked_at in (
        (f"(\n{name})?\n", True),
        (f"(\n{'a' * most})?\n", False),
        ("(\n" + f"{name} +\n" * 2 + f"{name})?\n", False),
        # Of two statements each is as long as it is.
        (f"x = [\n{name},\n{name}]\n%time z = 3\n", True),
    ):
        looked_at.clear()
        cell_sources.rewritten(cell)
        assert bool(looked_at) == is_looked_at, cell[:20]


def test_what_is_longer_than_any_cell_is_not_read():
    longest = "x = 1  #".ljust(cell_sources.LONGEST_CELL, "#")
    assert cell_sources.parsed(longest)
    assert not cell_sources.parsed(f"{longest}#")
    found = StudentCode([(1, "def attention(q): return q")], {"helper.py": longest + "#"})
    assert found.needed_by(["attention"], FORBIDS).cells


def test_a_value_is_gone_through_once_for_all_that_it_is_put_into(monkeypatch):
    gone_through, names = [], flows._names
    monkeypatch.setattr(flows, "_names", lambda tree: gone_through.append(tree) or names(tree))
    targets = " = ".join(f"o.a{number}" for number in range(50))
    tree = ast.parse(f"{targets} = [one, two]").body[0]
    found = [*flows.flows(tree, {"o", "one", "two"}, set(), {}, {}, set())]
    assert len(found) == 50
    assert len(gone_through) <= 2
