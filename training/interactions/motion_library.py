"""The captured motion that takes are made of, and the reading of each clip."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.labelling import label_clip
from ...core.labelling.presets import find_preset
from ...core.labelling.shown_interactions import shown_interactions
from ...core.message import Message
from ...core.models.model_file import ControllerModel, load_model
from ...core.motion import Clip
from ..data.network_skeleton import NetworkSkeleton
from ..data.sources import ClipSource, source_of
from .captured_clip import CapturedClip, load_captured_clip
from .carried_box import CarriedBox, find_carried_boxes
from .carry_motion import CarryMotions, find_carry_motions
from .climb_motion import ClimbMotion, load_climb_motions
from .lie_motion import LiePiece, find_ways, load_lie_pieces
from .pick_up_motion import PickUpMotion
from .sit_motion import SitMotion, find_sit_motions
from .walk_library import WalkLibrary

NO_CARRYING: Final = CarryMotions()
DETECTION_PRESET: Final = "interaction"
"""Labelling preset by which it is detected what a clip without labels shows."""


@dataclass(frozen=True, slots=True)
class ClipReading:
    """The result of reading a clip.

    Attributes:
        path: the clip's file.
        actions: the interactions that were looked for.
        has_labels: whether they were found by the labels beside the clip; else they were detected.
        sits, lifts, walks: number of motions of sitting, of taking and putting down, and of walks with a box.
        objects: names of the objects that the user put into the clip.
        reason: why the clip is not used; empty if it is.
        minutes: length of the clip.
        residuals: by role, degrees, see ``retarget.calibration``.
        lies: number of motions of lying down and getting up, and of the crouches between.
        climbs: number of climbs up and down again.
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

    @property
    def is_used(self) -> bool:
        """True if takes are made of the clip."""
        return self.sits + self.lifts + self.walks + self.lies + self.climbs > 0

    def to_json(self) -> dict[str, object]:
        """Return plain data for a report."""
        return {
            "clip": str(self.path),
            "read_by": "labels" if self.has_labels else "detection",
            "sits": self.sits,
            "lifts": self.lifts,
            "walks_with_box": self.walks,
            "lies": self.lies,
            "climbs": self.climbs,
            "objects": list(self.objects),
            "reason": self.reason,
        }

    def sentence(self) -> str:
        """Return how the clip was read, for people."""
        if not self.is_used:
            return f"{self.path.name}: not used: {self.reason}"
        by = "its labels" if self.has_labels else "detection"
        parts = [
            (self.sits, "sits"),
            (self.lifts, "lifts"),
            (self.walks, "walks with a box"),
            (self.lies, "lies"),
            (self.climbs, "climbs"),
        ]
        found = ", ".join(f"{count} {what}" for count, what in parts if count)
        fitted = f"; with {', '.join(self.objects)}" if self.objects else ""
        return f"{self.path.name}: by {by}: {found}{fitted}"


@dataclass(frozen=True, eq=False)
class MotionLibrary:
    """Motion that takes are made of.

    Attributes:
        network_skeleton: network skeleton of the controller.
        walk_library: generated walks of the controller.
        sit_motions: captured sitting.
        pick_ups: captured pick-ups.
        carry_clips: captured walks with a box.
        boxes: boxes that the user put between captured hands.
        lie_pieces: captured lying down and getting up.
        climbs: captured climbs up a structure and down again.
        source: combined source of the motion.
        readings: of each clip.
    """

    network_skeleton: NetworkSkeleton
    walk_library: WalkLibrary
    sit_motions: tuple[SitMotion, ...]
    pick_ups: tuple[PickUpMotion, ...]
    carry_clips: tuple[Clip, ...]
    boxes: tuple[CarriedBox, ...]
    lie_pieces: tuple[LiePiece, ...]
    climbs: tuple[ClimbMotion, ...]
    source: ClipSource
    readings: tuple[ClipReading, ...]

    @property
    def shows_sitting(self) -> bool:
        """True if the clips include coming to a seat and leaving it."""
        return any(one.shows_arrival for one in self.sit_motions) and any(
            one.shows_departure for one in self.sit_motions
        )

    @property
    def shows_lying(self) -> bool:
        """True if the clips lead from standing to lying, and back."""
        return bool(find_ways(self.lie_pieces, "stand", "lie") and find_ways(self.lie_pieces, "lie", "stand"))


def read_motion_library(
    controller: Path,
    sitting: tuple[Path, ...],
    carrying: tuple[Path, ...],
    clips: tuple[Path, ...],
    seed: int,
    lying: tuple[Path, ...] = (),
    climbing: tuple[Path, ...] = (),
) -> MotionLibrary:
    """Read the motion that takes are made of.

    Labels beside a clip say what is in it, whatever list it is in; without any it is detected.

    Args:
        controller: the controller whose skeleton and walks are used.
        sitting: clips of sitting.
        carrying: clips of carrying.
        clips: clips of either; those that show neither, or cannot be used, are left out with the reason.
        seed: seed of the walks.
        lying: clips of lying down, getting up, and of the crouches between.
        climbing: clips of climbing up and down again.

    Raises:
        FootfallError: a clip of the other lists cannot be used, or there is too little to make takes of.
    """
    model = load_model(controller)
    body = NetworkSkeleton.of(model)
    named = dict.fromkeys(sitting, ("sit",)) | dict.fromkeys(carrying, ("carry",))
    read = [_read_clip(path, body, actions, True) for path, actions in named.items()]
    read += [_read_clip(path, body, (), False) for path in clips]
    read += _read_lying(lying, body) + _read_climbing(climbing, body)
    sits = tuple(motion for one in read for motion in one.sits)
    lifts = tuple(motion for one in read for motion in one.carrying.pick_ups)
    walks = tuple(motion for one in read for motion in one.carrying.walks)
    used = tuple(one.reading.path for one in read if one.reading.is_used)
    library = MotionLibrary(
        body,
        WalkLibrary(model, seed),
        sits,
        lifts,
        walks,
        tuple(box for one in read for box in one.boxes),
        tuple(piece for one in read for piece in one.lie_pieces),
        tuple(climb for one in read for climb in one.climbs),
        _combined_source(model, used),
        tuple(one.reading for one in read),
    )
    if sitting or carrying or clips or not climbing:
        _require_motion(library, wants_sitting=bool(sitting), wants_carrying=bool(carrying))
    if lying and not library.shows_lying:
        raise FootfallError(
            "The clips of lying do not lead from standing to lying and back: name clips of lying down and of "
            "getting up that begin and end with a moment of rest, or others of a crouch between the two"
        )
    if climbing and not library.climbs:
        raise FootfallError(
            "No clip of climbing goes up from the floor and down again: name others that begin "
            "and end with a moment of standing on the floor"
        )
    return library


def _require_motion(library: MotionLibrary, wants_sitting: bool, wants_carrying: bool) -> None:
    """Raise :class:`FootfallError` if a library lacks what was named, or has nothing to make takes of."""
    carries = bool(library.pick_ups) and bool(library.carry_clips)
    if wants_sitting and not library.shows_sitting:
        raise FootfallError(
            "No clip shows coming and sitting down, or standing up and leaving: label the frames that do, or name "
            "other clips"
        )
    if (wants_carrying or not library.shows_sitting) and not carries and (library.pick_ups or library.carry_clips):
        raise FootfallError(
            "Carrying needs clips of taking an object and standing up with it, and others of walking with it"
        )
    if not library.shows_sitting and not carries:
        reasons = "; ".join(f"{one.path.name}: {one.reason}" for one in library.readings[:3] if one.reason)
        raise FootfallError(
            "None of the {len} clips shows sitting down and getting up, or taking something and walking with "
            "it: label the frames that do, or choose other clips ({reasons})",
            len=len(library.readings),
            reasons=reasons,
        )


@dataclass(frozen=True, eq=False)
class _ReadClip:
    """The motion of a clip and of its mirror image, with its reading."""

    reading: ClipReading
    sits: tuple[SitMotion, ...] = ()
    carrying: CarryMotions = NO_CARRYING
    boxes: tuple[CarriedBox, ...] = ()
    lie_pieces: tuple[LiePiece, ...] = ()
    climbs: tuple[ClimbMotion, ...] = ()


def _read_climbing(paths: tuple[Path, ...], body: NetworkSkeleton) -> list[_ReadClip]:
    """Return the climbs of clips."""
    result = []
    for path, climbs in load_climb_motions(paths, body).items():
        minutes = sum(one.motion.clip.duration for one in climbs) / 60
        reading = ClipReading(path, ("climb",), climbs=len(climbs), minutes=minutes)
        if not climbs:
            reading = replace(reading, reason="nobody in it climbs two levels up from the floor and down again")
        result.append(_ReadClip(reading, climbs=climbs))
    return result


def _read_lying(paths: tuple[Path, ...], body: NetworkSkeleton) -> list[_ReadClip]:
    """Return the motion of clips of lying."""
    result = []
    for path, pieces in load_lie_pieces(paths, body).items():
        reading = ClipReading(
            path, ("lie",), lies=len(pieces), minutes=sum(one.motion.clip.duration for one in pieces) / 60
        )
        if not pieces:
            reading = replace(reading, reason="its hips do not rest at two heights: standing, crouching or lying")
        result.append(_ReadClip(reading, lie_pieces=pieces))
    return result


def _read_clip(path: Path, body: NetworkSkeleton, actions: tuple[str, ...], is_required: bool) -> _ReadClip:
    """Return the motion of a clip.

    Args:
        path: the clip's file.
        body: the network skeleton.
        actions: the interactions to look for where no labels name any; detected if there are none.
        is_required: whether a clip that cannot be used is an error.
    """
    try:
        captured = load_captured_clip(path, body)
        labeled = captured.labeled_actions
        actions = labeled or actions or shown_interactions(label_clip(captured.clip, find_preset(DETECTION_PRESET)))
        if "sit" in actions and not labeled:  # the detector takes resting arms for carrying
            actions = ("sit",)
        both = captured, captured.mirrored()
        sits = tuple(motion for one in both for motion in find_sit_motions(one) if "sit" in actions)
        carrying = _carry_motions(both) if "carry" in actions else NO_CARRYING
        boxes = tuple(box for one in both for box in find_carried_boxes(one)) if "carry" in actions else ()
    except FootfallError as error:
        if is_required:
            raise
        return _ReadClip(ClipReading(path, reason=str(error)))
    reading = ClipReading(
        path,
        actions,
        bool(labeled),
        len(sits) // 2,
        len(carrying.pick_ups) // 2,
        len(carrying.walks) // 2,
        tuple(one.name for one in captured.objects),
        minutes=captured.clip.duration / 60,
        residuals=captured.residuals,
    )
    if not reading.is_used:
        reading = replace(reading, reason=str(_unused_reason(actions)))
    return _ReadClip(reading, sits, carrying, boxes)


def _unused_reason(actions: tuple[str, ...]) -> Message:
    """Return why a clip with some actions has no motion to make takes of."""
    if not actions:
        return Message("it shows neither sitting nor carrying")
    return Message("its {actions} is too short, or neither begins nor ends in it", actions=" and ".join(actions))


def _carry_motions(both: tuple[CapturedClip, CapturedClip]) -> CarryMotions:
    """Return the carrying of a clip and of its mirror image."""
    found = [find_carry_motions(one) for one in both]
    return CarryMotions(
        tuple(lift for one in found for lift in one.pick_ups), tuple(walk for one in found for walk in one.walks)
    )


def _combined_source(model: ControllerModel, clips: tuple[Path, ...]) -> ClipSource:
    """Return the combined source of the clips and of the controller's training data."""
    credits = [(one.name, one.licence, one.credit) for one in map(source_of, clips)]
    credits += [(one["name"], one["licence"], one["credit"]) for one in model.provenance.get("sources", ())]
    parts = (list(dict.fromkeys(part)) for part in zip(*credits, strict=True))
    return ClipSource(*("; ".join(part) for part in parts), folder="interactions")
