"""The GPT that writes, as a reader uses it: asked for, let write, held back, given nonsense."""

import json
import re

import pytest
from built import ROOT
from live_pages import lone_page, open_figure
from reading import open_page

import gpt_script  # isort: skip

NAME = "gpt-writer"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
PROMPT = KNOWN["runs"][0]["prompt"]


@pytest.fixture
def reader(browser, tmp_path, made):
    """A reader at a desk, who has asked for the model."""
    reader = open_figure(browser, tmp_path, NAME, made=made)
    yield reader
    assert reader.heard == []
    reader.close()


def written(reader):
    return reader.figure.locator(".live-prose").inner_text()


def press(reader, name):
    reader.page.get_by_role("button", name=name, exact=True).click()


def test_the_model_is_loaded_only_when_it_is_asked_for(browser, tmp_path, made):
    asked = []
    page, heard = open_page(browser, lone_page(NAME, tmp_path, made=made), "light", 1280)
    page.on("request", lambda request: asked.append(request.url))
    page.locator(NAME).scroll_into_view_if_needed()
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    assert asked == []
    page.get_by_role("button", name="Load the GPT (2.5 MB) and let it write").press("Enter")
    page.wait_for_selector(f"{NAME}[data-state=ready]")
    assert sum(url.endswith("gpt-writer.js") for url in asked) == 2
    assert page.get_by_role("button", name="Load the GPT").count() == 0
    assert heard == []
    page.close()


def test_the_weights_are_lighter_than_promised(made):
    assert (made / gpt_script.SCRIPT).stat().st_size < 2_500_000


def test_its_logits_and_weights_are_pytorchs(reader):
    compare = """(known) => {
      const { models, weights, bytePairs, interventions, arrays } = SoftLookup;
      const bundle = weights.get("gpt-writer");
      const model = models.gpt(bundle);
      const tokens = bytePairs.tokenizer(bundle.config.alphabet, bundle.config.merges);
      let most = 0;
      const hold = (a, b) => b.forEach((each, i) => {
        const apart = Math.abs(each - a[i]);
        most = apart >= 0 ? Math.max(most, apart) : Infinity;
      });
      for (const run of known) {
        const ids = tokens.encode(run.prompt);
        const seen = model.run(ids);
        hold(arrays.row(seen.logits, ids.length - 1), run.logits);
        run.weights.forEach((layer, l) => layer.forEach((head, h) =>
          hold(arrays.row(seen.layers[l].attention.weights[h], ids.length - 1), head)));
        const cut = model.run(ids, { edits: interventions.off([[1, 2]]) });
        hold(arrays.row(cut.logits, ids.length - 1), run.without);
      }
      return most;
    }"""
    assert reader.page.evaluate(compare, KNOWN["runs"]) <= 1e-4


def test_greedily_it_writes_what_pytorch_writes(reader):
    reader.page.get_by_label("Temperature", exact=True).fill("0")
    assert reader.number("left to draw from") == "1 of 1,024"
    press(reader, "Write 20 tokens")
    decode = """(ids) => {
      const { alphabet, merges } = SoftLookup.weights.get("gpt-writer").config;
      return SoftLookup.bytePairs.tokenizer(alphabet, merges).decode(ids);
    }"""
    known = reader.page.evaluate(decode, KNOWN["runs"][0]["greedy"][:20])
    assert written(reader) == PROMPT + known
    assert reader.number("tokens in the window") == "25 of 128"
    assert reader.faults() == []


def test_the_order_of_temperature_and_nucleus_matters(reader):
    def left():
        return int(reader.number("left to draw from").split()[0].replace(",", ""))

    reader.page.get_by_label("Temperature", exact=True).fill("6")
    reader.page.get_by_label("Top-p").fill("2")
    first = left()
    reader.page.get_by_label("Order").select_option("cut")
    known = [sum(share > 0 for share in drawn) for _, drawn in KNOWN["drawn"][3:5]]
    assert [first, left()] == known
    assert first > 1.5 * left()


def test_by_keyboard_alone_a_text_is_written_looked_at_and_taken_back(reader):
    page = reader.page
    page.get_by_role("button", name="Write a token").focus()
    page.keyboard.press("Enter")
    assert reader.outcome().startswith("Written: “")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert written(reader) == PROMPT
    chosen = page.locator(".live-row button[aria-pressed=true]")
    chosen.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.textContent") == "·the"
    assert reader.seen().startswith("Where each head looked most, from ·the.")
    page.keyboard.press("Home")
    assert reader.seen().count("(1.00)") == 16
    assert reader.faults() == []


def test_the_reader_picks_a_token_and_forbids_another(reader):
    press(reader, "Forbid ,")
    row = reader.page.locator("tr", has=reader.page.get_by_label("Allow ,"))
    assert row.locator("td").nth(2).inner_text() == "ruled out"
    assert reader.number("left to draw from") == "1,023 of 1,024"
    assert "Forbidden: “,”" in reader.outcome()
    assert reader.page.evaluate("document.activeElement.getAttribute('aria-label')") == "Allow ,"
    press(reader, "Write ·of")
    assert written(reader) == PROMPT + " of"
    assert re.search(r"Written: “·of”, to which the model gave 0\.1\d\.", reader.outcome())
    for _ in range(5):
        press(reader, "Write 20 tokens")
    assert "," not in written(reader)
    assert reader.faults() == []


def test_the_window_fills_and_says_so(reader):
    for _ in range(7):
        reader.page.get_by_role("button", name="Write 20 tokens").click()
    assert reader.number("tokens in the window") == "128 of 128"
    assert "is full: take some back" in reader.outcome()
    assert reader.page.get_by_role("button", name="Write a token").is_disabled()
    assert reader.faults() == []
    press(reader, "Take one back")
    assert reader.page.get_by_role("button", name="Write a token").is_enabled()
    first = written(reader)
    press(reader, "Write it anew")
    assert written(reader)[:200] != first[:200]
    press(reader, "Start again")
    assert written(reader) == PROMPT


def test_the_same_draws_come_back(reader):
    press(reader, "Write 20 tokens")
    first = written(reader)
    press(reader, "Start again")
    press(reader, "Write 20 tokens")
    assert written(reader) == first


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("", "Write a beginning"),
        ("  ", "Write a beginning"),
        ("a" * 10_000, "10,000 characters"),
        ("z9" * 300, "holds 128"),
    ],
)
def test_bad_input_is_answered_kindly_and_the_text_stands(reader, said, answered):
    field = reader.page.get_by_label("Beginning")
    field.fill(said)
    assert answered in reader.problem()
    assert field.get_attribute("aria-invalid") == "true"
    assert written(reader) == PROMPT
    assert reader.faults() == []
    field.fill("☕ 注意力")
    assert reader.problem() == ""
    press(reader, "Write a token")
    assert written(reader).startswith("☕ 注意力")


@pytest.mark.parametrize(("theme", "width"), [("dark", 1280), ("dark", 375), ("light", 375)])
def test_nothing_is_wrong_on_a_telephone_or_in_the_dark(browser, tmp_path, made, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width, made=made)
    assert reader.faults() == []
    press(reader, "Write 20 tokens")
    press(reader, "Write 20 tokens")
    assert reader.faults() == []
    reader.close()


def test_a_mouse_need_only_rest_on_a_token(reader):
    reader.page.get_by_role("button", name="·weights", exact=True).hover()
    assert "from ·weights" in reader.seen()


# What a hurried hand could do, and what a reader would notice.
@pytest.mark.parametrize(
    ("planted", "noticed"),
    [
        (("figures/gpt-writer-parts", 'take.setAttribute("aria-label", `Write ${token}`);', ""), 0),
        (("maths/writing", "return softmax(now);", "return softmax(logits);"), 1),
        (("figures/gpt-writer", "this.text.rewind(this.text.ids.length - 1);", ""), 2),
    ],
    ids=["a missing label", "knobs without effect", "nothing taken back"],
)
def test_a_planted_fault_is_noticed(browser, tmp_path, made, planted, noticed):
    reader = open_figure(browser, tmp_path, NAME, planted=planted, made=made)
    page = reader.page
    if noticed == 0:
        assert page.get_by_role("button", name="Write ·of", exact=True).count() == 0
    elif noticed == 1:
        page.get_by_label("Top-p").fill("0")
        assert reader.number("left to draw from") == "1,024 of 1,024"
    else:
        press(reader, "Write a token")
        press(reader, "Take one back")
        assert written(reader) != PROMPT
    reader.close()
