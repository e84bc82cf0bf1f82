"""The fingers that attack networks learn: those found in most of the frames with fingers, at median positions."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.motion import Skeleton
from ...core.motion.clip import lateral_axis
from ...core.motion.fingers import finger_name, finger_roles, way_at_rest, with_finger, with_finger_roles
from ...core.motion.proportions import scale_between
from ...core.motion.roles import FINGER_ROLES
from ...core.motion.rotations import Array, inverse, rotate
from ...core.retarget.calibration import calibrate
from .clip_cache import ClipAnalysis


@dataclass(frozen=True, slots=True, eq=False)
class UsualFingers:
    """Finger joints to add to a network skeleton.

    Attributes:
        bones: (2, 3) vectors at rest by role, meters: from the hand's joint to the finger joint, and along the finger
            joint's bone; joints nearer to the hand come first.
    """

    bones: Mapping[str, Array]

    @staticmethod
    def of(skeleton: Skeleton, analyses: Mapping[Path, ClipAnalysis], stances: Mapping[Path, Array]) -> "UsualFingers":
        """Return the fingers found in most frames of the clips with fingers, scaled and moved to a skeleton's hands.

        Args:
            skeleton: the network's skeleton, without fingers.
            analyses: analyses of the clips.
            stances: standing poses of clips whose rest pose is not standing.
        """
        frames: Counter[tuple[str, ...]] = Counter()
        bodies = {path: with_finger_roles(take.skeleton) for path, take in analyses.items()}
        for path, body in bodies.items():
            frames[finger_roles(body)] += len(analyses[path].labels)
        frames.pop((), None)
        usual = frames.most_common(1)[0][0] if frames else ()
        found: dict[str, list[Array]] = {role: [] for role in usual}
        for path, body in bodies.items():
            own = set(finger_roles(body)) & set(usual)
            if own:
                placed = _placed(body, skeleton, stances.get(path))
                for role in own:
                    found[role].append(placed[role])
        medians = {role: np.median(some, axis=0) for role, some in found.items()}
        return UsualFingers({role: _symmetric(role, medians, lateral_axis(skeleton)) for role in usual})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the finger joints in the network skeleton."""
        return tuple(finger_name(role) for role in self.bones)

    @property
    def has_both_hands(self) -> bool:
        """True if both hands have the same fingers, so that motions have mirror images."""
        left, right = ({role[:-2] for role in self.bones if role.endswith(side)} for side in (".L", ".R"))
        return left == right

    def without(self, names: Collection[str]) -> "UsualFingers":
        """Return the fingers without the named joints and without all joints farther out on the same fingers."""
        kept: dict[str, Array] = {}
        cut: set[str] = set()
        for role, bones in self.bones.items():
            finger = role.split("_")[0].split(".")[0] + role[-2:]
            if finger in cut or finger_name(role) in names:
                cut.add(finger)
            else:
                kept[role] = bones
        return UsualFingers(kept)

    def on(self, skeleton: Skeleton) -> Skeleton:
        """Return a skeleton with these fingers added as its last joints."""
        for role, (place, bone) in self.bones.items():
            skeleton = with_finger(skeleton, role, place, bone)
        return skeleton


def _placed(body: Skeleton, skeleton: Skeleton, stance: Array | None) -> dict[str, Array]:
    """Return the place and bone (2, 3) of each finger of a body, meters, by role, moved to a skeleton's hands."""
    calibration, scale = calibrate(body, skeleton, source_stance=stance), scale_between(body, skeleton)
    result = {}
    for role in finger_roles(body):
        hand, joint = FINGER_ROLES[role], body.joint(role)
        back = inverse(calibration.rotation_offsets[skeleton.joint(hand)][0])
        vectors = np.stack([way_at_rest(body, body.joint(hand), joint), body.bone_vectors[joint]])
        result[role] = scale * rotate(back, vectors)
    return result


def _symmetric(role: str, bones: Mapping[str, Array], axis: int) -> Array:
    """Return the place and bone (2, 3) of a finger, averaged with the mirrored finger of the other hand, if any."""
    other = bones.get(role[:-1] + ("L" if role[-1] == "R" else "R"))
    if other is None:
        return bones[role]
    flip = np.ones(3)
    flip[axis] = -1.0
    return (bones[role] + other * flip) / 2
