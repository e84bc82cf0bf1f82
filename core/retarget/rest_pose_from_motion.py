"""Estimation of an actor's standing pose from motion, for rest poses that do not stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..message import Message
from ..motion import Clip, Skeleton
from ..motion.heel import flat_foot_frames
from ..motion.root_frame import rotations_in_root_frame
from ..motion.rotations import Array
from .rest_pose import is_standing

DOUBLE_SUPPORT_WEIGHT: Final = 1.0
"""Weight of a frame of standing on both legs."""
SINGLE_SUPPORT_WEIGHT: Final = 5e-2
"""Weight, for a foot's joints, of a frame of standing on its leg."""
FLAT_FOOT_WEIGHT: Final = 1e-3
"""Weight, for a foot's joints, of a frame in which the foot is flat under a bent leg."""
OTHER_FRAME_WEIGHT: Final = 1e-5
"""Weight of any other frame."""
STRAIGHT_LEG_RATIO: Final = 0.95
"""Height of the thigh above the ankle, relative to leg length, above which a leg is straight and upright."""
MIN_STANDING_FRAMES: Final = 10
"""Number of frames on both feet needed for the level of trunk and head: a third of a second at 30 Hz."""

ActorKey = tuple[tuple[str, ...], float]
"""Joint names and leg length, m, which identify the clips of one actor."""


def actor_key(skeleton: Skeleton) -> ActorKey:
    """Return the joint names and the leg length, meters, by which clips of one actor are recognized.

    If the rest pose does not stand, the length is 0, so that all actors with equal joint names share a key.
    """
    return skeleton.names, round(skeleton.leg_length, 4) if is_standing(skeleton) else 0.0


@dataclass(frozen=True, eq=False)
class Stance:
    """An actor's standing pose, estimated from clips.

    Attributes:
        pose: world rotations (J, 4) of a standing pose, facing +Y.
        doubts: a sentence if neither the clips nor the rest pose show the actor standing.
    """

    pose: Array
    doubts: tuple[Message, ...] = ()

    @staticmethod
    def of(clip: Clip) -> "Stance":
        """Return the standing pose of a clip's actor.

        Raises:
            FootfallError: the skeleton has no hips or thighs.
        """
        return Stance.from_scatters(clip.skeleton, [standing_scatter(clip)])

    @staticmethod
    def from_scatters(skeleton: Skeleton, scatters: Sequence[Array]) -> "Stance":
        """Return an actor's standing pose, computed from the evidence of one or more clips.

        Args:
            skeleton: skeleton of the clips.
            scatters: (J, 4, 4) result of :func:`standing_scatter` for each clip.
        """
        standing_frames = sum(float(np.trace(one[skeleton.roles["hips"]])) for one in scatters) / DOUBLE_SUPPORT_WEIGHT
        if standing_frames >= MIN_STANDING_FRAMES or is_standing(skeleton):
            return Stance(standing_pose(scatters))
        doubt = Message(
            "Neither the rest pose nor the motion of '{name}' shows it standing on both feet: check that trunk and "
            "head are level",
            name=skeleton.names[skeleton.roles["hips"]],
        )
        return Stance(standing_pose(scatters), (doubt,))


def standing_scatter(clip: Clip) -> Array:
    """Return a clip's evidence of its actor's standing pose: a matrix per joint, to be summed over clips.

    Frames of standing on both feet, flat and still, with straight legs, have the largest weights. Feet also use frames
    of standing on one foot.

    Returns:
        (J, 4, 4): the weighted sum over frames of the outer products of the joints' rotations in the root's frame,
        which faces +Y.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    roles = clip.skeleton.roles
    rotations = rotations_in_root_frame(clip, clip.skeleton.names)
    weights = np.full((len(clip), len(clip.skeleton)), OTHER_FRAME_WEIGHT)
    standing_frames: dict[str, NDArray[np.intp]] = {}
    for side in "LR":
        if all(f"{part}.{side}" in roles for part in ("thigh", "shin", "foot", "toe")):
            foot = [roles[f"foot.{side}"], roles[f"toe.{side}"]]
            flat = flat_foot_frames(clip, foot[0], foot[1])
            standing_frames[side] = flat[_is_leg_straight(clip, side)[flat]]
            for joint in foot:
                weights[flat, joint] = FLAT_FOOT_WEIGHT
                weights[standing_frames[side], joint] = SINGLE_SUPPORT_WEIGHT
    if len(standing_frames) == 2:
        weights[np.intersect1d(standing_frames["L"], standing_frames["R"])] = DOUBLE_SUPPORT_WEIGHT
    return np.einsum("fj,fja,fjb->jab", weights, rotations, rotations)


def _is_leg_straight(clip: Clip, side: str) -> NDArray[np.bool_]:
    """Return whether a leg is straight and upright in each frame (F)."""
    thigh, shin, foot = (clip.skeleton.roles[f"{part}.{side}"] for part in ("thigh", "shin", "foot"))
    length = float(np.linalg.norm(clip.skeleton.offsets[[shin, foot]], axis=-1).sum())
    return np.asarray((clip.positions[:, thigh] - clip.positions[:, foot])[:, 2] > STRAIGHT_LEG_RATIO * length)


def standing_pose(scatters: Iterable[Array]) -> Array:
    """Return the world rotations (J, 4) of an actor standing and facing +Y.

    Each is the weighted mean rotation of a joint (Markley et al. 2007) in clips with the given results (J, 4, 4) of
    :func:`standing_scatter`.
    """
    principal = np.linalg.eigh(np.sum([*scatters], axis=0))[1][..., -1]
    return np.where(principal[:, :1] < 0, -principal, principal)
