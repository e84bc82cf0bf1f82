"""Walks over flights of stairs: steps per tread, distance from its middle, and cadence compared with people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.footing import measure_footing
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from ..core.terrain.ground import StaticScene
from ..core.terrain.heightfield import Heightfield
from ..core.terrain.walk_scene import WalkScene
from .measures.stair_steps import StairSteps, stair_steps
from .setup import Setup
from .tables import Part, table

TITLE = "Stairs"
CELL_M: Final = 0.01
APPROACH_M: Final = 2.5
LANDING_M: Final = 2.0
SPEED: Final = 1.1
RISES_M: Final = (0.12, 0.15, 0.18, 0.20)
GOINGS_M: Final = (0.25, 0.28, 0.32)
STEP_COUNTS: Final = (5, 8, 12)
NOTES = f"""\
Flights of {STEP_COUNTS[0]} to {STEP_COUNTS[-1]} steps up, a landing, and as many down, at {SPEED} m/s commanded.
*Centered*: the middle of the sole is within 6 cm of the middle of its tread along the path."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight of stairs up, a landing, and the same flight down.

    Attributes:
        rise: rise of a step, meters.
        going: depth of a tread, meters.
        steps: number of risers.
        start: distance of the first riser from the path's start, meters.
    """

    rise: float
    going: float
    steps: int
    start: float = APPROACH_M

    @property
    def risers_up(self) -> Array:
        """Positions (R) of the risers up, meters."""
        return self.start + self.going * np.arange(self.steps)

    @property
    def risers_down(self) -> Array:
        """Positions (R) of the risers down, meters."""
        return self.risers_up[-1] + LANDING_M + self.going * np.arange(self.steps)

    @property
    def length(self) -> float:
        """Length of the walk, meters."""
        return float(self.risers_down[-1]) + APPROACH_M

    @property
    def ground(self) -> Heightfield:
        """The flight along X as a grid of heights."""
        x = np.arange(-2.0, self.length + 2.0, CELL_M)
        up = (x[:, None] >= self.risers_up - CELL_M / 2).sum(axis=1)
        down = (x[:, None] >= self.risers_down + CELL_M / 2).sum(axis=1)
        return Heightfield(np.tile(self.rise * (up - down), (round(4.0 / CELL_M), 1)), CELL_M, np.array([-2.0, -2.0]))


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """One walk over a flight: the steps up and down, and the foothold.

    Attributes:
        up: steps up.
        down: steps down.
        speeds: horizontal speeds up and down, m/s.
        skate_cm_s: speed of feet in contact.
        penetration_mm: largest penetration of heels and balls.
    """

    up: StairSteps
    down: StairSteps
    speeds: tuple[float, float]
    skate_cm_s: float
    penetration_mm: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = setup.model()
    rows: list[list[object]] = []
    for rise in RISES_M:
        for going in GOINGS_M:
            climbs = climb_all(model, [(Flight(rise, going, steps), seed) for seed, steps in enumerate(STEP_COUNTS)])
            rows.extend(climb_rows(f"{100 * rise:.0f} / {100 * going:.0f} cm", climbs))
    head = ["rise / going", "way", "centered %", "nosing %", "uneven steps", "of", "steps/min", "m/s", "skate cm/s"]
    return [table([*head, "deepest mm"], rows), NOTES]


def climb_rows(title: str, climbs: Sequence[Climb]) -> list[list[object]]:
    """Return the rows of some walks: up and down."""
    rows: list[list[object]] = []
    for index, way in enumerate(("up", "down")):
        steps = [(climb.up, climb.down)[index] for climb in climbs]
        count = sum(int(one.on_treads.sum()) for one in steps)
        rows.append([
            title,
            way,
            100 * sum(one.centered_share * one.on_treads.sum() for one in steps) / max(count, 1),
            100 * sum(one.nosing_share * one.on_treads.sum() for one in steps) / max(count, 1),
            sum(one.uneven_count for one in steps),
            count,
            float(np.nanmean([one.cadence for one in steps])),
            float(np.mean([climb.speeds[index] for climb in climbs])),
            float(np.mean([climb.skate_cm_s for climb in climbs])),
            max(climb.penetration_mm for climb in climbs),
        ])  # fmt: skip
    return rows


def climb_all(model: ControllerModel, flights: Sequence[tuple[Flight, int]]) -> list[Climb]:
    """Return walks over flights, each with its own seed, rolled out in one batch."""
    scenes = [StaticScene(flight.ground) for flight, _ in flights]
    walks = [
        begin_walk(
            model, WalkRequest(Path(np.array([[0.0, 0.0], [flight.length, 0.0]])), SPEED, WalkScene(scene), seed=seed)
        )
        for (flight, seed), scene in zip(flights, scenes, strict=True)
    ]
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return [_climb(walk, flight, scene) for walk, (flight, _), scene in zip(walks, flights, scenes, strict=True)]


def _climb(walk: WalkRollout, flight: Flight, scene: StaticScene) -> Climb:
    """Return the measures of a walk over a flight."""
    done = walk.finish()
    clip, ahead = done.clip, np.array([1.0, 0.0])
    up, down = (
        stair_steps(clip, done.contacts, risers, ahead, done.standing_clip)
        for risers in (flight.risers_up, flight.risers_down)
    )
    hips = clip.positions[:, clip.skeleton.joint("hips"), 0]
    speeds = [_mean_speed(hips, risers[0], risers[-1], clip.rate) for risers in (flight.risers_up, flight.risers_down)]
    tracks = sensor_tracks(clip, BIPED_PRESET, done.standing_clip)
    return Climb(
        up,
        down,
        (speeds[0], speeds[1]),
        100 * float(skate_speeds(tracks, done.contacts.probabilities, clip.rate).mean()),
        measure_footing(clip, done.contacts, scene, done.standing_clip)["penetration_max_mm"],
    )


def _mean_speed(hips: Array, start: float, stop: float, rate: float) -> float:
    """Return the mean speed, m/s, of hips (F) between two places, meters."""
    first, last = int(np.argmax(hips > start)), int(np.argmax(hips > stop))
    return (stop - start) * rate / max(last - first, 1)
