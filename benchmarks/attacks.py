"""Attacks: blows detected in real clips compared with hand-made ones, and blows retargeted to other targets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..core.control.strike.blow_retargeting import retarget_blow, sample_targets
from ..core.labelling import Labels, label_clip
from ..core.labelling.phase.acyclic_phase import find_labeled_blows
from ..core.labelling.presets import find_preset
from ..core.labelling.semantics.blows import Blow, LimbMotion
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array
from ..core.motion.signals import Mask
from .hand_blows import KINDS, HandBlows, read_hand_blows
from .label_error import TIME_TOLERANCE_S
from .measures.extremes import joint_accelerations
from .setup import Setup
from .tables import Part, Table, table

TITLE: Final = "Attacks: blows found, and brought to other targets"
PRESET: Final = "combat"
WITHIN_S: Final = 3 / 60
"""Largest time difference of a found apex."""
UNSEEN: Final = ("135_07", "135_11", "13_18", "HDM_bk_kickLFront1Reps_012_120")
"""Clips that were not used for the detector's thresholds."""
QUIET: Final = ("walk", "run", "turn", "stairs", "sit", "carry", "jump", "dance")
"""Categories of clips without blows."""
MOPPING: Final = ("cmu_asfamc_more/everyday/14_13.bvh", "cmu_asfamc_more/everyday/14_15.bvh")
RATE: Final = 60.0
TARGETS: Final = 40
"""Sampled targets of each blow."""
ACCELERATION_RATIO: Final = 1.3
NOTES: Final = """\
Whole clips were labelled with the preset *combat*; a blow counts as found if a found one of the same end effector has
its apex between beginning and end. *Unseen* are four of the twelve clips, by which no threshold was set (in the rows
above, too)."""


@dataclass(frozen=True, slots=True)
class Score:
    """Blows of one clip: hand-made, found, and the offsets (N) of apex, start and end of the found ones, seconds."""

    hand: HandBlows
    expected: int
    found: int
    offsets: Array


@dataclass(frozen=True, slots=True)
class Reach:
    """One blow retargeted to many targets.

    Attributes:
        kind: kind of the blow.
        reached: (T) whether each target is reached.
        misses: (R) distances from the reached targets, m.
        feet: (R) distances of feet from their paths, m.
        own, made: largest acceleration of a joint at each frame (F), rad/s^2, of the blow and of all reached.
    """

    kind: str
    reached: Mask
    misses: Array
    feet: Array
    own: Array
    made: Array


def measure(setup: Setup) -> list[Part]:
    """Return both tables."""
    hands = read_hand_blows()
    clips = [hand.read_clip(setup.data) for hand in hands]
    scores = [_score(hand, clip) for hand, clip in zip(hands, clips, strict=True)]
    parts = [_found_table(setup, scores), NOTES, _reach_table(hands, clips)]
    return [*parts]


def find_blows(clip: Clip) -> tuple[Labels, list[Blow]]:
    """Return the labels of a clip, and its blows."""
    labels = label_clip(clip, find_preset(PRESET))
    return labels, find_labeled_blows(labels.action_names, labels.actions, LimbMotion.of(clip, labels.ground))


def compare(hand: HandBlows, found: Sequence[Blow], rate: float) -> Score:
    """Return the score of found blows against hand-made ones; each is found once at most."""
    left = [blow for blow in found if hand.first <= blow.apex <= hand.last]
    inside, offsets = len(left), []
    for blow in hand.blows:
        near = [one for one in left if one.effector == blow.effector and blow.start <= one.apex < blow.stop]
        if near:
            best = min(near, key=lambda one: abs(one.apex - blow.apex))
            left.remove(best)
            offsets.append((best.apex - blow.apex, best.start - blow.start, best.stop - blow.stop))
    return Score(hand, len(hand.blows), inside, np.array(offsets, dtype=float).reshape(-1, 3) / rate)


def _score(hand: HandBlows, clip: Clip) -> Score:
    return compare(hand, find_blows(clip)[1], clip.rate)


def _found_table(setup: Setup, scores: Sequence[Score]) -> Table:
    groups = {kind: [score for score in scores if score.hand.kind == kind] for kind in KINDS}
    groups["all"] = list(scores)
    groups["unseen"] = [score for score in scores if any(name in score.hand.clip for name in UNSEEN)]
    rows = [[name, *_found_row(group)] for name, group in groups.items()]
    rows.append(["reach", None, None, None, None, 0.95, None, None, None])
    quiet = [read_bvh(file) for file in setup.clips(*QUIET, split="test")]
    rows += [_quiet_row("clips without blows", quiet)]
    rows += [_quiet_row("mopping", [read_bvh(setup.data / file) for file in MOPPING])]
    head = ["blows", "by hand", "found", "precision", "recall", "apex within 3 frames at 60 Hz"]
    return table([*head, "apex off, frames", "beginning off, frames", "end off, frames"], rows)


def _found_row(scores: Sequence[Score]) -> list[object]:
    expected, found = (sum(getattr(score, name) for score in scores) for name in ("expected", "found"))
    offsets = np.concatenate([score.offsets for score in scores])
    near = np.count_nonzero(np.abs(offsets[:, 0]) <= WITHIN_S + TIME_TOLERANCE_S)
    means = np.abs(offsets).mean(axis=0) * RATE
    return [expected, found, len(offsets) / max(found, 1), len(offsets) / expected, near / expected, *map(float, means)]


def _quiet_row(name: str, clips: Sequence[Clip]) -> list[object]:
    found = sum(len(find_blows(clip)[1]) for clip in clips)
    minutes = sum(clip.duration for clip in clips) / 60
    return [f"{name}, {minutes:.1f} min", 0, found, None, None, None, None, None, None]


def _reach_table(hands: Sequence[HandBlows], clips: Sequence[Clip]) -> Table:
    generator = np.random.default_rng(7)
    slow = [clip.resampled(RATE) for clip in clips]
    usual = float(np.percentile(np.concatenate([joint_accelerations(clip).ravel() for clip in slow]), 99))
    reaches = [
        _reach(hand.kind, clip, _at_rate(blow, RATE / own.rate), generator)
        for hand, clip, own in zip(hands, slow, clips, strict=True)
        for blow in hand.blows
    ]
    rows = [[kind, *_reach_row([one for one in reaches if one.kind == kind], usual)] for kind in KINDS]
    head = ["blows", "targets", "reached", "target error, mm", "worst", "feet off, cm", "worst"]
    return table(
        [*head, "hard frames of the mocap", "hard frames made"],
        [*rows, ["all", *_reach_row(reaches, usual)]],
        "Brought to other targets",
    )


def _at_rate(blow: Blow, ratio: float) -> Blow:
    return Blow(blow.effector, *(round(frame * ratio) for frame in (blow.start, blow.apex, blow.stop)))


def _reach(kind: str, clip: Clip, blow: Blow, generator: np.random.Generator) -> Reach:
    ground = float(np.percentile(clip.positions[..., 2].min(axis=1), 20))
    made = retarget_blow(clip, blow, sample_targets(clip, blow, ground, TARGETS, generator))
    reached = made.reached
    hardest = [joint_accelerations(made.clip(int(number))).max(axis=1) for number in np.flatnonzero(reached)]
    own = joint_accelerations(made.own).max(axis=1)
    return Reach(
        kind, reached, made.misses[reached], made.foot_errors[reached], own, np.concatenate([*hardest, np.zeros(0)])
    )


def _reach_row(reaches: Sequence[Reach], usual: float) -> list[object]:
    def joined(name: str) -> Array:
        return np.concatenate([getattr(one, name) for one in reaches])

    errors, feet = 1000 * joined("misses"), 100 * joined("feet")
    hard = [f"{100 * np.mean(joined(name) > ACCELERATION_RATIO * usual):.3g} %" for name in ("own", "made")]
    reached = joined("reached")
    values = (np.mean(errors), errors.max(), np.mean(feet), feet.max())
    return [len(reached), f"{100 * np.mean(reached):.3g} %", *map(float, values), *hard]
