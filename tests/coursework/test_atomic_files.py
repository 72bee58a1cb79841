"""A file is whole before it has its name, on the disk too."""

import os
from pathlib import Path

import pytest
from softlookup_coursework.common.atomic_files import write_atomically


@pytest.fixture
def order(monkeypatch):
    """What is done to files, in the order in which it is done."""
    done = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor):
        done.append(("to the disk", os.fstat(descriptor).st_size))
        fsync(descriptor)

    def noted_replace(path, target):
        done.append(("named", target.name))
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    return done


def test_the_content_is_on_the_disk_before_the_file_has_its_name(order, tmp_path):
    path = write_atomically(tmp_path / "marks.csv", "Ada,10\n")
    assert order == [("to the disk", 7), ("named", "marks.csv")]
    assert path.read_text("utf-8") == "Ada,10\n"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(monkeypatch, tmp_path):
    path = write_atomically(tmp_path / "marks.csv", "old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text("utf-8") == "old"
    assert [*tmp_path.iterdir()] == [path]
