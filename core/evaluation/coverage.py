"""Clip coverage: minutes by gait, speed, turn, direction and ground, and what a walk controller still lacks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..errors import FootfallError
from ..labelling import Labels, label_clip
from ..labelling.semantics.gaits import GAIT_NAMES
from ..message import Message
from ..motion import Clip
from ..motion.polyline import arc_lengths_of
from ..motion.root_frame import into_frame, root_track
from ..motion.rotations import Array
from ..motion.signals import MIN_TRAVEL_SPEED_M_S, TRAVEL_WINDOW_S, runs_of
from ..terrain.clip_terrain import flat_level
from ..terrain.foot_points import FootTracks
from .speed import travel_speed

SPEED_EDGES_M_S: Final = (0.8, 1.8, 3.0)
"""Speeds that separate slow walk, walk, jog and run."""
TURN_RATE_DEG_S: Final = 20.0
"""Turn rate above which travel counts as a curve."""
SHARP_TURN_RATE_DEG_S: Final = 60.0
"""Turn rate of a sharp turn: 1.2 m/s on a circle of 1.15 m."""
SPOT_TURN_RATE_DEG_S: Final = 30.0
"""Turn rate above which a character that does not travel counts as turning on the spot."""

GRADE_WINDOW_S: Final = 1.5
"""Time over which the slope of the ground is measured."""
MIN_SLOPE_RATIO: Final = 0.08
"""Least rise over run of a slope."""
MIN_STAIRS_RATIO: Final = 0.35
"""Least rise over run of stairs: 10 cm over treads of 28 cm."""
MIN_RISE_M: Final = 0.08
"""Smallest height difference within a stride that is not a capture error."""
MIN_UNEVENNESS_M: Final = 0.05
"""Standard deviation of the contacts' heights from the slope above which ground is uneven."""

COVERAGE_SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "gait": GAIT_NAMES,
    "speed": ("under 0.8 m/s", "0.8 to 1.8 m/s", "1.8 to 3 m/s", "over 3 m/s"),
    "turn": ("straight on", "in curves", "sharply", "on the spot"),
    "way": ("forward", "sideways", "backward"),
    "ground": ("level", "slopes up", "slopes down", "stairs up", "stairs down", "uneven"),
}
"""Sections of a coverage report and the kinds in each, in order; speeds and directions count only while traveling."""

NEGLIGIBLE_S: Final = 1.0
"""Duration below which a kind counts as missing."""


@dataclass(frozen=True)
class Coverage:
    """Coverage of one or several clips.

    Attributes:
        clip_count: number of clips.
        labelled_count: number of clips with a label file.
        minutes: total duration of the clips.
        start_count: number of times that a character sets off from standing.
        stop_count: number of times that a character comes to a stop.
        minutes_by_kind: minutes by section, then by kind (see :data:`COVERAGE_SECTIONS`); kinds may be missing if 0.
    """

    clip_count: int = 0
    labelled_count: int = 0
    minutes: float = 0.0
    start_count: int = 0
    stop_count: int = 0
    minutes_by_kind: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __add__(self, other: "Coverage") -> "Coverage":
        """Return the coverage of the clips of both: counts and minutes are added."""
        return Coverage(
            self.clip_count + other.clip_count,
            self.labelled_count + other.labelled_count,
            self.minutes + other.minutes,
            self.start_count + other.start_count,
            self.stop_count + other.stop_count,
            {
                section: {
                    kind: self.minutes_of(section, kind) + other.minutes_of(section, kind)
                    for kind in dict.fromkeys(
                        (*self.minutes_by_kind.get(section, ()), *other.minutes_by_kind.get(section, ()))
                    )
                }
                for section in dict.fromkeys((*self.minutes_by_kind, *other.minutes_by_kind))
            },
        )

    def minutes_of(self, section: str, *kinds: str) -> float:
        """Return the total minutes of the given kinds in one section of :data:`COVERAGE_SECTIONS`."""
        return sum(self.minutes_by_kind.get(section, {}).get(kind, 0.0) for kind in kinds)

    def rows(self, section: str) -> list[tuple[str, float]]:
        """Return the kinds of motion of a section with their minutes, in the order of :data:`COVERAGE_SECTIONS`."""
        counted = self.minutes_by_kind.get(section, {})
        return [(kind, counted.get(kind, 0.0)) for kind in dict.fromkeys((*COVERAGE_SECTIONS[section], *counted))]


def sum_coverages(parts: Iterable[Coverage]) -> Coverage:
    """Return the sum of coverages: that of all their clips together."""
    return sum(parts, Coverage())


def measure_coverage(clip: Clip, labels: Labels, has_own_labels: bool = False) -> Coverage:
    """Return the coverage of one clip: its minutes by gait, speed, turn, direction and ground.

    Args:
        clip: the motion, at the labels' rate.
        labels: labels of every frame of the clip.
        has_own_labels: whether the labels were read from a file, not detected.

    Raises:
        FootfallError: the labels belong to another clip, or the skeleton lacks hips or thighs.
    """
    if len(labels) != len(clip):
        raise FootfallError(
            "The labels have {labels} frames, but the clip '{name}' has {frames}: use the labels of this clip",
            labels=len(labels),
            name=clip.name,
            frames=len(clip),
        )
    track = root_track(clip)
    speeds = travel_speed(track.positions, clip.rate)
    moving = speeds > MIN_TRAVEL_SPEED_M_S
    minute = 60.0 * clip.rate
    standing = labels.standing
    shares = {
        "gait": dict(zip(labels.gait_names, (labels.gaits.sum(axis=0) / minute).tolist(), strict=True)),
        "speed": _minutes_by_kind("speed", np.digitize(speeds, SPEED_EDGES_M_S)[moving], minute),
        "turn": _minutes_by_kind("turn", _turn_kinds(track.yaws, moving, clip.rate), minute),
        "way": _minutes_by_kind("way", _direction_kinds(track.positions, track.yaws, moving), minute),
        "ground": _minutes_by_kind("ground", _ground_kinds(clip, labels), minute),
    }
    starts, stops = _count_onsets(~standing), _count_onsets(standing)
    return Coverage(1, int(has_own_labels), len(clip) / minute, starts, stops, shares)


def measure_file_coverage(path: Path, read: Callable[[Path], Clip]) -> Coverage:
    """Return the minutes by gait, speed, turn, direction and ground of a clip's file.

    The labels are those in the file beside the clip; without that file they are detected.

    Raises:
        FootfallError: the clip, or the labels beside it, cannot be used.
    """
    return measure_motion_coverage(read(path), path)


def measure_motion_coverage(clip: Clip, path: Path) -> Coverage:
    """Return the minutes by gait, speed, turn, direction and ground of a clip that was read from ``path``.

    The labels are those in the file beside ``path``; without that file they are detected.

    Raises:
        FootfallError: the clip, or the labels, cannot be used.
    """
    beside = path.with_suffix(".labels.npz")
    if beside.exists():
        return measure_coverage(clip, Labels.load(beside), has_own_labels=True)
    return measure_coverage(clip, label_clip(clip))


def _minutes_by_kind(section: str, kinds: NDArray[np.intp], minute: float) -> dict[str, float]:
    """Return the minutes of each kind in a section, given the index (N) of the kind in each frame."""
    names = COVERAGE_SECTIONS[section]
    return dict(zip(names, (np.bincount(kinds, minlength=len(names)) / minute).tolist(), strict=True))


def _count_onsets(state: NDArray[np.bool_]) -> int:
    """Return how many times a state (F) becomes true after the first frame."""
    return sum(bool(start > 0) for start, _ in runs_of(state))


def _turn_kinds(yaws: Array, moving: NDArray[np.bool_], rate: float) -> NDArray[np.intp]:
    """Return the index (N) of the kind of turn, for each frame in which the character travels or turns."""
    turning = np.gradient(yaws, 1 / rate) if len(yaws) > 1 else np.zeros_like(yaws)
    turning = np.degrees(
        np.abs(scipy.ndimage.uniform_filter1d(turning, max(round(TRAVEL_WINDOW_S * rate), 1), mode="nearest"))
    )
    going = np.digitize(turning, (TURN_RATE_DEG_S, SHARP_TURN_RATE_DEG_S))
    spinning = COVERAGE_SECTIONS["turn"].index("on the spot")
    return np.where(moving, going, spinning)[moving | (turning > SPOT_TURN_RATE_DEG_S)]


def _direction_kinds(roots: Array, yaws: Array, moving: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the index (N) of the direction of travel, by quarters around the facing direction, in moving frames."""
    steps = np.gradient(roots, axis=0) if len(roots) > 1 else np.zeros_like(roots)
    across, ahead = into_frame(steps, yaws)[moving].T
    return np.digitize(np.abs(np.arctan2(across, ahead)), (np.pi / 4, 3 * np.pi / 4))


def _ground_kinds(clip: Clip, labels: Labels) -> NDArray[np.intp]:
    """Return the index (F) of the kind of ground in each frame, judged by the contacts of the feet."""
    kinds, names = np.zeros(len(clip), dtype=np.intp), COVERAGE_SECTIONS["ground"]
    feet = FootTracks.of(clip, labels)
    if flat_level(feet) is not None or len(feet.contact_points) == 0:
        return kinds
    frames = np.arange(len(clip))
    middle = feet.contact_runs.mean(axis=1)
    order = np.argsort(middle, kind="stable")
    middle, heights = middle[order], feet.contact_points[order, 2]
    half = GRADE_WINDOW_S * clip.rate / 2
    level = np.interp(frames, middle, heights)
    before, after = (np.clip(frames + sign * half, 0, len(clip) - 1) for sign in (-1, 1))
    rise = np.interp(after, frames, level) - np.interp(before, frames, level)
    arc_lengths = arc_lengths_of(feet.hip_positions)
    run = np.interp(after, frames, arc_lengths) - np.interp(before, frames, arc_lengths)
    grade = np.where(np.abs(rise) > MIN_RISE_M, np.abs(rise) / np.maximum(run, 1e-3), 0.0)
    kinds[
        _contact_unevenness(frames, middle, heights, rise / np.maximum(after - before, 1), half) > MIN_UNEVENNESS_M
    ] = names.index("uneven")
    for least, kind in ((MIN_SLOPE_RATIO, "slopes"), (MIN_STAIRS_RATIO, "stairs")):
        kinds[(grade > least) & (rise > 0)] = names.index(f"{kind} up")
        kinds[(grade > least) & (rise < 0)] = names.index(f"{kind} down")
    return kinds


def _contact_unevenness(frames: NDArray[np.intp], middle: Array, heights: Array, slope: Array, half: float) -> Array:
    """Return how far (F), meters, the contacts around each frame deviate from the slope (F, meters per frame)."""
    strays = np.zeros(len(frames))
    for frame in frames:
        near = slice(*np.searchsorted(middle, [frame - half, frame + half]))
        strays[frame] = np.std(heights[near] - slope[frame] * middle[near]) if near.stop - near.start > 2 else 0.0
    return strays


@dataclass(frozen=True)
class _Requirement:
    """A kind of motion that a controller needs for walking along paths.

    Attributes:
        enough_minutes: minutes that suffice.
        count_minutes: function that counts the minutes in a coverage.
        none_text: message if the clips have none of it.
        subject: name of the motion in the message if minutes are too few.
    """

    enough_minutes: float
    count_minutes: Callable[[Coverage], float]
    none_text: Message
    subject: Message


def _minutes_counter(section: str, *kinds: str) -> Callable[[Coverage], float]:
    """Return a function that returns the minutes of the given kinds in a coverage."""
    return lambda coverage: coverage.minutes_of(section, *kinds)


_REQUIREMENTS: Final[Sequence[_Requirement]] = (
    _Requirement(1.0, _minutes_counter("gait", "walk"), Message("The clips show no walking"), Message("walking")),
    _Requirement(
        0.1,
        _minutes_counter("gait", "stand"),
        Message("The clips show no standing, though every walk begins and ends with standing"),
        Message("standing"),
    ),
    _Requirement(0.5, _minutes_counter("gait", "run", "jog"), Message("The clips show no running"), Message("running")),
    _Requirement(
        0.5,
        _minutes_counter("turn", "in curves", "sharply"),
        Message("The clips show no walking in curves"),
        Message("walking in curves"),
    ),
    _Requirement(
        0.2, _minutes_counter("turn", "sharply"), Message("The clips show no sharp turns"), Message("sharp turns")
    ),
    _Requirement(
        0.1,
        _minutes_counter("turn", "on the spot"),
        Message("The clips show no turning on the spot"),
        Message("turning on the spot"),
    ),
    _Requirement(
        0.3,
        _minutes_counter("speed", "under 0.8 m/s"),
        Message("The clips show no slow walking"),
        Message("slow walking"),
    ),
    _Requirement(
        0.5,
        _minutes_counter("ground", *COVERAGE_SECTIONS["ground"][1:]),
        Message("The clips show no uneven ground"),
        Message("uneven ground"),
    ),
    _Requirement(
        0.5,
        _minutes_counter("ground", "stairs up", "stairs down"),
        Message("The clips show no stairs"),
        Message("stairs"),
    ),
    _Requirement(0.1, _minutes_counter("gait", "jump"), Message("The clips show no jumps"), Message("jumps")),
    _Requirement(0.1, _minutes_counter("gait", "crouch"), Message("The clips show no crouching"), Message("crouching")),
)
"""Kinds of motion that a path-walking controller needs, the most important first."""
_ENOUGH_MINUTES: Final = 3.0
"""Minutes that suffice to train a first controller."""


def find_missing(coverage: Coverage) -> list[str]:
    """Return one sentence for each kind of motion that a path-walking controller needs but the clips lack."""
    if coverage.clip_count == 0:
        return [Message("There are no clips")]
    messages: list[str] = []
    if coverage.minutes < _ENOUGH_MINUTES:
        messages.append(
            Message(
                "The clips last only {duration} in total: a first controller needs about {enough} minutes",
                duration=format_minutes(coverage.minutes),
                enough=f"{_ENOUGH_MINUTES:g}",
            )
        )
    for need in _REQUIREMENTS:
        counted = need.count_minutes(coverage)
        if 60 * counted < NEGLIGIBLE_S:
            messages.append(need.none_text)
        elif counted < need.enough_minutes:
            messages.append(
                Message(
                    "The clips show only {duration} of {motion}", duration=format_minutes(counted), motion=need.subject
                )
            )
    walks = coverage.minutes_of("gait", "walk", "jog", "run") > 0
    if walks and min(coverage.start_count, coverage.stop_count) == 0:
        neither = coverage.start_count + coverage.stop_count == 0
        missing = Message(
            "The clips show no walks that start or stop" if neither else "The clips show no walks that stop"
        )
        never_starts = coverage.start_count == 0 < coverage.stop_count
        messages.append(Message("The clips show no walks that start from standing") if never_starts else missing)
    # Missing level ground implies missing stairs.
    return [
        text
        for text in messages
        if text != "The clips show no stairs" or "The clips show no uneven ground" not in messages
    ]


def format_minutes(minutes: float) -> str:
    """Return a duration, given in minutes, as text for display.

    >>> format_minutes(12.34), format_minutes(0.4), format_minutes(0.05)
    ('12 minutes', '0.4 minutes', '3 seconds')
    """
    if minutes < 0.1:
        seconds = round(60 * minutes)
        return Message("1 second") if seconds == 1 else Message("{seconds} seconds", seconds=seconds)
    return Message("{minutes} minutes", minutes=f"{minutes:.0f}" if minutes >= 9.95 else f"{minutes:.1f}")
