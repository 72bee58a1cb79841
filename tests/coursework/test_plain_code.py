"""What is written in plain words passes, and whatever else stands in a cell is shown to a person.

The words are closed: none leads to a module that is not known, or to what runs or finds code.
"""

import ast
import builtins
import importlib
import pkgutil
import types

import numpy as np
import pytest
import torch
from softlookup.course.exercises import plain_words
from softlookup.course.exercises.plain_book import shape_of
from softlookup.course.exercises.source_checks import StudentCode
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking.checks import Rendered

GIVEN = ["import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn"]
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


def doubt(*cells, files=None, others=(), answer="attend"):
    """What is said of an answer, if a person has to look."""
    code = StudentCode(enumerate(cells, start=1), files, others, GIVEN)
    found = code.against([answer], FORBIDS)
    assert not (found and found.sure)
    return found.why


@pytest.mark.parametrize(
    "cell",
    [
        "import numpy as np\nrng = np.random.default_rng(0)\nrng.standard_normal(3)",
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nplt.show()",
        "%matplotlib inline\n%timeit -n 3 attend(x, x, x)\n!pip install --quiet einops",
        "import seaborn_not_installed as sns\nsns.anything(attend).at_all()",
        "from google_not_installed.colab import drive\ndrive.mount('/content')",
        "class Own:\n    def __init__(self):\n        self.heads = 3\nprint(Own().heads)",
        "layers = nn.ModuleList([nn.Linear(2, 2)])\nprint(layers[0].weight.shape)",
        "for kind in ('weight', 'bias'):\n    print(getattr(nn.Linear(2, 2), kind))",
        "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        for n in range(3):\n            setattr(self, f'head_{n}', nn.Linear(2, 2))\n"
        "print(Own().head_1, getattr(Own(), f'head_{2}'))",
        "print((attend(x, x, x) - F.scaled_dot_product_attention(x, x, x)).abs().max())",
        "torch.autograd.gradcheck(attend, (x, x, x))",
        "import unittest\nclass Tests(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(1, 1)",
        "import logging\nlogging.getLogger('x').info('done')",
        "open('results.txt', 'w').write('3')\nopen('/etc/hostname').read()",
        "np_there = 'np' in globals()",
        "import sys\nprint(sys.version, 'torch' in sys.modules)",
        "from math import *\nprint(inf, sqrt(2))",
        "f = torch.compile(attend)\nf(x, x, x)",
        "lib = F\nlib.softmax(x, -1)",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'left right')\n"
        "print(Pair(1, 2).left)",
        "for x in tqdm_of_mine([1]):\n    print(f'{x:.2f}', type(x).__name__, type(x) is int)",
        "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass Size:\n"
        "    heads: int = 2\n    rest: list = field(default_factory=list)\nprint(Size(3).heads)",
        "class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self._kept = None\n    def forward(self, x):\n        return self._kept or x",
        "for name in ['weight', 'bias']:\n    print(name, getattr(nn.Linear(2, 2), name))",
        "from enum import Enum\nclass Kind(Enum):\n    LEFT = 1\nprint(isinstance(3, Enum))",
        "torch.backends.cudnn.deterministic = True",
        "import matplotlib.pyplot as plt\nplt.rcParams['font.size'] = 12\n"
        "plt.rcParams.update({'figure.dpi': 100})\nplt.style.use('ggplot')",
        "from jaxtyping import Float\ndef f(x: Float[torch.Tensor, 'n d']): return x",
        "import timeit\nprint(timeit.timeit(lambda: attend(x, x, x), number=3))",
        "import unittest\nunittest.main(argv=[''], exit=False)",
        "from torch.utils.data import DataLoader\nDataLoader([1], batch_size=2, num_workers=0)",
        "%config InlineBackend.figure_format = 'retina'\n!pip list | grep torch",
        "import csv\nwith open('a.csv', 'w') as file:\n    csv.writer(file).writerow([1])",
    ],
)
def test_what_honest_cells_hold_is_plain(cell):
    assert not doubt("x = torch.ones(2, 3)", ANSWER, cell)


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        # Where no answer seems to depend on the cell, it may still change what one does.
        ("import joblib\njoblib.Parallel(2)(tasks)", "joblib.Parallel"),
        ("import unittest.mock as m\nm.patch.object(torch, 'exp', f).start()", "unittest.mock"),
        ("torch.utils.cpp_extension.load_inline('a', 'b')", "torch.utils.cpp_extension"),
        ("torch.ops.aten.exp(x)", "torch.ops"),
        ("import pickle\npickle.loads(b'')", "pickle.loads"),
        ("from pickle import loads as read\nread(b'')", "pickle.loads"),
        ("import timeit\ntimeit.timeit('f()')", "timeit of a text"),
        ("tools = []\ntools.append(globals()['rea' + 'dy'])", "globals"),
        ("tools = [torch]\ntools[0].anything", "a module as a value"),
        (
            "def pick(space, name):\n    return getattr(space, name)\npick(F, 'sca' + 'led')",
            "getattr",
        ),
        ("f = map(getattr, [x], ['a'])", "getattr as a value"),
        ("class Own:\n    def fx(self): pass\n(torch if x else F).real", "a module as a value"),
        ("class Own:\n    def __globals__(self): pass", "__globals__"),
        ("class Own:\n    grad_fn = None\nx.grad_fn(x)", "grad_fn"),
        ("type('Own', (nn.Module,), {})", "type, to make a class"),
        ("match x:\n    case object(anything=f): pass", "anything"),
        ("from torch import *\nprint(jit)", "jit"),
        ("from os import *\nprint(1)", "os.*"),
        ("open('/proc/self/mem', 'r+b')", "open, to write"),
        ("open(name, mode='wb')", "open, to write"),
        ("get_ipython().events.trigger('x')", "trigger"),
        ("%load_ext something", "%load_ext"),
        ("%config X.y = exec('1')", "%config"),
        ("!python hidden.py > out", "!python"),
        ("!pip install ./hidden", "!pip"),
        ("%run -m code", "%run"),
        ("%%bash\nls\npython hidden.py", "%%bash"),
        ("%unknown", "%unknown"),
        # A name that stands for two modules, or for a module that is missing and for one's own.
        ("import pickle as np\nnp.load('a')", "load"),
        ("import pickle as m\nm.load('a')\nm = math", "load"),
        ("class Own:\n    import torch as shelf\nclass Box:\n    shelf = 3\nOwn.shelf", "shelf"),
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
            "sys",
        ),
        ("class Own:\n    ctypes = 0\nx.numpy().ctypes", "ctypes"),
        ("class Own:\n    _evaluate = 0\nkind._evaluate(x)", "_evaluate"),
        ("class Own:\n    lib = torch\nOwn.lib", "a module as a value"),
        ("class Log:\n    def print(self, a): return a\nLog().print(torch)", "a module as a value"),
        ("def hasattr(a, b): return a\nhasattr(torch, 'x')", "a module as a value"),
        ("match torch:\n    case lib: pass", "a module as a value"),
        ("lib = globals()['torch']", "globals"),
        ("exec('lib = torch')", "exec of an import"),
        ("exec('F = tools')", "exec of an import"),
        ("from helpers import torch as tools", "a module as a value"),
        ("import matplotlib.pyplot as plt\nplt.matplotlib", "matplotlib.pyplot.matplotlib"),
        ("import matplotlib\nmatplotlib.text", "matplotlib.text"),
        # What writes code of texts, or looks things up by them.
        ("class Own: pass\nOwn.__annotations__ = {text: int}", "__annotations__"),
        ("class Own:\n    __annotations__ = {text: int}", "__annotations__"),
        ("setattr(x, '__annotations__', {x: int})", "__annotations__"),
        ("setattr(x, str(x), 3)", "setattr by a name that is computed"),
        ("from functools import wraps\nwraps(f, assigned=(text,))(g)", "wraps of names"),
        ("import numpy as np\nnp.load('a.npy', None, True)", "load of what may be code"),
        ("torch.load('a.pt', weights_only=not True)", "load of what may be code"),
        ("torch.load('a.pt', **options)", "load of what is spread out"),
        ("class Odd:\n    __torch_function__ = f", "__torch_function__"),
        ("class Kind(type): pass", "type as a value"),
        ("kind = type(x)\nkind('Odd', (), {})", "a class as a value"),
        ("x.__class__('Odd', (), {})", "a class as a value"),
        ("class Kind(type(x)): pass", "a class as a value"),
        ("from enum import Enum\nEnum('Odd', {'a': 1})", "Enum, to make a class"),
        ("from dataclasses import dataclass\ndataclass(x)", "dataclass, as a function"),
        ("from dataclasses import dataclass\nmake = dataclass", "dataclass as a value"),
        ("from dataclasses import fields\nfields(x)[0].name = 'a'", "dataclasses.fields"),
        ("class Own:\n    class __dataclass_fields__: pass", "__dataclass_fields__"),
        ("class Own:\n    import math as __annotations__", "__annotations__"),
        ("exec('import pickle as F')", "exec of an import"),
        ("x = __import__('torch.nn')", "__import__ of torch.nn"),
        ("class Own:\n    def fx(self): pass\n__import__('torch').real", "__import__ of torch"),
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
        ("type.__new__(type, 'Odd', (), {})", "type as a value"),
        ("class Kind(*[type]): pass", "a class that is told how to be made"),
        ("class Odd(metaclass=f): pass", "a class that is told how to be made"),
        ("import numpy as np\nfetch = np.load", "load as a value"),
        ("import numpy as np\nnp.load(*['a.npy', None, True])", "load of what is spread out"),
        ("import timeit\nrun = timeit.timeit", "timeit as a value"),
        ("from timeit import timeit\ntimeit(str(x))", "timeit of a text"),
        ("import timeit\ntimeit.timeit(stmt=x)", "timeit of a text"),
        ("from importlib import import_module as fetch", "import_module under another name"),
        ("import importlib\n[*map(importlib.import_module, x)]", "import_module as a value"),
        ("import importlib\nimportlib.import_module(name='a' + 'b')", "import_module of what"),
        ("make = open", "open as a value"),
        ("open(*['steps.py', 'w'])", "open of what is spread out"),
        ("open('a.txt', **{'mode': 'w'})", "open of what is spread out"),
        ("open(file='/proc/self/mem', mode='r+b')", "open, by what is named"),
        ("move = p.rename", "rename"),
        ("getattr(*[x, 'a' + 'b'])", "getattr of what is spread out"),
        ("getattr(torch, 'load')", "load as a value"),
        ("leave = exit\nleave.shell", "exit as a value"),
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
        ("import missing as m\nglobals()['m'] = f", "globals"),
        ("import missing\nglobals()['print'] = f\nprint(torch)", "globals"),
        ("import sys\nsys.path.append(x)\nimport parameter", "parameter"),
        ("import logging\nlogging.basicConfig(filename='m.py')\nimport m", "m,"),
        # IPython puts values in the place of braces.
        ("%config InlineBackend.rc = {line}", "%config"),
        ("!echo {part}", "!echo"),
        ("!pip install -e.", "!pip"),
        ("%%bash -c 'cp a b'\nls", "%%bash"),
        ("%%writefile st{gap}eps.py\nx = 1", "%%writefile"),
        # A loop over texts says what its variable is within the loop alone.
        ("def look(x, name): return getattr(x, name)\nfor name in ['p']: pass", "getattr"),
        ("def look(x, name):\n    a = getattr(x, name)\n    for name in ['p']: pass", "getattr"),
        ("def look(x, name):\n    a = getattr(x, name)\n    [0 for name in ['p']]", "getattr"),
        # Whatever is called `self` is a method's own object.
        ("class Own:\n    _evaluate = 0\nself = x\nself._evaluate(y)", "_evaluate"),
        ("class Own:\n    _m = _f = 0\n    def g(self): return self._m._f(x)", "_f,"),
        ("self = getattr(torch, 'utils')\nself.data._utils", "torch.utils.data._utils"),
        # What evaluates a text, or imports what it names.
        (
            "from jaxtyping import Float\nisinstance(x, Float[torch.Tensor, code])",
            "Float of axes that are computed",
        ),
        ("from jaxtyping import Float\nf(Float)", "Float as a value"),
        ("import matplotlib.pyplot as plt\nplt.rcParams['backend'] = x", "rcParams"),
        ("import matplotlib.pyplot as plt\nplt.rcParams.update({x: y})", "rcParams"),
        ("import matplotlib.pyplot as plt\noptions = plt.rcParams", "rcParams as a value"),
        ("import matplotlib.pyplot as plt\nplt.savefig('a', backend=x)", "a backend"),
        ("import matplotlib\nmatplotlib.use(x)", "use of what is computed"),
        ("import matplotlib.pyplot as plt\nplt.rc(x, y=1)", "rc of what is computed"),
        ("import matplotlib.pyplot as plt\nplt.savefig('a', **x)", "savefig of what is spread"),
        (
            "class Own:\n    def put(self, x): setattr(self, f'a{x}', 3)\nOwn().a" + "b" * 70,
            "a" + "b" * 70,
        ),
        ("import helpers\nx._secret(1)", "_secret"),
        (
            "try:\n    import missing as m\nexcept ImportError:\n"
            "    from torch.nn.functional import softmax as m\nm.anything_of_it",
            "anything_of_it",
        ),
        (
            "from torch.utils.data import DataLoader\nDataLoader(x, 1, False, None, None, 1)",
            "DataLoader in several processes",
        ),
        ("import sys\nsys.path.append('/usr/lib')\nimport parameter", "parameter"),
        ("%cd /usr/lib\nimport parameter", "parameter"),
        ("import unittest\nunittest.main(module='a' + 'b')", "main with module"),
        ("import unittest\nunittest.main(argv=['', x])", "main of what is told"),
        (
            "from torch.utils.data import DataLoader\nDataLoader(x, num_workers=1)",
            "DataLoader in several processes",
        ),
    ],
)
def test_a_word_that_is_not_known_is_shown_to_a_person(cell, word):
    files = {"helpers.py": "import torch\ndef close(a, b): return a == b\ndef _secret(): pass"}
    said = doubt("x = torch.ones(2, 3)", cell, ANSWER, files=files)
    assert f"uses {word}" in said or f".{word}," in said, said


@pytest.mark.parametrize("word", ["torch.jit", "logging.getLogger", "inspect.signature"])
def test_what_looks_and_times_is_plain_only_where_no_answer_depends_on_it(word):
    module, name = word.split(".")
    cell = f"import {module}\ntools = [{module}.{name}]"
    assert not doubt(cell.replace("tools", "kept"), ANSWER)
    assert word in doubt(cell, USES)


@pytest.mark.parametrize(
    "way",
    [
        "for one in [box]: note([one])",
        "[note([one]) for one, _ in zip([box], [0])]",
        "match [box]:\n    case [one]: note([one])",
        "def keep(one=box): note([one])\nkeep()",
        "note([box])",
    ],
)
def test_what_has_an_object_of_an_answers_and_leads_to_what_is_forbidden_is_shown(way):
    answer = "box = []\ndef attend(q, k, v):\n    return box[0](q, k, v)"
    note = "def note(boxes): boxes[0].append(F.scaled_dot_product_attention)"
    assert "scaled_dot_product_attention" in doubt(answer, note, way)
    # A function that is called, and the modules that all use, are no such objects.
    assert not doubt(ANSWER, "x = torch.ones(2, 3)", f"{note}\nnote([x])\nprint(attend(x, x, x))")


@pytest.mark.parametrize("cell", ["x = y" + ".T" * 1500, "x = " + "(" * 99 + "y" + ",)" * 99])
def test_what_is_nested_too_deeply_is_shown_to_a_person(cell):
    assert "nested too deeply" in doubt(cell, ANSWER)


def test_a_name_with_many_gaps_is_known_by_nobody_and_takes_no_time():
    gaps = "".join("{x}a" for _ in range(14))
    cell = f"class Own:\n    def put(self, x): setattr(self, f'{gaps}b', 3)\nOwn().{'a' * 46}"
    assert "a" * 46 in doubt(cell, ANSWER)
    few, many = (ast.parse("f'" + "{x}a" * n + "'", mode="eval").body for n in (3, 4))
    assert shape_of(few)
    assert not shape_of(many)


def test_a_file_beside_the_notebook_is_read_by_the_same_words():
    files = {"helpers.py": "import joblib\ndef close(a): return joblib.Parallel(2)(a)"}
    assert "joblib" in doubt("from helpers import close", ANSWER, files=files)
    assert not doubt("print(1)", ANSWER, files=files)
    # A picture beside the notebook is no module.
    assert not doubt("import missing_here as m\nm.f()", ANSWER, others=["figure.png"])
    assert "missing_here" in doubt("import missing_here", ANSWER, others=["missing_here.so"])
    honest = {"helpers.py": "import torch\ndef close(a, b): return torch.allclose(a, b)"}
    assert not doubt("import helpers\nprint(helpers.close(1, 2))", ANSWER, files=honest)


def modules_known():
    """The modules that plain words lead to, with the words that are known of each."""
    known = plain_words.MODULES | plain_words.TOOLS
    for root in {name.partition(".")[0] for name in known}:
        try:
            waiting = [importlib.import_module(root)]
        except ImportError:
            continue
        while waiting:
            module = waiting.pop()
            name = module.__name__
            words = plain_words.MODULES.get(name, plain_words.MODULES.get(root, frozenset()))
            yield root, module, words | plain_words.TOOLS.get(root, frozenset())
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
                # A tool may be a module, as long as each of its own words is asked for in turn.
                assert word in plain_words.TOOLS.get(root, ()), f"{module.__name__}.{word}"


def test_no_word_finds_or_runs_code():
    never = [getattr(builtins, name) for name in NEVER if hasattr(builtins, name)]
    for _, module, words in modules_known():
        for word in words & {*dir(module)}:
            found = getattr(module, word)
            assert not any(found is each for each in never), f"{module.__name__}.{word}"
    of_objects = plain_words.OBJECTS | plain_words.OBJECTS_OF_TOOLS
    assert not NEVER & plain_words.BUILT_IN
    assert NEVER & of_objects == {"eval"}  # of a layer, without a text
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
