"""One body's motion on another body: the same steps in its own size, feet where they stand, hands where they touch."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from footfall.core.motion.proportions import TOE_JOINT_HEIGHT_M, scale_between
from footfall.core.motion.rotations import IDENTITY, Array, from_axis_angle, log
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.contacts import ContactProbabilities, SolePoints
from footfall.core.retarget.retarget import hip_center, map_rotations, retarget, sole_height
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import BALL, Walker, person

LEG = 0.84
WALKER = Walker(seconds=2.5, turn=0.4, heading=0.5)
WALK = WALKER.clip()


def labelled(walker: Walker) -> ContactProbabilities:
    """The walker's exact contacts by name."""
    return dict(zip(("foot.L", "toe.L", "foot.R", "toe.R"), walker.contacts.T, strict=True))


def other_legs(seed: int) -> Skeleton:
    """The person with every bone longer or shorter by up to 15 %, both sides alike."""
    body = person()
    factors = np.random.default_rng(seed).uniform(0.85, 1.15, len(body))
    factors = ((factors + factors[list(body.mirror_pairs)]) / 2)[:, None]
    return Skeleton(body.names, body.parents, body.offsets * factors, body.tips * factors)


def on(skeleton: Skeleton, clip: Clip = WALK, contacts: ContactProbabilities | None = None) -> Clip:
    return retarget(clip, calibrate(clip.skeleton, skeleton), contacts)


@pytest.mark.parametrize("contacts", [None, labelled(WALKER)], ids=["", "contacts"])
@pytest.mark.parametrize("walker", [WALKER, Walker.runner(seconds=2.5, turn=-0.6, floor=0.7)], ids=["walk", "run"])
def test_a_clip_on_its_own_body_is_itself(walker: Walker, contacts: ContactProbabilities | None) -> None:
    clip = walker.clip()
    found = on(person(), clip, labelled(walker) if contacts else None)
    np.testing.assert_allclose(found.positions, clip.positions, atol=1e-6)
    assert np.abs(log(found.rotations) - log(clip.rotations)).max() < 1e-5
    assert (found.rate, found.name) == (clip.rate, clip.name)


@given(st.floats(0.3, 3.0))
@example(1.0)
@settings(max_examples=examples(15))
def test_a_bigger_body_takes_bigger_steps_and_brings_them_back(scale: float) -> None:
    there = on(person(scale))
    np.testing.assert_allclose(there.positions, WALK.positions * scale, atol=1e-6)
    np.testing.assert_allclose(on(person(), there).positions, WALK.positions, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_ankles_and_the_place_between_the_thighs_go_where_they_went_in_proportion(seed: int) -> None:
    target = other_legs(seed)
    there, scale = on(target), scale_between(person(), target)
    np.testing.assert_allclose(
        hip_center(target, there.positions)[:, :2], scale * hip_center(person(), WALK.positions)[:, :2], atol=1e-9
    )
    # Where the leg reaches, the ankle is exactly there, but for one and the same height of the ground.
    for side in "LR":
        mine, theirs = (skeleton.joint(f"foot.{side}") for skeleton in (target, person()))
        off = there.positions[:, mine] - scale * WALK.positions[:, theirs]
        np.testing.assert_allclose(off[:, :2], 0.0, atol=5e-3)
        assert np.ptp(off[:, 2]) < 5e-3


@pytest.mark.parametrize("seed", range(4))
def test_a_foot_that_stands_still_stands_still_on_other_legs(seed: int) -> None:
    """Heel and ball both down: it slides less than a centimeter a second, and is as high as the ground is."""
    target = other_legs(seed)
    contacts, scale = labelled(WALKER), scale_between(person(), target)
    there = on(target, contacts=contacts)
    for side in "LR":
        heel, ball = (contacts[f"{part}.{side}"] > 0.5 for part in ("foot", "toe"))
        theirs, own = SolePoints.pair(WALK, Leg.of(person(), side), there, Leg.of(target, side))
        flat = heel & ball
        inside = flat[1:] & flat[:-1]
        for points, source in ((own.heel, theirs.heel), (own.ball, theirs.ball)):
            speed = np.linalg.norm(np.diff(points[:, :2], axis=0), axis=-1) * WALK.rate
            assert speed[inside].mean() < 0.005
            np.testing.assert_allclose(points[flat, 2], scale * source[flat, 2], atol=0.005)


@pytest.mark.parametrize("seed", range(4))
def test_no_sole_is_below_the_source_s(seed: int) -> None:
    target = other_legs(seed)
    contacts, scale = labelled(WALKER), scale_between(person(), target)
    there = on(target, contacts=contacts)
    for side in "LR":
        theirs, own = SolePoints.pair(WALK, Leg.of(person(), side), there, Leg.of(target, side))
        for part, points, source in (("foot", own.heel, theirs.heel), ("toe", own.ball, theirs.ball)):
            floor = scale * np.minimum(source[:, 2], np.percentile(source[contacts[f"{part}.{side}"] > 0.5, 2], 5))
            assert (points[:, 2] - floor).min() > -1e-4


def test_without_contacts_feet_skate_on_other_legs_and_with_them_no_more() -> None:
    """What contacts are for."""
    target, contacts = other_legs(0), labelled(WALKER)
    speeds = []
    for known in (None, contacts):
        there, speed = on(target, contacts=known), []
        for side in "LR":
            _, own = SolePoints.pair(WALK, Leg.of(person(), side), there, Leg.of(target, side))
            held = contacts[f"toe.{side}"] > 0.5
            steps = np.linalg.norm(np.diff(own.ball[:, :2], axis=0), axis=-1) * WALK.rate
            speed.append(steps[held[1:] & held[:-1]].mean())
        speeds.append(np.mean(speed))
    assert speeds[1] < 0.5 * speeds[0]


@pytest.mark.parametrize("floor", [0.0, -0.4, 1.3])
def test_the_ground_is_where_feet_stand(floor: float) -> None:
    clip = replace(WALKER, floor=floor).clip()
    # The walker's ball stands as high as people's do, and its ankle higher.
    assert sole_height(clip.skeleton, clip.positions, clip.rate, "toe") == pytest.approx(
        floor + BALL - TOE_JOINT_HEIGHT_M, abs=1e-3
    )
    there = on(other_legs(1), clip)
    scale = scale_between(person(), there.skeleton)
    ground = sole_height(there.skeleton, there.positions, there.rate, "toe")
    assert ground == pytest.approx(scale * floor, abs=2e-3), "and is scaled as all else is"


def squat(depth: float) -> Clip:
    """The person, who squats over planted feet until the hips are a depth, meters, lower."""
    body, frames = person(), 90
    roots = np.zeros((frames, 3))
    roots[:, 2] = 0.1 + LEG + 0.08 - depth * np.sin(np.linspace(0.0, np.pi, frames)) ** 2
    clip = Clip(body, 30.0, roots, np.tile(IDENTITY, (frames, len(body), 1)))
    positions, rotations = (array.copy() for array in clip.world)
    for side in "LR":
        leg = Leg.of(body, side)
        solve_leg_ik(body, positions, rotations, leg, np.tile(positions[0, leg.foot] - [0.0, 0.0, 0.01], (frames, 1)))
    return with_world_rotations(clip, roots, rotations)


@pytest.mark.parametrize("depth", [0.4, 0.72])
def test_knees_stay_above_ground_in_a_squat_on_a_body_with_long_thighs(depth: float) -> None:
    clip, body = squat(depth), person()
    offsets = body.offsets.copy()
    for side in "LR":
        leg = Leg.of(body, side)
        offsets[leg.shin] *= 1.14
        offsets[leg.foot] *= 0.86
    held = {f"{part}.{side}": np.ones(len(clip)) for part in ("foot", "toe") for side in "LR"}
    there = on(replace(body, offsets=offsets), clip, held)
    for side in "LR":
        leg = Leg.of(there.skeleton, side)
        assert there.positions[:, leg.shin, 2].min() > 0.0
        assert np.ptp(there.positions[:, leg.foot], axis=0).max() < 0.012
    assert np.abs(np.diff(there.root_positions[:, 2])).max() < 1.5 * np.abs(np.diff(clip.root_positions[:, 2])).max()


def clapping(height: float = 1.25) -> tuple[Clip, Array]:
    """A standing person with both wrists at one point in front; and the frames (F) of it."""
    skeleton, frames = person(), 60
    rotations = np.tile(IDENTITY, (frames, len(skeleton), 1))
    clip = Clip(skeleton, 60.0, np.tile([0.0, 0.0, 0.98], (frames, 1)), rotations)
    positions, world = (array.copy() for array in clip.world)
    for side in "LR":
        solve_arm_ik(skeleton, positions, world, side, np.tile([0.0, -0.3, height], (frames, 1)))
    held = np.zeros(frames)
    held[20:40] = 1.0
    return with_world_rotations(clip, clip.root_positions, world), held


def test_hands_that_touch_are_where_the_source_s_are() -> None:
    clip, held = clapping()
    body = person()
    offsets = body.offsets.copy()
    for side in "LR":
        for part in ("forearm", "hand"):
            offsets[body.roles[f"{part}.{side}"]] *= 1.2
    longer, scale = replace(body, offsets=offsets).scaled(1.3), 1.3
    contacts = {f"hand.{side}": held for side in "LR"}
    hands = [body.roles[f"hand.{side}"] for side in "LR"]
    wrists = [on(longer, clip, known).positions[:, hands] for known in (None, contacts)]
    apart = [np.linalg.norm(places[:, 0] - places[:, 1], axis=-1) for places in wrists]
    assert (apart[0] > 0.05).all(), "longer arms pass each other"
    np.testing.assert_allclose(wrists[1][20:40], scale * clip.positions[20:40][:, hands], atol=1e-6)
    np.testing.assert_allclose(wrists[1][[0, -1]], wrists[0][[0, -1]], atol=1e-6)
    # Elbows bend, and nothing else moves.
    others = [body.roles[role] for role in ("head", "upper_arm.L", "foot.R", "hips")]
    np.testing.assert_allclose(
        on(longer, clip, contacts).positions[:, others], on(longer, clip).positions[:, others], atol=1e-9
    )


def test_a_joint_that_follows_two_is_turned_between_them() -> None:
    calibration = calibrate(person(), person())
    spine, chest, neck = (person().roles[role] for role in ("spine", "chest", "neck"))
    follows, offsets = list(calibration.source_joints), list(calibration.rotation_offsets)
    follows[chest], offsets[chest] = ((spine, 0.5), (neck, 0.5)), np.array([IDENTITY, IDENTITY])
    turns = np.tile(IDENTITY, (3, len(person()), 1))
    turns[:, neck] = from_axis_angle([1.0, 0.0, 0.0], [0.2, 0.8, -1.0])
    # A rotation's other sign is the same rotation.
    turns[1, neck] *= -1
    world = map_rotations(replace(calibration, source_joints=tuple(follows), rotation_offsets=tuple(offsets)), turns)
    np.testing.assert_allclose(log(world[:, chest]), np.outer([0.1, 0.4, -0.5], [1.0, 0.0, 0.0]), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(world, axis=-1), 1.0)


def test_hips_sink_where_a_leg_is_too_short_for_its_foot_to_stand() -> None:
    """On one foot that is flatter than the other, straight legs do not both reach the ground."""
    body, frames = person(), 90
    offsets = body.offsets.copy()
    offsets[body.roles["toe.L"], 2] += 0.02
    uneven = replace(body, offsets=offsets)
    rotations = np.tile(IDENTITY, (frames, len(body), 1))
    clip = Clip(body, 60.0, np.tile([0.0, 0.0, 0.1 + LEG + 0.045 + BALL], (frames, 1)), rotations)
    there = on(uneven, clip, dict.fromkeys(labelled(WALKER), np.ones(frames)))
    balls = there.positions[:, [body.roles["toe.L"], body.roles["toe.R"]]]
    np.testing.assert_allclose(balls[..., 2], BALL, atol=2e-4)
    # The left leg stays nearly straight and the right knee bends.
    ends = [[body.roles[f"{part}.{side}"] for side in "LR"] for part in ("thigh", "foot")]
    legs = np.linalg.norm(there.positions[0, ends[0]] - there.positions[0, ends[1]], axis=-1)
    assert legs[0] > 0.998 * LEG - 1e-6 and legs[0] - legs[1] == pytest.approx(0.02, abs=1e-3)
