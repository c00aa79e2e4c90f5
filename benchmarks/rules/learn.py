"""Learn to tell words apart that sound or look alike, from prose: `python -m benchmarks.rules.learn`.

Two of three sentences of the prose teach a linear model for each set of `confusables.sets`; the third, which is what
`python -m benchmarks.rules` reads, decides on the bounds. A bound is the highest score that a wrong member has at a
place of clean prose (places in `judged.txt`, in which the text is wrong, are left out), and MARGIN more. A direction
that finds fewer than LEAST of the places where the other member belongs is left out. Needs torch.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
from benchmarks.rules.__main__ import prose_lines

from errata.rules.confusables import SCALE, digest, far_features, near_features, normalise

SEED = 7
# Places of each member that are learnt from.
MOST_PLACES = 12_000
EPOCHS, BATCH, RATE, DROPOUT = 4, 256, 0.1, 0.3
# Weights that decide nothing, and how many a set may have.
SMALL, MOST_FEATURES = 0.08, 12_000
