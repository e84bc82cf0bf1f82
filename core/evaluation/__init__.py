"""Metrics on clips, one definition each: mocap, another program's output and our own are measured by the same code."""

from .courses import COURSES, course
from .report import evaluate, mean_clearances, mocap_row, ratios

__all__ = ["COURSES", "course", "evaluate", "mean_clearances", "mocap_row", "ratios"]
