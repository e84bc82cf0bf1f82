"""Leaning on objects: the nearest side, how long, what is refused, and palms that refinement puts on the object."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.wrist_targets import palm_offset, wrists_on_lean_place
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.core.scene.lean_place import find_lean_place
from footfall.tests.core.control.interaction.test_sequencer import block, happened, play

TABLE = block("table", "surface", (1.6, 0.8, 0.9), (0.0, 2.0, 0.0))
LEANING = InteractionTask("lean", 0, duration=1.0)


def test_a_character_leans_stays_and_leaves() -> None:
    done = play([TABLE], LEANING, InteractionTask("walk", position=np.array([2.0, 0.0, 0.0])))
    assert done.done and happened(done) == [("began", 0), ("reached", 0), ("began", 1), ("reached", 1)]
    assert done.events[2].frame - done.events[1].frame == 60


def test_it_leans_on_the_nearest_side_at_the_nearest_place() -> None:
    done = play([TABLE], LEANING)
    assert done.recording.approach_sides == [2], "the puppet starts behind the table, whose front is +Y"
    holds = list(ACTION_SPECS["lean"].hand_holds(done.recording, next(done.recording.task_intervals())))
    assert {hold.hand for hold in holds} == {"L", "R"}
    middle = np.mean([hold.wrist for hold in holds], axis=0)
    assert abs(middle[0]) < 1e-9 and -0.8 < middle[1] < -0.3, "before the edge at -Y, in the table's space"


def test_refinement_puts_both_palms_on_the_top() -> None:
    done = play([TABLE], LEANING)
    refined = refine_interaction(done.recording)
    clip, reached = refined.clip, done.events[1].frame
    place = find_lean_place(TABLE.facing_side(2).collider)
    assert place is not None
    wrists = wrists_on_lean_place(place, palm_offset(clip.skeleton.leg_length))
    for side, wrist in zip("LR", wrists, strict=True):
        placed = TABLE.position + wrist * [-1.0, -1.0, 1.0]
        own = clip.positions[reached + 30, clip.skeleton.joint(f"hand.{side}")]
        assert np.linalg.norm(own - placed) < 0.01


def test_what_cannot_be_leaned_on_is_refused_in_one_sentence() -> None:
    stool = block("stool", "obstacle", (0.4, 0.4, 0.5), (0.0, 2.0, 0.0))
    with pytest.raises(FootfallError, match="'stool' has no side to lean on"):
        play([stool], LEANING)
    hung = block("shelf", "obstacle", (1.0, 0.4, 0.9), (0.0, 2.0, 0.5))
    with pytest.raises(FootfallError, match="'shelf' does not stand on the floor"):
        play([hung], LEANING)
    with pytest.raises(FootfallError, match="There is no object to lean"):
        play([TABLE], InteractionTask("lean"))
