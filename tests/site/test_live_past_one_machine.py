"""One training on many workers, as a reader uses the figure: kinds, sizes and schedules."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "past-one-machine"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
MODEL, WAY = "The model", "How the workers share"
WORKERS, BATCH, MICRO_BATCHES = "Workers, p", "Texts in a batch", "Micro-batches, m"
WORKERS_AT = [1, 2, 4, 8, 16, 32, 48, 64]
BATCHES_AT = [8, 16, 32, 64, 192, 384, 768, 1536]
MICRO_BATCHES_AT = [2**power for power in range(9)]
WAYS = {
    "data": "data parallel",
    "sharded": "sharded data parallel",
    "tensor": "tensor parallel",
    "pipeline": "pipeline, GPipe",
    "gpipe": "pipeline, GPipe",
    "1f1b": "pipeline, 1F1B",
}
# Every kind, a kind that is refused, and the largest model.
CASES = [
    case
    for case in KNOWN["cases"]
    if (case[0], case[2], case[3])
    in {
        ("Llama 2, 70 billion", 16, 768),
        ("GPT-2, 1.6 billion", 2, 8),
        ("GPT-3, 175 billion", 48, 768),
    }
]


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def choose(reader, label, option):
    reader.page.get_by_label(label, exact=True).select_option(label=option)


def turn(reader, label, stops, value):
    """The slider; the picture's words hold its label, too."""
    reader.page.get_by_label(label, exact=True).fill(str(stops.index(value)))


def told(number):
    """Bytes, as the figure tells them."""
    units = ["bytes", "kB", "MB", "GB", "TB"]
    order = min(len(units) - 1, (len(str(int(number))) - 1) // 3)
    scaled = number / 1000**order
    return f"{scaled:.0f} {units[order]}" if scaled >= 100 else f"{scaled:.1f} {units[order]}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:4])))
def test_what_a_worker_holds_and_sends_is_what_the_library_counts(reader, case):
    model, kind, workers, batch, both = case
    choose(reader, MODEL, model)
    choose(reader, WAY, WAYS[kind])
    turn(reader, WORKERS, WORKERS_AT, workers)
    turn(reader, BATCH, BATCHES_AT, batch)
    turn(reader, MICRO_BATCHES, MICRO_BATCHES_AT, 1)
    if both is None:
        assert "cannot have equal shares" in reader.problem()
        assert reader.outcome().startswith("Nothing is counted for what you chose.")
        assert f"{kind}: no equal shares" in reader.seen()
        return
    held, sent = both
    assert reader.problem() == ""
    assert reader.number("held by a worker") == told(held)
    assert reader.number("sent in a step") == told(sent)
    assert f"{kind}: holds {told(held)}, sends {told(sent)}" in reader.seen()
    assert (f"{kind}," in reader.outcome() or f"{kind}." in reader.outcome()) == (held <= 80e9)


@pytest.mark.parametrize(("schedule", "remembered"), [("gpipe", 32), ("1f1b", 16)])
def test_both_schedules_wait_as_long_and_one_remembers_fewer(reader, schedule, remembered):
    choose(reader, WAY, WAYS[schedule])
    turn(reader, MICRO_BATCHES, MICRO_BATCHES_AT, 32)
    assert "The stages wait 32 per cent of the time" in reader.outcome()
    assert reader.number("time spent waiting") == reader.number("(p − 1)") == "0.319"
    assert reader.number("micro-batches remembered at most") == str(remembered)
    assert "Timetable of 16 stages and 32 micro-batches" in reader.seen()


def test_a_schedule_with_too_few_micro_batches_is_refused(reader):
    choose(reader, WAY, WAYS["1f1b"])
    turn(reader, MICRO_BATCHES, MICRO_BATCHES_AT, 8)
    assert "as many micro-batches as stages" in reader.problem()
    assert "Timetable" not in reader.seen()
    reader.page.get_by_role("button", name="Start again").click()
    assert reader.problem() == ""
    assert reader.outcome().startswith("Llama 2, 70 billion, data parallel, 16 workers")


def test_each_pass_is_drawn(reader):
    choose(reader, WAY, WAYS["gpipe"])
    turn(reader, WORKERS, WORKERS_AT, 4)
    turn(reader, MICRO_BATCHES, MICRO_BATCHES_AT, 8)
    paths = [
        path.get_attribute("d") for path in reader.figure.locator("svg.live-picture path").all()
    ]
    assert sorted(path.count("z") for path in paths)[-2:] == [4 * 8, 4 * 8]


def test_a_dot_is_hollow_where_a_device_is_too_small(reader):
    dots = reader.figure.locator("svg.live-picture circle")
    fills = [dot.get_attribute("fill") == "var(--page)" for dot in dots.all()]
    # Data, sharded and the pipeline by what they hold, then by what they send.
    assert fills == [True, False, False, False, False, False]


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label(MODEL, exact=True).focus()
    page.keyboard.press("ArrowUp")
    assert reader.outcome().startswith("Llama 2, 7 billion")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert "pipeline, 1F1B, 1 worker: each holds 108 GB" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert "The stages wait 0 per cent" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reader.outcome().startswith("Llama 2, 70 billion, data parallel")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    for way in ("tensor parallel", "pipeline, 1F1B"):
        choose(reader, WAY, way)
        assert reader.faults() == []
    choose(reader, MODEL, "GPT-3, 175 billion")
    turn(reader, WORKERS, WORKERS_AT, 48)
    turn(reader, MICRO_BATCHES, MICRO_BATCHES_AT, 256)
    assert "lies at both ends" in reader.outcome()
    assert reader.faults() == []
    reader.close()


def test_a_forgotten_half_of_an_all_reduce_is_found(browser, tmp_path):
    planted = ("maths/parallel_costs", "2 * gathered(", "gathered(")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert "sends 517 GB" not in reader.outcome()
    reader.close()
