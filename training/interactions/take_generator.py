"""Generation of takes by number; the motion that they are made of is loaded once per process."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import Labels, label_clip
from ...core.models.model_file import ControllerModel, load_model
from ...core.motion import Clip
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose import is_standing
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ..data.network_skeleton import NetworkSkeleton
from ..data.sources import ClipSource, source_of
from .pick_up_motion import STANDING_MARGIN_FRAMES, PickUpMotion, find_pick_up
from .take import InteractionTake
from .takes.carry import make_carry_take
from .takes.detour import make_detour_take
from .takes.door import make_door_take
from .takes.locomotion import make_locomotion_take
from .takes.sit import SitMotion, find_sit_motions, make_sit_take
from .walk_library import WalkLibrary

MAX_ATTEMPTS: Final = 50
"""Attempts to make a take."""
GOLDEN_RATIO_FRACTION: Final = 0.618034
"""Step of the additive recurrence by which kinds of takes alternate evenly (low-discrepancy sequence)."""
KIND_SHARES: Final = {"carry": 0.32, "open": 0.1, "stroll": 0.05, "detour": 0.17}
"""Share of takes of each kind; the others are sitting."""


@dataclass(frozen=True, eq=False)
class MotionLibrary:
    """Motion that takes are made of.

    Attributes:
        network_skeleton: network skeleton of the controller.
        walk_library: generated walks of the controller.
        sit_motions: captured sitting.
        pick_ups: captured pick-ups.
        carry_clips: captured walks with a box.
        source: combined source of the motion.
    """

    network_skeleton: NetworkSkeleton
    walk_library: WalkLibrary
    sit_motions: tuple[SitMotion, ...]
    pick_ups: tuple[PickUpMotion, ...]
    carry_clips: tuple[Clip, ...]
    source: ClipSource

    def kind_of(self, number: int) -> str:
        """Return the kind of take ``number``."""
        share = (number * GOLDEN_RATIO_FRACTION) % 1.0
        for kind, part in KIND_SHARES.items():
            if kind == "carry" and not self.pick_ups:
                continue
            share -= part
            if share < 0:
                return kind
        return "sit"

    def make_take(self, kind: str, seed: int, varied: bool) -> InteractionTake | None:
        """Return a take, or ``None`` if the attempt failed.

        Args:
            kind: its kind.
            seed: its seed.
            varied: see :class:`TakeGenerator`.
        """
        made = self._make(kind, seed, varied)
        return made if varied or made is None else _without_clutter(made)

    def _make(self, kind: str, seed: int, varied: bool) -> InteractionTake | None:
        """Return a take with clutter."""
        if kind == "carry":
            return make_carry_take(self.pick_ups, self.carry_clips, self.walk_library, self.source, seed, varied)
        if kind == "open":
            return make_door_take(self.walk_library, self.source, seed)
        if kind == "stroll":
            return make_locomotion_take(self.walk_library, self.source, seed)
        if kind == "detour":
            return make_detour_take(self.walk_library, self.source, seed)
        return make_sit_take(self.sit_motions, self.walk_library, self.source, seed, varied)


def _without_clutter(take: InteractionTake) -> InteractionTake:
    """Return a take without clutter; the wall of a door stays."""
    own = [one for one in take.objects if one.kind != "obstacle"]
    return replace(take, objects=take.objects[:2] if own and own[0].kind == "door" else tuple(own))


@dataclass(frozen=True, slots=True)
class TakeGenerator:
    """Recipe of takes, as file names; picklable.

    Attributes:
        controller: the controller whose skeleton and walks are used.
        sitting: captured sitting down and standing up.
        carrying: captured pick-ups, carrying and putting down; without any, no take is of carrying.
        seed: seed of everything.
        varied: whether seats and boxes have many sizes and heights, among clutter (NSM section 5.2); else all takes
            have the same chair, and the same box at its captured height.
    """

    controller: Path
    sitting: tuple[Path, ...]
    carrying: tuple[Path, ...] = ()
    seed: int = 0
    varied: bool = True

    def __call__(self, number: int) -> InteractionTake:
        """Return take ``number``, which is deterministic."""
        made = load_motion_library(self)
        kind = made.kind_of(number)
        for attempt in range(MAX_ATTEMPTS):
            seed = (self.seed * 1_000_003 + number) * MAX_ATTEMPTS + attempt
            take = made.make_take(kind, seed, self.varied)
            if take is not None:
                return take
        raise FootfallError(
            "Take {number} ({kind}) could not be made in {MAX_ATTEMPTS} attempts.",
            number=number,
            kind=kind,
            MAX_ATTEMPTS=MAX_ATTEMPTS,
        )


@cache
def load_motion_library(generator: TakeGenerator) -> MotionLibrary:
    """Load the motion of a recipe, once per process.

    Raises:
        FootfallError: a file cannot be used, or none shows sitting.
    """
    model = load_model(generator.controller)
    body = NetworkSkeleton.of(model)
    sat = tuple(one for clip in _clips_and_mirrors(generator.sitting, body) for one in find_sit_motions(clip))
    if not any(one.shows_arrival for one in sat) or not any(one.shows_departure for one in sat):
        raise FootfallError("In none of the clips somebody comes and sits down, or stands up and goes.")
    lifts, carried = [], []
    for clip in _clips_and_mirrors(generator.carrying, body):
        lift = find_pick_up(clip)
        if lift is None:
            carried.append(clip)
        elif lift.lowest_frame > STANDING_MARGIN_FRAMES:
            lifts.append(lift)
    if bool(lifts) != bool(carried):
        raise FootfallError(
            "For carrying, clips are needed in which somebody takes something and stands up with it, and others in "
            "which they walk with it."
        )
    source = _combined_source(model, generator.sitting + generator.carrying)
    return MotionLibrary(body, WalkLibrary(model, generator.seed), sat, tuple(lifts), tuple(carried), source)


def load_captured_clip(path: Path, network_skeleton: NetworkSkeleton) -> tuple[Clip, Labels]:
    """Load a clip and its labels, retargeted to a network skeleton at 60 Hz, with its feet on the plane z = 0.

    Raises:
        FootfallError: the clip cannot be used.
    """
    clip = read_clip(path).resampled(FEATURE_RATE_HZ)
    labels = label_clip(clip)
    stance = None if is_standing(clip.skeleton) else standing_pose([standing_scatter(clip)])
    calibration = replace(
        calibrate(clip.skeleton, network_skeleton.skeleton, source_stance=stance), hinges=network_skeleton.hinges
    )
    return fit_clip(clip, calibration, labels=labels), labels


def _clips_and_mirrors(paths: tuple[Path, ...], network_skeleton: NetworkSkeleton) -> Iterator[Clip]:
    """Yield clips and their mirror images."""
    for path in paths:
        clip, _ = load_captured_clip(path, network_skeleton)
        yield clip
        yield clip.mirrored()


def _combined_source(model: ControllerModel, clips: tuple[Path, ...]) -> ClipSource:
    """Return the combined source of the clips and of the controller's training data."""
    credits = [(one.name, one.licence, one.credit) for one in map(source_of, clips)]
    credits += [(one["name"], one["licence"], one["credit"]) for one in model.provenance.get("sources", ())]
    parts = (list(dict.fromkeys(part)) for part in zip(*credits, strict=True))
    return ClipSource(*("; ".join(part) for part in parts), folder="interactions")
