"""The sandbox as an ordinary user: if the suite runs as root, some of it runs again as one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from softlookup_coursework.sandbox import enclosure

ROOT = Path(__file__).parents[2]
NOBODY = 61234
SMOKE = (
    "has_its_resource_limits or has_no_privileges or only_its_own_folder or nothing_of_the_machine"
    " or server_on_this_machine or finds_this_machine_fit or first_process_cannot or counted_twice"
    " or no_file_tells"
)
TO_INSTALL = """
This machine cannot run the sandbox for an ordinary user. It needs
- bubblewrap 0.8 or newer and setpriv (on Debian: apt-get install bubblewrap util-linux);
- user namespaces for ordinary users: sysctl kernel.unprivileged_userns_clone=1 and
  user.max_user_namespaces=10000; on Ubuntu an AppArmor profile for bwrap, or
  sysctl kernel.apparmor_restrict_unprivileged_userns=0.
"""


def covers():
    """bubblewrap's arguments to make Python readable for everybody, and no other file of root's."""
    arguments, covered = [], set()
    for folder in [*enclosure.python_folders(), ROOT]:
        above = list(reversed(folder.parents))
        closed = [place for place in above if not place.stat().st_mode & 1]
        if not closed:
            continue
        if closed[0] not in covered:
            covered.add(closed[0])
            arguments += ["--perms", "0755", "--tmpfs", str(closed[0])]
        for place in above[above.index(closed[0]) + 1 :]:
            arguments += ["--perms", "0755", "--dir", str(place)]
        arguments += ["--ro-bind", str(folder), str(folder)]
    return arguments


@pytest.mark.skipif(os.geteuid() != 0, reason="the whole suite runs as an ordinary user already")
def test_the_sandbox_works_for_an_ordinary_user(tmp_path_factory):
    for needed in ("bwrap", "setpriv"):
        assert shutil.which(needed), f"{needed} is not installed.{TO_INSTALL}"
    # Not below the suite's own folder, which only root may read.
    folder = Path(subprocess.check_output(["mktemp", "--directory"], text=True).strip())
    try:
        os.chown(folder, NOBODY, NOBODY)
        user = ["--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
        ran = subprocess.run(
            [
                *("bwrap", "--dev-bind", "/", "/", *covers(), "--chdir", str(ROOT)),
                *("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "setpriv", *user),
                *("env", f"HOME={folder}", f"TMPDIR={folder}", "PYTHONDONTWRITEBYTECODE=1"),
                *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"),
                *("-k", SMOKE, f"--basetemp={folder}/pytest"),
                *("tests/coursework/test_sandbox.py", "tests/coursework/test_zygote.py"),
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
        )
    finally:
        shutil.rmtree(folder)
    output = f"{ran.stdout[-5000:]}\n{ran.stderr[-2000:]}\n{TO_INSTALL}"
    assert ran.returncode == 0, output
    assert "9 passed" in ran.stdout, output
