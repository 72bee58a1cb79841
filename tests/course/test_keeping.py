"""What a part or a run found is kept beside the others, and nothing of other terms."""

import json

import pytest
from softlookup.course.keeping import keep_parts, keep_run


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store.json"


def read(store):
    return json.loads(store.read_text(encoding="utf-8"))


def test_parts_are_kept_in_their_order_whichever_was_run_last(store):
    parts = {"one": lambda: 1, "two": lambda: {"ü": 0.5}, "three": lambda: 3}
    keep_parts(store, parts)
    keep_parts(store, parts | {"one": lambda: 10}, ["one"])
    assert [*read(store).items()] == [("one", 10), ("two", {"ü": 0.5}), ("three", 3)]
    assert "ü" in store.read_text(encoding="utf-8")


def test_what_is_no_longer_a_part_is_dropped(store):
    keep_parts(store, {"one": lambda: 1, "two": lambda: 2})
    keep_parts(store, {"two": lambda: 2, "three": lambda: 3}, ["three"])
    assert read(store) == {"two": 2, "three": 3}


def test_what_another_process_stored_meanwhile_is_not_lost(store):
    def slow():
        store.write_text('{"two": 2}', encoding="utf-8")
        return 1

    keep_parts(store, {"one": slow, "two": lambda: 0}, ["one"])
    assert read(store) == {"one": 1, "two": 2}


def test_an_unknown_part_is_refused_before_any_is_run(store):
    with pytest.raises(ValueError, match="there is no part 'four'; expected some of one"):
        keep_parts(store, {"one": lambda: 1}, ["one", "four"])
    assert not store.exists()


def test_runs_on_the_same_terms_stand_beside_each_other(store):
    for part, name, found in (("b", "x", 1), ("a", "x", 2), ("b", "y", 3), ("b", "x", 4)):
        keep_run(store, part, {"seeds": (0, 1)}, name, found)
    assert [*read(store)] == ["a", "b"]
    assert read(store)["b"] == {"terms": {"seeds": [0, 1]}, "runs": {"x": 4, "y": 3}}


def test_a_run_on_other_terms_drops_those_before_it(store):
    keep_run(store, "a", {"steps": 100}, "x", 1)
    keep_run(store, "a", {"steps": 200}, "y", 2)
    assert read(store)["a"] == {"terms": {"steps": 200}, "runs": {"y": 2}}
