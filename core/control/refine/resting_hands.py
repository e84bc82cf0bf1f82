"""Resting hands of seated bodies: on armrests within reach, or on the thighs."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.arm_swivel import ArmSwivel, across_axis
from ...motion.limb_ik import solve_arm_ik, with_world_rotations
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, cross, exp, multiply, normalize, rotate, rotation_between
from ...scene.armrests import Armrest, find_armrests
from ...scene.body_capsules import LIMB_CAPSULES
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned

HAND_PLACES: Final = ((0.5, 0.5), (0.72, 0.72), (0.45, 0.75), (0.75, 0.5))
"""Positions of the left and right hand along the thighs, from 0 at the hip to 1 at the knee; one pair is drawn."""


@dataclass(frozen=True, slots=True)
class RestingHands(Tuning):
    """Tuned numbers of hands at rest."""

    hand_rise: float = tuned(0.025, "m", 0.0, 0.1)
    """Height of an adult's wrist over the skin of the thigh under the hand."""
    inward: float = tuned(np.radians(15.0), "rad", 0.0, 1.0)
    """Angle by which the fingers of hands on thighs point inward."""
    armrest_rise: float = tuned(0.035, "m", 0.0, 0.1)
    """Height of an adult's wrist over the armrest under the hand."""
    wrist_to_front: float = tuned(0.01, "m", 0.0, 0.2)
    """Distance of the wrist from the front end of an armrest, over which the fingers hang."""
    wrist_ahead: tuple[float, float] = tuned((0.16, 0.26), "m", 0.0, 0.5)
    """Range from which the distance of the wrist ahead of the shoulder is drawn, for a longer armrest."""
    elbow_direction: tuple[float, float, float] = tuned((-0.7, 0.3, -0.5), "1", -1.0, 1.0)
    """Direction (ahead, outward, up) of the elbow of a hand on an armrest: elbows rest behind the hand."""
    arc: float = tuned(0.08, "m", 0.0, 0.3)
    """Height of the arc in which a hand moves onto an armrest, above the straight line."""


TUNING: Final = RestingHands()
ARMREST_SIDES: Final = ("LR", "LR", "LR", "L", "R")
"""Hands that rest on a seat's two armrests: both, the left or the right; one entry is drawn randomly."""


def rest_hands(clip: Clip, weights: Array, seat_object: InteractionObject, scale: float, seed: list[int]) -> Clip:
    """Return a seated motion with both hands at rest, each on an armrest or a thigh.

    Args:
        clip: the motion, F frames.
        weights: (F) weights from 0, hands unchanged, to 1, hands at rest.
        seat_object: the seat, in meters at the controller's scale.
        scale: clip meters per meter at the controller's scale.
        seed: seed that selects the positions of the hands.
    """
    generator = np.random.default_rng(seed)
    shares = HAND_PLACES[int(generator.integers(len(HAND_PLACES)))]
    sides = ARMREST_SIDES[int(generator.integers(len(ARMREST_SIDES)))]
    ahead = float(generator.uniform(*TUNING.wrist_ahead))
    assert seat_object.seat is not None
    armrests = find_armrests(seat_object.collider, seat_object.seat)
    if len(armrests) == 1:
        sides = "LR"
    positions, rotations = (array.copy() for array in clip.world)
    for side, share in zip("LR", shares, strict=True):
        if not all(f"{part}.{side}" in clip.skeleton.roles for part in ("upper_arm", "forearm", "hand")):
            continue
        if side in armrests and side in sides:
            wanted, pointing = _on_armrest(clip, armrests[side], seat_object, scale, ahead, side)
            arc, elbow = TUNING.arc * scale * 4 * weights * (1 - weights), _elbow_direction(pointing, side)
        else:
            wanted, pointing = _on_thigh(clip, side, share)
            arc, elbow = np.zeros(len(clip)), None
        hand = clip.skeleton.joint(f"hand.{side}")
        target = positions[:, hand] + weights[:, None] * (wanted - positions[:, hand])
        target[:, 2] += arc
        solve_arm_ik(clip.skeleton, positions, rotations, side, target)
        if elbow is not None:
            _swivel_elbow(clip, positions, rotations, side, elbow, weights)
        bone = rotate(rotations[:, hand], np.broadcast_to(clip.skeleton.bone_vectors[hand], (len(clip), 3)))
        turn = rotation_between(bone, normalize(bone) + weights[:, None] * (pointing - normalize(bone)))
        rotations[:, hand] = multiply(turn, rotations[:, hand])
    return with_world_rotations(clip, clip.root_positions, rotations)


def _on_thigh(clip: Clip, side: str, share: float) -> tuple[Array, Array]:
    """Return wrist positions (F, 3), meters, and directions (F, 3) of a hand that rests on the thigh.

    `share` is the place along the thigh, from hip to knee.
    """
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    hip, knee = (clip.positions[:, clip.skeleton.joint(f"{part}.{side}")] for part in ("thigh", "shin"))
    thigh = normalize(knee - hip)
    upward = normalize(np.array([0.0, 0.0, 1.0]) - thigh[:, 2:] * thigh)
    radii = LIMB_CAPSULES["thigh"][1:]
    rise = scale * (radii[0] + share * (radii[1] - radii[0]) + TUNING.hand_rise)
    inward = TUNING.inward * (-1.0 if side == "L" else 1.0)
    return hip + share * (knee - hip) + rise * upward, rotate(exp(inward * upward), thigh)


def _on_armrest(
    clip: Clip, armrest: Armrest, seat_object: InteractionObject, scale: float, ahead: float, side: str
) -> tuple[Array, Array]:
    """Return wrist positions (F, 3), meters, and directions (F, 3) of a hand on an armrest, `ahead` of the shoulder."""
    rear, front = scale * seat_object.posed_collider.to_world(np.stack([armrest.rear, armrest.front]))
    length = float(np.linalg.norm(front - rear))
    along = (front - rear) / length
    shoulder = clip.positions[:, clip.skeleton.joint(f"upper_arm.{side}")]
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    # The shoulder of the settled body: the hand lies still while trunk and shoulder move.
    from_rear = float(np.median((shoulder - rear) @ along)) + size * ahead
    place = rear + float(np.clip(from_rear, 0.0, max(length - size * TUNING.wrist_to_front, 0.0))) * along
    place = place + np.array([0.0, 0.0, size * TUNING.armrest_rise])
    return np.broadcast_to(place, shoulder.shape), np.broadcast_to(along, shoulder.shape)


def _elbow_direction(pointing: Array, side: str) -> Array:
    """Return the directions (F, 3) in which the elbow lies for a hand that points along an armrest (F, 3)."""
    outward = np.column_stack([-pointing[:, 1], pointing[:, 0], np.zeros(len(pointing))])
    ahead, aside, up = TUNING.elbow_direction
    return ahead * pointing + aside * (1.0 if side == "L" else -1.0) * outward + np.array([0.0, 0.0, up])


def _swivel_elbow(clip: Clip, positions: Array, rotations: Array, side: str, direction: Array, weights: Array) -> None:
    """Rotate an arm about the line from shoulder to wrist, in place, to bring its elbow in a direction (F, 3).

    Args:
        clip: the motion.
        positions: (F, J, 3) positions, meters; unchanged.
        rotations: (F, J, 4) world rotations; those of upper arm and forearm are modified in place.
        side: ``"L"`` or ``"R"``.
        direction: (F, 3) wanted direction of the elbow from the shoulder.
        weights: (F) weights of the rotation, from 0 to 1.
    """
    arm = ArmSwivel.of(clip.skeleton, positions, side)
    own, wanted = normalize(arm.across), normalize(across_axis(direction, arm.axis))
    angle = np.arctan2(np.sum(cross(own, wanted) * arm.axis, axis=-1), np.sum(own * wanted, axis=-1))
    # Turn in one sense throughout: the shorter way at the frame of rest.
    angle = np.unwrap(angle)
    angle -= 2 * np.pi * np.round(angle[int(weights.argmax())] / (2 * np.pi))
    arm.turn(rotations, weights * angle)
