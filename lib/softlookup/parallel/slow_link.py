"""Data parallelism over a link of a known speed, so that a step's time can be foretold.

The sums are gloo's, within this machine, and nearly at once; what makes the link slow is a pause
after each, in a thread of its own. A pause costs no computing. ``time_steps`` takes the time of
whole steps: with nothing sent, with one sum after the backward pass, and with a sum for each block
as soon as its gradients are there.
"""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import Queue

import torch
import torch.distributed as dist
from jaxtyping import Int
from torch import Tensor, nn

from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel.traffic import all_reduce_bytes
from softlookup.parallel.trainings import next_token


class SlowLink:
    """Takes the mean of tensors over all workers, one sum after the other, as slowly as told.

    Args:
        start_up: seconds for each of the 2 (p - 1) messages of a ring that wait for each other.
        rate: bytes a second that a worker can send.
        pause: what waits so many seconds.
    """

    def __init__(
        self, start_up: float, rate: float, pause: Callable[[float], None] = time.sleep
    ) -> None:
        """Begin to wait for tensors."""
        self.start_up, self.rate, self.pause = start_up, rate, pause
        self._waiting: Queue[list[Tensor] | None] = Queue()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def send(self, tensors: list[Tensor]) -> None:
        """Hand over tensors, which become means in place, in one message; return at once."""
        self._waiting.put(tensors)

    def wait(self) -> None:
        """Until all that was handed over has arrived."""
        self._waiting.join()

    def close(self) -> None:
        """Carry what was handed over, and nothing more."""
        self._waiting.put(None)
        self._thread.join()

    def seconds(self, size: int) -> float:
        """How long a sum of so many bytes takes by the formula of a ring."""
        workers = dist.get_world_size()
        return 2 * (workers - 1) * self.start_up + all_reduce_bytes(size, workers) / self.rate

    def _carry(self) -> None:
        while (tensors := self._waiting.get()) is not None:
            bucket = torch.cat([each.flatten() for each in tensors])
            # It ends when all workers have come, and only then does the message travel.
            dist.all_reduce(bucket)
            bucket /= dist.get_world_size()
            parts = bucket.split([each.numel() for each in tensors])
            for tensor, mean in zip(tensors, parts, strict=True):
                tensor.copy_(mean.view_as(tensor))
            self.pause(self.seconds(bucket.numel() * bucket.element_size()))
            self._waiting.task_done()


def parts_of(model: Llama) -> list[list[nn.Parameter]]:
    """A model's parameters, a list for each block; the first has the table of tokens as well.

    What comes after the blocks is in the last list, and has its gradients first.
    """
    parts = [list(block.parameters()) for block in model.stack.blocks]
    placed = {id(each) for part in parts for each in part}
    table = {id(each) for each in model.embedding.parameters()}
    for parameter in model.parameters():
        if id(parameter) not in placed:
            parts[0 if id(parameter) in table else -1].append(parameter)
    return parts


def send_when_full(model: Llama, link: SlowLink) -> None:
    """From now on each backward pass hands a block's gradients to the link when all are there."""

    def count(part: list[nn.Parameter], _: Tensor) -> None:
        there[id(part)] = there.get(id(part), 0) + 1
        if there[id(part)] == len(part):
            there[id(part)] = 0
            link.send([each.grad for each in part if each.grad is not None])

    there: dict[int, int] = {}
    for part in parts_of(model):
        for parameter in part:
            parameter.register_post_accumulate_grad_hook(partial(count, part))


def take_step(
    model: Llama, given: Int[Tensor, "batch length"], link: SlowLink | None, after: bool
) -> None:
    """One step of plain gradient descent; what is read is also what should follow.

    Args:
        model: trained in place.
        given: this worker's rows.
        link: what is waited for before the step; none if nothing is sent.
        after: whether all gradients are handed to the link after the backward pass.
    """
    model.zero_grad()
    next_token(model(given), given).backward()
    if link is not None:
        if after:
            link.send([each.grad for each in model.parameters() if each.grad is not None])
        link.wait()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.add_(parameter.grad, alpha=-1e-3)


WAYS = ("alone", "after", "in buckets")


def time_steps(
    config: LlamaConfig, rows: Sequence[int], start_up: float, rate: float, repeats: int
) -> list[list[list[float]]]:
    """How long this worker takes for a step: each of ``WAYS``, for several numbers of rows.

    Args:
        config: of the model, of which each worker has a copy.
        rows: how many each worker reads.
        start_up: of the link, in seconds a message.
        rate: of the link, in bytes a second.
        repeats: how often; in each, all steps have their turn in an order that is drawn anew.

    Returns:
        For each number of rows and each way the seconds of each repeat, from when all have met.
    """
    torch.manual_seed(0)  # All workers draw the same order.
    model = Llama(config)
    bucketed = Llama(config)
    link = SlowLink(start_up, rate)
    send_when_full(bucketed, link)
    batches = [torch.randint(config.vocab_size, (n, config.max_length)) for n in rows]
    steps = {
        "alone": lambda given: take_step(model, given, None, after=False),
        "after": lambda given: take_step(model, given, link, after=True),
        "in buckets": lambda given: take_step(bucketed, given, link, after=False),
    }
    taken: list[list[list[float]]] = [[[] for _ in WAYS] for _ in rows]
    for repeat in range(repeats + 1):
        for turn in torch.randperm(len(rows) * len(WAYS)).tolist():
            which, way = divmod(turn, len(WAYS))
            dist.barrier()
            begun = time.perf_counter()
            steps[WAYS[way]](batches[which])
            if repeat:  # The first time sockets and memory are new.
                taken[which][way].append(time.perf_counter() - begun)
    link.close()
    return taken
