"""What an enclosure shows and hides: the arguments of bubblewrap, on this machine, for this user.

Shown, to be read only: the system's programs, Python and its packages, the library that is taught
and the kernel's own files. Nothing else is there: no network, no other process, no submission, no
solution, no gradebook. In it stands the zygote; what a submission can write to, it gets from there,
in memory, of limited size and for itself alone.
"""

import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SHARED_MEMORY_BYTES = 16 * 2**20
# As a superuser, the kernel gets a user of its own, who owns nothing on the machine. The numbers
# lie where no system gives any out, and one grading process has one kernel at a time.
FIRST_USER, USERS, MOST_PROCESSES = 1_900_000_000, 256, 2**22
NUMBERS = itertools.count()
# What the zygote needs to make namespaces, and to give up everything in them. Where it is no
# superuser's, these hold in its own namespace of users alone.
POWERS = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


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
    """A user for the next kernel, or ``None`` where it has none but the one who grades.

    No two kernels in a row get the same: what the system still counts for one user is not
    counted for the next.
    """
    if os.geteuid() != 0:
        return None
    return FIRST_USER + next(NUMBERS) % USERS * MOST_PROCESSES + os.getpid()


def arguments() -> list[str]:
    """What bubblewrap is told, up to the command."""
    told = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    powers: tuple[str, ...] = POWERS
    if os.geteuid() != 0:
        # A superuser of a namespace that holds this one user: to make a submission's own.
        told += ["--unshare-user", "--uid", "0", "--gid", "0"]
        # To hand its only user down into yet another namespace, where it is no superuser.
        powers = (*POWERS, "CAP_SETFCAP")
    told += ["--cap-drop", "ALL"]
    for power in powers:
        told += ["--cap-add", power]
    told += ["--new-session", "--hostname", "sandbox", "--clearenv"]
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
    told += ["--proc", "/proc", "--dev", "/dev"]
    told += ["--remount-ro", "/dev"]
    # The zygote's own, for matplotlib's list of fonts; each submission's lies over it.
    told += ["--tmpfs", "/desk", "--dir", "/desk/tmp", "--chdir", "/"]
    if not any(folder.is_relative_to("/tmp") for folder in python_folders()):
        told += ["--symlink", "desk/tmp", "/tmp"]
    told += ["--remount-ro", "/"]
    for name, value in environment().items():
        told += ["--setenv", name, value]
    return told


def environment() -> dict[str, str]:
    """The environment of everything in an enclosure; nothing of this process's own."""
    return {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "PYTHONPATH": "/kernel",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "HOME": "/desk",
        "TMPDIR": "/desk/tmp",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }


def environment_without() -> dict[str, str]:
    """The environment where there is no enclosure: other folders, and all else alike."""
    folders = {"HOME": str(Path.home()), "TMPDIR": tempfile.gettempdir()}
    return environment() | folders | {"PYTHONPATH": str(HERE.parents[1])}


def bubblewrap() -> str | None:
    """Where bubblewrap lies, if it is installed."""
    return shutil.which("bwrap")
