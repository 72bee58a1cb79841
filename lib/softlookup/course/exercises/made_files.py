"""Whether a student's code may make files or modules while it runs, such as one to be imported."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

# A file that is opened to be written to.
WRITES = re.compile(r"[rbt]*[wax+][rbt+]*")
# Ways to write or move a file, or to make a module without one.
MAKES = {
    *("write_text", "write_bytes", "tofile", "savetxt", "fdopen", "mkstemp", "NamedTemporaryFile"),
    *("extractall", "unpack_archive", "copyfile", "copyfileobj", "copytree", "symlink"),
    *("symlink_to", "hardlink_to", "urlretrieve", "Popen", "popen", "check_output", "check_call"),
    *("ModuleType", "module_from_spec", "meta_path", "path_hooks"),
}
# The same by a common name, which has another meaning elsewhere.
MAKES_IN = {
    *("os.replace", "os.rename", "os.link", "os.open", "os.write", "shutil.copy", "shutil.copy2"),
    *("shutil.move", "sys.modules", "subprocess.run", "subprocess.call"),
}
# A file of such a kind is no module, and is run by its whole name alone.
NO_CODE = {".txt", ".csv", ".json", ".md", ".png", ".pdf", ".svg", ".jpg", ".pt", ".pth", ".npy"}
# Cell magics that show something.
SHOWN = ("html", "HTML", "svg", "SVG", "latex", "markdown", "javascript", "js")
# What a shell is asked for: a file to be written, moved or unpacked, or another program to be run.
SHELL = re.compile(
    r">|\b(?:cp|mv|ln|tee|dd|unzip|tar|sh|bash|perl|python[\d.]*(?!\S*\s+-m\s+pip\s+install\b))\b"
)


def tells_where_modules_lie(trees: Iterable[ast.AST]) -> bool:
    """Whether any of these statements names `sys.path`, where Python looks for modules."""
    return any(_is_the_path(node) for tree in trees for node in ast.walk(tree))


def _may_tell_an_archive(trees: Iterable[ast.AST]) -> bool:
    """Whether Python may be told to look into a file, and not only into folders."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    folders = {
        id(getattr(call.func, "value", None))
        for call in calls
        if isinstance(call.args[-1], ast.Constant)
        and not PurePosixPath(str(call.args[-1].value)).suffix
    }
    return any(_is_the_path(node) and id(node) not in folders for node in nodes)


def _is_the_path(node: ast.AST) -> bool:
    named = isinstance(node, ast.Attribute) and node.attr == "path"
    return named and getattr(getattr(node, "value", None), "id", "") == "sys"


def makes_files(trees: Iterable[ast.AST]) -> bool:
    """Whether any of these statements may make a file or a module.

    What is written as no code counts all the same where Python is told to look for modules: an
    archive may have any name.
    """
    trees = [*trees]
    harmless = set() if _may_tell_an_archive(trees) else NO_CODE
    return any(_makes_a_file(node, harmless) for tree in trees for node in _without_questions(tree))


def _without_questions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, but for what `in` is asked of, as in `"torch" in sys.modules`."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Compare) and all(
            isinstance(each, ast.In | ast.NotIn) for each in node.ops
        ):
            waiting.append(node.left)
        else:
            waiting += ast.iter_child_nodes(node)


def _makes_a_file(node: ast.AST, harmless: set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in MAKES or f"{getattr(node.value, 'id', '')}.{node.attr}" in MAKES_IN
    if isinstance(node, ast.Name):
        return node.id in MAKES
    if isinstance(node, ast.alias):
        return node.name in MAKES
    if not isinstance(node, ast.Call):
        return False
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    texts = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
    if called in ("rename", "replace") and isinstance(node.func, ast.Attribute):
        # A path's method; a text's `replace` takes two, and a table's `rename` takes names.
        return len(texts) == 1 and not node.keywords
    if called in ("open", "ZipFile", "PyZipFile"):
        named = [each.value for each in node.keywords if each.arg == "mode"]
        modes = [getattr(each, "value", None) for each in named]
        if PurePosixPath(str(texts[0] if texts else "")).suffix in harmless:
            return False
        if isinstance(node.func, ast.Name) or called != "open":
            modes += texts[1:2]
            return any(mode is None or WRITES.fullmatch(str(mode)) for mode in modes)
        return any(WRITES.fullmatch(str(mode)) for mode in modes + texts[:2])
    if called in ("system", "getoutput"):
        return any(text is None or SHELL.search(str(text)) for text in texts)
    if called != "run_cell_magic" or texts[:1] in [[each] for each in SHOWN]:
        return False
    if texts[0] in ("bash", "sh"):
        return bool(SHELL.search(str(texts[2])))
    # The module that this makes is read.
    path = PurePosixPath(str(texts[1]).split()[-1]) if str(texts[1]).split() else PurePosixPath()
    return texts[0] not in ("writefile", "file") or path.suffix not in {".py", *harmless}
