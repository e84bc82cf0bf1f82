"""The controller of interactions that ships: it sits on a seat, carries a box, goes through a door."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.interaction_measures import penetration_depths
from footfall.benchmarks.odd_props import odd_loads
from footfall.core.actions import ACTION_TABLE
from footfall.core.control.interaction.door import TUNING as DOOR_TUNING
from footfall.core.control.interaction.door import opening_angle
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from footfall.core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO, hips_over_seat
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS, are_known_actions
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_fitting import palm_positions
from footfall.core.scene.object_usage import use_object
from footfall.training.interactions.props.doors import Door, Wall
from footfall.training.interactions.props.seats import Chair, Stool
from footfall.training.interactions.props.tables import Box, Table

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "interactions" / "everyday.safetensors"
UPRIGHT = rotation_about_up(np.array(0.0))
STARTS = ((0.3, 2.0, 3.0), (-1.5, 1.2, -2.0), (1.6, 0.8, 1.5))
"""Places, meters, and yaws."""


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


@pytest.fixture(scope="module")
def chair() -> InteractionObject:
    collider = Collider.from_mesh(*Chair(seat_height=0.45).mesh())
    return InteractionObject("chair", "seat", collider, np.zeros(3), rotation_about_up(np.array(0.0)))


def turned(model: ControllerModel, chair: InteractionObject, x: float, yaw: float) -> float:
    """Return by how much a character turns that comes from before a seat and sits down, degrees."""
    play = InteractionSequencer(model, [chair], [InteractionTask("sit", 0)], np.array([x, 2.2]), yaw)
    while not play.done and play.advance(60):
        pass
    yaws = np.unwrap([frame.yaw[0] for frame in play.frames])
    return float(np.degrees(np.abs(yaws[-1] - yaws[0])))


@pytest.mark.parametrize("x", [-1.4, -0.8, 0.8, 1.4])
def test_a_character_turns_the_short_way_to_sit_down(
    model: ControllerModel, chair: InteractionObject, x: float
) -> None:
    assert turned(model, chair, x, np.pi - np.arctan2(x, 1.6)) < 180.0


def test_the_controller_names_its_training_data(model: ControllerModel) -> None:
    (source,) = model.provenance["sources"]
    assert "CMU" in source["name"] and "ACCAD" in source["name"] and "EIA-0196217" in source["credit"]
    assert SHIPPED.stat().st_size < 40e6


def test_it_does_what_it_was_taught_and_refuses_the_rest(model: ControllerModel) -> None:
    assert are_known_actions(model.actions) and model.actions == model.gaits
    for group in ("trajectory.action", "goal.action", "gating.goal_action"):
        shape = next(one.shape for one in model.input_layout if one.name == group)
        assert shape[-1] == len(model.goal_actions if "goal" in group else model.actions)
    assert set(model.goal_actions) - set(model.taught_goals) == {"mount"}, "it has columns for what no take showed"
    for action in set(ACTIONS[7:]) - set(model.taught_goals):
        phrase = ACTION_TABLE[action].phrase or action
        with pytest.raises(FootfallError, match=f"The controller was not trained to {phrase}"):
            InteractionSequencer(model, [], [InteractionTask(action, position=np.ones(3))], np.zeros(2))


def test_a_box_is_picked_up_and_held_to_the_end(model: ControllerModel) -> None:
    box = InteractionObject("box", "box", Collider.from_mesh(*Box().mesh()), np.zeros(3), UPRIGHT)
    result = _performed(model, box, InteractionTask("pick_up", 0, duration=2.0))
    heights = [objects[0].position[2] for objects in result.objects]
    held = heights[-round(2.0 * model.rate) :]
    assert heights[0] == 0.0 and min(held) > 0.7 and max(held) < 1.1
    wrists = result.clip.positions[-120:, [result.clip.skeleton.joint(f"hand.{side}") for side in "LR"]]
    places = np.array([objects[0].position for objects in result.objects[-120:]])
    assert np.ptp(wrists.mean(axis=1) - places, axis=0).max() < 0.01, "it does not slip"


def test_what_is_held_is_put_back_before_the_next_task(model: ControllerModel) -> None:
    box = InteractionObject("box", "box", Collider.from_mesh(*Box().mesh()), np.zeros(3), UPRIGHT)
    walk = InteractionTask("walk", position=np.array([2.0, 2.0, 0.0]))
    result = _performed(model, box, InteractionTask("pick_up", 0, duration=1.0), walk)
    places = np.array([objects[0].position for objects in result.objects])
    assert places[:, 2].max() > 0.7
    assert np.abs(places[-1]).max() < 0.01
    assert np.linalg.norm(result.clip.root_positions[-1, :2] - [2.0, 2.0]) < 0.3


def _performed(model: ControllerModel, box: InteractionObject, *tasks: InteractionTask) -> RefinedInteraction:
    play = InteractionSequencer(model, [box], tasks, np.array([0.3, 2.0]), 3.0)
    while len(play.frames) < 2400 and play.advance(60):
        pass
    assert play.done
    return refine_interaction(play.recording)


@pytest.mark.parametrize("start", STARTS)
def test_it_sits_down_and_stays_seated(
    model: ControllerModel, chair: InteractionObject, start: tuple[float, float, float]
) -> None:
    play = InteractionSequencer(
        model, [chair], [InteractionTask("sit", 0, duration=1.0)], np.array(start[:2]), start[2]
    )
    while len(play.frames) < 1500 and play.advance(60):
        pass
    reached = [event.frame for event in play.events if event.kind == "reached"]
    assert reached, "it sits"
    result = refine_interaction(play.recording)
    seat = chair.seat
    assert seat is not None
    wanted = seat.position + np.array([0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * model.skeleton.leg_length])
    hips = result.clip.positions[reached[0] + 20 :, model.skeleton.joint("hips")]
    assert np.linalg.norm(hips - wanted, axis=-1).max() < 0.03
    speeds = np.linalg.norm(np.diff(result.clip.positions, axis=0), axis=-1) * 60
    assert np.isfinite(speeds).all() and speeds.max() < 15.0
    assert speeds[0].max() < 1.0 and speeds[:20].max() < 6.0, "nobody pops out of standing"


def test_its_hips_do_not_sink_into_a_high_stool_on_the_way_onto_it(model: ControllerModel) -> None:
    stool = use_object("stool", *Stool(seat_height=0.85, size=0.36).mesh(), "sit", None)
    task = InteractionTask("sit", 0, duration=1.0)
    play = InteractionSequencer(model, [stool], [task], np.array([0.0, 2.0]), np.pi)
    while len(play.frames) < 1500 and play.advance(60):
        pass
    reached = play.recording.event_frame("reached", 0)
    assert reached is not None, "it sits"
    clip = refine_interaction(play.recording).clip
    above = clip.positions[:, clip.skeleton.joint("hips")] - hips_over_seat(stool, clip.skeleton.leg_length)
    over = np.linalg.norm(above[:, :2], axis=1) < 0.1
    assert over[:reached].any() and above[over, 2].min() > -0.03, "14 cm before, as its feet were held on the ground"
    assert np.abs(above[reached + 15 : reached + 50, 2]).max() < 0.01, "the aim is 1.5 cm"


@pytest.mark.all_only("carrying is tested in tests/addon")
def test_it_carries_a_box_from_table_to_table(model: ControllerModel) -> None:
    box = InteractionObject(
        "box", "box", Collider.from_mesh(*Box(0.32, 0.28, 0.26).mesh()), np.array([0.0, 0.1, 0.65]), UPRIGHT
    )
    top = Collider.from_mesh(*Table(height=0.65, width=0.8, depth=0.5).mesh())
    tables = [InteractionObject("table", "surface", top, np.array([x, 0.0, 0.0]), UPRIGHT) for x in (0.0, 2.6)]
    errand = InteractionTask("carry", 0, position=np.array([2.6, 0.1, 0.65]), stand_direction=np.array([0.0, 1.0]))
    done = 0
    for start in ((0.4, 2.0, 3.0), (-1.0, 1.6, -2.5), (1.5, 2.2, 2.0)):
        play = InteractionSequencer(model, [box, *tables], [errand], np.array(start[:2]), start[2])
        while len(play.frames) < 2500 and play.advance(60):
            pass
        kinds = [event.kind for event in play.events]
        if "put" not in kinds:
            continue
        done += 1
        took, put = (next(event.frame for event in play.events if event.kind == kind) for kind in ("took", "put"))
        result, middle = refine_interaction(play.recording), (took + put) // 2
        held = result.objects[middle][0].facing_side(play.recording.approach_sides[0])
        assert held.grips is not None
        hands = result.clip.positions[middle, [model.skeleton.joint(f"hand.{side}") for side in "LR"]]
        assert np.linalg.norm(hands - held.posed_collider.to_world(held.grips.hands), axis=1).max() < 0.06
        np.testing.assert_allclose(play.current_objects[0].position, errand.position)
    assert done >= 2, "of three"


def test_a_box_on_the_floor_is_taken_when_the_body_is_bent_and_not_after_it_has_bobbed(model: ControllerModel) -> None:
    collider = Collider.from_mesh(*Box(0.3, 0.3, 0.24).mesh())
    box = InteractionObject("box", "box", collider, np.zeros(3), UPRIGHT)
    errand = InteractionTask("carry", 0, position=np.array([1.6, -1.2, 0.0]))
    play = InteractionSequencer(model, [box], [errand], np.array([0.0, 2.0]), np.pi)
    while play.recording.event_frame("took", 0) is None and len(play.frames) < 900:
        play.advance(1)
    took = play.recording.event_frame("took", 0)
    assert took is not None
    heights = [float(play.recording.wrist_positions(frame)[:, 2].mean()) for frame in play.frames[took - 150 : took]]
    lowest = int(np.argmin(heights))
    assert len(heights) - lowest < 0.3 * model.rate, "taken as they begin to rise"


@pytest.mark.parametrize("start", [(0.3, 2.2, 3.0), (-0.8, -2.0, 0.5)])
def test_it_passes_a_door_from_either_side(model: ControllerModel, start: tuple[float, float, float]) -> None:
    door = Door(width=0.92)
    leaf = InteractionObject(
        "door", "door", Collider.from_mesh(*door.leaf_mesh()), np.zeros(3), UPRIGHT, handle=door.affordance()
    )
    wall = Wall(width=4.0, opening_size=(door.width, door.height))
    around = InteractionObject("wall", "obstacle", Collider.from_mesh(*wall.mesh()), np.zeros(3), UPRIGHT)
    play = InteractionSequencer(model, [leaf, around], [InteractionTask("open", 0)], np.array(start[:2]), start[2])
    while len(play.frames) < 1500 and play.advance(60):
        pass
    kinds = [event.kind for event in play.events]
    assert "opened" in kinds and "gave up" not in kinds
    assert play.runtime.position[0, 1] * start[1] < 0, "on the other side"


@pytest.mark.parametrize(("hinge", "start"), [(-1, (0.3, 2.2, 3.0)), (1, (-0.8, -2.0, 0.5))])
def test_it_pulls_a_door_that_opens_toward_it(
    model: ControllerModel, hinge: int, start: tuple[float, float, float]
) -> None:
    door, side = Door(width=0.92, hinge_side=hinge), 0 if start[1] > 0 else 2
    handle = replace(door.affordance(), opens_toward=np.array([0.0, np.sign(start[1])]))
    leaf = InteractionObject("door", "door", Collider.from_mesh(*door.leaf_mesh()), np.zeros(3), UPRIGHT, handle=handle)
    wall = Wall(width=4.0, opening_size=(door.width, door.height))
    around = InteractionObject("wall", "obstacle", Collider.from_mesh(*wall.mesh()), np.zeros(3), UPRIGHT)
    play = InteractionSequencer(model, [leaf, around], [InteractionTask("open", 0)], np.array(start[:2]), start[2])
    while len(play.frames) < 1500 and play.advance(60):
        pass
    assert [event.kind for event in play.events] == ["began", "opened"]
    assert play.runtime.position[0, 1] * start[1] < 0, "on the other side"
    result = refine_interaction(play.recording)
    leaves = [state[0] for state in result.objects]
    angles = np.array([opening_angle(one, leaf) for one in leaves])
    edge = leaves[int(angles.argmax())].posed_collider.to_world(np.array([[-hinge * 0.46, 0.0, 1.0]]))[0]
    assert edge[1] * start[1] > 0 and angles.max() > DOOR_TUNING.open_angle, "it opens toward the character"
    speeds = np.diff(angles, prepend=0.0) * model.rate
    assert np.abs(speeds).max() < np.radians(150)
    hand = leaf.facing_side(side).handle
    assert hand is not None
    handles = np.stack([one.facing_side(side).posed_collider.to_world(hand.position[None])[0] for one in leaves])
    palm = palm_positions(result.clip)["LR".index(hand.pulling_hand)]
    assert np.linalg.norm(palm - handles, axis=1)[speeds > np.radians(3)].max() < 0.03, "its hand is on the handle"
    for joint, most in (("hips", 0.03), ("head", 0.04)):
        track = result.clip.positions[:, model.skeleton.joint(joint)]
        assert np.linalg.norm(np.diff(track, axis=0), axis=1).max() < most, joint
    assert penetration_depths(result, play).max() < 0.03


def test_it_carries_a_suitcase_by_its_handle_beside_the_leg(model: ControllerModel) -> None:
    suitcase, place = use_object("suitcase", *odd_loads()["suitcase"], "carry", None), np.array([2.4, 0.0, 0.0])
    task = InteractionTask("carry", 0, position=place, direction=suitcase.front_direction)
    play = InteractionSequencer(model, [suitcase], [task], np.array([0.0, 2.0]), np.pi)
    while len(play.frames) < 1500 and play.advance(60):
        pass
    took, put = (play.recording.event_frame(kind, 0) for kind in ("took", "put"))
    assert took is not None and put is not None
    np.testing.assert_allclose(play.current_objects[0].position, place, atol=1e-9)
    result = refine_interaction(play.recording)
    frame = (took + put) // 2
    held, clip = result.objects[frame][0], result.clip
    np.testing.assert_allclose(held.rotation[1:3], 0.0, atol=1e-9)
    assert held.position[2] > 0.1, "it hangs upright over the ground"
    handle = held.posed_collider.to_world(held.grip_centre[None])[0]
    wrists = {side: clip.positions[frame, clip.skeleton.joint(f"hand.{side}")] for side in "LR"}
    over = wrists["R"] - handle
    assert np.linalg.norm(over[:2]) < 0.02 and 0.04 < over[2] < 0.12, "the palm is on the bar, from above"
    assert np.linalg.norm(wrists["L"] - handle) > 0.4, "the other arm is free"
    hips = clip.positions[frame, clip.skeleton.joint("hips")]
    assert 0.25 < np.linalg.norm((handle - hips)[:2]) < 0.45, "beside the leg"
