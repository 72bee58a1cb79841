"""All predictions of the book as question banks, among the site's downloads.

A teacher imports them into the system in which a course is held, Moodle or Canvas. They are written
when the book is, from the same trees as its pages.
"""

from pathlib import Path

from canvas import canvas_zip
from canvas import formula as for_canvas
from contents import Chapter, book_chapters
from moodle import formula as for_moodle
from moodle import moodle_xml
from questions import Formula, Question, questions_of
from sphinx.application import Sphinx

FOLDER = "downloads"
MOODLE, CANVAS = "predictions-moodle.xml", "predictions-canvas.zip"


def all_questions(app: Sphinx, formula: Formula) -> list[tuple[Chapter, list[Question]]]:
    """Each chapter with its predictions."""
    chapters = [
        (chapter, questions_of(app.env.get_doctree(chapter.docname), chapter, formula))
        for chapter in book_chapters(app)
    ]
    return [(chapter, questions) for chapter, questions in chapters if questions]


def write_banks(app: Sphinx, failed: Exception | None) -> None:
    """Write both banks into a finished build."""
    if failed is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    (folder / MOODLE).write_bytes(moodle_xml(all_questions(app, for_moodle)))
    (folder / CANVAS).write_bytes(canvas_zip(all_questions(app, for_canvas)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("build-finished", write_banks, priority=100)  # before the pages are repaired
    return {"parallel_read_safe": True, "parallel_write_safe": True}
