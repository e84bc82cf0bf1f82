"""Backs of seats: their distance from who sits before them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.back_rest import back_gap
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play
from footfall.training.interactions.props.seats import Sofa


def test_a_stool_has_no_rest_and_that_of_a_deeper_sofa_is_farther() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=1.0))
    clip, frame = decode_interaction(done.recording), len(done.frames) - 1
    assert back_gap(clip, frame, STOOL) is None
    hips = clip.positions[frame, clip.skeleton.joint("hips")]
    gaps = []
    for depth in (0.85, 0.95):
        sofa = use_object("sofa", *Sofa(depth=depth, back_height=0.45).mesh(), "sit", None)
        assert sofa.seat is not None
        place = np.append(hips[:2] - sofa.seat.position[:2], 0.0)
        gaps.append(back_gap(clip, frame, replace(sofa, position=place)))
    assert gaps[0] is not None and gaps[1] is not None
    # Its hips are as far from its front edge.
    assert gaps[1] - gaps[0] == pytest.approx(0.1, abs=0.03)


def test_a_gap_is_in_meters_of_the_clip() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=1.0))
    clip, frame = decode_interaction(done.recording), len(done.frames) - 1
    hips = clip.positions[frame, clip.skeleton.joint("hips")]
    sofa = use_object("sofa", *Sofa(depth=0.85, back_height=0.45).mesh(), "sit", None)
    assert sofa.seat is not None
    sofa = replace(sofa, position=np.append(hips[:2] - sofa.seat.position[:2], 0.0))
    half = replace(sofa.collider, lower=sofa.collider.lower / 2, upper=sofa.collider.upper / 2)
    seat = replace(sofa.seat, position=sofa.seat.position / 2)
    larger = replace(sofa, collider=half, position=sofa.position / 2, seat_override=seat)
    assert back_gap(clip, frame, larger, 2.0) == pytest.approx(back_gap(clip, frame, sofa))
