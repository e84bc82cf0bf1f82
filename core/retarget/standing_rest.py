"""Standing rests: standing poses with level trunk and soles, for bodies with any rest pose.

A rest pose that stands shows it directly. If legs are splayed at rest (CMU's by twenty degrees), the soles are tilted
with them; the angle is measured from flat feet in motion, or else from the legs. A controller's trunk that leans back
at rest, because its joints are estimated, is brought upright.
"""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import (
    IDENTITY,
    Array,
    from_axis_angle,
    inverse,
    multiply,
    normalize,
    rotate,
    rotation_between,
    signed_angle_about,
)
from . import rest_pose
from .trunk import neck_joints, spine_joints

SPLAYED_LEG_DEG: Final = 10.0
"""Outward angle of a shin at rest above which its sole is tilted with it; rigs and people stand within 8 degrees."""
MAX_SOLE_DIFFERENCE_DEG: Final = 12.0
"""Largest difference of a sole's angle in motion from the expected angle at rest; beyond it, the foot is not flat."""
MAX_SIDE_DIFFERENCE_DEG: Final = 5.0
"""Largest difference between both soles' rolls in motion for which unsplayed legs still show level soles."""
UPRIGHT_LEANS_DEG: Final = (-5.0, 10.0)
"""Range of forward leans of the line from hip joints to neck, in standing people and in rigs at rest."""
MAX_POSTURE_DEG: Final = 12.0
"""Largest pitch of hips, neck and head between the standing pose of a controller's people and its rest pose."""
UPRIGHT_TRUNK_COSINE: Final = float(np.cos(np.radians(30.0)))
"""Least cosine of the trunk's lean in the mean pose of a body on its feet; runners lean by 20 degrees."""
SAME_BONE_DEG: Final = 1.0
"""Largest angle between bones at rest for two skeletons to count as one body."""
MIN_WAY_M: Final = 1e-3
"""Least distance between two joints that show a direction."""
LEAN_STEPS: Final = 6
"""Number of iterations that solve the lean of a trunk; each leaves a tenth of the error."""


def standing_rest(
    skeleton: Skeleton, stance: Array | None = None, lean: float | None = None, moves: bool = False
) -> Array | None:
    """Return the world rotations (J, 4) that turn the rest pose into the pose in which the body stands level.

    The result is ``None`` if neither the rest pose nor the stance is a standing pose.

    Args:
        skeleton: skeleton of the body.
        stance: world rotations (J, 4) of the body's standing pose in motion, such as a
            :class:`.rest_pose_from_motion.Stance`, if known.
        lean: forward lean of the trunk, radians, applied if the trunk leans implausibly at rest; ``None`` keeps it.
        moves: whether the stance also corrects tilted soles of legs that are not splayed at rest.
    """
    if not rest_pose.is_standing(skeleton):
        return None if stance is None else _stood_up(skeleton, stance)
    pose = np.tile(IDENTITY, (len(skeleton), 1))
    if lean is not None:
        _bring_upright(skeleton, pose, stance, lean)
    for side, roll in _sole_rolls(skeleton, stance, moves).items():
        pose[_descendants(skeleton, skeleton.joint(f"foot.{side}"))] = from_axis_angle(_ahead(skeleton), roll)
    if lean is not None and stance is not None:
        for side, pitch in _sole_pitches(skeleton, stance).items():
            sole = _descendants(skeleton, skeleton.joint(f"foot.{side}"))
            pose[sole] = multiply(from_axis_angle(_outward(skeleton, "L"), pitch), pose[sole])
    return pose


def _stood_up(skeleton: Skeleton, stance: Array) -> Array | None:
    """Return a stance's world rotations (J, 4), with bent legs straightened; ``None`` if the body lies.

    The mean pose of a run has bent legs, but level hips and soles.
    """
    stood, up = rest_pose.with_rest_pose(skeleton, stance), np.eye(3)[2]
    poses = [stance]
    if rotate(rest_pose.body_rotation(stood), up) @ up > UPRIGHT_TRUNK_COSINE:
        poses.append(multiply(rest_pose.make_known_pose(stood, "T"), stance))
    return next((pose for pose in poses if rest_pose.is_standing(rest_pose.with_rest_pose(skeleton, pose))), None)


def splayed_sides(skeleton: Skeleton) -> tuple[str, ...]:
    """Return the sides, ``"L"`` or ``"R"``, whose shins point outward at rest by over :data:`SPLAYED_LEG_DEG`."""
    return tuple(
        side
        for side in "LR"
        if f"foot.{side}" in skeleton.roles and np.degrees(abs(_leg_splay(skeleton, side))) > SPLAYED_LEG_DEG
    )


def same_body(source: Skeleton, target: Skeleton) -> bool:
    """Return whether two skeletons have equal bone directions at rest, apart from facing, and as many trunk joints."""
    trunks = [_trunk_joints(body) for body in (source, target)]
    if len(trunks[0]) != len(trunks[1]):
        return False
    both = source.roles.keys() & target.roles.keys()
    ways = [_ways(body, trunk, both) for body, trunk in zip((source, target), trunks, strict=True)]
    if ways[0].keys() != ways[1].keys():
        return False
    turn = rest_pose.heading_between(source, target)
    cosines = [float(normalize(way) @ normalize(rotate(turn, ways[1][name]))) for name, way in ways[0].items()]
    return min(cosines, default=1.0) > np.cos(np.radians(SAME_BONE_DEG))


def _trunk_joints(skeleton: Skeleton) -> tuple[int, ...]:
    """Return the joints from the hips to the head, upward."""
    head = [skeleton.roles["head"]] if "head" in skeleton.roles else []
    return tuple(dict.fromkeys([skeleton.roles["hips"], *spine_joints(skeleton), *neck_joints(skeleton), *head]))


def _ways(skeleton: Skeleton, trunk: Sequence[int], roles: Collection[str]) -> dict[str, Array]:
    """Return the vectors (3) at rest, by role, to joints of the trunk and ``roles`` from the nearest such ancestor."""
    known = {joint: str(number) for number, joint in enumerate(trunk)}
    for role in roles:
        known.setdefault(skeleton.roles[role], role)
    result: dict[str, Array] = {}
    for joint, name in known.items():
        way, above = np.zeros(3), joint
        while above > 0 and (above == joint or above not in known):
            way, above = way + skeleton.offsets[above], skeleton.parents[above]
        if np.linalg.norm(way) > MIN_WAY_M:
            result[name] = way
    return result


def _leg_splay(skeleton: Skeleton, side: str) -> float:
    """Return by how much a shin leans outward at rest, radians."""
    up, out = rest_pose.up_axis(skeleton), _outward(skeleton, side)
    shin = rest_pose.bone_vector(skeleton, skeleton.joint(f"shin.{side}"), f"shin.{side}")
    return float(np.arctan2(shin @ out, -(shin @ up)))


def _outward(skeleton: Skeleton, side: str) -> Array:
    """Return the horizontal direction (3) from the body toward one side, at rest."""
    up = rest_pose.up_axis(skeleton)
    left = rotate(rest_pose.body_rotation(skeleton), np.eye(3)[0])
    return normalize(left - (left @ up) * up) * (1.0 if side == "L" else -1.0)


def _sole_rolls(skeleton: Skeleton, stance: Array | None, moves: bool) -> dict[str, float]:
    """Return the roll angles about the forward axis, radians, that level the soles at rest, by side."""
    splayed = splayed_sides(skeleton)
    expected = {side: _splay_roll(skeleton, side) if side in splayed else 0.0 for side in "LR"}
    sides = splayed
    if stance is not None:
        shown = {side: _stance_roll(skeleton, side, stance) for side in "LR" if f"foot.{side}" in skeleton.roles}
        near = [side for side in shown if abs(shown[side] - expected[side]) < np.radians(MAX_SOLE_DIFFERENCE_DEG)]
        mirrored = len(near) == 2 and abs(shown["L"] + shown["R"]) < np.radians(MAX_SIDE_DIFFERENCE_DEG)
        sides = tuple(shown) if moves and mirrored else splayed
        expected |= {side: shown[side] for side in sides if side in near}
    return {side: expected[side] for side in sides}


def _splay_roll(skeleton: Skeleton, side: str) -> float:
    """Return the roll, radians, that levels a sole which is splayed together with its shin."""
    up, out = rest_pose.up_axis(skeleton), _outward(skeleton, side)
    shin = rest_pose.bone_vector(skeleton, skeleton.joint(f"shin.{side}"), f"shin.{side}")
    frontal = (shin @ out) * out + (shin @ up) * up
    return signed_angle_about(_ahead(skeleton), rotate(rotation_between(-up, frontal), up), up)


def _stance_roll(skeleton: Skeleton, side: str, stance: Array) -> float:
    """Return the roll, radians, that levels a foot's sole at rest, given a standing pose in which the sole is level."""
    stands = rest_pose.up_axis(rest_pose.with_rest_pose(skeleton, stance))
    level = rotate(inverse(stance[skeleton.joint(f"foot.{side}")]), stands)
    return signed_angle_about(_ahead(skeleton), level, rest_pose.up_axis(skeleton))


def _sole_pitches(skeleton: Skeleton, stance: Array) -> dict[str, float]:
    """Return the pitch angles, radians, that level the soles at rest, by side; empty if they are unknown."""
    pitches = {
        side: _stance_pitch(skeleton, skeleton.joint(f"foot.{side}"), stance)
        for side in "LR"
        if f"foot.{side}" in skeleton.roles and f"toe.{side}" in skeleton.roles
    }
    limit = np.radians(MAX_SOLE_DIFFERENCE_DEG)
    if len(pitches) < 2 or max(abs(pitch) for pitch in pitches.values()) >= limit:
        return {}
    return pitches if abs(pitches["L"] - pitches["R"]) < np.radians(MAX_SIDE_DIFFERENCE_DEG) else {}


def _ahead(skeleton: Skeleton) -> Array:
    """Return the horizontal direction (3) that the body faces at rest: the axis of splay and roll."""
    return np.cross(_outward(skeleton, "L"), rest_pose.up_axis(skeleton))


def _bring_upright(skeleton: Skeleton, pose: Array, stance: Array | None, wanted: float) -> None:
    """Pitch a pose in place: hips, neck and head as in a stance, spine and collar bones to the wanted lean.

    A spine whose lean is plausible at rest keeps its lean.
    """
    left = _outward(skeleton, "L")
    if stance is not None:
        for joint in (skeleton.roles["hips"], *neck_joints(skeleton), skeleton.roles.get("head", -1)):
            if joint >= 0:
                pose[joint] = from_axis_angle(left, _stance_pitch(skeleton, joint, stance))
    spine, lean = spine_joints(skeleton), trunk_lean(skeleton)
    if not spine or lean is None or UPRIGHT_LEANS_DEG[0] <= np.degrees(lean) <= UPRIGHT_LEANS_DEG[1]:
        return
    angle, collars = 0.0, [skeleton.roles[f"shoulder.{side}"] for side in "LR" if f"shoulder.{side}" in skeleton.roles]
    for _ in range(LEAN_STEPS):
        angle += wanted - (trunk_lean(rest_pose.with_rest_pose(skeleton, pose)) or 0.0)
        pose[[*spine, *collars]] = from_axis_angle(left, angle)


def _stance_pitch(skeleton: Skeleton, joint: int, stance: Array) -> float:
    """Return a joint's forward pitch, radians, in a stance, limited to a plausible posture."""
    stood = rest_pose.with_rest_pose(skeleton, stance)
    turn = multiply(rest_pose.heading_between(skeleton, stood), stance[joint])
    up, left = rest_pose.up_axis(skeleton), _outward(skeleton, "L")
    limit = np.radians(MAX_POSTURE_DEG)
    return float(np.clip(signed_angle_about(left, up, rotate(turn, up)), -limit, limit))


def shared_lean(other: Skeleton) -> float:
    """Return the forward lean, radians, to give a controller's trunk: that of ``other``, within people's range."""
    low, high = np.radians(UPRIGHT_LEANS_DEG)
    return float(np.clip(trunk_lean(other) or 0.0, low, high))


def trunk_lean(skeleton: Skeleton) -> float | None:
    """Return the forward lean, radians, of the line from hip joints to neck (or head, or chest) at rest.

    ``None`` for a skeleton without these joints.
    """
    top = next((skeleton.roles[role] for role in ("neck", "head", "chest") if role in skeleton.roles), None)
    if top is None:
        return None
    up = rest_pose.up_axis(skeleton)
    middle = np.mean([rest_pose.rest_position(skeleton, skeleton.joint(f"thigh.{side}")) for side in "LR"], axis=0)
    line = rest_pose.rest_position(skeleton, top) - middle
    return float(np.arctan2(line @ _ahead(skeleton), line @ up))


def _descendants(skeleton: Skeleton, joint: int) -> list[int]:
    """Return a joint and its descendants."""
    found = {joint}
    for other, parent in enumerate(skeleton.parents):
        if parent in found:
            found.add(other)
    return sorted(found)
