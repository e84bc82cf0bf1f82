"""Characters of a cast keep apart on their own ways: each walks around those before it."""

from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import Beat, FightBeat, TaskBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.cast import CastMember, CastRollout
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.core.control.shot.test_partners import PUNCH, controllers

PLACES = {"Ada": (-2.0, 0.0, -np.pi / 2), "Bob": (0.0, -2.0, 0.0), "Cy": (0.0, 2.0, np.pi)}
TO = {name: WalkBeat(np.array([[-x, -y]])) for name, (x, y, _) in PLACES.items()}


def rollout_of(
    beats: dict[str, list[Beat]],
    memos: dict[str, ShotMemo] | None = None,
    places: dict[str, tuple[float, float, float]] = PLACES,
    bystanders: dict[str, Clip] | None = None,
) -> CastRollout:
    walks, acts, fights = controllers()

    def member(name: str, own: list[Beat]) -> CastMember:
        x, y, yaw = places[name]
        request = ShotRequest(own, np.array([x, y, 0.0]), yaw, scene_key="level")
        return CastMember(walks, acts, request, fights, (memos or {}).get(name))

    rollout = CastRollout({name: member(name, own) for name, own in beats.items()}, bystanders or {})
    while rollout.advance():
        pass
    return rollout


def cast_of(beats: dict[str, list[Beat]], **options: Any) -> dict[str, Shot]:
    return {name: one.finish() for name, one in rollout_of(beats, **options).shots.items()}


def nearest(first: Clip, second: Clip) -> float:
    """Least distance of the roots of two characters, whose bodies must stay out of each other."""
    frames = min(len(first), len(second))
    first, second = first.cut(0, frames), second.cut(0, frames)
    assert deepest_overlap(first, second).max() < 0.02
    return float(np.linalg.norm(root_track(first).positions - root_track(second).positions, axis=1).min())


@pytest.fixture(scope="module")
def crossing() -> tuple[dict[str, Shot], dict[str, ShotMemo]]:
    """Ada walks east, Bob north and Cy south, all over one place at one time."""
    memos = {name: ShotMemo() for name in PLACES}
    return cast_of({name: [TO[name]] for name in PLACES}, memos=memos), memos


def test_characters_whose_ways_cross_keep_apart_and_arrive(crossing: tuple[dict[str, Shot], Any]) -> None:
    clips = {name: shot.performance.clip for name, shot in crossing[0].items()}
    for first, second in (("Ada", "Bob"), ("Ada", "Cy"), ("Bob", "Cy")):
        assert nearest(clips[first], clips[second]) > 0.5
    for name, clip in clips.items():
        assert crossing[0][name].beats[0].status == "done"
        assert np.linalg.norm(clip.root_positions[-1, :2] - TO[name].points[-1]) < 0.3


def test_the_first_of_the_cast_walks_as_if_it_were_alone(crossing: tuple[dict[str, Shot], Any]) -> None:
    alone = cast_of({"Ada": [TO["Ada"]]})["Ada"]
    np.testing.assert_array_equal(alone.performance.clip.rotations, crossing[0]["Ada"].performance.clip.rotations)


def test_a_remake_is_equal(
    crossing: tuple[dict[str, Shot], dict[str, ShotMemo]],
) -> None:
    shots, memos = crossing
    again = cast_of({name: [TO[name]] for name in PLACES}, memos=memos)
    for name, shot in again.items():
        np.testing.assert_array_equal(shot.performance.clip.positions, shots[name].performance.clip.positions)
        assert memos[name].reused == 1


def test_only_walks_near_a_changed_character_are_remade() -> None:
    places = PLACES | {"Dee": (20.0, 0.0, 0.0)}
    memos = {name: ShotMemo() for name in ("Ada", "Dee", "Bob")}
    own: dict[str, list[Beat]] = {
        "Ada": [TO["Ada"]],
        "Dee": [WalkBeat(np.array([[20.0, 0.6]]))],
        "Bob": [TO["Bob"]],
    }
    cast_of(own, memos=memos, places=places)
    far = own | {"Dee": [WalkBeat(np.array([[20.0, 1.0]]))]}
    cast_of(far, memos=memos, places=places)
    assert {name: memo.reused for name, memo in memos.items()} == {"Ada": 1, "Dee": 0, "Bob": 1}
    near = far | {"Ada": [WalkBeat(np.array([[2.0, 0.5]]))]}
    changed, fresh = cast_of(near, memos=memos, places=places), cast_of(near, places=places)
    assert memos["Bob"].reused == 0
    for name, shot in changed.items():
        np.testing.assert_array_equal(shot.performance.clip.positions, fresh[name].performance.clip.positions)


def test_somebody_who_stands_is_walked_around() -> None:
    places = PLACES | {"Ada": (0.0, 0.0, 0.0)}
    shots = cast_of({"Ada": [WaitBeat(6.0)], "Bob": [TO["Bob"]]}, places=places)
    ada, bob = (shots[name].performance.clip for name in ("Ada", "Bob"))
    assert nearest(ada, bob) > 0.5
    assert np.linalg.norm(bob.root_positions[-1, :2] - [0.0, 2.0]) < 0.3


def test_somebody_who_lies_on_the_ground_is_walked_around() -> None:
    lie = InteractionTask("lie", position=np.zeros(3), direction=np.array([1.0, 0.0]), duration=8.0)
    places = PLACES | {"Ada": (-1.0, 0.6, -np.pi / 2)}
    shots = cast_of({"Ada": [TaskBeat(lie)], "Bob": [WaitBeat(5.0), TO["Bob"]]}, places=places)
    ada, bob = (shots[name].performance.clip for name in ("Ada", "Bob"))
    nearest(ada, bob)
    assert np.linalg.norm(bob.root_positions[-1, :2] - TO["Bob"].points[-1]) < 0.3


def test_a_place_that_is_taken_is_told() -> None:
    shots = cast_of({"Ada": [WaitBeat(6.0)], "Bob": [TO["Bob"]]}, places=PLACES | {"Ada": (0.0, 2.0, 0.0)})
    (walk,) = shots["Bob"].beats
    assert "since 'Ada' stands there" in " ".join(map(str, (walk.reason, *walk.notes)))
    nearest(shots["Ada"].performance.clip, shots["Bob"].performance.clip)


def test_partners_part_without_running_into_each_other() -> None:
    places = {"Ada": (0.0, 0.0, 0.0), "Bob": (0.0, 2.0, np.pi)}
    shots = cast_of(
        {
            "Ada": [FightBeat("Bob", PUNCH), WalkBeat(np.array([[0.0, 4.0]]))],
            "Bob": [FightBeat("Ada"), WalkBeat(np.array([[0.0, -2.0]]))],
        },
        places=places,
    )
    parted = max(shot.beats[1].first for shot in shots.values())
    ada, bob = (shot.performance.clip for shot in shots.values())
    assert nearest(*(one.cut(parted, len(one)) for one in (ada, bob))) > 0.4


def test_a_bystander_is_walked_around_and_a_collision_is_told(crossing: tuple[dict[str, Shot], Any]) -> None:
    ada = crossing[0]["Ada"].performance.clip
    rollout = rollout_of({"Bob": [TO["Bob"]]}, bystanders={"Ada": ada})
    shots = {name: one.finish() for name, one in rollout.shots.items()}
    nearest(ada, shots["Bob"].performance.clip)
    assert rollout.collisions(shots) == {"Bob": []}
    stands = rollout_of({"Bob": [WaitBeat(5.0)]}, places={"Bob": (0.0, 0.0, 0.0)}, bystanders={"Ada": ada})
    (told,) = stands.collisions({name: one.finish() for name, one in stands.shots.items()})["Bob"]
    assert "'Ada' and 'Bob' collide" in told and "let one of them start later" in told
