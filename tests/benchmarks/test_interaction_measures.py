"""How deep somebody is in things, and how they slide: by a puppet that stands still, in a thing or beside it."""

from dataclasses import replace

import numpy as np

from footfall.benchmarks.interaction_measures import cut_interaction, penetration_depths, skate_speeds
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
