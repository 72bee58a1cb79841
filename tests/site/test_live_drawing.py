"""What the live figures share, tried on a figure that exists for this test alone."""

import json

import pytest
from live import LIVE
from live_pages import STYLES, Reader
from reading import open_page

SCRIPT = """
const { slider, field, choice, toggle, row } = SoftLookup.controls;
const { picture, words, axisBelow, axisLeft } = SoftLookup.pictures;
class TryIt extends SoftLookup.Figure {
  at = { x: 60, y: 50 };
  chosen = 0;
  build() {
    this.slider = slider(this.controls, "Width", {
      stops: [1, 10, 100], value: 10, format: (v) => `${v} units`, changed: () => this.update(),
    });
    field(this.controls, "Word", {
      value: "a",
      changed: (v) => this.complain(v ? "" : "Write a word.", this.querySelector("[type=text]")),
    });
    choice(this.controls, "Kind", {
      options: [["a", "one"], ["b", "two"]], value: "a", changed: (v) => this.say(`kind ${v}`),
    });
    toggle(this.controls, "Loud", { value: false, changed: (v) => this.say(`loud ${v}`) });
    this.row = row(this.controls, "Tokens", (i) => { this.chosen = i; this.update(); });
    const draw = (svg, width) => {
      const seen = SoftLookup.arrays.fromRows([[0.25, 0.75], [1, 0]]);
      SoftLookup.matrices.heat(svg, seen, {
        x: 60, y: 40, cell: 34, rows: ["one", "two"], columns: ["one", "two"], marked: this.chosen,
      });
      axisBelow(svg, d3.scaleLinear([0, 1], [20, width - 20]), 150, { label: "share" });
      axisLeft(svg, d3.scaleLinear([0, 1], [140, 40]), 200);
      words(svg, 220, 60, "words");
      SoftLookup.handles.handle(svg, {
        key: "point", label: "Point", value: `${this.at.x}, ${this.at.y}`, ...this.at, step: 5,
        moved: (x, y) => { this.at = { x: Math.round(x), y: Math.round(y) }; this.update(); },
      });
      return { height: 200, alt: `A point at ${this.at.x}, ${this.at.y}.` };
    };
    this.map = picture(this.picture, draw, { interactive: true });
  }
  reset() { this.at = { x: 60, y: 50 }; this.slider.set(10); }
  update() {
    this.row.show(["the", "cat", "sat"], this.chosen);
    this.map.redraw();
    this.list([["width", String(this.slider.get())], ["token", String(this.chosen)]]);
    this.say(`The point is at ${this.at.x}, ${this.at.y}.`);
  }
}
customElements.define("try-it", TryIt);
"""
PAGE = """<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<title>Try</title><link rel="icon" href="data:,">{styles}</head><body><main class="bd-article">
<h1>A page</h1><try-it class="live" role="group" aria-label="Try it"></try-it></main>
{scripts}<script>{script}</script></body></html>"""


@pytest.fixture
def reader(browser, tmp_path):
    """A reader in front of the figure."""
    groups = json.loads((LIVE / "groups.json").read_text("utf-8"))
    sources = [(LIVE / f"{each}.js").as_uri() for each in (*groups["maths"], *groups["drawing"])]
    scripts = "".join(f'<script src="{each}"></script>' for each in sources)
    sheets = [(LIVE.parent / f"{each}.css").as_uri() for each in STYLES]
    styles = "".join(f'<link rel="stylesheet" href="{each}">' for each in sheets)
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(styles=styles, scripts=scripts, script=SCRIPT), "utf-8")
    page, heard = open_page(browser, path, "light", 1280)
    reader = Reader(page, page.locator("try-it"), heard)
    yield reader
    assert heard == []
    reader.close()


def test_nothing_is_wrong_with_it(reader):
    assert reader.faults() == []
    assert reader.outcome() == "The point is at 60, 50."


def test_a_point_is_moved_by_arrow_keys_and_keeps_the_focus(reader):
    point = reader.page.get_by_role("button", name="Point: 60, 50")
    point.focus()
    for key in ("ArrowRight", "ArrowDown", "Shift+ArrowRight"):
        reader.page.keyboard.press(key)
    assert reader.outcome() == "The point is at 115, 55."
    assert reader.seen() == "A point at 115, 55."
    assert reader.page.evaluate("document.activeElement.getAttribute('data-key')") == "point"


def test_a_point_is_dragged(reader):
    box = reader.page.locator("circle.live-handle").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reader.page.mouse.move(x, y)
    reader.page.mouse.down()
    reader.page.mouse.move(x + 20, y + 10)
    reader.page.mouse.move(x + 40, y + 30)
    reader.page.mouse.up()
    reader.page.mouse.move(x, y)
    assert reader.outcome() == "The point is at 100, 80."


def test_a_slider_goes_from_stop_to_stop_and_says_where_it_is(reader):
    slider = reader.page.get_by_label("Width")
    slider.focus()
    reader.page.keyboard.press("ArrowRight")
    assert reader.number("width") == "100"
    assert slider.get_attribute("aria-valuetext") == "100 units"
    reader.page.get_by_role("button", name="Start again").click()
    assert reader.number("width") == "10"


def test_a_row_of_tokens_is_walked_with_the_arrow_keys(reader):
    reader.page.get_by_role("button", name="the", exact=True).focus()
    reader.page.keyboard.press("ArrowRight")
    reader.page.keyboard.press("End")
    assert reader.number("token") == "2"
    assert reader.page.locator("[aria-pressed=true]").inner_text() == "sat"
    assert reader.page.locator(".live-row [tabindex='0']").count() == 1


def test_choices_and_switches_are_told(reader):
    reader.page.get_by_label("Kind").select_option("b")
    assert reader.outcome() == "kind b"
    reader.page.get_by_label("Loud").check()
    assert reader.outcome() == "loud true"


def test_a_complaint_is_tied_to_its_field_and_taken_back(reader):
    field = reader.page.get_by_label("Word")
    field.fill("")
    assert reader.problem() == "Write a word."
    assert field.get_attribute("aria-describedby") == "try-it-problem"
    assert reader.faults() == []
    field.fill("b")
    assert reader.problem() == ""
    assert field.get_attribute("aria-describedby") is None


def test_a_table_of_weights_has_its_numbers(reader):
    told = reader.page.locator("svg.live-picture text").all_text_contents()
    assert {".25", ".75", "1.00"} <= set(told)


def test_the_picture_follows_the_width_of_the_window(reader):
    svg = reader.page.locator("svg.live-picture")
    wide = int(svg.get_attribute("width"))
    reader.page.set_viewport_size({"width": 375, "height": 800})
    reader.page.wait_for_function(
        "(most) => Number(document.querySelector('svg.live-picture').getAttribute('width')) < most",
        arg=min(wide, 375),
    )
    assert reader.faults() == []
