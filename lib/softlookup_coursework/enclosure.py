"""What a sandbox shows and hides: the arguments of bubblewrap, on this machine, for this user.

Shown, to be read only: the system's programs, Python and its packages, the library that is taught,
the kernel's own files, and the files handed in with the notebook. Writable: ``/work`` and
``/dev/shm``, in memory and of limited size. Nothing else is there: no network, no other process,
no other submission, no solution, no gradebook.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from softlookup_coursework.limits import RunLimits

HERE = Path(__file__).parent
SHARED_MEMORY_BYTES = 16 * 2**20
# As a superuser, the kernel gets a user of its own, who owns nothing on the machine. The numbers
# lie where no system gives any out, and one grading process has one kernel at a time.
FIRST_USER = 1_900_000_000


def python_folders() -> list[Path]:
    """The folders that Python, its packages and the taught library lie in."""
    folders = {Path(sys.prefix), Path(sys.base_prefix)}
    found = importlib.util.find_spec("softlookup")
    if found and found.submodule_search_locations:
        folders.add(Path(found.submodule_search_locations[0]))
    shown = [Path("/usr")]
    for folder in sorted(folder.resolve() for folder in folders):
        if not any(folder.is_relative_to(other) for other in shown):
            shown.append(folder)
    return shown[1:]


def kernel_user() -> int | None:
    """The user that the kernel becomes, or ``None`` where it stays the one who grades."""
    return FIRST_USER + os.getpid() if os.geteuid() == 0 else None


def arguments(limits: RunLimits, files: Path | None = None) -> list[str]:
    """What bubblewrap is told, up to the command.

    Args:
        limits: how much may be written.
        files: a folder shown as ``/submission``.
    """
    told = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    if kernel_user() is None:
        told += ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]
        told += ["--cap-drop", "ALL"]
    else:
        # Namespaces of its own are denied to the kernel by the filter of system calls.
        told += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    told += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"]
    told += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            told += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            told += ["--ro-bind", str(path), str(path)]
    for name in ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"):
        told += ["--ro-bind-try", name, name]
    shown = {str(folder): str(folder) for folder in python_folders()}
    shown["/kernel/inside"] = str(HERE / "inside")
    # Left to itself, bubblewrap makes the folders above for the superuser alone.
    above = {str(parent) for folder in shown for parent in Path(folder).parents} - {"/", "/usr"}
    for parent in sorted(above):
        told += ["--perms", "0755", "--dir", parent]
    for inside, origin in shown.items():
        told += ["--ro-bind", origin, inside]
    if files is not None:
        told += ["--ro-bind", str(files), "/submission"]
    told += ["--proc", "/proc", "--dev", "/dev"]
    told += ["--perms", "1777", "--size", str(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"]
    told += ["--remount-ro", "/dev"]
    told += ["--perms", "1777", "--size", str(limits.files_bytes), "--tmpfs", "/work"]
    told += ["--chdir", "/work"]
    if not any(folder.is_relative_to("/tmp") for folder in python_folders()):
        told += ["--symlink", "work/tmp", "/tmp"]
    told += ["--remount-ro", "/"]
    environment = {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "PYTHONPATH": "/kernel",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    for name, value in environment.items():
        told += ["--setenv", name, value]
    return told


def bubblewrap() -> str | None:
    """Where bubblewrap lies, if it is installed."""
    return shutil.which("bwrap")


def resource_limits(limits: RunLimits) -> dict[str, int]:
    """The limits that each process of the sandbox has, as ``resource`` names them.

    A process's address space is larger than what it occupies (libraries, stacks of threads), so it
    is given room; what all of them occupy together is watched from outside.
    """
    return {
        "RLIMIT_AS": limits.memory_bytes + 2**30,
        "RLIMIT_CPU": limits.processor_seconds,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_FSIZE": limits.files_bytes,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_SIGPENDING": 256,
    }
