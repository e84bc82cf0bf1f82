"""IK goals of hands that hold, push or lean on objects, with the palm's skin on the surface."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...body.skin_thickness import Palm
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.hand_direction import hand_direction
from ...motion.rotations import Array, exp, inverse, log, multiply, normalize, rotate, rotation_between, unroll
from ...scene.full_body_ik import EffectorGoal
from ...scene.interaction_object import InteractionObject
from ...scene.surface_relief import SurfaceRelief
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.actions.base import HandHold
from ..interaction.recording import InteractionRecording


@dataclass(frozen=True, slots=True)
class HandGoals(Tuning):
    """Tuned numbers of the goals of hands."""

    reach_blend: tuple[float, float] = tuned((0.5, 1.2), "s", 0.05, 3.0)
    """Shortest and longest time in which hands blend into a contact, and out of it."""
    reach_speed: float = tuned(0.5, "m/s", 0.1, 3.0)
    """Mean speed of a hand on its way to a contact, which sets the blend time within the bounds of ``reach_blend``."""
    reach_following: float = tuned(0.15, "s", 0.02, 1.0)
    """Time before and after a contact over which a hand changes between its own motion and following the object."""
    hand_turn: float = tuned(0.08, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that smooths the rotations of hands in contact, and their gaps to surfaces."""
    max_palm_turn: float = tuned(np.radians(50.0), "rad", 0.0, 1.6)
    """Largest rotation of a hand to lay its palm on a surface; beyond it, the hand holds the object by its edge."""


TUNING: Final = HandGoals()


def hand_goals(
    recording: InteractionRecording, clip: Clip, scale: float, palms: Mapping[str, Palm] = MappingProxyType({})
) -> Iterator[EffectorGoal]:
    """Yield the goals that bring hands to the grips of carried objects and the handles of doors.

    Args:
        recording: the recorded interaction.
        clip: F frames, in meters at the body's scale.
        scale: meters at the body's scale per recording meter.
        palms: shape of each palm's skin, by side; a missing one follows from the body's proportions.
    """
    holds = [
        (recording.tasks[interval[2]].object_index, hold)
        for interval in recording.task_intervals()
        for hold in ACTION_SPECS[recording.tasks[interval[2]].action].hand_holds(recording, interval)
    ]
    for side in "LR":
        used = [
            HeldPoint(hold, [recording.object_states[frame][index] for frame in range(hold.start, hold.stop)], scale)
            for index, hold in holds
            if hold.hand == side
        ]
        if used:
            yield _hand_goal(clip, f"hand.{side}", used, palms.get(side))


@dataclass(frozen=True, eq=False)
class HeldPoint:
    """A hold of a hand on an object, with the object's state at each frame of the hold.

    Attributes:
        hold: the hold, N frames.
        objects: (N) the object at each frame.
        scale: meters at the body's scale per recording meter.
    """

    hold: HandHold
    objects: Sequence[InteractionObject]
    scale: float

    @property
    def frames(self) -> NDArray[np.int_]:
        """Frames (N) of the recording over which the hand holds the object."""
        return np.arange(self.hold.start, self.hold.stop)

    @cached_property
    def turns(self) -> Array:
        """Rotations (N, 4) of the object, world, at each frame of the hold."""
        return np.stack([one.rotation for one in self.objects])

    def points(self, point: Array) -> Array:
        """Return points (N, 3), meters at the body's scale, world, from `point`, (3) or (N, 3), in object space."""
        rows = np.broadcast_to(point, (len(self.objects), 3))
        each = [one.posed_collider.to_world(row[None]) for one, row in zip(self.objects, rows, strict=True)]
        return self.scale * np.concatenate(each)

    def directions(self, direction: Array) -> Array:
        """Return directions (N, 3), world, from `direction`, (3) or (N, 3), in object space."""
        return rotate(self.turns, np.broadcast_to(direction, (len(self.objects), 3)))


def _hand_goal(clip: Clip, role: str, holds: Sequence[HeldPoint], palm: Palm | None) -> EffectorGoal:
    """Return the goal of a hand in its holds, with blends into and out of them.

    Args:
        clip: F frames.
        role: role of the hand.
        holds: holds of that hand.
        palm: palm of the hand's skin, if known.
    """
    count, following = len(clip), round(TUNING.reach_following * clip.rate)
    own = clip.positions[:, clip.skeleton.joint(role)]
    positions, weights = own.copy(), np.zeros(count)
    spans: list[tuple[HeldPoint, NDArray[np.int_]]] = []
    for one in holds:
        held, first, last = one.points(one.hold.wrist), one.hold.start, one.hold.stop - 1
        reach = float(np.linalg.norm(held[0] - own[max(first - following, 0)]))
        leaves = float(np.linalg.norm(held[-1] - own[last]))
        before, after = (round(_reach_time(distance) * clip.rate) for distance in (reach, leaves))
        frames = np.arange(max(first - before, 0), min(last + 1 + after, count))
        outside = np.maximum((first - frames) / before, (frames - last) / after)
        weights[frames] = np.maximum(weights[frames], smooth_step(1 - outside))
        spans.append((one, frames))
    rotations = _hand_rotations(clip, role, spans, palm)
    for one, frames in spans:
        inside = np.clip(frames, one.hold.start, one.hold.stop - 1)
        wrists = one.points(one.hold.wrist)
        if palm is not None and rotations is not None and one.hold.surface is not None:
            wrists = wrists + _onto_surface(one, wrists, rotations[one.frames], palm, clip.rate)
        # Outside of the hold the correction fades: a hand that stayed at the object would drag the body along.
        positions[frames] = own[frames] + wrists[inside - one.hold.start]
        positions[frames] -= _followed_track(own, frames, inside, clip.rate)
    return EffectorGoal(role, positions, weights, rotations)


def _hand_rotations(
    clip: Clip, role: str, spans: Sequence[tuple[HeldPoint, NDArray[np.int_]]], palm: Palm | None
) -> Array | None:
    """Return the rotations (F, 4) of a hand that points as its holds require, with its palm on the touched surface.

    Args:
        clip: F frames.
        role: role of the hand.
        spans: holds of the hand, each with the frames that it affects.
        palm: palm of the hand's skin, if known.

    Returns:
        The rotations, or ``None`` if no hold determines them.
    """
    aim = hand_direction(clip.skeleton, role[-1]) if palm is None else palm.along
    rotations, is_free = clip.world[1][:, clip.skeleton.joint(role)].copy(), True
    for one, frames in spans:
        rows = np.clip(frames, one.hold.start, one.hold.stop - 1) - one.hold.start
        if one.hold.pointing is not None:
            wanted = one.directions(one.hold.pointing)[rows]
            bone = rotate(rotations[frames], np.broadcast_to(aim, (len(frames), 3)))
            rotations[frames] = multiply(rotation_between(bone, wanted), rotations[frames])
            is_free = False
        if palm is not None and one.hold.surface is not None:
            into = one.directions(one.hold.surface.into)[rows]
            facing = rotate(rotations[frames], np.broadcast_to(palm.normal, into.shape))
            turn = log(rotation_between(facing, into))
            size = np.linalg.norm(turn, axis=-1, keepdims=True)
            turn *= np.minimum(1.0, TUNING.max_palm_turn / np.maximum(size, 1e-9))
            rotations[frames] = multiply(exp(turn), rotations[frames])
            is_free = False
    # Unsmoothed, a hand that points against its hold would turn over within a frame.
    return None if is_free else _smooth_rotations(rotations, TUNING.hand_turn * clip.rate)


def _onto_surface(one: HeldPoint, wrists: Array, rotations: Array, palm: Palm, rate: float) -> Array:
    """Return the displacements (N, 3), meters, that bring the skin of a hand onto the touched surface.

    Args:
        one: the hold, N frames.
        wrists: (N, 3) wrists placed by the body's proportions, meters.
        rotations: (N, 4) rotations of the hand.
        palm: palm of the hand's skin.
        rate: frames per second.
    """
    assert one.hold.surface is not None
    point, into = one.hold.surface.point, one.hold.surface.into
    away = rotate(rotations[:, None], palm.points) + (wrists - one.points(point))[:, None]
    skin = rotate(inverse(one.turns)[:, None], away)
    surface = one.objects[0].surface
    gaps = -(skin @ into)
    if surface is not None:
        relief = SurfaceRelief.of(surface, point, into)
        seen = one.scale * relief.gaps(point + skin / one.scale)
        gaps = np.where(np.isfinite(seen).any(axis=1, keepdims=True), seen, gaps)
    nearest = scipy.ndimage.gaussian_filter1d(gaps.min(axis=1), TUNING.hand_turn * rate, mode="nearest")
    return nearest[:, None] * one.directions(into)


def _reach_time(distance: float) -> float:
    """Return the time in which a hand blends over a distance to or from a contact, seconds; the distance in meters."""
    return float(np.clip(distance / TUNING.reach_speed, *TUNING.reach_blend))


def _followed_track(own: Array, frames: NDArray[np.int_], inside: NDArray[np.int_], rate: float) -> Array:
    """Return a hand's track (N, 3) in a hold, meters, smoothly brought to rest before and after the hold.

    Args:
        own: (F, 3) positions of the hand, meters.
        frames: (N) frames in and around the hold.
        inside: (N) nearest frames in the hold.
        rate: frames per second.
    """
    following = TUNING.reach_following * rate
    times = inside + following * np.tanh((frames - inside) / following)
    return np.stack([np.interp(times, np.arange(len(own)), axis) for axis in own.T], axis=-1)


def _smooth_rotations(rotations: Array, sigma_frames: float) -> Array:
    """Return rotations (F, 4) smoothed over time by a Gaussian."""
    return normalize(scipy.ndimage.gaussian_filter1d(unroll(rotations), sigma_frames, axis=0, mode="nearest"))
