"""A chapter without a fault, as small as can be; the tests plant one fault at a time in it."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

END = """\
## Summary

- It goes {claim}`1-fact-a, 1-fact-b`.
- It goes on, and **does so wherever one may look**
  {claim}`1-fact-c`.

## Further reading

A paper."""
ALT = "One line that falls from two at the left to one at the right."


def model_chapter():
    """The notebook, as a run would store it."""
    cells = [
        new_markdown_cell(
            "# A model\n\n## A problem\n\nA problem that is felt.\n\n## A picture\n\n"
            ":::{live} soft-dictionary\nAsk for a mountain.\n:::"
        ),
        code(
            "from softlookup.figures import style\nstyle.use_style()\nseed_everything(1)", "setup"
        ),
        code("plot()", mystnb={"image": {"alt": ALT}}, softlookup={"shows": ["1-fact-a"]}),
    ]
    cells[-1].outputs = [
        new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"})
    ]
    for section in ("The maths", "By hand", "The experiment"):
        cells += prediction(section)
    claims = "".join(
        f"finding 1-fact-{name} holds: a fact [measured 1 over 3 seeds, claimed >= 0.5; "
        "rival: chance, 0.1]\n"
        for name in "abc"
    )
    claims += "".join(
        f"law 1-fact-{name} holds: a fact [measured 1, claimed >= 0.5]\n" for name in "de"
    )
    cells.append(code("check()", prints=claims))
    kinds = {"one": "Build", "two": "Derive", "three": "Repair", "four": "Judge"}
    for index, (name, kind) in enumerate(kinds.items(), start=1):
        cells += exercise(f"1.{index}", name, kind)
    cells[13].source = "## Exercises\n\n" + cells[13].source
    cells.append(new_markdown_cell(END))
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
        "(b) is what happens {claim}`1-fact-d`. (a) would need more.\n:::"
    )
    return [
        new_markdown_cell(question),
        code('prediction = None  # "a" or "b"', "predict"),
        code('loss = 1\npredictions.compare(prediction, {"a": loss > 2, "b": loss <= 2})'),
    ]


def exercise(number, name, kind):
    heading = f"### Exercise {number} ●: Do it\n\n*{kind}, about 5 minutes.* Do it."
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
