"""A chapter's page cut into slides: what a teacher shows, and what is only said.

Shown are, in the page's order: each section's heading with the sentences that open it, formulas,
lists and tables with the sentence that leads to them, predictions as polls, short code, pictures
with a finding that bears them, live figures. The rest of the prose becomes the speaker's notes.
Exercises and readings are left out. Nothing is written anew.
"""

import re
from copy import copy
from dataclasses import dataclass, field

from bs4 import NavigableString, Tag
from slide_words import element, fits, length, part_of, runs, teaches

LEFT_OUT = ("exercises", "further-reading")
LED = "div.math, ul, ol, blockquote, div.pst-scrollable-table-container"
# In characters, in rows and in findings: more is not read from the last row of seats.
OPENING, LEAD, LIST, TABLE_ROWS, FINDINGS = 420, 260, 560, 9, 2


@dataclass
class Slide:
    """A slide: its class, its section's heading as HTML, what is shown and what is said."""

    kind: str
    heading: str
    body: list[Tag]
    notes: list[Tag] = field(default_factory=list)


class Deck:
    """The slides of a page, a stack for each of its sections; its tree is used up."""

    def __init__(self, article: Tag) -> None:
        self.stacks: list[list[Slide]] = []
        self.claims = {each["id"]: each for each in article.select(".claim.finding[id]")}
        marks = article.select("p.claim-marks a.claim-mark-finding")
        self.pictured = {str(mark["href"]).partition("#")[2] for mark in marks}
        for mark in article.select("p:not(.claim-marks) > a.claim-mark, li a.claim-mark"):
            if isinstance(mark.previous_sibling, NavigableString):
                mark.previous_sibling.replace_with(str(mark.previous_sibling).rstrip())
            mark.decompose()
        for extra in article.select("a.headerlink, h1 .section-number"):
            extra.decompose()
        self.heading = ""
        self.section(article.section)

    def add(self, kind: str, *body: Tag) -> None:
        """Add a slide to the stack."""
        self.stacks[-1].append(Slide(kind, self.heading, list(body)))

    def say(self, *said: Tag) -> None:
        """Add to what is said while the last slide is shown."""
        if self.stacks[-1]:
            self.stacks[-1][-1].notes.extend(said)

    def section(self, section: Tag) -> None:
        """Add the slides of a section, and of those within it."""
        if section.get("id") in LEFT_OUT:
            return
        title, *children = section.find_all(True, recursive=False)
        self.heading = title.decode_contents()
        if title.name in ("h1", "h2"):
            self.stacks.append([])
        if title.name == "h1":
            self.add("title")
        opened = section.get("id") == "summary"
        for at, child in enumerate(children):
            before = children[at - 1] if at else title
            led = any(after.css.match(LED) for after in children[at + 1 : at + 2])
            if child.name == "section":
                self.section(child)
            elif child.name != "p":
                self.show(child, before)
                opened = True
            elif not opened:
                # What leads to a formula is best left whole, and shown with it.
                self.add("opening", part_of(child, OPENING + 160 if led else OPENING))
                self.say(child)
                opened = True
            elif not led:
                self.say(child)

    def show(self, child: Tag, before: Tag) -> None:
        """Add the slides of what is no paragraph."""
        if child.css.match(LED):
            self.show_led(child, before)
        elif child.css.match(".admonition.predict"):
            self.show_poll(child)
        elif child.css.match(".admonition.warning"):
            title, *words = child.find_all(True, recursive=False)
            self.add("confusion", title, part_of(words[0], OPENING))
            self.say(*words)
        elif child.css.match(".live"):
            self.add("live-slide", child)
        elif child.css.match("div.cell:not(.tag_setup, .tag_predict)"):
            self.show_cell(child)

    def show_led(self, child: Tag, before: Tag) -> None:
        """A formula, a list, a quotation or a table, with the words that lead to it."""
        lead = [part_of(before, LEAD, last=True)] if before.name == "p" else []
        last = self.stacks[-1][-1] if self.stacks[-1] else None
        said = last is not None and before in last.notes
        if child.name in ("ul", "ol"):
            for run in runs(child.find_all("li", recursive=False), LIST):
                self.add("list", *lead, element(child.name, *run))
        elif len(child.select("tr")) > TABLE_ROWS:
            return
        elif last and last.notes == [before] and length(last.body[0]) == length(before):
            last.body.append(child)
        else:
            self.add("statement", *lead, child)
        if lead and not said:
            self.say(before)

    def show_poll(self, question: Tag) -> None:
        """A prediction: the question, then what was measured and why."""
        letter = re.search(r"measured-([a-d])", " ".join(question["class"]))[1]
        answer = question.find_next_sibling("details", class_="answer")
        question.select_one(f".option-{letter}")["class"] += ["measured", "fragment", "custom"]
        question.select_one(".admonition-title").decompose()
        self.add("poll", *question.find_all(True, recursive=False))
        first, *others = answer.select(".reason")
        for reason in others:
            reason["class"].append("fragment")
        told = element("p", f"Measured: ({letter})", **{"class": "verdict"})
        self.add("reasons", told, first, *others)

    def show_cell(self, cell: Tag) -> None:
        """A cell: its code where that is short, its pictures with a finding, and other findings."""
        code = cell.select(".cell_input > div.highlight-ipython3")
        pictures = cell.select(".cell_output img")
        printed = [each for each in cell.select(".cell_output > .output") if fits(each)]
        if not pictures and len(code) == 1 and teaches(code[0], printed):
            self.add("code", code[0], *printed)
        marks = cell.select("p.claim-marks a.claim-mark-finding")
        shown = [str(mark["href"]).partition("#")[2] for mark in marks]
        # Copies, since a finding may bear two pictures.
        drawn = [copy(self.claims[name]) for name in shown if name in self.claims]
        for picture in pictures:
            self.add("picture", picture, *drawn[:1])
            drawn = drawn[1:]
        own = [each for each in cell.select(".claim.finding") if each["id"] not in self.pictured]
        for claim in [*drawn, *own]:
            last = self.stacks[-1][-1]
            if last.kind == "finding" and len(last.body) < FINDINGS and not last.notes:
                last.body.append(claim)
            else:
                self.add("finding", claim)
