"""Spheres between frames: what passes through from one frame to the next is seen, and what is far is not looked at."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.sweep import WEAPON_STEPS, Sweep
from footfall.core.control.combat.weapon import armed
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.tests.support.walker import Walker

FRAMES = 30
STILL = Walker().clip().cut(0, 1)
BLADE = np.array([0.0, 0.0, 0.9])


def standing() -> Clip:
    """A character that stands, with a weapon in its hand."""
    held = armed(STILL, "hand.R", BLADE)
    return replace(
        held,
        root_positions=np.repeat(held.root_positions, FRAMES, axis=0),
        rotations=np.repeat(held.rotations, FRAMES, axis=0),
    )


def passing(offsets: np.ndarray) -> Clip:
    """The same, beside the first one by (F) meters."""
    clip = standing()
    return replace(clip, root_positions=clip.root_positions + offsets[:, None] * [1.0, 0.0, 0.0])


def swept(offsets: np.ndarray) -> Sweep:
    bodies = BodyCapsules.from_skeleton(standing().skeleton)
    thigh = bodies.sphere_indices(["thigh.L"])
    return Sweep.of(passing(offsets), standing(), thigh, thigh, 0.0)


def test_values_of_moments_are_gathered_at_the_frames_beside_them() -> None:
    pair = np.zeros((3, 1, 1, 3)), np.zeros((1, 1))
    sweep = Sweep(4, 9, np.array([2, 3, 4]), *pair)
    np.testing.assert_array_equal(sweep.over_frames(np.array([1.0, 3.0, 2.0])), [3.0, 3.0, 0.0])
    vectors = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -3.0], [2.0, 0.0, 0.0]])
    np.testing.assert_array_equal(sweep.longest_over_frames(vectors), [vectors[1], vectors[1], np.zeros(3)])


def test_what_passes_between_frames_is_seen() -> None:
    offsets = np.where(np.arange(FRAMES) < FRAMES // 2, 0.25, -0.22)
    sweep = swept(offsets)
    gaps = np.linalg.norm(sweep.away, axis=-1) - sweep.reach
    assert (gaps[sweep.moments % WEAPON_STEPS == 0] > 0.0).all(), "it touches at no frame"
    through = sweep.moments[(gaps < 0.0).any(axis=(1, 2))]
    assert len(through) and (through // WEAPON_STEPS == FRAMES // 2 - 1).all()


def test_far_bodies_are_not_looked_at() -> None:
    sweep = swept(np.full(FRAMES, 2.0))
    assert len(sweep.moments) == 0 and not sweep.over_frames(np.zeros(0)).any()
    assert sweep.longest_over_frames(np.zeros((0, 3))).shape == (FRAMES, 3)


def bare(offsets: Array) -> Clip:
    """The same without a weapon."""
    roots = STILL.root_positions + offsets[:, None] * np.array([1.0, 0.0, 0.0])
    return replace(STILL, root_positions=roots, rotations=STILL.rotations.repeat(len(offsets), 0))


@pytest.mark.parametrize("flesh", [0.0, 0.01])
def test_bodies_without_weapons_are_looked_at_on_each_frame_however_far(flesh: float) -> None:
    bodies = BodyCapsules.from_skeleton(STILL.skeleton)
    own, theirs = bodies.sphere_indices(["thigh.L"]), bodies.sphere_indices(["shin.R"])
    offsets = np.linspace(0.0, 3.0, 7)
    sweep = Sweep.of(bare(offsets), bare(0 * offsets), own, theirs, flesh)
    assert sweep.steps == 1 and sweep.count == 7 and sweep.moments.tolist() == list(range(7))
    np.testing.assert_allclose(sweep.reach, bodies.radii[own][:, None] + bodies.radii[theirs] - flesh)
    centers = bodies.sphere_centres(STILL)[0]
    expected = centers[own][:, None] - centers[theirs] + offsets[:, None, None, None] * np.array([1.0, 0.0, 0.0])
    np.testing.assert_allclose(sweep.away, expected, atol=1e-9)
