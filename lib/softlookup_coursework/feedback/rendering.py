"""Renders what students wrote, in a child process of limited time and memory.

Markdown of a few thousand characters can keep a parser busy for minutes and fill gigabytes. Here it
costs the teacher's process a few milliseconds: ``limited`` renders it, and what takes too much is
shown as it was typed, with a sentence that says so.
"""

import json
import subprocess
import sys
from types import TracebackType
from typing import Literal, Self

from markupsafe import Markup, escape

from softlookup_coursework.feedback import as_typed

Form = Literal["html", "markdown", "code"]
# Of what one student wrote: the CPU time of all texts together, and the characters that are shown.
PAGE_SECONDS, PAGE_CHARACTERS = 10.0, 400_000
LONG = f"the texts before it have {PAGE_CHARACTERS:,} characters"
BUSY = "the texts before it took too long to be drawn"


class Renderer:
    """Renders texts, from ``with`` to the end of the block.

    Attributes:
        seconds: the CPU time that is left for this student's texts.
        characters: the characters that are left for them.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None
        self._known: dict[tuple[str, str], Markup] = {}
        self.begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def begin(self) -> None:
        """Begin with another student, who has all the time anew."""
        self.seconds, self.characters = PAGE_SECONDS, PAGE_CHARACTERS

    def given(self, form: Form, text: str) -> Markup:
        """Render a text of the assignment's own, which is the same in all notebooks."""
        if (form, text) not in self._known:
            self._known[form, text] = self._ask(form, text)
        return self._known[form, text]

    def __call__(self, form: Form, text: str) -> Markup:
        """Render a text of a student's.

        Args:
            form: ``html`` and ``markdown`` render Markdown, for a page or for a notebook; ``code``
                highlights Python.
            text: anything at all.
        """
        self.characters -= len(text)
        if self.characters < 0:
            return as_typed.left_out(form, LONG)
        if self.seconds <= 0:
            return as_typed.typed(form, text, BUSY)
        return self._ask(form, text)

    def plain(self, text: str) -> Markup:
        """Show a text of a student's as it was typed; it counts as those do that are rendered."""
        self.characters -= len(text)
        if self.characters < 0:
            return as_typed.left_out("code", LONG)
        return escape(text)

    def _ask(self, form: Form, text: str) -> Markup:
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps([form, text]) + "\n")
            child.stdin.flush()
            line = child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._end()
            self.seconds -= PAGE_SECONDS / 2
            return as_typed.typed(form, text, "it cannot be drawn within its limits")
        answer = json.loads(line)
        self.seconds -= answer["seconds"]
        if "why" in answer:
            return as_typed.typed(form, text, answer["why"])
        # `limited` has escaped what the student wrote.
        return Markup(answer["html"])

    def _start(self) -> subprocess.Popen[str]:
        # `-P`: the folder in which the teacher stands holds files of students.
        command = [sys.executable, "-P", "-m", "softlookup_coursework.feedback.limited"]
        pipe = subprocess.PIPE
        child = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self._child = child
        if child.stdout is None or not child.stdout.readline():
            self._end()
            raise OSError("what draws students' texts does not start; its message is above")
        return child

    def _end(self) -> None:
        if self._child:
            self._child.kill()
            self._child.communicate()
            self._child = None
