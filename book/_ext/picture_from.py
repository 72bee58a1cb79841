"""The directive ``picture-from``: a figure of a chapter, shown again on another page.

    :::{picture-from} 05_masking 5a398968
    What it shows, with the {claim} that bears it.
    :::

The picture and the words for those who do not see it are the cell's stored ones, and only a cell
that says which claims it shows may be taken. The picture leads to its chapter.
"""

import base64
import json
import os
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def stored_picture(notebook: Path, cell_id: str) -> tuple[bytes, str]:
    """A cell's PNG, and its alternative text.

    Raises:
        ValueError: if there is no such cell, if it has no picture, or if it names no claim.
    """
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    found = next((cell for cell in cells if cell["id"] == cell_id), None)
    if found is None:
        raise ValueError(f"{notebook.name} has no cell {cell_id!r}")
    metadata = found["metadata"]
    if not metadata.get("softlookup", {}).get("shows"):
        raise ValueError(
            f"cell {cell_id} of {notebook.name} shows no claim; expected one that does"
        )
    for output in found.get("outputs", []):
        encoded = output.get("data", {}).get("image/png")
        if encoded:
            return base64.b64decode("".join(encoded)), metadata["mystnb"]["image"]["alt"]
    raise ValueError(f"cell {cell_id} of {notebook.name} has stored no picture")


class PictureFrom(SphinxDirective):
    """The directive ``picture-from``: the chapter's file without its ending, and the cell's id."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the directive's nodes."""
        chapter, cell_id = self.arguments
        notebook = Path(self.env.srcdir, "notebooks", f"{chapter}.ipynb")
        if not notebook.exists():
            raise self.error(f"there is no chapter {chapter!r}")
        self.env.note_dependency(str(notebook))
        try:
            picture, words = stored_picture(notebook, cell_id)
        except ValueError as error:
            raise self.error(str(error)) from error
        kept = Path(self.env.doctreedir, "pictures", f"{chapter}-{cell_id}.png")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(picture)
        here = Path(self.env.doc2path(self.env.docname)).parent
        page = os.path.relpath(notebook, here).removesuffix(".ipynb") + ".html"
        image = nodes.image(uri=os.path.relpath(kept, here), alt=words)
        link = nodes.reference("", "", image, refuri=page, internal=True)
        caption = nodes.container(classes=["picture-words"])
        caption += self.parse_content_to_nodes()
        return [nodes.container("", caption, link, classes=["picture-from"])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("picture-from", PictureFrom)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
