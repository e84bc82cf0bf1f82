"""Pairs of captured walks and bakes of the same body, course and speed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..core.evaluation.motion_detail import smooth_root_path
from ..core.evaluation.speed import moving_frames, travel_speed
from ..core.models.control_generator import ControlGenerator
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.polyline import arc_lengths_of
from ..core.motion.rotations import Array, normalize
from ..core.retarget.calibration import Calibration, calibrate
from ..core.retarget.hinges import hinge_axes
from .baking import WalkTask, bake_all
from .setup import Setup

ACTED: Final = ("17_03", "91_13", "91_17", "09_12", "08_05", "08_11", "29_01")
"""Acted CMU walks: stealthy, sad, quick, sideways, striding, up and down."""
SPEEDS_M_S: Final = (1.0, 1.4)
LEAD_M: Final = 3.0
"""Straight pieces before and after a captured course, for the start and stop of the bake."""
STRAIGHT_SHARE: Final = 0.75
"""Distance from first to last frame, relative to the walked length, above which a walk is nearly straight."""


@dataclass(frozen=True, eq=False)
class Captured:
    """A captured walk.

    Attributes:
        name: name of its file.
        actor: its actor.
        clip: the motion, on its own skeleton.
        speed: mean speed, m/s.
    """

    name: str
    actor: str
    clip: Clip
    speed: float


def captured_walks(
    setup: Setup, speeds: tuple[float, float] = SPEEDS_M_S, rate: float = 60.0, straight_share: float = STRAIGHT_SHARE
) -> list[Captured]:
    """Return captured walks without acting, on their own skeletons.

    Args:
        setup: source of the clips.
        speeds: slowest and fastest mean speed, m/s.
        rate: frames per second.
        straight_share: least distance from first to last frame, relative to the walked length.
    """
    found = []
    for file in setup.clips("walk", "turn"):
        if file.stem in ACTED:
            continue
        clip = read_bvh(file).resampled(rate)
        roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
        speed = float(travel_speed(roots, rate)[moving_frames(roots, rate)].mean())
        direct = float(np.linalg.norm(roots[-1] - roots[0])) / clip.duration
        if speeds[0] <= speed <= speeds[1] and direct >= straight_share * speed:
            found.append(Captured(file.stem, file.stem.split("_")[0], clip, speed))
    return found


def spread_out(walks: Sequence[Captured], count: int) -> list[Captured]:
    """Return a number of the walks, of as many actors as possible, by turns."""
    by_actor: dict[str, list[Captured]] = {}
    for walk in walks:
        by_actor.setdefault(walk.actor, []).append(walk)
    chosen: list[Captured] = []
    for turn in range(max(map(len, by_actor.values()), default=0)):
        chosen += [own[turn] for own in by_actor.values() if turn < len(own)]
    return chosen[:count]


def bake_pairs(
    model: ControllerModel, walks: Sequence[Captured], variation: float = 0.0, generator: ControlGenerator | None = None
) -> list[Clip]:
    """Return a bake of each captured walk: on its skeleton, along its course and at its speed, without start and stop.

    A rest pose with straight arms does not show the hinge axes of the elbows, but the motion does.

    Args:
        model: the controller.
        walks: the captured walks.
        variation: amount by which the generator varies the control series.
        generator: generator of the variation.
    """
    courses = [smooth_root_path(_roots(walk.clip), walk.clip.rate) for walk in walks]
    tasks = [
        WalkTask(
            _with_leads(course),
            walk.speed,
            seed,
            target=_body(model, walk.clip),
            variation=variation,
            generator=generator,
        )
        for seed, (walk, course) in enumerate(zip(walks, courses, strict=True))
    ]
    return [_along(clip, course) for clip, course in zip(bake_all(model, tasks), courses, strict=True)]


def _body(model: ControllerModel, clip: Clip) -> Calibration:
    """Return the calibration of the controller to a captured body, with the hinges of its motion."""
    return replace(calibrate(model.skeleton, clip.skeleton), hinges=hinge_axes(clip))


def _with_leads(course: Array) -> Array:
    """Return a course (N, 2) with straight pieces at both ends, by the direction of its outer thirds."""
    third = max(len(course) // 3, 1)
    ahead, on = normalize(course[third] - course[0]), normalize(course[-1] - course[-1 - third])
    points = np.concatenate([[course[0] - LEAD_M * ahead], course, [course[-1] + LEAD_M * on]])
    return points[np.concatenate([[True], np.diff(arc_lengths_of(points)) > 1e-6])]


def _along(clip: Clip, course: Array) -> Clip:
    """Return the frames of a clip from the start of a course to its end."""
    roots = _roots(clip)
    first = int(np.argmin(np.linalg.norm(roots - course[0], axis=-1)))
    last = first + int(np.argmin(np.linalg.norm(roots[first:] - course[-1], axis=-1)))
    return clip.cut(first, last + 1)


def _roots(clip: Clip) -> Array:
    """Return the hips on the ground (F, 2), meters."""
    return clip.positions[:, clip.skeleton.joint("hips"), :2]
