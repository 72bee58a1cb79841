"""Renew requirements.lock from pyproject.toml, and environment.yml from both.

    python tools/lock.py

The lock holds one exact set of versions for every platform and every Python that the course
supports. Torch's CUDA companions are left out of it: the course computes on processors, and
where a wheel of torch with CUDA is installed all the same, pip finds its companions by itself.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
CUDA_COMPANION = re.compile(r"(?:nvidia|cuda|triton)\b")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"

LOCK_HEADER = """\
# Made by `make lock` from pyproject.toml; not to be edited by hand.
# One exact set for every platform and Python that the course supports. Torch's CUDA companions
# are left out, since the course computes on processors.
"""
ENVIRONMENT_HEADER = f"""\
# Made by `make lock` from pyproject.toml and requirements.lock; not to be edited by hand.
#
#     conda env create --file environment.yml
#     conda activate softlookup
#
# Without conda, `make book` installs the same versions into a virtual environment.
#
# Torch comes without CUDA on every system. The extra index has wheels for Linux and Windows that
# hold no CUDA, and pip prefers them (2.6.0+cpu ranks above 2.6.0). Wheels for macOS never
# hold CUDA. The same for the virtual environment on Linux:
#
#     PIP_EXTRA_INDEX_URL={CPU_INDEX} make book
"""


def compile_lock() -> str:
    """The exact set that satisfies pyproject.toml today, one requirement a line."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "uv")
    subprocess.run(pip, check=True)
    compiled = subprocess.run(
        [
            *(sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml"),
            *("--all-extras", "--universal", "--python-version", "3.11"),
            *("--no-annotate", "--no-header", "--quiet"),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return without_cuda(compiled)


def without_cuda(compiled: str) -> str:
    """The lock's text: what was compiled, less CUDA, beneath a header that says why."""
    lines = [line for line in compiled.splitlines() if not CUDA_COMPANION.match(line)]
    return LOCK_HEADER + "\n".join(lines) + "\n"


def requirements(lock: str) -> list[Requirement]:
    """The requirements in a lock, in order."""
    return [Requirement(line) for line in lock.splitlines() if line and not line.startswith("#")]


def direct(pyproject: dict[str, Any]) -> list[Requirement]:
    """The requirements that pyproject.toml itself states, those of every extra included."""
    project = pyproject["project"]
    stated = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        stated += extra
    return [Requirement(line) for line in stated]


def environment(pyproject: dict[str, Any], lock: str) -> str:
    """The text of environment.yml: the direct dependencies pinned, the lock as constraint."""
    names = {canonicalize_name(requirement.name) for requirement in direct(pyproject)}
    pinned = [
        line
        for line in lock.splitlines()
        if not line.startswith("#") and canonicalize_name(Requirement(line).name) in names
    ]
    python = pyproject["project"]["requires-python"]
    return "\n".join(
        [
            ENVIRONMENT_HEADER + "name: softlookup",
            "channels:",
            "  - conda-forge",
            "dependencies:",
            f"  - python {python}",
            "  - pip",
            "  - pip:",
            f"      - --extra-index-url {CPU_INDEX}",
            "      - --constraint requirements.lock",
            *(f"      - {line}" for line in pinned),
            "      - --editable .",
            "",
        ]
    )


def main() -> None:
    """Write both files."""
    lock = compile_lock()
    (ROOT / "requirements.lock").write_text(lock, encoding="utf-8")
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (ROOT / "environment.yml").write_text(environment(pyproject, lock), encoding="utf-8")


if __name__ == "__main__":
    main()
