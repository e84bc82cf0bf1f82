"""The sample spec of attacks: on the walking controller's body, with the clips' fingers and weapons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ...core.features.strikes import strike_joints
from ...core.motion import Skeleton
from ...core.motion.fingers import way_at_rest, with_finger_roles
from ...core.motion.proportions import scale_between
from ...core.motion.roles import WEAPON_ROLES
from ...core.motion.rotations import Array, inverse, multiply, normalize, rotate
from ...core.motion.weapons import weapon_roles, with_weapon
from ...core.retarget.calibration import calibrate
from .clip_cache import ClipAnalysis, mean_rotations
from .manifest import DatasetSettings
from .network_skeleton import NetworkSkeleton, without_excluded
from .shards import SampleSpec, TerrainSettings
from .usual_fingers import UsualFingers


def strike_spec(
    settings: DatasetSettings,
    analyses: Mapping[Path, ClipAnalysis],
    stances: Mapping[Path, Array],
    skipped: dict[Path, str],
) -> SampleSpec:
    """Return the sample spec of a data set of attacks, all on level ground.

    Fingers found in most of the frames that have fingers are learned; clips without fingers get them in their rest
    pose. Weapon bones found in most frames are learned; clips without these bones, or with others, are skipped. Clips
    are not mirrored if there are weapons, or fingers on one hand only.

    Args:
        settings: settings of the data set.
        analyses: analyses of the clips.
        stances: (J, 4) world rotations of the standing pose, for clips whose rest pose does not stand.
        skipped: dictionary that receives the reason for each skipped clip.
    """
    body = NetworkSkeleton.of_walking()
    weapons = _usual_weapons(analyses)
    for path, take in analyses.items():
        own = weapon_roles(take.skeleton)
        if own != weapons:
            skipped[path] = (
                f"Its skeleton has {_phrase(own)}, but most clips have {_phrase(weapons)}: train them in separate "
                "runs, or choose the weapon bone in the bone map."
            )
    kept = {path: take for path, take in analyses.items() if path not in skipped}
    fingers = UsualFingers.of(body.skeleton, kept, stances)
    excluded = set(settings.exclude_joints) - set(fingers.names)
    fingers = fingers.without(settings.exclude_joints)
    skeleton = fingers.on(body.skeleton)
    for hand in (hand for hand, weapon in WEAPON_ROLES.items() if weapon in weapons):
        skeleton = _armed(skeleton, hand, kept, stances)
    added = _mean_rotations(skeleton, (*fingers.bones, *weapons), kept, stances)
    references = np.vstack([body.reference_rotations, added])
    learned = strike_joints(body.joints, skeleton)
    joints = without_excluded(learned, skeleton, excluded)
    return SampleSpec(
        skeleton,
        joints,
        references[[learned.index(name) for name in joints]],
        body.hinges,
        settings.mirror and not weapons and fingers.has_both_hands,
        settings.speeds,
        settings.bends,
        TerrainSettings(),
        other_targets=settings.other_targets,
    )


def _usual_weapons(analyses: Mapping[Path, ClipAnalysis]) -> tuple[str, ...]:
    """Return the roles of weapons present in the skeletons of most frames."""
    frames: Counter[tuple[str, ...]] = Counter()
    for take in analyses.values():
        frames[weapon_roles(take.skeleton)] += len(take.labels)
    return frames.most_common(1)[0][0]


def _phrase(weapons: tuple[str, ...]) -> str:
    """Return the roles of weapons joined into a phrase for a message."""
    return f"a bone for {' and '.join(weapons)}" if weapons else "no weapon bone"


def _armed(
    skeleton: Skeleton, hand: str, analyses: Mapping[Path, ClipAnalysis], stances: Mapping[Path, Array]
) -> Skeleton:
    """Return a skeleton with a weapon added to a hand: the median weapon over the clips, scaled to the skeleton."""
    found = []
    for path, take in analyses.items():
        own = take.skeleton
        calibration = calibrate(own, skeleton, source_stance=stances.get(path))
        back = inverse(calibration.rotation_offsets[skeleton.joint(hand)][0])
        weapon = own.joint(WEAPON_ROLES[hand])
        vectors = np.stack([way_at_rest(own, own.joint(hand), weapon), own.bone_vectors[weapon]])
        found.append(scale_between(own, skeleton) * rotate(back, vectors))
    offset, blade = np.median(found, axis=0)
    return with_weapon(skeleton, hand, offset, blade)


def _mean_rotations(
    skeleton: Skeleton, roles: Sequence[str], analyses: Mapping[Path, ClipAnalysis], stances: Mapping[Path, Array]
) -> Array:
    """Return the mean rotations (K, 4) of fingers and weapons in the root frame, used as reference rotations."""
    sums = np.zeros((len(roles), 4))
    for path, take in analyses.items() if roles else ():
        body, own = with_finger_roles(take.skeleton), mean_rotations([take])
        offsets = calibrate(body, skeleton, source_stance=stances.get(path)).rotation_offsets
        for total, role in zip(sums, roles, strict=True):
            if role in body.roles:
                turn = len(take.labels) * multiply(own[body.joint(role)], offsets[skeleton.joint(role)][0])
                total += turn if turn @ total >= 0 else -turn
    return normalize(sums)
