"""A hundred characters on crossing paths: bake rate, distances between them, and quality of the walks."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.crowd_walk import plan_and_batch
from ..core.control.walk.finished_walk import Walk
from ..core.control.walk.path_walk import batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.motion_detail import mean_jerk, smooth_root_path
from ..core.evaluation.path_error import cross_track_error
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from .setup import Setup
from .tables import Part, table

TITLE = "Crowds that keep apart"
SECONDS: Final = 20.0
SIDE: Final = 25.0
"""Side of the square, meters."""
CLEAR: Final = 1.0
"""Distance between characters that stand at their starts, and at their ends, meters."""
SPEEDS: Final = (1.0, 1.4)
ARRIVED: Final = 0.1
"""Largest distance between an arrived character and the end of its path, meters."""
MOVING: Final = 0.3
"""Speed above which a character's turning counts, meters per second."""

NOTES: Final = """\
Walks of 20 s at 1 to 1.4 m/s in one bake, without Blender's keys. *Nearest* is between the hips of any two; *aside*
and *late* are means over the characters and the largest."""


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """The walk of one character: points (N, 2), meters, at m/s."""

    points: Array
    speed: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    times: list[list[object]] = []
    looks: list[list[object]] = []
    for name, count, scene in SCENES:
        errands = scene(count)
        bake = Bake(model, errands)
        times.append([name, count, bake.length, *bake.seconds, bake.length / sum(bake.seconds)])
        alone = Bake(model, errands, together=False)
        looks.append([name, *bake.apart(alone), *bake.strayed(), *bake.motion(), *alone.motion()[1:]])
    first = table(
        ["scene", "characters", "s each", "paths s", "apart s", "steps s", "feet s", "times real time"], times
    )
    second = table(
        [
            *("scene", "nearest m", "as planned m", "aside m", "at most", "late s", "at most", "arrived"),
            *("turning", "skate cm/s", "jerk m/s^3", "alone skate", "alone jerk"),
        ],
        looks,
    )
    return [first, second, NOTES]


class Bake:
    """A bake of characters, with its cost.

    Args:
        model: the controller.
        errands: the walk of each character.
        together: whether they keep apart.
    """

    def __init__(self, model: ControllerModel, errands: list[Errand], together: bool = True) -> None:
        self.errands = errands
        clock = [perf_counter()]
        walks = [
            begin_walk(model, WalkRequest(Path(one.points), one.speed, seed=row + 1)) for row, one in enumerate(errands)
        ]
        self.planned = np.array([len(walk.plan.timing) for walk in walks]) / model.rate
        clock.append(perf_counter())
        self.notes = plan_and_batch(walks) if together else [()] * len(walks)
        if not together:
            batch_walks(walks)
        self.taken = np.array([len(walk.plan.timing) for walk in walks]) / model.rate
        clock.append(perf_counter())
        while walks[0].advance(1000):
            pass
        clock.append(perf_counter())
        self.walks: list[Walk] = [walk.finish() for walk in walks]
        clock.append(perf_counter())
        self.seconds = np.diff(clock).tolist()
        self.rate = model.rate

    @property
    def length(self) -> float:
        """Mean duration of the clips, seconds."""
        return float(np.mean([len(walk.clip) for walk in self.walks])) / self.rate

    @property
    def roots(self) -> Array:
        """Hip positions over the ground (N, T, 2), meters; finished characters stand."""
        tracks = [walk.clip.positions[:, walk.clip.skeleton.joint("hips"), :2] for walk in self.walks]
        frames = np.arange(max(map(len, tracks)))
        return np.stack([track[np.minimum(frames, len(track) - 1)] for track in tracks])

    def apart(self, alone: "Bake") -> tuple[float, float]:
        """Return the smallest distance between two characters, meters, with and without avoidance."""
        return closest(self.roots), closest(alone.roots)

    def strayed(self) -> tuple[float, float, float, float, str]:
        """Return the deviation and lateness of the characters, and the number of arrivals.

        Cross-track errors in meters and lateness in seconds, each as mean and maximum.
        """
        ends = np.array([one.points[-1] for one in self.errands])
        roots = self.roots
        aside = [cross_track_error(track, one.points).max() for track, one in zip(roots, self.errands, strict=True)]
        late = self.taken - self.planned
        there = np.linalg.norm(roots[:, -1] - ends, axis=-1) < ARRIVED
        return (
            *(float(np.mean(aside)), float(np.max(aside)), float(late.mean()), float(late.max())),
            f"{np.count_nonzero(there)} of {len(there)}",
        )

    def motion(self) -> tuple[float, float, float]:
        """Return the mean turn rate, rad/s, the mean foot skate, cm/s, and the mean jerk, m/s^3."""
        turning, sliding, jerks = [], [], []
        for walk in self.walks:
            clip = walk.clip
            course = np.diff(smooth_root_path(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate), axis=0)
            speeds = np.linalg.norm(course, axis=-1) * clip.rate
            yaws = np.unwrap(np.arctan2(course[:, 1], course[:, 0]))
            turning.append(np.abs(np.diff(yaws))[(speeds > MOVING)[1:]] * clip.rate)
            tracks = sensor_tracks(clip, BIPED_PRESET, walk.standing_clip)
            sliding.append(skate_speeds(tracks, walk.contacts.probabilities, clip.rate))
            jerks.append(mean_jerk(clip, np.ones(len(clip), dtype=bool)))
        whole = np.concatenate(turning)
        return float(np.percentile(whole, 99.9)), 100 * float(np.concatenate(sliding).mean()), float(np.mean(jerks))


def closest(tracks: Array) -> float:
    """Return the smallest distance between any two of several tracks (N, T, 2) at one frame, meters."""
    nearest = np.inf
    for row in range(len(tracks) - 1):
        squares = np.square(tracks[row] - tracks[row + 1 :]).sum(axis=-1)
        nearest = min(nearest, float(squares.min()))
    return float(np.sqrt(nearest))


# Scenes.


def square(count: int) -> list[Errand]:
    """Return random paths in a square, every second one an arc."""
    rng = np.random.default_rng(0)
    result: list[Errand] = []
    ends: list[Array] = []
    while len(result) < count:
        speed, angle = rng.uniform(*SPEEDS), rng.uniform(0.0, 2 * np.pi)
        start = rng.uniform(-SIDE / 2, SIDE / 2, 2)
        ahead = np.array([np.cos(angle), np.sin(angle)])
        both = np.stack([start, start + ahead * walked(speed)])
        if np.abs(both).max() > SIDE / 2 or any((np.linalg.norm(both - one, axis=-1) < CLEAR).any() for one in ends):
            continue
        ends.append(both)
        bow = rng.uniform(-2.0, 2.0) * (len(result) % 2)
        share = np.linspace(0.0, 1.0, 60)[:, None]
        points = both[0] + share * (both[1] - both[0])
        points += bow * np.sin(np.pi * share) * np.array([-ahead[1], ahead[0]])
        result.append(Errand(points, speed))
    return result


def crossing(count: int) -> list[Errand]:
    """Return four groups of rows that walk through one crossing: the front character goes farthest."""
    rng = np.random.default_rng(0)
    columns, apart, rows = 4, 1.5, -(-count // 16)
    result: list[Errand] = []
    for number in range(count):
        arm, place = number % 4, number // 4
        row, column = divmod(place, columns)
        ahead = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][arm])
        beside = np.array([-ahead[1], ahead[0]]) * ((column - (columns - 1) / 2) * apart + rng.uniform(-0.1, 0.1))
        speed = rng.uniform(1.1, 1.35)
        middle = apart * (rows - 1) / 2
        start = -walked(1.2) / 2 + middle - apart * row + rng.uniform(-0.3, 0.3)
        end = walked(1.2) / 2 + middle - apart * row
        result.append(Errand(np.stack([start * ahead + beside, end * ahead + beside]), speed))
    return result


def ring(count: int) -> list[Errand]:
    """Return paths from points all around a ring to the opposite points."""
    angles = 2 * np.pi * np.arange(count) / count
    ends = walked(1.2) / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return [Errand(np.stack([end, -end]), 1.2) for end in ends]


def corridor(count: int) -> list[Errand]:
    """Return three lanes of characters in one direction, and as many in the opposite one."""
    rng = np.random.default_rng(0)
    rows = -(-count // 6)
    result: list[Errand] = []
    for number in range(count):
        side = 1.0 if number % 2 else -1.0
        row, lane = divmod(number // 2, 3)
        speed, y = rng.uniform(*SPEEDS), (lane - 1) * 1.33 + rng.uniform(-0.1, 0.1)
        start = side * (walked(1.2) / 2 - 1.5 * (rows - 1) / 2 + 1.5 * row)
        end = -side * (walked(1.2) / 2 + 1.5 * (rows - 1) / 2 - 1.5 * row)
        result.append(Errand(np.array([[start, y], [end, y]]), speed))
    return result


def walked(speed: float) -> float:
    """Return the distance that a character covers in all while standing at both ends, meters."""
    return speed * (SECONDS - 1.5)


SCENES: Final[tuple[tuple[str, int, Callable[[int], list[Errand]]], ...]] = (
    ("square", 100, square),
    ("crossing", 100, crossing),
    ("ring", 32, ring),
    ("corridor", 36, corridor),
)
