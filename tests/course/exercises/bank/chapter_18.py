"""Wrong answers to the exercises of chapter 18, each with the words that its verdict must say."""


def _plan(
    parameters: str = "(work / (6 * tokens_for_each)) ** 0.5",
    tokens: str = "tokens_for_each * parameters",
    devices: str = "int(np.ceil(16 * parameters / memory))",
    days: str = "work / (devices * speed) / 86_400",
) -> str:
    """A plan, of which a line may be wrong."""
    return f"""
def plan(work, tokens_for_each, memory, speed):
    parameters = {parameters}
    tokens = {tokens}
    devices = {devices}
    days = {days}
    return parameters, tokens, devices, days


exercises.check_plan(plan)
"""


def _bytes(
    tokens: str = "rows / data * length",
    streams: str = "8 * blocks * (tensor - 1) / tensor * tokens * width",
    gradients: str = "2 * (data - 1) / data * parameters / tensor",
    returned: str = "itemsize * (streams + gradients)",
) -> str:
    """The bytes of a step, of which a line may be wrong."""
    return f"""
def bytes_of_step(rows, length, width, blocks, parameters, itemsize, data, tensor):
    tokens = {tokens}
    streams = {streams}
    gradients = {gradients}
    return {returned}


exercises.check_bytes_of_step(bytes_of_step)
"""


def _rows(order: str, returned: str, seed: str = "epoch") -> str:
    """A worker's rows of an epoch, in three lines."""
    return f"""
def own_rows(rows, rank, n_workers, epoch):
    drawing = torch.Generator().manual_seed({seed})
    order = {order}
    share = rows // n_workers
    return {returned}


exercises.check_own_rows(own_rows)
"""


def _judge(crowds: str, asked: str) -> str:
    """A test for averages: which crowds are tried, and what is asked of each."""
    return f"""
def is_average(average):
    drawing = torch.Generator().manual_seed(0)
    for n_workers, length in {crowds}:
        tensors = list(torch.randn(n_workers, length, generator=drawing, dtype=torch.float64))
        mean = sum(tensors) / n_workers
        got = average(tensors)
        if not ({asked}):
            return False
    return True


exercises.check_is_average(is_average)
"""


def _part(
    own: str = "slice(rank * share, (rank + 1) * share)",
    units: str = "F.silu(x @ gate[:, own]) * (x @ inner[:, own])",
    added: str = "units @ output[own]",
    returned: str = "added + bias if rank == 0 else added",
    share: str = "output.shape[0] // n_workers",
) -> str:
    """A worker's part of a network, of which a line may be wrong."""
    return f"""
def part(x, gate, inner, output, bias, rank, n_workers):
    share = {share}
    own = {own}
    units = {units}
    added = {added}
    return {returned}


exercises.check_part(part)
"""


def _forecast(
    returned: str = "forecast - half_width, forecast + half_width",
    sizes: str = "np.array([4, 8, 16, 32, 64, 128])",
    seeds: str = "range(60 // len(sizes))",
    quantile: float = 2.26,
    before: str = "",
    after: str = "",
) -> str:
    """A forecast by the best law with its covariance, of which a line may be wrong or added."""
    return f"""
from scipy.optimize import curve_fit


def power_law(size, floor, scale, exponent):
    return floor + scale * size**-exponent


def report(run):
    sizes = {sizes}
    seeds = {seeds}
    losses = np.array([[run(size, seed) for seed in seeds] for size in sizes])
    {before}
    means, errors = losses.mean(axis=1), losses.std(axis=1, ddof=1) / len(seeds) ** 0.5
    best, spread = curve_fit(power_law, 1.0 * sizes, means, (0.1, 2, 0.5), errors, True)
    falling = 512 ** -best[2]
    moved = np.array([1, falling, -best[1] * np.log(512) * falling])
    {after}
    forecast = power_law(512, *best)
    half_width = {quantile} * (moved @ spread @ moved) ** 0.5
    return {returned}


exercises.check_forecast(report)
"""


def _line(chosen: str, sizes: str = "4, 8, 16, 32, 64, 128", seeds: str = "range(10)") -> str:
    """A forecast along a straight line on logarithmic axes, through the chosen sizes."""
    return f"""
def report(run):
    sizes, seeds = np.array([{sizes}]), {seeds}
    losses = np.array([[run(size, seed) for seed in seeds] for size in sizes])
    x = np.log(sizes / 512)[{chosen}].repeat(len(seeds))
    line, spread = np.polyfit(x, np.log(losses)[{chosen}].ravel(), 1, cov=True)
    half_width = 2 * spread[1, 1] ** 0.5
    return np.exp(line[1] - half_width), np.exp(line[1] + half_width)


exercises.check_forecast(report)
"""


def _every_law(sizes: str, seeds: int) -> str:
    """A forecast by every exponent that fits, with the line that suits it."""
    return f"""
def report(run):
    sizes = np.array([{sizes}])
    losses = np.array([[run(size, seed) for seed in range({seeds})] for size in sizes])
    means, errors = losses.mean(axis=1), losses.std(axis=1, ddof=1) / {seeds}**0.5
    laws = []
    for exponent in np.linspace(0.1, 1.3, 40):
        x = sizes**-exponent - 512**-exponent
        line, spread = np.polyfit(x, means, 1, w=1 / errors, cov="unscaled")
        missed = (((np.polyval(line, x) - means) / errors) ** 2).sum()
        laws.append((missed, line[1], spread[1, 1]))
    missed, forecasts, variances = np.array(laws).T
    left = np.maximum(2.26**2 - (missed - missed.min()), 0)
    half_widths, kept = (variances * left) ** 0.5, left > 0
    return (forecasts - half_widths)[kept].min(), (forecasts + half_widths)[kept].max()


exercises.check_forecast(report)
"""


def _drawn_anew(returned: str, floors: str = "means - slopes * middles") -> str:
    """A forecast by a law for each of 100 draws of seeds; the floors may be forbidden to be low."""
    return f"""
def report(run):
    sizes, drawing = np.array([4, 8, 16, 32, 64, 128]), np.random.default_rng(0)
    losses = np.array([[run(size, seed) for seed in range(10)] for size in sizes])
    weights = 1 / losses.var(axis=1, ddof=1)
    weights /= weights.sum()
    falling = sizes ** -np.linspace(0.1, 1.4, 66)[:, None]
    middles = falling @ weights
    away = falling - middles[:, None]
    drawn = np.stack([drawing.choice(each, (100, 10)).mean(axis=1) for each in losses], axis=1)
    means = (drawn @ weights)[:, None]
    slopes = (drawn @ (weights * away).T) / (weights * away**2).sum(axis=1)
    floors = {floors}
    slopes = (means - floors) / middles if {"maximum" in floors} else slopes
    missed = (floors[:, :, None] + slopes[:, :, None] * falling - drawn[:, None]) ** 2 @ weights
    best = missed.argmin(axis=1)
    ahead = 512 ** -np.linspace(0.1, 1.4, 66)
    forecasts = (floors + slopes * ahead)[np.arange(100), best]
    return {returned}


exercises.check_forecast(report)
"""


SHUFFLED = "torch.randperm(rows, generator=drawing)"
OWN = "order[rank * share : (rank + 1) * share]"
CROWDS = "((2, 6), (3, 7), (4, 8), (5, 13))"
EACH_NEAR = "all((each - mean).abs().max() < 1e-9 for each in got)"

HELD = "int(np.ceil(16 * parameters / memory))"
PARTLY = "work / (16 * parameters / memory * speed) / 86_400"

WRONG = [
    ("18.1", "the square", "N², and not N", _plan("work / (6 * tokens_for_each)")),
    (
        "18.1",
        "forwards alone",
        "forward pass alone",
        _plan("(work / (2 * tokens_for_each)) ** 0.5"),
    ),
    (
        "18.1",
        "tokens that stay",
        "tokens of every budget",
        _plan(tokens="3e11"),
    ),
    (
        "18.1",
        "the weight alone",
        "four bytes hold the weight alone",
        _plan(devices="int(np.ceil(4 * parameters / memory))"),
    ),
    (
        "18.1",
        "rounded down",
        "rounded down",
        _plan(devices="int(16 * parameters / memory)"),
    ),
    (
        "18.1",
        "one added to what is rounded down",
        "you round down and add one",
        _plan(devices="int(16 * parameters / memory) + 1"),
    ),
    (
        "18.1",
        "twenty tokens written in",
        "you gave each parameter 20 tokens",
        _plan("(work / 120) ** 0.5"),
    ),
    (
        "18.1",
        "part of a device",
        "cannot be bought",
        _plan(devices="16 * parameters / memory"),
    ),
    ("18.1", "seconds", "these are seconds", _plan(days="work / (devices * speed)")),
    ("18.1", "one device", "days of one device", _plan(days="work / speed / 86_400")),
    ("18.1", "all outside the root", "six and the", _plan("work**0.5 / (6 * tokens_for_each)")),
    ("18.1", "a part of a device's days", "part of one", _plan(days=PARTLY)),
    (
        "18.1",
        "the tokens held",
        "hold the tokens",
        _plan(devices=HELD.replace("parameters", "tokens")),
    ),
    (
        "18.2",
        "forwards alone",
        "two backwards",
        _bytes(streams="4 * blocks * (tensor - 1) / tensor * tokens * width"),
    ),
    (
        "18.2",
        "all the rows",
        "its share of the rows",
        _bytes(tokens="rows * length"),
    ),
    (
        "18.2",
        "all the weights",
        "that part's gradients",
        _bytes(gradients="2 * (data - 1) / data * parameters"),
    ),
    (
        "18.2",
        "no gradients",
        "not the gradients",
        _bytes(returned="itemsize * streams"),
    ),
    (
        "18.2",
        "no streams",
        "not the streams",
        _bytes(returned="itemsize * gradients"),
    ),
    ("18.2", "numbers", "each has several bytes", _bytes(returned="streams + gradients")),
    (
        "18.2",
        "cut streams",
        "the streams are not",
        _bytes(streams="8 * blocks * (tensor - 1) / tensor * tokens * width / tensor"),
    ),
    (
        "18.2",
        "the streams in the gradients' ring",
        "and not round `data`",
        _bytes(streams="8 * blocks * (data - 1) / data * tokens * width"),
    ),
    (
        "18.2",
        "gradients of each block",
        "are those of all blocks",
        _bytes(gradients="2 * (data - 1) / data * parameters / tensor * blocks"),
    ),
    (
        "18.2",
        "two bytes a number, whatever its type",
        "`itemsize` changes nothing",
        _bytes(returned="2 * (streams + gradients)"),
    ),
    (
        "18.2",
        "both kinds multiplied",
        "you multiply the bytes",
        _bytes(returned="itemsize * streams * gradients"),
    ),
    (
        "18.2",
        "six sums a block",
        "and yours has 6",
        _bytes(streams="12 * blocks * (tensor - 1) / tensor * tokens * width"),
    ),
    (
        "18.2",
        "one ring",
        "one ring of all workers",
        _bytes(
            returned="itemsize * 2 * (data * tensor - 1) / (data * tensor) * parameters",
        ),
    ),
    (
        "18.3",
        "as it was",
        "still read the same rows",
        _rows(SHUFFLED, "order[:share]"),
    ),
    (
        "18.3",
        "another seed for each worker",
        "they shuffle differently",
        _rows(SHUFFLED, "order[:share]", seed="1000 * epoch + rank"),
    ),
    (
        "18.3",
        "another seed for each worker, and another part",
        "they shuffle differently",
        _rows(SHUFFLED, OWN, seed="1000 * epoch + rank"),
    ),
    (
        "18.3",
        "the epoch forgotten",
        "no longer asks for the epoch",
        _rows(SHUFFLED, OWN, seed="0"),
    ),
    (
        "18.3",
        "a length for an end",
        "each part ends where the first one ends",
        _rows(SHUFFLED, "order[rank * share : share]"),
    ),
    (
        "18.3",
        "ranks from one",
        "its part begins at the first row",
        _rows(SHUFFLED, "order[(rank + 1) * share : (rank + 2) * share]"),
    ),
    (
        "18.3",
        "no shuffle",
        "nothing is shuffled any more",
        _rows("torch.arange(rows)", OWN),
    ),
    (
        "18.3",
        "another shuffle",
        "changed more than which part",
        _rows(SHUFFLED, OWN, seed="epoch + 1"),
    ),
    (
        "18.3",
        "sorted",
        "no longer in the order",
        _rows(SHUFFLED, f"{OWN}.sort().values"),
    ),
    (
        "18.3",
        "all of the shuffle",
        "not all of them as many",
        _rows(SHUFFLED, "order[rank::n_workers]"),
    ),
    (
        "18.3",
        "numbers moved in place of places",
        "add to the numbers of the rows",
        _rows(SHUFFLED, "(order[:share] + rank * share) % rows"),
    ),
    (
        "18.3",
        "drawn with replacement",
        "reads a row twice",
        _rows(
            "torch.randint(rows, (rows,), generator=drawing)",
            "order[:share]",
            "100 * epoch + rank",
        ),
    ),
    (
        "18.4",
        "the first worker alone",
        "the last worker hears nothing",
        _judge(CROWDS, "(got[0] - mean).abs().max() < 1e-9"),
    ),
    (
        "18.4",
        "the first worker and the last",
        "through: a worker in the middle hears nothing",
        _judge(CROWDS, "all((got[at] - mean).abs().max() < 1e-9 for at in (0, -1))"),
    ),
    (
        "18.4",
        "the first two workers and the last two",
        "it fails: with 5 workers of 13 numbers",
        _judge(CROWDS, "all((each - mean).abs().max() < 1e-9 for each in got[:2] + got[-2:])"),
    ),
    (
        "18.4",
        "a tolerance of 1e-5",
        "In float64 rounding is far smaller",
        _judge(CROWDS, "all((each - mean).abs().max() < 1e-5 for each in got)"),
    ),
    (
        "18.4",
        "the first five numbers and the last",
        "the first five numbers and the last alone are averaged",
        _judge(
            CROWDS,
            "all((each - mean)[[0, 1, 2, 3, 4, -1]].abs().max() < 1e-9 for each in got)",
        ),
    ),
    (
        "18.4",
        "the first two numbers and the last two",
        "one number in the middle is not averaged",
        _judge(CROWDS, "all((each - mean)[[0, 1, -2, -1]].abs().max() < 1e-9 for each in got)"),
    ),
    (
        "18.4",
        "number 0 and the sum",
        "through: the mean with its inner numbers in reverse order",
        _judge(
            CROWDS,
            "all(max(abs((each - mean).sum()), abs(each - mean)[0]) < 1e-9 for each in got)",
        ),
    ),
    (
        "18.4",
        "whether a difference is large",
        "comparison with NaN is always False",
        _judge(CROWDS, "not any((each - mean).abs().max() > 1e-9 for each in got)"),
    ),
    (
        "18.4",
        "the mean of what is left behind",
        "take the mean before you call the function",
        """
def is_average(average):
    drawing = torch.Generator().manual_seed(0)
    for n_workers in (1, 2, 3, 5, 8):
        for length in (1, 4, 7, 13):
            tensors = [
                torch.randn(length, generator=drawing, dtype=torch.float64)
                for _ in range(n_workers)
            ]
            got = average(tensors)
            mean = torch.stack(tensors).mean(dim=0)
            if not all((each - mean).abs().max() <= 1e-9 for each in got):
                return False
    return True

exercises.check_is_average(is_average)
""",
    ),
    (
        "18.4",
        "drawn in float32",
        "Your tensors are in float32, which keeps about seven digits",
        """
def is_average(average):
    for n_workers, length in ((2, 6), (3, 7), (4, 8), (5, 13)):
        tensors = [torch.randn(length) for _ in range(n_workers)]
        mean = torch.stack(tensors).mean(dim=0)
        if not all((each - mean).abs().max() <= 1e-9 for each in average(tensors)):
            return False
    return True

exercises.check_is_average(is_average)
""",
    ),
    (
        "18.4",
        "the last worker alone",
        "the first worker hears nothing",
        _judge(CROWDS, "(got[-1] - mean).abs().max() < 1e-9"),
    ),
    (
        "18.4",
        "sums of all numbers",
        "through: the mean with its numbers in reverse order",
        _judge(CROWDS, "all(abs((each - mean).sum()) < 1e-9 for each in got)"),
    ),
    (
        "18.4",
        "one length",
        "All your tensors have 7 numbers",
        _judge("((2, 7), (3, 7), (5, 7))", EACH_NEAR),
    ),
    (
        "18.4",
        "four workers at most",
        "Your largest crowd has 4 workers",
        _judge("((2, 6), (3, 7), (4, 8))", EACH_NEAR),
    ),
    (
        "18.4",
        "two workers alone",
        "for two workers alone",
        _judge("((2, 6), (2, 7))", EACH_NEAR),
    ),
    (
        "18.4",
        "lengths that the workers divide",
        "the workers divide the length",
        _judge("((2, 6), (3, 9), (4, 8))", EACH_NEAR),
    ),
    (
        "18.4",
        "differences with their signs",
        "the least of all in place of the mean",
        _judge(CROWDS, "all((each - mean).max() < 1e-9 for each in got)"),
    ),
    (
        "18.4",
        "equal bits",
        "calls nothing honest",
        _judge(CROWDS, "all(torch.equal(each, mean) for each in got)"),
    ),
    (
        "18.4",
        "a loose tolerance",
        "half precision",
        _judge(CROWDS, "all((each - mean).abs().max() < 0.1 for each in got)"),
    ),
    (
        "18.4",
        "that all agree",
        "the sum in place of the mean",
        _judge(CROWDS, "all(torch.equal(each, got[0]) for each in got)"),
    ),
    (
        "18.3",
        "a luck of its own",
        "asked twice, a worker reads other rows",
        _rows("torch.randperm(rows)", "order[rank * share : (rank + 1) * share]"),
    ),
    (
        "18.3",
        "five rows, however many there are",
        "workers get 5, 5, 5 of them",
        _rows(SHUFFLED, "order[rank * share :][:5]"),
    ),
    (
        "18.3",
        "neither shuffle nor epoch",
        "nothing is shuffled any more",
        """
def own_rows(rows, rank, n_workers, epoch):
    share = rows // n_workers
    return torch.arange(rank * share, (rank + 1) * share)

exercises.check_own_rows(own_rows)
""",
    ),
    (
        "18.3",
        "parts that begin one row on",
        "their parts overlap: in the shuffle",
        """
def own_rows(rows, rank, n_workers, epoch):
    drawing = torch.Generator().manual_seed(epoch)
    order = torch.randperm(rows, generator=drawing)
    return order[rank : rank + rows // n_workers]

exercises.check_own_rows(own_rows)
""",
    ),
    (
        "18.3",
        "fixed parts, shuffled within",
        "each worker reads the same rows in every epoch",
        """
def own_rows(rows, rank, n_workers, epoch):
    share = rows // n_workers
    drawing = torch.Generator().manual_seed(epoch)
    return rank * share + torch.randperm(share, generator=drawing)

exercises.check_own_rows(own_rows)
""",
    ),
    ("18.5", "the bias by everyone", "belongs in once", _part(returned="added + bias")),
    ("18.5", "no bias", "no worker adds the bias", _part(returned="added")),
    (
        "18.5",
        "the mean of all",
        "takes no mean",
        _part(returned="(added + bias / n_workers) / n_workers"),
    ),
    (
        "18.5",
        "the whole network by everyone",
        "nothing is saved",
        _part("slice(None)", returned="(added + bias) / n_workers"),
    ),
    (
        "18.5",
        "all units computed, and those of the others masked",
        "mask nothing afterwards",
        _part(
            units="torch.where((torch.arange(len(output)) // share == rank), "
            "F.silu(x @ gate) * (x @ inner), 0.0)",
            added="units @ output",
        ),
    ),
    (
        "18.5",
        "the output's rows cut, and all inner units computed",
        "mask nothing afterwards",
        _part(
            units="F.silu(x @ gate) * (x @ inner)",
            added="units[:, own] @ output[own]",
        ),
    ),
    (
        "18.5",
        "the inputs cut",
        "applies the nonlinearity to a part of a sum",
        _part(
            units="F.silu(x.tensor_split(n_workers, 1)[rank] @ gate.tensor_split(n_workers)[rank]) "
            "* (x.tensor_split(n_workers, 1)[rank] @ inner.tensor_split(n_workers)[rank])",
            added="units @ output",
        ),
    ),
    (
        "18.5",
        "the nonlinearity on the other product",
        "you apply it to the other one",
        _part(units="x @ gate[:, own] * F.silu(x @ inner[:, own])"),
    ),
    (
        "18.5",
        "no nonlinearity",
        "goes through no nonlinearity",
        _part(units="x @ gate[:, own] * (x @ inner[:, own])"),
    ),
    (
        "18.5",
        "the gate in strides and the rest in blocks",
        "are those of one share",
        _part(units="F.silu(x @ gate[:, rank::n_workers]) * (x @ inner[:, own])"),
    ),
    (
        "18.5",
        "the first worker is number 1",
        "nobody computes the units",
        _part("slice((rank + 1) * share, (rank + 2) * share)"),
    ),
    (
        "18.5",
        "one unit too many",
        "are computed more than once",
        _part("slice(rank * share, (rank + 1) * share + 1)"),
    ),
    (
        "18.5",
        "three workers, however many there are",
        "its share among 5 workers is 3",
        _part(share="output.shape[0] // 3"),
    ),
    (
        "18.5",
        "the output's columns",
        "has the shape of the whole output",
        _part(
            "slice(None)",
            added="(units @ output).tensor_split(n_workers, 1)[rank]",
            returned="added + bias.tensor_split(n_workers)[rank]",
        ),
    ),
    (
        "18.5",
        "another nonlinearity",
        "do not add up to the network's output; they are off",
        _part(units="F.gelu(x @ gate[:, own]) * (x @ inner[:, own])"),
    ),
    (
        "18.6",
        "a straight line through losses and sizes",
        "its middle is below zero, where no loss is",
        """
def report(run):
    sizes = np.repeat([4, 8, 16, 32, 64, 128], 10)
    losses = np.array([run(int(size), number % 10) for number, size in enumerate(sizes)])
    slope, start = np.polyfit(sizes, losses, 1)
    spread = (losses - start - slope * sizes).std(ddof=2)
    middle = start + slope * 512
    return float(middle - 2 * spread), float(middle + 2 * spread)


exercises.check_forecast(report)
""",
    ),
    (
        "18.6",
        "the forbidden size",
        "is to be foretold",
        _forecast(sizes="np.array([4, 32, 128, 512])"),
    ),
    (
        "18.6",
        "a size that is none",
        "you asked for size 48",
        _forecast(sizes="np.array([4, 48, 128])"),
    ),
    ("18.6", "too many runs", "you trained more than 60 models", _forecast(seeds="range(11)")),
    ("18.6", "two sizes", "through two points", _line(":", "64, 128")),
    ("18.6", "one seed a size", "each size with one seed", _line(":", seeds="range(1)")),
    ("18.6", "the same seed again", "with seed 0 10 times", _line(":", seeds="[0] * 10")),
    ("18.6", "a straight line", "along a straight line", _line(":")),
    ("18.6", "a straight line through the largest two sizes", "along a straight line", _line("4:")),
    (
        "18.6",
        "the largest size as the end",
        "about the mean loss of size 128",
        _forecast("means[-1] - 2.26 * errors[-1], means[-1] + 2.26 * errors[-1]"),
    ),
    (
        "18.6",
        "the next size",
        "about the mean loss of size 256",
        _forecast("power_law(256, *best) - half_width, power_law(256, *best) + half_width"),
    ),
    (
        "18.6",
        "a tenth to each side",
        "reaches 10.0% of its middle",
        _forecast("0.9 * forecast, 1.1 * forecast"),
    ),
    (
        "18.6",
        "the best seeds",
        "is every run counted",
        _forecast(
            after="best = curve_fit(power_law, 1.0 * sizes, losses.min(axis=1), best, errors)[0]"
        ),
    ),
    ("18.6", "the largest sizes", "your sizes go from 32 to 128", _every_law("32, 64, 128", 20)),
    ("18.6", "few runs", "you trained 12 models", _forecast(seeds="range(2)", quantile=12.7)),
    (
        "18.6",
        "the scatter of single runs",
        "is the scatter of single runs in it",
        _forecast(quantile=2.26 * 10**0.5),
    ),
    (
        "18.6",
        "the floor and the exponent as known",
        "takes the floor or the exponent for known",
        _forecast(after="moved[[0, 2]] = 0"),
    ),
    (
        "18.6",
        "the law as known",
        "takes the floor or the exponent for known",
        _forecast(after="moved, spread = np.ones(1), errors[-1:, None] ** 2"),
    ),
    (
        "18.6",
        "no floor below zero",
        "does your fit forbid a floor",
        _drawn_anew(
            "np.quantile(forecasts, [0.025, 0.975])", "np.maximum(means - slopes * middles, 0)"
        ),
    ),
    (
        "18.6",
        "the middle 92 of 100 draws",
        "drawn anew these scatter",
        _drawn_anew("np.quantile(forecasts, [0.04, 0.96])"),
    ),
    (
        "18.6",
        "the upper end first",
        "the lower end first",
        _forecast("forecast + half_width, forecast - half_width"),
    ),
    ("18.6", "the forecast alone", "expected two numbers", _forecast("float(forecast)")),
]

ALSO_RIGHT = [
    (
        "18.1",
        "by the tokens",
        _plan(
            "(work * tokens_for_each / 6) ** 0.5 / tokens_for_each",
            devices="-int(-16 * parameters // memory)",
        ),
    ),
    (
        "18.1",
        "as a list",
        _plan().replace("days\n\n\n", "days]\n\n\n").replace("return p", "return [p"),
    ),
    (
        "18.2",
        "ring by ring",
        """
def bytes_of_step(rows, length, width, blocks, parameters, itemsize, data, tensor):
    def ring(numbers, workers):
        return 2 * (workers - 1) * numbers / workers

    stream = rows * length * width / data
    return itemsize * (4 * blocks * ring(stream, tensor) + ring(parameters / tensor, data))


exercises.check_bytes_of_step(bytes_of_step)
""",
    ),
    (
        "18.3",
        "in strides",
        _rows(SHUFFLED, "order[: share * n_workers][rank::n_workers]"),
    ),
    (
        "18.3",
        "the first rows are left out, and not the last",
        _rows(SHUFFLED, "order[rows - (rank + 1) * share : rows - rank * share]"),
    ),
    (
        "18.4",
        "in one comparison",
        _judge(CROWDS, "torch.allclose(torch.stack(got), mean.expand(n_workers, -1), atol=1e-9)"),
    ),
    ("18.5", "in strides", _part("slice(rank, None, n_workers)")),
    ("18.5", "a share of the bias each", _part(returned="added + bias / n_workers")),
    ("18.5", "the bias by the last", _part(returned="added + bias * (rank == n_workers - 1)")),
    ("18.6", "the best law, with its covariance", _forecast()),
    ("18.6", "three sizes", _forecast(sizes="np.array([4, 32, 128])")),
    (
        "18.6",
        "draws of seeds",
        _drawn_anew(
            "forecasts.mean() + 2.26 * (10 / 9) ** 0.5 * forecasts.std() * np.array([-1, 1])"
        ),
    ),
]
