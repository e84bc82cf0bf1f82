"""Strikes as beats of a shot: walked to over any ground, at their targets, and gone on from."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.cli.shot import seam_measures
from footfall.core.control.shot.beats import Beat, StrikeBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.fingers import without_hand_bones
from footfall.core.motion.rotations import Array, log
from footfall.core.motion.weapons import striking_places, tip_place, with_weapon
from footfall.core.retarget.calibration import calibrate
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.core.control.shot.test_shot import DOWN, LANDING, STAIRS, TOP, UP
from footfall.tests.support.boxer import FIST_RAD
from footfall.tests.support.cutter import cutter, fist
from footfall.tests.support.terrain_scenes import Boxes

PRESETS = Path(__file__).parents[4] / "presets"
FILES = "controllers/locomotion", "controllers/interactions/everyday", "strikes/strikes"
STRIKE = StrikeBeat(np.array([0.3, LANDING[0] + 2.0, TOP + 1.35]), "hand.R")
BACK = WalkBeat(np.array([[-2.0, 0.0]]))
WALL = Boxes([((-50.0, -50.0, -1.0), (50.0, 50.0, 0.0)), ((-2.0, 2.4, 0.0), (2.0, 2.6, 2.5))])


@cache
def controllers() -> list[ControllerModel]:
    return [load_model(PRESETS / f"{name}.safetensors") for name in FILES]


def shot_of(*beats: Beat, strikes: bool = True, fights: ControllerModel | None = None, **request: Any) -> Shot:
    walks, acts, shipped = controllers()
    fights = fights or shipped
    made = ShotRollout(walks, acts, ShotRequest(beats, np.zeros(3), **request), fights if strikes else None)
    while made.advance():
        pass
    return made.finish()


def distances(shot: Shot, strike: StrikeBeat, rise: float = 0.0) -> Array:
    """Distance (F) of the end effector from the target."""
    clip = shot.performance.clip
    return np.linalg.norm(
        clip.positions[:, clip.skeleton.joint(strike.effector)] + [0.0, 0.0, rise] - strike.target, axis=-1
    )


def steps(shot: Shot) -> Array:
    """Largest step (F - 1) of a joint from frame to frame."""
    return np.linalg.norm(np.diff(shot.performance.clip.positions, axis=0), axis=2).max(axis=1)


@pytest.fixture(scope="module")
def shot() -> Shot:
    return shot_of(UP, STRIKE, DOWN, scene=WalkScene(STAIRS))


def test_it_strikes_on_the_landing_and_walks_down_again(shot: Shot) -> None:
    _, strike, down = shot.beats
    assert [one.status for one in shot.beats] == ["done"] * 3
    away = distances(shot, STRIKE)
    assert strike.blow is not None and strike.first < strike.blow < strike.last == down.first - 1
    assert away[strike.blow] < 0.001 and away.argmin() == strike.blow
    assert strike.miss == pytest.approx(away[strike.blow], abs=1e-9)
    end = shot.performance.clip.root_positions[-1]
    assert np.linalg.norm(end[:2] - DOWN.points[-1]) < 0.3 and end[2] < 1.1
    labels = shot.performance.labels
    assert labels.actions[strike.blow, labels.action_names.index("strike")] == 1.0


def test_seams_move_no_faster_than_the_rest_and_the_support_foot_stays(shot: Shot) -> None:
    own, near = steps(shot), np.zeros(len(shot.performance) - 1, dtype=bool)
    for seam in shot.seams:
        near[seam - 30 : seam + 30] = True
    assert len(shot.seams) == 2 and own[near].max() <= own[~near].max()
    assert max(one["support_foot_cm_s"] for one in seam_measures(shot)) < 2.0


def test_a_near_target_is_struck_at_its_time_without_a_walk() -> None:
    strike = StrikeBeat(np.array([0.1, 0.7, 1.3]), "hand.L", time=3.0)
    shot = shot_of(strike, BACK)
    assert [one.status for one in shot.beats] == ["done", "done"]
    assert shot.beats[0].first == 0 and shot.beats[0].blow == round(3.0 * shot.performance.clip.rate)
    assert distances(shot, strike)[shot.beats[0].blow] < 0.001
    assert steps(shot).max() < 0.15, "no joint jumps"
    assert np.linalg.norm(shot.performance.clip.root_positions[-1, :2] - BACK.points[-1]) < 0.3


def test_strikes_in_reach_follow_each_other_in_guard() -> None:
    strikes = [StrikeBeat(np.array([0.1, 3.0, 1.4]), "hand.L"), StrikeBeat(np.array([-0.1, 3.0, 1.4]), "hand.R")]
    shot = shot_of(*strikes, WaitBeat(1.0))
    assert [one.status for one in shot.beats] == ["done"] * 3
    blows = [one.blow for one in shot.beats[:2]]
    assert blows[0] is not None and blows[1] is not None and 0 < blows[1] - blows[0] < 1.5 * shot.performance.clip.rate
    for strike, blow in zip(strikes, blows, strict=True):
        assert distances(shot, strike)[blow] < 0.001
    assert shot.beats[2].last - shot.beats[2].first >= 59, "it waits"


def test_another_body_is_at_the_target_on_its_own_soles() -> None:
    walks, rise = controllers()[0], 0.03
    strike = StrikeBeat(np.array([0.0, 2.5, 1.6]))
    target = calibrate(walks.skeleton, walks.skeleton.scaled(1.1))
    shot = shot_of(strike, BACK, target=target, rise=rise)
    assert [one.status for one in shot.beats] == ["done", "done"]
    assert distances(shot, strike, rise)[shot.beats[0].blow] < 0.002


def test_knuckles_meet_the_target_with_both_hands_in_turn() -> None:
    skeleton = controllers()[0].skeleton.scaled(1.1)
    strikes = [
        StrikeBeat(np.array(place), role, time, skeleton.bone_vectors[skeleton.joint(role)])
        for place, role, time in (((0.05, 0.8, 1.5), "hand.R", 3.0), ((-0.1, 0.8, 1.4), "hand.L", 4.3))
    ]
    shot = shot_of(*strikes, target=calibrate(controllers()[0].skeleton, skeleton))
    for strike, beat in zip(strikes, shot.beats, strict=True):
        assert beat.status == "done" and beat.blow == round((strike.time or 0.0) * 60)
        place = tip_place(shot.performance.clip, beat.blow, strike.effector, strike.tip)
        assert np.linalg.norm(place - strike.target) < 0.002


def test_the_tip_of_the_rigs_own_blade_is_there_however_it_lies_in_its_hand() -> None:
    bare = controllers()[0].skeleton.scaled(1.1)
    rig = with_weapon(bare, "hand.R", np.array([-0.05, 0.0, 0.02]), np.array([0.0, 0.0, 0.9]))
    target = calibrate(controllers()[0].skeleton, bare)
    strike = StrikeBeat(np.array([0.25, 1.35, 1.5]))
    shot = shot_of(strike, BACK, fights=cutter(), target=target, strike_target=calibrate(cutter().skeleton, rig))
    blow, clip = shot.beats[0].blow, shot.performance.clip
    assert blow is not None and shot.beats[0].status == "done"
    np.testing.assert_allclose(striking_places(clip, "hand.R")[blow], strike.target, atol=5e-3)
    held = clip.rotations[:, -1]
    assert np.abs(held @ held[blow]).min() < 0.99, "the wrist snaps"
    assert np.abs(held[-1] @ held[0]) > 0.999, "and holds the blade as before in the walk"


def test_a_rig_with_fingers_of_other_names_makes_a_fist_and_one_without_strikes_as_well() -> None:
    own, walks = fist().skeleton, controllers()[0].skeleton
    names = [f"RightHand{name[:-2].title()}" if name.endswith("_R") else name for name in own.names]
    rig = Skeleton(tuple(names), own.parents, own.offsets * 1.1, own.tips * 1.1, without_hand_bones(own).roles)
    target = calibrate(walks, walks.scaled(1.1))
    for body in (rig, without_hand_bones(rig)):
        strike = StrikeBeat(np.array([0.1, 0.6, 1.5]))
        shot = shot_of(strike, fights=fist(), target=target, strike_target=calibrate(own, body))
        assert shot.beats[0].status == "done" and shot.beats[0].blow is not None
        clip = shot.performance.clip
        if body is rig:
            bent = np.linalg.norm(log(clip.rotations[shot.beats[0].blow, names.index("RightHandIndex_2")]))
            assert abs(bent - FIST_RAD) < 0.15
        else:
            assert clip.skeleton.names == walks.names


@pytest.mark.parametrize(
    ("strike", "request_", "sentence"),
    [
        (StrikeBeat(np.array([0.0, 0.7, 3.0])), {}, "short of its target: bring the target closer"),
        (
            StrikeBeat(np.array([0.0, 2.7, 1.3])),
            {"scene": WalkScene(WALL)},
            "An obstacle stands between the character and the target of its strike",
        ),
        (StrikeBeat(np.array([0.0, 0.02, 1.2])), {}, "cm inside the striking character"),
        (StrikeBeat(np.array([0.0, 6.0, 1.3]), time=1.0), {}, "cannot reach the target by frame 60"),
        (StrikeBeat(np.array([0.0, 0.7, 1.3]), "tail"), {}, "'tail' is not a hand or foot"),
        (StrikeBeat(np.array([0.0, 0.7, 1.3])), {"strikes": False}, "No controller for attacks is chosen"),
    ],
)
def test_a_strike_that_cannot_be_made_is_left_out_and_the_next_beat_is_done(
    strike: StrikeBeat, request_: dict[str, Any], sentence: str
) -> None:
    shot = shot_of(strike, BACK, **request_)
    assert [one.status for one in shot.beats] == ["left out", "done"]
    assert sentence in str(shot.beats[0].reason)
    assert shot.beats[1].first == 0, "and it does not walk there"
