"""Separation of two overlapping bodies: trunks lean away over their feet, arms give way, and feet step aside.

All displacements lead out of the other body's nearest capsule, are held over nearby frames, and are smoothed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import blend_corrections, smooth_step
from ...motion.contacts import FootContacts
from ...motion.hand_holds import HAND_PAIRS
from ...motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, from_axis_angle, multiply, normalize
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.body_overlap import BodyOverlap, body_overlaps
from ...tuning import Tuning, tuned
from . import depenetration
from .depenetration import smooth_envelope

TRUNK_ROLES: Final = ("hips", "spine", "chest", "neck", "head", "thigh")
"""Bones whose overlaps make a body lean."""
ARM_ROLES: Final = ("upper_arm", "forearm", "hand")
LOWER_LEG_ROLES: Final = ("shin", "foot")


@dataclass(frozen=True, slots=True)
class PartnerClearance(Tuning):
    max_lean: float = tuned(0.05, "m", 0.0, 0.3)
    """Largest displacement of a trunk in one round."""
    max_step_shift: float = tuned(0.06, "m", 0.0, 0.3)
    """Largest displacement of a foot in one round."""
    step_blend: float = tuned(0.15, "s", 0.02, 1.0)
    """Time before and after a contact in which a foot moves to its displaced position, and back."""
    max_wrist_shift: float = tuned(0.15, "m", 0.0, 0.5)
    """Largest displacement of a wrist in one round."""
    max_swivel: float = tuned(0.6, "rad", 0.0, 1.6)
    """Largest swivel angle of an elbow in one round."""
    direction_smoothing: float = tuned(0.1, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths the directions of displacements."""


TUNING: Final = PartnerClearance()
MIN_ELBOW_OFFSET_M: Final = 0.05
"""Distance of an elbow from the line of shoulder and wrist, meters, below which the arm is too straight to swivel."""


def keep_apart(
    first: Clip, second: Clip, holds: NDArray[np.bool_], contacts: tuple[FootContacts, FootContacts]
) -> tuple[Clip, Clip]:
    """Return both motions after one round of leaning, arm movement and stepping that moves the bodies apart.

    One round may not suffice, since each displacement can lead into another part of the body.

    Args:
        first: motion of the first character.
        second: motion of the second character, with the same frames.
        holds: (F, 4) whether the hands of each of ``hand_holds.HAND_PAIRS`` hold each other; their wrists move
            together.
        contacts: foot contacts of the two characters; a foot is displaced equally throughout a contact.
    """
    overlaps = body_overlaps(first, second, holds)
    if overlaps[0].depths.max(initial=0.0) <= depenetration.TUNING.allowed_depth:
        return first, second
    bodies = [BodyCapsules.from_skeleton(clip.skeleton) for clip in (first, second)]
    pushes = _arm_pushes(bodies, overlaps, holds, first.rate)
    clips = [first, second]
    for number, feet in enumerate(contacts):
        body, overlap, standing = bodies[number], overlaps[number], feet.held.reshape(-1, 2, 2).max(axis=2)
        clip = _lean_away(body, bodies[1 - number], clips[number], overlap)
        for column, side in enumerate("LR"):
            clip = _step_aside(body, clip, overlap, side, standing[:, column])
            clip = give_way(clip, side, *pushes[number][side])
        clips[number] = clip
    return clips[0], clips[1]


def _arm_pushes(
    bodies: Sequence[BodyCapsules], overlaps: Sequence[BodyOverlap], holds: NDArray[np.bool_], rate: float
) -> list[dict[str, tuple[Array, Array]]]:
    """Return the displacements (F, 3) of wrists and elbows, meters, by character and side.

    The wrists of hands that hold each other share one displacement, which moves both out of the other body.
    """
    elbows = [
        {side: _arm_push(bodies[number], bodies[1 - number], overlaps[number], side, rate) for side in "LR"}
        for number in range(2)
    ]
    wrists = [{side: push.copy() for side, push in each.items()} for each in elbows]
    for held, sides in zip(holds.T, HAND_PAIRS, strict=True):
        together = sum(elbows[number][side] for number, side in enumerate(sides))
        share = scipy.ndimage.gaussian_filter1d(held.astype(float), TUNING.direction_smoothing * rate, mode="nearest")
        for number, side in enumerate(sides):
            wrists[number][side] += share[:, None] * (together - wrists[number][side])
    return [{side: (wrists[number][side], elbows[number][side]) for side in "LR"} for number in range(2)]


def _arm_push(body: BodyCapsules, other: BodyCapsules, overlap: BodyOverlap, side: str, rate: float) -> Array:
    """Return the displacement (F, 3), meters, of an arm out of the other body; out of its arms, by half the depth."""
    own = body.sphere_indices([f"{role}.{side}" for role in ARM_ROLES])
    against_arm = np.isin(overlap.others[:, own], other.sphere_indices(ARM_ROLES))
    depths = overlap.depths[:, own] * np.where(against_arm, 0.5, 1.0)
    return _displacement(depths, overlap.directions[:, own], 1.0, TUNING.max_wrist_shift, rate)


def _lean_away(body: BodyCapsules, other: BodyCapsules, clip: Clip, overlap: BodyOverlap) -> Clip:
    """Return a motion with the trunk moved horizontally above its feet, by half its depth in the other trunk."""
    own = body.sphere_indices(TRUNK_ROLES)
    theirs = np.isin(overlap.others[:, own], other.sphere_indices(TRUNK_ROLES))
    depths = np.where(theirs, overlap.depths[:, own], 0.0)
    shift = _displacement(depths, overlap.directions[:, own], 0.5, TUNING.max_lean, clip.rate)
    if not shift.any():
        return clip
    shift[:, 2] = 0.0
    return lean(clip, shift)


def lean(clip: Clip, shift: Array) -> Clip:
    """Return a motion with the body displaced by `shift` (F, 3), meters, world, over feet that stay in place."""
    positions, rotations = (array.copy() for array in clip.world)
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    ankles = [positions[:, leg.foot].copy() for leg in legs]
    positions += shift[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(clip.skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(clip, clip.root_positions + shift, rotations)


def _step_aside(body: BodyCapsules, clip: Clip, overlap: BodyOverlap, side: str, standing: NDArray[np.bool_]) -> Clip:
    """Return a motion with one foot moved horizontally out of the other body, by half the depth.

    A foot is displaced equally throughout a contact, with blends over the steps before and after (Kovar, Schreiner and
    Gleicher 2002).
    """
    own = body.sphere_indices([f"{role}.{side}" for role in LOWER_LEG_ROLES])
    push = _displacement(overlap.depths[:, own], overlap.directions[:, own], 0.5, TUNING.max_step_shift, clip.rate)
    push[:, 2] = 0.0
    if not push.any():
        return clip
    runs = runs_of(standing)
    constant = np.zeros_like(push)
    for start, stop in runs:
        largest = start + int(np.linalg.norm(push[start:stop], axis=-1).argmax())
        constant[start:stop] = push[largest]
    fade = max(round(TUNING.step_blend * clip.rate), 1)
    away = scipy.ndimage.distance_transform_edt(~standing) if standing.any() else np.full(len(push), fade)
    shift = np.where(standing[:, None], 0.0, push * smooth_step(away / fade)[:, None])
    if len(runs):
        shift += blend_corrections(constant, runs, 2 * fade)
    positions, rotations = (array.copy() for array in clip.world)
    leg = Leg.of(clip.skeleton, side)
    solve_leg_ik(clip.skeleton, positions, rotations, leg, positions[:, leg.foot] + shift)
    return with_world_rotations(clip, clip.root_positions, rotations)


def give_way(clip: Clip, side: str, wrist: Array, elbow: Array) -> Clip:
    """Return a motion with the wrist of an arm moved, and its elbow swiveled about the line from shoulder to wrist.

    Args:
        clip: the motion.
        side: ``"L"`` or ``"R"``.
        wrist: (F, 3) displacement of the wrist, meters, world.
        elbow: (F, 3) desired displacement of the elbow, meters, world.
    """
    if not (wrist.any() or elbow.any()):
        return clip
    positions, rotations = (array.copy() for array in clip.world)
    first, middle, last = (clip.skeleton.joint(f"{role}.{side}") for role in ARM_ROLES)
    solve_arm_ik(clip.skeleton, positions, rotations, side, positions[:, last] + wrist)
    axis = normalize(positions[:, last] - positions[:, first])
    across = positions[:, middle] - positions[:, first]
    across -= np.sum(across * axis, axis=-1, keepdims=True) * axis
    size = np.linalg.norm(across, axis=-1)
    tangent = np.cross(axis, across) / np.maximum(size, 1e-9)[:, None]
    angle = np.sum(elbow * tangent, axis=-1) / np.maximum(size, MIN_ELBOW_OFFSET_M)
    angle = np.clip(angle, -TUNING.max_swivel, TUNING.max_swivel) * (size > MIN_ELBOW_OFFSET_M)
    angle = scipy.ndimage.gaussian_filter1d(angle, TUNING.direction_smoothing * clip.rate / 2, mode="nearest")
    turn = from_axis_angle(axis, angle)
    for joint in (first, middle):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def _displacement(depths: Array, directions: Array, share: float, largest: float, rate: float) -> Array:
    """Return a smooth displacement (F, 3), meters, out of the deepest overlap at each frame.

    Args:
        depths: (F, N) depths, meters.
        directions: (F, N, 3) directions out of the other body.
        share: displacement per depth, of the depth beyond ``depenetration.TUNING.allowed_depth`` / 2.
        largest: largest displacement, meters.
        rate: frames per second.
    """
    rows, deepest = np.arange(len(depths)), depths.argmax(axis=1)
    beyond = np.maximum(depths[rows, deepest] - depenetration.TUNING.allowed_depth / 2, 0.0)
    if not beyond.any():
        return np.zeros((len(depths), 3))
    ways = scipy.ndimage.gaussian_filter1d(
        directions[rows, deepest] * beyond[:, None], TUNING.direction_smoothing * rate, axis=0, mode="nearest"
    )
    sizes = np.linalg.norm(ways, axis=-1, keepdims=True)
    amounts = np.minimum(share * smooth_envelope(beyond, rate), largest)
    return ways / np.maximum(sizes, 1e-9) * amounts[:, None] * (sizes > 1e-9)
