"""Labels of lying, climbing and carrying reach takes: their ranges, their phase, and goals that the user moved."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.labelling import Labels
from footfall.core.labelling.semantics.goals import GoalLabels
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.rig.clip_file import read_clip
from footfall.tests.training.interactions.test_captured_labels import (
    BODY,
    LIFT,
    LIFT_S,
    SECOND_SIT_S,
    SHIPPED,
    SIT,
    copied,
    labelled,
)
from footfall.training.data.sources import ClipSource
from footfall.training.interactions.captured_clip import load_captured_clip
from footfall.training.interactions.captured_goals import NO_TIMES
from footfall.training.interactions.carry_motion import find_carry_motions
from footfall.training.interactions.climb_motion import find_climb_motions
from footfall.training.interactions.ground_motion import GroundMarks, GroundPiece, load_ground_pieces
from footfall.training.interactions.motion_library import MotionLibrary, read_motion_library
from footfall.training.interactions.sit_motion import find_sit_motions
from footfall.training.interactions.takes.ground import LYING_REST, make_ground_take

DOWN, LOWER, UP = (f"accad_male1/crouch/Male1_{name}" for name in ("A7_Crouch", "A8_CrouchToLie", "A10_LieToCrouch"))
CLIMB = "cmu_asfamc/climb/14_33"
SOURCE = ClipSource("made", "CC0", "none", folder="tests")
LIE = ACTIONS.index("lie")


def library_of(*files: Path) -> MotionLibrary:
    return read_motion_library(SHIPPED, (), (), files, 0)


def lying_clips(shared_data: Path, folder: Path, begins: float = 0.0) -> list[Path]:
    """Clips that are labelled as lying from their first frame to their last, the first from some second on."""
    files = [copied(shared_data, folder, name) for name in (DOWN, LOWER, UP)]
    for file in files:
        labelled(file, "lie", (begins if file is files[0] else 0.0, read_clip(file).duration))
    return files


def first_piece(files: list[Path]) -> GroundPiece:
    """The first motion of the first of some clips."""
    return load_ground_pieces(files, BODY)[files[0]][0]


def edited(file: Path, change: Callable[[Labels], GoalLabels]) -> None:
    """Write other goals into the labels beside a clip."""
    path = file.with_suffix(".labels.npz")
    labels = Labels.load(path)
    replace(labels, goals=change(labels)).save(path)


def moved_right(file: Path, distance: float, at: float) -> Callable[[Labels], GoalLabels]:
    """Goals that are moved to the right of the body as it is at some second, m."""
    clip = read_clip(file)
    yaw = float(root_track(clip).yaws[round(at * clip.rate)])
    aside = distance * np.array([np.cos(yaw), np.sin(yaw), 0.0])

    def change(labels: Labels) -> GoalLabels:
        assert labels.goals is not None
        return replace(labels.goals, positions=labels.goals.positions + aside)

    return change


def test_clips_that_are_labelled_as_lying_are_read_by_their_labels(shared_data: Path, tmp_path: Path) -> None:
    library = library_of(*lying_clips(shared_data, tmp_path))
    assert library.shows_lying and not library.shows_sitting
    assert [one.has_labels for one in library.readings] == [True] * 3
    assert library.readings[1].sentence() == "Male1_A8_CrouchToLie.bvh, by labels: 1 lies"


def test_lying_is_detected_and_a_crouch_beside_it_leads_there(shared_data: Path, tmp_path: Path) -> None:
    files = [copied(shared_data, tmp_path, name) for name in (DOWN, LOWER, UP)]
    library = library_of(*files)
    assert library.shows_lying and [one.lies for one in library.readings] == [2, 1, 1]
    assert not any(one.has_labels for one in library.readings)


def test_lying_begins_where_the_user_says(shared_data: Path, tmp_path: Path) -> None:
    whole = first_piece(lying_clips(shared_data, tmp_path / "whole"))
    assert (whole.start, whole.marks.action) == ("stand", (0, len(whole)))
    clip = read_clip(tmp_path / "whole" / "Male1_A7_Crouch.bvh")
    hips = clip.positions[:, clip.skeleton.joint("hips"), 2]
    sinks = float(np.argmax(hips < 0.95 * hips[0])) / clip.rate
    one, later = (
        first_piece(lying_clips(shared_data, tmp_path / f"{number}", sinks + wait)).marks
        for number, wait in enumerate((0.0, 0.2))
    )
    assert one.action[0] > 0 and later.action[0] - one.action[0] == pytest.approx(12, abs=1)
    assert one.action[1] == later.action[1] == len(whole)
    short = GroundMarks((10, 50), (12, 40), (0.1, 0.2, 0.3)).cut(20, 45)
    assert (short.action, short.phase, short.mirrored().goal) == ((0, 25), (0, 20), (-0.1, 0.2, -0.3))


def test_a_take_has_the_labels_and_the_goal_of_its_clips(shared_data: Path, tmp_path: Path) -> None:
    files = lying_clips(shared_data, tmp_path)
    library = library_of(*files)
    own = make_ground_take(LYING_REST, library.ground_pieces, library.walk_library, SOURCE, 1)
    edited(files[1], moved_right(files[1], 0.2, read_clip(files[1]).duration - 0.2))
    moved = library_of(*files)
    take = make_ground_take(LYING_REST, moved.ground_pieces, moved.walk_library, SOURCE, 1)
    assert own is not None and take is not None
    np.testing.assert_allclose(take.clip.positions, own.clip.positions, atol=1e-9)
    told = int(np.flatnonzero(take.goal_actions[:, GOAL_ACTIONS.index("lie")])[0])
    apart = (take.goal_positions - own.goal_positions)[told, :2]
    settled = int(np.argmax((take.phase == 0.0) & (take.actions[:, LIE] == 1.0)))
    right = facing_direction(root_track(take.clip).yaws[settled] - np.pi / 2)
    scale = BODY.skeleton.leg_length / read_clip(files[1]).skeleton.leg_length
    assert abs(abs(apart @ right) - 0.2 * scale) < 0.03, "to the right, or mirrored"


def test_a_climb_is_taken_where_it_is_labelled(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, CLIMB)
    (detected,) = find_climb_motions(load_captured_clip(file, BODY))
    end = read_clip(file).duration
    labelled(file, "climb", (0.0, end))
    (whole,) = find_climb_motions(load_captured_clip(file, BODY))
    assert whole.action == (0, len(whole)) and 0 < detected.action[0] < detected.action[1] < len(detected)
    labelled(file, "climb", (0.0, 0.6))
    assert find_climb_motions(load_captured_clip(file, BODY)) == (), "nothing is climbed in the first half second"


def test_a_box_lies_where_the_user_set_the_goal(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, LIFT)
    labelled(file, "carry", (LIFT_S, read_clip(file).duration))
    (own,) = find_carry_motions(load_captured_clip(file, BODY)).pick_ups
    np.testing.assert_allclose(own.object_offset, 0.0, atol=0.01)
    assert own.goal_times == NO_TIMES
    edited(file, moved_right(file, 0.15, LIFT_S))
    captured = load_captured_clip(file, BODY)
    (lift,) = find_carry_motions(captured).pick_ups
    scale = BODY.skeleton.leg_length / read_clip(file).skeleton.leg_length
    np.testing.assert_allclose(lift.object_offset, [0.15 * scale, 0.0], atol=0.03)
    (mirrored,) = find_carry_motions(captured.mirrored()).pick_ups
    np.testing.assert_allclose(mirrored.object_offset, [-lift.object_offset[0], lift.object_offset[1]], atol=0.01)


def test_a_goal_is_known_from_when_the_user_set_it(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, SIT)
    labelled(file, "sit", SECOND_SIT_S)
    (own,) = find_sit_motions(load_captured_clip(file, BODY))
    assert own.goal_times == NO_TIMES

    def late(labels: Labels) -> GoalLabels:
        """Known for one second before, and until half a second before the end."""
        assert labels.goals is not None
        actions, sit = labels.goals.actions.copy(), labels.action_names.index("sit")
        begins, ends = (round(second * labels.frame_rate) for second in SECOND_SIT_S)
        known = np.arange(len(actions))
        other = (known < begins - labels.frame_rate) | (known >= ends - labels.frame_rate / 2)
        actions[other & (actions[:, sit] > 0.5)] = np.eye(actions.shape[1])[0]
        return replace(labels.goals, actions=actions)

    edited(file, late)
    (one,) = find_sit_motions(load_captured_clip(file, BODY))
    assert one.goal_times.lead == pytest.approx(60, abs=3) and one.goal_times.tail == pytest.approx(30, abs=3)
    assert one.goal_times.begin(200) == 200 - (one.goal_times.lead or 0)
    assert one.goal_times.end(400, usual=380) == 400 - (one.goal_times.tail or 0)
    assert NO_TIMES.begin(200) is None and NO_TIMES.end(400, usual=380) == 380
