"""Gaits by the physics of legs, on bodies of every size, at every rate, and on recorded clips."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import load_preset, shipped_presets
from footfall.core.labelling.semantics.gaits import GRAVITY_M_S2, find_gaits
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from footfall.core.motion.rotations import Array
from footfall.tests.support.walker import Walker, person

STAND, WALK, JOG, RUN, CROUCH, JUMP = range(6)
SPRING, PENDULUM = 0.035, -0.02
"""Meters by which hips rise and fall: a runner's are lowest in mid-stance, a walker's highest."""


def feet_down(walker: Walker) -> np.ndarray:
    """Exactly whether left and right foot are down (F, 2)."""
    contacts = walker.contacts > 0.5
    return np.stack([contacts[:, :2].any(axis=1), contacts[:, 2:].any(axis=1)], axis=1)


def bouncing(walker: Walker, height: float) -> Clip:
    """The walker's clip with hips that rise and fall; they are lowest in mid-stance where ``height`` is positive."""
    clip = walker.clip()
    wave = -height * walker.scale * np.cos(4 * np.pi * (walker.cycles - walker.duty / 2))
    return replace(clip, root_positions=clip.root_positions + wave[:, None] * [0.0, 0.0, 1.0])


def gaits_of(walker: Walker, height: float = 0.0) -> Array:
    ground = np.full((len(walker.times), 2), walker.floor)
    return find_gaits(bouncing(walker, height), feet_down(walker), ground)


JOGGER = Walker.runner(speed=1.9, cycle=0.75, duty=0.42)

GAITS = {
    "adult walks": (Walker(), PENDULUM, WALK),
    "adult strolls": (Walker(speed=0.6, cycle=1.3, duty=0.68), PENDULUM, WALK),
    "adult walks briskly": (Walker(speed=1.7, cycle=0.9, duty=0.55), PENDULUM, WALK),
    "adult jogs slower than people can walk": (JOGGER, SPRING, JOG),
    "adult runs": (Walker.runner(speed=3.2), SPRING, RUN),
    "adult runs with level hips": (Walker.runner(speed=3.2), 0.0, RUN),
    "adult walks with level hips": (Walker(), 0.0, WALK),
    "adult walks round a circle": (Walker(turn=0.6), PENDULUM, WALK),
    "child walks": (Walker(scale=0.5), PENDULUM, WALK),
    "child jogs": (replace(JOGGER, scale=0.5), SPRING, JOG),
    "child runs": (Walker.runner(speed=3.2, scale=0.6), SPRING, RUN),
    "giant walks": (Walker(scale=2.0), PENDULUM, WALK),
    "giant jogs": (replace(JOGGER, scale=2.0), SPRING, JOG),
    "giant runs": (Walker.runner(speed=3.2, scale=2.0), SPRING, RUN),
    "runs at 240 Hz": (Walker.runner(speed=3.2, rate=240.0, seconds=3.0), SPRING, RUN),
    "jogs at 30 Hz": (replace(JOGGER, rate=30.0), SPRING, JOG),
    "walks at 240 Hz": (Walker(rate=240.0, seconds=3.0), PENDULUM, WALK),
    "walks at 30 Hz": (Walker(rate=30.0), PENDULUM, WALK),
    "walks on a raised floor": (Walker(floor=1.5), PENDULUM, WALK),
}


@pytest.mark.parametrize("walker, height, gait", GAITS.values(), ids=GAITS.keys())
def test_every_frame_has_the_gait(walker: Walker, height: float, gait: int) -> None:
    assert gaits_of(walker, height)[:, gait].min() > 0.5


def test_a_brisk_walk_with_uncertain_contacts_is_no_run() -> None:
    walker = Walker(speed=1.9, cycle=0.9, duty=0.53, seconds=10.0)
    clip = bouncing(walker, PENDULUM)
    down = feet_down(walker)
    # The last 40 % of every stance is missed: for a third of the time nobody's foot seems to be down.
    for side, shift in enumerate((0.5, 0.0)):
        since = (walker.cycles + shift) % 1.0
        down[since > 0.6 * walker.duty, side] = False
    assert 0.25 < np.mean(~down.any(axis=1)) < 0.5
    assert find_gaits(clip, down, np.zeros_like(down, dtype=float))[:, [JOG, RUN]].max() < 0.2


def test_walking_backwards_is_walking() -> None:
    walker = Walker()
    clip = bouncing(walker, PENDULUM)
    back = replace(clip, root_positions=clip.root_positions[::-1], rotations=clip.rotations[::-1])
    down = feet_down(walker)[::-1]
    assert find_gaits(back, down, np.zeros_like(down, dtype=float))[:, WALK].min() > 0.5


def still(frames: int, height: float = 0.98, rate: float = 60.0) -> Clip:
    """Somebody who stands without moving; their hips are 0.98 m over the floor when their legs are straight."""
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, rate, np.tile([0.0, 0.0, height], (frames, 1)), rotations)


def both_down(frames: int) -> np.ndarray:
    return np.ones((frames, 2), dtype=bool)


def with_feet_where_they_were(clip: Clip, moved: Array) -> Clip:
    """The clip with its hips moved (F, 3) and its feet left where they stood."""
    ankles = {side: clip.positions[:, clip.skeleton.joint(f"foot.{side}")].copy() for side in "LR"}
    clip = replace(clip, root_positions=clip.root_positions + moved)
    positions, world = (array.copy() for array in clip.world)
    for side in "LR":
        solve_leg_ik(clip.skeleton, positions, world, Leg.of(clip.skeleton, side), ankles[side])
    return with_world_rotations(clip, clip.root_positions, world)


def test_standing_still_is_standing() -> None:
    gaits = find_gaits(still(90), both_down(90), np.zeros((90, 2)))
    assert gaits[:, STAND].min() > 0.95


def test_a_pause_in_a_walk_is_standing_and_the_walk_is_not() -> None:
    walker = Walker(pause=3.0, seconds=9.0)
    standing = gaits_of(walker)[:, STAND]
    begin, end = walker.times[walker.resting][[0, -1]]
    assert standing[(walker.times > begin + 0.5) & (walker.times < end - 0.5)].min() > 0.9
    assert standing[(walker.times < begin - 1.2) | (walker.times > end + 1.2)].max() < 0.1


def test_sunk_hips_are_crouching() -> None:
    clip = with_feet_where_they_were(still(90), np.tile([0.0, 0.0, -0.45], (90, 1)))
    assert find_gaits(clip, both_down(90), np.zeros((90, 2)))[:, CROUCH].min() > 0.95


def test_heights_are_over_the_ground_wherever_it_is() -> None:
    for floor in (-2.0, 0.0, 3.0):
        clip = still(90, 0.98 + floor)
        assert find_gaits(clip, both_down(90), np.full((90, 2), floor))[:, STAND].min() > 0.9


def jumper(speed: float, rate: float = 60.0, scale: float = 1.0) -> tuple[Clip, np.ndarray, float, float]:
    """A crouch, a flight that begins at ``speed`` m/s, a landing: clip, feet down, and when the flight is."""
    unit = np.sqrt(scale)
    time = np.arange(round(3.0 * unit * rate)) / rate / unit
    start, stop = 1.2, 1.2 + 2 * speed / GRAVITY_M_S2
    depth, sink = 0.2, 2.0 * 0.2 / speed

    def absorbed(since: Array) -> Array:
        """From the bottom up to leaving at the jump's speed, evenly accelerated; then the flight's own parabola."""
        return -depth + speed * np.clip(since, 0, sink) ** 2 / (2 * sink)

    height = np.zeros_like(time)
    before = (time >= start - 0.5 - sink) & (time < start)
    down_ramp = np.clip((time - (start - 0.5 - sink)) / 0.5, 0, 1)
    height[before] = np.where(
        down_ramp < 1, -depth * np.sin(np.pi / 2 * down_ramp) ** 2, absorbed(time - (start - sink))
    )[before]
    flying = (time >= start) & (time <= stop)
    height[flying] = (speed * (time - start) - GRAVITY_M_S2 / 2 * (time - start) ** 2)[flying]
    after = time > stop
    up_ramp = np.clip((time - stop - sink) / 0.5, 0, 1)
    height[after] = np.where(
        time < stop + sink, absorbed(stop + sink - time), -depth * np.cos(np.pi / 2 * up_ramp) ** 2
    )[after]
    clip = still(len(time), rate=rate)
    skeleton = person(scale)
    roots = clip.root_positions * scale + height[:, None] * [0.0, 0.0, scale]
    return (
        Clip(skeleton, rate, roots, clip.rotations),
        np.stack([~flying, ~flying], axis=1),
        start * unit,
        stop * unit,
    )


@pytest.mark.parametrize("speed", [1.2, 1.8, 2.5])
@pytest.mark.parametrize("rate, scale", [(30.0, 1.0), (60.0, 1.0), (120.0, 1.0), (60.0, 0.6), (60.0, 2.0)])
def test_a_flight_is_a_jump_with_the_crouch_before_and_the_landing_after(
    speed: float, rate: float, scale: float
) -> None:
    clip, down, start, stop = jumper(speed, rate, scale)
    jump = find_gaits(clip, down, np.zeros((len(clip), 2)))[:, JUMP]
    time = np.arange(len(clip)) / rate
    assert jump[(time >= start) & (time <= stop)].min() > 0.8
    assert jump[(time > start - 0.1) & (time < stop + 0.1)].min() > 0.5
    assert jump[time < start - 1.1 * np.sqrt(scale)].max() < 0.1


QUADRUPEDS = {"stands": (0.0, STAND), "walks": (0.9, WALK), "trots": (3.0, JOG), "gallops": (7.0, RUN)}


@pytest.mark.parametrize("speed, gait", QUADRUPEDS.values(), ids=QUADRUPEDS.keys())
def test_quadrupeds_go_by_their_froude_number(speed: float, gait: int) -> None:
    # Hips 0.98 m high: Froude numbers of 0, 0.08, 0.94 and 5.1.
    clip = still(180)
    moved = np.stack([speed * np.arange(180) / 60, np.zeros(180), np.zeros(180)], axis=1)
    clip = replace(clip, root_positions=clip.root_positions + moved)
    gaits = find_gaits(clip, both_down(180), np.zeros((180, 2)), quadruped=True)
    assert gaits[:, gait].min() > 0.8
    np.testing.assert_allclose(gaits.sum(axis=1), 1.0)


RECORDED = {
    "brisk walk": ("cmu_asfamc/walk/07_12.bvh", WALK, 0.9),
    "brisk walk of another": ("cmu_asfamc/walk/08_06.bvh", WALK, 0.9),
    "exaggerated stride": ("cmu_asfamc/walk/08_07.bvh", WALK, 0.9),
    "walk": ("cmu_asfamc/walk/35_01.bvh", WALK, 0.95),
    "jog round a circle": ("hdm05_asfamc/turn/HDM_mm_jogLeftCircle4StepsRstart_012_120.bvh", JOG, 0.7),
    "run": ("cmu_asfamc/run/09_01.bvh", RUN, 0.9),
    "run of another": ("cmu_asfamc/run/127_07.bvh", RUN, 0.9),
    "hop on both legs": ("hdm05_asfamc/jump/HDM_bd_hopBothLegs1hops_001_120.bvh", JUMP, 0.8),
    "looking around": ("accad_male1/idle/Male1_A4_LookAround.bvh", STAND, 0.9),
    "swaying": ("accad_male1/idle/Male1_A2_Sway.bvh", STAND, 0.9),
    "crawling": ("accad_male1/crouch/Male1_A11_CrawlForward.bvh", CROUCH, 0.9),
}


@pytest.mark.parametrize("file, gait, share", RECORDED.values(), ids=RECORDED.keys())
def test_recorded_clips_have_their_gait(shared_data: Path, file: str, gait: int, share: float) -> None:
    assert label_clip(read_bvh(shared_data / "mocap" / file)).gaits[:, gait].mean() > share


ANIMALS = {"walk": ("Husky_Walk", WALK), "gallop": ("Wolf_Gallop", RUN), "eating": ("Wolf_Eating", STAND)}


@pytest.mark.parametrize("name, gait", ANIMALS.values(), ids=ANIMALS.keys())
def test_animals_on_the_spot_have_their_gait(shared_data: Path, name: str, gait: int) -> None:
    clip = read_bvh(shared_data / "mocap" / "quaternius_animals_cc0" / "quadruped" / f"{name}.bvh")
    assert label_clip(clip, load_preset(shipped_presets()["quadruped"])).gaits[:, gait].mean() > 0.6
