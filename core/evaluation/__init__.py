"""Metrics of clips: the same code measures captured motion, other programs' output and our own."""

from .courses import COURSE_NAMES, course_points
from .findings import find_faults
from .likeness import measure_likeness
from .report import evaluate, mean_standing_heights, mocap_ratios, mocap_row

__all__ = [
    "COURSE_NAMES",
    "course_points",
    "evaluate",
    "find_faults",
    "mean_standing_heights",
    "measure_likeness",
    "mocap_ratios",
    "mocap_row",
]
