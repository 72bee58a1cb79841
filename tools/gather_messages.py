"""Gather the messages of the program that builds this book, in English and in French.

    python tools/gather_messages.py

writes ``lib/softlookup/data/messages.txt``: the translator's real sentences, taken from Sphinx's
own French catalogue, which its volunteers have written. The chapter on encoder and decoder rests
on the bytes of that file, so nothing makes it by itself; enter the digest that is printed here in
``softlookup.data.messages``, and go through that chapter's numbers.

What is kept of a catalogue: messages of 2 to 12 words and marks, translated by 1 to 16, in lower
case, without brackets, quotation marks and the mark at the end. A gap that the program fills in
(``%s``, ``{name}``) is the word "…". Left out are messages with markup, paths, options with an
underscore, or a second line.
"""

import gettext
import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "lib" / "softlookup" / "data" / "messages.txt"
GAP = re.compile(r"%\([^)]*\)[srd]|%[srd]|\{[^}]*\}")
# A French article or pronoun keeps its apostrophe: l' index.
ENGLISH = re.compile(r"…|[\w\-]+(?:[.']\w+)*|[^\w\s]")
FRENCH = re.compile(r"…|[^\W\d_]+'(?=\w)|[\w\-]+(?:\.\w+)*|[^\w\s]")
MARKUP = set("`\n\\<>$=|/*_@")
BRACKETS = set("\"'()[]«»“”")
AT_THE_END = set(".:!;,")
PLAIN = str.maketrans({"’": "'", "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})

HEAD = """\
# Messages of Sphinx {version} in English and in French: tools/gather_messages.py made this file of
# sphinx/locale/fr/LC_MESSAGES/sphinx.mo, whose translators the catalogue beside it names.
# In words, marks apart, between the languages a tab. Sphinx and its catalogues are licensed so:
#
# Copyright (c) 2007-2024 by the Sphinx team (see AUTHORS file). All rights reserved.
#
# Redistribution and use in source and binary forms, with or without modification, are permitted
# provided that the following conditions are met:
#
# * Redistributions of source code must retain the above copyright notice, this list of conditions
#   and the following disclaimer.
# * Redistributions in binary form must reproduce the above copyright notice, this list of
#   conditions and the following disclaimer in the documentation and/or other materials provided
#   with the distribution.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
# IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
# FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
# CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
# DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
# DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER
# IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
# OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""


def catalogue() -> dict[str, str]:
    """The French catalogue: from each message in English to its translation."""
    place = files("sphinx") / "locale" / "fr" / "LC_MESSAGES" / "sphinx.mo"
    with place.open("rb") as file:
        entries = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return {
        english[0] if isinstance(english, tuple) else english: french
        for english, french in entries.items()
    }


def words(message: str, pattern: re.Pattern[str]) -> list[str]:
    """A message in words and marks, without the marks at its end."""
    found = pattern.findall(GAP.sub(" … ", message).translate(PLAIN).lower())
    kept = [word for word in found if word not in BRACKETS]
    while kept and kept[-1] in AT_THE_END:
        kept.pop()
    return kept


def lines(entries: Iterable[tuple[str, str]]) -> list[str]:
    """The messages that are kept, each in a line; of two with one English the first."""
    kept: dict[str, str] = {}
    for english, french in sorted(entries):
        if not french or english == french or MARKUP & set(english + french):
            continue
        source, target = words(english, ENGLISH), words(french, FRENCH)
        if 2 <= len(source) <= 12 and 1 <= len(target) <= 16:
            kept.setdefault(" ".join(source), " ".join(target))
    return [f"{source}\t{target}" for source, target in sorted(kept.items())]


def main() -> None:
    """Write the file, and say its digest."""
    kept = lines(catalogue().items())
    FILE.write_text(
        HEAD.format(version=version("sphinx")) + "\n".join(kept) + "\n",
        encoding="utf-8",
        newline="\n",
    )
    print(f"{len(kept)} messages, SHA-256 {hashlib.sha256(FILE.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
