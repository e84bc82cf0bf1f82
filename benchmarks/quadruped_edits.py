"""Key poses and edited steps of quadrupeds, measured as those of people."""

from typing import Final

import numpy as np

from ..core.models.model_file import load_model
from .document import table
from .poses import Posed, curved_walk, pose_walk
from .poses import row as pose_row
from .quadruped import SHIPPED
from .setup import Setup
from .steps import KINDS, Edited, edit_walk
from .steps import row as step_row

TITLE = "Key poses and edited steps of quadrupeds"
WALKS: Final = 20
WALK_M: Final = 6.0
SPEEDS_M_S: Final = (0.6, 1.4)
POSED: Final = {
    "head": ("head", "neck"),
    "leg": ("thigh.L", "thigh.R", "front_thigh.L", "front_thigh.R"),
    "whole body": ("spine", "chest"),
}
"""Kinds of poses, by the joints that are turned."""
LARGEST_SHIFT_M: Final = 0.05

NOTES: Final = f"""\
As the tables of key poses and of edited steps, with the shipped quadruped: {WALKS} walks of {WALK_M:g} m at
{SPEEDS_M_S[0]:g} to {SPEEDS_M_S[1]:g} m/s, with a pose and an edit of each kind. The hips of a whole body are shifted
by up to 6 cm, steps by up to {100 * LARGEST_SHIFT_M:g} cm; *off* and *slide* are those of paws."""


def measure(_setup: Setup) -> str:
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
        for kind, edit in edit_walk(walk, LARGEST_SHIFT_M, random):
            edited[kind].append(edit)
    head = ["posed", "poses", "off mm", "off deg", "window s", "acceleration rad/s2", "before", "slide cm/s", "said"]
    poses_made = table(head, [pose_row(kind, figures) for kind, figures in posed.items()])
    head = ["edit", "edits", "off mm", "others mm", "acceleration rad/s2", "before", "slide cm/s", "told"]
    steps_made = table(head, [step_row(kind, edits) for kind, edits in edited.items()])
    return f"{poses_made}\n\nElsewhere: {1000 * elsewhere:.2g} mm.\n\n{steps_made}\n\n{NOTES}"
