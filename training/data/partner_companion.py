"""The partner of a clip: another character captured with it, named by a table of pairs beside both clips."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from ...core.features.ball import Conditions
from ...core.features.opponent import clip_opponent_features, no_opponent
from ...core.labelling import Labels
from ...core.motion import Clip
from ...core.motion.hand_holds import held_hands
from ...core.motion.proportions import scale_between
from ...core.motion.root_frame import RootTrack, into_frame, out_of_frame, root_track
from ...core.motion.rotations import multiply, rotation_about_up
from ...core.retarget.fit import fit_clip
from ...core.rig.clip_pair import ClipPair, find_pair

PARTNER_PARTS: Final = ("opponent",)
"""Input parts of a local phase system that describe a partner."""
HAND_SENSORS: Final = ("hand.L", "hand.R")
"""Sensors whose contacts and phases come from a partner."""


def partner_file(clip_file: Path) -> Path:
    """Return the path of the partner's clip; if the clip has no partner, no file exists there.

    Raises:
        FootfallError: the table of pairs is damaged.
    """
    pair = find_pair(clip_file)
    if pair is None:
        return clip_file.with_suffix(".partner.bvh")
    return pair.follower if clip_file.samefile(pair.leader) else pair.leader


@dataclass(frozen=True, slots=True, eq=False)
class PartnerCompanion:
    """The partner of a clip of F frames, if any.

    Attributes:
        clip: the partner's motion in the space of the clip; ``None`` without a partner.
        holding: (F, 2) whether the character's left and right hand hold a hand of the partner in each frame.
    """

    clip: Clip | None
    holding: NDArray[np.bool_]

    @classmethod
    def beside(cls, clip_file: Path) -> Self:
        """Return the partner that the table of pairs names for a clip.

        Raises:
            FootfallError: the table or the partner's clip is damaged, or the two clips are not a pair.
        """
        file = partner_file(clip_file)
        if not file.exists():
            return cls(None, np.zeros((0, 2), dtype=bool))
        own, partner = ClipPair(clip_file, file).read()
        return cls(partner, held_hands(own, partner).reshape(-1, 2, 2).max(axis=2))

    def paced(self, tempo: float, rate: float, frames: int) -> Self:
        if self.clip is None:
            return self
        played = replace(self.clip, rate=self.clip.rate * tempo)
        at = np.clip(np.round(np.arange(frames) * played.rate / rate).astype(int), 0, len(played) - 1)
        return replace(self, clip=played.resampled(rate).cut(0, frames), holding=self.holding[at])

    def carried(self, source: Clip, target: Clip) -> Self:
        """Return the partner moved like its clip from ``source`` to ``target``, in the same place beside the root."""
        if self.clip is None:
            return self
        fitted = fit_clip(self.clip, target.skeleton)
        shrunk = scale_between(source.skeleton, target.skeleton)
        own = scale_between(self.clip.skeleton, target.skeleton)
        before, after = root_track(source), root_track(target)
        return replace(self, clip=_moved_along(fitted, own, before, shrunk, after))

    def mirrored(self, axis: int) -> Self:
        if self.clip is None:
            return self
        return replace(self, clip=self.clip.mirrored(), holding=self.holding[:, ::-1])

    def labels(self, labels: Labels) -> Labels:
        """Return the labels with the hands' holds added as contacts; hand contacts with objects are kept."""
        if self.clip is None:
            return labels
        names = [*labels.contact_joints, *(name for name in HAND_SENSORS if name not in labels.contact_joints)]
        more = len(names) - len(labels.contact_joints)
        contacts = np.pad(labels.contacts, ((0, 0), (0, more)))
        columns = [names.index(name) for name in HAND_SENSORS]
        contacts[:, columns] = np.maximum(contacts[:, columns], self.holding)
        confidence = np.pad(labels.confidence, ((0, 0), (0, more)), constant_values=1.0)
        return replace(labels, contact_joints=tuple(names), contacts=contacts, confidence=confidence)

    def conditions(self, clip: Clip, joints: tuple[str, ...]) -> Conditions:
        values = (
            no_opponent(max(len(clip) - 3, 0), len(joints))
            if self.clip is None
            else clip_opponent_features(clip, self.clip, joints)
        )
        return {name: (array, None) for name, array in values.items()}

    def known_frames(self, frames: int) -> NDArray[np.bool_]:
        return np.ones(frames, dtype=bool)


def _moved_along(partner: Clip, scale: float, before: RootTrack, shrunk: float, after: RootTrack) -> Clip:
    """Return a partner's motion on another body, placed relative to a character that was retargeted as well.

    Args:
        partner: motion on the other body, at the place scaled by its own size.
        scale: ratio of that body's size to the partner's own.
        before: the character's root on its own body.
        shrunk: ratio of the other body's size to the character's own, which scales distances.
        after: the character's root on the other body.
    """
    turns = after.yaws - before.yaws
    away = into_frame(partner.root_positions[:, :2] * (shrunk / scale) - before.positions * shrunk, before.yaws)
    roots = partner.root_positions.copy()
    roots[:, :2] = after.positions + out_of_frame(away, after.yaws)
    rotations = partner.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(turns), rotations[:, 0])
    return replace(partner, root_positions=roots, rotations=rotations)
