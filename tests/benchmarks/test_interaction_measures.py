"""How deep somebody is in things, and how they slide: by a puppet that stands still, in a thing or beside it."""

from dataclasses import replace

import numpy as np

from footfall.benchmarks.interaction_measures import (
    palm_gaps,
    penetration_depths,
)
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import play


def wall(near: float) -> InteractionObject:
    """A wall whose near side is so far before somebody at the origin who faces +Y."""
    collider = Collider(np.array([[-2.0, 0.0, 0.0]]), np.array([[2.0, 0.3, 2.0]]))
    return InteractionObject("wall", "obstacle", collider, np.array([0.0, near, 0.0]), rotation_about_up(np.array(0.0)))


def test_who_stands_in_a_wall_is_deep_in_it() -> None:
    done = play([wall(1.5)], InteractionTask("idle", duration=0.3))
    performed = refine_interaction(done.recording)
    found = penetration_depths(performed, done)
    assert found.shape == (len(performed.clip), 1) and found.max() == 0.0
    inside = replace(performed, objects=[(wall(0.0),)] * len(performed.objects))
    assert penetration_depths(inside, done).min() > 0.05


def test_nobody_is_left_standing_in_a_wall() -> None:
    done = play([wall(0.1)], InteractionTask("idle", duration=0.6))
    performed = refine_interaction(done.recording)
    assert penetration_depths(performed, done)[20:].max() < 0.02


def test_palms_are_as_far_from_a_wall_as_it_is_moved_away() -> None:
    done = play([wall(1.5)], InteractionTask("idle", duration=0.5))
    performed = refine_interaction(done.recording)
    farther = replace(performed, objects=[(wall(1.7),)] * len(performed.objects))
    gaps, more = (palm_gaps(each, 0, 5, 20) for each in (performed, farther))
    assert gaps.shape == (15, 2) and gaps.min() > 0.5
    np.testing.assert_allclose(more - gaps, 0.2, atol=1e-6)
