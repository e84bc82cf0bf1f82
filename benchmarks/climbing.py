"""Climbing: structures fitted under captured hands and feet, climbs adapted to others, and a learned controller."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cli.walk import shipped_controller
from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import decode_interaction
from ..core.errors import FootfallError
from ..core.features.interaction import ACTIONS, CONTACT_JOINTS
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.proportions import ADULT_LEG_LENGTH_M
from ..core.motion.rotations import Array
from ..core.scene.body_capsules import BodyCapsules
from ..core.scene.climb_fitting import FLOOR_MARGIN_M, LIMBS, ClimbFit, fit_climbs, soles
from ..core.scene.climb_structure import ClimbStructure
from ..core.scene.interaction_object import InteractionObject
from ..core.scene.object_fitting import PALM_FLESH_M, palm_positions
from ..training.data.network_skeleton import NetworkSkeleton
from ..training.interactions import climb_motion
from ..training.interactions.captured_clip import load_captured_clip
from ..training.interactions.climb_motion import ClimbMotion, adapt_climb, find_climb_motions
from .interactions import interacting
from .setup import ROOT, Setup
from .tables import Part, Table, table

TITLE = "Climbing"
CLIP_LIST: Final = ROOT / "presets" / "interactions" / "climbing_clips.txt"
FOLDERS: Final = tuple(
    f"{source}/{category}" for category in ("climb", "stairs") for source in ("cmu_asfamc", "cmu_daz_more")
)
UNSEEN: Final = {
    "ladder, rungs 27 cm apart": ClimbStructure("ladder", 0.27 * np.arange(1, 4), 0.095 * np.arange(3), 0.2, 2.3),
    "ladder, rungs 31 cm apart": ClimbStructure("ladder", 0.31 * np.arange(1, 4), 0.11 * np.arange(3), 0.2, 2.5),
    "steps of 20 cm": ClimbStructure("steps", 0.20 * np.arange(1, 4), 0.32 * np.arange(3), 0.41, 0.6),
    "steps of 23 cm": ClimbStructure("steps", 0.23 * np.arange(1, 4), 0.32 * np.arange(3), 0.41, 0.69),
}
"""Structures that are not in takes: their spacing is between those of the takes."""
STARTS: Final = 2
DISTANCES_M: Final = (1.5, 3.0)
MAX_ANGLE_RAD: Final = 1.0
"""Largest angle of a start from the front of a structure."""
STAY: Final = 1.5
LONGEST: Final = 1000
ON_LEVEL_M: Final = 0.1
"""Largest distance of a sole from a rung or tread for a foot on it."""
PENETRATING: Final = ("shin", "thigh", "hips", "spine", "chest", "head")

NOTES = """\
*Structures* are fitted under where balls of feet and palms are still; *spread* is the distance of footholds from even
rungs. The last table is of 2026-11-24, of a controller that does not ship."""
UNTAUGHT = "The measured controller was not taught to climb: there is no table of what was learned."


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = interacting(setup)
    body = NetworkSkeleton.of(load_model(shipped_controller()))
    parts: list[Part] = [_structure_table(setup, body), _adapted_table(setup, body)]
    parts.append(_learned_table(model) if "mount" in model.taught_goals else UNTAUGHT)
    return [*parts, NOTES]


def _structure_table(setup: Setup, body: NetworkSkeleton) -> Table:
    """Return the table of the structures under the clips."""
    rows: list[list[object]] = []
    for folder in FOLDERS:
        for path in sorted((setup.data / folder).glob("*.bvh")):
            try:
                clip = load_captured_clip(path, body).clip
                rows += [_structure_row(path.stem, clip, fit) for fit in fit_climbs(clip)]
            except FootfallError as error:
                rows.append([path.stem, str(error), *[None] * 8])
    head = ["clip", "structure", "seconds", "levels", "apart cm", "inclined deg", "spread cm", "hands cm",
            "three limbs %", "penetration cm"]  # fmt: skip
    return table(head, rows)


def _structure_row(name: str, clip: Clip, fit: ClimbFit) -> list[object]:
    """Return the row of one structure."""
    found, hands = fit.structure, fit.hand_distances()
    start, stop = (frame / clip.rate for frame in fit.frames)
    return [
        name,
        found.kind,
        f"{start:.1f} to {stop:.1f}",
        len(found.levels),
        100 * found.spacing,
        float(np.degrees(found.inclination)),
        100 * fit.foot_spread(),
        100 * float(np.sqrt(np.mean(hands**2))) if len(hands) else None,
        100 * fit.held_share(len(clip)) if found.kind == "ladder" else None,
        100 * fit.penetration(clip),
    ]


def climbing_clips() -> list[Path]:
    """Return the clips for takes of climbing."""
    lines = CLIP_LIST.read_text(encoding="utf-8").splitlines()
    return [(ROOT / line).resolve() for line in lines if line and not line.startswith("#")]


def _adapted_table(setup: Setup, body: NetworkSkeleton) -> Table:
    """Return the table of climbs with other distances between levels."""
    files = [setup.data / path.relative_to(path.parents[2]) for path in climbing_clips()]
    climbs = [climb for file in files for climb in find_climb_motions(load_captured_clip(file, body))]
    rows: list[list[object]] = []
    for kind in ("ladder", "steps"):
        own = [one for one in climbs if one.fit.structure.kind == kind]
        for name, ratio in (
            ("captured", None),
            *((f"x {part:g}", part) for part in (*climb_motion.TUNING.spacing_range_ratio, 1.0)),
        ):
            made = own if ratio is None else [adapt_climb(one, ratio * one.fit.structure.spacing) for one in own]
            rows.append([f"{kind}, {name}", len(made), *_hold_distances(made)])
    return table(["levels apart", "climbs", "feet cm", "hands cm", "penetration cm"], rows)


def _hold_distances(climbs: Sequence[ClimbMotion]) -> list[object]:
    """Return the mean distance of feet and of hands from their holds, and the mean penetration, cm."""
    distances: dict[str, list[float]] = {"foot": [], "hand": []}
    for climb in climbs:
        fit, collider = climb.fit, climb.fit.structure.collider()
        tracks = limb_tracks(climb.motion.clip)
        for one, level in zip(fit.supports, fit.level_numbers, strict=True):
            held = fit.local(tracks[one.limb][one.start : one.stop])
            if level >= 0:
                distances["foot"].append(float(np.abs(held[:, 2] - fit.structure.levels[level]).mean()))
            else:
                distances["hand"].append(float(np.maximum(collider.distances(held) - PALM_FLESH_M, 0.0).mean()))
    inside = [climb.fit.penetration(climb.motion.clip) for climb in climbs]
    means = [100 * float(np.mean(values)) if values else None for values in (*distances.values(), inside)]
    return list(means)


def limb_tracks(clip: Clip) -> dict[str, Array]:
    """Return the palms and the soles (F, 3) of a clip by limb, m."""
    return dict(zip(LIMBS, (*palm_positions(clip), *np.moveaxis(soles(clip), 1, 0)), strict=True))


@dataclass(frozen=True, slots=True)
class Climbed:
    """One roll-out: levels touched by a foot, arrival at the top, distances and penetration, cm."""

    levels: int
    reached: bool
    seconds: float | None
    feet: float | None
    hands: float | None
    penetration: float | None


def _learned_table(model: ControllerModel) -> Table:
    """Return the table of a learned controller."""
    rows: list[list[object]] = []
    for name, structure in UNSEEN.items():
        trials = [measure_climb(play, structure) for play in plays(model, structure)]
        rows.append([
            name,
            f"{sum(one.levels > 0 for one in trials)} of {len(trials)}",
            f"{sum(one.reached for one in trials)} of {len(trials)}",
            float(np.mean([one.levels for one in trials])),
            *(_mean([getattr(one, part) for one in trials]) for part in ("seconds", "feet", "hands", "penetration")),
        ])  # fmt: skip
    head = ["learned", "begun", "at the top", "levels", "seconds", "feet cm", "hands cm", "penetration cm"]
    return table(head, rows)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def plays(model: ControllerModel, structure: ClimbStructure) -> Iterator[InteractionSequencer]:
    """Yield roll-outs of climbing a structure at the origin and walking off, from several starts."""
    target = as_object(structure)
    for start in range(STARTS):
        generator = np.random.default_rng([start, 5])
        angle, distance = generator.uniform(-MAX_ANGLE_RAD, MAX_ANGLE_RAD), generator.uniform(*DISTANCES_M)
        place = distance * np.array([np.sin(angle), np.cos(angle)])
        tasks = [InteractionTask("mount", 0, duration=STAY), InteractionTask("walk", position=np.append(place, 0.0))]
        play = InteractionSequencer(model, [target], tasks, place, float(generator.uniform(-np.pi, np.pi)))
        while len(play.frames) < LONGEST and play.advance(60):
            pass
        yield play


def as_object(structure: ClimbStructure) -> InteractionObject:
    """Return a structure at the origin, its front toward +Y."""
    still = np.array([1.0, 0.0, 0.0, 0.0])
    return InteractionObject(structure.kind, "climb", structure.collider(), np.zeros(3), still)


def measure_climb(play: InteractionSequencer, structure: ClimbStructure) -> Climbed:
    """Return the measures of a roll-out toward a structure at the origin."""
    clip, recording, collider = decode_interaction(play.recording), play.recording, structure.collider()
    reached = recording.event_frame("reached", 0)
    climbs = recording.actions[:, ACTIONS.index("mount")] > CONTACT_THRESHOLD
    tracks = limb_tracks(clip)
    floor = FLOOR_MARGIN_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    held: dict[str, list[Array]] = {"hand": [], "foot": []}
    levels: set[int] = set()
    for limb, track in tracks.items():
        joints = [limb] if limb.startswith("hand") else [limb, f"toe.{limb[-1]}"]
        columns = [CONTACT_JOINTS.index(joint) for joint in joints]
        touches = climbs & (recording.contacts[:, columns].max(axis=1) > CONTACT_THRESHOLD)
        distances = collider.distances(track)
        if limb.startswith("foot"):
            touches &= track[:, 2] > floor
            on = touches & (distances < ON_LEVEL_M)
            levels |= {int(np.abs(structure.levels - height).argmin()) for height in track[on, 2]}
        else:
            distances = np.maximum(distances - PALM_FLESH_M, 0.0)
        held[limb[:4]].append(distances[touches])
    feet, hands = (np.concatenate(held[part]) for part in ("foot", "hand"))
    return Climbed(
        len(levels),
        reached is not None and len(structure.levels) - 1 in levels,
        None if reached is None else reached / clip.rate,
        100 * float(feet.mean()) if len(feet) else None,
        100 * float(hands.mean()) if len(hands) and structure.kind == "ladder" else None,
        _penetration(clip, as_object(structure), np.flatnonzero(climbs)),
    )


def _penetration(clip: Clip, target: InteractionObject, frames: NDArray[np.intp]) -> float | None:
    """Return the penetration of the body into a structure, cm; ``None`` if it was never on it."""
    if not len(frames):
        return None
    capsules = BodyCapsules.from_skeleton(clip.skeleton)
    part = clip.cut(int(frames[0]), int(frames[-1]) + 1)
    inside = capsules.sphere_penetrations(part, target.posed_collider, capsules.sphere_indices(PENETRATING))
    return 100 * float(np.percentile(inside.max(axis=1), 95))
