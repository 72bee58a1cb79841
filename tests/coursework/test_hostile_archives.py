"""Every hostile archive becomes a row of the report, and the good submissions in it are taken."""

import hostile_archives
import pytest
from hostile_course import snapshot
from softlookup_coursework.intake.collect import collect


@pytest.mark.parametrize("made", hostile_archives.MADE, ids=lambda made: made.name)
def test_a_hostile_archive_is_refused_in_a_row(made, tmp_path):
    neighbour = tmp_path / "neighbour"
    neighbour.mkdir()
    (neighbour / "attention.ipynb").write_bytes(hostile_archives.GOOD)
    path = tmp_path / "handed_in.zip"
    made.make(path)
    before = snapshot(tmp_path)
    rows = {row.student: row for row in collect(path, "attention", tmp_path / "taken")}
    for student in ("aaa", "zzz"):
        assert rows.pop(student).taken == "taken"
        stored = tmp_path / "taken" / student / "notebook.ipynb"
        assert stored.read_bytes() == hostile_archives.GOOD
    assert rows
    for row in rows.values():
        assert row.taken == made.verdict
        assert made.says in row.why
        assert row.student.isprintable()
    new = snapshot(tmp_path).keys() - before.keys()
    assert {path.relative_to(tmp_path).parts[0] for path in new} == {"taken"}
    below = {path.relative_to(tmp_path).parts[1] for path in new if path.parent != tmp_path}
    assert below == {"aaa", "zzz"} | ({row.student} if made.verdict == "taken" else set())
