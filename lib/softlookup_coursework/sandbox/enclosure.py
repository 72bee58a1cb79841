"""What the sandbox contains: the arguments of bubblewrap, on this machine, for this user.

Mounted read-only are the system's programs, Python and its packages, the library that is taught and
the kernel's own files. Nothing else is visible: no network, no other process, no submission, no
solution, no gradebook. The zygote runs in it. The folders that a submission may write to are made
by the zygote, in memory, limited in size, for that submission alone.
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
# Where the grader runs as root, each kernel gets a user ID of its own, which owns nothing on the
# machine. The IDs lie in a range that no system assigns, and one grading process has one kernel at
# a time.
FIRST_USER, USERS, MOST_PROCESSES = 1_900_000_000, 256, 2**22
KERNEL_COUNTER = itertools.count()
# What the zygote needs to create namespaces and to drop privileges in them. Where the grader is not
# root, these capabilities hold in the zygote's own user namespace only.
CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


def library() -> Path | None:
    """The folder of the library that is taught, from wherever this process imports it."""
    found = importlib.util.find_spec("softlookup")
    places = found.submodule_search_locations if found else None
    return Path(places[0]).resolve() if places else None


def python_folders() -> list[Path]:
    """The folders of Python, its packages and the library that is taught."""
    folders = {Path(sys.prefix), Path(sys.base_prefix), *filter(None, [library()])}
    shown = [Path("/usr")]
    for folder in sorted(folder.resolve() for folder in folders):
        if not any(folder.is_relative_to(other) for other in shown):
            shown.append(folder)
    return shown[1:]


def shown_with(path: Path) -> Path | None:
    """The folder that every submission can read in which a path lies; ``None`` if none can."""
    place = path.resolve()
    return next((f for f in (Path("/usr"), *python_folders()) if place.is_relative_to(f)), None)


def kernel_user() -> int | None:
    """A user ID for the next kernel, or ``None`` where the grader is not root.

    Consecutive kernels get different ones: processes that the system still counts for one user
    do not count for the next.
    """
    if os.geteuid() != 0:
        return None
    return FIRST_USER + next(KERNEL_COUNTER) % USERS * MOST_PROCESSES + os.getpid()


def bubblewrap_arguments() -> list[str]:
    """The arguments of bubblewrap, up to the command."""
    arguments = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    capabilities: tuple[str, ...] = CAPABILITIES
    if os.geteuid() != 0:
        # Root of a user namespace with this one user, so that it can create a submission's own.
        arguments += ["--unshare-user", "--uid", "0", "--gid", "0"]
        # To map its only user into another user namespace, where that user is not root.
        capabilities = (*CAPABILITIES, "CAP_SETFCAP")
    arguments += ["--cap-drop", "ALL"]
    for capability in capabilities:
        arguments += ["--cap-add", capability]
    arguments += ["--new-session", "--hostname", "sandbox", "--clearenv"]
    arguments += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    for name in ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"):
        arguments += ["--ro-bind-try", name, name]
    shown = {str(folder): str(folder) for folder in python_folders()}
    shown["/kernel/inside"] = str(HERE / "inside")
    # By default bubblewrap creates the parent folders for root alone.
    parents = {str(parent) for folder in shown for parent in Path(folder).parents} - {"/", "/usr"}
    for parent in sorted(parents):
        arguments += ["--perms", "0755", "--dir", parent]
    for inside, origin in shown.items():
        arguments += ["--ro-bind", origin, inside]
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    # To map /dev/zero is to have shared memory without a file, which no limit would count.
    arguments += ["--dev-bind", "/dev/null", "/dev/zero"]
    arguments += ["--remount-ro", "/dev"]
    # The zygote's own, for matplotlib's font cache; each submission mounts its own over it.
    arguments += ["--tmpfs", "/desk", "--dir", "/desk/.tmp", "--chdir", "/"]
    if not any(folder.is_relative_to("/tmp") for folder in python_folders()):
        arguments += ["--symlink", "desk/.tmp", "/tmp"]
    arguments += ["--remount-ro", "/"]
    for name, value in environment().items():
        arguments += ["--setenv", name, value]
    return arguments


def environment() -> dict[str, str]:
    """The environment of every process in the sandbox; nothing is inherited from this process."""
    taught = library()
    # What is installed is found without being told; a copy of the project elsewhere is not.
    told = (
        [taught.parent] if taught and not taught.is_relative_to(Path(sys.prefix).resolve()) else []
    )
    return {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "PYTHONPATH": ":".join(["/kernel", *map(str, told)]),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "HOME": "/desk",
        "TMPDIR": "/desk/.tmp",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        # A function that a student hands to torch.compile runs as it is: no compiler is here.
        "TORCHDYNAMO_DISABLE": "1",
    }


def unenclosed_environment() -> dict[str, str]:
    """The environment of a run without a sandbox: other folders, but otherwise the same."""
    folders = {"HOME": str(Path.home()), "TMPDIR": tempfile.gettempdir()}
    return environment() | folders | {"PYTHONPATH": str(HERE.parents[1])}


def bubblewrap_path() -> str | None:
    """The path of bubblewrap, if it is installed."""
    return shutil.which("bwrap")
