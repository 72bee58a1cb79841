"""The messages are gathered from the catalogue that the pinned Sphinx ships."""

from importlib.metadata import version

import gather_messages
import pytest
from gather_messages import ENGLISH, FRENCH, lines, words


def test_a_message_becomes_words():
    assert words("writing %(name)s to '%s'... ", ENGLISH) == ["writing", "…", "to", "…"]
    assert words("Fichier d’index « %s » : l\N{NO-BREAK SPACE}index.", FRENCH) == [
        *("fichier", "d'", "index", "…", ":", "l", "index")
    ]
    assert words("[%s] isn't conf.py!", ENGLISH) == ["…", "isn't", "conf.py"]


def test_only_plain_sentences_are_kept():
    entries = [
        ("no file %r found", "aucun fichier %r"),
        ("No file %s found.", "fichier absent"),
        ("the same", "the same"),
        ("see :ref:`this` page", "voir la page"),
        ("one", "un"),
        ("not translated yet", ""),
    ]
    assert lines(entries) == ["no file … found\tfichier absent"]


def test_the_stored_messages_are_those_of_the_catalogue():
    if version("sphinx") != "7.4.7":
        pytest.skip("another Sphinx than the one whose messages are stored")
    kept = [each for each in gather_messages.FILE.read_text("utf-8").splitlines() if each[0] != "#"]
    assert lines(gather_messages.catalogue().items()) == kept
