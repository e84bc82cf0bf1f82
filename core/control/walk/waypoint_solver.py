"""Meeting marks in a walk: what it is told for them, what is learned from how it went, and the last centimetres."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.root_frame import facing, root_track
from ...motion.rotations import Array
from ..path.path import Path
from ..path.path_events import Cues
from ..path.timed_waypoints import FARTHEST, Mark, Met, made_up, missing_phase, places_on, strides, timed, wrapped
from ..path.velocity_profile import Timing
from .path_following import Followed

LESSONS: Final = 3
"""How often a walk is told better."""
CLOSE: Final = 0.08
"""Metres from a mark that are made up without learning."""
MISSED: Final = 0.03
"""Metres from a mark at which it is missed."""


@dataclass(slots=True, eq=False)
class Meeting:
    """The marks of one walk, in metres of its controller.

    Attributes:
        marks: in the order of their times.
        cues: what the walk is told, for the marks and besides.
        path: the way.
        places: (K) arc lengths of the marks.
        why: why marks cannot be met; empty for those who can.
        rate: frames a second.
        lessons: how often it may still learn.
    """

    marks: Sequence[Mark]
    cues: Cues
    path: Path
    places: Array
    why: Sequence[str]
    rate: float
    lessons: int = LESSONS

    @staticmethod
    def begin(
        planned: Callable[..., Timing], path: Path, marks: Sequence[Mark], cues: Cues, speed: float, rate: float
    ) -> "Meeting":
        """What a walk is told so that it meets its marks.

        Args:
            planned: the plan of the walk under ``cues``.
            path: the way.
            marks: in the order of their times.
            cues: what is told besides.
            speed: commanded, m/s.
            rate: frames a second.
        """
        if not marks:
            return Meeting(marks, cues, path, np.zeros(0), (), rate)
        places = places_on(path, marks, speed)
        told, why = timed(lambda one: planned(cues=one), path, places, marks, cues, speed, rate)
        return Meeting(marks, told, path, places, why, rate)

    def learn(self, followed: Followed, timing: Timing, rate: float) -> Timing | None:
        """A better plan after a walk that missed its marks; ``None`` where it met them, or nothing more is learned."""
        if not self.marks or not self.lessons:
            return None
        self.lessons -= 1
        frames = self._frames(len(followed.planned))
        missing = self._missing(followed.steps.position[frames])
        along = np.sum(missing * facing(self.path.yaw(self.places)), axis=-1)
        along[np.linalg.norm(missing, axis=1) < CLOSE] = 0.0
        phases, contacts = followed.steps.phase, followed.steps.contacts
        shifts = np.array(
            [
                missing_phase(phases, contacts, int(frame), mark.foot, rate) if mark.foot else 0.0
                for frame, mark in zip(frames, self.marks, strict=True)
            ]
        )
        if not along.any() and not shifts.any():
            return None
        distances = np.maximum.accumulate(timing.distances + made_up(self.places, along, timing.distances))
        due = [mark.seconds for mark in self.marks]
        return replace(
            timing, distances=np.minimum(distances, self.path.length), strides=strides(timing, due, shifts, rate)
        )

    def corrected(self, followed: Followed, clip: Clip) -> Followed:
        """What became of a character, moved by the last centimetres so that it is at its marks.

        Args:
            followed: what became of it.
            clip: its poses.
        """
        if not self.marks:
            return followed
        frames, steps = self._frames(len(clip)), followed.steps
        hips = clip.positions[frames, clip.skeleton.role("hips"), :2]
        missing = self._missing(hips)
        missing[np.linalg.norm(missing, axis=1) > FARTHEST] = 0.0
        wanted = np.array(
            [steps.yaw[frame] if one.yaw is None else one.yaw for one, frame in zip(self.marks, frames, strict=True)]
        )
        turned = np.where(missing.any(axis=1), wrapped(wanted - steps.yaw[frames]), 0.0)
        position = steps.position + made_up(self.places, missing, followed.planned)
        yaw = steps.yaw + made_up(self.places, turned, followed.planned)
        return replace(followed, steps=replace(steps, position=position, yaw=yaw))

    def met(self, clip: Clip, held: NDArray[np.bool_], scale: float) -> tuple[Met, ...]:
        """What became of the marks in a finished clip, whose metres are ``scale`` of the controller's; ``held`` (F, 4)
        are its contacts."""
        if not self.marks:
            return ()
        hips = clip.positions[:, clip.skeleton.role("hips"), :2]
        yaws = root_track(clip).yaws
        result: list[Met] = []
        for mark, frame, why in zip(self.marks, self._frames(len(clip)), self.why, strict=True):
            near = slice(max(frame - 1, 0), frame + 2)
            off = float(np.linalg.norm(hips[near] - mark.position * scale, axis=1).min())
            turned = 0.0 if mark.yaw is None else abs(float(wrapped(mark.yaw - yaws[frame])))
            stands = {"": True, "L": bool(held[frame, :2].any()), "R": bool(held[frame, 2:].any())}
            why = why or (f"one came no nearer than {100 * off:.0f} cm" if off > MISSED else "")
            result.append(Met(off, turned, stands[mark.foot], why))
        return tuple(result)

    def _missing(self, places: Array) -> Array:
        """What is missing (K, 2), metres, at places (K, 2) to the marks; nothing of those who cannot be met."""
        missing = np.array([mark.position for mark in self.marks]) - places
        missing[[bool(why) for why in self.why]] = 0.0
        return missing

    def _frames(self, count: int) -> NDArray[np.intp]:
        """Frames (K) of a walk of so many at which its marks are."""
        frames = np.round(np.array([mark.seconds for mark in self.marks]) * self.rate).astype(int)
        return np.clip(frames, 0, count - 1)
