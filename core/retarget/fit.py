"""Fitting of clips to the network skeleton: one skeleton for many actors and rigs, one controller for all of them."""

from ..labelling import Labels
from ..motion import Clip, Skeleton
from ..motion.roles import is_quadruped
from .calibration import Calibration, calibrate
from .retarget import ground_height, retarget


def fit_clip(clip: Clip, skeleton: Skeleton | Calibration, ground: float = 0.0, labels: Labels | None = None) -> Clip:
    """Retarget a clip to another skeleton, standing on the plane ``z = ground``.

    Args:
        clip: the motion.
        skeleton: the target skeleton, or the calibration from the clip's own skeleton to it.
        ground: height of the ground, meters; ignored for quadrupeds, whose paws are on it already.
        labels: the clip's labels, whose contacts keep feet as still as in the clip; ``None`` lets feet slide.

    Raises:
        FootfallError: a joint of the skeleton that locomotion needs has no counterpart.
    """
    calibration = skeleton if isinstance(skeleton, Calibration) else calibrate(clip.skeleton, skeleton)
    contacts = None
    if labels is not None:
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
    fitted = retarget(clip, calibration, contacts)
    if is_quadruped(fitted.skeleton.roles):
        return fitted
    roots = fitted.root_positions - [0.0, 0.0, ground_height(fitted) - ground]
    return Clip(fitted.skeleton, fitted.rate, roots, fitted.rotations, fitted.name)
