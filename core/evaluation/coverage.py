"""What clips contain, in minutes: gaits, speeds, turns, ways, ground; and what a controller would miss in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..errors import FootfallError
from ..labelling import Labels, label_clip
from ..labelling.semantics.gaits import NAMES as GAITS
from ..motion import Clip
from ..motion.root_frame import into_frame, root_track
from ..motion.rotations import Array
from ..motion.signals import runs_of
from ..terrain.clip_terrain import flat_level
from ..terrain.foot_points import Feet
from .speed import MOVING, WINDOW, travel_speed

SPEED_EDGES: Final = (0.8, 1.8, 3.0)
"""Metres a second: a slow walk, a walk, a jog, a run."""
TURNING: Final = 20.0
"""Degrees a second from which people who walk turn, ..."""
TURNING_SHARPLY: Final = 60.0
"""... and turn sharply: 1.2 m/s on a circle of 1.15 m."""
SPINNING: Final = 30.0
"""Degrees a second from which people who go nowhere turn on the spot."""

STRIDE: Final = 1.5
"""Seconds over which the ground is taken to rise or fall."""
GRADE: Final = 0.08
"""Rise over run from which ground is a slope, ..."""
STEEP: Final = 0.35
"""... and from which it is stairs, or as steep as them: treads of 28 cm and 10 cm high."""
RISE: Final = 0.08
"""Metres within a stride that are no error of capture."""
UNEVENNESS: Final = 0.05
"""Metres, standard deviation of the contacts' heights about the slope, from which ground is uneven."""

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "gait": GAITS,
    "speed": ("under 0.8 m/s", "0.8 to 1.8 m/s", "1.8 to 3 m/s", "over 3 m/s"),
    "turn": ("straight on", "in curves", "sharply", "on the spot"),
    "way": ("forwards", "sideways", "backwards"),
    "ground": ("level", "slopes up", "slopes down", "stairs up", "stairs down", "uneven"),
}
"""What there is to be counted, and its kinds, in order. Speeds and ways are those of people who go somewhere."""

LITTLE: Final = 1.0
"""Seconds under which something is as good as not there."""


@dataclass(frozen=True)
class Coverage:
    """What a number of clips contain.

    Attributes:
        clips: how many.
        labelled: those of them whose labels were there, not only found for this.
        minutes: how long they are together.
        starts, stops: how often somebody sets off from standing, and comes to stand.
        shares: minutes by section and kind, see :data:`SECTIONS`; kinds that are not there may be left out.
    """

    clips: int = 0
    labelled: int = 0
    minutes: float = 0.0
    starts: int = 0
    stops: int = 0
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __add__(self, other: "Coverage") -> "Coverage":
        """What both contain together."""
        return Coverage(
            self.clips + other.clips,
            self.labelled + other.labelled,
            self.minutes + other.minutes,
            self.starts + other.starts,
            self.stops + other.stops,
            {
                section: {
                    kind: self.of(section, kind) + other.of(section, kind)
                    for kind in dict.fromkeys((*self.shares.get(section, ()), *other.shares.get(section, ())))
                }
                for section in dict.fromkeys((*self.shares, *other.shares))
            },
        )

    def of(self, section: str, *kinds: str) -> float:
        """The minutes of some kinds together."""
        return sum(self.shares.get(section, {}).get(kind, 0.0) for kind in kinds)

    def rows(self, section: str) -> list[tuple[str, float]]:
        """A section's kinds with their minutes, in order; those that are not named in :data:`SECTIONS` last."""
        counted = self.shares.get(section, {})
        return [(kind, counted.get(kind, 0.0)) for kind in dict.fromkeys((*SECTIONS[section], *counted))]


def together(parts: Iterable[Coverage]) -> Coverage:
    """What all of them contain."""
    return sum(parts, Coverage())


def coverage_of(clip: Clip, labels: Labels, labelled: bool = False) -> Coverage:
    """What one clip contains.

    Args:
        clip: the motion, at the labels' rate.
        labels: its labels.
        labelled: whether they were there.

    Raises:
        FootfallError: the labels are another clip's, or the skeleton lacks hips or thighs.
    """
    if len(labels) != len(clip):
        raise FootfallError(
            f"The labels have {len(labels)} frames and '{clip.name}' has {len(clip)}: use the labels of this clip."
        )
    track = root_track(clip)
    speeds = travel_speed(track.positions, clip.rate)
    moving = speeds > MOVING
    minute = 60.0 * clip.rate
    stands = labels.standing
    shares = {
        "gait": dict(zip(labels.gait_names, (labels.gaits.sum(axis=0) / minute).tolist(), strict=True)),
        "speed": _counted("speed", np.digitize(speeds, SPEED_EDGES)[moving], minute),
        "turn": _counted("turn", _turns(track.yaws, moving, clip.rate), minute),
        "way": _counted("way", _ways(track.positions, track.yaws, moving), minute),
        "ground": _counted("ground", _grounds(clip, labels), minute),
    }
    return Coverage(1, int(labelled), len(clip) / minute, _entries(~stands), _entries(stands), shares)


def coverage_of_file(path: Path, read: Callable[[Path], Clip]) -> Coverage:
    """What a clip's file contains: by the labels beside it where there are some, else by those that are found for this.

    Args:
        path: the file.
        read: how it is read.

    Raises:
        FootfallError: the clip, or the labels beside it, cannot be used.
    """
    clip, beside = read(path), path.with_suffix(".labels.npz")
    if beside.exists():
        return coverage_of(clip, Labels.load(beside), labelled=True)
    return coverage_of(clip, label_clip(clip))


def _counted(section: str, kinds: NDArray[np.intp], minute: float) -> dict[str, float]:
    """Minutes by kind, of the numbers of kinds (N)."""
    names = SECTIONS[section]
    return dict(zip(names, (np.bincount(kinds, minlength=len(names)) / minute).tolist(), strict=True))


def _entries(state: NDArray[np.bool_]) -> int:
    """How often a state (F) begins after the first frame."""
    return sum(bool(start > 0) for start, _ in runs_of(state))


def _turns(yaws: Array, moving: NDArray[np.bool_], rate: float) -> NDArray[np.intp]:
    """The kinds of turns (N) of the frames that have one: of those who go, and of those who turn where they are."""
    turning = np.gradient(yaws, 1 / rate) if len(yaws) > 1 else np.zeros_like(yaws)
    turning = np.degrees(np.abs(scipy.ndimage.uniform_filter1d(turning, max(round(WINDOW * rate), 1), mode="nearest")))
    going = np.digitize(turning, (TURNING, TURNING_SHARPLY))
    spinning = SECTIONS["turn"].index("on the spot")
    return np.where(moving, going, spinning)[moving | (turning > SPINNING)]


def _ways(roots: Array, yaws: Array, moving: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The kinds of ways (N) in which those go who go: into which quarter about the way they face."""
    steps = np.gradient(roots, axis=0) if len(roots) > 1 else np.zeros_like(roots)
    across, ahead = into_frame(steps, yaws)[moving].T
    return np.digitize(np.abs(np.arctan2(across, ahead)), (np.pi / 4, 3 * np.pi / 4))


def _grounds(clip: Clip, labels: Labels) -> NDArray[np.intp]:
    """The kinds of ground (F) that somebody is on, as the contacts of the feet tell of it."""
    kinds, names = np.zeros(len(clip), dtype=np.intp), SECTIONS["ground"]
    feet = Feet.of(clip, labels)
    if flat_level(feet) is not None or len(feet.places) == 0:
        return kinds
    frames = np.arange(len(clip))
    middle = feet.runs.mean(axis=1)
    order = np.argsort(middle, kind="stable")
    middle, heights = middle[order], feet.places[order, 2]
    half = STRIDE * clip.rate / 2
    level = np.interp(frames, middle, heights)
    before, after = (np.clip(frames + sign * half, 0, len(clip) - 1) for sign in (-1, 1))
    rise = np.interp(after, frames, level) - np.interp(before, frames, level)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(feet.way, axis=0), axis=-1))])
    run = np.interp(after, frames, way) - np.interp(before, frames, way)
    grade = np.where(np.abs(rise) > RISE, np.abs(rise) / np.maximum(run, 1e-3), 0.0)
    kinds[_strays(frames, middle, heights, rise / np.maximum(after - before, 1), half) > UNEVENNESS] = names.index(
        "uneven"
    )
    for least, kind in ((GRADE, "slopes"), (STEEP, "stairs")):
        kinds[(grade > least) & (rise > 0)] = names.index(f"{kind} up")
        kinds[(grade > least) & (rise < 0)] = names.index(f"{kind} down")
    return kinds


def _strays(frames: NDArray[np.intp], middle: Array, heights: Array, slope: Array, half: float) -> Array:
    """By how much (F), metres, the contacts about each frame stray from the slope (F, metres a frame) there."""
    strays = np.zeros(len(frames))
    for frame in frames:
        near = slice(*np.searchsorted(middle, [frame - half, frame + half]))
        strays[frame] = np.std(heights[near] - slope[frame] * middle[near]) if near.stop - near.start > 2 else 0.0
    return strays


@dataclass(frozen=True)
class _Need:
    """What a walk along a path asks for: minutes of it that are enough, what to say of none, and of little."""

    enough: float
    counted: Callable[[Coverage], float]
    none: str
    little: str


def _minutes(section: str, *kinds: str) -> Callable[[Coverage], float]:
    return lambda coverage: coverage.of(section, *kinds)


_NEEDS: Final[Sequence[_Need]] = (
    _Need(1.0, _minutes("gait", "walk"), "Nobody walks.", "walking"),
    _Need(0.1, _minutes("gait", "stand"), "Nobody stands: walks begin and end standing.", "standing"),
    _Need(0.5, _minutes("gait", "run", "jog"), "Nobody runs.", "running"),
    _Need(0.5, _minutes("turn", "in curves", "sharply"), "Nobody walks in curves.", "walking in curves"),
    _Need(0.2, _minutes("turn", "sharply"), "No sharp turns.", "sharp turns"),
    _Need(0.1, _minutes("turn", "on the spot"), "No turning on the spot.", "turning on the spot"),
    _Need(0.3, _minutes("speed", "under 0.8 m/s"), "Nobody walks slowly.", "slow walking"),
    _Need(0.5, _minutes("ground", *SECTIONS["ground"][1:]), "All of the ground is level.", "ground that is not level"),
    _Need(0.5, _minutes("ground", "stairs up", "stairs down"), "No stairs.", "stairs"),
    _Need(0.1, _minutes("gait", "jump"), "Nobody jumps.", "jumps"),
    _Need(0.1, _minutes("gait", "crouch"), "Nobody crouches.", "crouching"),
)
_ENOUGH: Final = 3.0
"""Minutes in all for a first controller."""


def missing(coverage: Coverage) -> list[str]:
    """What a controller that walks along paths would lack, a plain sentence each, what matters most first."""
    if coverage.clips == 0:
        return ["There is no clip."]
    said: list[str] = []
    if coverage.minutes < _ENOUGH:
        said.append(f"Only {in_minutes(coverage.minutes)} in all: {_ENOUGH:g} are enough for a first controller.")
    for need in _NEEDS:
        counted = need.counted(coverage)
        if 60 * counted < LITTLE:
            said.append(need.none)
        elif counted < need.enough:
            said.append(f"Only {in_minutes(counted)} of {need.little}.")
    walks = coverage.of("gait", "walk", "jog", "run") > 0
    if walks and min(coverage.starts, coverage.stops) == 0:
        which = "sets off or comes to a stop" if coverage.starts + coverage.stops == 0 else "comes to a stop"
        said.append(f"Nobody {'sets off from standing' if coverage.starts == 0 < coverage.stops else which}.")
    # That all of the ground is level says of stairs, too, that there are none.
    return [text for text in said if text != "No stairs." or "All of the ground is level." not in said]


def in_minutes(minutes: float) -> str:
    """A duration for people.

    >>> in_minutes(12.34), in_minutes(0.4), in_minutes(0.05)
    ('12 minutes', '0.4 minutes', '3 seconds')
    """
    if minutes < 0.1:
        seconds = round(60 * minutes)
        return f"{seconds} second{'s' * (seconds != 1)}"
    return f"{minutes:.0f} minutes" if minutes >= 9.95 else f"{minutes:.1f} minutes"
