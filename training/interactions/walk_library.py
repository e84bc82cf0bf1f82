"""Generated walks of a controller, before and after the actions of takes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...core.control.feet.foot_lock import lock_feet, locked_contacts
from ...core.control.path.path import Path
from ...core.control.path.path_events import Cues, Wait
from ...core.control.runtime.pose_decoder import standing_clip
from ...core.control.walk.path_walk import make_walk
from ...core.control.walk.plan import WalkRequest
from ...core.labelling import label_clip
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of
from ...core.tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class WalkLibraryTuning(Tuning):
    point_spacing: float = tuned(0.25, "m", 0.02, 2.0)
    """Distance between the points of a path."""
    walk_speeds: tuple[float, float] = tuned((0.8, 1.5), "m/s", 0.2, 3.0)
    """Range of the speed of a walk."""
    walk_lengths: tuple[float, float] = tuned((0.5, 3.0), "m", 0.1, 20.0)
    """Range of the length of a walk."""
    run_lengths: tuple[float, float] = tuned((4.0, 7.0), "m", 1.0, 50.0)
    """Range of the length of a run."""
    run_speeds: tuple[float, float] = tuned((2.4, 3.4), "m/s", 1.5, 8.0)
    """Range of the speed of a run."""
    run_share: float = tuned(0.08, "1", 0.0, 1.0)
    """Share of runs."""
    max_curvature: float = tuned(0.9, "1/m", 0.05, 5.0)
    """Largest curvature of a path."""
    straight_point_count: int = tuned(10, "1", 2, 200)
    """Number of points of the straight part of a path."""
    straight_margin: tuple[float, float] = tuned((1.0, 2.6), "m", 0.1, 20.0)
    """Range of the length before and after the straight part."""
    straight_speeds: tuple[float, float] = tuned((0.55, 0.95), "m/s", 0.2, 3.0)
    """Range of the speed on paths with a straight part."""
    detour_lengths: tuple[float, float] = tuned((3.0, 5.5), "m", 0.5, 50.0)
    """Range of the distance from the start of a detour to its end."""
    detour_offsets: tuple[float, float] = tuned((0.6, 1.4), "m", 0.0, 10.0)
    """Range of the largest distance of a detour from the straight line."""
    detour_share: float = tuned(0.25, "1", 0.0, 1.0)
    """Share of detours among the walks."""
    pushing_speeds: tuple[float, float] = tuned((0.4, 0.7), "m/s", 0.1, 2.0)
    """Range of the speed of pushing walks."""
    pushing_lengths: tuple[float, float] = tuned((0.8, 2.4), "m", 0.1, 20.0)
    """Range of the length of pushing walks."""
    standing: tuple[float, float] = tuned((3.5, 8.0), "s", 0.5, 60.0)
    """Range of the duration of standing."""
    walk_count: int = tuned(32, "1", 1, 10000)
    """Number of generated walks."""
    min_walk_count: int = tuned(4, "1", 1, 10000)
    """Least number of walks, for data sets of very few takes."""


TUNING: Final = WalkLibraryTuning()


def walk_count_for(take_count: int) -> int:
    """Return the number of walks to generate for a number of takes: at most one per take."""
    return min(max(take_count, TUNING.min_walk_count), TUNING.walk_count)


class WalkLibrary:
    """Generated walks of one controller, and foot locking of takes.

    Args:
        model: the controller.
        seed: seed of the walks.
        count: number of walks, at least ``TUNING.min_walk_count``; other kinds have fewer.
    """

    def __init__(self, model: ControllerModel, seed: int = 0, count: int = TUNING.walk_count) -> None:
        self.model, self._seed, self._count = model, seed, count
        self._standing = standing_clip(model)

    @cached_property
    def walks(self) -> list[Clip]:
        """Walks along winding paths, from standing to standing."""
        generator = np.random.default_rng([self._seed, 7])
        return [self._make_walk(generator) for _ in range(self._count)]

    def _make_walk(
        self,
        generator: np.random.Generator,
        lengths: tuple[float, float] = TUNING.walk_lengths,
        speeds: tuple[float, float] = TUNING.walk_speeds,
    ) -> Clip:
        """Generate a walk of random length and speed along a winding path."""
        return self._walk(draw_winding_path(generator, float(generator.uniform(*lengths))), speeds, generator)

    def _walk(self, points: Array, speeds: tuple[float, float], generator: np.random.Generator) -> Clip:
        """Generate a walk along a path of points (N, 2), m."""
        speed = float(generator.uniform(*speeds))
        return make_walk(self.model, WalkRequest(Path(points), speed, seed=int(generator.integers(1 << 16)))).clip

    @cached_property
    def detours(self) -> list[Clip]:
        """Walks along a detour, as if around an obstacle, from standing to standing."""
        generator = np.random.default_rng([self._seed, 10])
        return [self._walk(draw_detour(generator), TUNING.walk_speeds, generator) for _ in range(self._count // 2)]

    @cached_property
    def runs(self) -> list[Clip]:
        """Runs along winding paths, from standing to standing."""
        generator = np.random.default_rng([self._seed, 8])
        return [self._make_walk(generator, TUNING.run_lengths, TUNING.run_speeds) for _ in range(self._count // 4)]

    @cached_property
    def pushing_walks(self) -> list[Clip]:
        """Slow walks straight ahead, from standing to standing."""
        generator = np.random.default_rng([self._seed, 11])
        lengths = generator.uniform(*TUNING.pushing_lengths, self._count // 2)
        return [self._walk(np.array([[0.0, 0.0], [0.0, one]]), TUNING.pushing_speeds, generator) for one in lengths]

    @cached_property
    def straight_walks(self) -> list[tuple[Clip, Array]]:
        """Walks with a straight part, each with the middle (2) of that part, m."""
        generator = np.random.default_rng([self._seed, 9])
        return [self._make_straight_walk(generator) for _ in range(self._count // 2)]

    def _make_straight_walk(self, generator: np.random.Generator) -> tuple[Clip, Array]:
        """Generate a walk with a straight part."""
        before, behind = (
            draw_winding_path(generator, float(generator.uniform(*TUNING.straight_margin))) for _ in range(2)
        )
        line = before[-1] - before[-2]
        ahead = line / np.linalg.norm(line)
        straight = before[-1] + np.arange(1, TUNING.straight_point_count + 1)[:, None] * TUNING.point_spacing * ahead
        # The path continues in its direction: winding paths begin toward +Y.
        turned = behind[1:] @ np.array([[ahead[1], -ahead[0]], [ahead[0], ahead[1]]])
        path = Path(np.vstack([before, straight, straight[-1] + turned]))
        clip = make_walk(
            self.model,
            WalkRequest(path, float(generator.uniform(*TUNING.straight_speeds)), seed=int(generator.integers(1 << 16))),
        ).clip
        return clip, (before[-1] + straight[-1]) / 2

    @cached_property
    def stands(self) -> list[Clip]:
        """Clips of characters that stand."""
        generator = np.random.default_rng([self._seed, 13])
        return [self._make_stand(generator) for _ in range(self._count // 4)]

    def _make_stand(self, generator: np.random.Generator) -> Clip:
        """Generate a clip of a character standing at the end of a short walk."""
        seconds = float(generator.uniform(*TUNING.standing))
        waits, half = Cues(waits=(Wait(TUNING.point_spacing, seconds),)), np.array([0.0, TUNING.point_spacing])
        clip = make_walk(
            self.model,
            WalkRequest(
                Path(np.stack([0 * half, half, 2 * half])),
                TUNING.straight_speeds[0],
                cues=waits,
                seed=int(generator.integers(1 << 16)),
            ),
        ).clip
        stands = np.asarray(label_clip(clip).foot_contacts.held).all(axis=1)
        start, stop = max(runs_of(np.atleast_1d(stands)), key=lambda run: run[1] - run[0])
        return clip.cut(start, stop)

    def draw_standing(self, generator: np.random.Generator) -> Clip:
        """Return a clip of a character standing for a random time."""
        return self.stands[int(generator.integers(len(self.stands)))]

    @cached_property
    def leaving_walks(self) -> list[Clip]:
        """Walks that begin straight ahead from standing."""
        generator = np.random.default_rng([self._seed, 11])
        return [self._make_leaving_walk(generator) for _ in range(self._count // 4)]

    def _make_leaving_walk(self, generator: np.random.Generator) -> Clip:
        """Generate a walk that begins with a straight part."""
        straight = np.arange(TUNING.straight_point_count)[:, None] * TUNING.point_spacing * np.array([0.0, 1.0])
        behind = draw_winding_path(generator, float(generator.uniform(*TUNING.straight_margin)))
        return self._walk(np.vstack([straight, straight[-1] + behind[1:]]), TUNING.straight_speeds, generator)

    def draw_leaving(self, generator: np.random.Generator) -> Clip:
        """Return a random walk that begins straight ahead."""
        return self.leaving_walks[int(generator.integers(len(self.leaving_walks)))]

    def draw_straight(self, generator: np.random.Generator) -> tuple[Clip, Array]:
        """Return a random walk with a straight part, and the middle (2) of that part, m."""
        return self.straight_walks[int(generator.integers(len(self.straight_walks)))]

    def draw(self, generator: np.random.Generator) -> Clip:
        """Return a random walk, sometimes a detour, rarely a run."""
        kind = generator.random()
        drawn = (
            self.runs
            if kind < TUNING.run_share
            else self.detours
            if kind < TUNING.run_share + TUNING.detour_share
            else self.walks
        )
        return drawn[int(generator.integers(len(drawn)))]

    def draw_pushing(self, generator: np.random.Generator) -> Clip:
        """Return a random slow walk straight ahead."""
        return self.pushing_walks[int(generator.integers(len(self.pushing_walks)))]

    def draw_detour(self, generator: np.random.Generator) -> Clip:
        return self.detours[int(generator.integers(len(self.detours)))]

    def with_locked_feet(self, clip: Clip) -> Clip:
        """Return a clip with its feet locked to the ground while in contact."""
        contacts = locked_contacts(clip, label_clip(clip).foot_contacts, standing=self._standing)
        return lock_feet(clip, contacts, standing=self._standing)


def draw_winding_path(generator: np.random.Generator, length: float) -> Array:
    """Return a random path (N, 2), m, of a given length from the origin toward +Y, curving smoothly."""
    count = max(round(length / TUNING.point_spacing), 3)
    bends = np.interp(
        np.linspace(0, 3, count), np.arange(4), generator.uniform(-TUNING.max_curvature, TUNING.max_curvature, 4)
    )
    yaws = np.cumsum(bends * TUNING.point_spacing)
    steps = TUNING.point_spacing * np.column_stack([-np.sin(yaws), np.cos(yaws)])
    return np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])


def draw_detour(generator: np.random.Generator) -> Array:
    """Return a random path (N, 2), m, from the origin toward +Y that leaves the straight line and returns to it."""
    length, offset = float(generator.uniform(*TUNING.detour_lengths)), float(generator.uniform(*TUNING.detour_offsets))
    share = np.linspace(0.0, 1.0, max(round(length / TUNING.point_spacing), 3))
    side = float(generator.choice([-1, 1]))
    return np.column_stack([side * offset * np.sin(np.pi * share) ** 2, length * share])
