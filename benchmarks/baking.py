"""Baked walks of several requests in one batch, for measures of motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.control.path.path import Path
from ..core.control.path.path_events import Cues, Wait
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.path_error import cross_track_error
from ..core.evaluation.report import SETTLING_S
from ..core.models.control_generator import ControlGenerator
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip, Skeleton
from ..core.motion.rotations import Array
from ..core.retarget.calibration import Calibration


@dataclass(frozen=True, eq=False)
class WalkTask:
    """A walk to bake.

    Attributes:
        points: (N, 2) points of its path, meters.
        speed: m/s.
        seed: seed of the walk.
        waits: waits along it.
        target: the walking skeleton, or its calibration; by default the controller's skeleton.
        style: style of the whole walk; empty for plain walking and running.
        variation: amount by which the generator varies the control series.
        generator: generator of the variation.
    """

    points: Array
    speed: float = 1.2
    seed: int = 0
    waits: tuple[Wait, ...] = ()
    target: Skeleton | Calibration | None = None
    style: str = ""
    variation: float = 0.0
    generator: ControlGenerator | None = None


def bake_all(model: ControllerModel, tasks: Sequence[WalkTask]) -> list[Clip]:
    """Return the finished clips of walks rolled out in one batch."""
    walks = [
        begin_walk(
            model,
            WalkRequest(
                Path(one.points),
                one.speed,
                seed=one.seed,
                style=one.style,
                cues=Cues(waits=one.waits),
                target=one.target,
                variation=one.variation,
                generator=one.generator,
            ),
        )
        for one in tasks
    ]
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return [walk.finish().clip for walk in walks]


def off_path_cm(clip: Clip, points: Array) -> Array:
    """Return the distances (N) of the root from a path (P, 2), cm, after the first second."""
    roots = clip.positions[round(SETTLING_S * clip.rate) :, clip.skeleton.joint("hips"), :2]
    return 100 * cross_track_error(roots, points)


def straight(length: float) -> Array:
    """Return the points (2, 2) of a straight path, meters."""
    return np.array([[0.0, 0.0], [length, 0.0]])
