"""Reading clips for takes: which interactions a clip shows, by labels or detection, and their motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import label_clip
from ...core.labelling.presets import find_preset
from ...core.labelling.shown_interactions import main_interaction, shown_interactions
from ...core.message import Message
from ...core.motion import Clip
from ...core.rig.clip_file import read_clip
from ..data.clip_cache import labels_beside
from ..data.network_skeleton import NetworkSkeleton
from .captured_clip import load_captured_clip
from .carried_box import CarriedBox, find_carried_boxes
from .carry_motion import CarryMotions, find_carry_motions
from .climb_motion import ClimbMotion, find_climb_motions
from .ground_motion import GroundPiece, leads_down_and_up, load_ground_pieces
from .ground_rests import LYING, POSTURES, SITTING, GroundPosture
from .pick_up_motion import PickUpMotion
from .sit_motion import SitMotion, find_sit_motions

DETECTION_PRESET: Final = "interaction"
"""Labelling preset for clips without labels."""


@dataclass(frozen=True, slots=True)
class ClipReading:
    """The interactions that were found in a clip that was read for takes.

    Attributes:
        path: the clip's file.
        actions: interactions that were searched in the clip.
        has_labels: whether these come from the labels beside the clip; otherwise they were detected.
        sits, lifts, walks: number of motions of sitting, of taking and putting down, and of walks with a box.
        objects: names of the objects added by the user.
        reason: the reason why the clip is not used; empty if it is.
        minutes: duration of the clip, minutes.
        residuals: angles between bones of actor and skeleton in their shared pose, degrees, by role.
        lies: number of motions of lying down and getting up, and of crouches in between.
        climbs: number of climbs up and down.
        ground_sits: number of motions of sitting down on the ground and getting up.
    """

    path: Path
    actions: tuple[str, ...] = ()
    has_labels: bool = False
    sits: int = 0
    lifts: int = 0
    walks: int = 0
    objects: tuple[str, ...] = ()
    reason: str = ""
    minutes: float = 0.0
    residuals: Mapping[str, float] = field(default_factory=dict)
    lies: int = 0
    climbs: int = 0
    ground_sits: int = 0

    @property
    def is_used(self) -> bool:
        """True if takes are made from the clip."""
        return self.sits + self.lifts + self.walks + self.lies + self.climbs + self.ground_sits > 0

    def to_json(self) -> dict[str, object]:
        """Return the findings as plain data for a report."""
        return {
            "clip": str(self.path),
            "read_by": "labels" if self.has_labels else "detection",
            "sits": self.sits,
            "lifts": self.lifts,
            "walks_with_box": self.walks,
            "lies": self.lies,
            "climbs": self.climbs,
            "ground_sits": self.ground_sits,
            "objects": list(self.objects),
            "reason": self.reason,
        }

    def sentence(self) -> str:
        """Return a sentence for the user that sums up the content found in the clip."""
        if not self.is_used:
            return f"{self.path.name}: not used: {self.reason}"
        by = "labels" if self.has_labels else "detection"
        parts = [
            (self.sits, "sits"),
            (self.lifts, "lifts"),
            (self.walks, "walks with a box"),
            (self.lies, "lies"),
            (self.climbs, "climbs"),
            (self.ground_sits, "sits on the ground"),
        ]
        found = ", ".join(f"{count} {what}" for count, what in parts if count)
        fitted = f"; with {', '.join(self.objects)}" if self.objects else ""
        return f"{self.path.name}, by {by}: {found}{fitted}"


@dataclass(frozen=True, eq=False)
class ReadClip:
    """Motion found in a clip and in its mirror image (but climbs and ground pieces only once), with the findings."""

    reading: ClipReading
    sits: tuple[SitMotion, ...] = ()
    pick_ups: tuple[PickUpMotion, ...] = ()
    carry_walks: tuple[Clip, ...] = ()
    boxes: tuple[CarriedBox, ...] = ()
    ground_pieces: tuple[GroundPiece, ...] = ()
    climbs: tuple[ClimbMotion, ...] = ()


def read_clips(named: Mapping[Path, str], others: Sequence[Path], body: NetworkSkeleton) -> list[ReadClip]:
    """Read the motion of clips and retarget it to a network skeleton.

    What a clip shows is given by the labels beside it; without labels, by the caller; otherwise by detection. If the
    other clips do not show how the body goes down, crouching clips without a rest on the ground are searched as well.

    Args:
        named: clips with the interaction that each shows; such a clip must be usable.
        others: clips of any interaction; clips without one, and unusable ones, are skipped, with the reason in their
            findings.
        body: the network skeleton.

    Raises:
        FootfallError: one of the named clips cannot be used.
    """
    shown = [_find_actions(path, named.get(path, "")) for path in (*named, *others)]
    ways = list[_GroundWays]()
    for posture in POSTURES.values():
        shown, found = _find_ways(shown, posture, body)
        ways.append(found)
    return [_read_clip(one, body, ways) for one in shown]


@dataclass(frozen=True, slots=True)
class _ShownActions:
    """The interactions in a clip.

    Attributes:
        path: the clip's file.
        has_labels: whether labels beside the clip name them.
        is_named: whether the clip is named for an interaction, and must be usable.
        reason: the reason why the clip cannot be read; empty if it can.
    """

    path: Path
    actions: tuple[str, ...] = ()
    has_labels: bool = False
    is_named: bool = False
    reason: str = ""

    @property
    def may_crouch(self) -> bool:
        """True for a clip without labels in which nothing but bent arms was detected."""
        return not (self.is_named or self.has_labels or self.reason) and self.actions in ((), ("carry",))


@dataclass(frozen=True, slots=True)
class _GroundWays:
    """The motions of clips to a posture on the ground and back.

    Attributes:
        pieces: pieces of each clip.
    """

    posture: GroundPosture
    pieces: Mapping[Path, tuple[GroundPiece, ...]]

    @property
    def is_whole(self) -> bool:
        """True if the pieces of all clips together lead from standing to the posture on the ground, and back."""
        return leads_down_and_up([piece for found in self.pieces.values() for piece in found], self.posture)


def _find_ways(
    shown: list[_ShownActions], posture: GroundPosture, body: NetworkSkeleton
) -> tuple[list[_ShownActions], _GroundWays]:
    """Search clips for the ways to and from a posture on the ground; return their interactions and the ways found.

    Raises:
        FootfallError: a named clip cannot be used.
    """
    resting = [one for one in shown if posture.action in one.actions]
    pieces, refused = _load_pieces(resting, body, posture)
    shown = [replace(one, reason=refused.get(one.path, one.reason)) for one in shown]
    ways = _GroundWays(posture, pieces)
    if resting and not ways.is_whole:
        resting = [one for one in shown if not one.reason and (posture.action in one.actions or one.may_crouch)]
        found = {path: own for path, own in _load_pieces(resting, body, posture)[0].items() if own}
        more = _GroundWays(posture, found)
        if more.is_whole:
            shown = [replace(one, actions=(posture.action,)) if one.path in found else one for one in shown]
            return shown, more
    return shown, ways


def _find_actions(path: Path, named: str) -> _ShownActions:
    """Return the interactions in a clip: those labeled or named, else detected ones."""
    try:
        original = read_clip(path)
        clip = original.resampled(FEATURE_RATE_HZ)
        own = labels_beside(path, original, clip)
        labeled = shown_interactions(own) if own is not None else ()
        if labeled or named:
            return _ShownActions(path, labeled or (named,), bool(labeled), bool(named))
        return _ShownActions(path, main_interaction(label_clip(clip, find_preset(DETECTION_PRESET))))
    except FootfallError as error:
        if named:
            raise
        return _ShownActions(path, reason=str(error))


def _load_pieces(
    resting: Sequence[_ShownActions], body: NetworkSkeleton, posture: GroundPosture
) -> tuple[dict[Path, tuple[GroundPiece, ...]], dict[Path, str]]:
    """Return the motions to and from a posture on the ground in each clip, and why clips were skipped.

    Raises:
        FootfallError: a named clip cannot be used.
    """
    refused = dict[Path, str]()
    try:
        return load_ground_pieces([one.path for one in resting], body, posture), refused
    except FootfallError:
        for one in resting:
            try:
                load_ground_pieces([one.path], body, posture)
            except FootfallError as error:
                if one.is_named:
                    raise
                refused[one.path] = str(error)
        if not refused:
            raise
    return load_ground_pieces([one.path for one in resting if one.path not in refused], body, posture), refused


def _read_clip(shown: _ShownActions, body: NetworkSkeleton, ways: Sequence[_GroundWays]) -> ReadClip:
    """Return the motion of a clip that shows the given interactions."""
    if shown.reason:
        return ReadClip(ClipReading(shown.path, reason=shown.reason))
    if len(shown.actions) == 1 and shown.actions[0] in POSTURES:
        return _read_resting(shown, next(one for one in ways if one.posture.action == shown.actions[0]))
    pieces = tuple(piece for one in ways if one.is_whole for piece in one.pieces.get(shown.path, ()))
    try:
        captured = load_captured_clip(shown.path, body)
        both = captured, captured.mirrored()
        sits = tuple(motion for one in both for motion in find_sit_motions(one) if "sit" in shown.actions)
        carrying = [find_carry_motions(one) if "carry" in shown.actions else CarryMotions() for one in both]
        boxes = tuple(box for one in both for box in find_carried_boxes(one) if "carry" in shown.actions)
        climbs = find_climb_motions(captured) if "climb" in shown.actions else ()
    except FootfallError as error:
        if shown.is_named:
            raise
        return ReadClip(ClipReading(shown.path, reason=str(error)))
    lifts = tuple(lift for one in carrying for lift in one.pick_ups)
    walks = tuple(walk for one in carrying for walk in one.walks)
    reading = ClipReading(
        shown.path,
        shown.actions,
        shown.has_labels,
        len(sits) // 2,
        len(lifts) // 2,
        len(walks) // 2,
        tuple(one.name for one in captured.objects),
        minutes=captured.clip.duration / 60,
        residuals=captured.residuals,
        lies=_count(pieces, LYING),
        climbs=len(climbs),
        ground_sits=_count(pieces, SITTING),
    )
    if not reading.is_used:
        reading = replace(reading, reason=str(_unused_reason(shown.actions)))
    return ReadClip(reading, sits, lifts, walks, boxes, pieces, climbs)


def _read_resting(shown: _ShownActions, ways: _GroundWays) -> ReadClip:
    """Return the motion of a clip that shows only a rest on the ground; its actor need not stand in it."""
    pieces = ways.pieces.get(shown.path, ())
    if pieces and not ways.is_whole:
        missing = str(_missing_way(ways.posture))
        return ReadClip(ClipReading(shown.path, shown.actions, shown.has_labels, reason=missing))
    minutes = sum(one.motion.clip.duration for one in pieces) / 60
    lies, sits = (_count(pieces, one) for one in (LYING, SITTING))
    reading = ClipReading(shown.path, shown.actions, shown.has_labels, minutes=minutes, lies=lies, ground_sits=sits)
    if not pieces:
        reading = replace(reading, reason=str(_unused_reason(shown.actions)))
    return ReadClip(reading, ground_pieces=pieces)


def _count(pieces: Sequence[GroundPiece], posture: GroundPosture) -> int:
    """Return the number of pieces with a posture on the ground."""
    return sum(one.posture == posture for one in pieces)


def _missing_way(posture: GroundPosture) -> Message:
    """Return the reason why clips of a posture on the ground give no takes."""
    if posture == LYING:
        return Message("no clip leads from standing to lying, or no clip leads back")
    return Message("no clip leads from standing to sitting on the ground, or no clip leads back")


def _unused_reason(actions: tuple[str, ...]) -> Message:
    """Return the reason why a clip with the given actions gives no takes."""
    if not actions:
        return Message("the clip shows no sitting, carrying, lying or climbing")
    if actions == ("lie",):
        return Message("the hips in the clip do not rest at two of these heights: standing, crouching, lying")
    if actions == ("sit_ground",):
        return Message(
            "the hips in the clip do not rest at two of these heights: standing, crouching, sitting on the ground"
        )
    if actions == ("climb",):
        return Message("the clip does not climb from the floor up two levels and down again")
    return Message(
        "the activity {actions} in the clip is too short, or neither begins nor ends", actions=" and ".join(actions)
    )
