"""A chapter without a fault, as small as can be; the tests plant one fault at a time in it."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ALT = "One line that falls from two at the left to one at the right."


def model_chapter():
    """The notebook, as a run would store it."""
    cells = [
        new_markdown_cell("# A model\n\n## A problem\n\nA problem that is felt.\n\n## A picture"),
        code(
            "from softlookup.figures import style\nstyle.use_style()\nseed_everything(1)", "setup"
        ),
        code("plot()", mystnb={"image": {"alt": ALT}}),
    ]
    cells[-1].outputs = [
        new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"})
    ]
    for section in ("The maths", "By hand", "The experiment"):
        cells += prediction(section)
    claims = "".join(
        f"claim 1-fact-{name} holds: a fact [measured 1, claimed >= 0.5]\n" for name in "abcde"
    )
    cells.append(code("check()", prints=claims))
    for index, name in enumerate(("one", "two", "three"), start=1):
        cells += exercise(f"1.{index}", name)
    cells[13].source = "## Exercises\n\n" + cells[13].source
    cells.append(new_markdown_cell("## Summary\n\nShort.\n\n## Further reading\n\nA paper."))
    executed = [cell for cell in cells if cell.cell_type == "code"]
    for count, cell in enumerate(executed, start=1):
        cell.execution_count = count
    notebook = new_notebook(cells=cells)
    notebook.metadata.update(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {
                "name": "python",
                "file_extension": ".py",
                "mimetype": "text/x-python",
                "pygments_lexer": "ipython3",
            },
            "softlookup": {
                "title": "A model",
                "goals": ["See", "Write", "Measure"],
                "prerequisites": [],
                "teaches": ["models"],
                "minutes_to_read": 10,
                "minutes_to_run": 1,
            },
        }
    )
    return nbformat.from_dict(notebook)


def code(source, *tags, prints="", **metadata):
    outputs = [new_output("stream", name="stdout", text=prints)] if prints else []
    if tags:
        metadata["tags"] = [*tags]
    return new_code_cell(source, outputs=outputs, metadata=metadata)


def prediction(section):
    question = (
        f"## {section}\n\n:::{{admonition}} Predict\n:class: predict\nWhere does it go?\n\n"
        "(a) up (b) down\n:::\n\n:::{dropdown} Answer, with a reason for each\n"
        "(b) is what happens. (a) would need more.\n:::"
    )
    return [
        new_markdown_cell(question),
        code('prediction = None  # "a" or "b"', "predict"),
        code('loss = 1\npredictions.compare(prediction, {"a": loss > 2, "b": loss <= 2})'),
    ]


def exercise(number, name):
    heading = f"### Exercise {number}: Do it\n\n*Difficulty 1 of 3, about 5 minutes.* Do it."
    return [
        new_markdown_cell(heading),
        code(
            f"def {name}(x):\n    ...\n\n\nexercises.check_{name}({name})",
            f"exercise:{number}",
            prints=f"Exercise {number}, to do: do it.",
        ),
        new_markdown_cell(":::{dropdown} Hint\nTry.\n:::"),
        code(
            f"def {name}(x):\n    return x\n\n\nexercises.check_{name}({name})",
            f"solution:{number}",
            "hide-cell",
            prints=f"Exercise {number}, passed: it is done.",
            jupyter={"source_hidden": True},
        ),
    ]
