"""Likeness to people: standing, steps, leans and turns of a character, compared with people's usual ranges.

Only three kinds of motion are judged: upright rests, gait while facing the direction of travel, and turns at walking
speeds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.roles import LOCOMOTION_ROLES, is_quadruped
from ..motion.signals import Mask, runs_of
from ..terrain.ground import Scene
from .gait_analysis import GaitReport, analyze_gaits
from .gait_events import travel_directions
from .motion_detail import SINK_SMOOTHING_S, body_joints, joint_speeds
from .posture import across_vectors, line_yaw, trunk_lean
from .speed import moving_frames, travel_speed
from .standing import StandingReport, measure_standing, resting_frames
from .usual_ranges import CADENCE_MEASURE, USUAL_RANGES, UsualRange, cadence_range

MIN_REST_S: Final = 1.0
"""Shortest judged rest."""
REST_MARGIN_S: Final = 0.5
"""Time cut from both ends of a rest, in which the character still stops or already starts."""
UPRIGHT_SHARE: Final = 0.7
"""Height of the hip joints above the feet, as a share of leg length, below which a body counts as not standing."""
MIN_STRIDES: Final = 4
"""Fewest strides for a mean to be judged."""
MIN_STRIDES_BOTH_SIDES: Final = 8
"""Fewest strides for left and right to be compared."""
WALK_SPEEDS_M_S: Final = (0.7, 1.7)
"""Speeds at which step width and arm swing are judged as those of a walk."""
CADENCE_BANDS_M_S: Final = ((0.3, 0.7), WALK_SPEEDS_M_S, (1.7, 2.4), (2.4, 4.5))
"""Speed bands in which the cadence is compared; sprinters are left out."""
WALK_MEASURES: Final = (
    "step_time_asymmetry_percent",
    "side_lean_deg",
    "step_width_cm",
    "bounce_cm",
    "sway_cm",
    "knee_yield_deg",
    "arm_swing_deg",
)
"""Measures of :func:`.gait_analysis.analyze_gait` that are judged at walking speeds."""
MAX_FACING_OFFSET_DEG: Final = 35.0
"""Angle between facing and travel direction beyond which a character counts as side stepping or walking backward."""
TURN_WINDOW_S: Final = 1.0
"""Window over which a turn is measured, long enough to remove the swing of the pelvis."""
MIN_TURN_DEG: Final = 20.0
"""Smallest turn within the window that is judged."""
MAX_TURN_SPEED_M_S: Final = 1.8
"""Fastest travel at which turns are judged; runners lean by up to 40 degrees."""
LEVEL_WINDOW_S: Final = 1.0
"""Time around a frame within which the ground must be level."""
MAX_LEVEL_RISE_M: Final = 0.03
"""Largest rise of level ground within the window."""
LOW_CEILING_SHARE: Final = 2.6
"""Headroom, in leg lengths, below which a character may duck."""
TOE_ROLES: Final = ("toe.L", "toe.R")
"""Joints whose speed is not judged, since captured toes turn by up to 50 rad/s."""


@dataclass(frozen=True, slots=True)
class LikenessFigure:
    """One measure of a motion, compared with people's.

    Attributes:
        measure: one of :data:`.usual_ranges.LIKENESS_MEASURES`.
        value: the measured value, in the unit of ``usual``.
        usual: range of values of people of this body size.
        frame: frame that shows the value best, 0 at the clip's first; ``None`` for means over strides.
        speed_m_s: travel speed at which it was measured; ``None`` if ``usual`` does not depend on speed.
    """

    measure: str
    value: float
    usual: UsualRange
    frame: int | None = None
    speed_m_s: float | None = None

    @property
    def closeness(self) -> float:
        """Closeness of the measured value to people's range: 1 within the range, falling to 0 outside."""
        return self.usual.closeness(self.value)

    @property
    def is_fault(self) -> bool:
        """True if the value is so unusual that the motion looks wrong."""
        return self.usual.is_fault(self.value)


LikenessFigures = dict[str, LikenessFigure]
"""Figures by measure; measures that a motion does not show are missing."""


def measure_likeness(clip: Clip, frames: Mask | None = None) -> LikenessFigures:
    """Return the measures of a motion with people's usual ranges; empty if the body is not a biped.

    Args:
        clip: the motion, on level ground.
        frames: (F) mask of frames to judge, such as :func:`level_frames`; all by default.
    """
    roles = clip.skeleton.roles
    if len(clip) < 2 or is_quadruped(roles) or not all(role in roles for role in LOCOMOTION_ROLES):
        return {}
    plain = np.ones(len(clip), dtype=bool) if frames is None else frames
    figures = _standing_figures(clip, plain)
    if any(role in roles for role in ("neck", "head", "chest")):
        figures |= _gait_figures(clip, plain & _facing_travel(clip)) | _turn_figures(clip, plain)
    return figures | _joint_speed_figure(clip, plain)


def level_frames(clip: Clip, ground: Scene) -> Mask:
    """Return a mask (F) of the frames in which the character is on level, unmoving ground without a low ceiling.

    Args:
        clip: the motion, world.
        ground: the scene of the walk.
    """
    if not ground.is_static:
        return np.zeros(len(clip), dtype=bool)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    heights = ground.heights(hips)
    free = ground.ceilings(hips) - heights > LOW_CEILING_SHARE * clip.skeleton.leg_length
    window = max(round(LEVEL_WINDOW_S * clip.rate), 1)
    rise = scipy.ndimage.maximum_filter1d(heights, window, mode="nearest") - scipy.ndimage.minimum_filter1d(
        heights, window, mode="nearest"
    )
    return free & (rise <= MAX_LEVEL_RISE_M * body_size(clip))  # false for NaN


def body_size(clip: Clip) -> float:
    """Return the leg length of a clip's body as a ratio to an adult's."""
    return clip.skeleton.leg_length / ADULT_LEG_LENGTH_M


def _figure(
    clip: Clip, measure: str, value: float | None, frame: int | None = None, speed: float | None = None
) -> LikenessFigures:
    """Return a figure by its measure; empty if the value is unknown (``None``)."""
    if value is None:
        return {}
    return {measure: LikenessFigure(measure, value, USUAL_RANGES[measure].for_body(body_size(clip)), frame, speed)}


_REST_VALUES: Final[Mapping[str, Callable[[StandingReport], float]]] = {
    "standing_knee_deg": lambda report: report.knee_deg,
    "standing_head_cm_s": lambda report: report.head_speed_cm_s,
    "standing_foot_moving_percent": lambda report: 100 * report.foot_moving_share,
}


def _standing_figures(clip: Clip, plain: Mask) -> LikenessFigures:
    """Return the figures of knees, head and feet in the worst rest of the character."""
    rests = [(mask, report) for mask in _rests(clip, plain) if (report := measure_standing(clip, mask)) is not None]
    figures: LikenessFigures = {}
    for measure, value in _REST_VALUES.items() if rests else ():
        mask, report = max(rests, key=lambda rest: value(rest[1]))
        figures |= _figure(clip, measure, value(report), int(np.flatnonzero(mask).mean()))
    return figures


def _rests(clip: Clip, plain: Mask) -> list[Mask]:
    """Return a mask (F) for each upright rest of at least a second, without the stop before it and the start after."""
    roles, margin = clip.skeleton.roles, round(REST_MARGIN_S * clip.rate)
    above = np.mean(
        [clip.positions[:, roles[f"thigh.{side}"], 2] - clip.positions[:, roles[f"foot.{side}"], 2] for side in "LR"],
        axis=0,
    )
    standing = resting_frames(clip) & plain & ~_turning(clip) & (above > UPRIGHT_SHARE * clip.skeleton.leg_length)
    rests = []
    for start, stop in runs_of(standing):
        first = start + margin if start > 0 else start
        last = stop - margin if stop < len(clip) else stop
        if last - first >= MIN_REST_S * clip.rate:
            rest = np.zeros(len(clip), dtype=bool)
            rest[first:last] = True
            rests.append(rest)
    return rests


def _facing_travel(clip: Clip) -> Mask:
    """Return in which frames (F) the body faces the direction in which it travels."""
    across = across_vectors(clip, "thigh")
    assert across is not None
    left = scipy.ndimage.uniform_filter1d(across[:, :2], _turn_frames(clip), axis=0, mode="nearest")
    travel = travel_directions(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate)
    ahead, aside = np.sum(np.stack([left[:, 1], -left[:, 0]], axis=-1) * travel, axis=-1), np.sum(left * travel, -1)
    return np.abs(np.degrees(np.arctan2(aside, ahead))) < MAX_FACING_OFFSET_DEG


def _turn_frames(clip: Clip) -> int:
    """Return the length of the window for turns, an odd number of frames."""
    return round(TURN_WINDOW_S * clip.rate) | 1


def _turning(clip: Clip) -> Mask:
    """Return in which frames (F) the pelvis turns, also on the spot."""
    across, window = across_vectors(clip, "thigh"), _turn_frames(clip)
    assert across is not None
    yaws = scipy.ndimage.uniform_filter1d(line_yaw(across), window, mode="nearest")
    before, after = (np.clip(np.arange(len(clip)) + shift, 0, len(clip) - 1) for shift in (-(window // 2), window // 2))
    return np.abs(yaws[after] - yaws[before]) > MIN_TURN_DEG


def _walking_speed(clip: Clip) -> Mask:
    """Return in which frames (F) the body travels, for some time around, no faster than a walk."""
    speeds = travel_speed(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate)
    fastest = scipy.ndimage.maximum_filter1d(speeds, 2 * _turn_frames(clip), mode="nearest")
    return fastest < MAX_TURN_SPEED_M_S * body_size(clip) ** 0.5


def _gait_figures(clip: Clip, plain: Mask) -> LikenessFigures:
    """Return the figures that are measured in strides."""
    gaits = analyze_gaits(clip, CADENCE_BANDS_M_S, plain)
    walk, figures = gaits[WALK_SPEEDS_M_S], dict[str, LikenessFigure]()
    for measure in WALK_MEASURES:
        enough = MIN_STRIDES_BOTH_SIDES if measure == "step_time_asymmetry_percent" else MIN_STRIDES
        if (walk["strides"] or 0.0) >= enough:
            figures |= _figure(clip, measure, walk[measure])
    return figures | _cadence_figure(clip, [gait for gait in gaits.values() if (gait["strides"] or 0.0) >= MIN_STRIDES])


def _cadence_figure(clip: Clip, gaits: Sequence[GaitReport]) -> LikenessFigures:
    """Return the cadence that is farthest from people's; if all are usual, the cadence of the most strides."""
    figures = []
    for gait in gaits:
        speed, cadence = gait["speed_m_s"], gait[CADENCE_MEASURE]
        if speed is not None and cadence is not None:
            figure = LikenessFigure(CADENCE_MEASURE, cadence, cadence_range(speed, body_size(clip)), speed_m_s=speed)
            figures.append((figure.closeness, -(gait["strides"] or 0.0), figure))
    return {CADENCE_MEASURE: min(figures, key=lambda one: one[:2])[2]} if figures else {}


def _turn_figures(clip: Clip, plain: Mask) -> LikenessFigures:
    """Return the largest lean and the deepest sink in turns at walking speeds."""
    hips, walking = clip.positions[:, clip.skeleton.joint("hips")], plain & _walking_speed(clip)
    turning = walking & _turning(clip)
    steady = walking & ~_turning(clip) & moving_frames(hips[:, :2], clip.rate)
    if not turning.any():
        return {}
    lean, at = trunk_lean(clip), np.flatnonzero(turning)
    most = int(at[np.argmax(lean[at])])
    figures = _figure(clip, "turn_lean_deg", float(lean[most]), most)
    if np.count_nonzero(steady) < clip.rate:
        return figures
    heights = scipy.ndimage.gaussian_filter1d(hips[:, 2], SINK_SMOOTHING_S * clip.rate, mode="nearest")
    deepest = int(at[np.argmin(heights[at])])
    sink = max(float(np.median(heights[steady]) - heights[deepest]), 0.0)
    return figures | _figure(clip, "turn_sink_cm", 100 * sink, deepest)


def _joint_speed_figure(clip: Clip, plain: Mask) -> LikenessFigures:
    """Return the largest rotation speed of the body's joints, except toes, at walking speeds."""
    toes = {clip.skeleton.roles[role] for role in TOE_ROLES if role in clip.skeleton.roles}
    columns = [column for column, joint in enumerate(body_joints(clip)) if joint not in toes]
    judged = (plain & _walking_speed(clip))[1:]
    speeds = np.where(judged, joint_speeds(clip)[:, columns].max(axis=1), 0.0)
    frame = int(np.argmax(speeds))
    return _figure(clip, "joint_speed_max_rad_s", float(speeds[frame]), frame + 1) if judged.any() else {}
