"""Takes of real clips: deterministic, exact where things are touched, and never through furniture."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.exactness import SITTING
from footfall.core.features.interaction import ACTIONS, GOALS
from footfall.core.features.root import root_track
from footfall.core.scene.affordances import find_seat
from footfall.core.scene.placed import Placed
from footfall.training.interactions import strolls
from footfall.training.interactions.making import Recipe, studio
from footfall.training.interactions.sitting import sittings
from footfall.training.interactions.strewn import ROOM
from footfall.training.interactions.take import Take

SHIPPED = Path(strolls.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
SIT, STROLL = 0, 3


@pytest.fixture(scope="module")
def recipe(shared_data: Path) -> Iterator[Recipe]:
    patch = pytest.MonkeyPatch()
    patch.setattr(strolls, "KEPT", 8)
    clips = tuple(shared_data / f"mocap/cmu_asfamc/sit/{name}.bvh" for name in ("14_31", "14_32"))
    yield Recipe(SHIPPED, clips, 3)
    patch.undo()


@pytest.fixture(scope="module")
def takes(recipe: Recipe) -> dict[int, Take]:
    return {number: recipe(number) for number in (SIT, STROLL)}


def test_captured_sitting_is_found_with_both_ends(recipe: Recipe) -> None:
    found = studio(recipe).sat
    assert len(found) >= 8, "each clip and its mirror image has two at least"
    for one in found:
        hips = one.clip.positions[:, one.clip.skeleton.role("hips")]
        rest = slice(one.settled, one.rises)
        assert np.abs(np.median(hips[rest, :2], axis=0)).max() < 0.02
        assert abs(np.median(root_track(one.clip).yaws[rest])) < 0.05
        assert 0.9 < one.standing < 1.05 and 0.5 < one.seated < 0.6
        assert one.down < one.settled < one.rises < one.up
    assert not sittings(studio(recipe).strolls.walks[0]), "nobody sits in a walk"


def test_somebody_comes_sits_over_the_seat_and_goes(takes: dict[int, Take]) -> None:
    take = takes[SIT]
    seat, sits = take.things[0], take.actions[:, ACTIONS.index("sit")]
    found = find_seat(seat.collider)
    assert found is not None
    place = Placed(seat.collider, seat.positions[0], seat.rotations[0]).out(found.position[None])[0]
    hips = take.clip.positions[:, take.clip.skeleton.role("hips")]
    rest = np.flatnonzero(take.contacts[:, 0] > 0.5)[20:-20]
    off = hips[rest] - place - [0.0, 0.0, SITTING * take.clip.skeleton.leg_length]
    assert np.abs(np.median(off, axis=0)).max() < 0.05
    assert sits[0] == sits[-1] == 0.0 and sits[rest].min() == 1.0
    goal = take.goal_actions[:, GOALS.index("sit")]
    assert goal[rest[0] - 60] == 1.0 and goal[-1] == 0.0
    np.testing.assert_allclose(take.actions.sum(axis=1), 1.0)
    np.testing.assert_allclose(take.goal_actions.sum(axis=1), 1.0)


@pytest.mark.parametrize("number", [SIT, STROLL])
def test_nobody_walks_through_anything_or_slides(takes: dict[int, Take], number: int) -> None:
    take = takes[number]
    track = root_track(take.clip)
    for thing in take.things:
        if thing.kind != "seat":
            placed = Placed(thing.collider, thing.positions[0], thing.rotations[0])
            points = np.column_stack([track.positions, np.full(len(track.yaws), 0.6)])
            assert placed.collider.distances(placed.into(points)).min() > ROOM - 0.1
    bones = np.linalg.norm(np.diff(take.clip.positions, axis=0), axis=-1) * 60
    assert bones.max() < 12.0, "no joint jumps"
    toes = [take.clip.positions[:, take.clip.skeleton.role(f"toe.{side}")] for side in "LR"]
    slowest = np.minimum(*(np.linalg.norm(np.diff(toe[:, :2], axis=0), axis=1) * 60 for toe in toes))
    assert np.quantile(slowest, 0.75) < 0.12, "one foot stays"


def test_a_take_is_always_the_same(recipe: Recipe, takes: dict[int, Take]) -> None:
    again = recipe(SIT)
    np.testing.assert_array_equal(again.clip.rotations, takes[SIT].clip.rotations)
    np.testing.assert_array_equal(again.things[0].positions, takes[SIT].things[0].positions)
