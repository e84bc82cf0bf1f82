"""Feet that slide, sink and shake are brought to rest while they are in contact, without pops."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import (
    BODY_RISE_S,
    MAX_LOCK_DRIFT_M,
    MIN_CONTACT_S,
    lock_feet,
    locked_contacts,
)
from footfall.core.control.feet.sole_solver import CONTACT_BLEND_S
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.heel import heel_positions
from footfall.core.motion.limb_ik import MAX_REACH_RATIO, Leg
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.rotations import Array, inverse, log, rotate
from footfall.core.motion.signals import runs_of
from footfall.core.terrain.ground import Plane
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


def floating(clip: Clip, height: float = 0.04) -> Clip:
    """Return the clip above the ground, as networks walk that have not learned their floor to the centimeter."""
    return sinking(clip, -height)


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


def test_a_foot_that_stands_still_already_stays_as_it_is() -> None:
    walker = Walker()
    clip = walker.clip()
    locked = lock_feet(clip, locked_contacts(clip, FootContacts(walker.contacts)))
    # But for the last of the roll over the heel.
    assert np.linalg.norm(locked.positions - clip.positions, axis=-1).max() < 0.012


@pytest.mark.parametrize("fault", [floating, sinking])
def test_swing_feet_rise_with_the_body_and_knees_bend_as_they_did(fault: Fault) -> None:
    walker = Walker(seconds=6.0)
    clip = fault(walker.clip())
    locked = lock_feet(clip, locked_contacts(clip, FootContacts(walker.contacts)))
    middle = slice(100, -100)
    np.testing.assert_allclose(flexions(locked)[middle], flexions(clip)[middle], atol=np.radians(4.0))


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


def test_the_heel_of_a_leg_that_gets_straight_goes_before_its_ball_and_straight_legs_stand() -> None:
    clip = standing(120)
    still = locked_contacts(clip, FootContacts(np.ones((120, 4)))).held
    assert still.all(), "these legs are straight all the time"
    roots = clip.root_positions.copy()
    roots[60:, 1] += 0.1 * (np.arange(60) / 59) ** 2
    contacts = np.ones((120, 4))
    contacts[115:] = 0.0
    held = locked_contacts(replace(clip, root_positions=roots), FootContacts(contacts)).held
    heel, ball = np.flatnonzero(held[:, 0])[-1], np.flatnonzero(held[:, 1])[-1]
    assert 60 < heel < ball - 5


def test_without_contacts_only_the_ground_counts() -> None:
    clip = Walker().clip()
    free = np.zeros((len(clip), 4), dtype=bool)
    np.testing.assert_allclose(lock_feet(clip, FootContacts(free)).positions, clip.positions, atol=1e-6)
    assert joints(lock_feet(sinking(clip), FootContacts(free)))[:, [1, 3], 2].min() >= BALL - 1e-6


def test_far_from_contacts_nothing_changes() -> None:
    walker = Walker()
    clip = sliding(walker.clip())
    held = np.zeros((len(clip), 4), dtype=bool)
    held[150:170] = walker.contacts[150:170] > 0.5
    locked = lock_feet(clip, FootContacts(held))
    reach = int(4 * BODY_RISE_S * clip.rate) + 3
    away = np.ones(len(clip), dtype=bool)
    away[150 - reach : 170 + reach] = False
    np.testing.assert_allclose(locked.positions[away], clip.positions[away], atol=1e-6)
    beside = np.ones(len(clip), dtype=bool)
    feet = int(CONTACT_BLEND_S * clip.rate) + 3
    beside[150 - feet : 170 + feet] = False
    moved = locked.positions[beside] - clip.positions[beside]
    assert np.abs(moved).max() < 0.003, "but for the body's height, which changes slowly"


@pytest.mark.parametrize("ground", [-1.0, 0.0, 2.0])
def test_the_ground_may_lie_at_any_height(ground: float) -> None:
    walker = Walker(floor=ground)
    locked = lock_feet(sinking(walker.clip()), FootContacts(walker.contacts), Plane(ground))
    toes = joints(locked)[:, [1, 3], 2]
    assert toes.min() == pytest.approx(ground + BALL, abs=1e-3)


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


def test_who_comes_down_on_a_heel_and_shuffles_on_does_not_squat() -> None:
    """The heel's run ends when the foot is moved on, the ball's lasts: the heel rests where it was put down."""
    clip = standing(240)
    roots = clip.root_positions.copy()
    roots[:, 1] += 0.2 * np.clip((np.arange(240) - 60) / 15, 0.0, 1.0)
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


def test_a_joint_that_strays_is_not_held() -> None:
    clip = standing(120)
    roots = clip.root_positions.copy()
    roots[80:, 1] += np.linspace(0.0, 1.0, 40)
    held = locked_contacts(replace(clip, root_positions=roots), FootContacts(np.ones((120, 4)))).held
    assert held[:80].all()
    left = np.flatnonzero(~held[:, 0])
    assert roots[left[0], 1] == pytest.approx(MAX_LOCK_DRIFT_M, abs=0.05)
    assert not held[left[0] :, [0, 2]].any()
    assert not held[left[0] + 2 :].any()  # toes a moment later: a straight leg lets its heel go first


def test_what_cuts_leave_of_a_contact_is_no_speck() -> None:
    clip = standing(120)
    roots = clip.root_positions.copy()
    roots[:, 1] += np.concatenate([np.zeros(30), np.linspace(0.0, 3.0, 90)])  # each foot slides by 3 cm a frame
    contacts = np.zeros((120, 4))
    contacts[60:84, 0] = contacts[90:102, 2] = 1.0
    held = locked_contacts(replace(clip, root_positions=roots), FootContacts(contacts)).held
    lengths = [stop - start for column in held.T for start, stop in runs_of(column)]
    assert all(length >= MIN_CONTACT_S * clip.rate for length in lengths), lengths


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
    assert moved.max() < MAX_LOCK_DRIFT_M + 0.01, moved.max()


@pytest.mark.parametrize(("seconds", "slipped"), [(0.5, 0.0), (3.0, 1.0)])
def test_a_step_stays_where_its_heel_lands_and_who_stands_where_the_ball_rests(seconds: float, slipped: float) -> None:
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


def test_a_heel_that_the_leg_cannot_reach_is_let_go_and_its_toe_stays() -> None:
    clip = standing(120)
    roots = clip.root_positions.copy()
    roots[60:, 2] += np.linspace(0.0, 0.06, 60)
    held = locked_contacts(replace(clip, root_positions=roots), FootContacts(np.ones((120, 4)))).held
    assert held[:, [1, 3]].all()
    assert held[:60, [0, 2]].all()
    assert not held[-1, [0, 2]].any()


def standing(frames: int) -> Clip:
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (frames, 1)), rotations)


def test_a_trailing_leg_lifts_its_heel_and_the_hips_stay() -> None:
    """The ball of a foot stays while the body moves on: its heel rises, as people's do."""
    skeleton = person()
    time = np.arange(90) / 60
    roots = np.stack([0 * time, -0.2 * time, np.full(90, 0.1 + 0.835 + 0.045 + BALL)], axis=-1)
    clip = Clip(skeleton, 60.0, roots, np.tile([1.0, 0.0, 0.0, 0.0], (90, len(skeleton), 1)))
    held = np.zeros((90, 4), dtype=bool)
    held[:, 1] = True
    locked = lock_feet(clip, FootContacts(held))
    leg = Leg.of(skeleton, "L")
    assert leg.toe is not None
    ankle, ball = locked.positions[:, leg.foot], locked.positions[:, leg.toe]
    assert np.ptp(ball, axis=0).max() < 0.001
    assert ankle[[2, -3], 2].min() > ankle[45, 2] + 0.01, "before the body and behind it"
    np.testing.assert_allclose(locked.root_positions[:, 2], clip.root_positions[:, 2], atol=0.005)
