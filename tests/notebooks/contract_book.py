"""What the chapters owe each other: nothing is used before it is taught, or taught twice."""

import ast
import re
from collections import Counter
from pathlib import Path

import yaml
from chapters import ROOT, prose, tags
from contract_kept import cited
from contract_outputs import claims_of


def repeated(names):
    return [name for name, count in Counter(names).items() if count > 1]


def claim_ids_repeat(chapters):
    """A claim's id is never used again."""
    return repeated(line.split()[1] for chapter in chapters for line in claims_of(chapter))


def taught_twice(chapters):
    """A concept has one home."""
    return repeated(concept for chapter in chapters for concept in chapter.metadata["teaches"])


def prerequisites_of(chapter, by_id):
    """The chapters that one has to know, and those that these need, and so on."""
    found = set()
    waiting = [*chapter.metadata["prerequisites"]]
    while waiting:
        found.add(each := waiting.pop())
        waiting += [p for p in by_id[each].metadata["prerequisites"] if p not in found]
    return found


def used_out_of_turn(chapters):
    """A chapter names a concept only if it stands on the chapter that teaches it.

    It may look ahead: where it names a concept first, it names the later chapter too.
    """
    by_id = {chapter.id: chapter for chapter in chapters}
    faults = []
    for chapter in chapters:
        known = prerequisites_of(chapter, by_id) | {chapter.id}
        for teacher in chapters:
            if teacher.id in known:
                continue
            ahead = re.compile(rf"\bchapters? (?:\d+(?:,| and| to) )*{teacher.number}\b", re.I)
            for concept in teacher.metadata["teaches"]:
                word = re.compile(rf"\b{re.escape(concept)}\b", re.I)
                uses = (cell.source for cell in chapter.markdown if word.search(prose(cell.source)))
                first = next(uses, None)
                if first and not ahead.search(first):
                    faults.append(
                        f"{chapter.id} uses {concept!r}, which {teacher.id} teaches, "
                        f"in the cell that begins {first[:40]!r}"
                    )
    return faults


def defined_twice(chapters):
    """What two chapters define alike belongs to the library."""
    places = {}
    for chapter in chapters:
        for cell in chapter.code:
            if any(tag.startswith(("exercise:", "solution:")) for tag in tags(cell)):
                continue
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    places.setdefault(ast.dump(node), set()).add(f"{chapter.id}: {node.name}")
    return [sorted(where) for where in places.values() if len(where) > 1]


def cited_but_never_stated(chapters):
    """What a chapter cites is a claim of the book."""
    stated = {line.split()[1] for chapter in chapters for line in claims_of(chapter)}
    return [
        f"{chapter.id} cites {claim_id}, which no chapter states"
        for chapter in chapters
        for ids in (
            *(cited(cell.source) for cell in chapter.markdown),
            *(cell.metadata.get("softlookup", {}).get("shows", []) for cell in chapter.code),
        )
        for claim_id in ids
        if claim_id not in stated
    ]


def parts_without_measurement(chapters):
    """In each part of the book there is an exercise in which the learner measures."""
    measuring = {
        chapter.id: any(
            re.search(r"^\*Measure, about", cell.source, re.M) for cell in chapter.markdown
        )
        for chapter in chapters
    }
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    faults = []
    for part in contents["parts"]:
        ids = {Path(each["file"]).name for each in part["chapters"]} & measuring.keys()
        if ids and not any(measuring[each] for each in ids):
            faults.append(f"{part['caption']!r} has no exercise of the kind 'Measure'")
    return faults


CHECKS = [
    *(cited_but_never_stated, claim_ids_repeat, taught_twice, used_out_of_turn, defined_twice),
    parts_without_measurement,
]
