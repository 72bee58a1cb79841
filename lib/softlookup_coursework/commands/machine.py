"""What this machine has and lacks to grade safely, as ``doctor`` reports it."""

import importlib.util
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.sandbox import control_groups, enclosure, held, seccomp
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox

OLDEST_BUBBLEWRAP = (0, 8)


@dataclass(frozen=True)
class Fact:
    """One thing that grading needs: whether it is there, what was found, and what to do."""

    name: str
    fine: bool
    found: str
    remedy: str = ""


def facts() -> list[Fact]:
    """What this machine has, in the order in which one would fix it."""
    found = [_system(), _bubblewrap(), _namespaces(), _memory(), _processor(), _packages()]
    return [*found, _kernel()] if all(fact.fine for fact in found) else found


def not_held() -> tuple[str, ...]:
    """The limits that the kernel itself does not hold on this machine, in words."""
    return held.here()


def _system() -> Fact:
    system, machine = platform.system(), platform.machine()
    fine = system == "Linux" and machine in seccomp.ARCHITECTURES
    remedy = "grade on Linux, on x86_64 or aarch64 (a virtual machine will do)"
    return Fact("system", fine, f"{system} {machine}", "" if fine else remedy)


def _bubblewrap() -> Fact:
    remedy = "install bubblewrap 0.8 or newer; on Debian: apt-get install bubblewrap"
    path = enclosure.bubblewrap_path()
    if path is None:
        return Fact("bubblewrap", False, "not installed", remedy)
    version = subprocess.run(
        [path, "--version"], capture_output=True, text=True, check=False
    ).stdout
    last = version.split()[-1] if version else ""
    numbers = tuple(int(n) for n in last.split(".") if n.isdigit())
    fine = numbers >= OLDEST_BUBBLEWRAP
    return Fact("bubblewrap", fine, version.strip() or path, "" if fine else remedy)


def _namespaces() -> Fact:
    """Whether ``true`` runs in bubblewrap's sandbox."""
    remedy = (
        "let this user make user namespaces: sysctl kernel.unprivileged_userns_clone=1, "
        "user.max_user_namespaces=10000, and on Ubuntu an AppArmor profile for bwrap"
    )
    path = enclosure.bubblewrap_path()
    if path is None:
        return Fact("namespaces", False, "not tried without bubblewrap", remedy)
    command = [path, *enclosure.bubblewrap_arguments(), "/usr/bin/true"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    fine = ran.returncode == 0
    return Fact("namespaces", fine, ran.stderr.strip() or "granted", "" if fine else remedy)


def _memory() -> Fact:
    """How memory is limited: by control groups, or by the watcher alone."""
    seen = Path("/proc/thread-self/smaps_rollup").is_file()
    if not seen:
        remedy = "use a kernel with /proc/<pid>/task/<tid>/smaps_rollup and CONFIG_PROC_CHILDREN"
        return Fact("memory", False, "unseen", remedy)
    if control_groups.parent_group():
        return Fact("memory", True, "limited by control groups, watched in /proc")
    # Control groups of version 2 that this user may create are better but not required.
    return Fact("memory", True, "watched in /proc, ten times a second")


def _processor() -> Fact:
    """How the processor is shared out among submissions."""
    group = control_groups.parent_group()
    if group and control_groups.shares_processor(group):
        found = "shared out by control groups"
    elif held.sessions_share_the_processor():
        found = "shared out by session"
    else:
        found = "crowds give way, when they are seen"
    return Fact("processor", True, found)


def _packages() -> Fact:
    wanted = ("torch", "numpy", "IPython", "matplotlib_inline", "softlookup")
    lacking = [name for name in wanted if importlib.util.find_spec(name) is None]
    found = f"without {', '.join(lacking)}" if lacking else "installed"
    remedy = "pip install 'softlookup[coursework]'" if lacking else ""
    return Fact("packages", not lacking, found, remedy)


def _kernel() -> Fact:
    """Whether a whole kernel starts in its sandbox."""
    try:
        with Sandbox(RunLimits()):
            return Fact("kernel", True, "starts in its sandbox")
    except NoSandbox as error:
        return Fact("kernel", False, str(error)[:500], "fix what it says, then run doctor again")
