"""Facings: how upright each performer goes backward, aside and diagonally."""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.path.path_events import Cues, CueSpan, Facing
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.bending import flexion_angles, hinge_axes
from ..core.evaluation.posture import directed_lean, trunk_vectors
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array
from .baking import straight
from .setup import Setup
from .tables import Part, table

TITLE = "Facings"
FACINGS_DEG: Final = {"ahead": 0, "diagonally ahead": 45, "aside": 90, "diagonally back": 135, "backward": 180}
"""Angle from the direction of travel to the face, to the left."""
SPEEDS_M_S: Final = (0.5, 0.8, 1.1)
SECONDS: Final = 8.0
SETTLED_S: Final = (3.0, 7.0)
"""Measured part of each walk."""

NOTES = f"""\
Straight on at {", ".join(f"{speed:g}" for speed in SPEEDS_M_S)} m/s, baked, for each performer. *Hips* are below where
they stand, *lean* is of the trunk ahead of the face, *knees* and *elbows* are mean flexions. *Worst* is of all
performers and speeds. People (CMU 09_12, ACCAD): hips 1 to 3 cm, lean 1 to 8 degrees, elbows 20."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = setup.model()
    performers = model.performers or ("",)
    rows: list[list[object]] = []
    for name, degrees in FACINGS_DEG.items():
        found = posture_rows(model, performers, degrees)
        means = found.reshape(len(performers), len(SPEEDS_M_S), -1)
        own, everyone = means[0].mean(axis=0), found.mean(axis=0)
        cells = [f"{value:.1f}" for pair in zip(own, everyone, strict=True) for value in pair]
        rows.append([name, *cells, f"{found[:, 0].max():.1f}", f"{found[:, 1].max():.1f}"])
    head = ["facing"]
    for title in ("hips cm", "lean deg", "knees deg", "elbows deg", "speed m/s"):
        head += [title, "all"]
    return [table([*head, "worst hips cm", "worst lean deg"], rows), NOTES]


def posture_rows(model: ControllerModel, performers: Sequence[str], degrees: float) -> Array:
    """Return hips below standing (cm), lean, knees and elbows (degrees) and speed (m/s) of performers at all speeds.

    Args:
        model: the controller.
        performers: names (P) of its performers.
        degrees: angle from the direction of travel to the face, to the left.

    Returns:
        (P * S, 5), by performer, then speed.
    """
    return np.array([_posture(clip) for clip in faced_walks(model, performers, SPEEDS_M_S, degrees)])


def faced_walks(
    model: ControllerModel, performers: Sequence[str], speeds: Sequence[float], degrees: float
) -> list[Clip]:
    """Return finished straight walks of all performers at all speeds, m/s, with a face off the direction of travel."""
    walks = []
    for performer, speed in product(performers, speeds):
        span = CueSpan(0.0, SPEEDS_M_S[-1] * SECONDS * 2, facing=Facing(np.radians(degrees)))
        way = WalkPath(straight(speed * SECONDS))
        walks.append(begin_walk(model, WalkRequest(way, speed, performer=performer, cues=Cues((span,)))))
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return [walk.finish().clip for walk in walks]


def _posture(clip: Clip) -> list[float]:
    """Return hips below standing (cm), lean, knees and elbows (degrees) and speed (m/s) of a walk."""
    first, last = (round(seconds * clip.rate) for seconds in SETTLED_S)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    ahead, _ = directed_lean(trunk_vectors(clip), facing_direction(root_track(clip).yaws))
    bends = flexion_angles(clip, hinge_axes(clip))
    settled = slice(first, min(last, len(clip)))
    way = np.linalg.norm(hips[settled.stop - 1, :2] - hips[first, :2])
    return [
        100 * float(hips[:5, 2].mean() - hips[settled, 2].mean()),
        float(ahead[settled].mean()),
        *(float(bends[hinge][settled].mean()) for hinge in ("knee", "elbow")),
        float(way) * clip.rate / (settled.stop - first),
    ]
