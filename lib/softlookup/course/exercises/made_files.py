"""Whether a student's code may make files or modules while it runs, such as one to be imported."""

import ast
import re
from collections.abc import Iterable

# A file that is opened to be written to.
WRITES = re.compile(r"[rbt]*[wax+][rbt+]*")
# Ways to write or move a file, or to make a module without one.
MAKES = {
    *("write_text", "write_bytes", "tofile", "savetxt", "fdopen", "mkstemp", "NamedTemporaryFile"),
    *("extractall", "unpack_archive", "copyfile", "copyfileobj", "copytree", "rename", "symlink"),
    *("symlink_to", "hardlink_to", "urlretrieve", "Popen", "popen", "check_output", "check_call"),
    *("ModuleType", "module_from_spec", "meta_path", "path_hooks"),
}
# The same by a common name, which has another meaning elsewhere.
MAKES_IN = {
    *("os.replace", "os.link", "os.open", "os.write", "shutil.copy", "shutil.copy2"),
    *("shutil.move", "sys.modules", "sys.path", "subprocess.run", "subprocess.call"),
}
# Cell magics that show something.
SHOWN = ("html", "HTML", "svg", "SVG", "latex", "markdown", "javascript", "js")
# What a shell is asked for: a file to be written, moved or unpacked, or another program to be run.
SHELL = re.compile(r">|\b(?:cp|mv|ln|tee|dd|unzip|tar|sh|bash|perl|python[\d.]*)\b")


def makes_files(trees: Iterable[ast.AST]) -> bool:
    """Whether any of these statements may make a file or a module."""
    return any(_makes_a_file(node) for tree in trees for node in ast.walk(tree))


def _makes_a_file(node: ast.AST) -> bool:
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
    if called == "open":
        named = [each.value for each in node.keywords if each.arg == "mode"]
        modes = [getattr(each, "value", None) for each in named]
        if isinstance(node.func, ast.Name):
            modes += texts[1:2]
            return any(mode is None or WRITES.fullmatch(str(mode)) for mode in modes)
        return any(WRITES.fullmatch(str(mode)) for mode in modes + texts[:2])
    if called in ("system", "getoutput"):
        return any(text is None or SHELL.search(str(text)) for text in texts)
    if called != "run_cell_magic" or texts[:1] in [[each] for each in SHOWN]:
        return False
    # The module that this makes is read.
    return texts[0] not in ("writefile", "file") or not str(texts[1]).endswith(".py")
