"""Renders texts in a process of its own, of limited time and memory: see ``rendering``.

::

    python -m softlookup_coursework.feedback.limited

It says that it is ready. Then each line that it reads holds a form and a text, and each that it
writes the HTML and the CPU time that it took; or instead of the HTML why there is none.
"""

import json
import resource
import signal
import sys
import time
from typing import Any

from softlookup_coursework.feedback import markup

FORMS = {"html": markup.to_html, "markdown": markup.to_markdown, "code": markup.highlighted}
# For one text. A handler ends it after the first; a call in C cannot be interrupted, and the kernel
# ends the process after the second.
TEXT_SECONDS, KILL_SECONDS = 2.0, 5
MEMORY = 512 * 2**20
READY = "ready\n"


class TooSlow(Exception):  # noqa: N818
    """Raised when a text has taken its time."""


def _too_slow(*_: Any) -> None:
    raise TooSlow


def serve() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGPROF, _too_slow)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    with open("/proc/self/statm", encoding="ascii") as facts:  # noqa: PTH123
        pages = int(facts.read().split()[0])
    memory = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.stdout.write(READY)
    sys.stdout.flush()
    for line in sys.stdin:
        form, text = json.loads(line)
        started = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(started) + KILL_SECONDS, most))
        answer = _render(form, text)
        answer["seconds"] = time.process_time() - started
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _render(form: str, text: str) -> dict[str, Any]:
    try:
        signal.setitimer(signal.ITIMER_PROF, TEXT_SECONDS)
        try:
            return {"html": str(FORMS[form](text))}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except TooSlow:
        return {"why": "it takes too long to be drawn"}
    except (MemoryError, RecursionError):
        return {"why": "it takes too much memory to be drawn"}


if __name__ == "__main__":
    serve()
