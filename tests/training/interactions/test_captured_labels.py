"""Labels and objects of the user reach takes: where they are there they count, where they are not it is detected."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS
from footfall.core.labelling import Labels, label_clip
from footfall.core.labelling.labeller import hand_speed
from footfall.core.labelling.phase.acyclic_phase import acyclic_phase, find_transitions
from footfall.core.labelling.presets import find_preset
from footfall.core.labelling.semantics.goals import find_goals
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.rig.clip_file import read_clip
from footfall.core.scene.clip_objects import ClipObject, objects_path, save_clip_objects
from footfall.core.scene.collider import Collider
from footfall.core.scene.object_fitting import find_static_frame, fit_object
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.interactions import walk_library
from footfall.training.interactions.captured_clip import load_captured_clip
from footfall.training.interactions.carried_box import find_carried_boxes
from footfall.training.interactions.carry_motion import find_carry_motions
from footfall.training.interactions.motion_library import ClipReading, read_motion_library
from footfall.training.interactions.sit_motion import SitMotion, find_sit_motions
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_generator import TakeGenerator, load_motion_library
from footfall.training.interactions.take_kinds import kind_of
from footfall.training.interactions.takes import carry, sit

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
BODY = NetworkSkeleton.of(load_model(SHIPPED))
SIT, LIFT, WALK = (
    "cmu_asfamc/sit/14_31",
    "accad_male1/carry/Male1_A5_PickUpBox",
    "accad_male1/carry/Male1_B20_WalkWithBox",
)
SECOND_SIT_S = (10.4, 14.8)
"""Seconds of the clip from the hips' sinking to their rise."""
LIFT_S = 1.8
"""Second at which the box is taken."""


def copied(shared_data: Path, folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{Path(name).name}.bvh"
    shutil.copyfile(shared_data / "mocap" / f"{name}.bvh", file)
    return file


def labelled(file: Path, action: str, *seconds: tuple[float, float]) -> Labels:
    """Labels in which the user said when an action takes place, and nothing else does."""
    clip = read_clip(file)
    found = label_clip(clip, find_preset("interaction"))
    actions = np.tile(np.eye(len(found.action_names))[0], (len(found), 1))
    for start, stop in seconds:
        rows = slice(round(start * clip.rate), round(stop * clip.rate))
        actions[rows] = np.eye(len(found.action_names))[found.action_names.index(action)]
    made = with_actions(clip, found, actions)
    made.save(file.with_suffix(".labels.npz"))
    return made


def with_actions(clip: Clip, labels: Labels, actions: np.ndarray) -> Labels:
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2] - labels.ground
    transitions = find_transitions(labels.action_names, actions, heights, hand_speed(clip), clip.rate)
    goals = find_goals(clip, actions, labels.action_names)
    return replace(labels, actions=actions, goals=goals, action_phase=acyclic_phase(transitions, len(labels)))


def sits(file: Path) -> list[SitMotion]:
    return find_sit_motions(load_captured_clip(file, BODY))


def test_the_range_that_the_user_labelled_is_taken(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, SIT)
    detected = sits(file)
    start, stop = SECOND_SIT_S
    labelled(file, "sit", (start, stop))
    (one,) = sits(file)
    assert len(detected) == 2
    labelled(file, "sit", (start - 0.8, stop))
    (early,) = sits(file)
    length = one.rest_start - one.sink_start
    assert abs((early.rest_start - early.sink_start) - (length + 48)) <= 6, "it begins 0.8 s earlier, as labelled"
    assert early.phase_frames[0] == early.sink_start and early.phase_frames[1] == early.rest_start
    assert one.shows_arrival and one.shows_departure and one.rest_end - one.rest_start > 60


def test_carrying_begins_where_the_user_says(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, LIFT)
    (detected,) = find_carry_motions(load_captured_clip(file, BODY)).pick_ups
    end = read_clip(file).duration
    found = []
    for start in (LIFT_S - 0.2, LIFT_S):
        labelled(file, "carry", (start, end))
        found.append(find_carry_motions(load_captured_clip(file, BODY)))
    (lift,), (late,) = (one.pick_ups for one in found)
    assert lift.lowest_frame == detected.lowest_frame and abs(len(lift) - len(detected)) < 4
    assert late.action_ramp[0] - lift.action_ramp[0] == pytest.approx(12, abs=2)
    assert detected.action_ramp == (0, detected.lowest_frame)
    assert lift.phase_range != detected.phase_range, "the labels say how far it is"
    assert len(found[0].walks) == 1, "one clip is enough: what follows is carried"


def library_of(*files: Path) -> tuple[ClipReading, ...]:
    return read_motion_library(SHIPPED, (), (), files, 0).readings


def test_it_is_said_how_each_clip_was_read(shared_data: Path, tmp_path: Path) -> None:
    files = [copied(shared_data, tmp_path, name) for name in (SIT, LIFT, WALK)]
    walk = copied(shared_data, tmp_path, "cmu_asfamc/walk/02_01")
    labelled(files[0], "sit", SECOND_SIT_S)
    readings = library_of(*files, walk)
    assert [one.has_labels for one in readings] == [True, False, False, False]
    assert readings[0].sentence() == "14_31.bvh, by labels: 1 sits"
    assert readings[1].sentence() == "Male1_A5_PickUpBox.bvh, by detection: 1 lifts"
    assert readings[3].sentence() == "02_01.bvh: not used: the clip shows no sitting, carrying, lying or climbing"
    # Labels by a preset that looks for neither say nothing about it.
    label_clip(read_clip(files[0])).save(files[0].with_suffix(".labels.npz"))
    assert not library_of(files[0])[0].has_labels


def fitted(file: Path, action: str, size: tuple[float, float, float], aside: float = 0.0) -> Collider:
    """A block under the clip's motion, moved to the right of the character by hand."""
    clip, labels = read_clip(file), Labels.load(file.with_suffix(".labels.npz"))
    half = np.array(size) / 2
    block = Collider(np.array([[-half[0], -half[1], 0.0]]), np.array([[half[0], half[1], size[2]]]))
    frame = find_static_frame(clip, labels.actions[:, labels.action_names.index(action)], action)
    fit = fit_object(clip, block, action, frame)
    moving = fit.animated_collider(clip)
    yaw = float(root_track(clip).yaws[frame])
    shift = aside * np.array([np.cos(yaw), np.sin(yaw), 0.0])
    save_clip_objects(
        objects_path(file), [ClipObject(action, "block", block, moving.positions + shift, moving.rotations)]
    )
    return block


def test_a_seat_is_where_the_user_put_it(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, SIT)
    labelled(file, "sit", SECOND_SIT_S)
    fitted(file, "sit", (0.5, 0.5, 0.42))
    (under,) = sits(file)
    fitted(file, "sit", (0.5, 0.5, 0.42), aside=0.1)
    (aside,) = sits(file)
    scale = BODY.skeleton.leg_length / read_clip(file).skeleton.leg_length
    np.testing.assert_allclose(aside.placement.offset - under.placement.offset, [0.1 * scale, 0.0], atol=0.01)
    assert under.placement.collider is not None and 0.1 < under.placement.hip_height < 0.22
    assert under.placement.name == "block" and abs(under.placement.yaw) < 0.2
    mirrored = find_sit_motions(load_captured_clip(file, BODY).mirrored())[0].placement
    np.testing.assert_allclose(mirrored.offset, aside.placement.offset * [-1, 1], atol=0.01)


def test_a_box_is_held_as_the_user_put_it(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, LIFT)
    labelled(file, "carry", (LIFT_S, read_clip(file).duration))
    fitted(file, "carry", (0.4, 0.25, 0.3))
    (box,) = find_carried_boxes(load_captured_clip(file, BODY))
    scale = BODY.skeleton.leg_length / read_clip(file).skeleton.leg_length
    np.testing.assert_allclose([box.width, box.depth, box.height], scale * np.array([0.4, 0.25, 0.3]), atol=0.01)
    assert np.abs(box.offset).max() < 0.02 and abs(box.grip_height / box.height - 0.45) < 0.05
    fitted(file, "carry", (0.4, 0.25, 0.3), aside=0.05)
    (aside,) = find_carried_boxes(load_captured_clip(file, BODY))
    assert np.linalg.norm(aside.offset - box.offset) == pytest.approx(0.05 * scale, abs=0.005)


@pytest.fixture
def takes(shared_data: Path, tmp_path: Path) -> Iterator[dict[str, InteractionTake]]:
    """A take of each kind, on the objects that the user fitted."""
    files = [copied(shared_data, tmp_path, name) for name in (SIT, LIFT)]
    labelled(files[0], "sit", SECOND_SIT_S)
    labelled(files[1], "carry", (LIFT_S, read_clip(files[1]).duration))
    fitted(files[0], "sit", (0.5, 0.5, 0.42))
    fitted(files[1], "carry", (0.4, 0.25, 0.3))
    recipe = TakeGenerator(SHIPPED, clips=tuple(files), seed=52, varied=False, walk_count=4)
    library = load_motion_library(recipe)

    def first(kind: str) -> InteractionTake:
        takes = (recipe(number) for number in range(60) if kind_of(library, number) == kind)
        return next(take for take in takes if take.objects[0].name == "block")

    yield {kind: first(kind) for kind in ("sit", "carry")}
    load_motion_library.cache_clear()


@pytest.mark.slow
def test_takes_are_on_the_objects_of_the_user(takes: dict[str, InteractionTake]) -> None:
    seat, box = takes["sit"].objects[0], takes["carry"].objects[0]
    assert (seat.name, seat.kind, box.name, box.kind) == ("block", "seat", "block", "box")
    held = np.flatnonzero(takes["sit"].contacts[:, 0] > 0.5)
    clip, middle = takes["sit"].clip, (held[0] + held[-1]) // 2
    off = clip.positions[middle, clip.skeleton.joint("hips")] - seat.positions[middle]
    assert np.abs(off[:2]).max() < 0.25 and 0.5 < off[2] < 0.65, "the hips are over the block"
    assert takes["sit"].actions[middle, ACTIONS.index("sit")] == 1.0
    taken, *_, put = np.flatnonzero(takes["carry"].contacts[:, 1:3].all(axis=1))
    assert np.linalg.norm(box.positions[put, :2] - box.positions[taken, :2]) > 0.5
    straight = rotation_about_up(np.array(0.0))
    assert box.rotations.shape == (len(takes["carry"].clip), 4) and np.isfinite(straight).all()


def test_fitted_objects_are_varied_in_size(shared_data: Path, tmp_path: Path) -> None:
    files = [copied(shared_data, tmp_path, name) for name in (SIT, LIFT)]
    labelled(files[0], "sit", SECOND_SIT_S)
    labelled(files[1], "carry", (LIFT_S, read_clip(files[1]).duration))
    block = fitted(files[0], "sit", (0.5, 0.5, 0.42))
    fitted(files[1], "carry", (0.4, 0.25, 0.3))
    motions, boxes = sits(files[0]), find_carried_boxes(load_captured_clip(files[1], BODY))
    scale = BODY.skeleton.leg_length / read_clip(files[0]).skeleton.leg_length
    generator = np.random.default_rng(0)
    seats = [sit.draw_fitted_seat(motions, generator, True) for _ in range(120)]
    heights = np.array([one[1].position[2] for one in seats if one is not None]) / (scale * block.upper[0, 2])
    held = [carry.draw_fitted_box(boxes, generator, True) for _ in range(120)]
    widths = np.array([one.width for one in held if one is not None]) / boxes[0].width
    for ratios in (heights, widths):
        assert 40 < len(ratios) < 80 and 0.25 < np.mean(np.abs(ratios - 1.0) < 0.001) < 0.75, "half as they are"
        assert 0.849 < ratios.min() < 0.9 and 1.1 < ratios.max() < 1.181


def test_objects_of_another_clip_are_refused(shared_data: Path, tmp_path: Path) -> None:
    file = copied(shared_data, tmp_path, SIT)
    labelled(file, "sit", SECOND_SIT_S)
    other = ClipObject("sit", "block", Collider(np.zeros((1, 3)), np.ones((1, 3))), np.zeros((7, 3)), np.zeros((7, 4)))
    save_clip_objects(objects_path(file), [other])
    reading = library_of(file, copied(shared_data, tmp_path, LIFT), copied(shared_data, tmp_path, WALK))[0]
    assert not reading.is_used and "export the clip again" in reading.reason
