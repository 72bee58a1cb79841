"""Where answers are asked alone, nothing leads out of the code that was read.

The cells here are not read first: it is the kernel that refuses.
"""

import contextlib

import pytest
import torch
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.sandbox.channel import Channel, Remote
from softlookup_coursework.sandbox.inside.audit import REFUSAL
from softlookup_coursework.sandbox.inside.between import Between
from softlookup_coursework.sandbox.inside.derivatives import REFUSAL as NOT_DERIVED
from softlookup_coursework.sandbox.inside.real_numbers import REFUSAL as NOT_REAL
from softlookup_coursework.sandbox.inside.unshown import NOT_SHOWN
from softlookup_coursework.sandbox.sandbox import Sandbox

LIMITS = RunLimits(call_seconds=20, cell_seconds=60)
# Each would set `done`, or leave a file or a process, if it were not refused.
REFUSED = {
    "exec": "exec('done = 1')",
    "eval": "done = eval('1')",
    "a text compiled before": "code = compile('done = 1', 'cell', 'exec')\nexec(code)",
    "by another name": "import builtins\nrun = vars(builtins)['ex' + 'ec']\nrun('done = 1')",
    "by a map": "[*map(exec, ['done = 1'])]",
    "a cell within a cell": "get_ipython().run_cell('done = 1').raise_error()",
    "a function of code": "def one(): return 1\nimport types\n"
    "done = types.FunctionType(one.__code__, {})",
    "code that is changed": "def one(): return 1\ndone = one.__code__.replace(co_name='two')",
    "code that is put": "def one(): return 1\ndef two(): return 2\none.__code__ = two.__code__",
    "a reference forward": "import typing\n"
    "done = typing.ForwardRef('1')._evaluate({}, {}, recursive_guard=frozenset())",
    "annotations": "import typing\nclass One:\n    x: 'print(1)'\n"
    "done = typing.get_type_hints(One)",
    "a dataclass's texts": "import dataclasses\nclass One: pass\n"
    "One.__annotations__ = {'a or print(1)': int}\n"
    "done = dataclasses.dataclass(init=False, repr=False)(One)",
    "a dataclass's function": "import dataclasses\nclass One: pass\n"
    "if hasattr(dataclasses, '_create_fn'):\n"
    "    done = dataclasses._create_fn('one', ['a'], ['return 1'])\n"
    "else:\n    done = dataclasses._FuncBuilder({})\n"
    "    done.add_fn('one', ['a'], ['  return 1'])\n    done.add_fns_to_class(One)",
    "a graph": "import torch\ndone = torch.fx.symbolic_trace(torch.nn.Identity())",
    "timing": "import timeit\ndone = timeit.timeit('1', number=1)",
    "in a thread": "import threading, builtins\nseen = []\n"
    "def work():\n    try:\n        exec('seen.append(1)')\n    except RuntimeError as error:\n"
    "        seen.append(error)\nthread = threading.Thread(target=work)\nthread.start()\n"
    "thread.join()\nif seen[0] != 1: raise seen[0]",
    "a cell within a thread": "import threading\nshell, errors = get_ipython(), []\n"
    "def work(): errors.append(shell.run_cell('done = 1').error_in_exec)\n"
    "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
    "if errors[0]: raise errors[0]",
    "at the end of an object": "import gc\nseen = []\nclass Last:\n    def __del__(self):\n"
    "        try:\n            exec('seen.append(1)')\n        except RuntimeError as error:\n"
    "            seen.append(error)\nlast = Last()\ndel last\nif seen[0] != 1: raise seen[0]",
    "a process": "import subprocess\ndone = subprocess.run(['true'])",
    "a shell": "import os\ndone = os.system('true')",
    "a fork": "import os\nif os.fork() == 0: os._exit(0)",
    "a command of the notebook's": "!true",
    "a file": "open('helper.py', 'w').write('x = 1')",
    "a file by its number": "import os\nos.open('helper.py', os.O_CREAT | os.O_RDWR)",
    "a file by its path": "from pathlib import Path\nPath('helper.py').touch()",
    "a file renamed": "import os\nos.rename('data.txt', 'data.txt')",
    "a linked file": "import os\nos.symlink('data.txt', 'other.py')",
    "data as a module": "from importlib.machinery import SourceFileLoader\n"
    "done = SourceFileLoader('data', 'data.txt').load_module()",
    "an own loader": "from importlib.machinery import SourceFileLoader\n"
    "from importlib.util import spec_from_loader, module_from_spec\n"
    "class Loader(SourceFileLoader):\n"
    "    def get_code(self, name): return compile('done = 1', '/usr/lib/python3/x.py', 'exec')\n"
    "loader = Loader('x', '/usr/lib/python3/x.py')\n"
    "loader.exec_module(module_from_spec(spec_from_loader('x', loader)))",
    "an own loader of what lies beside": "from importlib.machinery import SourceFileLoader\n"
    "import os\nfrom importlib.util import spec_from_loader, module_from_spec\n"
    "class Loader(SourceFileLoader):\n"
    "    def get_code(self, name): return compile('done = 1', 'x', 'exec')\n"
    "loader = Loader('y', os.path.abspath('beside.py'))\n"
    "loader.exec_module(module_from_spec(spec_from_loader('y', loader)))",
    "a data file run": "import runpy\ndone = runpy.run_path('data.txt')",
    "a pickle": "import pickle\ndone = pickle.loads(pickle.dumps(print))",
    "a library in C": "import ctypes\ndone = ctypes.CDLL(None)",
    "a number as an address": "import ctypes\ndone = ctypes.c_int.from_address(id(1))",
    "all objects": "import gc\ndone = gc.get_objects()",
    "what refers to an object": "import gc\ndone = gc.get_referrers(print)",
    "another interpreter": "try:\n    import _xxsubinterpreters as other\n"
    "except ModuleNotFoundError:\n    import _interpreters as other\ndone = other",
    "the frame of an error": "try:\n    1 / 0\nexcept ArithmeticError as error:\n"
    "    done = error.__traceback__.tb_frame",
    "the frame of a generator": "done = (x for x in [1]).gi_frame",
    "the frame of a caller": "import sys\ndone = sys._getframe()",
    "a frame by another way": "import collections\ndone = [*map(collections._sys._getframe, [0])]",
    "a frame that is shown": "import inspect\ndone = inspect.currentframe()",
    "all frames": "import inspect\ndone = inspect.stack()",
    "a frame of a library's": "import logging\ndone = logging.currentframe()",
    "the names of a caller": "from IPython.utils.frame import extract_module_locals\n"
    "done = extract_module_locals(0)",
    "what watches": "import sys\nif sys.getprofile is None: exec('1')\nsys.getprofile()",
    "no watch": "import sys\nsys.setprofile(None)",
    "no watch, by what calls it": "import functools, sys\n"
    "functools.partial(sys.setprofile, None)()",
    "another watch": "import sys\nsys.settrace(lambda *_: None)\nsys.settrace(None)",
    "the frames of an error": "import traceback\ntry:\n    1 / 0\n"
    "except ArithmeticError as error:\n"
    "    done = [*traceback.walk_tb(error.__traceback__)]",
}  # fmt: skip
# What honest answers need: it goes on as everywhere.
GOES_ON = {
    "a dataclass": "from dataclasses import dataclass, field\n@dataclass(order=True)\nclass Part:\n"
    "    size: int\n    parts: list = field(default_factory=list)\n"
    "assert Part(3) == Part(3) and repr(Part(2)) == 'Part(size=2, parts=[])'",
    "a dataclass that inherits": "from dataclasses import dataclass\n@dataclass(frozen=True)\n"
    "class One:\n    a: int = 1\n@dataclass(frozen=True)\nclass Two(One):\n    b: 'int' = 2\n"
    "assert Two().a + Two().b == 3",
    "a named tuple": "from collections import namedtuple\nPart = namedtuple('Part', 'a b')\n"
    "assert Part(1, 2).b == 2",
    "a typed tuple": "from typing import NamedTuple\nclass Part(NamedTuple):\n    a: int\n"
    "assert Part(1).a == 1",
    "an enumeration": "import enum\nclass Kind(enum.Enum):\n    ONE = 1\n"
    "assert Kind(1).name == 'ONE'",
    "what is not loaded yet": "import wave, xml.dom.minidom\nassert wave.open",
    "a library of C": "import scipy.stats, sqlite3\nassert scipy.stats.norm.cdf(0) == 0.5",
    "what lies beside": "import beside\nfrom beside import Part\n"
    "assert Part(4).size == beside.four()",
    "data": "import json, numpy as np\nassert open('data.txt').read() == '1 + 1'",
    "a module": "import torch\nfrom torch import nn\n"
    "layer = nn.Sequential(nn.Linear(2, 3), nn.GELU())\n"
    "assert layer(torch.ones(1, 2)).shape == (1, 3)\ncopied = __import__('copy').deepcopy(layer)",
    "where it stands": "import traceback, warnings, logging\ntraceback.format_stack()\n"
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    print(traceback.format_exc())\n"
    "warnings.warn('soft')\nlogging.getLogger('a').warning('told')",
    "what prints": "import torch\nprint(torch.ones(2), {'a': 1})\ntorch.ones(3)",
    "an error that is caught": "try:\n    1 / 0\n"
    "except ZeroDivisionError as error:\n    print(error)",
    "parallel": "import torch\ntorch.manual_seed(0)\nweight = torch.nn.Parameter(torch.randn(2))\n"
    "kept = (weight * 2).sum()\nassert kept.requires_grad",
    "a wait": "import asyncio\nawait asyncio.sleep(0)",
}  # fmt: skip
# A shell makes statements of these.
FOR_A_SHELL = {"a command of the notebook's", "a wait"}
BESIDE = (
    "from dataclasses import dataclass\n@dataclass\nclass Part:\n    size: int\n"
    "def four(): return 4\n"
)


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "beside.py").write_text(BESIDE)
    (folder / "data.txt").write_text("1 + 1")
    return folder


@pytest.fixture(scope="module")
def watched(beside):
    with Sandbox(LIMITS, beside) as running:
        channel = Channel(running, forbids=["autograd"])
        channel.watch()
        yield channel


@pytest.mark.parametrize("way", REFUSED)
def test_no_way_leads_to_code_that_was_not_read(way, watched):
    run = watched.run if way in FOR_A_SHELL else watched.run_statements
    ran = run(f"{REFUSED[way]}\n")
    # PyTorch's tracer asks a function for its names before it makes code of them.
    said = NOT_SHOWN if way == "a graph" else REFUSAL
    assert said in ran.error, (way, ran.error)
    # It is refused before it is done.
    left = "import os\nassert not {'helper.py', 'other.py'} & {*os.listdir()}\n"
    left += "assert 1 not in globals().get('seen', [])"
    assert not watched.run(left).error


@pytest.mark.parametrize("what", GOES_ON)
def test_what_honest_code_does_goes_on(what, watched):
    assert not watched.run(GOES_ON[what]).error
    if what not in FOR_A_SHELL:
        assert not watched.run_statements(GOES_ON[what]).error


def test_without_the_watch_each_way_is_open(beside):
    """Otherwise a way could be closed because nothing of it works anyway."""
    with Sandbox(LIMITS, beside) as running:
        channel = Channel(running)
        errors = {way: channel.run(REFUSED[way]).error for way in REFUSED}
    assert not any(errors.values()), errors


def test_a_function_is_refused_what_a_cell_is_refused(watched):
    assert not watched.run("def answer(text): return eval(text)\n").error
    with pytest.raises(Exception, match="not done where answers are asked alone"):
        Remote(watched, "answer")("1")


# What leads from a function, or from all classes, to what a module knows.
LEADS_ON = {
    "its names": "import torch\nf = torch.nn.functional.softmax\ndone = f.__globals__",
    "by a text": "def f(): pass\ndone = getattr(f, '__glo' + 'bals__')",
    "its variables": "def f(x): return lambda: x\ndone = f(3).__closure__",
    "what Python has": "def f(): pass\ndone = f.__builtins__",
    "of Cython's": "import numpy\ndone = numpy.random.seed.func_globals",
}


@pytest.mark.parametrize("way", LEADS_ON)
def test_no_function_shows_what_it_knows(way, watched, beside):
    assert NOT_SHOWN in watched.run_statements(f"import numpy\n{LEADS_ON[way]}").error
    # Otherwise it could be refused because nothing of it works anyway.
    with Sandbox(LIMITS, beside) as running:
        error = Channel(running).run(f"import numpy\n{LEADS_ON[way]}").error
    assert not error


def test_no_list_of_classes_has_those_that_watch(watched):
    names = "assert not [k for k in object.__subclasses__() if k.__name__ == 'Between']"
    assert not watched.run_statements(names).error
    with Sandbox(LIMITS) as running:
        assert Channel(running).run(names).error
    # Python's own abstract classes go on to ask for theirs.
    asks = "import abc\nclass A(abc.ABC): pass\nclass B(A): pass\n"
    asks += "assert isinstance(B(), A) and not isinstance(3, A) and A.__subclasses__() == [B]"
    assert not watched.run_statements(asks).error


KEEPS = {
    "to keep": "(x * x).retain_grad()",
    "a hook": "x.register_hook(print)",
    "a hook behind": "x.register_post_accumulate_grad_hook(print)",
    "a table of hooks": "x._post_accumulate_grad_hooks = {1: print}",
}


@pytest.mark.parametrize("way", KEEPS)
def test_nothing_is_kept_of_what_the_grader_derives(way, watched):
    statements = f"import torch\nx = torch.ones(2, requires_grad=True)\n{KEEPS[way]}"
    assert NOT_DERIVED in watched.run_statements(statements).error
    assert not watched.run(statements).error


HOOKED = "def hooked(x):\n    x._backward_hooks = {1: print}\n    return x * x"


def test_the_grader_derives_by_no_number_on_which_a_student_has_put_a_hook(watched):
    assert not watched.run(HOOKED).error
    with pytest.raises(Exception, match=NOT_DERIVED):
        Remote(watched, "hooked").gradients([torch.ones(2)], torch.ones(2))


HEARS = """
import logging, torch
heard = []
class Hears(logging.Handler):
    def handle(self, record): heard.append(record)
log = logging.getLogger("torch.autograd.graph")
log.setLevel(1)
log.handlers = [Hears()]
def square(x): return x * x
def derives():
    x = torch.ones(2, requires_grad=True)
    torch.autograd.grad(square(x).sum(), [x])
    return len(heard)
def count(): return len(heard)
"""


def test_no_handler_of_a_students_hears_how_the_grader_derives():
    with Sandbox(LIMITS) as running:
        channel = Channel(running)
        assert not channel.run(HEARS).error
        one = torch.ones(2)
        (found,) = channel.request("gradients", "square", [], [[one], 3 * one], {})
        assert torch.equal(found, 6 * one)
        assert Remote(channel, "count")() == 0
        # PyTorch's own function would have told it.
        assert Remote(channel, "derives")() > 0


def test_a_cell_derives_nothing_that_an_answer_may_not(watched):
    derives = "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()"
    assert NOT_DERIVED in watched.run_statements(derives).error
    assert not watched.run(derives).error
    # What it records may be kept: a constant of an answer is part of what the grader derives.
    assert not watched.run_statements("import torch\nscale = torch.full((2,), 3.0)").error
    # A complex number that is kept would be a step off the real axis.
    complex_one = "import torch\nstep = torch.ones(2) * (-1) ** 0.5"
    assert NOT_REAL in watched.run_statements(complex_one).error
    assert not watched.run(complex_one).error
    assert not watched.run("def scaled(x): return x * x * scale").error
    (found,) = Remote(watched, "scaled").gradients([torch.ones(2)], torch.ones(2))
    assert found.tolist() == [6.0, 6.0]


DISPATCHES = """
import torch
class Trigger(torch.Tensor):
    @classmethod
    def __torch_dispatch__(cls, *given, **named):
        seen.append(1)
        return torch.ones(1)
seen = []
one = torch.ones(2).as_subclass(Trigger)
def asked(x):
    seen.clear()
    x + one
    return len(seen)
"""


def test_a_tensors_own_class_is_asked_nothing_where_numbers_are_watched(watched):
    assert not watched.run(DISPATCHES).error
    assert Remote(watched, "asked")(torch.ones(2)) == 0


def test_what_an_error_holds_ends_while_it_is_watched():
    stands, seen = [True], []

    def later():
        try:
            yield
        finally:
            seen.append([*stands])

    def fails():
        kept = later()
        next(kept)
        raise ValueError

    def fails_while_failing():
        try:
            fails()
        except ValueError:
            raise SystemExit  # noqa: B904 - in whose handling it is raised, it knows by itself

    with pytest.raises(SystemExit), Between(end=lambda _: stands.clear()):
        fails_while_failing()
    assert seen == [[True]]


# What the kernel itself begins and ends around a question.
AROUND = """
import contextlib, torch
seen = []
for kind in (torch.autocast, torch.inference_mode, torch.autograd.set_detect_anomaly,
             contextlib.nullcontext, contextlib.suppress):
    for name in ("__enter__", "__exit__"):
        setattr(kind, name, lambda *given: seen.append(given))
def asked(): return len(seen)
def squared(x): return x * x
"""


@pytest.mark.parametrize("forbids", [["autograd"], ["scaled_dot_product_attention"], []])
def test_what_is_begun_around_a_question_is_nothing_that_a_cell_could_exchange(forbids):
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=forbids)
        assert not channel.run(AROUND).error
        channel.watch()
        (found,) = Remote(channel, "squared").gradients([torch.ones(2)], torch.ones(2))
        assert found.tolist() == [2.0, 2.0]
        assert Remote(channel, "asked")() == 0


READY = "import torch\nq = torch.ones(1, 2, 3)\n"
READY += "found = torch.nn.functional.scaled_dot_product_attention(q, q, q)"
# Where PyTorch tells nobody of its calls, and the kernels are switched on again.
UNTOLD = """
import functools, torch
q = torch.ones(1, 2, 3)
torch.backends.cuda.enable_math_sdp(True)
with torch._C.DisableTorchFunction():
    found = functools.partial(torch.nn.functional.scaled_dot_product_attention, q, q, q)()
"""


@pytest.mark.parametrize("ready", [READY, UNTOLD])
def test_a_ready_made_attention_that_is_forbidden_has_no_kernel(ready):
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["scaled_dot_product_attention"])
        assert not channel.run(ready).error
        if ready == READY:
            assert "does for you" in channel.run_statements(ready).error
        channel.watch()
        assert channel.run(ready).error
        assert channel.run_statements(ready).error


def test_an_attention_that_is_not_forbidden_keeps_its_kernels():
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["autograd"])
        channel.watch()
        assert not channel.run_statements(UNTOLD).error


def test_what_withholds_is_as_it_was_at_the_start():
    exchanged = """
import torch
class Nothing:
    def __init__(self, on): pass
    def __enter__(self): self.done = True
    def __exit__(self, *_): pass
torch.inference_mode, torch.is_inference_mode_enabled = Nothing, lambda: True
"""
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["autograd"])
        channel.watch()
        assert not channel.run_statements(exchanged).error
        assert not channel.run("def recorded(): return torch.ones(1).is_inference()").error
        assert channel.request("call", "recorded", [], [], {}) is True


# By IPython's hooks a cell changes the next one's text, or does something when it has run.
HOOKS = """
def changed(lines): return ["x = 'changed'"]
get_ipython().input_transformers_cleanup.append(changed)
get_ipython().events.register("post_run_cell", lambda ran: after.append(ran))
after = []
"""


def test_what_a_cell_has_the_shell_do_is_not_done_with_statements_that_were_read():
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["autograd"])
        assert not channel.run(HOOKS).error
        channel.run("x = 'as it stands'")
        assert channel.request("get", "x", []) == "changed"
        channel.run_statements("y = 'as it stands', len(after)")
        assert channel.request("get", "y", []) == ("as it stands", 2)


def test_the_checks_of_an_assignment_remember_no_statements_that_were_read():
    """They would be what is forbidden, called while it is."""
    given = "from softlookup.course.exercises.forbidding import Checks\ncheck = Checks(())"
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["course.exercises"])
        channel.watch()
        assert not channel.run(given).error
        assert not channel.run_statements("x = 1").error


LACKS = "import a_package_that_is_not_here\nleft = a_package_that_is_not_here.one\nx = 2"


def test_statements_go_on_behind_what_this_machine_lacks_and_behind_nothing_else():
    with Sandbox(LIMITS) as running:
        channel = Channel(running, forbids=["autograd"])
        assert "ModuleNotFoundError" in channel.run_statements(LACKS).error
        assert "ZeroDivisionError" in channel.run_statements("1 / 0\nx = 3").error
        assert "SystemExit" in channel.run_statements("raise SystemExit\nx = 3").error
        assert "SyntaxError" in channel.run_statements("return\nx = 3").error
        assert channel.request("get", "x", []) == 2


# Where an object may say that its memory lies, whoever computes the name.
SAYS = {
    "an attribute": "slot.__dict__.update({'__array_' + 'interface__': told})",
    "a structure": "setattr(slot, '__array_' + 'struct__', numbers.__array_struct__)",
    "its class": "setattr(Slot, '__array_' + 'interface__', told)",
    "a scheduler's table": "from torch.optim.lr_scheduler import StepLR\n"
    "slot = StepLR(torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], 0.1), 1)\n"
    "slot.load_state_dict([('__array_' + 'interface__', told)])",
}
SLOT = """
import numpy as np
import torch
class Slot: pass
slot, numbers = Slot(), np.arange(3.0)
told = numbers.__array_interface__
"""
MEMORY = "copied = np.empty(1, dtype=object)\ncopied.data[:] = copied.data"


@pytest.mark.parametrize("way", SAYS)
def test_numpy_takes_no_objects_word_for_where_its_memory_lies(way, watched):
    cell = f"{SLOT}{SAYS[way]}\nfound = str(np.asarray(slot).dtype)"
    assert not watched.run(cell).error
    assert watched.request("get", "found", []) == "object"


def test_no_array_shows_its_memory(watched):
    assert "is not shown" in watched.run(SLOT + MEMORY).error


def test_without_the_watch_memory_is_open():
    with Sandbox(LIMITS) as running:
        channel = Channel(running)
        assert not channel.run(SLOT + MEMORY).error
        for way in SAYS.values():
            channel.run(f"{SLOT}{way}\nfound = str(np.asarray(slot).dtype)")
            assert channel.request("get", "found", []) == "float64", way


# What a student's code does when it is thrown away, told, or derived.
LATER = """
import torch
seen = []
def derive():
    x = torch.ones(1, requires_grad=True)
    try:
        with torch.enable_grad(): (x * x).backward()
        seen.append("derived")
    except RuntimeError:
        seen.append("refused")
def waiting():
    def later():
        try: yield
        finally: derive()
    one = later()
    next(one)
    return one
class Telling(Exception):
    def __str__(self):
        derive()
        return "told"
class Interrupting(Exception):
    def __str__(self): raise KeyboardInterrupt
class Ending(KeyboardInterrupt):
    def __init__(self):
        super().__init__()
        self.kept = waiting()
class Line:
    def __str__(self): raise Ending
def with_its_answer(x):
    answer = x * 1
    answer.keeper = waiting()
    return answer
def with_what_it_was_given(x):
    x.keeper = waiting()
    return x * 1
def in_a_cycle(x):
    box = [waiting()]
    box.append(box)
    return x * 1
def with_its_error(x):
    kept = waiting()
    raise ValueError
def by_its_error(x): raise Telling
def by_an_error_that_interrupts(x):
    kept = waiting()
    raise Interrupting
def by_an_interruption_that_holds_something(x): raise Ending
def by_the_line_of_an_error(x): raise SyntaxError("m", ("f", Line(), 1, "t"))
def on_its_way(x):
    between = x * 1
    between.keeper = waiting()
    derive()
    return between * between
def and_goes_on_with_nothing(x):
    x.keeper = waiting()
    return torch.ones(1)
"""
ENDS = (
    *("with_its_answer", "with_what_it_was_given", "in_a_cycle", "with_its_error"),
    *("by_its_error", "by_an_error_that_interrupts", "by_the_line_of_an_error", "on_its_way"),
    *("and_goes_on_with_nothing", "by_an_interruption_that_holds_something"),
)


@pytest.mark.parametrize("asks", ["call", "gradients"])
@pytest.mark.parametrize("name", ENDS)
def test_what_is_left_of_an_answer_is_finished_while_it_is_watched(asks, name, watched):
    assert not watched.run_statements(LATER).error
    x = torch.ones(2)
    given = [x] if asks == "call" else [[x], x]
    with contextlib.suppress(Exception):
        watched.request(asks, name, [], given, {})
    seen = watched.request("get", "seen", [])
    assert set(seen) == {"refused"}


@pytest.mark.parametrize(
    "ends",
    [
        "one = waiting()\ndel one",
        "raise Telling",
        "in_a_cycle(1)",
        "by_an_error_that_interrupts(1)",
        "by_an_interruption_that_holds_something(1)",
        "by_the_line_of_an_error(1)",
    ],
)
def test_what_is_left_of_statements_is_finished_while_they_are_watched(ends, watched):
    watched.run_statements(LATER + ends)
    assert set(watched.request("get", "seen", [])) == {"refused"}
    assert not watched.run("import gc\non = gc.isenabled()").error
    assert watched.request("get", "on", []) is False


def test_what_is_left_of_an_answer_that_is_interrupted_is_finished_while_it_is_watched(beside):
    forever = "def forever(x):\n    x.keeper = waiting()\n    while True: pass\n"
    with Sandbox(RunLimits(call_seconds=1, cell_seconds=60), beside) as running:
        channel = Channel(running, forbids=["autograd"])
        channel.watch()
        assert not channel.run_statements(LATER + forever).error
        for asks, given in (("call", [torch.ones(2)]), ("gradients", [[torch.ones(2)], 1.0])):
            with pytest.raises(Exception, match="no answer within"):
                channel.request(asks, "forever", [], given, {})
        assert channel.request("get", "seen", []) == ["refused", "refused"]
