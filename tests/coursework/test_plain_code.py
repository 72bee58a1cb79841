"""What answers need is written in plain words, or a person looks; what they do not need never runs.

The words are closed: none leads to a module that is not known, or to what runs or finds code.
"""

import ast
import builtins
import importlib
import pkgutil
import textwrap
import types

import numpy as np
import pytest
import torch
from softlookup.course.student_code import plain_words
from softlookup.course.student_code.cell_sources import parsed
from softlookup.course.student_code.plain_book import shape_of
from softlookup.course.student_code.source_checks import StudentCode
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking.checks import Rendered

GIVEN = [
    "import math\nfrom pathlib import Path\nimport torch\nimport torch.nn.functional as F",
    "from softlookup.course.exercises.coursework import gradients\nfrom torch import nn",
]
FORBIDS = ["scaled_dot_product_attention", "autograd", "torch.func"]
ANSWER = "def attend(q, k, v):\n    return ((q @ k.mT) / math.sqrt(q.size(-1))).softmax(-1) @ v"
USES = "def attend(q, k, v):\n    return tools[0](q, k, v)"
# What finds, runs or makes code, or shows the insides of what does.
NEVER = {
    *("eval", "exec", "compile", "__import__", "globals", "locals", "vars", "breakpoint"),
    *("__globals__", "__code__", "__closure__", "__self__", "__func__", "__dict__", "__builtins__"),
    *("__subclasses__", "__bases__", "__mro__", "__base__", "__defaults__", "__wrapped__"),
    *("__reduce__", "__reduce_ex__", "__setstate__", "__getattribute__", "__torch_function__"),
    *("gi_frame", "cr_frame", "tb_frame", "f_globals", "f_locals", "f_builtins", "f_back"),
    *("grad_fn", "next_functions", "apply_", "map_", "ctypes", "tofile", "fromfile", "memmap"),
    *("register", "mro", "__class_getitem__", "_C", "_VF", "ops", "jit", "fx", "func", "library"),
}


def code_of(*cells, files=None):
    return StudentCode(enumerate(cells, start=1), files, GIVEN)


def doubt(*cells, files=None, answer="attend"):
    """What is said of an answer, if a person has to look."""
    found = code_of(*cells, files=files).against([answer], FORBIDS)
    assert not (found and found.sure)
    return found.why


def runs_alone(*cells, files=None):
    """What runs where the answer is asked alone, of cells and of files."""
    needed = code_of(*cells, files=files).needed_by(["attend"], FORBIDS)
    return [*needed.cells.values()], {path: text for path, text in needed.files.items() if text}


def in_an_answer(cell):
    """Cells of which the answer needs one."""
    used = "def used():\n" + textwrap.indent(cell, "    ")
    return "x = torch.ones(2, 3)", used, ANSWER.replace("\n", "\n    used()\n", 1)


# What an answer may need, as far as it is Python.
PLAIN = [
    "match x:\n    case 1 | 2: print(1)\n    case None: print(2)\n    case _: print(3)",
    "import logging\nlog = logging.getLogger('x')\nlog.debug('done')",
    "import warnings\nwarnings.warn('odd')",
    "print('__', '_' * 3, '__main__' == __name__)",
    "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.register_buffer('mask', torch.ones(2))\n"
    "        for head in range(2): self.add_module(f'head_{head}', nn.Linear(2, 2))",
    "from types import SimpleNamespace\nsizes = SimpleNamespace(width=3)\nprint(sizes.width)",
    "from contextlib import contextmanager\n@contextmanager\ndef f(): yield\nwith f(): pass",
    "class Own:\n    def f(self, kind): return getattr(self, f'{kind}_projection')\n"
    "    def g(self, kind): setattr(self, f'{kind}_projection', 3)\nOwn().g('a')",
    "class Own:\n    @torch.no_grad()\n    def _kept(self): return 3\n"
    "    def f(self): return self._kept()\nOwn().f()",
    "try: x.sum()\nexcept ValueError as error: raise TypeError(f'no: {error}') from error",
    "class Own:\n    @classmethod\n    def make(cls): return cls()\nOwn.make()",
    "class Own:\n    def f(self): return 3\nclass More(Own):\n"
    "    def f(self): return Own.f(self) + super(More, self).f()\nMore().f()",
    "y = x.abs().log1p_().clamp_min_(0.1)\ny.index_put_((y > 1,), y.new_zeros(()))\n"
    "y.masked_scatter_(y.isnan().bitwise_not(), x).float_power(2)",
    "print(type(x).__name__, type(x) is int, isinstance(x, int))",
    "print(isinstance(x, (torch.Tensor, type(None))))",
    "import numpy as np\nrng = np.random.default_rng(0)\nrng.standard_normal(3)",
    "class Own:\n    def __init__(self):\n        self.heads = 3\nprint(Own().heads)",
    "layers = nn.ModuleList([nn.Linear(2, 2)])\nprint(layers[0].weight.shape)",
    "layers = nn.ModuleList([nn.Linear(2, 2)])\nlayers[0].weight.data = x\n"
    "layers[0].weight.requires_grad = False",
    "class Own: pass\none = Own()\none.value = 3\none.size = 4\nprint(one.value, one.size)",
    "def near(a): return a\nnear.calls = 0\nprint(near.calls)",
    "import numpy as np\ndef f(a: np.ndarray) -> np.ndarray: return a\n"
    "print(isinstance(x, np.ndarray))",
    "for kind in ('weight', 'bias'):\n    print(getattr(nn.Linear(2, 2), kind))",
    "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        for n in range(3):\n            setattr(self, f'head_{n}', nn.Linear(2, 2))\n"
    "print(Own().head_1, getattr(Own(), f'head_{2}'))",
    "lib = F\nlib.softmax(x, -1)",
    "from collections import namedtuple\nPair = namedtuple('Pair', 'left right')\n"
    "print(Pair(1, 2).left)",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass Size:\n"
    "    heads: int = 2\n    rest: list = field(default_factory=list)\nprint(Size(3).heads)",
    "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self._kept = None\n    def forward(self, x):\n        return self._kept or x",
    "for name in ['weight', 'bias']:\n    print(name, getattr(nn.Linear(2, 2), name))",
    "print('{0.dtype} {1:.2f} {2:>{3}}'.format(x, 3, 4, 5))\nline = '{:>8}'\nprint(line.format(3))",
    "def walk(tree): yield from tree\nprint([*walk([1, 2])])",
    "from enum import Enum\nclass Kind(Enum):\n    LEFT = 1\nprint(isinstance(3, Enum))",
    "from typing import NewType, TypeVar\nT = TypeVar('T', bound=torch.Tensor)\n"
    "Heads = NewType('Heads', int)\ndef f(x: T, heads: Heads) -> T: return x",
    "print(torch.isneginf(x))",
    "from jaxtyping import Float\ndef f(x: Float[torch.Tensor, 'n d']): return x",
]
# Several names for a module, one after another, and a class's own names beside the notebook's.
PLAIN += [
    "first = torch\nsecond = first\nprint(second.ones(2).sum())",
    "def _halved(a): return a / 2\n_MOST = 3\nclass Own:\n    _kept = _MOST\n"
    "    _half = staticmethod(_halved)\n    def f(self): return self._half(self._kept)\n"
    "print(Own().f())",
]
# What stands beside answers in honest notebooks: it times, draws, logs, compares and tests.
BESIDE = [
    "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nplt.show()",
    "%matplotlib inline\n%timeit -n 3 attend(x, x, x)\n!pip install --quiet einops",
    "import seaborn_not_installed as sns\nsns.anything(attend).at_all()",
    "from google_not_installed.colab import drive\ndrive.mount('/content')",
    "print((attend(x, x, x) - F.scaled_dot_product_attention(x, x, x)).abs().max())",
    "torch.autograd.gradcheck(attend, (x, x, x))",
    "import unittest\nclass Tests(unittest.TestCase):\n    def test_it(self):\n"
    "        self.assertEqual(1, 1)",
    "import logging\nlogging.getLogger('x').info('done')",
    "open('results.txt', 'w').write('3')\nopen('/etc/hostname').read()",
    "np_there = 'np' in globals()",
    "import sys\nprint(sys.version, 'torch' in sys.modules)",
    "f = torch.compile(attend)\nf(x, x, x)",
    "for x in tqdm_of_mine([1]):\n    print(f'{x:.2f}', type(x).__name__, type(x) is int)",
    "torch.backends.cudnn.deterministic = True",
    "import matplotlib.pyplot as plt\nplt.rcParams['font.size'] = 12\n"
    "plt.rcParams.update({'figure.dpi': 100})\nplt.style.use('ggplot')",
    "import timeit\nprint(timeit.timeit(lambda: attend(x, x, x), number=3))",
    "import unittest\nunittest.main(argv=[''], exit=False)",
    "%config InlineBackend.figure_format = 'retina'\n!pip list | grep torch",
    "import csv\nwith open('a.csv', 'w') as file:\n    csv.writer(file).writerow([1])",
    "from torch.utils.data import DataLoader\nDataLoader([1], batch_size=2, num_workers=1)",
    *PLAIN,
]


@pytest.mark.parametrize("cell", PLAIN)
def test_what_honest_answers_are_written_with_is_plain(cell):
    assert not doubt(*in_an_answer(cell))
    assert "used():" in "".join(runs_alone(*in_an_answer(cell))[0])


@pytest.mark.parametrize("cell", BESIDE)
def test_what_no_answer_needs_leaves_no_doubt_and_does_not_run(cell):
    assert not doubt("x = torch.ones(2, 3)", ANSWER, cell)
    assert runs_alone("x = torch.ones(2, 3)", ANSWER, cell) == (
        [ast.unparse(ast.parse(ANSWER))],
        {},
    )


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        ("import joblib\njoblib.Parallel(2)(tasks)", "joblib.Parallel"),
        # By these names Python and libraries ask any object for what it is, or for memory.
        ("from types import SimpleNamespace\nSimpleNamespace(__array_interface__=x)", "__array_i"),
        ("f(**{'__array_interface__': x})", "the text __array_interface__"),
        (
            "from types import SimpleNamespace\nSimpleNamespace(**{text: x})",
            "SimpleNamespace of what is spread out",
        ),
        (
            "from types import SimpleNamespace as Box\nBox(a=3)",
            "SimpleNamespace under another name",
        ),
        ("nn.Module().add_module(text, x)", "add_module by a name that is computed"),
        ("nn.Module().register_buffer(*[text, x])", "register_buffer of what is spread out"),
        ("nn.Module().add_module('__array_interface__', x)", "the text __array_interface__"),
        ("class Both(dict, nn.Module): pass", "dict as a base"),
        ("nn.ParameterDict({text: x})", "torch.nn.ParameterDict"),
        ("import unittest.mock as m\nm.patch.object(torch, 'exp', f).start()", "unittest.mock"),
        ("torch.utils.cpp_extension.load_inline('a', 'b')", "torch.utils"),
        ("torch.ops.aten.exp(x)", "torch.ops"),
        ("import pickle\npickle.loads(b'')", "pickle.loads"),
        ("from pickle import loads as read\nread(b'')", "pickle.loads"),
        ("import timeit\ntimeit.timeit('f()')", "timeit.timeit"),
        ("tools = []\ntools.append(globals()['rea' + 'dy'])", "globals"),
        ("tools = [torch]\ntools[0].anything", "anything"),
        (
            "def pick(space, name):\n    return getattr(space, name)\npick(F, 'sca' + 'led')",
            "getattr",
        ),
        ("f = map(getattr, [x], ['a'])", "getattr as a value"),
        ("class Own:\n    def fx(self): pass\n(torch if x else F).real", "a module as a value"),
        ("class Own:\n    def __globals__(self): pass", "__globals__"),
        ("class Own:\n    grad_fn = None\nx.grad_fn(x)", "grad_fn"),
        ("type('Own', (nn.Module,), {})", "type, to make a class"),
        ("match x:\n    case object(anything=f): pass", "a pattern"),
        ("open('/proc/self/mem', 'r+b')", "open"),
        ("open(name, mode='wb')", "open"),
        ("get_ipython().events.trigger('x')", "trigger"),
        # A name that stands for two modules, or for a module that is missing and for one's own.
        ("import pickle as np\nnp.load('a')", "load"),
        ("import pickle as m\nm.load('a')\nm = math", "load"),
        (
            "class Own:\n    import torch as shelf\nclass Box:\n    shelf = 3\nOwn.shelf",
            "an import in a class",
        ),
        ("m = math\nimport pickle\nm = pickle\nm.exp(1)", "exp"),
        (
            "try:\n    import missing as m\nexcept ImportError:\n    m = attend\nm.__code__",
            "__code__",
        ),
        ("table.eval('@f(1)')", "eval of a text"),
        ("f = table.eval\nf('@f(1)')", "eval"),
        ("y = __builtins__", "__builtins__"),
        ("def f(vars): pass\nvars(x)", "vars"),
        # A name of the student's own makes nothing plain that may be a module, or run code.
        (
            "class Own:\n    sys = 0\nimport warnings\nkeep = warnings.catch_warnings()\nkeep.sys",
            "warnings.catch_warnings",
        ),
        ("class Own:\n    ctypes = 0\nx.numpy().ctypes", "ctypes"),
        ("class Own:\n    _evaluate = 0\nkind._evaluate(x)", "_evaluate"),
        ("class Own:\n    lib = torch\nOwn.lib", "lib"),
        ("class Log:\n    def print(self, a): return a\nLog().print(torch)", "print"),
        ("def hasattr(a, b): return a\nhasattr(torch, 'x')", "hasattr"),
        ("match torch:\n    case lib: pass", "a module as a value"),
        ("lib = globals()['torch']", "globals"),
        ("exec('lib = torch')", "exec"),
        ("exec('F = tools')", "exec"),
        ("from helpers import torch as tools", "a module as a value"),
        ("import matplotlib.pyplot as plt\nplt.matplotlib", "matplotlib.pyplot"),
        ("import matplotlib\nmatplotlib.text", "matplotlib.text"),
        # What writes code of texts, or looks things up by them.
        ("class Own: pass\nOwn.__annotations__ = {text: int}", "__annotations__"),
        ("class Own:\n    __annotations__ = {text: int}", "__annotations__"),
        ("setattr(x, '__annotations__', {x: int})", "__annotations__"),
        ("setattr(x, str(x), 3)", "setattr by a name that is computed"),
        ("from functools import wraps\nwraps(f, assigned=(text,))(g)", "wraps of names"),
        ("import numpy as np\nnp.load('a.npy', None, True)", "numpy.load"),
        ("torch.load('a.pt', weights_only=not True)", "torch.load"),
        ("torch.load('a.pt', **options)", "torch.load"),
        ("class Odd:\n    __torch_function__ = f", "__torch_function__"),
        ("class Kind(type): pass", "type as a base"),
        ("kind = type(x)\nkind('Odd', (), {})", "a class as a value"),
        ("x.__class__('Odd', (), {})", "a class as a value"),
        ("class Kind(type(x)): pass", "what is computed as a base"),
        ("from enum import Enum\nEnum('Odd', {'a': 1})", "Enum, to make a class"),
        ("from dataclasses import dataclass\ndataclass(x)", "dataclass, as a function"),
        ("from dataclasses import dataclass\nmake = dataclass", "dataclass as a value"),
        ("from dataclasses import fields\nfields(x)[0].name = 'a'", "dataclasses.fields"),
        ("class Own:\n    class __dataclass_fields__: pass", "__dataclass_fields__"),
        ("class Own:\n    import math as __annotations__", "an import in a class"),
        ("exec('import pickle as F')", "exec"),
        ("x = __import__('torch.nn')", "__import__"),
        ("class Own:\n    def fx(self): pass\n__import__('torch').real", "__import__"),
        ("getattr(F, f'sca{x}')", "getattr by a name"),
        ("open('m.py', 'w').write('x = 1')\nimport m", "m,"),
        ("kept = Out[3]", "Out"),
        ("print(breakpoint)", "breakpoint"),
        ("attend.__globals__", "__globals__"),
        ("f'{attend.__code__}'", "__code__"),
        ("import helpers\nhelpers.torch", "torch"),
        # What is looked at where it is called stands there alone, by its own name, written out.
        ("from functools import wraps as keep\nkeep(f)(g)", "wraps under another name"),
        ("from functools import wraps\nfor keep in [wraps]: keep(f)", "wraps as a value"),
        ("from functools import partial, wraps\npartial(wraps, assigned=x)", "wraps as a value"),
        ("from functools import wraps\nwraps(*[f, (x,), ()])", "wraps of what is spread out"),
        ("kind = type\nkind('Odd', (), {})", "type as a value"),
        ("type.__new__(type, 'Odd', (), {})", "__new__"),
        ("class Kind(*[type]): pass", "a class that is told how to be made"),
        ("class Odd(metaclass=f): pass", "a class that is told how to be made"),
        ("import numpy as np\nfetch = np.load", "numpy.load"),
        ("import numpy as np\nnp.load(*['a.npy', None, True])", "numpy.load"),
        ("import timeit\nrun = timeit.timeit", "timeit.timeit"),
        ("from timeit import timeit\ntimeit(str(x))", "timeit.timeit"),
        ("import timeit\ntimeit.timeit(stmt=x)", "timeit.timeit"),
        ("from importlib import import_module as fetch", "importlib.import_module"),
        ("import importlib\n[*map(importlib.import_module, x)]", "importlib.import_module"),
        ("import importlib\nimportlib.import_module(name='a' + 'b')", "importlib.import_module"),
        ("make = open", "open"),
        ("open(*['steps.py', 'w'])", "open"),
        ("open('a.txt', **{'mode': 'w'})", "open"),
        ("open(file='/proc/self/mem', mode='r+b')", "open"),
        ("move = p.rename", "rename"),
        ("getattr(*[x, 'a' + 'b'])", "getattr of what is spread out"),
        ("getattr(torch, 'load')", "torch.load"),
        ("leave = exit\nleave.shell", "exit"),
        # What is imported is left as it is, under whatever name.
        ("import torch as t\nt.from_numpy = f", "torch.from_numpy, to set it"),
        ("from torch.nn import Linear\nLinear.forward = f", "forward, to set it"),
        ("for torch.exp in [f]: pass", "torch.exp, to set it"),
        (
            "from torch.nn import Linear\nsetattr(Linear, 'forward', f)",
            "setattr of what is imported",
        ),
        ("setattr(x, '__match_args__', ('a' + 'b',))", "__match_args__"),
        ("class Own:\n    __match_args__ = (x,)", "__match_args__"),
        # What is not installed here is something else, if anything else has its name.
        (
            "try:\n    import missing as m\nexcept ImportError:\n"
            "    from torch.nn.functional import softmax as m\nm.__builtins__",
            "__builtins__",
        ),
        ("import missing as m\nm.__builtins__", "__builtins__"),
        ("import missing as m\nglobals()['m'] = f", "missing"),
        ("import missing\nglobals()['print'] = f\nprint(torch)", "missing"),
        ("import sys\nsys.path.append(x)\nimport parameter", "sys.path"),
        ("import logging\nlogging.basicConfig(filename='m.py')\nimport m", "logging.basicConfig"),
        # IPython puts values in the place of braces.
        # A loop over texts says what its variable is within the loop alone.
        ("def look(x, name): return getattr(x, name)\nfor name in ['p']: pass", "getattr"),
        ("def look(x, name):\n    a = getattr(x, name)\n    for name in ['p']: pass", "getattr"),
        ("def look(x, name):\n    a = getattr(x, name)\n    [0 for name in ['p']]", "getattr"),
        # Whatever is called `self` is a method's own object.
        ("class Own:\n    _evaluate = 0\nself = x\nself._evaluate(y)", "_evaluate"),
        ("class Own:\n    _m = _f = 0\n    def g(self): return self._m._f(x)", "_f,"),
        ("self = getattr(torch, 'utils')\nself.data._utils", "torch.utils"),
        # What evaluates a text, or imports what it names.
        (
            "from jaxtyping import Float\nisinstance(x, Float[torch.Tensor, code])",
            "Float of axes that are computed",
        ),
        ("from jaxtyping import Float\nf(Float)", "Float as a value"),
        ("import matplotlib.pyplot as plt\nplt.rcParams['backend'] = x", "matplotlib.pyplot"),
        ("import matplotlib.pyplot as plt\nplt.rcParams.update({x: y})", "matplotlib.pyplot"),
        ("import matplotlib.pyplot as plt\noptions = plt.rcParams", "matplotlib.pyplot"),
        ("import matplotlib.pyplot as plt\nplt.savefig('a', backend=x)", "matplotlib.pyplot"),
        ("import matplotlib\nmatplotlib.use(x)", "matplotlib.use"),
        ("import matplotlib.pyplot as plt\nplt.rc(x, y=1)", "matplotlib.pyplot"),
        ("import matplotlib.pyplot as plt\nplt.savefig('a', **x)", "matplotlib.pyplot"),
        (
            "class Own:\n    def put(self, x): setattr(self, f'a{x}', 3)\nOwn().a" + "b" * 70,
            "a" + "b" * 70,
        ),
        ("import helpers\nx._secret(1)", "_secret"),
        # What is read must be what runs: names that Python, IPython or the assignment has.
        ("__name__ = 'builtins.x'", "__name__"),
        ("from . import exec as run", "an import from where the notebook lies"),
        ("def unused(__builtins__): pass", "__builtins__"),
        ("get_ipython = f\nget_ipython()", "get_ipython"),
        # A method takes its own object, and of what classes may be made is known.
        (
            "class Words:\n    _evaluate = 0\n    def worth(self): return self._evaluate\n"
            "Words.worth(x)",
            "worth without its own object",
        ),
        ("class Own:\n    def f(self): pass\nkept = Own\nkept.f(x)", "a class as a value"),
        ("class Own:\n    def f(self): pass\n    g = f", "a method without its own object"),
        (
            "class Outer:\n    class Inner:\n        def f(self): pass\nOuter.Inner.f(x)",
            "f without its own object",
        ),
        (
            "class Outer:\n    class Inner:\n        def f(self): pass\nkind = Outer.Inner",
            "a class as a value",
        ),
        ("import helpers\nhelpers.Kind.lend(x)", "lend without its own object"),
        ("import helpers\nkept = [helpers.Kind]", "a class as a value"),
        ("from helpers import Kind as Other\nOther.lend(x)", "Kind under another name"),
        (
            "class Own: pass\ndef put(Own): setattr(Own(), 'sum', 3)\nput(torch.Tensor)",
            "setattr of sum",
        ),
        (
            "class Own: pass\ndef put(Own):\n    one = Own()\n    one.sum = 3\nput(torch.Tensor)",
            "sum, to set it",
        ),
        ("class Own:\n    def f(self): setattr(self, 'close', x)", "close"),
        ("class Own:\n    def f(self): setattr(self, 'throw', x)", "throw"),
        ("class Own:\n    def f(self): setattr(self, f'{x}rad', 3)", "setattr by a name"),
        ("class Own:\n    def f(self): setattr(self, f'{x}ackward_hooks', 3)", "setattr by"),
        (
            "class Last:\n    close = used\ndef later(): yield from Last()",
            "a generator that has",
        ),
        (
            "from types import SimpleNamespace\nlast = SimpleNamespace(close=used)\n"
            "def later(): yield from last",
            "a generator that has",
        ),
        (
            "class Own:\n    def f(self): pass\nisinstance(x, (Kind := Own))\nKind.f(x)",
            "a class as a value",
        ),
        ("class Own:\n    def f(self): pass\ndef g(x: (Kind := Own)): pass", "a class as a"),
        # A text may take attributes of what is put into it.
        ("'{0.grad_fn}'.format(x)", "grad_fn"),
        ("'{0[0].grad_fn}'.format(x)", "grad_fn"),
        ("'{:{0.grad_fn}}'.format(x)", "grad_fn"),
        ("says = '{0.grad_fn}'\nsays.format(x)", "grad_fn"),
        ("('{0.gr' + 'ad_fn}').format(x)", "format of a text that is computed"),
        ("str.format('{0.grad_fn}', x)", "format of a text that is computed"),
        # What tells of a module is asked for without being called.
        ("def __name__(): return 1", "__name__"),
        ("def __str__(): return 1", "__str__"),
        ("class Own:\n    def __name__(self): return 1", "__name__"),
        ("class Own:\n    @keep\n    def f(self): pass", "a method that is decorated"),
        (
            "class Own:\n    @classmethod\n    def f(cls): cls.g(x)\n    def g(self): pass",
            "g without its own object",
        ),
        ("class Own:\n    for x in y: pass", "statements in a class"),
        ("from typing import Generic\nclass Pair(Generic): pass", "typing.Generic"),
        ("class Own:\n    def f(self): super(Own, x).f()", "super of what is told"),
        ("class Own:\n    @staticmethod\n    def f(self): self._g()\n    def _g(self): pass", "_g"),
        # What is caught, and what a loop's name stands for in the end.
        (
            "class Own:\n    obj = 0\ntry: x.y\nexcept AttributeError as error: error.obj",
            "an error that is kept",
        ),
        (
            "def change():\n    global name\n    name = 'a'\nfor name in ['weight']:\n"
            "    getattr(x, name)",
            "getattr by a name that is computed",
        ),
        (
            "class Own:\n    def f(self, a, b): setattr(self, f'{a}args{b}', 3)\nx.the_args_of",
            "the_args_of",
        ),
        ("kind = type(int)(int)", "a class as a value"),
        # Ways by which a class, or a method without its object, would be a value after all.
        ("class Own:\n    size: keep(3) = 0", "an annotation that calls something"),
        ("def note(one: kinds.append(x)): pass", "an annotation that calls something"),
        ("def isinstance(one, kind): return kind", "isinstance"),
        ("def property(f): return f", "property"),
        ("from functools import cache as super", "super"),
        ("class Own:\n    @classmethod\n    def f(kind): return 3", "a class as a value"),
        ("class Own:\n    @classmethod\n    def f(cls): return cls", "a class as a value"),
        ("class Own: pass\nkeep == Own", "a class as a value"),
        ("keep[type(x)]", "a class as a value"),
        ("class Own:\n    _x: int = 3", "a field that begins with an underscore"),
        ("getattr(x, f'{y}_evaluate')", "getattr by a name that is computed"),
        ("class Own:\n    def f(self): setattr(self, '_evaluate', 3)", "_evaluate"),
        ("import helpers\nhelpers.close = 3", "close, to set it"),
        (
            "import helpers\ndef part(helpers): return helpers.gi_frame",
            "a file's name that stands for",
        ),
        ("@keep\nclass Own: pass", "a class as a value"),
        ("class Own: pass\nisinstance(0, keep(Own))", "a class as a value"),
        ("Path('a.py')", "Path"),
        ("def unused(Path): pass\nPath('a.py')", "Path"),
        ("gradients(f, [x], x)", "gradients"),
        ("async def f(): await x", "async"),
        (
            "class Own:\n    from torch import _import_dotted_name as data",
            "torch._import_dotted_name",
        ),
        ("class Own:\n    write_text = 0\nx.write_text('a')", "write_text"),
        (
            "try:\n    import missing as m\nexcept ImportError:\n"
            "    from torch.nn.functional import softmax as m\nm.anything_of_it",
            "anything_of_it",
        ),
        (
            "from torch.utils.data import DataLoader\nDataLoader(x, 1, False, None, None, 1)",
            "torch.utils.data.DataLoader",
        ),
        ("import sys\nsys.path.append('/usr/lib')\nimport parameter", "sys.path"),
        ("class Own:\n    data = F\nOwn.data.softmax(x)", "a module as a value"),
        ("from enum import Enum\nclass Own(Enum):\n    data = torch", "a module as a value"),
        ("getattr('a', 'data', torch)", "a module as a value"),
        ("setattr(x, 'data', torch)", "a module as a value"),
        ("import helpers\nbox = helpers\nbox.data", "a module as a value"),
        ("import helpers\nsetattr(helpers, 'close', x)", "setattr of what is imported"),
        ("import helpers as data\nfor data in [1]: data.close", "a file's name that stands for"),
        ("first = torch\nsecond = first\nthird = second\nprint(third.fx)", "torch.fx"),
        (
            "".join(f"{b} = {a}\n" for a, b in zip(["torch", *"abcdefg"], "abcdefgh", strict=True))
            + "print(h.softmax)",
            "builtins.softmax",
        ),
        # Who sets what a library looks up has the library call it.
        ("kind = torch.autocast\nkind.__exit__ = 3", "__exit__, to set it"),
        ("kind = torch.Tensor\nsetattr(kind, 'sum', 3)", "setattr of sum"),
        ("class Own: pass\none = Own()\none = torch.Tensor\none.sum = 3", "sum, to set it"),
        ("for name in [text]: setattr(x, f'a{name}', 3)", "setattr by a name that is computed"),
        (
            "from functools import cached_property\nbox = cached_property(used)\n"
            "box.attrname = text",
            "attrname",
        ),
        ("class Own:\n    itself = classmethod(used)", "classmethod, as a function"),
        ("import logging\nlogging.error('x', extra={text: 3})", "error of extra names"),
        ("class Own:\n    addFilter = 0\nlog = x\nlog.addFilter(used)", "addFilter"),
        # Such an array, and such a tensor, may lie over any memory.
        ("import numpy as np\nnp.ndarray((1,), object, x)", "ndarray, but to name it"),
        ("from numpy import ndarray\nmade = ndarray\nmade((1,))", "ndarray, but to name it"),
        ("torch.frombuffer(x)", "torch.frombuffer"),
        ("import unittest\nunittest.main(module='a' + 'b')", "unittest.main"),
        ("import unittest\nunittest.main(argv=['', x])", "unittest.main"),
        (
            "from torch.utils.data import DataLoader\nDataLoader(x, num_workers=1)",
            "torch.utils",
        ),
        # By bytes and addresses objects can be forged; by what Python calls while it compares,
        # counts or converts, what it is at work on can be taken away under its hands.
        ("bytearray(3)", "bytearray"),
        ("bytes([1, 2])", "bytes"),
        ("id(x)", "id"),
        ("hash(x)", "hash"),
        ("print(x.numpy().tobytes())", "tobytes"),
        ("class Slip:\n    def __index__(self): return 1", "__index__"),
        ("class Key:\n    def __hash__(self): return 1", "__hash__"),
        ("class Key:\n    def __eq__(self, other): return True", "__eq__"),
        ("class Key:\n    def __lt__(self, other): return True", "__lt__"),
        ("class Key:\n    def __bool__(self): return True", "__bool__"),
        ("from collections import OrderedDict\nOrderedDict()", "collections.OrderedDict"),
        ("class Table(dict):\n    def __iter__(self): return iter(())", "dict as a base"),
        ("from torch.optim.lr_scheduler import StepLR", "torch.optim"),
        # What is done at a generator's end is done whenever nobody needs it any more.
        ("def later():\n    try: yield\n    finally: used()", "a generator that has"),
        ("def later():\n    with torch.no_grad(): yield", "a generator that has"),
        (
            "class Last:\n    def close(self): used()\ndef later(): yield from Last()",
            "a generator that has",
        ),
        # A gap may hold nothing, and a name of others' may be told by its beginning and its end.
        ("getattr(F.softmax, f'__glo{y}bals__')", "getattr by a name that is computed"),
        ("class Own:\n    def f(self): getattr(self, f'__glo{x}bals__')", "getattr by a name"),
        ("class Own:\n    def f(self): getattr(self, f'register_ho{x}ok')", "getattr by a name"),
        ("class Own:\n    def f(self): getattr(self, f'back{x}ward')", "getattr by a name"),
        ("class Own:\n    def f(self): getattr(self, f'{x}_hooks')", "getattr by a name"),
        ("getattr(x, f'head_{y}')", "getattr by a name that is computed"),
        # What wraps gives looks up whatever it is told to update.
        ("from functools import wraps\nboth = wraps(F.softmax)", "wraps, but to decorate"),
        ("from functools import wraps\nwraps(used)(x)", "wraps, but to decorate"),
        (
            "import numpy as np\nclass Own:\n    func_globals = 0\nnp.random.seed.func_globals",
            "func_globals",
        ),
        ("class Own:\n    capsule = 0\nx.capsule", "capsule"),
        # Bases by which an object would keep a name that is computed, or be a tensor.
        (
            "import functools\nclass Own(functools.cached_property): pass",
            "cached_property as a base",
        ),
        ("import logging\nclass Own(logging.Handler): pass", "logging.Handler"),
        ("class Own(nn.Parameter): pass", "Parameter as a base"),
        ("import logging\nput = logging.error\nput('x', extra={text: 3})", "put of extra names"),
    ],
)
def test_a_word_that_is_not_known_is_shown_to_a_person(cell, word):
    files = {"helpers.py": "import torch\ndef close(a, b): return a == b\ndef _secret(): pass\n"
                           "gi_frame = 0\nclass Kind:\n    def lend(self): pass\n"}  # fmt: skip
    said = doubt(*in_an_answer(cell), files=files)
    assert f"uses {word}" in said or f".{word}," in said, said
    # What is shown does not run, and so earns nothing; nor does it where no answer needs it.
    assert "used():" not in "".join(runs_alone(*in_an_answer(cell), files=files)[0])
    beside = runs_alone("x = torch.ones(2, 3)", cell, ANSWER, files=files)
    assert beside == ([ast.unparse(ast.parse(ANSWER))], {})


# Commands are no Python, and give an answer nothing.
COMMANDS = [
    "%load_ext something",
    "%config X.y = exec('1')",
    "!python hidden.py > out",
    "!pip install ./hidden",
    "%run -m code",
    "%%bash\nls\npython hidden.py",
    "%unknown",
    "%config InlineBackend.rc = {line}",
    "!echo {part}",
    "!pip install -e.",
    "%%bash -c 'cp a b'\nls",
    "%%writefile st{gap}eps.py\nx = 1",
    "%cd /usr/lib\nimport parameter",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_nothing_that_an_answer_needs(command):
    assert not doubt(command, ANSWER)
    assert runs_alone(command, ANSWER) == ([ast.unparse(ast.parse(ANSWER))], {})
    # What one gives back is shown to a person.
    if not command.startswith("%%"):
        line = command.splitlines()[0]
        assert "which this check does not know" in doubt(f"tools = {line}", USES)
        assert runs_alone(f"tools = {line}", USES) == ([USES], {})


@pytest.mark.parametrize("cell", ["x = y" + ".T" * 1500, "x = " + "(" * 99 + "y" + ",)" * 99])
def test_what_is_nested_too_deeply_does_not_run(cell):
    assert not runs_alone(cell, ANSWER.replace("@ v", "@ v + x"))[0][0].startswith("x")


def test_what_python_would_read_for_minutes_is_not_read():
    letters = "\u0301\u0323" * 6500
    assert not runs_alone(f"def f(a{letters} !", ANSWER)[0][0].startswith("def f")
    assert parsed("a\u0301\u0323 = 3")
    assert not parsed("'a" + "\u0301" * 31 + "'")
    assert parsed("'" + "\u5b57" * 60_000 + "'")
    assert not parsed("'" + "\u5b57" * 70_000 + "'")


def test_a_name_with_many_gaps_is_known_by_nobody_and_takes_no_time():
    gaps = "".join("{x}a" for _ in range(14))
    cell = f"class Own:\n    def put(self, x): setattr(self, f'{gaps}b', 3)\nOwn().{'a' * 46}"
    assert "a" * 46 in doubt(*in_an_answer(cell))
    few, many = (ast.parse("f'head" + "{x}a" * n + "'", mode="eval").body for n in (3, 4))
    assert shape_of(few)
    assert not shape_of(many)


def test_a_file_beside_the_notebook_is_read_by_the_same_words():
    needs = ANSWER.replace("@ v", "@ close(v)")
    files = {"helpers.py": "import joblib\ndef close(a): return joblib.Parallel(2)(a)"}
    assert "joblib" in doubt("from helpers import close", needs, files=files)
    assert "Parallel" not in str(runs_alone("from helpers import close", needs, files=files))
    assert not doubt("from helpers import close", ANSWER, files=files)
    honest = {"helpers.py": "import torch\ndef close(a): return a.contiguous()\nprint(torch.jit)"}
    for cell in ("from helpers import close", "from helpers import *"):
        assert not doubt(cell, needs, files=honest)
        cells, beside = runs_alone(cell, needs, files=honest)
        assert cells == [cell, ast.unparse(ast.parse(needs))]
        assert beside == {"helpers.py": "def close(a):\n    return a.contiguous()"}


def modules_known():
    """The modules that plain words lead to, with the words that are known of each."""
    known = plain_words.MODULES
    for root in {name.partition(".")[0] for name in known}:
        try:
            waiting = [importlib.import_module(root)]
        except ImportError:
            continue
        while waiting:
            module = waiting.pop()
            name = module.__name__
            words = plain_words.MODULES.get(name, plain_words.MODULES.get(root, frozenset()))
            yield root, module, words
            parts = plain_words.PARTS.get(root, frozenset()) if root in plain_words.MODULES else ()
            # What is not imported yet is a part as well, whatever else was imported here before.
            for part in below(module) & {*parts}:
                importlib.import_module(f"{name}.{part}")
            found = (getattr(module, part, None) for part in parts)
            waiting += [each for each in found if isinstance(each, types.ModuleType)]


def below(module):
    """The names of the modules that lie in a package's folder, imported or not."""
    return {each.name for each in pkgutil.iter_modules(getattr(module, "__path__", ()))}


def test_no_word_leads_to_a_module_that_is_not_known():
    for root, module, words in modules_known():
        parts = plain_words.PARTS.get(root, frozenset())
        for word in words - parts:
            found = getattr(module, word, None)
            if isinstance(found, types.ModuleType) or word in below(module):
                raise AssertionError(f"{module.__name__}.{word}")


def test_no_word_finds_or_runs_code():
    never = [getattr(builtins, name) for name in NEVER if hasattr(builtins, name)]
    for _, module, words in modules_known():
        for word in words & {*dir(module)}:
            found = getattr(module, word)
            assert not any(found is each for each in never), f"{module.__name__}.{word}"
    assert not NEVER & plain_words.BUILT_IN
    assert {"eval"} == plain_words.OBJECTS & NEVER  # of a layer, without a text
    assert not {name for name in plain_words.OBJECTS if name.startswith("_")} - {
        *plain_words.SPECIAL,
        *("__class__", "__name__", "__qualname__", "_asdict", "_replace", "_fields"),
        "__dataclass_fields__",
    }


def test_no_tensor_and_no_array_gives_more_than_numbers_by_a_word():
    tensor, layer, array = (
        torch.ones(2, 2, requires_grad=True),
        torch.nn.Linear(2, 2),
        np.ones((2, 2)),
    )
    for thing in (tensor, layer, array, type(layer), len, ANSWER, lambda: 0):
        for word in plain_words.OBJECTS & {*dir(thing)} - {"imag"}:
            found = getattr(thing, word, None)
            assert not isinstance(found, types.ModuleType | types.CodeType | types.FrameType), word
            assert not isinstance(found, torch.autograd.graph.Node), word


@pytest.mark.parametrize("name", source.names())
def test_every_assignments_own_cells_are_plain(name, tmp_path):
    assignment = Assignment.load(
        Rendered.make(source.find(name), tmp_path / name, Term("plain")).folder
    )
    cells = [c.source for c in assignment.cells if c.kind == "code" and c.name != "checks"]
    code = StudentCode(enumerate(cells, start=1))
    for test in (each for cell in assignment.cells for each in cell.tests):
        assert not code.against(test.takes, assignment.forbids), test.name
