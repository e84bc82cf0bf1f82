"""Walks of fighters, by the locomotion controller: curved paths that end facing a target."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.path_events import Cues, Wait
from ..walk.path_walk import begin_walk
from ..walk.plan import WalkRequest


@dataclass(frozen=True, slots=True)
class ApproachTuning(Tuning):
    walking_speed: float = tuned(1.2, "m/s", 0.3, 3.0)
    """Speed of approach and retreat."""
    shortest_way: float = tuned(0.1, "m", 0.01, 0.5)
    """Distance up to which a destination counts as reached, so that no direction leads to it."""
    leaving_angle: float = tuned(np.radians(75.0), "rad", 0.0, np.pi)
    """Largest angle between the guard's facing and the first direction of a walk; beyond it the walk is a curve."""
    curve: float = tuned(0.6, "m", 0.1, 2.0)
    """Length of the tangents at both ends of a curved walk."""
    curve_points: int = tuned(24, "1", 4, 200)
    """Number of points of a curved path."""


TUNING: Final = ApproachTuning()

ADVANCE_FRAMES: Final = 6
"""Number of frames of a walk that are made in each step."""


def walk_in_steps(
    model: ControllerModel, path: Path, pause: float, begun: int = 0
) -> Generator[int, None, tuple[Clip, Array, float]]:
    """Make a walk that first stands still for a pause and then follows a path; yield the number of finished frames.

    Args:
        model: the controller that walks.
        path: path of the walk, in meters at the controller's scale.
        pause: time to stand first, seconds.
        begun: number of frames made before the walk, to which the yielded numbers add those of the walk.

    Returns:
        The walk, and the root (2), meters, world, and yaw, radians, at its end.
    """
    waits = (Wait(0.0, pause),) if pause > 0.0 else ()
    walk = begin_walk(model, WalkRequest(path, TUNING.walking_speed, cues=Cues(waits=waits)))
    while walk.advance(ADVANCE_FRAMES):
        yield begun + walk.frames_done
    frames = walk.trace.frames
    return walk.finish().clip, frames.position[-1], float(frames.yaw[-1])


def curved_path(position: Array, yaw: float | None, end: Array, target: Array | None) -> Path:
    """Return a path, meters, world, that starts in the direction that the character faces, and ends facing a target.

    Args:
        position: (2) start of the path, meters, world.
        yaw: yaw of the character at the start, radians; by default the path starts straight toward its end.
        end: (2) end of the path, meters, world.
        target: (2) target faced at the end, meters, world; by default the path ends in the direction of travel.
    """
    way = end - position
    if np.linalg.norm(way) < TUNING.shortest_way:
        way = (target if target is not None else end + facing_direction(np.array(yaw or 0.0))) - position
    straight = float(yaw_of(way))
    first = straight
    if yaw is not None:
        first = yaw + float(np.clip(wrap_angle(straight - yaw), -TUNING.leaving_angle, TUNING.leaving_angle))
    last = straight if target is None else float(yaw_of(target - end))
    turns = max(abs(float(wrap_angle(one - straight))) for one in (first, last))
    length = max(TUNING.curve * min(turns, 1.0), np.linalg.norm(way) / 3)
    begins, ends = (length * facing_direction(np.array(one)) for one in (first, last))
    share = np.linspace(0.0, 1.0, TUNING.curve_points)[:, None]
    points = (position, position + begins, end - ends, end)
    weights = np.hstack([(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3])
    return Path(weights @ np.stack(points))
