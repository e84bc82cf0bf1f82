"""Variants of clips of attacks: unchanged, aimed at other targets, and mirrored."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from ...core.control.strike import blow_retargeting
from ...core.control.strike.blow_retargeting import sample_targets
from ...core.control.strike.tip_retargeting import retarget_strike
from ...core.errors import FootfallError
from ...core.features.strikes import MAX_LEAD_S, clip_blows, strike_features
from ...core.labelling import Labels
from ...core.labelling.semantics.blows import Blow
from ...core.models.network import Float32
from ...core.motion import Clip
from ...core.motion.rotations import Array

CANDIDATES: Final = 8
"""Number of random targets tried for each attack; the first reachable one is used."""


def strike_variants(
    clip: Clip, labels: Labels, body: tuple[tuple[str, ...], Array], copies: int, mirror: bool
) -> Iterator[tuple[str, tuple[Float32, Float32, Float32]]]:
    """Yield the name of each variant of a clip of attacks, and its x (N, n), y (N, m) and phases (N), cycles.

    Args:
        clip: the motion at 60 Hz on the plane z = 0.
        labels: the clip's labels.
        body: names of the pose joints (P), and their reference rotations (P, 4).
        copies: number of copies with attacks aimed at other targets.
        mirror: whether the mirror image of each variant is added.

    Raises:
        FootfallError: the clip shows no attack.
    """
    blows = clip_blows(clip, labels)
    if not blows:
        raise FootfallError("No attack was found in the clip: label the attacks as 'strike', or leave the clip out")
    for number in range(1 + copies):
        generator = np.random.default_rng([number, zlib.crc32(clip.root_positions.astype("<f4").tobytes())])
        moved = with_other_targets(clip, blows, generator) if number else clip
        leads = generator.uniform(0.0, MAX_LEAD_S, len(blows))
        name = f", targets {number}" if number else ""
        yield name, strike_features(moved, labels, blows, *body, leads)
        if mirror:
            flipped = [mirrored_blow(blow) for blow in blows]
            yield f"{name}, mirrored", strike_features(moved.mirrored(), labels.mirrored(), flipped, *body, leads)


def with_other_targets(clip: Clip, blows: Sequence[Blow], generator: np.random.Generator) -> Clip:
    """Return the clip with each attack aimed at a random reachable target near its own, if one is found."""
    roots, rotations, ease = (
        clip.root_positions.copy(),
        clip.rotations.copy(),
        round(blow_retargeting.TUNING.ease * clip.rate),
    )
    for blow in blows:
        now = Clip(clip.skeleton, clip.rate, roots, rotations)
        made = retarget_strike(now, blow, sample_targets(now, blow, 0.0, CANDIDATES, generator))
        reached = np.flatnonzero(made.reached)
        if len(reached):
            first = max(blow.start - ease, 0)
            part = slice(first, first + len(made.own))
            roots, rotations = roots.copy(), rotations.copy()
            roots[part], rotations[part] = made.root_positions[reached[0]], made.rotations[reached[0]]
    return Clip(clip.skeleton, clip.rate, roots, rotations, clip.name)


def mirrored_blow(blow: Blow) -> Blow:
    """Return the attack in the mirror image of its clip: the same frames, but the other side's effector."""
    part, _, side = blow.effector.partition(".")
    return Blow(f"{part}.{'L' if side == 'R' else 'R'}", blow.start, blow.apex, blow.stop)
