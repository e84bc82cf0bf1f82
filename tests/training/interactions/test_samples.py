"""Samples of takes: goals, things and what is known of them."""

import numpy as np
import pytest

from footfall.core.features.interaction import SAMPLE_OFFSETS_FRAMES, input_layout, output_layout
from footfall.core.motion.root_frame import into_frame, root_track
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import person
from footfall.tests.training.interactions.walker_takes import carried_take, walker_take
from footfall.training.interactions.samples import action_labels_of, goal_poses, take_samples

JOINTS = person().names
REFERENCE = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1))
IN, OUT = input_layout(JOINTS), output_layout(JOINTS)


def test_things_are_goals_and_are_sensed_where_they_are() -> None:
    take = walker_take(1)
    x, y, phase = take_samples(take, JOINTS, REFERENCE)
    assert x.shape == (len(take.clip) - 3, IN.size) and y.shape == (len(x), OUT.size) and phase.shape == (len(x),)
    track, row = root_track(take.clip), 20
    stool = take.objects[0].positions[0] - np.append(track.positions[row + 2], 0.0)
    seen = into_frame(stool, track.yaws[row + 2])
    np.testing.assert_allclose(IN.view(x, "goal.position")[row, SAMPLE_OFFSETS_FRAMES.index(0)], seen, atol=1e-5)
    cells = IN.view(x, "interaction.voxel")[row]
    np.testing.assert_allclose(cells[:, :3].mean(axis=0), seen + np.array([0.0, 0.0, 0.225]), atol=1e-5)
    np.testing.assert_allclose(cells[:, 3], 1.0, err_msg="the stool is a full block")
    near = IN.view(x, "environment.occupancy").max(axis=1)
    assert near[-1] > 0.9, "it stands by the way's end"


def test_a_carrier_heads_for_the_place_to_put_its_load_and_does_not_sense_it() -> None:
    take = carried_take(2)
    count = len(take.clip)
    lies, put = take.objects[0].positions[0], take.objects[0].positions[-1]
    places, _ = goal_poses(take)
    np.testing.assert_allclose(places[: count // 3 - 1], np.tile(lies, (count // 3 - 1, 1)))
    np.testing.assert_allclose(places[count // 3 + 1 :], np.tile(put, (count - count // 3 - 1, 1)), atol=1e-9)
    x, _, _ = take_samples(take, JOINTS, REFERENCE)
    sensed = IN.view(x, "environment.occupancy").max(axis=1)
    assert sensed[count // 3 - 6] > 0.5 and sensed[count // 2] == 0.0


@pytest.mark.parametrize("number", range(6))
def test_a_goal_is_known_some_time_before_it_begins_at_most_a_second(number: int) -> None:
    take = walker_take(number)
    known, change = action_labels_of(take).known_goal_frames, len(take.clip) // 2
    told = int(np.flatnonzero(known >= change)[0])
    assert change - 60 <= told <= change
    np.testing.assert_array_equal(
        action_labels_of(take).known_goal_frames, known, "the same take is always told the same"
    )
