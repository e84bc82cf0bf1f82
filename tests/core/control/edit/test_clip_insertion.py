"""Clips inserted into walks: closed forms and procedural motion."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.clip_insertion import TUNING as CLIP_INSERTION_TUNING
from footfall.core.control.edit.clip_insertion import Insertion, find_seams, insert_clip, largest_seam_move
from footfall.core.control.performance import Performance
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array, exp, length, multiply, rotation_about_up
from footfall.core.terrain.ground import Plane
from footfall.tests.support.performances import performance
from footfall.tests.support.walker import Walker

RATE = 60.0
FRAME = 300


def walk_of(walker: Walker) -> Performance:
    clip = walker.clip()
    gaits = np.tile([0.0, 1.0], (len(clip), 1))
    return performance(clip, FootContacts(walker.contacts), walker.phase, gaits)


WALK = walk_of(Walker(seconds=14.0))
LONG = len(WALK.clip)
BODY = WALK.clip.skeleton


def walked_part(start: float = 0.3, seconds: float = 4.0, **changes: float) -> tuple[Clip, FootContacts]:
    """Another piece of the same way of walking, somewhere else, in another direction."""
    walker = Walker(seconds=seconds, start=start, heading=1.1, **changes)
    clip = walker.clip()
    return replace(clip, root_positions=clip.root_positions + np.array([5.0, -3.0, 0.0])), FootContacts(walker.contacts)


def standing(seconds: float = 3.0) -> tuple[Clip, FootContacts]:
    """A body that stands and raises an arm."""
    pose = Walker(seconds=1.0, pause=6.0).clip().cut(30, 31)
    count = round(seconds * RATE)
    rotations = np.repeat(pose.rotations, count, axis=0)
    arm = BODY.joint("upper_arm.L")
    angles = np.sin(np.linspace(0.0, np.pi, count))
    rotations[:, arm] = multiply(exp(angles[:, None] * [0.0, 1.5, 0.0]), rotations[:, arm])
    clip = Clip(BODY, RATE, np.repeat(pose.root_positions, count, axis=0), rotations, "wave")
    return clip, FootContacts(np.ones((count, 4)))


def moves(clip: Clip) -> Array:
    return length(np.diff(clip.positions, axis=0)).max(axis=1)


def test_a_walk_in_a_walk_is_a_walk() -> None:
    clip, contacts = walked_part(start=0.77)
    made, seams = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    assert moves(made.clip).max() < 1.25 * moves(WALK.clip).max()
    assert abs(seams.leaves - FRAME) <= CLIP_INSERTION_TUNING.search * RATE
    gone = length(np.diff(made.clip.root_positions[:, :2], axis=0)) * RATE
    assert gone.min() > 0.7 and gone.max() < 1.6, "it goes on at its speed"


def test_seams_are_where_the_steps_are_alike() -> None:
    clip, contacts = walked_part(start=0.77)
    seams = find_seams(WALK, clip, contacts, FRAME)
    phases = WALK.labels.phase[seams.leaves], (0.77 + seams.begins / RATE) % 1.0
    assert abs((phases[0] - phases[1] + 0.5) % 1.0 - 0.5) < 0.05


def test_the_walk_is_as_it_was_before_and_after() -> None:
    clip, contacts = walked_part()
    made, seams = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    early = slice(0, seams.leaves - 80)
    np.testing.assert_allclose(made.clip.positions[early], WALK.clip.positions[early], atol=1e-9)
    np.testing.assert_allclose(made.clip.positions[-100:], WALK.clip.positions[-100:], atol=1e-6)
    assert len(made.clip) == len(made.labels.phase) == len(made.labels.gaits) == len(made.contacts.probabilities)
    assert len(made.clip) == LONG + (seams.ends - seams.begins) - (seams.resumes - seams.leaves)


def test_what_stands_leaves_the_walk_at_its_place() -> None:
    clip, contacts = standing()
    made, seams = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    middle = seams.leaves + (seams.ends - seams.begins) // 2
    hips = WALK.clip.root_positions[seams.leaves]
    assert length(made.clip.root_positions[middle, :2] - hips[:2]) < 0.3
    hand = BODY.joint("hand.L")
    assert made.clip.positions[middle, hand, 2] > WALK.clip.positions[:, hand, 2].max() + 0.1, "it waves"


def test_feet_stand_in_the_seams() -> None:
    clip, contacts = standing()
    made, seams = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    held, slides = made.contacts.held, list[float]()
    for seam in (seams.leaves, seams.leaves + seams.ends - seams.begins):
        span = slice(seam - 24, seam + 24)
        for side, column in (("L", 1), ("R", 3)):
            steps = length(np.diff(made.clip.positions[span, BODY.joint(f"toe.{side}")], axis=0)) * RATE
            slides += list(steps[held[span][1:, column] & held[span][:-1, column]])
    assert np.mean(slides) < 0.02, "the goal of 2 cm/s"


def test_a_clip_is_repeated_from_where_it_ended() -> None:
    clip, contacts = walked_part(seconds=2.0)
    once, _ = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    thrice, seams = insert_clip(WALK, Insertion(FRAME, clip, contacts, 3), Plane())
    assert seams.ends - seams.begins > 4.0 * RATE and len(thrice.clip) != len(once.clip)
    assert moves(thrice.clip).max() < 1.5 * moves(WALK.clip).max()


def test_on_a_hill_it_is_as_high_as_the_hill() -> None:
    high = walk_of(Walker(seconds=14.0, floor=2.0))
    clip, contacts = standing()
    made, seams = insert_clip(high, Insertion(FRAME, clip, contacts), Plane(2.0))
    middle = seams.leaves + (seams.ends - seams.begins) // 2
    assert made.clip.root_positions[middle, 2] == pytest.approx(high.clip.root_positions[0, 2], abs=0.1)


def test_a_seam_that_jumps_is_told() -> None:
    clip, contacts = walked_part()
    insertion = Insertion(FRAME, clip, contacts)
    made, seams = insert_clip(WALK, insertion, Plane())
    move, usual = largest_seam_move(made, WALK, insertion, seams)
    assert move <= usual
    jumping = made.clip.root_positions.copy()
    jumping[seams.leaves :] += np.array([0.5, 0.0, 0.0])
    broken = replace(made, clip=replace(made.clip, root_positions=jumping))
    move, usual = largest_seam_move(broken, WALK, insertion, seams)
    assert move > usual


def test_what_does_not_fit_is_a_sentence() -> None:
    clip, contacts = walked_part()
    with pytest.raises(FootfallError, match="too short to blend in and out"):
        insert_clip(WALK, Insertion(FRAME, clip.cut(0, 40), FootContacts(contacts.probabilities[:40])), Plane())
    with pytest.raises(FootfallError, match="choose an earlier frame"):
        insert_clip(WALK, Insertion(LONG + 5, clip, contacts), Plane())
    aside = replace(clip, root_positions=clip.root_positions + np.linspace(0.0, 6.0, len(clip))[:, None] * [1.0, 0, 0])
    turned = aside.transformed(rotation_about_up(np.array(0.5)), np.zeros(3))
    with pytest.raises(FootfallError, match="degrees away from the following bake"):
        insert_clip(walk_of(Walker(seconds=14.0, turn=1.2)), Insertion(FRAME, turned, contacts), Plane())
    other = Walker(seconds=3.0).clip()
    names = tuple(f"other {name}" for name in other.skeleton.names)
    strange = replace(other, skeleton=replace(other.skeleton, names=names))
    with pytest.raises(FootfallError, match="moves another body: retarget it to this rig first"):
        insert_clip(WALK, Insertion(FRAME, strange, FootContacts(np.ones((len(strange), 4)))), Plane())
