"""Pushing crates along the floor and lying down on it: actions added by example."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ..core.models.model_file import ControllerModel
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array, rotation_about_up
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..training.interactions.props.mesh_primitives import box_mesh
from .interaction_measures import palm_gaps, penetration_depths
from .interaction_motion import has_given_up, measure_motion, motion_row, motion_table, walk_off_from
from .interactions import interacting
from .setup import Setup
from .tables import Part, table

TITLE = "Pushing crates and lying down"
STARTS: Final = 10
START_M: Final = 2.0
"""Start distance of the character, meters."""
CRATE_M: Final = ((0.5, 0.9), (0.7, 1.1))
"""Widths and heights of the crates, meters."""
PUSH_M: Final = (1.0, 2.5)
"""Distances of pushing, meters."""
LONGEST: Final = 3600

Measures = tuple[float, float, float | None, float | None]
"""Seconds, distance from the place, of palms from the pushed object, and depth in it, cm."""

NOTES = """\
*Push*: crates 50 to 90 cm wide and 70 to 110 cm high, over 1 to 2.5 m of floor; *lie*: on the open floor. Ten each,
from 2 m away on any side, facing anywhere, standing; they walk off afterwards."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = interacting(setup)
    rows, motion = [], []
    for name, begin, row in (("push", to_push, _push_measures), ("lie", to_lie, _lie_measures)):
        plays = [play_through(begin(model, start)) for start in range(STARTS)]
        refined = [refine_interaction(play.recording) for play in plays]
        done = [
            pair for pair in zip(plays, refined, strict=True) if pair[0].done and not has_given_up(pair[0].recording)
        ]
        measured = list(zip(*(row(*pair) for pair in done), strict=True)) or [()] * 4
        seconds, apart, palms, deep = measured
        rows.append([name, f"{len(done)} of {STARTS}", *map(_mean, (seconds, apart, palms)), _largest(deep)])
        motion.append(motion_row(name, [measure_motion(one.clip) for one in refined]))
    head = ["action", "done", "seconds", "apart cm", "palms cm", "deep cm"]
    return [table(head, rows), motion_table(motion, []), NOTES]


def _mean(values: Sequence[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return float(np.mean(found)) if found else None


def _largest(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def play_through(play: InteractionSequencer) -> InteractionSequencer:
    """Return a character after its tasks, or after a time limit."""
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    return play


def to_push(model: ControllerModel, start: int) -> InteractionSequencer:
    """Return a standing character with the command to push a crate and to walk off."""
    generator = np.random.default_rng([start, 29])
    (narrow, wide), (low, high) = CRATE_M
    width, height = float(generator.uniform(narrow, wide)), float(generator.uniform(low, high))
    mesh = box_mesh((-width / 2, -width / 2, 0.0), (width / 2, width / 2, height))
    turn = float(generator.uniform(-np.pi, np.pi))
    crate = InteractionObject("crate", "box", Collider.from_mesh(*mesh), np.zeros(3), rotation_about_up(np.array(turn)))
    way = facing_direction(np.array(turn))
    task = InteractionTask("push", 0, position=np.append(float(generator.uniform(*PUSH_M)) * way, 0.0))
    return start_at(model, [crate], task, way, generator)


def to_lie(model: ControllerModel, start: int) -> InteractionSequencer:
    """Return a standing character with the command to lie down for a second and to walk off."""
    generator = np.random.default_rng([start, 31])
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    return start_at(
        model, [], InteractionTask("lie", position=np.zeros(3), direction=way, duration=1.0), way, generator
    )


def start_at(
    model: ControllerModel,
    things: list[InteractionObject],
    task: InteractionTask,
    way: Array,
    generator: np.random.Generator,
) -> InteractionSequencer:
    """Return a character that stands two meters from a task's place, and walks off afterwards."""
    place = START_M * facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    assert task.position is not None
    off = InteractionTask("walk", position=walk_off_from(task.position[:2], -way))
    return InteractionSequencer(model, things, [task, off], place, float(generator.uniform(-np.pi, np.pi)))


def _push_measures(play: InteractionSequencer, refined: RefinedInteraction) -> Measures:
    """Return seconds, and distances of the crate from its place, of palms from it, and depth of the body in it, cm."""
    start, stop = (play.recording.event_frame(kind, 0) for kind in ("took", "put"))
    target = play.tasks[0].position
    assert start is not None and stop is not None and target is not None
    apart = float(np.linalg.norm((refined.objects[-1][0].position - target)[:2]))
    gaps, depth = float(palm_gaps(refined, 0, start, stop).mean()), float(penetration_depths(refined, play).max())
    return stop / refined.clip.rate, 100 * apart, 100 * gaps, 100 * depth


def _lie_measures(play: InteractionSequencer, refined: RefinedInteraction) -> Measures:
    """Return seconds, and the distance of the hips from their place, cm."""
    frame = play.recording.event_frame("reached", 0)
    assert frame is not None
    hips = refined.clip.positions[frame - 1, refined.clip.skeleton.joint("hips")]
    return frame / refined.clip.rate, 100 * float(np.linalg.norm(hips[:2])), None, None
