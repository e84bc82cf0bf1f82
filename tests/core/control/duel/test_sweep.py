"""Spheres between frames: what passes through from one frame to the next is seen, and what is far is not looked at."""

from dataclasses import replace

import numpy as np

from footfall.core.control.duel.sweep import TUNING as SWEEP_TUNING
from footfall.core.control.duel.sweep import Sweep
from footfall.core.control.duel.weapon import armed
from footfall.core.motion import Clip
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


def test_contacts_between_frames_are_found() -> None:
    offsets = np.where(np.arange(FRAMES) < FRAMES // 2, 0.25, -0.22)
    sweep = swept(offsets)
    gaps = np.linalg.norm(sweep.away, axis=-1) - sweep.reach
    assert (gaps[sweep.moments % SWEEP_TUNING.weapon_steps == 0] > 0.0).all(), "it touches at no frame"
    through = sweep.moments[(gaps < 0.0).any(axis=(1, 2))]
    assert len(through) and (through // SWEEP_TUNING.weapon_steps == FRAMES // 2 - 1).all()
