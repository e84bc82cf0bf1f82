"""NSM's samples of a walker on a path in closed form toward a goal."""

import numpy as np
import pytest

from footfall.core.features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    FIRST_ACTION_COUNT,
    FUTURE_OFFSETS_FRAMES,
    GATING_GROUPS,
    GOAL_ACTIONS,
    SAMPLE_OFFSETS_FRAMES,
    ActionLabels,
    NsmState,
    TimeSeries,
    are_known_actions,
    gating_features,
    goal_actions_of,
    has_goals,
    input_layout,
    output_layout,
    sample_frames,
    time_series_at,
)
from footfall.core.features.interaction_outputs import clip_outputs
from footfall.core.features.locomotion import input_layout as locomotion_inputs
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import Walker, person

JOINTS = person().names
REFERENCE = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1))
OUT = output_layout(JOINTS)
GOAL, FRONT = np.array([0.4, 3.0, 0.0]), facing_direction(np.array(0.7))


def going(clip: Clip, change: int | None = None, lead: int = 0) -> ActionLabels:
    """A walk to a seat; from frame ``change`` on, which is known ``lead`` frames before, to a door."""
    count = len(clip)
    actions, wanted = np.zeros((count, len(ACTIONS))), np.zeros((count, len(GOAL_ACTIONS)))
    actions[:, ACTIONS.index("walk")], wanted[:, GOAL_ACTIONS.index("sit")] = 1.0, 1.0
    places, known = np.tile(GOAL, (count, 1)), np.arange(count) + SAMPLE_OFFSETS_FRAMES[-1]
    if change is not None:
        wanted[change:] = np.eye(len(GOAL_ACTIONS))[GOAL_ACTIONS.index("open")]
        places[change:] = -GOAL
        known[change - SAMPLE_OFFSETS_FRAMES[-1] : change - lead] = change - 1
    phase = np.arange(count) / 60 % 1.0
    return ActionLabels(
        actions,
        wanted,
        places,
        np.tile(FRONT, (count, 1)),
        np.zeros((count, len(CONTACT_JOINTS))),
        phase,
        np.minimum(known, count - 1),
    )


@pytest.fixture(scope="module")
def walk() -> Clip:
    return Walker(turn=0.4, seconds=5.0, heading=0.3).clip()


def test_sizes_are_the_released_codes() -> None:
    layout = input_layout(JOINTS, ACTIONS[:FIRST_ACTION_COUNT])
    sizes = {group.name: group.size for group in layout}
    assert sizes["environment.occupancy"] == 2034 and sizes["interaction.voxel"] == 2048
    assert sum(sizes[name] for name in GATING_GROUPS) == 650
    assert sum(size for name, size in sizes.items() if name.startswith("goal")) == 13 * (3 + 2 + 6)
    later, later_goals = len(ACTIONS) - FIRST_ACTION_COUNT, len(GOAL_ACTIONS) - 6
    assert output_layout(JOINTS, ACTIONS[:FIRST_ACTION_COUNT]).size == OUT.size - 7 * later - 13 * later_goals
    assert has_goals(layout) and not has_goals(locomotion_inputs(JOINTS, ("stand", "walk")))


def test_new_actions_come_at_the_end_so_that_those_before_keep_their_columns() -> None:
    few = ACTIONS[:FIRST_ACTION_COUNT]
    assert few == ("idle", "walk", "run", "sit", "open", "carry", "climb")
    assert goal_actions_of(few) == GOAL_ACTIONS[: len(few) - 1], "what cannot be a goal is the last of them"
    assert are_known_actions(few) and are_known_actions(ACTIONS)
    for names in (few[:-1], (*ACTIONS, "swim"), ("walk", *ACTIONS[1:])):
        assert not are_known_actions(names)


def test_the_goals_view_of_the_way_is_the_same_way(walk: Clip) -> None:
    frames = sample_frames(len(walk))[:150]
    y = clip_outputs(walk, going(walk), JOINTS, REFERENCE, frames)
    track = root_track(walk)
    seen = OUT.view(y, "goal_trajectory.position")
    yaw = np.arctan2(-FRONT[0], FRONT[1])
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    ahead = frames[:, None] + 1 + np.array(FUTURE_OFFSETS_FRAMES)
    np.testing.assert_allclose(seen @ turn.T + GOAL[:2], track.positions[ahead], atol=1e-5)


def test_the_pose_ahead_is_the_pose_of_a_second_later(walk: Clip) -> None:
    frames = sample_frames(len(walk))[:120]
    y = clip_outputs(walk, going(walk), JOINTS, REFERENCE, frames)
    later = clip_outputs(walk, going(walk), JOINTS, REFERENCE, frames + 61)
    np.testing.assert_allclose(OUT.view(y, "future_pose.position"), OUT.view(later, "pose.position"), atol=1e-5)


@pytest.mark.parametrize("lead", [0, 20, 60])
def test_a_new_goal_is_not_known_before_somebody_says_so(walk: Clip, lead: int) -> None:
    change = 150
    _, goals = time_series_at(walk, going(walk, change, lead), np.array([change - lead - 1, change - lead]))
    door = goals.actions[..., GOAL_ACTIONS.index("open")]
    assert not door[0].any()
    np.testing.assert_array_equal(door[1], np.array(SAMPLE_OFFSETS_FRAMES) >= lead)


def test_the_gate_sees_how_far_and_how_turned_away_what_is_wanted_is() -> None:
    count = len(SAMPLE_OFFSETS_FRAMES)
    here = TimeSeries(
        np.zeros((1, count, 2)), np.tile([0.0, 1.0], (1, count, 1)), np.eye(len(ACTIONS))[None, [1] * count]
    )
    there = TimeSeries(
        np.tile([3.0, 4.0, 0.0], (1, count, 1)),
        np.tile([1.0, 0.0], (1, count, 1)),
        np.eye(len(GOAL_ACTIONS))[None, [3] * count],
    )
    seen = gating_features(np.array([0.25]), here, there)
    assert {name: value.shape[1:] for name, value in seen.items()} == {
        group.name: group.shape for group in input_layout(JOINTS) if group.name in GATING_GROUPS
    }
    np.testing.assert_allclose(seen["gating.action"][0, 0, :, 1], 1.0)
    np.testing.assert_allclose(seen["gating.goal_distance"][0, 0, :, 3], 5.0)
    np.testing.assert_allclose(seen["gating.goal_angle"][0, 0, :, 3], np.pi / 2)
    assert np.abs(seen["gating.goal_angle"][0, 1]).max() < 1e-12, "a quarter of a cycle has no cosine"


def some_state() -> NsmState:
    """A character at (1, 2) that faces west, and a goal on its right; all else is noise."""
    rng = np.random.default_rng(1)
    count, many = len(SAMPLE_OFFSETS_FRAMES), len(JOINTS)
    way = TimeSeries(
        np.tile([0.0, 2.0], (1, count, 1)), np.tile([-1.0, 0.0], (1, count, 1)), rng.uniform(size=(1, count, 12))
    )
    goals = TimeSeries(
        np.tile([1.0, 5.0, 0.5], (1, count, 1)), np.tile([0.0, 1.0], (1, count, 1)), rng.uniform(size=(1, count, 11))
    )
    pose, velocity, rotation = rng.normal(size=(3, 1, many, 3))
    environment, volume = rng.uniform(size=(1, 2034)), rng.uniform(size=(1, 512, 4))
    place, yaw, phase = np.array([[1.0, 2.0]]), np.array([np.pi / 2]), np.array([0.125])
    return NsmState(place, yaw, way, goals, pose, velocity, rotation, environment, volume, phase)


@pytest.mark.parametrize("rotations", [True, False])
def test_inputs_are_the_state_in_the_root_s_frame(rotations: bool) -> None:
    layout, state = input_layout(JOINTS, rotations=rotations), some_state()
    x = state.to_inputs(layout)
    assert x.dtype == np.float32 and np.isfinite(x).all()
    for name, expected in (
        ("trajectory.position", [0.0, 1.0]),
        ("trajectory.direction", [0.0, 1.0]),
        ("trajectory.action", state.trajectory.actions[0]),
        ("pose.position", state.pose[0]),
        ("pose.velocity", state.velocity[0]),
        *((("pose.rotation", state.rotation[0]),) if rotations else ()),
        ("goal.position", [3.0, 0.0, 0.5]),
        ("goal.direction", [1.0, 0.0]),
        ("goal.action", state.goals.actions[0]),
        ("environment.occupancy", state.environment[0]),
        ("interaction.voxel", state.interaction[0]),
    ):
        shown = layout.view(x, name)[0]
        np.testing.assert_allclose(shown, np.broadcast_to(expected, shown.shape), atol=1e-6, err_msg=name)
    for name, values in gating_features(state.phase, state.trajectory, state.goals).items():
        np.testing.assert_allclose(layout.view(x, name), values, rtol=1e-6, err_msg=name)
