"""Contacts of a walker who is known to put its feet down, on floors and bodies of several heights and rates."""

import numpy as np
import pytest

from footfall.core.labelling.contacts.detection import Contacts
from footfall.core.labelling.contacts.detection import find_contacts as find
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip, Skeleton
from footfall.tests.support.walker import BALL, Walker


def find_contacts(clip: Clip) -> Contacts:
    """The contacts of heels and toes."""
    return find(clip, BIPED_PRESET, {})


WALKERS = {
    "adult": Walker(),
    "on a raised floor": Walker(floor=0.7),
    "below the origin": Walker(floor=-3.0),
    "child": Walker(scale=0.6),
    "giant": Walker(scale=2.0),
    "30 Hz": Walker(rate=30.0),
    "120 Hz": Walker(rate=120.0),
    "to the side": Walker(heading=1.2),
    "circle": Walker(turn=0.6),
    "stroll": Walker(speed=0.6, cycle=1.3, duty=0.68),
    "runner": Walker.runner(),
    "running child": Walker.runner(scale=0.6),
    "running giant": Walker.runner(scale=2.0),
}


def f1(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """F1 per column of contacts (F, C)."""
    found, exact = found > 0.5, exact > 0.5
    return 2 * (found & exact).sum(axis=0) / (found.sum(axis=0) + exact.sum(axis=0))


@pytest.mark.parametrize("walker", WALKERS.values(), ids=WALKERS.keys())
def test_known_contacts_are_found(walker: Walker) -> None:
    heel_and_toe = f1(find_contacts(walker.clip()).consistent_probability, walker.contacts).reshape(2, 2)
    # A heel that begins to rise is still slow and low for a tenth of a second, so it counts as down a little longer.
    assert (heel_and_toe[:, 0] > 0.8).all()
    assert (heel_and_toe[:, 1] > 0.88).all()


def test_the_ground_is_where_the_balls_of_the_feet_stand() -> None:
    assert np.median(find_contacts(Walker(floor=0.7).clip()).ground_heights[:, 1]) == pytest.approx(
        0.7 + BALL, abs=0.003
    )


def test_steps_up_a_stair_are_contacts_too() -> None:
    walker = Walker(seconds=8.0)
    clip = walker.clip()
    climbing = Clip(clip.skeleton, clip.rate, clip.root_positions.copy(), clip.rotations)
    # The whole walker is lifted by 15 cm half way, as after a step; the feet's floors follow within the window.
    climbing.root_positions[:, 2] += 0.15 * np.clip((walker.times - 3.9) / 0.2, 0, 1)
    away = np.abs(walker.times - 4.0) > 1.2
    assert (f1(find_contacts(climbing).consistent_probability[away], walker.contacts[away]) > 0.8).all()


def test_a_probability_says_on_which_side_of_the_threshold_a_joint_is() -> None:
    contacts = find_contacts(Walker().clip()).consistent_probability
    assert contacts.min() >= 0
    assert contacts.max() <= 1
    # Deep in a stance it is sure, in a swing it is surely none.
    assert contacts.max() > 0.95
    assert contacts.min() < 0.001


def test_contacts_do_not_depend_on_the_place_and_heading_of_a_clip() -> None:
    here, there = Walker(), Walker(heading=2.5, floor=5.0)
    np.testing.assert_allclose(
        find_contacts(here.clip()).consistent_probability, find_contacts(there.clip()).consistent_probability, atol=1e-6
    )


def test_without_toe_joints_the_toes_have_the_heels_contacts() -> None:
    clip = Walker().clip()
    kept = [joint for joint, name in enumerate(clip.skeleton.names) if "toes" not in name]
    parents = tuple(kept.index(clip.skeleton.parents[joint]) if joint else -1 for joint in kept)
    names = tuple(clip.skeleton.names[joint] for joint in kept)
    skeleton = Skeleton(names, parents, clip.skeleton.offsets[kept], clip.skeleton.tips[kept])
    contacts = find_contacts(
        Clip(skeleton, clip.rate, clip.root_positions, clip.rotations[:, kept])
    ).consistent_probability
    np.testing.assert_array_equal(contacts[:, [1, 3]], contacts[:, [0, 2]])


def test_a_runner_flies_between_steps() -> None:
    runner = Walker.runner()
    flights = ~find_contacts(runner.clip()).state.any(axis=1)
    assert abs(int(flights.sum()) - int((~runner.contacts.any(axis=1)).sum())) <= 4
