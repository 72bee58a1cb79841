"""What an answer has from where nobody can read it is shown to a person, and does not run."""

import ast

import pytest
from softlookup.course.student_code.source_checks import StudentCode

FORBIDS = ("scaled_dot_product_attention", "MultiheadAttention")
GIVEN = ("import math\nimport torch\nimport torch.nn.functional as F", "def rule(x): return x")
ATTEND = "def attend(q, k, v): return READY(q, k, v)"
TOOL = {"tool.py": "import torch\nf = torch.nn.functional.scaled_dot_product_attention\n"}

UNBOUND = {
    "set in builtins": "import builtins\nbuiltins.READY = f",
    "set in the main module": "import sys\nsys.modules['__main__'].READY = f",
    "by a key of the shell's": "get_ipython().push({'READY': f})",
    "by a test of the library": "import doctest\ndoctest.testfile('notes.txt')",
    "by the place of modules": "import site\nsite.addsitedir('.')",
}
LEADS_OUT = {
    "loaded": "READY = torch.jit.load('a.pt')",
    "exported": "READY = torch.export.load('a.pt2').module()",
    "from a hub": "READY = torch.hub.load('.', 'ready', source='local')",
    "traced": "from torch.jit import trace as t\nREADY = t(lambda *a: a[0], (1, 2, 3))",
    "traced by another": "import torch.fx.experimental.proxy_tensor as p\nREADY = p.make_fx(f)",
    "written as a graph": "READY = torch._C._create_function_from_graph('f', torch._C.parse_ir(g))",
    "behind the watch": "import sys\ndef READY(*a):\n    sys.setprofile(None)\n    return a",
    "past the modes": "def READY(*a):\n    with torch._C.DisableTorchFunction():\n        return a",
    "in a thread": "import threading\ndef READY(*a): threading.Thread(target=f).start()",
    "in a pool": "from concurrent.futures import ThreadPoolExecutor as P\npool = P(1)\n"
                 "def READY(*a): return pool.submit(f).result()",
    "by a library in C": "import ctypes\ndef READY(*a): return ctypes.pythonapi.f(a)",
    "among all objects": "import gc\ndef READY(*a): return gc.get_objects()[7]",
    "in another thread": "READY = lambda *a: loop.run_in_executor(None, f, *a)",
    "in a thread that is awaited": "import asyncio\nasync def READY(*a): asyncio.to_thread(f, *a)",
    "by many": "import joblib\nREADY = lambda *a: joblib.Parallel(2)(joblib.delayed(f)(a))",
    "by a text that is compiled": "import codeop\nREADY = codeop.compile_command(a, symbol='eval')",
    "by hints": "import typing\nREADY = typing.get_type_hints(f)['a']",
    "among all classes": "READY = torch.nn.Module.__subclasses__()[3]",
    "by a name of the student's": "class Own:\n    def make_fx(self): pass\nparts = [torch.fx]\n"
                                  "READY = parts[0].make_fx",
    "up the stack": "import inspect\ndef READY(*a): return inspect.currentframe().f_back",
}  # fmt: skip
PUT_TOGETHER = {
    "joined": "name = '_'.join(['a', 'b'])\nREADY = getattr(F, name)",
    "added": "READY = getattr(torch, 'soft' + 'max')",
    "by an alias": "import torch.utils as rules\nREADY = getattr(rules, f'{a}b')",
    "by another name": "lib = torch.nn\nother = lib.functional\nREADY = getattr(other, word[1:])",
    "among all names": "READY = vars(F)['a' + b]",
    "in a dictionary": "READY = F.__dict__[name]",
    "by an operator": "import operator\nREADY = operator.attrgetter(name)(F)",
    "handed on": "import functools\nREADY = functools.reduce(getattr, words, torch)",
    "by a function": "def pick(space, name): return getattr(space, name)\nREADY = pick(F, name)",
    "by a method": "class Of:\n    def __init__(self, of): self.of = of\n"
    "    def part(self, name): return getattr(self.of, name)\nREADY = Of(F).part(n)",
    "in what is not told": "READY = getattr(space, 'a' + 'b')",
    "by what is built in": "from builtins import getattr as look\nREADY = look(F, name)",
    "by an attribute": "import builtins\nlook = builtins.getattr\nREADY = look(F, name)",
    "by a type": "import types\nREADY = types.ModuleType.__getattribute__(F, name)",
    "statically": "import inspect\nREADY = inspect.getattr_static(F, name)",
    "by a format": "import string\nREADY = string.Formatter().get_field(name, (F,), {})[0]",
}
EXCHANGED = {
    "the profile": "import sys\nsys.setprofile = lambda f: None",
    "what is built in": "import builtins as b\nb.sum = f",
    "by its name": "import builtins\nsetattr(builtins, 'sum', f)",
    "what threads do": "import threading\nthreading.setprofile = f",
    "a module of the kernel": "import sys\nfor n, m in sys.modules.items():\n    m.watch = None",
    "a module by its number": "import sys\nlist(sys.modules.values())[3].watch = None",
    "a name of the main module": "import sys\nm = sys.modules['__main__']\nm.READY = f",
    "what was compiled": "torch.ops.load_library('a.so')",
}
READY_MADE = "def ready(*a): return F.scaled_dot_product_attention(*a)\n"
PUT_THERE = {
    "appended": ["tools = []\ntools.append(ready)", "tools[0](*a)"],
    "a module's part": ["net = torch.nn.Module()\nnet.add_module('f', ready)", "net.f(*a)"],
    "a hook": ["net.register_forward_hook(lambda m, g, out: ready(*g))", "net(a)"],
    "updated": ["ways = {}\nways.update(first=ready)", "ways['first'](*a)"],
    "through its dictionary": ["way.__dict__.update(go=ready)", "way.go(*a)"],
    "a context's variable": ["way.set(ready)", "way.get()(*a)"],
    "sent to a generator": ["line = station()\nline.send(ready)", "next(line)(*a)"],
    "by a function": ["def fill(into): into.append(ready)\ntools = []\nfill(tools)",
                      "tools[0](*a)"],
    "by a function for another": ["def put(f): tools.append(f)\ndef all(f): put(f)\nall(ready)",
                                  "tools[0](*a)"],
    "by a function that binds": ["def make(f):\n    global chosen\n    chosen = f\nmake(ready)",
                                 "chosen(*a)"],
    "by a decorator": ["WAYS = {}\ndef kept(f):\n    WAYS[f.__name__] = f\n    return f\n@kept\n"
                       + READY_MADE, "WAYS['ready'](*a)"],
    "by a method as a decorator": ["@functools.singledispatch\ndef way(*a): return a\n"
                                   "@way.register(torch.Tensor)\ndef _(*a): return ready(*a)",
                                   "way(*a)"],
    "by a class that is told": ["class Way:\n    known = []\n"
                                "    def __init_subclass__(cls): Way.known.append(cls)\n"
                                "class Soft(Way):\n    f = ready", "Way.known[0].f(*a)"],
    "by another name": ["steps = []\nsame = steps\nsame += [ready]", "steps[0](*a)"],
    "by a method that is kept": ["add = tools.append\nadd(ready)", "tools[0](*a)"],
    "by a method that is handed on": ["list(map(tools.append, [ready]))", "tools[0](*a)"],
    "by a type": ["type.__setattr__(Steps, 'run', ready)", "Steps.run(*a)"],
    "by a type's method": ["list.append(tools, ready)", "tools[0](*a)"],
}  # fmt: skip
PUT_INTO_A_MODULE = {
    "in a place of a library's": ["import logging\nlogging.root.filters.append(ready)",
                                  "logging.root.filters[0](*a)"],
    "in PyTorch, by a test's tool": [
        "from unittest import mock\nmock.patch.object(torch, 'lerp', ready).start()",
        "torch.lerp(*a)"],
    "in PyTorch, as an operation": [
        "@torch.library.custom_op('my::f', mutates_args=())\ndef f(a): return ready(a)",
        "torch.ops.my.f(*a)"],
}  # fmt: skip
COMPARED = {
    "results": ["results = []\nresults.append(ready(x, x, x))\nprint(results)"],
    "losses in an answer": ["losses = []\ndef READY(*a):\n    losses.append(1)\n    return a",
                            "losses.append(ready(x, x, x))"],
    "a memory": ["KEPT = {}\ndef READY(n, *a):\n    if n not in KEPT:\n        KEPT[n] = 3\n"
                 "    return KEPT[n]", "print(READY(x) - ready(x, x, x), READY(x).sub(ready(x)))"],
    "a registry": ["WAYS = {}\ndef kept(name):\n    def register(f):\n        WAYS[name] = f\n"
                   "        return f\n    return register\n@kept('torch')\n" + READY_MADE
                   + "@kept('own')\ndef READY(*a): return a\nfor f in WAYS.values(): print(f(x))"],
    "weights": ["net = torch.nn.Linear(3, 3)\nnet.load_state_dict(torch.nn.MultiheadAttention(3, 1)"
                ".state_dict())\noptimizer.step()\nnet.eval()"],
    "a check": ["def same(f, g): return torch.allclose(f(x, x, x), g(x, x, x))\n"
                "same(READY, F.scaled_dot_product_attention)\n"
                "READY(x, x, x).allclose(ready(x, x, x))\n"
                "torch.testing.assert_close(READY(x), ready(x))"],
    "tests": ["import unittest\nclass Test(unittest.TestCase):\n    def test(self):\n"
              "        self.assertEqual(READY(x), ready(x, x, x))"],
    "a figure": ["import matplotlib.pyplot as plt\nplt.plot(ready(x, x, x))\nax.set_title('a')"],
    "a benchmark": ["import timeit\ntimes = {}\ntimes.setdefault('torch', []).append("
                    "timeit.timeit(lambda: ready(x, x, x)))"],
}  # fmt: skip
OF_IPYTHON = {
    "its lines": "get_ipython().input_transformers_post.append(change)",
    "its trees": "get_ipython().ast_transformers.append(Change())",
    "what it does afterwards": "get_ipython().events.register('post_run_cell', change)",
    "its names": "get_ipython().user_ns['READY'] = f",
    "its module": "get_ipython().user_module.READY = f",
    "a text": "x = get_ipython().ev('rea' + 'dy')",
    "by another name": "ip = get_ipython()\nip.push(names)",
    "by an imported name": "from IPython import get_ipython as g\ng().push(names)",
}
HONEST = {
    "a name that another cell binds": [
        "SCALE = 3\nimport numpy as np", "def READY(*a): return np.ones(SCALE)",
    ],
    "a name that the assignment binds": ["def READY(*a): return rule(math.pi) + F.relu(a[0])"],
    "a name that a loop, a file or a match binds": [
        "for i in range(3): pass\nwith torch.no_grad() as file: pass",
        "def READY(*a): return i, file, (y := 3)",
    ],
    "a name that is global": ["def make():\n    global READY\n    READY = sum\nmake()"],
    "a name in an annotation": [
        "from __future__ import annotations",
        "size: Size = 3\ndef READY(*a: Tensor, **b: Any) -> Tensor: return size",
    ],
    "names of classes": [
        "class Own(torch.nn.Module):\n    width = 3\n    twice = width * 2\n"
        "    def forward(self, x): return super().forward(x), __class__.__name__\nREADY = Own()",
    ],
    "a name of a star": ["from math import *", "def READY(*a): return sqrt(tau)"],
    "a module that is asked for": [
        "import sys\nif 'google.colab' in sys.modules: pass\nsys.modules.pop('helper', None)\n"
        "len(sys.modules)\nsys.path.append('parts')",
        "def READY(*a): return a",
    ],
    "a trace that is compared": [
        "fast = torch.jit.trace(attend, (x, x, x))", "def READY(*a): return a",
    ],
    "names that are written out": [
        "acts = [getattr(torch, name) for name in ('relu', 'tanh')]",
        "class Own:\n    def get(self, i): return getattr(self, f'layer_{i}')",
        "def READY(*a): return acts, Own(), getattr(torch, 'softmax')",
    ],
    "magics": ["%matplotlib inline\n%load_ext autoreload\n%timeit -n 1 f(3)", "%%time\nx = 1",
               "def READY(*a): return a"],
}  # fmt: skip
# What may be honest, and is shown to a person, since the code does not tell.
SHOWN = {
    "a thread": ["import threading\nthreading.Thread(target=print).start()"],
    "a pool": ["from concurrent.futures import ThreadPoolExecutor",
               "with ThreadPoolExecutor(2) as pool: print(*pool.map(abs, [3]))"],
    "all objects": ["import gc\nprint(len(gc.get_objects()))"],
    "a module that is taken": ["import sys\nprint(sys.modules.get('torch'))"],
    "a module's names": ["relu = vars(F)['relu']"],
    "names of one's own objects": [
        "def get(of, path):\n    for part in path.split('.'):\n        of = getattr(of, part)\n"
        "    return of"
    ],
    "what was shown": ["kept = Out[3]"],
    "a part of a module by a text": ["n = __import__('numpy.linalg')"],
    "a magic of one's own": ["%mine"],
}  # fmt: skip


def code_of(cells, beside=None):
    return StudentCode(enumerate([*cells, ATTEND], start=3), beside, GIVEN)


def against(cells, beside=None):
    return code_of(cells, beside).against(["attend"], FORBIDS)


def runs_alone(cells, beside=None):
    """The statements that run where the answer is asked alone."""
    needed = code_of(cells, beside).needed_by(["attend"], FORBIDS)
    return "\n".join(needed.cells.values()).splitlines()


def written_again(*cells):
    return [line for cell in cells for line in ast.unparse(ast.parse(cell)).splitlines()]


@pytest.mark.parametrize("way", UNBOUND)
def test_a_name_that_no_cell_binds_leaves_a_doubt(way):
    objection = against([UNBOUND[way]])
    assert not objection.sure
    assert "uses READY, which no cell defines" in objection.why
    assert runs_alone([UNBOUND[way]]) == written_again(ATTEND)


@pytest.mark.parametrize("way", [*LEADS_OUT, *PUT_TOGETHER])
def test_what_nobody_can_read_leaves_a_doubt_and_does_not_run(way):
    cell = (LEADS_OUT | PUT_TOGETHER)[way]
    objection = against([cell])
    assert "which this check does not know" in objection.why
    assert not objection.sure
    assert not {*written_again(cell)} <= {*runs_alone([cell])}


@pytest.mark.parametrize("way", [*EXCHANGED, *OF_IPYTHON, *SHOWN])
def test_what_no_answer_needs_does_not_run_for_it_whatever_it_exchanges(way):
    cells = (EXCHANGED | OF_IPYTHON | SHOWN)[way]
    cells = [cells] if isinstance(cells, str) else cells
    assert against(["def READY(*a): return a", *cells]).why == ""
    alone = runs_alone(["def READY(*a): return a", *cells])
    assert alone == written_again("def READY(*a): return a", ATTEND)


@pytest.mark.parametrize("way", PUT_THERE)
def test_what_a_call_puts_into_an_object_leaves_a_doubt_where_the_object_is_read(way):
    put, taken = PUT_THERE[way]
    reads = f"def READY(*a): return {taken}"
    objection = against([READY_MADE, put, reads])
    assert "names scaled_dot_product_attention" in objection.why
    assert not objection.sure
    assert not any("scaled" in line for line in runs_alone([READY_MADE, put, reads]))
    assert against([READY_MADE, put, "def READY(*a): return a"]).why == ""


@pytest.mark.parametrize("way", PUT_INTO_A_MODULE)
def test_what_is_put_into_a_module_is_not_there_where_the_answer_is_asked(way):
    put, taken = PUT_INTO_A_MODULE[way]
    reads = f"def READY(*a): return {taken}"
    assert runs_alone([READY_MADE, put, reads])[-2:] == written_again(ATTEND)
    assert not any("scaled" in line for line in runs_alone([READY_MADE, put, reads]))


@pytest.mark.parametrize("way", COMPARED)
def test_to_keep_what_is_compared_leaves_no_doubt(way):
    ready = (
        []
        if "READY(" in COMPARED[way][0] and "def READY" in COMPARED[way][0]
        else ["def READY(*a): return a"]
    )
    assert against([READY_MADE, *ready, *COMPARED[way]]).why == ""


def test_a_name_that_a_pattern_takes_of_a_module_is_used():
    cell = (
        "import types\nmatch F:\n    case types.ModuleType(scaled_dot_product_attention=READY): 3"
    )
    objection = against([cell])
    assert "your answer uses scaled_dot_product_attention" in objection.why
    assert objection.sure


@pytest.mark.parametrize("way", HONEST)
def test_what_is_honest_leaves_no_doubt(way):
    assert against(HONEST[way]).why == ""


@pytest.mark.parametrize(
    "cell",
    [
        "import pydoc\nREADY = pydoc.locate('tool.f')",
        "import timeit\nREADY = timeit.timeit('import tool', number=1)",
        "import pkgutil\nREADY = pkgutil.resolve_name('tool:f')",
        "import unittest\nREADY = unittest.defaultTestLoader.discover('.', pattern='tool*.py')",
    ],
)
def test_a_text_that_names_a_file_of_code_counts_as_running_it(cell):
    objection = against([cell], TOOL)
    assert "The same goes for tool.py" in objection.why
    assert not objection.sure
    assert runs_alone([cell], TOOL)[-2:] == written_again(ATTEND)


def test_where_the_assignments_cells_are_not_known_no_name_is_missing():
    assert not StudentCode([(3, ATTEND)]).against(["attend"], FORBIDS)
