"""Importing this prepares the fork server of graders; ``forked_grader`` has it imported there.

What it does here no grader does anew for each submission. Some tests train, to compare, so it makes
torch's first optimizer step; and it reads a little, with all that reading needs. Workers share the
processor: each grader computes on one thread, as the sandbox does.
"""

import gc

import torch
from IPython.core import inputtransformer2
from softlookup.course.student_code.source_checks import StudentCode

from softlookup_coursework.sandbox.inside.first_step import run_optimizer_step

PRELOADED = (inputtransformer2,)
READ = "%time import torch\ndef answer(x):\n    return torch.softmax(x, -1)"

torch.set_num_threads(1)
run_optimizer_step()
StudentCode([(1, READ)], {}, [READ]).needed_by(["answer"], ["attention"])
# The collector skips frozen objects; if a grader's marked them, every page would be copied.
gc.collect()
gc.freeze()
