"""Feet that slide, sink and shake are brought to rest while they are in contact, without pops."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.feet import foot_lock
from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.heel import heel_positions
from footfall.core.motion.limb_ik import MAX_REACH_RATIO, Leg
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.rotations import Array, inverse, log, rotate
from footfall.tests.support.walker import BALL, Walker, person

WALKERS = {
    "adult": Walker(),
    "30 Hz": Walker(rate=30.0),
    "120 Hz": Walker(rate=120.0),
    "circle": Walker(turn=0.6),
    "pause": Walker(pause=2.0, seconds=8.0),
    "child": Walker(scale=0.6),
    "runner": Walker.runner(),
}


def sliding(clip: Clip, share: float = 0.1) -> Clip:
    """Return the clip whose root moves farther than its feet carry it: each stance slides by a share of the path."""
    roots = clip.root_positions.copy()
    roots[:, :2] += share * (roots[:, :2] - roots[0, :2])
    return replace(clip, root_positions=roots)


def shaking(clip: Clip, amplitude: float = 0.02) -> Clip:
    """Return the clip shaken sideways at 1.7 Hz, as networks' roots sway over standing feet."""
    roots = clip.root_positions.copy()
    roots[:, 0] += amplitude * np.sin(2 * np.pi * 1.7 * np.arange(len(clip)) / clip.rate)
    return replace(clip, root_positions=roots)


def sinking(clip: Clip, depth: float = 0.05) -> Clip:
    return replace(clip, root_positions=clip.root_positions - [0.0, 0.0, depth])


Fault = Callable[[Clip], Clip]
FAULTS: dict[str, Fault] = {"sliding": sliding, "shaking": shaking, "sinking": sinking}


def joints(clip: Clip) -> Array:
    """Return ankles and toe joints (F, 4, 3)."""
    return clip.positions[:, [clip.skeleton.joint(role) for role in FOOT_CONTACTS]]


def soles(clip: Clip, before: Clip) -> Array:
    """Return heels and balls (F, 4, 3); the heels are the points of the feet that they were ``before``."""
    points = joints(clip)
    for column, side in ((0, "L"), (2, "R")):
        foot, toe = (clip.skeleton.joint(f"{part}.{side}") for part in ("foot", "toe"))
        behind = heel_positions(before, foot, toe)[0] - before.positions[0, foot]
        fixed = rotate(inverse(before.world[1][0, foot]), behind)
        points[:, column] += rotate(clip.world[1][:, foot], np.broadcast_to(fixed, (len(clip), 3)))
    return points


def speeds(points: Array, rate: float) -> Array:
    """Return the speeds (F - 1, 4) of heels and balls (F, 4, 3), m/s."""
    return np.linalg.norm(np.diff(points, axis=0), axis=-1) * rate


def within(contacts: Array) -> Array:
    """Return the steps (F - 1, C) from one frame of a contact to the next."""
    return (contacts[1:] > 0.5) & (contacts[:-1] > 0.5)


def flexions(clip: Clip) -> Array:
    """Return both knees' bends (F, 2), radians, positive backward."""
    shins = [Leg.of(clip.skeleton, side).shin for side in "LR"]
    return log(clip.rotations[:, shins])[..., 0]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("walker", WALKERS.values(), ids=WALKERS.keys())
class TestFaults:
    def test_heels_and_toes_come_to_rest(self, walker: Walker, fault: Fault) -> None:
        held = walker.contacts > 0.5
        clip = fault(walker.clip())
        locked = lock_feet(clip, FootContacts(held))
        skates = np.sort(speeds(soles(locked, clip), clip.rate)[within(held)])
        # Nowhere but where a heel's lock ends in the midst of a slide.
        assert skates[: int(0.98 * len(skates))].max() < 0.001

    def test_nothing_pops_at_the_beginning_or_end_of_a_lock(self, walker: Walker, fault: Fault) -> None:
        clip = fault(walker.clip())
        locked = lock_feet(clip, locked_contacts(clip, FootContacts(walker.contacts)))
        before, after = (np.linalg.norm(np.diff(joints(c), n=2, axis=0), axis=-1) * c.rate**2 for c in (clip, locked))
        # A correction of some centimeters within 0.15 s adds some 20 m/s^2 to the steps' own 45 to 65.
        assert after.max() < before.max() + 60

    def test_toes_are_never_under_the_ground(self, walker: Walker, fault: Fault) -> None:
        locked = lock_feet(fault(walker.clip()), FootContacts(walker.contacts))
        heights = joints(locked)[..., 2]
        assert heights[:, [1, 3]].min() > BALL * walker.scale - 2e-4
        assert heights.min() > 0

    def test_knees_bend_backwards_and_bones_keep_their_lengths(self, walker: Walker, fault: Fault) -> None:
        locked = lock_feet(fault(walker.clip()), FootContacts(walker.contacts))
        assert flexions(locked).min() > 0.05
        assert np.isfinite(locked.positions).all()
        np.testing.assert_allclose(np.linalg.norm(locked.rotations, axis=-1), 1.0)

    def test_the_rest_of_the_body_stays_or_rises_as_a_whole(self, walker: Walker, fault: Fault) -> None:
        clip = fault(walker.clip())
        locked = lock_feet(clip, FootContacts(walker.contacts))
        body = [joint for joint in range(len(clip.skeleton)) if not 0 < joint < 9]
        moved = locked.positions[:, body] - clip.positions[:, body]
        np.testing.assert_allclose(moved, moved[:, :1].repeat(len(body), axis=1), atol=1e-6)
        np.testing.assert_allclose(moved[..., :2], 0.0, atol=1e-6)
        # Feet that are in the ground take the body up with them, slowly.
        depth = BALL * walker.scale - np.median(joints(clip)[walker.contacts[:, 1] > 0.5, 1, 2])
        np.testing.assert_allclose(moved[..., 2], depth, atol=0.012)


@pytest.mark.parametrize("column", [0, 1])
def test_a_foot_is_held_from_where_it_has_landed_until_it_leaves(column: int) -> None:
    """The probable contact begins five frames before the foot is down, and ends five after it has left."""
    clip = standing(120)
    height = 0.008 * np.maximum(np.maximum(40 - np.arange(120), np.arange(120) - 79), 0)
    roots = clip.root_positions + height[:, None] * [0.0, 0.0, 1.0]
    contacts = np.zeros((120, 4))
    contacts[35:85, column] = 1.0
    held = locked_contacts(replace(clip, root_positions=roots), FootContacts(contacts)).held[:, column]
    np.testing.assert_array_equal(np.flatnonzero(held)[[0, -1]], [40, 79])


def test_hips_sink_so_that_a_foot_left_behind_is_reached() -> None:
    """One foot stays while the body moves on: at the end only lower hips can reach it."""
    skeleton = person()
    time = np.arange(90) / 60
    roots = np.stack([0 * time, -0.2 * time, np.full(90, 0.1 + 0.835 + 0.045 + BALL)], axis=-1)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (90, len(skeleton), 1))
    clip = Clip(skeleton, 60.0, roots, rotations)
    held = np.zeros((90, 4), dtype=bool)
    held[:, :2] = True
    locked = lock_feet(clip, FootContacts(held))
    assert speeds(soles(locked, clip), clip.rate)[:, :2].max() < 0.001
    drop = (clip.root_positions - locked.root_positions)[:, 2]
    assert drop.min() >= -0.005, "the body is as high as its feet are"
    leg = Leg.of(skeleton, "L")
    span = np.linalg.norm(locked.positions[:, leg.foot] - locked.positions[:, leg.thigh], axis=-1)
    assert span.max() <= leg.length(skeleton) * MAX_REACH_RATIO + 1e-9
    assert np.abs(np.diff(drop, n=2)).max() * 60**2 < 10  # the hips do not jerk


def test_a_skeleton_without_toes_is_locked_at_its_ankles() -> None:
    walker = Walker()
    clip = sliding(walker.clip())
    kept = [joint for joint, name in enumerate(clip.skeleton.names) if "toes" not in name]
    skeleton = Skeleton(
        tuple(clip.skeleton.names[joint] for joint in kept),
        tuple(kept.index(clip.skeleton.parents[joint]) if joint else -1 for joint in kept),
        clip.skeleton.offsets[kept],
        clip.skeleton.tips[kept],
    )
    toeless = Clip(skeleton, clip.rate, clip.root_positions, clip.rotations[:, kept])
    held = walker.contacts > 0.5
    locked = lock_feet(toeless, FootContacts(held))
    for column, side in ((0, "L"), (2, "R")):
        ankle = locked.positions[:, skeleton.joint(f"foot.{side}")]
        assert np.linalg.norm(np.diff(ankle, axis=0), axis=-1)[within(held)[:, column]].max() * 60 < 0.001


def test_specks_are_not_held_and_gaps_are_closed() -> None:
    clip = standing(60)
    contacts = np.zeros((60, 4))
    contacts[10:12, 0] = 1.0
    contacts[20:50, 1] = 0.9
    contacts[33:35, 1] = 0.3
    held = locked_contacts(clip, FootContacts(contacts)).held
    assert not held[:, 0].any()
    np.testing.assert_array_equal(np.flatnonzero(held[:, 1]), np.arange(20, 50))


def test_a_character_that_lands_on_a_heel_and_shuffles_does_not_squat() -> None:
    """The heel's run ends when the foot is moved on, the ball's lasts: the heel rests where it was put down."""
    clip = standing(240)
    roots = clip.root_positions.copy()
    roots[:, 1] += 0.3 * np.clip((np.arange(240) - 60) / 15, 0.0, 1.0)
    clip = replace(clip, root_positions=roots)
    contacts = np.zeros((240, 4))
    contacts[10:78, 0] = contacts[30:, 1] = 1.0
    held = locked_contacts(clip, FootContacts(contacts)).held
    done = lock_feet(clip, FootContacts(held))
    drop = clip.root_positions[:, 2] - done.root_positions[:, 2]
    assert drop.max() < 0.02, drop.max()
    heel, before = soles(done, clip)[:, 0], soles(clip, clip)[:, 0]
    assert np.linalg.norm(heel[15:50, :2] - before[15:50, :2], axis=-1).max() < 0.02
    assert (
        np.linalg.norm(np.diff(heel, axis=0), axis=-1).max()
        < 2 * np.linalg.norm(np.diff(before, axis=0), axis=-1).max()
    )


def test_a_foot_that_slides_off_is_held_near_where_it_is() -> None:
    clip = standing(120)
    roots = clip.root_positions.copy()
    roots[40:, 1] += np.linspace(0.0, 1.1, 80)  # 0.8 m/s
    clip = replace(clip, root_positions=roots)
    contacts = np.zeros((120, 4))
    contacts[10:60, 1] = contacts[48:68, 0] = 1.0
    held = locked_contacts(clip, FootContacts(contacts)).held
    done = lock_feet(clip, FootContacts(held))
    moved = np.linalg.norm((soles(done, clip) - soles(clip, clip))[:, :2, :2], axis=-1)
    assert moved.max() < foot_lock.TUNING.max_drift + 0.01, moved.max()


@pytest.mark.parametrize(("seconds", "slipped"), [(0.5, 0.0), (3.0, 1.0)])
def test_a_step_is_held_where_its_heel_lands_and_a_stance_where_the_ball_rests(seconds: float, slipped: float) -> None:
    """The heel is down in the first half, the ball in the second; the foot slips inward by 2 cm between them."""
    count = round(seconds * 60)
    clip = standing(count + 40)
    slip = 0.02 * np.clip((np.arange(count + 40) - 20 - 0.4 * count) / (0.2 * count), 0.0, 1.0)
    clip = replace(clip, root_positions=clip.root_positions + slip[:, None] * [1.0, 0.0, 0.0])
    contacts = np.zeros((count + 40, 4))
    contacts[20 : 20 + round(0.55 * count), 0] = contacts[20 + round(0.45 * count) : 20 + count, 1] = 1.0
    done = lock_feet(clip, FootContacts(contacts))
    ball = soles(done, clip)[20 + round(0.7 * count), 1]
    before = soles(clip, clip)[0, 1]
    assert ball[0] - before[0] == pytest.approx(0.02 * slipped, abs=0.004)


def standing(frames: int) -> Clip:
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (frames, 1)), rotations)
