"""The captured motion for takes."""

from dataclasses import dataclass
from pathlib import Path

from ...core.errors import FootfallError
from ...core.models.model_file import ControllerModel, load_model
from ...core.motion import Clip
from ..data.network_skeleton import NetworkSkeleton
from ..data.sources import ClipSource, source_of
from .carried_box import CarriedBox
from .climb_motion import ClimbMotion
from .clip_reading import ClipReading, read_clips
from .ground_motion import GroundPiece, leads_down_and_up
from .ground_rests import LYING, SITTING, GroundPosture
from .pick_up_motion import PickUpMotion
from .sit_motion import SitMotion
from .walk_library import TUNING as WALK_LIBRARY_TUNING
from .walk_library import WalkLibrary


@dataclass(frozen=True, eq=False)
class MotionLibrary:
    """Motion for takes.

    Attributes:
        network_skeleton: network skeleton of the controller.
        walk_library: generated walks of the controller.
        sit_motions: captured sitting.
        pick_ups: captured pick-ups.
        carry_clips: captured walks with a box.
        boxes: boxes added by the user between captured hands.
        ground_pieces: captured motion down to postures on the ground, and up again.
        climbs: captured climbs up a structure and down again.
        source: combined source of the motion.
        readings: reading of each clip.
    """

    network_skeleton: NetworkSkeleton
    walk_library: WalkLibrary
    sit_motions: tuple[SitMotion, ...]
    pick_ups: tuple[PickUpMotion, ...]
    carry_clips: tuple[Clip, ...]
    boxes: tuple[CarriedBox, ...]
    ground_pieces: tuple[GroundPiece, ...]
    climbs: tuple[ClimbMotion, ...]
    source: ClipSource
    readings: tuple[ClipReading, ...]

    @property
    def shows_sitting(self) -> bool:
        """True if the clips include sitting down and standing up."""
        return any(one.shows_arrival for one in self.sit_motions) and any(
            one.shows_departure for one in self.sit_motions
        )

    @property
    def shows_carrying(self) -> bool:
        """True if the clips include taking an object, and walking with it."""
        return bool(self.pick_ups and self.carry_clips)

    @property
    def shows_lying(self) -> bool:
        """True if the clips lead from standing to lying, and back."""
        return leads_down_and_up(self.ground_pieces, LYING)

    @property
    def shows_ground_sitting(self) -> bool:
        """True if the clips lead from standing to sitting on the ground, and back."""
        return leads_down_and_up(self.ground_pieces, SITTING)

    def pieces_of(self, posture: GroundPosture) -> tuple[GroundPiece, ...]:
        """Return the captured motions to and from a posture on the ground."""
        return tuple(one for one in self.ground_pieces if one.posture == posture)


def read_motion_library(
    controller: Path,
    sitting: tuple[Path, ...],
    carrying: tuple[Path, ...],
    clips: tuple[Path, ...],
    seed: int,
    lying: tuple[Path, ...] = (),
    climbing: tuple[Path, ...] = (),
    ground_sitting: tuple[Path, ...] = (),
    leaning: bool = False,
    walk_count: int = WALK_LIBRARY_TUNING.walk_count,
) -> MotionLibrary:
    """Read the motion for takes.

    Labels beside a clip determine its content, regardless of its list; without any it is detected.

    Args:
        controller: the controller that provides skeleton and walks.
        sitting: clips of sitting.
        carrying: clips of carrying.
        clips: clips of any interaction; those without one, and unusable ones, are skipped with the reason.
        seed: seed of the walks.
        lying: clips of lying down, getting up, and of the crouches between.
        climbing: clips of climbing up and down again.
        ground_sitting: clips of sitting down on the ground, getting up, and of the crouches between.
        leaning: whether takes show leaning, which needs no clip.
        walk_count: number of generated walks.

    Raises:
        FootfallError: a clip of the other lists cannot be used, or there is too little motion for takes.
    """
    model = load_model(controller)
    body = NetworkSkeleton.of(model)
    lists = {"sit": sitting, "carry": carrying, "lie": lying, "climb": climbing, "sit_ground": ground_sitting}
    named = {path: action for action, paths in lists.items() for path in paths}
    read = read_clips(named, clips, body)
    used = tuple(one.reading.path for one in read if one.reading.is_used)
    library = MotionLibrary(
        body,
        WalkLibrary(model, seed, walk_count),
        tuple(motion for one in read for motion in one.sits),
        tuple(motion for one in read for motion in one.pick_ups),
        tuple(walk for one in read for walk in one.carry_walks),
        tuple(box for one in read for box in one.boxes),
        tuple(piece for one in read for piece in one.ground_pieces),
        tuple(climb for one in read for climb in one.climbs),
        _combined_source(model, used),
        tuple(one.reading for one in read),
    )
    if lying and not library.shows_lying:
        raise FootfallError(
            "The clips of lying do not lead from standing to lying and back: name clips of lying down and of "
            "getting up that begin and end with a moment of rest, or others of a crouch between the two"
        )
    if ground_sitting and not library.shows_ground_sitting:
        raise FootfallError(
            "The clips of sitting on the ground do not lead from standing to sitting there and back: name clips of "
            "sitting down and of getting up that begin and end with a moment of rest"
        )
    if climbing and not library.climbs:
        raise FootfallError(
            "No clip of climbing goes up from the floor and down again: give clips that begin and end with a "
            "moment of standing on the floor"
        )
    _require_motion(library, bool(sitting), bool(carrying), leaning)
    return library


def _require_motion(library: MotionLibrary, wants_sitting: bool, wants_carrying: bool, leaning: bool) -> None:
    """Raise :class:`FootfallError` if a library lacks a requested interaction, or has no motion for takes."""
    carries = library.shows_carrying
    others = bool(library.climbs) or library.shows_lying or library.shows_ground_sitting
    if wants_sitting and not library.shows_sitting:
        raise FootfallError(
            "No clip shows coming and sitting down, or standing up and leaving: label the frames that do, or name "
            "other clips"
        )
    carries_in_part = not carries and bool(library.pick_ups or library.carry_clips)
    if carries_in_part and (wants_carrying or not (library.shows_sitting or others)):
        raise FootfallError(
            "Carrying needs clips of taking an object and standing up with it, and others of walking with it"
        )
    needs_none = leaning and not library.readings
    if not (library.shows_sitting or carries or others or needs_none):
        reasons = "; ".join(f"{one.path.name}: {one.reason}" for one in library.readings[:3] if one.reason)
        raise FootfallError(
            "None of the {len} clips shows sitting or lying down and getting up, taking something and walking with it, "
            "or climbing up and down: label the frames that do, or choose other clips ({reasons})",
            len=len(library.readings),
            reasons=reasons,
        )


def _combined_source(model: ControllerModel, clips: tuple[Path, ...]) -> ClipSource:
    """Return the combined source of the clips and of the controller's training data."""
    credits = [(one.name, one.licence, one.credit) for one in map(source_of, clips)]
    credits += [(one["name"], one["licence"], one["credit"]) for one in model.provenance.get("sources", ())]
    parts = (list(dict.fromkeys(part)) for part in zip(*credits, strict=True))
    return ClipSource(*("; ".join(part) for part in parts), folder="interactions")
