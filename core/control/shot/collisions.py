"""Collisions of the characters of a cast, measured in their finished motion, outside their meetings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...message import Message
from ...motion import Clip
from ...motion.rotations import length
from ...scene.body_overlap import deepest_overlap
from ...tuning import Tuning, tuned
from .outcome import Shot
from .pairing import Pairing


@dataclass(frozen=True, slots=True)
class CollisionsTuning(Tuning):
    """Tuned numbers of reported collisions."""

    deep: float = tuned(0.04, "m", 0.0, 0.3)
    """Overlap of two bodies from which a collision is told."""
    near: float = tuned(1.2, "m", 0.5, 3.0)
    """Distance of two hips up to which bodies may overlap."""


TUNING: Final = CollisionsTuning()


def collisions_of(
    shots: Mapping[str, Shot], bystanders: Mapping[str, Clip], meetings: Sequence[Pairing]
) -> dict[str, list[Message]]:
    """Return a message about each two characters that collide, by name of the one that is later in the cast.

    Args:
        shots: the finished shot of each character of the cast by name, in the order of the cast.
        bystanders: motion of characters outside the cast by name.
        meetings: the meetings, during which partners may touch.
    """
    clips = {name: one.performance.clip for name, one in shots.items()}
    found: dict[str, list[Message]] = {name: [] for name in shots}
    pairs = [*combinations(shots, 2), *((other, name) for name in shots for other in bystanders)]
    for first, second in pairs:
        bodies = clips.get(first) or bystanders[first], clips[second]
        told = _collision(bodies, _together((first, second), shots, meetings))
        if told is None:
            continue
        frame, depth = told
        found[second].append(
            Message(
                "'{name}' and '{other}' collide {seconds} s after the beginning, {depth} cm deep: let one of them "
                "start later, or change its path",
                name=first,
                other=second,
                seconds=f"{frame / clips[second].rate:.1f}",
                depth=f"{100 * depth:.0f}",
            )
        )
    return found


def _together(names: tuple[str, str], shots: Mapping[str, Shot], meetings: Sequence[Pairing]) -> Iterator[slice]:
    """Yield the frames of the meetings of two characters."""
    for pairing in meetings:
        if set(pairing.names) == set(names):
            for name, part in zip(pairing.names, pairing.parts, strict=True):
                beats = [shots[name].beats[number] for number, _ in part.beats]
                yield slice(beats[0].first, beats[-1].last + 1)


def _collision(bodies: tuple[Clip, Clip], together: Iterator[slice]) -> tuple[int, float] | None:
    """Return the frame and the depth, meters, of the deepest collision of two bodies; ``None`` if there is none."""
    first, second = bodies
    frames = np.arange(max(len(first), len(second)))
    counts = np.ones(len(frames), dtype=bool)
    for span in together:
        counts[span] = False
    hips = [_held(one, frames).root_positions for one in bodies]
    frames = frames[counts & (length(hips[0] - hips[1]) < TUNING.near)]
    if not len(frames):
        return None
    depths = deepest_overlap(_held(first, frames), _held(second, frames))
    deepest = int(depths.argmax())
    return None if depths[deepest] < TUNING.deep else (int(frames[deepest]), float(depths[deepest]))


def _held(clip: Clip, frames: NDArray[np.intp]) -> Clip:
    """Return a clip at some frames; its last pose stays."""
    at = np.minimum(frames, len(clip) - 1)
    return replace(clip, root_positions=clip.root_positions[at], rotations=clip.rotations[at])
