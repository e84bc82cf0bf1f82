"""Wrist positions for hands that hold an object, push it or lean on it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, rotate, rotation_about_up
from ...scene.affordances import Grips, Handle
from ...scene.interaction_object import InteractionObject
from ...scene.lean_place import LeanPlace
from ...scene.object_fitting import PALM_OFFSET_M
from ...scene.push_face import PushFace
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class WristTargetsTuning(Tuning):
    pushing_tilt: float = tuned(np.radians(65.0), "rad", 0.0, np.pi / 2)
    """Upward angle of a pushing hand's fingers from the pushing direction."""
    pulling_direction: float = tuned(np.radians(45.0), "rad", 0.0, np.pi / 2)
    """Direction of a hand that grasps a shut leaf's handle to pull it: angle from the leaf's normal toward the hinge.
    """
    flesh_ratio: float = tuned(0.2, "1", 0.0, 1.0)
    """Distance from the middle of the palm to the pressed surface, as a share of the distance from wrist to palm."""


TUNING: Final = WristTargetsTuning()


def palm_offset(leg_length: float) -> float:
    """Return the distance, meters, from wrist to middle of the palm of a body with a leg length, meters."""
    return PALM_OFFSET_M * leg_length / ADULT_LEG_LENGTH_M


def wrist_on_object(held_object: InteractionObject, side: int, hand: str, palm: float) -> Array:
    """Return the wrist's position (3), meters, object space, of a hand that holds an object.

    Args:
        held_object: the object.
        side: side of the object at which the bearer is, in quarter turns from the object's front.
        hand: ``"L"`` or ``"R"``.
        palm: distance from the wrist to the middle of the palm, meters.
    """
    seen = held_object.facing_side(side)
    if seen.handle is not None:
        wrist = wrist_on_handle(seen.handle, palm)
    else:
        grips = seen.grips
        assert grips is not None
        across = (grips.hands[0] - grips.hands[1]) / max(float(np.linalg.norm(grips.hands[0] - grips.hands[1])), 1e-6)
        # The palm lies on the side, the wrist slightly outside.
        wrist = grips.hands["LR".index(hand)] + (palm / 3) * across * (1 if hand == "L" else -1)
    return rotate(rotation_about_up(np.array(side * np.pi / 2)), wrist)


def wrist_over_handle(grips: Grips, palm: float) -> Array:
    """Return the wrist's position (3), meters, object space, of a hand that holds an object's handle from above.

    `palm` is the distance from the wrist to the middle of the palm, meters.
    """
    return grips.hands.mean(axis=0) + np.array([0.0, 0.0, palm])


def wrist_on_handle(handle: Handle, palm: float) -> Array:
    """Return the wrist's position (3), meters, object space, of a hand whose palm is on a handle.

    `palm` is the distance from the wrist to the middle of the palm, meters.
    """
    surface = handle.position - TUNING.flesh_ratio * palm * np.append(handle.direction, 0.0)
    return surface - palm * hand_on_handle(handle)


def hand_on_handle(handle: Handle) -> Array:
    """Return the unit direction (3), object space, of the fingers of a hand that pushes a handle: up along the leaf."""
    return np.append(np.cos(TUNING.pushing_tilt) * handle.direction, np.sin(TUNING.pushing_tilt))


def wrists_on_pulled_handle(handle: Handle, palm: float, angles: Array, withdrawal: Array) -> tuple[Array, Array]:
    """Return wrist positions (N, 3) and hand directions (N, 3), object space, of a hand that pulls a handle.

    The hand keeps its direction in the world while the leaf turns, until it lies along the leaf. The wrist is then
    beyond the leaf's edge, so that the forearm, and the withdrawing hand, reach around the edge.

    Args:
        handle: the handle.
        palm: distance from the wrist to the middle of the palm, meters.
        angles: (N) absolute opening angles, radians.
        withdrawal: (N) distances of the hand from the handle, away from the hinge, meters.

    Returns:
        Positions, meters, and unit directions from wrist to fingers.
    """
    into = handle.direction
    hinge = (handle.hinge - handle.position)[:2]
    toward = hinge - float(hinge @ into) * into
    toward = toward / np.linalg.norm(toward)
    turned = np.minimum(TUNING.pulling_direction + angles, np.pi / 2)[:, None]
    pointing = np.pad(np.cos(turned) * into + np.sin(turned) * toward, ((0, 0), (0, 1)))
    surface = handle.position - TUNING.flesh_ratio * palm * np.append(into, 0.0)
    return surface - withdrawal[:, None] * np.append(toward, 0.0) - palm * pointing, pointing


def wrists_on_face(face: PushFace, palm: float) -> Array:
    """Return the positions (2, 3), meters, object space, of left and right wrist of hands whose palms push a face.

    Args:
        face: the face, at the object's front.
        palm: distance from the wrist to the middle of the palm, meters.
    """
    return face.palms + TUNING.flesh_ratio * palm * np.array([0.0, 1.0, 0.0]) - palm * hand_on_face()


def hand_on_face() -> Array:
    """Return the unit direction (3), object space, of the fingers of a hand that pushes an object's front: upward."""
    return np.array([0.0, -np.cos(TUNING.pushing_tilt), np.sin(TUNING.pushing_tilt)])


def wrists_on_lean_place(place: LeanPlace, palm: float) -> Array:
    """Return the positions (2, 3), meters, object space, of left and right wrist of hands that lean on an object.

    Args:
        place: place of both palms on the object.
        palm: distance from the wrist to the middle of the palm, meters.
    """
    return place.palms - TUNING.flesh_ratio * palm * place.into - palm * place.fingers
