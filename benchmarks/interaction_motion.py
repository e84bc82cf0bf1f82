"""Motion of interactions from first to last frame: jumps, speeds, accelerations, and leaving of seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.interaction.recording import InteractionRecording
from ..core.evaluation.motion_detail import joint_speeds
from ..core.evaluation.posture import trunk_lean
from ..core.labelling.semantics.gaits import centre_of_mass
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from .captured import captured_clip
from .measures.extremes import joint_accelerations, largest_moves, worst_shaking
from .tables import Table, table

WALK_OFF_M: Final = 2.5
"""Distance of the walk after an interaction, meters."""
LEFT_M: Final = 0.03
"""Height of the hips above a seated character's at which it has left the seat."""
MIN_SEATED_S: Final = 0.4
"""Least time of low hips on a seat."""
SETTLING_S: Final = 0.4
"""Time after sitting down and before getting up with trunk and arms still in fast motion."""
MIN_SINK_M: Final = 0.15
"""Least distance by which hips sink to a seat."""
SAT_DOWN: Final = ("cmu_asfamc/sit/14_30", "cmu_asfamc/sit/14_31", "cmu_asfamc/sit/14_32")
"""Captured clips of sitting down and getting up."""
LIFTED: Final = ("accad_male1/carry/Male1_A5_PickUpBox", "accad_male1/carry/Male1_B19_WalkToPickUpBox_Working")
"""Captured clips of lifts of a box from the ground."""
LIMITS: Final = ("reach", None, 3, 4, 25, 60, *[None] * 4)
"""Row of the goals."""
HEAD: Final = (
    *("motion", "trials", "hips cm/frame", "head cm/frame", "head p99 m/s2", "head largest m/s2"),
    *("joints p99 rad/s", "joints largest rad/s", "joints p99 rad/s2", "joints largest rad/s2"),
)
SEAT_HEAD: Final = (
    "seat left",
    "times",
    "down s",
    "up s",
    "lean deg",
    "mass behind ankles cm",
    "shaking seated",
    "head seated cm/s",
)

NOTES = "Means. *Captured* are CMU's 14_30 to 14_32 and ACCAD's A5 and B19."


@dataclass(frozen=True, slots=True)
class MotionMeasures:
    """Speeds and accelerations of a clip.

    Attributes:
        hips, head: largest move in a frame of 1/60 s, cm.
        acceleration, hardest: 99th percentile and largest of the head's acceleration, m/s^2.
        speed, fastest: 99th percentile and largest of the joints' rotation speeds, rad/s.
        change, hardest_change: 99th percentile and largest of the changes of these speeds, rad/s^2.
    """

    hips: float
    head: float
    acceleration: float
    hardest: float
    speed: float
    fastest: float
    change: float
    hardest_change: float


@dataclass(frozen=True, slots=True)
class SeatLeaving:
    """The way down to a seat and up from it: seconds, degrees, cm, share.

    Attributes:
        down, up: seconds from standing to the seat, and from leaving it to standing.
        lean: lean of the trunk on leaving the seat, degrees.
        behind: distance of the center of mass behind the ankles at that time, cm.
        shaking: share of the power over 6 Hz while seated.
        head: mean speed of the head in the calmest seated second, cm/s.
    """

    down: float
    up: float
    lean: float
    behind: float
    shaking: float
    head: float


def measure_motion(clip: Clip) -> MotionMeasures:
    """Return the speeds and accelerations of a clip."""
    moves, speeds, changes = largest_moves(clip), joint_speeds(clip), joint_accelerations(clip)
    head = clip.positions[:, clip.skeleton.joint("head")]
    accelerations = np.linalg.norm(np.diff(head, 2, axis=0), axis=-1) * clip.rate**2
    return MotionMeasures(
        moves["hips"].value,
        moves["head"].value,
        float(np.percentile(accelerations, 99)),
        float(accelerations.max()),
        float(np.percentile(speeds, 99)),
        float(speeds.max()),
        float(np.percentile(changes, 99)),
        float(changes.max()),
    )


def seat_leavings(clip: Clip) -> list[SeatLeaving]:
    """Return all seat leavings of a clip, with sitting down and staying."""
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2]
    standing = float(np.percentile(heights, 90))
    low = heights < (standing + float(np.percentile(heights, 2))) / 2
    found = []
    for start, stop in runs_of(low):
        seat = float(np.percentile(heights[start:stop], 20))
        rests = np.flatnonzero(heights[start:stop] < seat + LEFT_M) + start
        seated, left = int(rests[0]), int(rests[-1])
        begins = np.flatnonzero(heights[:seated] > standing - LEFT_M)
        ends = np.flatnonzero(heights[left:] > standing - LEFT_M)
        is_complete = len(begins) and len(ends) and standing - seat > MIN_SINK_M
        settling = round(SETTLING_S * clip.rate)
        if is_complete and left - seated > 2 * settling + MIN_SEATED_S * clip.rate:
            rest = clip.cut(seated + settling, left - settling)
            found.append(
                SeatLeaving(
                    (seated - int(begins[-1])) / clip.rate,
                    int(ends[0]) / clip.rate,
                    float(trunk_lean(clip)[left]),
                    100 * float(_behind_ankles(clip)[left]),
                    worst_shaking(rest).value,
                    100 * _calmest_head_speed(rest),
                )
            )
    return found


def lift_seconds(clip: Clip, lift: int, stop: int) -> float:
    """Return the seconds from 10 to 90 % of the head's rise between two frames."""
    heights = clip.positions[lift:stop, clip.skeleton.joint("head"), 2]
    lowest = int(np.argmin(heights))
    risen = (heights[lowest:] - heights[lowest]) / max(float(heights[lowest:].max() - heights[lowest]), 1e-6)
    first, last = (int(np.argmax(risen >= share)) for share in (0.1, 0.9))
    return (last - first) / clip.rate


def motion_row(name: str, measures: Sequence[MotionMeasures]) -> list[object]:
    """Return a row of the table of motion: largest values of all trials, and means of percentiles."""
    if not measures:
        return [name, 0, *[None] * (len(HEAD) - 2)]
    values = {field: np.array([getattr(one, field) for one in measures]) for field in MotionMeasures.__slots__}
    means = {"acceleration", "speed", "change"}
    return [
        name,
        len(measures),
        *(float(part.mean() if field in means else part.max()) for field, part in values.items()),
    ]


def motion_table(rows: Sequence[list[object]], captured: Sequence[Clip]) -> Table:
    """Return the table of motion with its captured row and its goals."""
    real = [motion_row("captured", [measure_motion(clip) for clip in captured])] if captured else []
    return table(list(HEAD), [*rows, *real, list(LIMITS)])


def seat_table(leavings: dict[str, list[SeatLeaving]], captured: Sequence[Clip]) -> Table:
    """Return the table of seat leavings, with its captured row and its goals."""
    real = [leaving for clip in captured for leaving in seat_leavings(clip)]
    rows: list[list[object]] = [_seat_row(name, found) for name, found in {**leavings, "captured": real}.items()]
    return table(list(SEAT_HEAD), [*rows, ["reach", None, None, None, "40 to 60", 10, None, None]])


def captured_clips(data: Path, names: Sequence[str], model: ControllerModel) -> list[Clip]:
    """Return captured clips on a controller's skeleton."""
    return [captured_clip(data, name, model.skeleton, model.rate) for name in names]


def walk_off_from(place: Array, direction: Array) -> Array:
    """Return the place (3) of a walk off from a place (2) in a direction (2), meters."""
    return np.append(place + WALK_OFF_M * direction, 0.0)


def has_given_up(recording: InteractionRecording) -> bool:
    """Return whether any task of a recording was given up."""
    return any(event.kind == "gave up" for event in recording.events)


def _seat_row(name: str, found: Sequence[SeatLeaving]) -> list[object]:
    """Return the means of some leavings of seats."""
    if not found:
        return [name, 0, *[None] * (len(SEAT_HEAD) - 2)]
    return [
        name,
        len(found),
        *(float(np.mean([getattr(one, part) for one in found])) for part in SeatLeaving.__slots__),
    ]


def _calmest_head_speed(clip: Clip) -> float:
    """Return the mean speed of the head in its calmest second, or in all of a shorter clip, m/s."""
    head = clip.positions[:, clip.skeleton.joint("head")]
    speeds = np.linalg.norm(np.diff(head, axis=0), axis=-1) * clip.rate
    window = min(round(clip.rate), len(speeds))
    return float(np.convolve(speeds, np.full(window, 1 / window), mode="valid").min())


def _behind_ankles(clip: Clip) -> NDArray[np.float64]:
    """Return the distance (F) of the center of mass behind the middle of the ankles, meters."""
    ankles = np.mean([clip.positions[:, clip.skeleton.joint(f"foot.{side}")] for side in "LR"], axis=0)
    offset = (ankles - centre_of_mass(clip))[:, :2]
    return np.sum(offset * facing_direction(root_track(clip).yaws), axis=-1)
