"""Belts under walkers that stay where they are."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.labelling.clean_up.treadmill import find_belt_velocity
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array, rotate
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker


def feet(walker: Walker) -> Array:
    """Places of both toe joints (F, 2, 3) over the ground."""
    clip = walker.clip()
    return clip.positions[:, [clip.skeleton.joint("toe.L"), clip.skeleton.joint("toe.R")]]


def on_belt(places: Array, velocity: Array, rate: float) -> Array:
    """The same feet seen by somebody who goes with the walker."""
    moved = np.arange(len(places))[:, None] / rate * velocity
    return places + np.concatenate([moved, np.zeros((len(places), 1))], axis=1)[:, None]


@pytest.mark.parametrize("walker", [Walker(), Walker.runner(), Walker(rate=30.0)], ids=["walk", "run", "30 Hz"])
def test_a_walk_on_the_spot_has_the_belt_that_carries_it_back(walker: Walker) -> None:
    back = np.array([0.0, -walker.speed])
    found = find_belt_velocity(on_belt(feet(walker), back, walker.rate), walker.rate)
    assert found is not None
    np.testing.assert_allclose(found, back, atol=0.06 * walker.speed)


@settings(max_examples=examples(15))
@given(st.floats(-3.1, 3.1), st.floats(0.7, 1.2))
def test_the_belt_runs_against_the_walk_whatever_its_direction(heading: float, speed: float) -> None:
    walker = Walker(heading=heading, speed=speed, seconds=3.0)
    back = speed * np.array([np.sin(heading), -np.cos(heading)])
    found = find_belt_velocity(on_belt(feet(walker), back, walker.rate), walker.rate)
    assert found is not None
    np.testing.assert_allclose(found, back, atol=0.08 * speed)


@pytest.mark.parametrize(
    "walker",
    [Walker(), Walker.runner(), Walker(turn=0.6), Walker(pause=2.0), Walker(rate=30.0)],
    ids=["walk", "run", "circle", "pause", "30 Hz"],
)
def test_a_travelling_clip_has_no_belt(walker: Walker) -> None:
    assert find_belt_velocity(feet(walker), walker.rate) is None


def lowest(path: Path) -> tuple[Array, float]:
    """Toe joints, or the tips of an animal's shins, of a file."""
    clip = read_bvh(path)
    skeleton = clip.skeleton
    positions, rotations = clip.world
    if "toe.L" in skeleton.roles:
        return positions[:, [skeleton.joint("toe.L"), skeleton.joint("toe.R")]], clip.rate
    paws = [skeleton.joint(f"{part}.{side}") for part in ("shin", "front_shin") for side in "LR"]
    return positions[:, paws] + rotate(rotations[:, paws], skeleton.tips[paws]), clip.rate


@pytest.mark.parametrize(
    ("clip", "direction", "speeds"),
    [
        ("kaykit_cc0/walk/Walking_A", (0, 1), (0.4, 0.9)),
        ("kaykit_cc0/walk/Walking_Backwards", (0, -1), (0.4, 0.9)),
        ("kaykit_cc0/walk/Walking_C", (0, 1), (0.2, 0.6)),
        ("kaykit_cc0/run/Running_A", (0, 1), (2.8, 3.6)),
        ("kaykit_cc0/run/Running_Strafe_Right", (0.87, 0.49), (2.8, 3.6)),
        ("quaternius_animals_cc0/quadruped/Husky_Walk", (0, 1), (0.5, 1.0)),
        ("quaternius_animals_cc0/quadruped/Wolf_Gallop", (0, 1), (1.9, 2.6)),
    ],
)
def test_clips_exported_in_place_have_belts(
    shared_data: Path, clip: str, direction: tuple[float, float], speeds: tuple[float, float]
) -> None:
    belt = find_belt_velocity(*lowest(shared_data / "mocap" / f"{clip}.bvh"))
    assert belt is not None
    speed = np.linalg.norm(belt)
    assert speeds[0] < speed < speeds[1]
    np.testing.assert_allclose(belt / speed, direction, atol=0.03)


@pytest.mark.parametrize(
    "clip",
    [
        "kaykit_cc0/idle/Idle",
        "kaykit_cc0/boxing/Unarmed_Melee_Attack_Kick",
        "kaykit_cc0/sit/Sit_Chair_StandUp",
        "kaykit_cc0/sword/2H_Melee_Attack_Spin",
        "quaternius_animals_cc0/quadruped/Wolf_Eating",
        "accad_male1/walk/Male1_B3_Walk",
        "accad_male1/run/Male1_C07_RunBack",
        "accad_male1/walk/Male1_A13_Skipping",
    ],
)
def test_clips_that_travel_or_stay_have_none(shared_data: Path, clip: str) -> None:
    assert find_belt_velocity(*lowest(shared_data / "mocap" / f"{clip}.bvh")) is None
