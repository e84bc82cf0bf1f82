"""Walks: bookkeeping, the way they go under a controller that goes straight on, and other skeletons."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, Wait
from footfall.core.control.path.velocity_profile import STAND_AFTER_S, STAND_BEFORE_S, plan_timing
from footfall.core.control.walk.path_following import TUNING as PATH_FOLLOWING_TUNING
from footfall.core.control.walk.path_walk import TUNING as PATH_WALK_TUNING
from footfall.core.control.walk.path_walk import WalkRollout, batch_walks, begin_walk, make_walk
from footfall.core.control.walk.plan import WalkRequest, model_styles
from footfall.core.control.walk.weight_shift import TUNING as WEIGHT_SHIFT_TUNING
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion import Skeleton
from footfall.tests.support.walker import BALL, person

Controller = Callable[..., ControllerModel]

NORTH = Path(np.array([[0.0, 0.0], [0.0, 6.0]]))
CORNER = Path(np.array([[1.0, 1.0], [4.0, 1.0], [4.0, 4.0]]))


@pytest.fixture(scope="module")
def model(controller: Controller) -> ControllerModel:
    """It goes straight on at 1.2 m/s when it does not stand."""
    return controller((0.0, 1.2), contacts=(0.0, 0.0, 0.0, 0.0))


def test_a_walk_is_as_long_as_its_plan_and_the_standing_around_it(model: ControllerModel) -> None:
    walk = begin_walk(model, WalkRequest(NORTH, 1.2))
    assert walk.total_frames == len(plan_timing(NORTH, 1.2, 60.0)) + round(60 * (STAND_BEFORE_S + STAND_AFTER_S))
    assert walk.frames_done == 0


def test_a_walk_goes_along_its_path_from_standing_to_standing(model: ControllerModel) -> None:
    walk = make_walk(model, WalkRequest(NORTH, 1.2))
    roots = walk.clip.root_positions
    np.testing.assert_allclose(roots[0, :2], [0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(roots[: round(60 * STAND_BEFORE_S), 1], 0.0, atol=1e-6)
    np.testing.assert_allclose(roots[-1, :2], [0.0, 6.0], atol=0.6)
    # Weight shifts before the first step, and the path is met again after two seconds.
    assert np.abs(roots[:, 0]).max() < WEIGHT_SHIFT_TUNING.max_shift + 1e-3
    assert np.abs(roots[180:, 0]).max() < 1e-3
    speeds = np.linalg.norm(np.diff(roots[:, :2], axis=0), axis=-1) * 60
    assert speeds[-30:].max() < 1e-6
    # The network sets off at once, so the follower holds it back until the plan has caught up.
    assert np.median(speeds[100:250]) == pytest.approx(1.2, rel=0.1)


def test_a_style_takes_the_place_of_walking_and_running(controller: Controller) -> None:
    gaits = ("stand", "walk", "run", "crouch", "limp")
    model = controller((0.0, 1.2), gaits=gaits)
    assert model_styles(model) == ("crouch", "limp")
    for speed in (1.2, 3.0):
        plain, limping = (make_walk(model, WalkRequest(NORTH, speed, style=style)) for style in ("", "limp"))
        np.testing.assert_array_equal(plain.gaits[:, 4], 0.0)
        np.testing.assert_allclose(limping.gaits[:, 4], plain.gaits[:, 1] + plain.gaits[:, 2])
        np.testing.assert_array_equal(limping.gaits[:, 1:3], 0.0)
        np.testing.assert_array_equal(limping.gaits[:, 0], plain.gaits[:, 0])


def test_a_style_that_nobody_taught_is_refused(controller: Controller) -> None:
    with pytest.raises(FootfallError, match="The controller has learned no styles"):
        begin_walk(controller(gaits=("stand", "walk", "run")), WalkRequest(NORTH, style="limp"))
    with pytest.raises(FootfallError, match="no style 'run': choose one of hop"):
        begin_walk(controller(gaits=("stand", "walk", "run", "hop")), WalkRequest(NORTH, style="run"))


def test_held_contacts_keep_feet_still(controller: Controller) -> None:
    clip = make_walk(controller((0.0, 0.0), contacts=(1.0, 1.0, 1.0, 1.0)), WalkRequest(NORTH)).clip
    # A controller that stays where it is, with all its feet down, is only drawn along by the follower, and not before
    # the weight shifts.
    still = round(60 * STAND_BEFORE_S / 3)
    feet = clip.positions[:still, [clip.skeleton.joint("foot.L"), clip.skeleton.joint("toe.R")]]
    assert np.ptp(feet, axis=0).max() < 1e-6


def test_the_seed_chooses_the_phase_and_nothing_else(controller: Controller) -> None:
    model = controller((0.0, 1.2), noise=0.05)
    walks = {seed: make_walk(model, WalkRequest(NORTH, seed=seed)) for seed in (0, 1, 2)}
    again = make_walk(model, WalkRequest(NORTH, seed=1))
    np.testing.assert_array_equal(again.clip.rotations, walks[1].clip.rotations)
    np.testing.assert_array_equal(again.phase, walks[1].phase)
    assert walks[0].phase[0] == pytest.approx(0.25)
    assert len({round(float(walk.phase[0]), 6) for walk in walks.values()}) == 3
    assert all(walk.phase.min() >= 0 and walk.phase.max() < 1 for walk in walks.values())


@pytest.mark.parametrize("scale", [0.5, 1.6])
def test_somebody_else_walks_the_same_path_in_steps_of_their_size(controller: Controller, scale: float) -> None:
    # 1.2 m/s of the one are as many of the other's legs a second as 1.2 / scale of the controller's own.
    walk = make_walk(controller((0.0, 1.2 / scale)), WalkRequest(NORTH, 1.2, target=person(scale)))
    clip = walk.clip
    assert clip.skeleton.leg_length == pytest.approx(0.84 * scale)
    np.testing.assert_allclose(clip.root_positions[0, :2], [0.0, 0.0], atol=1e-6)
    assert np.abs(clip.root_positions[:, 0]).max() < WEIGHT_SHIFT_TUNING.max_shift * scale + 1e-3
    assert np.abs(clip.root_positions[210:, 0]).max() < 1e-3
    assert clip.root_positions[-1, 1] == pytest.approx(6.0, abs=1.0)
    toes = clip.positions[:, [clip.skeleton.joint("toe.L"), clip.skeleton.joint("toe.R")], 2]
    np.testing.assert_allclose(toes, BALL * scale, atol=0.005)


def test_another_rig_gets_the_walk_by_its_roles(model: ControllerModel) -> None:
    own = person()
    centre = {"hips": "Hips", "lowerback": "Spine", "thorax": "Spine2", "lowerneck": "Neck", "head": "Head"}
    parts = {"femur": "UpLeg", "tibia": "Leg", "foot": "Foot", "toes": "ToeBase", "clavicle": "Shoulder"}
    parts |= {"humerus": "Arm", "radius": "ForeArm", "wrist": "Hand"}
    names = tuple(centre.get(name) or {"l": "Left", "r": "Right"}[name[0]] + parts[name[1:]] for name in own.names)
    rig = Skeleton(names, own.parents, own.offsets, own.tips)
    walk, expected = make_walk(model, WalkRequest(CORNER, target=rig)), make_walk(model, WalkRequest(CORNER))
    assert walk.clip.skeleton is rig
    np.testing.assert_allclose(walk.clip.positions, expected.clip.positions, atol=0.01)


def test_a_network_that_strays_is_drawn_back_to_the_path(controller: Controller) -> None:
    straight, drifting = (controller((side, 1.2)) for side in (0.0, 0.1))
    path = Path(np.array([[0.0, 0.0], [0.0, 12.0]]))
    for model in (straight, drifting):
        roots = make_walk(model, WalkRequest(path)).clip.root_positions
        # 0.1 m/s of drift against a pull of 1 / SIDEWAYS_TIME are ten centimeters; left alone it would be a meter.
        assert np.abs(roots[:, 0]).max() < 1.5 * 0.1 * PATH_FOLLOWING_TUNING.lateral_correction


def test_a_walk_is_finite_whatever_the_network_answers(controller: Controller) -> None:
    clip = make_walk(controller((0.0, 1.2), noise=1.0, contacts=(0.5, 0.5, 0.5, 0.5)), WalkRequest(CORNER)).clip
    assert np.isfinite(clip.positions).all()
    bones = np.linalg.norm(np.diff(clip.positions[:, [1, 2, 3]], axis=1), axis=-1)
    np.testing.assert_allclose(bones, 0.42, atol=1e-6)


def test_a_crowd_walks_as_each_would_alone(controller: Controller) -> None:
    """Also when some are at their ends before others."""
    model = controller((0.0, 1.2), noise=0.5, contacts=(0.5, 0.5, 0.5, 0.5))
    paths = [NORTH, CORNER, Path(np.array([[5.0, 5.0], [5.0, 6.5]]))]
    crowd = [begin_walk(model, WalkRequest(path, seed=number)) for number, path in enumerate(paths)]
    batch_walks(crowd)
    while crowd[1].advance(100):
        pass
    for number, (path, walk) in enumerate(zip(paths, crowd, strict=True)):
        expected = make_walk(model, WalkRequest(path, seed=number))
        made = walk.finish()
        assert len(made.clip) == len(expected.clip)
        np.testing.assert_allclose(made.clip.positions, expected.clip.positions, atol=2e-3)
        np.testing.assert_array_equal(made.contacts.probabilities, expected.contacts.probabilities)


def bent(last: float) -> Path:
    """A long path whose last corner can be moved."""
    return Path(np.array([[0.0, 0.0], [0.0, 12.0], [4.0, 15.0], [4.0, 20.0], [4.0 + last, 22.0]]))


def test_a_walk_goes_on_from_where_another_was_told_the_same(controller: Controller) -> None:
    model = controller((0.0, 1.2), noise=0.1)
    before = begin_walk(model, WalkRequest(bent(0.0), seed=3))
    while before.advance(100):
        pass
    again, fresh = (begin_walk(model, WalkRequest(bent(3.0), seed=3)) for _ in range(2))
    kept = again.resume_from(before)
    assert 0.6 * before.frames_done < kept < before.frames_done
    assert again.frames_done == kept
    for walk in (again, fresh):
        while walk.advance(100):
            pass
    assert again.frames_done == fresh.frames_done != before.frames_done
    one, other = again.finish(), fresh.finish()
    np.testing.assert_array_equal(one.clip.root_positions, other.clip.root_positions)
    np.testing.assert_array_equal(one.clip.rotations, other.clip.rotations)


def test_what_is_cued_late_changes_nothing_before(model: ControllerModel) -> None:
    before = begin_walk(model, WalkRequest(bent(0.0)))
    while before.advance(100):
        pass
    again = begin_walk(model, WalkRequest(bent(0.0), cues=Cues(waits=(Wait(18.0, 2.0),))))
    assert before.frames_done * 0.6 < again.resume_from(before) < before.frames_done


def test_a_crowd_goes_on_where_the_first_of_them_changes(controller: Controller) -> None:
    model = controller((0.0, 1.2), noise=0.1)

    def crowd(last: float) -> list[WalkRollout]:
        walks = [
            begin_walk(model, WalkRequest(NORTH)),
            begin_walk(model, WalkRequest(bent(last))),
            begin_walk(model, WalkRequest(bent(0.0))),
        ]
        batch_walks(walks)
        return walks

    before, again, fresh = crowd(0.0), crowd(2.0), crowd(2.0)
    while before[0].advance(100):
        pass
    assert again[0].resume_from(before[0]) > 400
    for walks in (again, fresh):
        while walks[0].advance(100):
            pass
    for one, other in zip(again, fresh, strict=True):
        np.testing.assert_array_equal(one.trace.frames.output, other.trace.frames.output)


def test_a_long_walk_that_goes_on_from_another_is_that_walk_to_the_bit(controller: Controller) -> None:
    model = controller((0.0, 1.2), noise=0.1)

    def long(last: float) -> WalkRollout:
        piece = PATH_WALK_TUNING.piece
        points = np.array([[0.0, 0.0], [0.0, 1.2 * (piece + 20.0)], [last, 1.2 * (piece + 25.0)]])
        return begin_walk(model, WalkRequest(Path(points)))

    before, again, fresh = long(0.0), long(3.0), long(3.0)
    while before.advance(1000):
        pass
    before.finish()
    assert again.resume_from(before) > PATH_WALK_TUNING.piece * model.rate
    for walk in (again, fresh):
        while walk.advance(1000):
            pass
    one, other = again.finish(), fresh.finish()
    np.testing.assert_array_equal(one.clip.rotations, other.clip.rotations)
    np.testing.assert_array_equal(one.clip.root_positions, other.clip.root_positions)
