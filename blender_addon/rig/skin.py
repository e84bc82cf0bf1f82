"""Thickness of a character's skin: measured once for a rig, stored with it, and edited there."""

from collections.abc import Mapping
from typing import Final

import bpy
import numpy as np

from ...core.body.skin_thickness import HAND_CELLS, Palm, SkinThickness, foot_part, measure_skin
from ...core.control.refine.seat_pose import seat_thickness
from ...core.errors import FootfallError
from ...core.message import Message
from ...core.motion import Skeleton
from ...core.motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, has_toes
from ...core.motion.roles import is_quadruped
from ...core.motion.rotations import Array, inverse, rotate
from ...core.scene.object_fitting import PALM_FLESH_M
from ..animation.fcurve_io import read_rig
from . import store
from .skin_reader import read_bound_skin, skin_key

MAX_POINTS: Final = HAND_CELLS**2
"""Number of stored points for the skin of one hand."""


def skin_of(armature: bpy.types.Object) -> SkinThickness:
    """Return an armature's skin thickness; it is measured again if the meshes have changed, except edited values."""
    body = store.mapped_skeleton(armature, store.rig_map_of(armature))
    rig = armature.footfall.rig
    if is_quadruped(body.roles):
        return SkinThickness()
    if rig.skin_source != "EDITED" and rig.skin_key != skin_key(armature, body):
        measure(armature)
    return _stored(armature, body)


def sole_of(armature: bpy.types.Object, part: str) -> float | None:
    """Return how high a part of the feet is above the soles, as measured on meshes or entered by the user, if known.

    Args:
        armature: the armature object.
        part: ``"toe"`` for balls, ``"foot"`` for ankles.
    """
    body = store.mapped_skeleton(armature, store.rig_map_of(armature))
    if is_quadruped(body.roles) or part != foot_part(body):
        return None
    sole = skin_of(armature).sole
    return None if armature.footfall.rig.skin_source == "PROPORTIONS" else sole


def measure(armature: bpy.types.Object) -> Message:
    """Measure and store the skin thickness of an armature; return a message for the report.

    Raises:
        FootfallError: a required bone is not mapped, or the body has four legs.
    """
    rig, body = armature.footfall.rig, store.mapped_skeleton(armature, store.rig_map_of(armature))
    if is_quadruped(body.roles):
        raise FootfallError(
            "'{name}' has four legs, but the skin can only be measured on two-legged bodies: enter the "
            "distances by hand",
            name=armature.name,
        )
    skin = read_bound_skin(armature, body)
    found = SkinThickness() if skin is None else measure_skin(body, skin)
    shown = (found.seat, *(found.palms.get(side) for side in "LR"), found.sole)
    usual, back = _usual_thickness(body), inverse(read_rig(armature).rotation)
    with store.suspended_updates():
        rig.seat_thickness = found.seat or usual["seat"]
        rig.sole_thickness = usual["sole"] if found.sole is None else found.sole
        rig.palm_thickness = [found.palms[side].thickness if side in found.palms else usual["palm"] for side in "LR"]
        axes, points = zip(*(_shape(found.palms.get(side), back) for side in "LR"), strict=True)
        rig.palm_axes = np.array(axes).tolist()
        rig.palm_skin = np.reshape(points, np.shape(rig.palm_skin)).tolist()
        rig.skin_source = "PROPORTIONS" if all(part is None for part in shown) else "MESH"
        rig.skin_key = skin_key(armature, body)
    if rig.skin_source == "PROPORTIONS":
        return Message(
            "'{name}' has no mesh to measure, so the distances to its skin are estimated from its proportions",
            name=armature.name,
        )
    return Message(
        "Distances to the skin: seat {seat} cm, palms {left} and {right} cm, soles {sole} cm",
        seat=f"{100 * rig.seat_thickness:.1f}",
        left=f"{100 * rig.palm_thickness[0]:.1f}",
        right=f"{100 * rig.palm_thickness[1]:.1f}",
        sole=f"{100 * rig.sole_thickness:.1f}",
    )


def _usual_thickness(body: Skeleton) -> Mapping[str, float]:
    """Return the usual skin thickness, meters, of a body with the same leg length, by body part."""
    size = body.leg_length / ADULT_LEG_LENGTH_M
    sole = TOE_JOINT_HEIGHT_M if has_toes(body) else ANKLE_JOINT_HEIGHT_M
    return {"seat": seat_thickness(body.leg_length), "palm": size * PALM_FLESH_M, "sole": size * sole}


def _shape(palm: Palm | None, back: Array) -> tuple[Array, Array]:
    """Return a palm's axes (2, 3) and points (P, 3) of its skin, for storing; zeros if its shape is unknown.

    Args:
        palm: the measured palm, in the world.
        back: rotation (4) from the world to the armature's space.
    """
    if palm is None:
        return np.zeros((2, 3)), np.zeros((MAX_POINTS, 3))
    # Unused points repeat the last one.
    points = np.pad(palm.skin, ((0, MAX_POINTS - len(palm.skin)), (0, 0)), mode="edge")
    return rotate(back, np.stack([palm.normal, palm.along])), rotate(back, points)


def _stored(armature: bpy.types.Object, body: Skeleton) -> SkinThickness:
    """Return the stored skin thickness; palms of unknown shape are left out."""
    rig = armature.footfall.rig
    turn, palms = read_rig(armature).rotation, dict[str, Palm]()
    points = np.reshape(rig.palm_skin, (2, MAX_POINTS, 3))
    for number, (side, axes) in enumerate(zip("LR", np.array(rig.palm_axes), strict=True)):
        if axes.any() and f"hand.{side}" in body.roles:
            normal, along = rotate(turn, axes)
            palms[side] = Palm(float(rig.palm_thickness[number]), normal, along, rotate(turn, points[number]))
    return SkinThickness(float(rig.seat_thickness), palms, float(rig.sole_thickness))
