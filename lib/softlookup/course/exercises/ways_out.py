"""What in a student's statement leads out of what can be read, though it names nothing forbidden.

Code that was stored or traced, a name that is put together, a global name that nothing binds, and
whatever reaches into the process itself: none of these is an offence, and none can be read. Where
an answer depends on one, a person has to look. The coursework's page on threats says why.
"""

import ast
import builtins
import re
import symtable
import sys
from collections.abc import Iterable, Iterator, Set

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, parsed
from softlookup.course.exercises.forbidden_names import ForbiddenNames
from softlookup.course.exercises.names_by_text import is_plain, is_written
from softlookup.course.exercises.student_imports import Known, called_name
from softlookup.course.exercises.student_statements import OPAQUE, Step, names_of

# What runs code that stands nowhere in the cells, ends what watches an answer, or reaches into the
# process that computes it.
WAYS_OUT = ForbiddenNames(
    {
        *("torch.jit", "torch.hub", "torch.export", "torch.package", "torch.fx", "torch.onnx"),
        *("torch._inductor", "torch._dynamo", "torch._export", "torch._higher_order_ops"),
        *("make_fx", "proxy_tensor", "aot_autograd", "_aot_autograd", "aoti_load_package"),
        *("GraphModule", "symbolic_trace", "CompilationUnit", "parse_ir"),
        *("_create_function_from_graph", "_create_function_from_trace", "_jit_get_operation"),
        *("torch._decomp", "torch._refs", "torch._prims", "_sympy", "_python_dispatch"),
        *("_disable_current_modes", "DisableTorchFunction*", "_DisableTorchDispatch"),
        *("_pop_torch_*", "_disabled_torch_*", "_set_sdp_use_*", "enable_*_sdp", "sdpa_kernel"),
        *("enable_math_sdp", "enable_flash_sdp", "enable_mem_efficient_sdp", "enable_cudnn_sdp"),
        *("setprofile", "getprofile", "settrace", "gettrace", "setprofile_all_threads"),
        *("sys.monitoring", "sys.modules", "currentframe", "_getframe", "_current_frames"),
        *("get_objects", "get_referrers", "get_referents", "ctypes", "_ctypes", "cffi"),
        *("threading", "_thread", "concurrent", "multiprocessing", "ThreadPoolExecutor"),
        *("ProcessPoolExecutor", "cell_contents", "f_back", "f_globals", "tb_frame"),
        # Threads by other names, and what runs a text or finds an object by what it is.
        *("run_in_executor", "to_thread", "joblib", "Parallel", "dask", "distributed", "greenlet"),
        *("gevent", "anyio", "trio", "ThreadPool", "backgroundjobs", "start_new_thread"),
        *("codeop", "compile_command", "get_type_hints", "get_annotations", "ForwardRef"),
        *("__subclasses__", "__globals__", "get_overridable_functions", "flop_registry"),
    }
)  # fmt: skip
# What a cell may not exchange without leaving a doubt, whether an answer uses the cell or not.
OF_THE_PROCESS = {"builtins", "__builtins__", "threading", "ctypes", "gc", "inspect"}
OF_SYS = {"setprofile", "getprofile", "settrace", "gettrace", "modules", "monitoring", "_getframe"}
# What IPython lets a cell change of the cells behind it, or take from where nobody reads it.
OF_IPYTHON = re.compile(
    r"(?:ast|input)_transformers?\w*|input_transformer_manager|user_(?:module|ns|global_ns|expressions)"
    r"|(?:pre|post)_(?:run_cell|execute)|set_custom_exc|set_hook|register_magics?\w*|InteractiveShell"
)
OF_A_SHELL = {"ev", "ex", "push", "run_cell", "run_cell_async", "run_code", "drop_by_id"}
LOADS_COMPILED = {"load_library", "dlopen", "CDLL", "PyDLL", "LoadLibrary"}
# Names that are there in every cell; what a cell has shown (`_`, `Out`) was made elsewhere.
ALWAYS = {
    *dir(builtins),
    *("get_ipython", "display", "exit", "quit", "__name__", "__doc__", "__file__", "__builtins__"),
    *("__module__", "__qualname__", "__annotations__", "__class__", "__spec__", "__package__"),
}


def exchanges(tree: ast.AST, renamed: dict[str, str]) -> str:
    """What of the process a statement may exchange for all cells; empty, if nothing."""
    nodes = [*ast.walk(tree)]
    for node in nodes:
        target: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            target = node
        elif isinstance(node, ast.Call) and called_name(node) == "setattr" and node.args:
            target = ast.Attribute(node.args[0], _text(node.args[1:2]), ast.Store())
        elif isinstance(node, ast.Call) and called_name(node) in LOADS_COMPILED:
            return called_name(node)
        names = _chain(target, renamed) if target else []
        if names and (names[0] in OF_THE_PROCESS or (names[0] == "sys" and {*names} & OF_SYS)):
            return ".".join(names[:2])
    shell = {"get_ipython"} | {name for name, of in renamed.items() if of == "get_ipython"}
    for node in nodes:
        name = getattr(node, "attr", getattr(node, "value", ""))
        if isinstance(name, str) and OF_IPYTHON.fullmatch(name):
            return name
        if isinstance(node, ast.Attribute) and node.attr in OF_A_SHELL:
            of = {getattr(each, "id", "") for each in ast.walk(node.value)}
            if shell & of:
                return node.attr
    asked = {id(each) for node in nodes for each in _only_asked(node)}
    for node in nodes:
        if _chain(node, renamed) == ["sys", "modules"] and id(node) not in asked:
            return "sys.modules"
    return ""


def shells(trees: Iterable[ast.AST]) -> dict[str, str]:
    """The names that are assigned IPython's shell."""
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    return {
        target.id: "get_ipython"
        for node in nodes
        if isinstance(node.value, ast.Call) and called_name(node.value) == "get_ipython"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def unbound(step: Step, bound: Set[str]) -> list[str]:
    """The global names that a statement uses and nobody binds: at home they would be an error."""
    missing = step.uses - bound - ALWAYS
    if not {name for name in missing if name.isidentifier()}:
        return []
    # What stands in an annotation may be evaluated by nobody.
    tree = _WithoutAnnotations().visit(ast.parse(ast.unparse(step.tree)))
    try:
        _, uses = names_of(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
    except PARSE_ERRORS:
        return []
    return sorted(missing & uses)


def bound_by_texts(steps: Iterable[Step]) -> Iterator[str]:
    """What may be bound by a text: of `exec("x = 3")`, and of `globals()["x"] = 3`."""
    for step in steps:
        for node in ast.walk(step.tree) if step.opaque else ():
            if isinstance(node, ast.Call) and called_name(node) in OPAQUE:
                for text in node.args[:1]:
                    for tree in parsed(_text([text])):
                        yield from (e.id for e in ast.walk(tree) if isinstance(e, ast.Name))
            elif (
                isinstance(node, ast.Subscript)
                and isinstance(node.value, ast.Call)
                and called_name(node.value) in OPAQUE
            ):
                yield _text([node.slice])


def starred(tree: ast.AST, known: Known) -> Iterator[str | None]:
    """What `import *` binds in a statement; None, where nobody can tell without running it.

    What lies beside the notebook is read, and binds its names by itself.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            module = node.module or ""
            if module.partition(".")[0] in known.beside:
                continue
            found = sys.modules.get(module)
            yield from dir(found) if found else [None]


def _chain(node: ast.AST, renamed: dict[str, str]) -> list[str]:
    """The names of an attribute from its root on, whatever items are taken on the way."""
    names: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        names += [node.attr] if isinstance(node, ast.Attribute) else []
        node = node.value
    return [renamed.get(node.id, node.id), *names[::-1]] if isinstance(node, ast.Name) else []


def _only_asked(node: ast.AST) -> Iterator[ast.AST]:
    """What of `sys.modules` is only asked for a name, or taken by one that can be read."""
    if isinstance(node, ast.Compare):
        yield from node.comparators
    elif isinstance(node, ast.Subscript):
        if isinstance(node.ctx, ast.Del) or (is_plain(node) and _text([node.slice]) not in HIDDEN):
            yield node.value
            yield node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        taken = {_text([each]) for each in node.args}
        named = node.func.attr in ("get", "pop", "keys") and all(map(is_written, node.args))
        if named and not taken & HIDDEN:
            yield node.func.value
            yield node.func
    elif isinstance(node, ast.Call) and called_name(node) in ("len", "sorted", "list", "set"):
        yield from node.args


HIDDEN = {"__main__", "builtins"}


def _text(nodes: Iterable[ast.AST]) -> str:
    return "".join(str(each.value) for each in nodes if isinstance(each, ast.Constant))


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)
