"""Takes of climbing up a ladder or steps, staying and climbing down: captured, and adapted to other heights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import out_of_frame, root_track
from ....core.motion.rotations import Array, rotation_about_up
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from .. import climb_motion, sit_motion
from ..climb_motion import ClimbMotion, adapt_climb
from ..clutter import is_clear
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk, with_rest_phase
from ..take_labels import TakeAction, action_weights, label_take, locomotion_actions
from ..walk_library import WalkLibrary

ACTION: Final = "mount"
"""Name of the action, and of the goal's action."""


@dataclass(frozen=True, slots=True)
class ClimbTuning(Tuning):
    linger: tuple[int, int] = tuned((0, 120), "frames", 0, 1200)
    """Range of the time added to the captured rest at the top."""
    leaving_turn: float = tuned(1.2, "rad", 0.0, np.pi)
    """Largest turn on leaving after a climb down that ends with the back to the structure."""
    clearance: float = tuned(0.1, "m", 0.0, 1.0)
    """Least distance between root and structure before and after the climb."""


TUNING: Final = ClimbTuning()


@dataclass(frozen=True, slots=True)
class _ClimbFrames:
    """Frames of a take: the first foot is lifted, the rest at the top begins and ends, the body stands again."""

    up: int
    settled: int
    leaves: int
    down: int


def make_climb_take(
    climbs: Sequence[ClimbMotion], walk_library: WalkLibrary, source: ClipSource, seed: int
) -> InteractionTake | None:
    """Make a take of climbing a structure, resting at the top, climbing down and leaving.

    Returns:
        The take, or ``None`` if the character would walk through the structure.
    """
    generator = np.random.default_rng([seed, 12])
    climb = climbs[int(generator.integers(len(climbs)))]
    climb = climb.lingering(int(generator.integers(*TUNING.linger)))
    climb = adapt_climb(
        climb, climb.fit.structure.spacing * float(generator.uniform(*climb_motion.TUNING.spacing_range_ratio))
    )
    made = assemble_approach(walk_library, generator)
    begins = made.append(climb.motion, *draw_placement_error(generator))
    ends = len(made)
    made.append(trim_walk(walk_library.draw(generator), generator), _draw_turn(climb, generator))
    clip = made.locked_clip(walk_library.model)

    up, down = (begins + frame for frame in climb.action)
    events = _ClimbFrames(up, begins + climb.rest[0], begins + climb.rest[1], down)
    structure = _place_structure(clip, climb, begins)
    about = [*range(begins - 1), *range(ends + 1, len(clip))]
    if not is_clear(clip, structure, about, TUNING.clearance):
        return None
    contacts = np.zeros((len(clip), 5))
    contacts[begins:ends, 1:] = climb.holds
    action = _climb_action(clip, events, structure, contacts, made.steps, generator)
    return label_take(clip, action, (structure,), generator, seed, source)


def _draw_turn(climb: ClimbMotion, generator: np.random.Generator) -> float:
    """Return a random turn, rad, after climbing down: ladders are left facing away, steps straight on."""
    faces_structure = np.cos(root_track(climb.motion.clip).yaws[-1] - climb.fit.yaw) > 0.0
    return draw_turn_away(generator) if faces_structure else float(generator.uniform(-1.0, 1.0) * TUNING.leaving_turn)


def _place_structure(clip: Clip, climb: ClimbMotion, begins: int) -> TakeObject:
    """Return the structure placed under a climb that starts at a given frame of a take."""
    own, at = climb.motion.clip, climb.rest[0]
    before, after = root_track(own), root_track(clip)
    turn = float(after.yaws[begins + at] - before.yaws[at])
    hips = clip.skeleton.joint("hips")
    offset = climb.fit.position[:2] - own.positions[at, hips, :2]
    place = clip.positions[begins + at, hips, :2] + out_of_frame(offset, np.array(turn))
    rotation = rotation_about_up(np.array(climb.fit.yaw + np.pi + turn))
    structure = climb.fit.structure
    return TakeObject(
        structure.kind,
        "climb",
        structure.collider(),
        np.tile(np.append(place, 0.0), (len(clip), 1)),
        np.tile(rotation, (len(clip), 1)),
    )


def _climb_action(
    clip: Clip,
    events: _ClimbFrames,
    structure: TakeObject,
    contacts: Array,
    steps: Sequence[range],
    generator: np.random.Generator,
) -> TakeAction:
    """Return the action of a climbing take; its goal is the structure."""
    count = len(clip)
    blend = sit_motion.TUNING.action_blend
    climbs = action_weights(count, (events.up - blend, events.up), (events.down - blend, events.down))
    actions = locomotion_actions(clip, climbs)
    actions[:, ACTIONS.index(ACTION)] = climbs
    until = max(events.leaves - int(generator.integers(5, 40)), events.settled + 1)
    phase = with_rest_phase(label_clip(clip).phase, (events.up, events.settled, events.leaves, events.down))
    captured = frame_origins(count, [range(events.up, events.down)], steps)
    return TakeAction(f"climb {structure.name}", ACTION, until, actions, contacts, phase, captured)
