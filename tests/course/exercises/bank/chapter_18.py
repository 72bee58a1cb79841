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


SHUFFLED = "torch.randperm(rows, generator=drawing)"
OWN = "order[rank * share : (rank + 1) * share]"
CROWDS = "((2, 6), (3, 7), (4, 8), (5, 13))"
EACH_NEAR = "all((each - mean).abs().max() < 1e-9 for each in got)"

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
        "tokens; 20 for each",
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
        "part of a device",
        "cannot be bought",
        _plan(devices="16 * parameters / memory"),
    ),
    ("18.1", "seconds", "these are seconds", _plan(days="work / (devices * speed)")),
    ("18.1", "one device", "days of one device", _plan(days="work / speed / 86_400")),
    (
        "18.2",
        "forwards alone",
        "backwards there are two sums",
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
        "a worker's part has shape",
        _rows(SHUFFLED, "order[rank::n_workers]"),
    ),
    (
        "18.4",
        "the first worker alone",
        "the last worker hears nothing",
        _judge(CROWDS, "(got[0] - mean).abs().max() < 1e-9"),
    ),
    (
        "18.4",
        "two workers alone",
        "with its neighbour alone",
        _judge("((2, 6), (2, 7))", EACH_NEAR),
    ),
    (
        "18.4",
        "lengths that the workers divide",
        "what the workers do not divide",
        _judge("((2, 6), (3, 9), (4, 8))", EACH_NEAR),
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
        "18.4",
        "in one comparison",
        _judge(CROWDS, "torch.allclose(torch.stack(got), mean.expand(n_workers, -1), atol=1e-9)"),
    ),
]
