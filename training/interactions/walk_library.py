"""Generated walks of a controller, before and after the actions of takes."""

from functools import cached_property
from typing import Final

import numpy as np

from ...core.control.feet.foot_lock import lock_feet, locked_contacts
from ...core.control.path.path import Path
from ...core.control.path.path_events import Cues, Wait
from ...core.control.runtime.pose_decoder import standing_clip
from ...core.control.walk.path_walk import walk_path
from ...core.labelling import label_clip
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of

POINT_SPACING_M: Final = 0.25
"""Distance between the points of a path."""
WALK_SPEEDS_M_S: Final = (0.8, 1.5)
WALK_LENGTHS_M: Final = (0.5, 3.0)
RUN_LENGTHS_M: Final = (4.0, 7.0)
"""Range of the length of a run."""
RUN_SPEEDS_M_S: Final = (2.4, 3.4)
RUN_SHARE: Final = 0.08
"""Share of runs."""
MAX_CURVATURE_PER_M: Final = 0.9
"""Largest curvature of a path."""
STRAIGHT_POINT_COUNT: Final = 10
"""Points of the straight part of a path."""
STRAIGHT_MARGIN_M: Final = (1.0, 2.6)
"""Range of the length before and behind the straight part."""
STRAIGHT_SPEEDS_M_S: Final = (0.55, 0.95)
"""Range of the speed on paths with a straight part."""
DETOUR_LENGTHS_M: Final = (3.0, 5.5)
"""Range of the distance from the start of a detour to its end."""
DETOUR_OFFSETS_M: Final = (0.6, 1.4)
"""Range of the largest distance of a detour from the straight line."""
DETOUR_SHARE: Final = 0.25
"""Share of detours among the walks."""
PUSHING_SPEEDS_M_S: Final = (0.4, 0.7)
"""Range of the speed of walks in which something is pushed."""
PUSHING_LENGTHS_M: Final = (0.8, 2.4)
"""Range of the length of these."""
STANDING_S: Final = (3.5, 8.0)
"""Range of the time for which a character stands, s."""
WALK_COUNT: Final = 32
"""Generated walks, from which takes draw."""


class WalkLibrary:
    """Walks of one controller, generated once, and foot locking of takes.

    Args:
        model: the controller.
        seed: seed of the walks.
    """

    def __init__(self, model: ControllerModel, seed: int = 0) -> None:
        self.model, self._seed = model, seed
        self._standing = standing_clip(model)

    @cached_property
    def walks(self) -> list[Clip]:
        """Walks from standing to standing along winding paths."""
        generator = np.random.default_rng([self._seed, 7])
        return [self._make_walk(generator) for _ in range(WALK_COUNT)]

    def _make_walk(
        self,
        generator: np.random.Generator,
        lengths: tuple[float, float] = WALK_LENGTHS_M,
        speeds: tuple[float, float] = WALK_SPEEDS_M_S,
    ) -> Clip:
        """Generate a walk."""
        return self._walk(draw_winding_path(generator, float(generator.uniform(*lengths))), speeds, generator)

    def _walk(self, points: Array, speeds: tuple[float, float], generator: np.random.Generator) -> Clip:
        """Generate a walk along a path (N, 2), m."""
        speed = float(generator.uniform(*speeds))
        return walk_path(self.model, Path(points), speed, seed=int(generator.integers(1 << 16))).clip

    @cached_property
    def detours(self) -> list[Clip]:
        """Walks from standing to standing that leave the straight line, as around an obstacle on it."""
        generator = np.random.default_rng([self._seed, 10])
        return [self._walk(draw_detour(generator), WALK_SPEEDS_M_S, generator) for _ in range(WALK_COUNT // 2)]

    @cached_property
    def runs(self) -> list[Clip]:
        """Runs from standing to standing along winding paths."""
        generator = np.random.default_rng([self._seed, 8])
        return [self._make_walk(generator, RUN_LENGTHS_M, RUN_SPEEDS_M_S) for _ in range(WALK_COUNT // 4)]

    @cached_property
    def pushing_walks(self) -> list[Clip]:
        """Slow walks straight ahead, from standing to standing."""
        generator = np.random.default_rng([self._seed, 11])
        lengths = generator.uniform(*PUSHING_LENGTHS_M, WALK_COUNT // 2)
        return [self._walk(np.array([[0.0, 0.0], [0.0, one]]), PUSHING_SPEEDS_M_S, generator) for one in lengths]

    @cached_property
    def straight_walks(self) -> list[tuple[Clip, Array]]:
        """Walks with a straight part, and the middle (2) of that part, m."""
        generator = np.random.default_rng([self._seed, 9])
        return [self._make_straight_walk(generator) for _ in range(WALK_COUNT // 2)]

    def _make_straight_walk(self, generator: np.random.Generator) -> tuple[Clip, Array]:
        """Generate a walk with a straight part."""
        before, behind = (draw_winding_path(generator, float(generator.uniform(*STRAIGHT_MARGIN_M))) for _ in range(2))
        line = before[-1] - before[-2]
        ahead = line / np.linalg.norm(line)
        straight = before[-1] + np.arange(1, STRAIGHT_POINT_COUNT + 1)[:, None] * POINT_SPACING_M * ahead
        # The path continues in its direction: winding paths begin toward +Y.
        turned = behind[1:] @ np.array([[ahead[1], -ahead[0]], [ahead[0], ahead[1]]])
        path = Path(np.vstack([before, straight, straight[-1] + turned]))
        clip = walk_path(
            self.model, path, float(generator.uniform(*STRAIGHT_SPEEDS_M_S)), seed=int(generator.integers(1 << 16))
        ).clip
        return clip, (before[-1] + straight[-1]) / 2

    @cached_property
    def stands(self) -> list[Clip]:
        """Characters that stand for a while."""
        generator = np.random.default_rng([self._seed, 13])
        return [self._make_stand(generator) for _ in range(WALK_COUNT // 4)]

    def _make_stand(self, generator: np.random.Generator) -> Clip:
        """Generate a character that stands where it has stopped on a short walk."""
        seconds = float(generator.uniform(*STANDING_S))
        waits, half = Cues(waits=(Wait(POINT_SPACING_M, seconds),)), np.array([0.0, POINT_SPACING_M])
        clip = walk_path(
            self.model,
            Path(np.stack([0 * half, half, 2 * half])),
            STRAIGHT_SPEEDS_M_S[0],
            cues=waits,
            seed=int(generator.integers(1 << 16)),
        ).clip
        stands = np.asarray(label_clip(clip).foot_contacts.held).all(axis=1)
        start, stop = max(runs_of(np.atleast_1d(stands)), key=lambda run: run[1] - run[0])
        return clip.cut(start, stop)

    def draw_standing(self, generator: np.random.Generator) -> Clip:
        """Return a character that stands for some seconds, at random."""
        return self.stands[int(generator.integers(len(self.stands)))]

    @cached_property
    def leaving_walks(self) -> list[Clip]:
        """Walks from standing that begin straight ahead."""
        generator = np.random.default_rng([self._seed, 11])
        return [self._make_leaving_walk(generator) for _ in range(WALK_COUNT // 4)]

    def _make_leaving_walk(self, generator: np.random.Generator) -> Clip:
        """Generate a walk that begins with a straight part."""
        straight = np.arange(STRAIGHT_POINT_COUNT)[:, None] * POINT_SPACING_M * np.array([0.0, 1.0])
        behind = draw_winding_path(generator, float(generator.uniform(*STRAIGHT_MARGIN_M)))
        return self._walk(np.vstack([straight, straight[-1] + behind[1:]]), STRAIGHT_SPEEDS_M_S, generator)

    def draw_leaving(self, generator: np.random.Generator) -> Clip:
        """Return a random walk that begins straight ahead."""
        return self.leaving_walks[int(generator.integers(len(self.leaving_walks)))]

    def draw_straight(self, generator: np.random.Generator) -> tuple[Clip, Array]:
        """Return a random walk with a straight part, and the middle (2) of that part, m."""
        return self.straight_walks[int(generator.integers(len(self.straight_walks)))]

    def draw(self, generator: np.random.Generator) -> Clip:
        """Return a random walk, sometimes a detour, rarely a run."""
        kind = generator.random()
        drawn = self.runs if kind < RUN_SHARE else self.detours if kind < RUN_SHARE + DETOUR_SHARE else self.walks
        return drawn[int(generator.integers(len(drawn)))]

    def draw_pushing(self, generator: np.random.Generator) -> Clip:
        """Return a random slow walk straight ahead."""
        return self.pushing_walks[int(generator.integers(len(self.pushing_walks)))]

    def draw_detour(self, generator: np.random.Generator) -> Clip:
        """Return a random detour."""
        return self.detours[int(generator.integers(len(self.detours)))]

    def with_locked_feet(self, clip: Clip) -> Clip:
        """Return a clip with its feet locked in contact."""
        contacts = locked_contacts(clip, label_clip(clip).foot_contacts, standing=self._standing)
        return lock_feet(clip, contacts, standing=self._standing)


def draw_winding_path(generator: np.random.Generator, length: float) -> Array:
    """Return a random path (N, 2), m, of a length, m, from the origin toward +Y, with smoothly varying curvature."""
    count = max(round(length / POINT_SPACING_M), 3)
    bends = np.interp(
        np.linspace(0, 3, count), np.arange(4), generator.uniform(-MAX_CURVATURE_PER_M, MAX_CURVATURE_PER_M, 4)
    )
    yaws = np.cumsum(bends * POINT_SPACING_M)
    steps = POINT_SPACING_M * np.column_stack([-np.sin(yaws), np.cos(yaws)])
    return np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])


def draw_detour(generator: np.random.Generator) -> Array:
    """Return a random path (N, 2), m, from the origin toward +Y that leaves the straight line and comes back to it."""
    length, offset = float(generator.uniform(*DETOUR_LENGTHS_M)), float(generator.uniform(*DETOUR_OFFSETS_M))
    share = np.linspace(0.0, 1.0, max(round(length / POINT_SPACING_M), 3))
    side = float(generator.choice([-1, 1]))
    return np.column_stack([side * offset * np.sin(np.pi * share) ** 2, length * share])
