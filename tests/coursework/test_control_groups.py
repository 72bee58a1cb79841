"""Control groups on a simulated hierarchy of regular files: what is searched, written and read.

The last test checks, where the system has control groups, that the kernel enforces the limits.
"""

import pytest
from softlookup_coursework.commands import machine
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import control_groups
from softlookup_coursework.sandbox.channel import Channel, Ended
from softlookup_coursework.sandbox.sandbox import Sandbox

LIMITS = RunLimits(memory_bytes=400 * MEBIBYTE, processes=23)


@pytest.fixture
def hierarchy(tmp_path):
    """A hierarchy, and the file that names this process's group in it."""
    group = tmp_path / "mounted" / "user.slice" / "session"
    group.mkdir(parents=True)
    (group / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (group / "cgroup.subtree_control").write_text("")
    own = tmp_path / "cgroup"
    own.write_text("4:memory:/old\n0::/user.slice/session\n")
    return tmp_path / "mounted", own, group


def test_the_own_group_is_found_and_its_controllers_are_delegated(hierarchy, tmp_path):
    mounted, own, group = hierarchy
    assert control_groups.parent_group((tmp_path / "nothing", mounted), own) == group
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert [path for path in group.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("controllers", ["", "memory", "pids cpu", "hugetlb"])
def test_without_both_controllers_there_is_no_parent_group(hierarchy, controllers):
    mounted, own, group = hierarchy
    (group / "cgroup.controllers").write_text(controllers)
    assert control_groups.parent_group((mounted,), own) is None


def test_without_permission_to_create_groups_there_is_no_parent_group(hierarchy, tmp_path):
    mounted, own, group = hierarchy
    (group / "cgroup.subtree_control").unlink()
    (group / "cgroup.subtree_control").mkdir()
    assert control_groups.parent_group((mounted,), own) is None
    own.write_text("4:memory:/old\n")
    assert control_groups.parent_group((mounted,), own) is None
    assert control_groups.parent_group((mounted,), tmp_path / "absent") is None


def test_a_group_has_the_limits_and_reports_an_oom_kill(hierarchy):
    _, _, above = hierarchy
    group = control_groups.Group(above, LIMITS)
    group.add(4711)
    written = {path.name: path.read_text() for path in group.folder.iterdir()}
    assert written == {
        "memory.max": str(400 * MEBIBYTE), "memory.oom.group": "1", "memory.swap.max": "0",
        "pids.max": "24", "cgroup.procs": "4711",
    }  # fmt: skip
    assert not group.exceeded
    (group.folder / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 0\n")
    assert not group.exceeded
    (group.folder / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 3\n")
    assert group.exceeded
    for path in group.folder.iterdir():
        path.unlink()
    group.remove()
    assert not group.folder.exists()


def test_a_kernel_joins_its_group_and_an_oom_kill_decides_the_verdict(hierarchy, monkeypatch):
    _, _, above = hierarchy
    monkeypatch.setattr(control_groups, "parent_group", lambda: above)
    monkeypatch.setattr(control_groups.Group, "remove", lambda self: None)
    with Sandbox(LIMITS) as running:
        (group,) = [path for path in above.iterdir() if path.is_dir()]
        assert int((group / "cgroup.procs").read_text()) > running.first
        (group / "memory.events").write_text("oom_kill 1\n")
        with pytest.raises(Ended):
            Channel(running).run("import os; os._exit(9)")
        assert running.end_reason() is not None
        assert running.end_reason()[0] == Verdict.OUT_OF_MEMORY


def test_doctor_reports_how_memory_is_limited(monkeypatch, tmp_path):
    def memory():
        return next(fact for fact in machine.facts() if fact.name == "memory")

    monkeypatch.setattr(machine, "_kernel", lambda: machine.Fact("kernel", True, ""))
    monkeypatch.setattr(control_groups, "parent_group", lambda: tmp_path)
    assert memory().found == "limited by control groups, watched in /proc"
    monkeypatch.setattr(control_groups, "parent_group", lambda: None)
    assert memory().fine
    assert "watched in /proc, ten times a second" in memory().found


@pytest.mark.skipif(
    control_groups.parent_group() is None, reason="no control groups can be made here"
)
def test_the_kernel_kills_a_submission_that_uses_too_much_memory():
    with Sandbox(LIMITS) as running:
        with pytest.raises(Ended):
            Channel(running).run("hoard = bytes(1) * 450_000_000; import time; time.sleep(60)")
        assert running.end_reason()[0] == Verdict.OUT_OF_MEMORY
