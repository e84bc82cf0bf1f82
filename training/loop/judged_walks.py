"""Judged walks: the walks by which networks in training are evaluated for closeness to human motion.

In them a character stands for four seconds, starts and stops, turns around and turns a corner, and walks straight at
every speed in the clips, all on level ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.control.ball.accompaniment import BallAccompaniment
from ...core.control.ball.dribble import Dribble, plays_ball
from ...core.control.path.path import Path
from ...core.control.path.path_events import Cues, Wait
from ...core.control.walk.path_walk import WalkRollout, begin_walk
from ...core.control.walk.plan import WalkRequest
from ...core.evaluation.likeness import WALK_MEASURES, WALK_SPEEDS_M_S, measure_likeness
from ...core.evaluation.sharp_courses import sharp_course_points
from ...core.evaluation.usual_ranges import CADENCE_MEASURE
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip, Skeleton
from ...core.motion.roles import LOCOMOTION_ROLES, is_quadruped
from ...core.motion.rotations import Array
from .reference_motion import PaceMotion, ReferenceMotion

WAIT_S: Final = 4.0
"""Time of standing in the middle of a walk."""
WAIT_AFTER_S: Final = 1.5
"""Time of walking before and after the wait."""
STRAIGHT_S: Final = 9.0
"""Time of each straight: fourteen steps of a slow walk."""
TURN_LEG_S: Final = 2.5
"""Time of walking before and after a turn; turns are those of the sharp courses, shortened."""
TURNS: Final = ("reversal", "corner")
STANDING_MEASURES: Final = ("standing_knee_deg", "standing_head_cm_s", "standing_foot_moving_percent")
TURN_MEASURES: Final = ("turn_lean_deg", "turn_sink_cm", "joint_speed_max_rad_s")


@dataclass(frozen=True, slots=True, eq=False)
class JudgedWalk:
    """A walk that serves to evaluate networks in training.

    Attributes:
        name: name of the walk, for the log.
        points: (N, 2) points of its path, meters.
        pace: usual motion in the clips at its speed.
        wait: wait in the middle of the walk; ``None`` without one.
        measures: likeness measures taken in this walk; if the first cannot be measured, because the character does not
            stand, step or turn, all count as 0.
    """

    name: str
    points: Array
    pace: PaceMotion
    wait: Wait | None
    measures: tuple[str, ...]

    @property
    def is_steady(self) -> bool:
        """True if the walk has constant speed between its start and its stop."""
        return self.wait is None and len(self.points) == 2

    def begin(self, model: ControllerModel, style: str) -> WalkRollout:
        """Return a roll-out at the start of this walk, in a style unless empty; a ball controller dribbles."""
        cues = Cues(waits=(self.wait,)) if self.wait else Cues()
        ball, path = BallAccompaniment(Dribble()) if plays_ball(model) else None, Path(self.points)
        return begin_walk(model, WalkRequest(path, self.pace.speed, style=style, cues=cues, accompaniment=ball))

    def closeness(self, clip: Clip) -> dict[str, float]:
        """Return the closeness of a clip of this walk to human motion, 0 to 1, by likeness measure."""
        figures = measure_likeness(clip) if self.measures else {}
        if not self.measures or self.measures[0] not in figures:
            return dict.fromkeys(self.measures, 0.0)
        return {measure: figures[measure].closeness for measure in self.measures if measure in figures}


def judged_walks(reference: ReferenceMotion, skeleton: Skeleton, has_style: bool = False) -> list[JudgedWalk]:
    """Return the walks by which to judge networks, limited to motion that the clips show and the body can do.

    Args:
        reference: usual motion in the clips.
        skeleton: the network skeleton.
        has_style: whether the networks learn a style, which is not compared with plain human motion.
    """
    roles, usual = skeleton.roles, reference.usual
    biped = not has_style and not is_quadruped(roles) and all(role in roles for role in LOCOMOTION_ROLES)
    has_trunk = biped and any(role in roles for role in ("neck", "head", "chest"))
    walks = [_straight(pace, has_trunk) for pace in reference.paces]
    if reference.stands:
        half = WAIT_AFTER_S * usual.speed
        standing = STANDING_MEASURES if biped else ()
        walks.append(JudgedWalk("standing", _line(2 * half), usual, Wait(half, WAIT_S), standing))
    turns = TURN_MEASURES if has_trunk and usual.speed < WALK_SPEEDS_M_S[1] else ()
    for name in TURNS:
        points = sharp_course_points(name)
        leg = float(np.linalg.norm(points[1] - points[0]))
        walks.append(JudgedWalk(name, points * (TURN_LEG_S * usual.speed / leg), usual, None, turns))
    return walks


def merge_closeness(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean closeness, 0 to 1, by measure, over the walks (rows) in which it was measured."""
    found: dict[str, list[float]] = {}
    for row in rows:
        for measure, value in row.items():
            found.setdefault(measure, []).append(value)
    return {measure: float(np.mean(values)) for measure, values in found.items()}


def _straight(pace: PaceMotion, has_trunk: bool) -> JudgedWalk:
    """Return a walk straight ahead at a pace."""
    walks = WALK_SPEEDS_M_S[0] <= pace.speed <= WALK_SPEEDS_M_S[1]
    measures = (CADENCE_MEASURE, *(WALK_MEASURES if walks else ())) if has_trunk else ()
    return JudgedWalk(f"{pace.speed:.1f} m/s", _line(STRAIGHT_S * pace.speed), pace, None, measures)


def _line(length: float) -> Array:
    """Return the two end points (2, 2) of a straight path, meters."""
    return np.array([[0.0, 0.0], [length, 0.0]])
