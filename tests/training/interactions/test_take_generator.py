"""Takes of real clips: deterministic, exact where things are touched, and never through furniture."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.interaction.door import TUNING as DOOR_TUNING
from footfall.core.control.interaction.wrist_targets import palm_offset, wrist_on_handle
from footfall.core.control.refine.collision_mask import HANDLING_ROLES
from footfall.core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO
from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.labelling import label_clip
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array, inverse, multiply
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.body_size import BODY_HEIGHT_RANGE_M, CLUTTER_CLEARANCE_M
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.core.scene.seat_detection import find_seat
from footfall.training.interactions import walk_library
from footfall.training.interactions.captured_clip import CapturedClip
from footfall.training.interactions.pick_up_motion import wrist_positions
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.sit_motion import find_sit_motions
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_assembly import begin_turned, trim_walk
from footfall.training.interactions.take_generator import TakeGenerator, load_motion_library
from footfall.training.interactions.take_kinds import kind_of
from footfall.training.interactions.take_labels import (
    locomotion_actions,
    moving_speed,
)
from footfall.training.interactions.takes import pulled_door
from footfall.training.interactions.takes.door import make_pushed_door_take

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
KINDS = ("sit", "stroll", "carry", "open", "detour")
EACH = 1
"""Takes that are made of each kind."""


@pytest.fixture(scope="module")
def recipe(shared_data: Path) -> TakeGenerator:
    sitting = tuple(shared_data / f"mocap/cmu_asfamc/sit/{name}.bvh" for name in ("14_31", "14_32"))
    names = ("A5_PickUpBox", "B20_WalkWithBox", "B21_PutDownBoxToWalk")
    carrying = tuple(shared_data / f"mocap/accad_male1/carry/Male1_{name}.bvh" for name in names)
    return TakeGenerator(SHIPPED, sitting, carrying, seed=3, walk_count=4)


@pytest.fixture(scope="module")
def numbers(recipe: TakeGenerator) -> dict[str, list[int]]:
    """The first takes of each kind."""
    made = load_motion_library(recipe)
    return {kind: [number for number in range(60) if kind_of(made, number) == kind][:EACH] for kind in KINDS}


@pytest.fixture(scope="module")
def takes(recipe: TakeGenerator, numbers: dict[str, list[int]]) -> dict[str, list[InteractionTake]]:
    return {kind: [recipe(number) for number in those] for kind, those in numbers.items()}


def roots_of(take: InteractionTake, height: float) -> Array:
    """(F, 3): over the root's places."""
    places = root_track(take.clip).positions
    return np.column_stack([places, np.full(len(places), height)])


def test_captured_sitting_is_found_with_both_ends(recipe: TakeGenerator) -> None:
    found = load_motion_library(recipe).sit_motions
    assert len(found) >= 8, "each clip and its mirror image has two at least"
    for one in found:
        hips = one.clip.positions[:, one.clip.skeleton.joint("hips")]
        rest = slice(one.rest_start, one.rest_end)
        assert np.abs(np.median(hips[rest, :2], axis=0)).max() < 0.02
        assert abs(np.median(root_track(one.clip).yaws[rest])) < 0.05
        assert 0.9 < one.standing_height < 1.05 and 0.5 < one.seated_height < 0.6
        assert one.sink_start < one.rest_start < one.rest_end < one.rise_end
    walk = load_motion_library(recipe).walk_library.walks[0]
    captured = CapturedClip(walk, label_clip(walk), False, (), np.zeros((len(walk), 3)), {})
    assert not find_sit_motions(captured), "nobody sits in a walk"


def test_detours_go_around_obstacles_on_the_straight_line(takes: dict[str, list[InteractionTake]]) -> None:
    for take in takes["detour"]:
        roots, obstacle = root_track(take.clip).positions, take.objects[0]
        placed = PosedCollider(obstacle.collider, obstacle.positions[0], obstacle.rotations[0])
        line = roots[0] + np.linspace(0.0, 1.0, 101)[:, None] * (roots[-1] - roots[0])
        nearest = [placed.horizontal_distances(points, *BODY_HEIGHT_RANGE_M).min() for points in (line, roots[::4])]
        assert nearest[0] < nearest[1], "the walk keeps farther away than the straight line does"
        assert nearest[1] > CLUTTER_CLEARANCE_M
        wanted = take.goal_actions.argmax(axis=1)
        commanded = int(np.argmax(wanted == GOAL_ACTIONS.index("walk")))
        goals = take.goal_positions[commanded:]
        np.testing.assert_array_equal(goals, np.tile(np.append(roots[-1], 0.0), (len(goals), 1)))
        assert wanted[-1] == GOAL_ACTIONS.index("idle")
        moves = moving_speed(take.clip)[commanded : commanded + 60]
        assert moves.max() > 0.3, "a character that is told to go turns, or goes"


def test_a_character_that_turns_on_the_spot_walks(recipe: TakeGenerator) -> None:
    walk = load_motion_library(recipe).walk_library.walks[0]
    made = next(
        one
        for seed in range(20)
        if (one := begin_turned(trim_walk(walk, generator := np.random.default_rng(seed)), generator)).steps
    )
    (steps,) = made.steps
    clip = made.motion.clip
    turned = np.ptp(np.unwrap(root_track(clip).yaws[steps.start : steps.stop]))
    assert turned > 0.5 and np.ptp(root_track(clip).positions[steps.start : steps.stop], axis=0).max() < 0.3
    actions = locomotion_actions(clip)[steps.start : steps.stop]
    assert actions[:, ACTIONS.index("walk")].max() > 0.9


def test_captured_carrying_is_found(recipe: TakeGenerator) -> None:
    made = load_motion_library(recipe)
    assert len(made.pick_ups) == 4 and len(made.carry_clips) == 2, "each clip and its mirror image"


def test_all_kinds_of_takes_are_made(takes: dict[str, list[InteractionTake]]) -> None:
    assert [len(takes[kind]) for kind in KINDS] == [EACH] * len(KINDS)
    assert {take.name for take in takes["carry"]} == {"carry a box"}
    assert {take.name for take in takes["open"]} <= {"open a door", "pull a door open"}
    for take in (take for those in takes.values() for take in those):
        np.testing.assert_allclose(take.goal_actions.sum(axis=1), 1.0)
        for thing in take.objects:
            assert thing.positions.shape == (len(take.clip), 3) and thing.rotations.shape == (len(take.clip), 4)


@pytest.mark.parametrize("which", range(EACH))
def test_somebody_comes_sits_over_the_seat_and_goes(takes: dict[str, list[InteractionTake]], which: int) -> None:
    take = takes["sit"][which]
    seat, sits = take.objects[0], take.actions[:, ACTIONS.index("sit")]
    found = find_seat(seat.collider)
    assert found is not None
    place = PosedCollider(seat.collider, seat.positions[0], seat.rotations[0]).to_world(found.position[None])[0]
    hips = take.clip.positions[:, take.clip.skeleton.joint("hips")]
    rest = np.flatnonzero(take.contacts[:, 0] > 0.5)[20:-20]
    off = hips[rest] - place - [0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * take.clip.skeleton.leg_length]
    assert np.abs(np.median(off, axis=0)).max() < 0.05
    assert sits[0] == sits[-1] == 0.0 and sits[rest].min() == 1.0
    goal = take.goal_actions[:, GOAL_ACTIONS.index("sit")]
    assert goal[rest[0] - 60] == 1.0 and goal[-1] == 0.0
    np.testing.assert_allclose(take.actions.sum(axis=1), 1.0)


@pytest.mark.parametrize("which", range(EACH))
def test_a_box_lies_until_it_is_taken_goes_with_the_hands_and_lies_again(
    takes: dict[str, list[InteractionTake]], which: int
) -> None:
    take = takes["carry"][which]
    box, held = take.objects[0], take.contacts[:, 1:3].all(axis=1)
    (taken, *_, put), hands = np.flatnonzero(held), wrist_positions(take.clip)
    assert box.kind == "box" and held[taken : put + 1].all() and not take.contacts[~held].any()
    for rows in (slice(None, taken + 1), slice(put, None)):
        for track in (box.positions, box.rotations):
            np.testing.assert_array_equal(track[rows], track[rows][:1].repeat(len(track[rows]), axis=0))
    assert np.linalg.norm(box.positions[put, :2] - box.positions[taken, :2]) > 0.5, "it is brought elsewhere"
    assert box.positions[:, 2].min() >= 0.0
    assert np.linalg.norm(np.diff(box.positions, axis=0), axis=1).max() < 0.08, "it never jumps"

    seen = AnimatedCollider(box.collider, box.positions, box.rotations).to_local(hands)[taken : put + 1]
    assert np.ptp(seen, axis=0).max() < 0.01, "hands stay where they took hold of it"
    away = box.collider.distances(seen.reshape(-1, 3))
    assert away.min() > 0.0 and away.max() < 0.06, "outside, at its sides"
    assert seen[0, 0, 0] * seen[0, 1, 0] < 0, "one on either side"
    lower, upper = box.collider.bounds
    assert (seen[..., 2] > lower[2]).all() and (seen[..., 2] < upper[2]).all()


@pytest.mark.parametrize("which", range(EACH))
def test_boxes_lie_on_tables_that_nobody_stands_in(takes: dict[str, list[InteractionTake]], which: int) -> None:
    take = takes["carry"][which]
    box, tables = take.objects[0], [thing for thing in take.objects if thing.kind == "surface"]
    heights = sorted(thing.collider.bounds[1][2] for thing in tables)
    lying = sorted(height for height in box.positions[[0, -1], 2] if height > 0.0)
    np.testing.assert_allclose(heights, lying, atol=0.03)
    for table in tables:
        # As seen from above.
        outline = Collider(table.collider.lower * [1.0, 1.0, 0.0], table.collider.upper * [1.0, 1.0, 0.0])
        placed = PosedCollider(outline, table.positions[0], table.rotations[0])
        assert outline.distances(placed.to_local(roots_of(take, 0.0))).min() > 0.0


@pytest.mark.parametrize("hinge_side", [-1, 1])
def test_a_door_is_pushed_open_by_its_handle_and_falls_shut(recipe: TakeGenerator, hinge_side: int) -> None:
    library, door = load_motion_library(recipe), Door(width=0.9, handle_height=1.05, hinge_side=hinge_side)
    made = (make_pushed_door_take(library.walk_library, library.source, seed, door) for seed in range(20))
    take = next(take for take in made if take is not None)
    leaf, wall = take.objects[:2]
    assert (leaf.kind, wall.name) == ("door", "wall")
    handle, moving = door.affordance(), AnimatedCollider(leaf.collider, leaf.positions, leaf.rotations)

    turn = multiply(leaf.rotations, inverse(wall.rotations))
    angle = np.degrees(np.abs(2 * np.arctan2(turn[:, 3], turn[:, 0])))
    angle = np.minimum(angle, 360.0 - angle)
    assert angle[0] == pytest.approx(0.0, abs=1e-6) and angle.max() > 60.0
    pivot = moving.to_world(np.tile(handle.hinge, (len(take.clip), 1)))
    np.testing.assert_allclose(pivot, pivot[:1].repeat(len(pivot), axis=0), atol=1e-9, err_msg="it hangs in its hinge")

    held = take.contacts[:, 1:3] > 0.5
    (side,) = np.flatnonzero(held.any(axis=0))
    (first, *_, last) = rows = np.flatnonzero(held[:, side])
    palm = palm_offset(take.clip.skeleton.leg_length)
    wanted = moving.to_world(np.tile(wrist_on_handle(handle, palm), (len(take.clip), 1)))
    off = np.linalg.norm(wrist_positions(take.clip)[:, side] - wanted, axis=1)[rows]
    assert len(rows) == last + 1 - first and off.max() < 0.03
    assert angle[:first].max() < 2.0 and (np.diff(angle[rows]) > -1e-6).all(), "it opens while it is held"
    assert angle[last + 1 :].max() < angle[last] + 1.0 and angle[-1] < 0.5 * angle[last], "and falls shut behind"
    assert (np.diff(angle[last:]) < 1e-6).all()

    # The front is towards who comes.
    track = PosedCollider(wall.collider, wall.positions[0], wall.rotations[0]).to_local(roots_of(take, 1.0))
    assert track[0, 1] > 0.0 and track[-1, 1] < -DOOR_TUNING.passed_distance
    across = int(np.argmax(track[:, 1] < 0.0))
    assert abs(track[across, 0]) < door.width / 2 - 0.2 and first < across, "through the doorway"
    goal, opens = take.goal_actions[:, GOAL_ACTIONS.index("open")], take.actions[:, ACTIONS.index("open")]
    assert goal[first] == goal[across] == 1.0 and goal[-1] == 0.0 and (opens[rows] == 1.0).all()
    assert opens[0] == 0.0 and opens[-1] == 0.0


@pytest.mark.parametrize("seed", range(EACH))
def test_a_door_is_pulled_open_by_steps_back(recipe: TakeGenerator, seed: int) -> None:
    library = load_motion_library(recipe)
    take = pulled_door.make_pulled_door_take(library.walk_library, library.source, seed)
    assert take is not None
    leaf, wall = take.objects[:2]
    turn = multiply(leaf.rotations, inverse(wall.rotations))
    angle = np.degrees(np.abs(2 * np.arctan2(turn[:, 3], turn[:, 0])))
    angle = np.minimum(angle, 360.0 - angle)
    assert angle[0] == pytest.approx(0.0, abs=1e-6) and angle.max() > 70.0

    held = take.contacts[:, 1:3] > 0.5
    (side,) = np.flatnonzero(held.any(axis=0))
    first, *_, last = np.flatnonzero(held[:, side])
    placed = PosedCollider(wall.collider, wall.positions[0], wall.rotations[0])
    track, hand = placed.to_local(roots_of(take, 1.0)), wrist_positions(take.clip)[:, side]
    # A leaf that opens toward the character has its edge before the wall, where its hand goes.
    assert track[first, 1] > 0.4 and track[last, 1] > track[first, 1] + 0.4, "it steps back"
    assert placed.to_local(hand)[last, 1] > 0.6 and placed.to_local(hand)[first, 1] < 0.25
    assert angle[:first].max() < 2.0 and (np.diff(angle[first : last + 1]) > -1e-6).all()
    assert track[0, 1] > 0.0 and track[-1, 1] < -DOOR_TUNING.passed_distance and angle[-1] < 0.5 * angle[last]

    body, moving = (
        BodyCapsules.from_skeleton(take.clip.skeleton),
        AnimatedCollider(leaf.collider, leaf.positions, leaf.rotations),
    )
    arms = np.isin([role.partition(".")[0] for role in body.roles], HANDLING_ROLES)
    assert body.bone_penetrations(take.clip, moving)[:, ~arms].max() < 0.03
    assert (take.goal_object == -1).all() and not take.actions[:, ACTIONS.index("open")].any()
    goals = placed.to_local(take.goal_positions)
    assert goals[first, 1] > 0.8 and goals[-1, 1] < -DOOR_TUNING.passed_distance, "beside the open leaf, then beyond"


@pytest.mark.parametrize("which", range(EACH))
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_walks_through_anything_or_slides(
    takes: dict[str, list[InteractionTake]], kind: str, which: int
) -> None:
    take = takes[kind][which]
    for thing in take.objects:
        if thing.kind == "obstacle":
            placed = PosedCollider(thing.collider, thing.positions[0], thing.rotations[0])
            assert placed.collider.distances(placed.to_local(roots_of(take, 0.6))).min() > CLUTTER_CLEARANCE_M - 0.1
    bones = np.linalg.norm(np.diff(take.clip.positions, axis=0), axis=-1) * 60
    assert bones.max() < 12.0, "no joint jumps"
    toes = [take.clip.positions[:, take.clip.skeleton.joint(f"toe.{side}")] for side in "LR"]
    slowest = np.minimum(*(np.linalg.norm(np.diff(toe[:, :2], axis=0), axis=1) * 60 for toe in toes))
    assert np.quantile(slowest, 0.75) < 0.12, "one foot stays"


@pytest.mark.parametrize("kind", KINDS)
def test_a_take_is_always_the_same(
    recipe: TakeGenerator, numbers: dict[str, list[int]], takes: dict[str, list[InteractionTake]], kind: str
) -> None:
    one, again = takes[kind][0], recipe(numbers[kind][0])
    np.testing.assert_array_equal(again.clip.rotations, one.clip.rotations)
    assert len(again.objects) == len(one.objects)
    for thing, same in zip(again.objects, one.objects, strict=True):
        np.testing.assert_array_equal(thing.positions, same.positions)
