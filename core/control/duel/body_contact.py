"""Contact of an end effector with another body: the struck point, the displacement to reach it, and the gap."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion import Clip, Skeleton
from ...motion.limb_ik import rest_forward_direction
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, normalize, rotate, wrap_angle
from ...motion.weapons import weapon_role
from ...scene.body_capsules import LIMB_CAPSULES, BodyCapsules
from ...tuning import Tuning, tuned
from . import weapon
from .beats import Beat


@dataclass(frozen=True, slots=True)
class BodyContactTuning(Tuning):
    max_inside: float = tuned(0.05, "m", 0.0, 0.2)
    """Largest depth at which a requested point may lie inside the body's capsules, since a mesh's skin can be below
    them.
    """
    max_outside: float = tuned(0.15, "m", 0.0, 0.5)
    """Largest distance at which a requested point may lie outside the body's capsules."""
    max_aside: float = tuned(np.radians(75.0), "rad", 0.0, np.pi)
    """Largest angle around the body between a struck point and the striker."""
    flesh: float = tuned(0.008, "m", 0.0, 0.05)
    """Largest penetration depth at which two bodies count as merely touching."""
    depth_cost: float = tuned(10.0, "1", 0.0, 100.0)
    """Cost of penetrating beyond ``flesh``: meters of displacement that are accepted to avoid a meter of depth."""
    struck_shares: tuple[float, float] = tuned((0.1, 0.7), "1", 0.0, 1.0)
    """Range along a part's bone, from 0 at its joint to 1 at its end, in which the part may be struck."""


TUNING: Final = BodyContactTuning()


def require_point(skeleton: Skeleton, beat: Beat) -> None:
    """Raise :class:`FootfallError` if the point at which a beat aims is not at the surface of the receiver's body."""
    if beat.point is None:
        return
    body = BodyCapsules.from_skeleton(skeleton)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1))
    rest = Clip(skeleton, 60.0, np.zeros((1, 3)), turns)
    place = rest.positions[0, skeleton.joint(beat.part)] + _rest_offset(skeleton, beat.point)
    gap = float((np.linalg.norm(body.sphere_centres(rest)[0] - place, axis=-1) - body.radii).min())
    if gap < -TUNING.max_inside:
        raise FootfallError(
            "The target of the beat at frame {frame} is {depth} cm inside the body of {name}: move the target to the "
            "surface",
            frame=beat.frame,
            depth=f"{-100 * gap:.1f}",
            name=beat.receiver,
        )
    if gap > TUNING.max_outside:
        raise FootfallError(
            "The target of the beat at frame {frame} is {distance} cm away from the body of {name}: move the target "
            "to the surface",
            frame=beat.frame,
            distance=f"{100 * gap:.1f}",
            name=beat.receiver,
        )


def struck_places(clip: Clip, frame: int, beat: Beat, toward: float) -> Array:
    """Return the points (N, 3), meters, world, that a beat may strike, on the side of the receiver toward the striker.

    Args:
        clip: motion of the receiver.
        frame: frame of the receiver's motion.
        beat: the beat.
        toward: yaw of the direction from the receiver to the striker, radians.
    """
    pose, skeleton = clip.cut(frame, frame + 1), clip.skeleton
    if beat.point is not None:
        joint, (positions, rotations) = skeleton.joint(beat.part), pose.world
        return (positions[0, joint] + rotate(rotations[0, joint], _rest_offset(skeleton, beat.point)))[None]
    body = BodyCapsules.from_skeleton(skeleton)
    own, (low, high) = body.sphere_indices([beat.part]), TUNING.struck_shares
    own = own[(body.bone_fractions[own] >= low) & (body.bone_fractions[own] <= high)]
    ahead = np.append(facing_direction(np.array(toward)), 0.0)
    return body.sphere_centres(pose)[0, own] + body.radii[own, None] * ahead


def require_seen(clip: Clip, beat: Beat, toward: float) -> None:
    """Raise :class:`FootfallError` if the point at which a beat aims is on the receiver's side away from the striker.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        toward: yaw of the direction from the receiver to the striker, radians.
    """
    if beat.point is None:
        return
    _, outward = surface_point(clip, beat)
    away = abs(float(wrap_angle(yaw_of(outward[:2]) - toward)))
    if np.linalg.norm(outward[:2]) > abs(outward[2]) and away > TUNING.max_aside:
        raise FootfallError(
            "The target of the beat at frame {frame} is {angle} degrees around the body of {receiver}, hidden "
            "from {striker}: choose a point on the side that faces the strike",
            frame=beat.frame,
            angle=f"{np.degrees(away):.0f}",
            receiver=beat.receiver,
            striker=beat.striker,
        )


def surface_point(clip: Clip, beat: Beat) -> tuple[Array, Array]:
    """Return the point (3), meters, nearest to a beat's point on a receiver's surface, and its normal (3), world."""
    place = struck_places(clip, beat.frame, beat, 0.0)[0]
    centers, radii = spheres_of(clip, beat.frame, beat.part)
    nearest = int(np.argmin(np.linalg.norm(centers - place, axis=-1) - radii))
    outward = normalize(place - centers[nearest])
    return centers[nearest] + radii[nearest] * outward, outward


def way_to_point(striker: Clip, receiver: Clip, beat: Beat) -> Array:
    """Return the displacement (3), meters, world, that brings a striker's end effector to the point where a beat aims.

    Of all points along the end effector's bone, the one that touches leaves the rest of the bone least inside the body
    and, among equals, needs the shortest displacement.
    """
    place, outward = surface_point(receiver, beat)
    centers, radii = _striking(striker, beat.frame, beat.effector)
    ways = place + radii[:, None] * outward - centers
    body = BodyCapsules.from_skeleton(receiver.skeleton)
    others = body.sphere_centres(receiver.cut(beat.frame, beat.frame + 1))[0]
    apart = np.linalg.norm((centers + ways[:, None])[:, :, None] - others, axis=-1)
    depths = (radii[:, None] + body.radii - apart).max(axis=(1, 2))
    return ways[np.argmin(np.maximum(depths, TUNING.flesh) * TUNING.depth_cost + np.linalg.norm(ways, axis=-1))]


def way_to_contact(striker: Clip, frame: int, effector: str, receiver: Clip, part: str, way: Array) -> Array:
    """Return the displacement (3), meters, world, that brings an end effector into contact with another body's part.

    A weapon that moves along the direction could miss the part, so it is moved to the part's nearest point, and out of
    other parts.

    Args:
        striker: motion of the body with the end effector.
        frame: frame of both motions.
        effector: role of the end effector.
        receiver: motion of the other body.
        part: role of the other body's part.
        way: (3) preferred unit direction of the displacement, used if moving along it meets the part.
    """
    centers, radii = _striking(striker, frame, effector)
    others, sizes = spheres_of(receiver, frame, part)
    if weapon_role(striker.skeleton, effector) != effector:
        body, pose = BodyCapsules.from_skeleton(receiver.skeleton), receiver.cut(frame, frame + 1)
        every = nearest_surfaces((centers, radii), (body.sphere_centres(pose)[0], body.radii))
        nearest = nearest_surfaces((centers, radii), (others, sizes))
        gap, toward = every if every[0] < min(nearest[0], -TUNING.flesh) else nearest
        return gap * toward
    between, reach = others[None] - centers[:, None], sizes[None] + radii[:, None]
    along = between @ way
    across = np.linalg.norm(between - along[..., None] * way, axis=-1)
    meets = across < reach
    if not meets.any():
        aside = np.unravel_index(np.argmin(across - reach), across.shape)
        gap = float(across[aside] - reach[aside]) + 0.5 * float(reach[aside])
        off = between[aside] - along[aside] * way
        return gap * off / max(float(np.linalg.norm(off)), 1e-9)
    travel = np.where(meets, along - np.sqrt(np.maximum(reach**2 - across**2, 0.0)), np.inf)
    return float(travel.min()) * way


def effector_gap(striker: Clip, frame: int, effector: str, receiver: Clip, part: str) -> float:
    """Return the gap, meters, between an end effector and a part of another body; negative if they overlap.

    Args:
        striker: motion of the body with the end effector.
        frame: frame of both motions.
        effector: role of the end effector.
        receiver: motion of the other body.
        part: role of the other body's part.
    """
    gap, _ = nearest_surfaces(_striking(striker, frame, effector), spheres_of(receiver, frame, part))
    return gap


def nearest_surfaces(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[float, Array]:
    """Return the gap, meters, between two sets of spheres (centers, radii), and the unit direction (3) across it."""
    between = second[0][None] - first[0][:, None]
    gaps = np.linalg.norm(between, axis=-1) - second[1][None] - first[1][:, None]
    nearest = np.unravel_index(np.argmin(gaps), gaps.shape)
    return float(gaps[nearest]), normalize(between[nearest])


def _striking(clip: Clip, frame: int, effector: str) -> tuple[Array, Array]:
    """Return the spheres of an end effector, or of the cutting part of its weapon, as :func:`spheres_of` does."""
    role = weapon_role(clip.skeleton, effector)
    centers, radii = spheres_of(clip, frame, role)
    first = 0 if role == effector else round(weapon.TUNING.cutting_share * len(radii))
    return centers[first:], radii[first:]


def spheres_of(clip: Clip, frame: int, role: str) -> tuple[Array, Array]:
    """Return the centers (S, 3) and radii (S), meters, world, of the spheres that stand for a bone at a frame.

    A bone without a tip has one sphere, at its joint.
    """
    body, pose = BodyCapsules.from_skeleton(clip.skeleton), clip.cut(frame, frame + 1)
    own = body.sphere_indices([role])
    if not len(own):
        scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
        radius = scale * LIMB_CAPSULES[role.partition(".")[0]][1]
        return pose.positions[0, [clip.skeleton.joint(role)]], np.array([radius])
    return body.sphere_centres(pose)[0, own], body.radii[own]


def _rest_offset(skeleton: Skeleton, point: Array) -> Array:
    """Convert a point (3) given as right, ahead and up of the body at rest to the axes of its skeleton."""
    ahead = rest_forward_direction(skeleton)
    right = np.array([ahead[1], -ahead[0], 0.0])
    return np.stack([right, ahead, np.array([0.0, 0.0, 1.0])], axis=1) @ point
