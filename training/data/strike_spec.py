"""The sample spec of attacks: on the body of the controller that walks to them and away, with the clips' weapons."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...core.features.strikes import strike_joints
from ...core.motion import Skeleton
from ...core.motion.proportions import scale_between
from ...core.motion.roles import WEAPON_ROLES
from ...core.motion.rotations import Array, inverse, multiply, normalize, rotate
from ...core.motion.weapons import weapon_roles, with_weapon
from ...core.retarget.calibration import calibrate
from .clip_cache import ClipAnalysis, mean_rotations
from .manifest import DatasetSettings
from .network_skeleton import NetworkSkeleton
from .shards import SampleSpec, TerrainSettings


def strike_spec(
    settings: DatasetSettings,
    analyses: Mapping[Path, ClipAnalysis],
    stances: Mapping[Path, Array],
    skipped: dict[Path, str],
) -> SampleSpec:
    """Return the sample spec of a data set of attacks, which take place on level ground.

    The bones of weapons that most frames have are learned; clips without them, or with others, are skipped. A weapon in
    the hand makes no mirror images.

    Args:
        settings: of the data set.
        analyses: of the clips.
        stances: standing poses of clips whose rest pose is not standing.
        skipped: reasons by clip, which are added to.
    """
    body = NetworkSkeleton.of_walking()
    weapons = _usual_weapons(analyses)
    for path, take in analyses.items():
        own = weapon_roles(take.skeleton)
        if own != weapons:
            skipped[path] = (
                f"Its skeleton has {_phrase(own)}, and most clips have {_phrase(weapons)}: train them apart, "
                "or choose the weapon's bone in the bone map."
            )
    kept = {path: take for path, take in analyses.items() if path not in skipped}
    skeleton, references = body.skeleton, body.reference_rotations
    for hand in (hand for hand, weapon in WEAPON_ROLES.items() if weapon in weapons):
        skeleton = _armed(skeleton, hand, kept, stances)
        references = np.vstack([references, _mean_rotation(skeleton, WEAPON_ROLES[hand], kept, stances)])
    return SampleSpec(
        skeleton,
        strike_joints(body.joints, skeleton),
        references,
        body.hinges,
        settings.mirror and not weapons,
        settings.speeds,
        settings.bends,
        TerrainSettings(),
        other_targets=settings.other_targets,
    )


def _usual_weapons(analyses: Mapping[Path, ClipAnalysis]) -> tuple[str, ...]:
    """Return the roles of weapons that the skeletons of most frames have."""
    frames: Counter[tuple[str, ...]] = Counter()
    for take in analyses.values():
        frames[weapon_roles(take.skeleton)] += len(take.labels)
    return frames.most_common(1)[0][0]


def _phrase(weapons: tuple[str, ...]) -> str:
    """Return the roles of weapons in words."""
    return f"the bone of {' and '.join(weapons)}" if weapons else "no bone of a weapon"


def _armed(
    skeleton: Skeleton, hand: str, analyses: Mapping[Path, ClipAnalysis], stances: Mapping[Path, Array]
) -> Skeleton:
    """Return a skeleton with the weapon of a hand: the median over clips, each brought to its size and its hand."""
    found = []
    for path, take in analyses.items():
        own = take.skeleton
        calibration = calibrate(own, skeleton, source_stance=stances.get(path))
        back = inverse(calibration.rotation_offsets[skeleton.joint(hand)][0])
        weapon = own.joint(WEAPON_ROLES[hand])
        vectors = np.stack([_offset_from(own, own.joint(hand), weapon), own.bone_vectors[weapon]])
        found.append(scale_between(own, skeleton) * rotate(back, vectors))
    offset, blade = np.median(found, axis=0)
    return with_weapon(skeleton, hand, offset, blade)


def _offset_from(skeleton: Skeleton, above: int, joint: int) -> Array:
    """Return the way (3) at rest from a joint to one below it, meters."""
    way = np.zeros(3)
    while joint != above:
        way, joint = way + skeleton.offsets[joint], skeleton.parents[joint]
    return way


def _mean_rotation(
    skeleton: Skeleton, weapon: str, analyses: Mapping[Path, ClipAnalysis], stances: Mapping[Path, Array]
) -> Array:
    """Return the mean rotation (4) of a weapon in the root's frame, from which its rotations are learned."""
    turns = []
    for path, take in analyses.items():
        own, joint = mean_rotations([take]), take.skeleton.joint(weapon)
        calibration = calibrate(take.skeleton, skeleton, source_stance=stances.get(path))
        turn = multiply(own[joint], calibration.rotation_offsets[skeleton.joint(weapon)][0])
        turns.append(len(take.labels) * (turn if not turns or turn @ turns[0] >= 0 else -turn))
    return normalize(np.sum(turns, axis=0))
