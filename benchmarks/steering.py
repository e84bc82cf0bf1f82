"""Characters that are steered and nothing else: no drawing back to the path, no locks; the network's own motion."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.crowd import Bias, Command, Crowd, Steps
from ..core.control.path import Path
from ..core.features.locomotion import FUTURE
from ..core.features.root import facing
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from ..core.terrain.ground import Plane

AHEAD: Final = np.array(FUTURE) / 60.0
"""Seconds, of the trajectory's samples."""
WINDOW: Final = 0.6
"""Metres of path, before and behind, on which a follower is looked for."""
STANDING: Final = 0.15
"""Speed, m/s, under which nobody walks."""
RUNNING: Final = (1.9, 2.4)
"""Speeds, m/s, from which somebody runs a little, and altogether."""
FALLEN: Final = 1.2
"""Metres by which a joint may be farther from where it is in the standing pose than arms reach: more, and the pose has
exploded."""
DYING: Final = 0.25
"""Share of the motion of feet, of that of the first seconds of walking, under which a walk has died out."""


def gaits_of(names: tuple[str, ...], speeds: Array) -> Array:
    """Gaits (..., G) of people at speeds (...), m/s."""
    standing = np.clip(1 - (speeds - STANDING) / STANDING, 0, 1)
    running = np.clip((speeds - RUNNING[0]) / (RUNNING[1] - RUNNING[0]), 0, 1)
    gaits = np.zeros((*np.shape(speeds), len(names)))
    for name, value in (("stand", standing), ("walk", (1 - standing) * (1 - running)), ("run", running)):
        gaits[..., names.index(name)] = value
    return gaits


@dataclass(frozen=True, eq=False)
class Track:
    """What B steered characters did: root positions (F, B, 2), yaws (F, B), contacts (F, B, 4), poses (F, B, P, 3) and
    velocities of their joints (F, B, P, 3) in the root's frame.
    """

    positions: Array
    yaws: Array
    contacts: Array
    pose: Array
    velocity: Array

    @staticmethod
    def of(model: ControllerModel, steps: list[Steps]) -> "Track":
        """The track of steps."""
        outputs, layout = np.array([one.output for one in steps]), model.output_layout
        return Track(
            np.array([one.position for one in steps]),
            np.array([one.yaw for one in steps]),
            np.array([one.contacts for one in steps]),
            layout.view(outputs, "pose.position"),
            layout.view(outputs, "pose.velocity"),
        )

    def skate(self, feet: tuple[int, ...]) -> float:
        """Mean speed, m/s, over the ground, of feet and toes (four joints) in the network's own contacts."""
        speeds = np.linalg.norm(self.velocity[:, :, list(feet), :2], axis=-1)
        return float(speeds[self.contacts > 0.5].mean())

    def alive(self, start: Array, feet: tuple[int, ...], rate: float, walking: NDArray[np.bool_]) -> Array:
        """Seconds (B) until a pose explodes or motion dies out; the whole time where neither does.

        Args:
            start: (P, 3) the standing pose.
            feet: where feet are among its joints.
            rate: frames a second.
            walking: (F, B) who is told to walk.
        """
        broken = ~np.isfinite(self.pose).all(axis=(-1, -2))
        broken |= np.linalg.norm(np.nan_to_num(self.pose) - start, axis=-1).max(axis=-1) > FALLEN
        speeds = np.nan_to_num(np.linalg.norm(self.velocity[:, :, list(feet)], axis=-1).mean(axis=-1))
        second = round(2 * rate)
        kernel = np.ones(second) / second
        mean = np.apply_along_axis(lambda one: np.convolve(one, kernel)[: len(one)], 0, speeds)
        told = np.apply_along_axis(lambda one: np.convolve(one, kernel)[: len(one)], 0, walking.astype(float)) > 0.999
        usual = np.median(speeds[: round(20 * rate)][walking[: round(20 * rate)]])
        broken |= told & (mean < DYING * usual)
        first = np.where(broken.any(axis=0), broken.argmax(axis=0), len(broken))
        return first / rate


def follow(model: ControllerModel, points: Array, speed: float, bias: Bias) -> Track:
    """One character told to go along a path (N, 2) at a speed, m/s, from standing: the point of the path next to it,
    and those as far ahead as it would get (PFNN section 8, Table 2).
    """
    path = Path(points)
    crowd = Crowd(model, path.point(0.0)[None], [float(path.yaw(0.0))], [0.0], [Plane()], bias)
    steps: list[Steps] = []
    reached, limit = 0.0, round(3 * path.length / speed * model.rate)
    while reached < path.length - 0.3 and len(steps) < limit:
        near = np.linspace(max(reached - WINDOW / 2, 0), min(reached + WINDOW, path.length), 60)
        reached = float(near[np.argmin(np.linalg.norm(path.point(near) - crowd.position[0], axis=-1))])
        along = reached + speed * AHEAD
        gaits = gaits_of(model.gaits, np.full((1, 1 + len(FUTURE)), speed))
        command = Command(path.point(along)[None], path.yaw(along)[None], gaits[:, 1:], np.zeros((1, 1 + len(FUTURE))))
        steps.append(crowd.step(command, gaits[:, 0]))
    return Track.of(model, steps)


@dataclass(frozen=True, eq=False)
class Wishes:
    """What B characters are told at each frame: speeds (F, B), m/s, and turn rates (F, B), rad/s."""

    speeds: Array
    turns: Array

    @staticmethod
    def drawn(seeds: int, seconds: float, rate: float, seed: int = 0) -> "Wishes":
        """Somebody new every one to four seconds: standing, walking, running, straight on or in curves."""
        frames = round(seconds * rate)
        rng = np.random.default_rng(seed)
        speeds, turns = np.zeros((frames, seeds)), np.zeros((frames, seeds))
        for one in range(seeds):
            frame = 0
            while frame < frames:
                stop = frame + int(rng.uniform(1.0, 4.0) * rate)
                speed = rng.choice([0.0, rng.uniform(0.7, 1.6), rng.uniform(2.5, 3.8)], p=[0.15, 0.6, 0.25])
                speeds[frame:stop, one] = speed
                turns[frame:stop, one] = rng.choice([0.0, rng.uniform(-1.5, 1.5)]) * (speed > 0)
                frame = stop
        return Wishes(speeds, turns)


def standing(model: ControllerModel, count: int) -> Crowd:
    """Characters who stand, each in a phase of its own."""
    crowd = Crowd(model, np.zeros((count, 2)), np.zeros(count), np.zeros(count), [Plane()] * count)
    crowd.phase = np.random.default_rng(1).random(count)
    return crowd


def wander(model: ControllerModel, wishes: Wishes, crowd: Crowd | None = None) -> Track:
    """Characters that do as they are told, from standing, or from where a crowd is."""
    count = wishes.speeds.shape[1]
    crowd = crowd or standing(model, count)
    steps: list[Steps] = []
    for speeds, turns in zip(wishes.speeds, wishes.turns, strict=True):
        yaws = crowd.yaw[:, None] + turns[:, None] * AHEAD
        middle = crowd.yaw[:, None] + turns[:, None] * AHEAD / 2
        ahead = crowd.position[:, None] + facing(middle) * (speeds[:, None] * AHEAD)[..., None]
        gaits = gaits_of(model.gaits, np.repeat(speeds[:, None], 1 + len(FUTURE), axis=1))
        command = Command(ahead, yaws, gaits[:, 1:], np.zeros((count, 1 + len(FUTURE))))
        steps.append(crowd.step(command, gaits[:, 0]))
    return Track.of(model, steps)
