"""Importing this prepares the fork server of graders; ``forked_grader`` has it imported there.

Some tests train, to compare, and a grader would make torch's first optimizer step anew for each
submission. Workers share the processor: each grader computes on one thread, as the sandbox does.
"""

import torch

from softlookup_coursework.sandbox.inside.first_step import run_optimizer_step

torch.set_num_threads(1)
run_optimizer_step()
