"""Motion among other objects: bodies go where their contacts go, feet stay, and what is far away does not change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotate, rotation_about_up
from footfall.core.scene.affordances import Seat
from footfall.tests.support.properties import examples
from footfall.tests.training.interactions.walker_takes import SEATED, STOOL, held_take, seated_take
from footfall.training.interactions.augmentation.adapted_motion import AdaptedMotion, AdaptedPoses, adapt_poses
from footfall.training.interactions.augmentation.key_joint_contacts import HANDS, TakeContacts
from footfall.training.interactions.augmentation.object_pool import PooledSeat
from footfall.training.interactions.augmentation.object_replacement import replace_box, replace_seat
from footfall.training.interactions.take_record import TakeRecord

SAT, HELD = TakeRecord.of(seated_take(0)), TakeRecord.of(held_take(0))
EVERY = np.arange(len(SAT))
FAR = np.r_[:50, 310:360]
"""Frames more than a second from the contact with the stool."""


def contacts_of(record: TakeRecord) -> TakeContacts:
    found = TakeContacts.of(record)
    assert found is not None
    return found


def seat_of() -> Seat:
    seat = contacts_of(SAT).seat
    assert seat is not None
    return seat


def on_another_stool(shift: tuple[float, float] = (0.0, 0.0), turn: float = 0.0, scale: float = 1.0) -> AdaptedMotion:
    piece = PooledSeat(STOOL, seat_of()).scaled(np.array([1.0, 1.0, scale]))
    contacts = contacts_of(SAT)
    return AdaptedMotion(SAT, contacts, replace_seat(SAT, contacts, piece, np.array(shift), turn))


def adapted(motion: AdaptedMotion, frames: Array = EVERY) -> AdaptedPoses:
    return adapt_poses([(motion, frames)])


def at(clip: Clip, role: str) -> Array:
    return clip.positions[:, clip.skeleton.joint(role)]


def lengths(clip: Clip) -> Array:
    parents = list(clip.skeleton.parents[1:])
    return np.linalg.norm(clip.positions[:, 1:] - clip.positions[:, parents], axis=-1)


def test_the_same_object_changes_nothing() -> None:
    poses = adapted(on_another_stool())
    np.testing.assert_allclose(poses.adapted.positions, SAT.clip.positions, atol=1e-9)
    assert poses.errors.max() < 1e-9


@given(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06), st.floats(-0.2, 0.2), st.floats(0.85, 1.1))
@settings(max_examples=examples(10), deadline=None)
def test_seated_hips_move_with_the_seat_and_feet_stay(x: float, y: float, turn: float, scale: float) -> None:
    motion = on_another_stool((x, y), turn, scale)
    poses = adapted(motion)
    place = SAT.objects[0].positions[0] + rotate(SAT.objects[0].rotations[0], seat_of().position)
    rise = (scale - 1.0) * seat_of().position[2]
    turned = rotate(rotation_about_up(np.array(turn)), at(SAT.clip, "hips")[SEATED] - place)
    np.testing.assert_allclose(at(poses.adapted, "hips")[SEATED], place + turned + [x, y, rise], atol=1e-9)
    for role in ("foot.L", "foot.R"):
        np.testing.assert_allclose(at(poses.adapted, role), at(SAT.clip, role), atol=2e-3)
    np.testing.assert_allclose(lengths(poses.adapted), lengths(SAT.clip), atol=1e-9)
    np.testing.assert_allclose(poses.adapted.positions[FAR], SAT.clip.positions[FAR], atol=1e-9)


@given(st.floats(-0.06, 0.06), st.floats(-0.2, 0.2))
@settings(max_examples=examples(10), deadline=None)
def test_the_root_is_under_the_hips_and_turns_with_the_seat(shift: float, turn: float) -> None:
    motion = on_another_stool((shift, -shift), turn)
    root = motion.root_at(EVERY)
    np.testing.assert_allclose(root.positions, at(adapted(motion).adapted, "hips")[:, :2], atol=1e-9)
    np.testing.assert_allclose((root.yaws - SAT.track.yaws)[SEATED], turn, atol=1e-9)
    np.testing.assert_allclose((root.yaws - SAT.track.yaws)[FAR], 0.0, atol=1e-12)
    steps = np.abs(np.diff(root.yaws - SAT.track.yaws))
    assert steps.max() <= abs(turn) / 30, "the turn is blended over a second"


@pytest.mark.parametrize("rise", [0.0, 0.05])
def test_hands_follow_the_sides_of_a_wider_box(rise: float) -> None:
    contacts = contacts_of(HELD)
    scale = np.array([1.1, 1.0, 1.0])
    motion = AdaptedMotion(HELD, contacts, replace_box(HELD, contacts, scale, np.zeros(2), rise))
    frames = np.flatnonzero(contacts.tracks["hand.L"].contact.in_contact)
    for role in HANDS:
        point = contacts.tracks[role].contact.point
        wanted = rotate(HELD.objects[0].rotations[frames], point * scale - point) + np.array([0.0, 0.0, rise])
        np.testing.assert_allclose(motion.correction(role, frames), wanted, atol=1e-9)
    np.testing.assert_array_equal(motion.root_at(frames).positions, HELD.track.positions[frames])


def test_the_near_side_of_a_deeper_box_stays_with_its_carrier() -> None:
    contacts, own = contacts_of(HELD), HELD.objects[0]
    made = replace_box(HELD, contacts, np.array([1.0, 1.2, 1.0]), np.zeros(2), 0.05).objects[0]
    near = [one.positions + rotate(one.rotations, [0.0, one.collider.upper[0, 1], 0.0]) for one in (own, made)]
    np.testing.assert_allclose(near[0] + [0.0, 0.0, 0.05], near[1], atol=1e-12)
