"""Uneven ground, regular or random, and a walk over it measured before and after the foot lock."""

from dataclasses import dataclass

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.footing import measure_footing
from ..core.evaluation.path_error import cross_track_error
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import ControllerModel
from ..core.motion.contacts import FootContacts
from ..core.motion.rotations import Array
from ..core.terrain.ground import StaticScene
from ..core.terrain.heightfield import Heightfield
from ..core.terrain.procedural import make_procedural_ground
from ..core.terrain.walk_scene import WalkScene

CELL = 0.02
LENGTH = 10.0
SETTLING = 60
"""Ignored frames at the start of path errors."""
UNSEEN = 77_000_000
"""Seeds of procedural ground that is not in any patch."""


@dataclass(frozen=True, slots=True)
class Footing:
    """The foot contacts of one walk: mm below and above the ground, cm/s along it, and cm beside the path.

    ``loose_`` is before the foot lock, and shows the network's knowledge of the ground.
    """

    penetration_mean: float
    penetration_max: float
    floats: float
    skate: float
    cross_track: float
    arrived: bool
    loose_penetration: float
    loose_float: float


def walk_over(model: ControllerModel, ground: Heightfield, speed: float, seed: int = 0) -> Footing:
    """Walk :data:`LENGTH` meters along X over a ground, and measure the foot contacts."""
    scene, points = StaticScene(ground), np.array([[0.0, 0.0], [LENGTH, 0.0]])
    walking = begin_walk(model, WalkRequest(Path(points), speed, WalkScene(scene), start_level=3.0, seed=seed))
    while walking.advance(walking.total_frames):
        pass
    loose = walking.decode_walk()
    said = FootContacts(walking.trace.frames.contacts)
    walk = walking.finish()
    held_contacts = walk.contacts.probabilities
    held = measure_footing(walk.clip, walk.contacts, scene, walk.standing_clip)
    free = measure_footing(loose, said, scene, walk.standing_clip)
    slides = skate_speeds(sensor_tracks(walk.clip, BIPED_PRESET, walk.standing_clip), held_contacts, walk.clip.rate)
    roots = walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2]
    return Footing(
        held["penetration_mean_mm"],
        held["penetration_max_mm"],
        held["float_mean_mm"],
        100 * float(slides.mean()),
        100 * float(cross_track_error(roots[SETTLING:], points).mean()),
        bool(np.linalg.norm(roots[-1] - points[-1]) < 0.5),
        free["penetration_mean_mm"],
        free["float_mean_mm"],
    )


def stairs(rise: float = 0.17, tread: float = 0.29, steps: int = 8) -> Heightfield:
    """Return a heightfield of stairs up, a landing and stairs down, along X."""
    x = _axis()
    up = np.clip(np.floor((x - 2.0) / tread) + 1, 0, steps)
    down = np.clip(np.floor((x - 6.0) / tread) + 1, 0, steps)
    return _along(rise * (up - down))


def slope(degrees: float = 20.0) -> Heightfield:
    """Return a heightfield of a slope up, a level and a slope down, along X."""
    x = _axis()
    return _along(np.tan(np.radians(degrees)) * (np.clip(x - 1.5, 0, 2.5) - np.clip(x - 5.5, 0, 2.5)))


def unseen(kind: str, seed: int) -> Heightfield:
    """Return ground unseen in training, under the whole path."""
    made = make_procedural_ground(kind, UNSEEN + seed, LENGTH + 4.0, CELL)
    return Heightfield(made.grid, made.cell_size, made.origin + np.array([LENGTH / 2, 0.0]))


def _axis() -> Array:
    return np.arange(-2.0, LENGTH + 2.0, CELL)


def _along(heights: Array) -> Heightfield:
    """Return ground with the given heights along X, and wide enough for any walk."""
    rows = round(4.0 / CELL)
    return Heightfield(np.tile(heights, (rows, 1)), CELL, np.array([-2.0, -2.0]))
