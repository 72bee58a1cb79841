"""Imports what nearly every submission needs, once, in the zygote."""

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import font_manager, pyplot
from softlookup.models import gpt

PRELOADED = (InteractiveShell, font_manager, gpt, np, pyplot)
