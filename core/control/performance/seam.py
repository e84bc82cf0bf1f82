"""The seam between two motions: the difference decays after it, and feet are locked again around it.

Offsets decay as in inertialization (Bollo 2018).
"""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.contacts import FootContacts
from ...motion.inertialization import inertialized
from ...motion.limb_ik import Leg, bend_knee_forward, with_world_rotations
from ...motion.roles import is_quadruped
from ...motion.rotations import Array, exp, multiply, normalize, turns_between
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet, locked_contacts
from .performance import Performance


@dataclass(frozen=True, slots=True)
class Seam(Tuning):
    fade: float = tuned(0.4, "s", 0.1, 1.0)
    """Time in which the difference at a seam decays."""
    reach: float = tuned(1.0, "s", 0.5, 3.0)
    """Time before and after a seam in which feet are locked again."""
    overlap: float = tuned(0.4, "s", 0.0, 1.0)
    """Time for which two controllers' motions overlap, since the one that takes over needs it to settle."""
    task_overlap: float = tuned(0.7, "s", 0.0, 1.0)
    """Time for which a walk and the task after it overlap."""


TUNING: Final = Seam()


@Stepwise
def joined(
    before: Performance, after: Performance, ground: Scene, overlap: int = 0
) -> Generator[None, None, Performance]:
    """Return a motion followed by a second motion of the same body, which begins where the first ends.

    Args:
        before: the first motion; it changes only within the reach of the seam, where its feet are locked again.
        after: the second motion, with the same objects, sensors and gaits.
        ground: ground below both motions, at rest.
        overlap: number of frames at the end of the first motion over which it blends into the second.
    """
    reach = round((TUNING.reach + TUNING.fade) * before.clip.rate)
    kept = max(len(before) - overlap - 2 * reach, 0)
    tail = yield from _joined(before.cut(kept, len(before)), after, ground, overlap, reach)
    return before.cut(0, kept).concat(tail) if kept else tail


def _joined(
    before: Performance, after: Performance, ground: Scene, overlap: int, reach: int
) -> Generator[None, None, Performance]:
    """Return the joined motions, with feet locked again within `reach` frames of the seam; see :func:`joined`."""
    seam = len(before) - overlap
    begun = after.with_clip(crossfaded(before.clip, inertialized(before.clip.cut(0, seam), after.clip), overlap))
    yield
    if overlap:
        held = begun.contacts.probabilities.copy()
        old = before.contacts.probabilities[seam:]
        held[:overlap] = old + crossfade_weights(overlap)[:, None] * (held[:overlap] - old)
        begun = begun.with_contacts(FootContacts(held))
    whole = (before.cut(0, seam) if overlap else before).concat(begun)
    blended = slice(
        seam, seam + max(overlap, round(TUNING.overlap * whole.clip.rate)) + round(TUNING.fade * whole.clip.rate)
    )
    yield
    smooth = with_knees_forward(whole.clip, blended)
    whole = whole.with_clip(smooth)
    first, last = max(seam - reach, 0), min(seam + reach, len(smooth))
    stop = min(last + reach, len(smooth))
    part = yield from relocked.steps(whole.cut(0, stop), slice(first, last), ground)
    roots, rotations = smooth.root_positions.copy(), smooth.rotations.copy()
    contacts = whole.contacts.probabilities.copy()
    roots[:stop], rotations[:stop] = part.clip.root_positions, part.clip.rotations
    contacts[:stop] = part.contacts.probabilities
    moved = replace(smooth, root_positions=roots, rotations=rotations)
    return whole.with_clip(moved).with_contacts(FootContacts(contacts))


def with_knees_forward(clip: Clip, span: slice) -> Clip:
    """Return a clip in which no knee of a biped bends backward within a span of frames, as in blends of fast poses."""
    if is_quadruped(clip.skeleton.roles):
        return clip
    part = clip.cut(*span.indices(len(clip))[:2])
    positions, rotations = (array.copy() for array in part.world)
    for side in "LR":
        bend_knee_forward(clip.skeleton, positions, rotations, Leg.of(clip.skeleton, side))
    turned = clip.rotations.copy()
    turned[span] = with_world_rotations(part, part.root_positions, rotations).rotations
    return replace(clip, rotations=turned)


def crossfaded(before: Clip, after: Clip, frames: int) -> Clip:
    """Return a clip whose first `frames` frames are blended with the last `frames` frames of another clip."""
    if frames == 0:
        return after
    weights = crossfade_weights(frames)
    roots, rotations = after.root_positions.copy(), after.rotations.copy()
    tail = before.cut(len(before) - frames, len(before))
    roots[:frames] = tail.root_positions + weights[:, None] * (roots[:frames] - tail.root_positions)
    turns = turns_between(rotations[:frames], tail.rotations)
    rotations[:frames] = normalize(multiply(exp(weights[:, None, None] * turns), tail.rotations))
    return replace(after, root_positions=roots, rotations=rotations)


def crossfade_weights(frames: int) -> Array:
    """Return the weights (F), 0 to 1, of a motion that takes over from a previous motion within F frames."""
    return smooth_step((np.arange(frames) + 1.0) / (frames + 1.0))


def faded(clip: Clip, seams: tuple[int, ...]) -> Clip:
    """Return a clip whose jump at each seam is replaced by an offset that decays after the seam.

    A seam is given as the first frame after the join.
    """
    fade = round(TUNING.fade * clip.rate)
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    for seam in seams:
        if not 1 < seam < len(clip) - 1:
            continue
        span = slice(seam, min(seam + fade, len(clip)))
        weights = smooth_falloff(np.arange(span.stop - seam) / fade)
        frames = np.arange(span.stop - seam)[:, None]
        # The motion continues after the seam with its velocity from before it.
        was, comes = roots[seam - 1] - roots[seam - 2], roots[seam + 1] - roots[seam]
        roots[span] += weights[:, None] * (roots[seam - 1] + was - roots[seam] + frames * (was - comes))
        was, comes = (turns_between(rotations[at], rotations[at - 1]) for at in (seam - 1, seam + 1))
        offset = turns_between(multiply(exp(was), rotations[seam - 1]), rotations[seam])
        turns = offset + frames[..., None] * (was - comes)
        rotations[span] = normalize(multiply(exp(weights[:, None, None] * turns), rotations[span]))
    return replace(clip, root_positions=roots, rotations=rotations)


@Stepwise
def relocked(performance: Performance, span: slice, ground: Scene) -> Generator[None, None, Performance]:
    """Return a motion with feet locked again within a span of frames; elsewhere the feet are unchanged."""
    clip, standing = performance.clip, performance.standing_clip
    held = yield from locked_contacts.steps(clip, performance.contacts, ground, standing)
    own = performance.contacts.probabilities.copy()
    own[span] = held.probabilities[span]
    contacts = FootContacts(own)
    locked = yield from lock_feet.steps(clip, contacts, ground, standing)
    yield
    return performance.with_clip(_kept_outside(clip, locked, span)).with_contacts(contacts)


def _kept_outside(clip: Clip, locked: Clip, span: slice) -> Clip:
    """Return the locked clip within a span of frames and the original clip outside it, blended at the span's ends."""
    edge = max(round(TUNING.fade * clip.rate / 2), 1)
    frames = np.arange(len(clip))
    weights = np.clip(np.minimum(frames - span.start, span.stop - 1 - frames) / edge, 0.0, 1.0)
    weights = smooth_step(np.where((span.start == 0) & (frames < span.stop // 2), 1.0, weights))
    turns = turns_between(locked.rotations, clip.rotations)
    return replace(
        clip,
        root_positions=clip.root_positions + weights[:, None] * (locked.root_positions - clip.root_positions),
        rotations=normalize(multiply(exp(weights[:, None, None] * turns), clip.rotations)),
    )
