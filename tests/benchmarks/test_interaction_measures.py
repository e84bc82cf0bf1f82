"""How deep somebody is in things, and how they slide: by a puppet that stands still, in a thing or beside it."""

from dataclasses import replace

import numpy as np

from footfall.benchmarks.interaction_measures import (
    arm_depth,
    cut_interaction,
    palm_gaps,
    penetration_depths,
    skate_speeds,
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


def test_who_stands_does_not_slide() -> None:
    done = play([], InteractionTask("idle", duration=0.5))
    performed = refine_interaction(done.recording)
    assert skate_speeds(performed).max(initial=0.0) < 0.005
    part = cut_interaction(performed, 3, 9)
    assert len(part.clip) == len(part.objects) == len(part.contacts) == 6


def test_palms_are_as_far_from_a_wall_as_it_is_moved_away() -> None:
    done = play([wall(1.5)], InteractionTask("idle", duration=0.5))
    performed = refine_interaction(done.recording)
    farther = replace(performed, objects=[(wall(1.7),)] * len(performed.objects))
    gaps, more = (palm_gaps(each, 0, 5, 20) for each in (performed, farther))
    assert gaps.shape == (15, 2) and gaps.min() > 0.5
    np.testing.assert_allclose(more - gaps, 0.2, atol=1e-6)


def test_arms_are_deep_in_a_wall_before_the_frame_in_which_it_is_gone() -> None:
    done = play([wall(1.5)], InteractionTask("idle", duration=0.5))
    performed = refine_interaction(done.recording)
    assert arm_depth(performed, 0, len(performed.clip)) == 0.0
    objects = [(wall(-0.1 if frame >= 10 else 1.5),) for frame in range(len(performed.clip))]
    inside = replace(performed, objects=objects)
    assert arm_depth(inside, 0, 10) == 0.0 and arm_depth(inside, 0, 12) > 0.03
