"""The directives ``assignment`` and ``syllabus``: what teachers are told, read from the sources.

``assignment`` names a folder of ``notebooks/coursework`` and says what it asks: its points, hours,
goals and what it builds on stand in its notebook; what a term draws, in the docstring of ``draw``.
``syllabus`` has a line a week, ``03 04 | multi_head``: the chapters to read, by number, and the
assignment to work on. A week that asks for what no week before has taught is an error.
"""

from pathlib import Path

from contents import Chapter, book_chapters
from course_plan import Week, count_exercises, plan, read_assignment
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

HEADINGS = ("Week", "Read", "Exercises", "Assignment", "Hours")


class AssignmentFacts(SphinxDirective):
    """What an assignment asks; its heading is the page's."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        folder = Path(self.env.srcdir, "notebooks", "coursework", self.arguments[0])
        for name in (f"{folder.name}.ipynb", "parameters.py"):
            self.env.note_dependency(str(folder / name))
        told = read_assignment(folder)
        facts = nodes.paragraph("", ids=[f"assignment-{told.name}"], classes=["assignment-facts"])
        tests = told.points - told.by_hand
        facts += nodes.literal(text=told.name)
        facts += nodes.Text(
            f": {told.points:g} points, {tests:g} from tests and {told.by_hand:g} by hand; "
            f"about {told.hours:g} hours; after chapters "
        )
        chapters = [c for c in book_chapters(self.env.app) if c.number in told.after]
        for place, chapter in enumerate(chapters):
            last = place == len(chapters) - 1
            facts += nodes.Text("" if not place else " and " if last else ", ")
            facts += _link(self, chapter.docname, str(chapter.number))
        facts += nodes.Text(".")
        goals = nodes.bullet_list()
        goals += [nodes.list_item("", nodes.paragraph(text=goal)) for goal in told.goals]
        return [facts, goals, nodes.paragraph(text=f"Drawn each term: {told.drawn}")]


class Syllabus(SphinxDirective):
    """A table of weeks, with the sum of its hours."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        sources = sorted(Path(self.env.srcdir, "notebooks", "coursework").glob("*/parameters.py"))
        chapters = book_chapters(self.env.app)
        for path in sources:
            self.env.note_dependency(str(path.with_name(f"{path.parent.name}.ipynb")))
        try:
            known = [read_assignment(path.parent) for path in sources]
            weeks = plan([line for line in self.content if line.strip()], chapters, known)
        except (KeyError, ValueError) as error:
            raise self.error(f"this syllabus cannot be: {error}") from error
        head, body = nodes.thead(), nodes.tbody()
        head += _row([[nodes.Text(heading)] for heading in HEADINGS])
        for number, week in enumerate(weeks, start=1):
            body += _row(self._cells(number, week))
        exercises = sum(self._exercises(c) for week in weeks for c in week.chapters)
        hours = sum(week.hours for week in weeks)
        sums = ["", "in all", str(exercises), "", f"{hours:.0f}"]
        body += _row([[nodes.strong(text=text)] for text in sums])
        group = nodes.tgroup(cols=len(HEADINGS))
        group += [nodes.colspec(colwidth=width) for width in (8, 44, 12, 26, 10)]
        group += [head, body]
        return [nodes.table("", group, classes=["syllabus"])]

    def _cells(self, number: int, week: Week) -> list[list[nodes.Node]]:
        read: list[nodes.Node] = []
        for chapter in week.chapters:
            title = f"{chapter.number} {chapter.title}"
            read += [nodes.Text("; ")] if read else []
            read += [_link(self, chapter.docname, title)]
        exercises = sum(self._exercises(chapter) for chapter in week.chapters)
        work: list[nodes.Node] = []
        if week.assignment:
            address = f"#assignment-{week.assignment.name}"
            work = [nodes.reference("", week.assignment.title, internal=True, refuri=address)]
        texts = [str(number), str(exercises or ""), f"{week.hours:.1f}"]
        first, count, hours = ([nodes.Text(text)] for text in texts)
        return [first, read, count, work, hours]

    def _exercises(self, chapter: Chapter) -> int:
        return count_exercises(Path(self.env.srcdir, f"{chapter.docname}.ipynb"))


def _link(directive: SphinxDirective, docname: str, text: str) -> nodes.reference:
    builder = directive.env.app.builder
    address = builder.get_relative_uri(directive.env.docname, docname)
    return nodes.reference("", text, internal=True, refuri=address)


def _row(cells: list[list[nodes.Node]]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        row += nodes.entry("", nodes.paragraph("", "", *cell))
    return row


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("assignment", AssignmentFacts)
    app.add_directive("syllabus", Syllabus)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
