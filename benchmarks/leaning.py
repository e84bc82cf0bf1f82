"""Leaning on tables, rails and walls; ``python -m footfall.benchmarks.leaning FILE`` measures any trained controller.

There are no clips of it: a controller learns it from composed takes.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ..core.labelling.semantics.gaits import centre_of_mass
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import rotation_about_up
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..training.interactions.props.mesh_primitives import Mesh
from ..training.interactions.props.tables import Box, Table
from ..training.interactions.takes.lean import rail_mesh
from .ground_sitting import write_film_strip
from .interaction_measures import palm_gaps, penetration_depths
from .interaction_motion import has_given_up, measure_motion, motion_row, motion_table, walk_off_from
from .pushing import START_M, play_through
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Leaning on tables, rails and walls"
SHIPPED: Final = ROOT / "presets" / "controllers" / "interactions" / "leaning.safetensors"
STARTS: Final = 8
"""Starts at each object, an eighth of a turn apart."""
STAY_S: Final = 3.0
OBJECTS: Final[dict[str, Mesh]] = {
    "table of 74 cm": Table(0.74, 1.4, 0.8).mesh(),
    "counter of 90 cm": Box(1.8, 0.6, 0.9).mesh(),
    "rail of 1 m": rail_mesh(2.0, 1.0),
    "bar of 1.1 m": Table(1.1, 1.2, 0.6).mesh(),
    "wall": Box(3.0, 0.2, 2.4).mesh(),
}

NOTES = """\
Eight starts each, 2 m from the object's edge on all sides, facing anywhere, standing; they lean for 3 s and walk off.
*Seconds*: until both palms are there and the body is still."""

Pair = tuple[InteractionSequencer, RefinedInteraction]


def measure(setup: Setup) -> list[Part]:
    """Return the tables of the shipped controller."""
    return measure_controller(load_model(SHIPPED))[0]


def measure_controller(model: ControllerModel) -> tuple[list[Part], list[Pair]]:
    """Return the tables of a controller, and its first performance at each object."""
    rows, motion, first = [], [], []
    for name, mesh in OBJECTS.items():
        plays = [play_through(to_lean(model, mesh, start)) for start in range(STARTS)]
        pairs = [(play, refine_interaction(play.recording)) for play in plays]
        first.append(pairs[0])
        done = [pair for pair in pairs if pair[0].done and not has_given_up(pair[0].recording)]
        measured = np.array([_measures(*pair) for pair in done]).reshape(-1, 7)
        means: Sequence[float | None] = [None] * 7
        if len(measured):
            means = [*measured[:, :6].mean(axis=0), measured[:, 6].max()]
        rows.append([name, f"{len(done)} of {STARTS}", *means])
        motion.append(motion_row(name, [measure_motion(refined.clip) for _, refined in pairs]))
    head = ["object", "done", "seconds", "alone cm", "palms cm", "trunk deg", "mass cm", "feet cm", "deep cm"]
    return [table(head, rows), motion_table(motion, []), NOTES], first


def to_lean(model: ControllerModel, mesh: Mesh, start: int) -> InteractionSequencer:
    """Return a standing character with the command to lean on an object for a while and to walk off."""
    generator = np.random.default_rng([start, 41])
    collider = Collider.from_mesh(*mesh)
    turn = float(generator.uniform(-np.pi, np.pi))
    thing = InteractionObject("object", "surface", collider, np.zeros(3), rotation_about_up(np.array(turn)))
    way = facing_direction(np.array(turn + start * np.pi / 4))
    half = float(np.linalg.norm(collider.bounds[1][:2]))
    place = (half + START_M) * way
    tasks = [InteractionTask("lean", 0, duration=STAY_S), InteractionTask("walk", position=walk_off_from(place, way))]
    return InteractionSequencer(model, [thing], tasks, place, float(generator.uniform(-np.pi, np.pi)))


def _measures(play: InteractionSequencer, refined: RefinedInteraction) -> tuple[float, ...]:
    """Return seconds, palms' distances alone and refined, cm, lean, degrees, mass and feet, and the depth, cm."""
    reached, stop = play.recording.event_frame("reached", 0), play.recording.event_frame("began", 1)
    assert reached is not None and stop is not None
    clip, middle = refined.clip, (reached + stop) // 2
    ahead = facing_direction(root_track(clip).yaws[middle])
    ankles = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], :2]
    mass = (centre_of_mass(clip)[middle, :2] - ankles[middle].mean(axis=0)) @ ahead
    trunk = clip.positions[middle, clip.skeleton.joint("neck")] - clip.positions[middle, clip.skeleton.joint("hips")]
    goal = play.recording.frames[reached]
    alone = play.recording.wrist_positions(goal).mean(axis=0)
    solved = clip.positions[reached, [clip.skeleton.joint(f"hand.{side}") for side in "LR"]].mean(axis=0)
    return (
        reached / clip.rate,
        100 * float(np.linalg.norm(alone - solved)),
        100 * float(palm_gaps(refined, 0, reached, stop).mean()),
        float(np.degrees(np.arctan2(trunk[:2] @ ahead, trunk[2]))),
        100 * float(mass),
        100 * float(np.linalg.norm(ankles[reached:stop] - ankles[reached], axis=-1).max()),
        100 * float(penetration_depths(refined, play).max()),
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the tables of a controller."""
    parser = argparse.ArgumentParser(prog="python -m footfall.benchmarks.leaning", description=__doc__)
    parser.add_argument("controller", type=Path, metavar="FILE", help="a controller that was taught to lean")
    parser.add_argument(
        "--strip", type=Path, metavar="PNG", help="film strip of the first at each object, to be written"
    )
    options = parser.parse_args(arguments)
    parts, first = measure_controller(load_model(options.controller))
    print(*parts, sep="\n\n")
    if options.strip:
        write_film_strip(first, "lean", "leaning", options.strip)
    return 0


if __name__ == "__main__":
    sys.exit(main())
