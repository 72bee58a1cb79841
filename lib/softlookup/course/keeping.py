"""Keeps what a long script found in the script's store, a file of JSON, part by part or run by run.

The store is read anew each time: another process may have stored its part while this one trained.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any


def keep_parts(
    store: Path, parts: Mapping[str, Callable[[], object]], names: Sequence[str] = ()
) -> None:
    """Run the parts that are named, or all of them, and keep what each found beside the others.

    Args:
        store: the file; in it the parts stand in the order of ``parts``.
        parts: what to run, by name.
        names: of the parts to run.

    Raises:
        ValueError: if there is no part of such a name.
    """
    if unknown := sorted({*names} - {*parts}):
        raise ValueError(f"there is no part {unknown[0]!r}; expected some of {', '.join(parts)}")
    for name in names or parts:
        found = parts[name]()
        print(name, json.dumps(found), flush=True)
        kept = _read(store) | {name: found}
        _write(store, {each: kept[each] for each in parts if each in kept})


def keep_run(store: Path, part: str, terms: object, name: str, found: object) -> None:
    """Keep a run of a part beside all its other runs on the same terms.

    Args:
        store: the file; in it the parts stand in alphabetical order.
        part: the run's part.
        terms: on which the part is run. If other ones are stored, its other runs are dropped.
        name: of the run.
        found: what came out.
    """
    terms, stored = json.loads(json.dumps(terms)), _read(store)
    kept = stored.get(part, {})
    runs = kept["runs"] if kept.get("terms") == terms else {}
    stored[part] = {"terms": terms, "runs": runs | {name: found}}
    _write(store, dict(sorted(stored.items())))


def _read(store: Path) -> dict[str, Any]:
    return dict(json.loads(store.read_text(encoding="utf-8"))) if store.exists() else {}


def _write(store: Path, kept: Mapping[str, object]) -> None:
    store.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
