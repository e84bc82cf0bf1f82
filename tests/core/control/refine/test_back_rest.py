"""Backs of seats: their distance from who sits before them."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.back_rest import back_clearances, back_gap
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.motion import Clip
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play
from footfall.tests.support.walker import person
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


# --- A body at rest that looks along -Y, and a box behind it

STILL = np.array([1.0, 0.0, 0.0, 0.0])


def upright(scale: float = 1.0) -> Clip:
    body = person(scale)
    return Clip(body, 60.0, np.array([[0.0, 0.0, 1.0 * scale]]), np.tile(STILL, (1, len(body), 1)))


def seat(begins: float, top: float, behind: float = 1.0) -> Any:
    """A seat at a height of a meter whose rest begins at a distance behind the body, and is up to a height."""
    low, high = sorted((behind * begins, behind * (begins + 0.2)))
    rest = Collider(np.array([[-1.0, -0.2, 0.0], [-1.0, low, 0.0]]), np.array([[1.0, 0.2, 1.0], [1.0, high, top]]))
    place = SimpleNamespace(position=np.array([0.0, 0.0, 1.0]), direction=np.array([0.0, -1.0]))
    return SimpleNamespace(seat=place, collider=rest, posed_collider=PosedCollider(rest, np.zeros(3), STILL))


def test_a_back_in_its_rest_touches_it() -> None:
    assert back_gap(upright(), 0, seat(0.05, 1.8)) == 0.0
    touched = seat(0.05, 1.8)
    rest = Collider(touched.collider.lower[1:], touched.collider.upper[1:])
    inside = back_clearances(upright(), rest, touched.posed_collider)
    np.testing.assert_allclose(inside, [0.05 - 0.108])
