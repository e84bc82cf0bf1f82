"""The growing motion of one character in a duel: a sequence of guards, steps, walks and attacks."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.root_frame import yaw_of
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from ..strike import guard_steps
from ..strike.approach import curved_path, walk_in_steps
from ..strike.guard_steps import settle_into, step_over
from ..strike.strike_takes import StrikeTake
from .guard import hold_guard


@dataclass(frozen=True, slots=True)
class TimelineTuning(Tuning):
    step: float = tuned(0.6, "s", 0.1, 3.0)
    """Duration of a step into or out of striking distance."""
    hold: tuple[int, int] = tuned((4, 18), "frames", 0, 120)
    """Smallest and usual duration of the step from the guard to the start of an attack."""
    there: float = tuned(0.03, "m", 0.001, 0.5)
    """Distance from a walk's destination at which the walk blends into the guard."""
    withdrawing: int = tuned(10, "frames", 0, 120)
    """Number of frames after a beat during which a character does nothing else."""


TUNING: Final = TimelineTuning()


class Timeline:
    """The motion of one character so far.

    Args:
        walks: the controller that walks.
        guard: the guard, one frame over the origin, facing +Y.
        place: (2) initial position, meters, world.
        yaw: initial facing, radians.
        busy: number of frames to stand in guard before the first step, walk or attack may begin.

    Attributes:
        made: the motion; frames from ``busy`` on may still change.
        busy: first frame at which the next step, walk or attack may begin.
        place: (2) position of the guard at the end of the motion, meters, world.
        yaw: yaw of that guard, radians.
    """

    def __init__(self, walks: ControllerModel, guard: Clip, place: Array, yaw: float, busy: int = 0) -> None:
        self._walks, self._guard = walks, guard
        self.place, self.yaw = np.asarray(place, dtype=float), yaw
        self.made, self.busy = guard.cut(0, 0), busy

    def extend(self, frames: int) -> None:
        """Hold the guard until the motion has `frames` frames."""
        missing = frames - len(self.made)
        if missing > 0:
            self._append(hold_guard(self._guard, self.place, self.yaw, missing), TUNING.step)

    def step_to(self, place: Array, yaw: float, begin: int) -> None:
        """Step, from frame `begin` on, into a guard at `place` (2), meters, facing `yaw`, radians, and hold it."""
        self._cut(begin)
        self.place, self.yaw = np.asarray(place, dtype=float), yaw
        self._append(hold_guard(self._guard, self.place, yaw, round(2 * TUNING.step * self._guard.rate)), TUNING.step)

    def walk_to(self, place: Array, facing: Array | None) -> Generator[int, None, int]:
        """Walk to `place` (2), meters, world, as soon as possible, then stand in guard toward the point `facing` (2).

        If `facing` is ``None``, end standing instead.

        Yields:
            The number of finished frames of the walk.

        Returns:
            The first frame at which the character has arrived and another activity may begin.
        """
        begun = len(self.made) > 0
        if begun:
            self._cut(max(self.busy, 2))
        path = curved_path(self.place, self.yaw if begun else None, np.asarray(place, dtype=float), facing)
        walk, end, yaw = yield from walk_in_steps(self._walks, path, guard_steps.TUNING.transition if begun else 0.0)
        if facing is not None:
            walk = _until_there(walk)
        self.made = step_over(self.made, walk) if begun else walk
        self.place, self.yaw = end, yaw if facing is None else float(yaw_of(facing - end))
        if facing is not None:
            frames = len(self.made)
            self._append(
                hold_guard(self._guard, self.place, self.yaw, round(guard_steps.TUNING.transition * walk.rate)),
                guard_steps.TUNING.transition,
            )
            self.busy = frames + round(guard_steps.TUNING.transition * walk.rate / 2)
        else:
            self.busy = len(self.made)
        return self.busy

    @staticmethod
    def frames_needed(take: StrikeTake) -> int:
        """Return the smallest number of frames from the end of the last activity to the apex of an attack."""
        return take.blow.apex + TUNING.hold[0]

    def attack(self, take: StrikeTake, target: Array, yaw: float, frame: int, guard: Array) -> int:
        """Append an attack whose end effector is over `target` (2 or 3) at its apex, then a step back into guard.

        Args:
            take: the attack.
            target: position of the target, meters, world; its height is ignored.
            yaw: yaw of the strike's direction, radians.
            frame: frame of the apex, late enough for the attack.
            guard: (2) place of the guard after the attack, meters, world; its yaw is that of the strike.

        Returns:
            The frame at which the take begins.
        """
        hold = min(frame - take.blow.apex - self.busy, TUNING.hold[1])
        begin = frame - take.blow.apex
        self._cut(begin - hold)
        clip = _held(take.at(target, yaw), hold)
        self._append(clip, (hold + take.blow.start) / clip.rate)
        self.place, self.yaw, self.busy = np.asarray(guard, dtype=float), yaw, frame + TUNING.withdrawing
        self._append(hold_guard(self._guard, self.place, yaw, round(2 * TUNING.step * clip.rate)), TUNING.step)
        return begin

    def _cut(self, frame: int) -> None:
        """Cut the motion off at a frame; a shorter motion is first extended to that frame in guard."""
        self.extend(frame)
        self.made = self.made.cut(0, frame)

    def _append(self, clip: Clip, seconds: float) -> None:
        """Append a clip that begins at rest, blending into it over some seconds."""
        clip = replace(clip, name="duel")
        self.made = settle_into(self.made, clip, seconds) if len(self.made) else clip


def _until_there(walk: Clip) -> Clip:
    """Return a walk without the standing frames at its end."""
    hips = walk.positions[:, walk.skeleton.joint("hips"), :2]
    away = np.flatnonzero(np.linalg.norm(hips - hips[-1], axis=-1) > TUNING.there)
    return walk.cut(0, min(int(away[-1]) + 2, len(walk))) if len(away) else walk


def _held(clip: Clip, frames: int) -> Clip:
    """Return a clip preceded by a number of frames that hold its first pose."""
    roots = np.concatenate([np.repeat(clip.root_positions[:1], frames, axis=0), clip.root_positions])
    rotations = np.concatenate([np.repeat(clip.rotations[:1], frames, axis=0), clip.rotations])
    return replace(clip, root_positions=roots, rotations=rotations)
