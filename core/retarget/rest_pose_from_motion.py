"""How an actor stands: what a zero pose that is nobody standing does not say, but the actor's motion does."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.heel import flat_foot_frames
from ..motion.root_frame import rotations_in_root_frame
from ..motion.rotations import Array

# How much a frame says of how an actor stands: on both legs; of the foot of the one; of a foot that is flat under a
# bent leg; and any other.
DOUBLE_SUPPORT_WEIGHT: Final = 1.0
SINGLE_SUPPORT_WEIGHT: Final = 5e-2
FLAT_FOOT_WEIGHT: Final = 1e-3
OTHER_FRAME_WEIGHT: Final = 1e-5
# How much higher than the ankle the thigh is while its leg is stood on, as a share of the leg's length.
STRAIGHT_LEG_RATIO: Final = 0.95


def standing_scatter(clip: Clip) -> Array:
    """What a clip says of how its actor stands: sums that may be added up over clips.

    Returns:
        (J, 4, 4): the weighted sum over frames of the outer products of the joints' rotations in the root's frame,
        which faces +Y. Frames in which somebody stands on both feet weigh most: feet flat and still, legs straight.
        Feet are learned from frames in which one of them is stood on, too.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    roles = clip.skeleton.roles
    rotations = rotations_in_root_frame(clip, clip.skeleton.names)
    weights = np.full((len(clip), len(clip.skeleton)), OTHER_FRAME_WEIGHT)
    stood_on: dict[str, NDArray[np.intp]] = {}
    for side in "LR":
        if all(f"{part}.{side}" in roles for part in ("thigh", "shin", "foot", "toe")):
            foot = [roles[f"foot.{side}"], roles[f"toe.{side}"]]
            flat = flat_foot_frames(clip, foot[0], foot[1])
            stood_on[side] = flat[_is_leg_straight(clip, side)[flat]]
            for joint in foot:
                weights[flat, joint] = FLAT_FOOT_WEIGHT
                weights[stood_on[side], joint] = SINGLE_SUPPORT_WEIGHT
    if len(stood_on) == 2:
        weights[np.intersect1d(stood_on["L"], stood_on["R"])] = DOUBLE_SUPPORT_WEIGHT
    return np.einsum("fj,fja,fjb->jab", weights, rotations, rotations)


def _is_leg_straight(clip: Clip, side: str) -> NDArray[np.bool_]:
    """Whether a leg is straight and upright (F)."""
    thigh, shin, foot = (clip.skeleton.roles[f"{part}.{side}"] for part in ("thigh", "shin", "foot"))
    length = float(np.linalg.norm(clip.skeleton.offsets[[shin, foot]], axis=-1).sum())
    return np.asarray((clip.positions[:, thigh] - clip.positions[:, foot])[:, 2] > STRAIGHT_LEG_RATIO * length)


def standing_pose(scatters: Iterable[Array]) -> Array:
    """World rotations (J, 4) in which an actor stands, facing +Y, by what several clips say (Markley et al. 2007)."""
    principal = np.linalg.eigh(np.sum([*scatters], axis=0))[1][..., -1]
    return np.where(principal[:, :1] < 0, -principal, principal)
