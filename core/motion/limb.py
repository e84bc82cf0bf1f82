"""Two-joint limb IK, vectorised over frames: where the knee goes when the ankle is moved."""

from dataclasses import dataclass

import numpy as np

from .clip import Clip, lateral_axis
from .kinematics import local_rotations
from .rotations import Array, between, multiply, normalize, rotate
from .skeleton import Skeleton

# A leg is never stretched beyond this share of its length: the last per cent of a straight knee pops.
LONGEST_REACH = 0.998


@dataclass(frozen=True, slots=True)
class Leg:
    """The joints of one leg: thigh, shin and foot, and the toe where there is one."""

    thigh: int
    shin: int
    foot: int
    toe: int | None

    @staticmethod
    def of(skeleton: Skeleton, side: str) -> "Leg":
        """The leg of side ``"L"`` or ``"R"``; raises :class:`FootfallError` where its roles are not known."""
        thigh, shin, foot = (skeleton.role(f"{part}.{side}") for part in ("thigh", "shin", "foot"))
        return Leg(thigh, shin, foot, skeleton.roles.get(f"toe.{side}"))

    def length(self, skeleton: Skeleton) -> float:
        """Thigh and shin together, metres."""
        return float(np.linalg.norm(skeleton.offsets[[self.shin, self.foot]], axis=-1).sum())


def reach(skeleton: Skeleton, positions: Array, rotations: Array, leg: Leg, target: Array) -> None:
    """Moves an ankle to ``target`` by bending and swinging the leg, in place.

    The knee keeps its plane; where the leg is straight it bends forwards. The foot keeps its world rotation. Targets
    out of reach are met in direction. The toe moves along with the foot.

    Args:
        positions: world positions (F, J, 3), metres; the leg's joints are changed.
        rotations: world rotations (F, J, 4); thigh and shin are changed.
        target: world position of the ankle (F, 3).
    """
    hip, knee, ankle = positions[:, leg.thigh].copy(), positions[:, leg.shin].copy(), positions[:, leg.foot].copy()
    upper = np.linalg.norm(skeleton.offsets[leg.shin])
    lower = np.linalg.norm(skeleton.offsets[leg.foot])
    line = target - hip
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    span = np.clip(distance, abs(upper - lower) * 1.001 + 1e-6, (upper + lower) * LONGEST_REACH)
    along = normalize(np.where(distance > 1e-9, line, ankle - hip))
    bend = _knee_direction(skeleton, hip, knee, ankle, rotations[:, leg.thigh], upper)
    bend = normalize(bend - np.sum(bend * along, axis=-1, keepdims=True) * along)
    share = (upper**2 + span**2 - lower**2) / (2 * span)
    rise = np.sqrt(np.maximum(upper**2 - share**2, 0))
    new_knee = hip + along * share + bend * rise
    new_ankle = hip + along * span
    swing = between(knee - hip, new_knee - hip)
    rotations[:, leg.thigh] = multiply(swing, rotations[:, leg.thigh])
    hinge = between(rotate(swing, ankle - knee), new_ankle - new_knee)
    rotations[:, leg.shin] = multiply(hinge, multiply(swing, rotations[:, leg.shin]))
    positions[:, leg.shin], positions[:, leg.foot] = new_knee, new_ankle
    if leg.toe is not None:
        positions[:, leg.toe] = new_ankle + rotate(rotations[:, leg.foot], skeleton.offsets[leg.toe])


def _knee_direction(
    skeleton: Skeleton, hip: Array, knee: Array, ankle: Array, thigh_rotation: Array, upper: np.floating
) -> Array:
    """Where the knee points (F, 3): off the line from hip to ankle, and forwards where it lies on that line."""
    along = normalize(ankle - hip)
    off = (knee - hip) - np.sum((knee - hip) * along, axis=-1, keepdims=True) * along
    forwards = rotate(thigh_rotation, np.broadcast_to(_rest_forward(skeleton), (len(hip), 3)))
    return off + 0.02 * upper * forwards


def _rest_forward(skeleton: Skeleton) -> Array:
    """The direction (3) in which the skeleton faces at rest: along its toes, else across its hips."""
    toes = [skeleton.roles[role] for role in ("toe.L", "toe.R") if role in skeleton.roles]
    if toes:
        forward = skeleton.offsets[toes].sum(axis=0) * np.array([1.0, 1.0, 0.0])
        if np.linalg.norm(forward) > 1e-6:
            return normalize(forward)
    return np.array([0.0, -1.0, 0.0]) if lateral_axis(skeleton) == 0 else np.array([1.0, 0.0, 0.0])


def with_world_rotations(clip: Clip, root_positions: Array, rotations: Array) -> Clip:
    """The clip with other root positions (F, 3) and world rotations (F, J, 4)."""
    local = normalize(local_rotations(clip.skeleton, rotations))
    return Clip(clip.skeleton, clip.rate, root_positions, local, clip.name)
