"""Key poses and edited steps of quadrupeds, with the measures for people."""

from typing import Final

import numpy as np

from ..core.control.walk.walk_performance import walk_performance
from ..core.models.model_file import load_model
from .poses import Posed, curved_walk, pose_walk
from .poses import row as pose_row
from .quadruped import SHIPPED
from .setup import Setup
from .steps import KINDS, Edited, edit_walk
from .steps import row as step_row
from .tables import Part, table

TITLE = "Key poses and edited steps of quadrupeds"
WALKS: Final = 20
WALK_M: Final = 6.0
SPEEDS_M_S: Final = (0.6, 1.4)
POSED: Final = {
    "head": ("head", "neck"),
    "leg": ("thigh.L", "thigh.R", "front_thigh.L", "front_thigh.R"),
    "whole body": ("spine", "chest"),
}
"""Kinds of poses, by the turned joints."""
LARGEST_SHIFT_M: Final = 0.05

NOTES: Final = """\
20 walks of 6 m at 0.6 to 1.4 m/s with the shipped quadruped, with a pose and an edit of each kind."""


def measure(_setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = load_model(SHIPPED)
    posed: dict[str, list[Posed]] = {kind: [] for kind in POSED}
    edited: dict[str, list[Edited]] = {kind: [] for kind in KINDS}
    elsewhere = 0.0
    for seed in range(WALKS):
        random = np.random.default_rng(seed)
        walk = curved_walk(model, WALK_M, SPEEDS_M_S, random, seed)
        moved, poses = pose_walk(walk, POSED, random)
        elsewhere = max(elsewhere, moved)
        for kind, figures in poses:
            posed[kind].append(figures)
        for kind, edit in edit_walk(walk_performance(walk, model.gaits, 0.0), LARGEST_SHIFT_M, random):
            edited[kind].append(edit)
    head = ["posed", "poses", "off mm", "off deg", "window s", "acceleration rad/s2", "before", "slide cm/s", "said"]
    poses_made = table(head, [pose_row(kind, figures) for kind, figures in posed.items()])
    head = ["edit", "edits", "off mm", "others mm", "acceleration rad/s2", "before", "slide cm/s", "told"]
    steps_made = table(head, [step_row(kind, edits) for kind, edits in edited.items()])
    return [poses_made, steps_made, NOTES, f"Elsewhere the walks move by {1000 * elsewhere:.2g} mm."]
