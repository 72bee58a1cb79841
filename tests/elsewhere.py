"""A device beside the processor, for machines that have none: it computes on the processor.

Its tensors answer that they lie on "meta". As on a GPU, what is sent or made there lies there, and
a computation with one of its tensors and one of the processor's is refused, unless the latter is a
single number. So whatever a model makes on the wrong device is found without a GPU.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

DEVICE = torch.device("meta")
COPY, PACK = torch.ops.aten.copy_.default, torch.ops.aten._pack_padded_sequence.default
# What may be given both: what moves numbers; and packing, whose lengths stay on the processor.
BOTH = (COPY, PACK, torch.ops.aten._to_copy.default)


class Sent(torch.Tensor):
    """A tensor that lies there; ``here`` is what it holds."""

    @staticmethod
    def __new__(cls, here):
        here = here.resolve_conj()  # what a wrapper holds, its flags do not tell
        sent = torch.Tensor._make_wrapper_subclass(
            cls,
            here.size(),
            strides=here.stride(),
            storage_offset=here.storage_offset(),
            dtype=here.dtype,
            device=DEVICE,
            requires_grad=here.requires_grad,
        )
        sent.here = here
        return sent

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return _computed(function, args, kwargs or {})


class Elsewhere(TorchDispatchMode):
    """While it is entered, there is such a device."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return _computed(function, args, kwargs or {})


def brought_back(tensor):
    """A tensor on the processor, from whichever device."""
    return tensor.detach().here if isinstance(tensor, Sent) else tensor.detach().cpu()


def _computed(function, args, kwargs):
    tensors = [each for each in tree_leaves((args, kwargs)) if isinstance(each, torch.Tensor)]
    strays = [each for each in tensors if not isinstance(each, Sent) and each.dim() > 0]
    there, asked = any(isinstance(each, Sent) for each in tensors), kwargs.get("device")
    if there and strays and function not in BOTH:
        shapes = ", ".join(str(tuple(each.shape)) for each in strays)
        raise RuntimeError(f"{function} got tensors of two devices; the processor's: {shapes}")
    args, kwargs = tree_map_only(Sent, lambda each: each.here, (args, kwargs))
    if asked is not None:
        there, kwargs = torch.device(asked) == DEVICE, kwargs | {"device": torch.device("cpu")}
    found = function(*args, **kwargs)
    if function is COPY:
        return tensors[0]
    if function is PACK:
        return (Sent(found[0]) if there else found[0]), found[1]
    return tree_map_only(torch.Tensor, Sent, found) if there else found
