"""Two bodies are taken out of each other: trunks lean, arms give way, standing feet stay."""

from dataclasses import replace

import numpy as np

from footfall.core.control.passes.partner_clearance import keep_apart, lean
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import from_axis_angle
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.core.scene.test_body_overlap import twins
from footfall.tests.support.walker import person

FRAMES = 120
NO_HOLDS = np.zeros((FRAMES, 4), dtype=bool)
STANDING = FootContacts(np.ones((FRAMES, 4)))
FEET = [person().joint("foot.L"), person().joint("foot.R")]


ROUNDS = 5


def apart(first: Clip, second: Clip) -> tuple[Clip, Clip]:
    """Return two characters whose feet stand after some rounds."""
    for _ in range(ROUNDS):
        first, second = keep_apart(first, second, NO_HOLDS, (STANDING, STANDING))
    return first, second


def still(clip: Clip) -> Clip:
    """Return the first frame of a clip, repeated."""
    roots, rotations = (np.repeat(array[:1], FRAMES, axis=0) for array in (clip.root_positions, clip.rotations))
    return replace(clip, root_positions=roots, rotations=rotations)


def test_trunks_lean_away_over_standing_feet() -> None:
    first, second = (still(clip) for clip in twins(0.19))
    before = deepest_overlap(first, second)
    clips = apart(first, second)
    after = deepest_overlap(*clips)
    assert (after < before - 0.01).all() and after.max() < 0.02
    for one, other in zip(clips, (first, second), strict=True):
        steps = np.diff(one.positions[:, FEET], axis=0)
        assert np.abs(steps).max() < 1e-6, "feet in contact do not slide"
        assert np.abs(one.positions - other.positions).max() < 0.35


def test_an_arm_gives_way_where_it_reaches_into_the_other() -> None:
    """Face to face, hands end up to 15 cm behind the other's hands, in its belly, for half a second."""
    gaps = np.full(FRAMES, 1.2)
    gaps[70:100] = -0.15
    first, second = facing_pair(gaps)
    before = deepest_overlap(first, second)
    clips = apart(first, second)
    after = deepest_overlap(*clips)
    assert before.max() > 0.03
    assert after.max() < 0.6 * before.max()
    hand = person().joint("hand.L")
    moved = np.linalg.norm(clips[0].positions - first.positions, axis=-1)[:, hand]
    assert moved[:15].max() < 1e-6 < moved[85], "long before, no hand gives way"


def bent() -> Clip:
    """A still body with its arms out, whose left forearm points ahead: the elbow is off the line to the wrist."""
    rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (FRAMES, len(person()), 1))
    clip = Clip(person(), 60.0, np.tile([0.0, 0.0, 0.985], (FRAMES, 1)), rotations)
    rotations = rotations.copy()
    rotations[:, person().joint("forearm.L")] = from_axis_angle([0.0, 0.0, 1.0], -np.pi / 2)
    return replace(clip, rotations=rotations)


def joint(clip: Clip, role: str) -> np.ndarray:
    return clip.positions[:, person().joint(role)]


def test_a_body_that_leans_is_displaced_over_feet_that_stay() -> None:
    clip, shift = bent(), np.tile([0.03, 0.02, -0.02], (FRAMES, 1))
    made = lean(clip, shift)
    for role in ("hips", "head", "hand.L", "hand.R"):
        np.testing.assert_allclose(joint(made, role) - joint(clip, role), shift, atol=1e-9)
    np.testing.assert_allclose(made.positions[:, FEET], clip.positions[:, FEET], atol=1e-6)
