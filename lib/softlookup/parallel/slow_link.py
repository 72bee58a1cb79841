"""Data parallelism over a link of a known speed, so that the exposed time can be predicted.

The sums are gloo's, within this machine, and nearly at once; what makes the link slow is a pause
after each, in a thread of its own. A pause costs no computing. ``time_steps`` notes when a step's
backward pass begins and ends, and when the last sum has arrived, for several numbers of buckets:
each bucket is sent as soon as its gradients are there.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

    Attributes:
        took: for each sum that has arrived, how many seconds it took, the pause included.
    """

    def __init__(
        self, start_up: float, rate: float, pause: Callable[[float], None] = time.sleep
    ) -> None:
        """Begin to wait for tensors."""
        self.start_up, self.rate, self.pause = start_up, rate, pause
        self.took: list[float] = []
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
            begun = time.perf_counter()
            bucket = torch.cat([each.flatten() for each in tensors])
            # It ends when all workers have come, and only then does the message travel.
            dist.all_reduce(bucket)
            bucket /= dist.get_world_size()
            parts = bucket.split([each.numel() for each in tensors])
            for tensor, mean in zip(tensors, parts, strict=True):
                tensor.copy_(mean.view_as(tensor))
            self.pause(self.seconds(bucket.numel() * bucket.element_size()))
            self.took.append(time.perf_counter() - begun)
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


def buckets_of(model: Llama, buckets: int) -> list[list[nn.Parameter]]:
    """A model's parameters in so many lists of as many blocks each, the first blocks first.

    Raises:
        ValueError: if the blocks do not divide into so many buckets.
    """
    parts = parts_of(model)
    if len(parts) % buckets:
        raise ValueError(
            f"there are {len(parts)} blocks and {buckets} buckets; expected as many blocks in each"
        )
    of_each = len(parts) // buckets
    return [
        [each for part in parts[first : first + of_each] for each in part]
        for first in range(0, len(parts), of_each)
    ]


def send_when_full(model: Llama, link: SlowLink, buckets: int) -> None:
    """From now on each backward pass hands a bucket to the link when its gradients are all there.

    Args:
        model: whose gradients are sent.
        link: that takes them.
        buckets: how many; with one, all gradients are sent when the backward pass is done.
    """

    def count(bucket: list[nn.Parameter], _: Tensor) -> None:
        there[id(bucket)] = there.get(id(bucket), 0) + 1
        if there[id(bucket)] == len(bucket):
            there[id(bucket)] = 0
            link.send([each.grad for each in bucket if each.grad is not None])

    there: dict[int, int] = {}
    for bucket in buckets_of(model, buckets):
        for parameter in bucket:
            parameter.register_post_accumulate_grad_hook(partial(count, bucket))


@dataclass(frozen=True)
class Moments:
    """When things happened in a step, in seconds of a clock that all workers of a machine share.

    Attributes:
        began: when the backward pass began.
        ended: when it ended.
        arrived: when the last sum had arrived.
        took: how many seconds each sum took here, the wait for other workers included.
    """

    began: float
    ended: float
    arrived: float
    took: tuple[float, ...]


def take_step(model: Llama, given: Int[Tensor, "batch length"], link: SlowLink) -> Moments:
    """One step of plain gradient descent; what is read is also what should follow.

    Args:
        model: trained in place, its gradients sent as ``send_when_full`` says.
        given: this worker's rows.
        link: what is waited for before the step.
    """
    model.zero_grad()
    link.took.clear()
    loss = next_token(model(given), given)
    began = time.perf_counter()
    loss.backward()
    ended = time.perf_counter()
    link.wait()
    arrived = time.perf_counter()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.add_(parameter.grad, alpha=-1e-3)
    return Moments(began, ended, arrived, tuple(link.took))


def time_steps(
    config: LlamaConfig,
    rows: int,
    buckets: Sequence[int],
    start_up: float,
    rate: float,
    steps: int,
) -> list[list[Moments]]:
    """When things happened in this worker's steps, for several numbers of buckets.

    Args:
        config: of the model, of which each worker has a copy.
        rows: how many each worker reads.
        buckets: how many each step sends.
        start_up: of the link, in seconds a message.
        rate: of the link, in bytes a second.
        steps: how many are taken with each number of buckets, in turn.

    Returns:
        For each number of buckets the moments of each step.
    """
    torch.manual_seed(0)
    link = SlowLink(start_up, rate)
    models = [Llama(config) for _ in buckets]
    for model, number in zip(models, buckets, strict=True):
        send_when_full(model, link, number)
    given = torch.randint(config.vocab_size, (rows, config.max_length))
    taken: list[list[Moments]] = [[] for _ in buckets]
    for step in range(1 + steps):
        for model, kept in zip(models, taken, strict=True):
            dist.barrier()
            moments = take_step(model, given, link)
            if step:  # The first time sockets and memory are new.
                kept.append(moments)
    link.close()
    return taken
