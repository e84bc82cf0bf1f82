"""Goals: what is to come and where, of a walk, of somebody who sits down, and of recorded clips."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling.labeller import label_clip
from footfall.core.labelling.presets import load_preset, shipped_presets
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.labelling.semantics.goals import (
    LOCOMOTION_LEAD_S,
    MAX_GOAL_LEAD_S,
    find_goals,
)
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.tests.support.walker import Walker, person

IDLE, WALK, RUN, SIT, OPEN, CARRY, CLIMB, STRIKE = range(8)
RATE = 60.0


def still(seconds: float, height: float = 0.98, yaw: float = 0.0) -> Clip:
    """Somebody who does not move, arms out; at a yaw of 0 they face +Y."""
    skeleton, frames = person(), round(seconds * RATE)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    rotations[:, 0] = rotation_about_up(np.full(frames, yaw + np.pi))
    return Clip(skeleton, RATE, np.tile([0.0, 0.0, height], (frames, 1)), rotations)


def spans(frames: int, *interactions: tuple[int, float, float]) -> Array:
    """One-hot actions (F, A): idle, but for interactions from and to some seconds."""
    actions = np.zeros((frames, len(ACTION_NAMES)))
    actions[:, IDLE] = 1.0
    for action, start, stop in interactions:
        actions[round(start * RATE) : round(stop * RATE)] = np.eye(len(ACTION_NAMES))[action]
    return actions


def test_the_goal_of_a_walk_is_the_root_a_second_ahead() -> None:
    clip = Walker(seconds=6.0).clip()
    walking = np.tile(np.eye(len(ACTION_NAMES))[WALK], (len(clip), 1))
    goals = find_goals(clip, walking, ACTION_NAMES)
    inside = slice(0, len(clip) - round(LOCOMOTION_LEAD_S * clip.rate))
    np.testing.assert_allclose(goals.positions[inside, :2], clip.root_positions[inside, :2] + [0.0, 1.1], atol=1e-9)
    np.testing.assert_allclose(goals.directions, np.tile([0.0, 1.0], (len(clip), 1)), atol=1e-6)
    assert np.abs(goals.positions[:, 2]).max() < 0.05
    np.testing.assert_allclose(goals.positions[-30:], np.tile(goals.positions[-1], (30, 1)))


def test_the_goal_tells_what_is_done_a_second_ahead() -> None:
    clip = still(6)
    actions = spans(len(clip))
    actions[180:] = np.eye(len(ACTION_NAMES))[WALK]
    goals = find_goals(clip, actions, ACTION_NAMES)
    assert (goals.actions[:120, IDLE] == 1).all()
    assert (goals.actions[120:, WALK] == 1).all()


def test_an_interaction_is_the_goal_from_five_seconds_before_until_it_ends() -> None:
    clip = still(14)
    goals = find_goals(clip, spans(len(clip), (SIT, 9, 11)), ACTION_NAMES)
    chosen = goals.actions[:, SIT] == 1
    first, last = np.flatnonzero(chosen)[[0, -1]]
    assert (first, last) == (round((9 - MAX_GOAL_LEAD_S) * RATE), round(11 * RATE) - 1)
    assert chosen[first : last + 1].all()


def test_the_place_of_a_seat_is_where_the_hips_come_to_rest() -> None:
    clip = still(8)
    time = np.arange(len(clip)) / RATE
    share = np.clip((time - 2) / 1, 0, 1) - np.clip((time - 6) / 1, 0, 1)
    roots = np.stack([0.4 * share, 0 * time, 0.98 - 0.5 * share], axis=1)
    goals = find_goals(replace(clip, root_positions=roots), spans(len(clip), (SIT, 2, 7)), ACTION_NAMES)
    np.testing.assert_allclose(goals.positions[: round(7 * RATE)], [[0.4, 0.0, 0.48]] * round(7 * RATE), atol=1e-6)


def test_the_place_of_a_carried_thing_is_between_the_hands() -> None:
    clip = still(4)
    goals = find_goals(clip, spans(len(clip), (CARRY, 1, 2)), ACTION_NAMES)
    hands = clip.positions[0, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]
    np.testing.assert_allclose(goals.positions[70], hands.mean(axis=0), atol=1e-6)


def test_the_places_of_lying_and_of_pushing_are_hips_and_hands() -> None:
    clip = still(4)
    hands = clip.positions[0, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]].mean(axis=0)
    for name, place in (("lie", clip.positions[0, clip.skeleton.joint("hips")]), ("push", hands)):
        goals = find_goals(clip, spans(len(clip), (ACTION_NAMES.index(name), 1, 2)), ACTION_NAMES)
        np.testing.assert_allclose(goals.positions[70], place, atol=1e-6)


@pytest.mark.parametrize("action", [OPEN, STRIKE])
def test_the_place_of_a_blow_or_a_handle_is_that_of_a_hand(action: int) -> None:
    clip = still(4)
    goals = find_goals(clip, spans(len(clip), (action, 1, 2)), ACTION_NAMES)
    hands = clip.positions[0, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]
    assert np.abs(hands - goals.positions[70]).max(axis=1).min() < 1e-6


@given(st.floats(-3, 3), st.floats(-5, 5), st.floats(-5, 5))
def test_goals_turn_and_move_with_the_world(yaw: float, x: float, y: float) -> None:
    clip = still(3)
    actions = spans(len(clip), (SIT, 1, 2))
    goals = find_goals(clip, actions, ACTION_NAMES)
    moved = find_goals(clip.transformed(rotation_about_up(np.array(yaw)), np.array([x, y, 0.0])), actions, ACTION_NAMES)
    cosine, sine = np.cos(yaw), np.sin(yaw)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(moved.positions, goals.positions @ turn.T + [x, y, 0.0], atol=1e-6)
    np.testing.assert_allclose(moved.directions, goals.directions @ turn[:2, :2].T, atol=1e-6)


def test_a_recorded_walk_to_a_seat_has_the_seat_as_its_goal(shared_data: Path) -> None:
    clip = read_bvh(shared_data / "mocap" / "cmu_asfamc" / "sit" / "86_09.bvh").resampled(60.0)
    labels = label_clip(clip, load_preset(shipped_presets()["interaction"]))
    goals = find_goals(clip, labels.actions, ACTION_NAMES)
    # Seated between 12 and 22 s; on the way at 8 s.
    hips = clip.positions[12 * 60 : 22 * 60, clip.skeleton.joint("hips")]
    np.testing.assert_allclose(goals.positions[8 * 60], np.median(hips, axis=0), atol=0.05)
    assert goals.actions[8 * 60, SIT] == 1
    np.testing.assert_allclose(np.linalg.norm(goals.directions, axis=-1), 1.0, atol=1e-9)


def test_on_a_ladder_the_goal_is_to_walk() -> None:
    clip = still(6)
    actions = spans(len(clip))
    actions[240:] = np.eye(len(ACTION_NAMES))[CLIMB]
    actions[:60, IDLE], actions[:60, RUN], actions[:60, CLIMB] = 0.3, 0.1, 0.6
    goals = find_goals(clip, actions[::-1], ACTION_NAMES)
    assert (goals.actions[:60, WALK] == 1.0).all()
    np.testing.assert_allclose(goals.actions[-1, [IDLE, WALK, RUN]], [0.75, 0.0, 0.25])


def at(frames: int, place: tuple[float, float, float], frame: int, there: tuple[float, float, float]) -> Array:
    """A hand (F, 3) at a place, but for one frame."""
    track = np.tile(place, (frames, 1)).astype(float)
    track[frame] = there
    return track
