"""Control groups on a simulated hierarchy of regular files: what is searched, written and read.

The last test checks, where the system has control groups, that the kernel enforces the limits.
"""

import errno
import os

import hostile_bank as bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.commands import batches, machine
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.sandbox import control_groups, held
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
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
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
        "pids.max": "24", "cgroup.procs": "4711", "cpu.weight": "100",
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


class Busy:
    """A kernel that gives no controllers to the children of a group that holds processes."""

    def __init__(self, group):
        self.procs, self.asked = group / "cgroup.procs", []
        self.procs.write_text("4711\n4712\n4713\n")

    def write(self, path, text):
        listed = self.procs.read_text().split()
        self.asked.append((path.name, text))
        if path.name == "cgroup.subtree_control" and listed:
            raise OSError(errno.EBUSY, "Device or resource busy")
        if path.name == "cgroup.procs":
            listed.remove(text)
            self.procs.write_text("\n".join(listed))
            if text == "4712":
                raise ProcessLookupError
        path.write_text(text)


def test_in_a_delegated_group_the_graders_move_into_a_leaf(hierarchy, monkeypatch):
    mounted, own, group = hierarchy
    busy = Busy(group)
    monkeypatch.setattr(control_groups, "_write", busy.write)
    monkeypatch.setattr(control_groups.os, "getxattr", lambda _, name: _delegated(name))
    assert control_groups.parent_group((mounted,), own) == group
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    moved = [text for name, text in busy.asked if name == "cgroup.procs"]
    assert moved == ["4711", "4712", "4713"]
    # A grader finds the same group from its leaf.
    own.write_text(f"0::/user.slice/session/{control_groups.LEAF}\n")
    (group / "cgroup.subtree_control").write_text("memory pids cpu\n")
    assert control_groups.parent_group((mounted,), own) == group
    assert control_groups.shares_processor(group)


def _delegated(name):
    if name != "user.delegate":
        raise OSError(errno.ENODATA, "No data available")
    return b"1"


SYSTEMCTL = """#!/bin/sh
[ "$*" = "{}show --property=Delegate --value -- run-7.scope" ] && echo {}
"""


@pytest.mark.parametrize(
    ("folder", "option", "said", "delegated"),
    [
        (f"user@{os.geteuid()}.service/app.slice", "--user ", "yes", True),
        (f"user@{os.geteuid()}.service/app.slice", "--user ", "no", False),
        ("user@4711.service/app.slice", "--user ", "yes", False),  # somebody else's
        ("system.slice", "", "yes", True),
        ("system.slice", "", "no", False),
    ],
)
def test_where_nothing_marks_a_group_its_manager_is_asked(
    folder, option, said, delegated, tmp_path, monkeypatch
):
    group = tmp_path / "mounted" / folder / "run-7.scope"
    group.mkdir(parents=True)
    command = tmp_path / "systemctl"
    command.write_text(SYSTEMCTL.format(option, said))
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert control_groups._is_delegated(group) is delegated
    command.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not control_groups._is_delegated(group)


def test_the_processes_of_a_group_that_is_not_delegated_stay(hierarchy, monkeypatch):
    mounted, own, group = hierarchy
    busy = Busy(group)
    monkeypatch.setattr(control_groups, "_write", busy.write)
    assert control_groups.parent_group((mounted,), own) is None
    assert busy.procs.read_text().split() == ["4711", "4712", "4713"]


def test_what_the_kernel_does_not_hold_is_told(hierarchy):
    _, _, group = hierarchy
    assert held.not_held(None, by_session=False) == (held.MEMORY, held.PROCESSOR)
    assert held.not_held(None, by_session=True) == (held.MEMORY,)
    assert held.not_held(group, by_session=False) == (held.PROCESSOR,)
    (group / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert held.not_held(group, by_session=False) == ()


@pytest.mark.parametrize(
    ("switch", "groups", "weights", "shared"),
    [
        ("1", "1:cpu,cpuacct:/\n0::/", [], True),
        ("0", "1:cpu,cpuacct:/\n0::/", [], False),
        ("1", "1:cpu,cpuacct:/a/b\n0::/", [], False),
        ("1", "0::/a/b", [], True),
        ("1", "0::/a/b", ["a/b"], False),
        ("1", "0::/a/b", ["a"], False),
        ("1", "0::/", ["."], False),  # a container's own root
        ("1", "4:memory:/old\n0::/a/b", ["c"], True),
    ],
)
def test_sessions_share_the_processor_only_in_the_root_group(
    tmp_path, switch, groups, weights, shared
):
    autogroup, own, mounted = (tmp_path / name for name in ("on", "own", "mounted"))
    autogroup.write_text(f"{switch}\n")
    own.write_text(f"{groups}\n")
    (mounted / "a" / "b").mkdir(parents=True)
    for folder in weights:
        (mounted / folder).mkdir(exist_ok=True)
        (mounted / folder / "cpu.weight").write_text("100\n")
    assert held.sessions_share_the_processor(autogroup, own, (mounted,)) == shared
    assert not held.sessions_share_the_processor(tmp_path / "absent", own, (mounted,))


def test_a_result_says_what_was_not_held_and_the_commands_repeat_it(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(held, "not_held", lambda *_: (held.MEMORY,))
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    result = grade(assignment, bank.write_submission(tmp_path / "good", bank.cells()))
    assert result.not_held == (held.MEMORY,)
    result.write(tmp_path / "result.json")
    assert Result.read(tmp_path / "result.json").not_held == (held.MEMORY,)
    batches._say_what_was_not_held([result, Result(Verdict.UNREADABLE, ""), result])
    printed = " ".join(capsys.readouterr().out.split())
    assert printed == f"Not held by the kernel where this was graded: {held.MEMORY}."


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
