"""The phase of animals from footfalls of known gaits."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from footfall.core.labelling.clean_up.treadmill import find_belt_velocity
from footfall.core.labelling.phase.phase import find_strikes
from footfall.core.labelling.phase.quadruped import quadruped_phase
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array, rotate

RATE = 60.0
# Where in the stride each foot comes down, from the right hind one.
GAITS = {
    "walk": {"R": 0.0, "FR": 0.25, "L": 0.5, "FL": 0.75},
    "amble": {"R": 0.0, "FR": 0.18, "L": 0.5, "FL": 0.68},
    "trot": {"R": 0.0, "FR": 0.5, "L": 0.5, "FL": 0.0},
    "pace": {"R": 0.0, "FR": 0.03, "L": 0.5, "FL": 0.53},
    "canter": {"R": 0.0, "L": 0.3, "FR": 0.3, "FL": 0.65},
    "gallop": {"R": 0.0, "L": 0.12, "FR": 0.55, "FL": 0.65},
    "bound": {"R": 0.0, "L": 0.0, "FR": 0.5, "FL": 0.5},
}


def circular(a: Array, b: Array) -> Array:
    """Distance on the circle of phases, cycles."""
    return np.abs((a - b + 0.5) % 1.0 - 0.5)


def even(seconds: float, rate: float) -> Array:
    """Unwrapped phase (F) of so many strides a second."""
    return 0.3 + np.arange(round(seconds * RATE)) / RATE * rate


def footfalls(cycles: Array, places: Mapping[str, float | Array]) -> dict[str, np.ndarray]:
    """The first frame of every contact, of feet that come down where in the stride ``places`` says."""
    strikes = {}
    for foot, place in places.items():
        own = np.floor(cycles - place)
        strikes[foot] = np.flatnonzero(np.diff(own) > 0) + 1
    return strikes


def without(strikes: dict[str, np.ndarray], share: float, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """The same strikes, a share of them lost."""
    return {foot: at[generator.random(len(at)) >= share] for foot, at in strikes.items()}


@pytest.mark.parametrize("gait", GAITS)
def test_the_phase_is_zero_where_the_right_hind_foot_comes_down(gait: str) -> None:
    cycles = even(8.0, 1.3)
    strikes = footfalls(cycles, GAITS[gait])
    phase = quadruped_phase(strikes, np.zeros(len(cycles), dtype=bool), RATE)
    assert circular(phase, cycles).max() < 0.02
    assert (phase[strikes["R"]] < 0.04).all()
    assert (phase[strikes["R"] - 1] > 0.96).all()


@pytest.mark.parametrize("gait", GAITS)
def test_the_other_feet_tell_the_time_where_the_right_hind_foot_is_not_seen(gait: str) -> None:
    tempo = 1.3 + 0.4 * np.sin(np.arange(900) / RATE)
    cycles = np.cumsum(tempo) / RATE
    strikes = footfalls(cycles, GAITS[gait])
    strikes["R"] = strikes["R"][(strikes["R"] < 300) | (strikes["R"] > 600)]
    phase = quadruped_phase(strikes, np.zeros(900, dtype=bool), RATE)
    assert circular(phase, cycles)[60:-60].max() < 0.03


@pytest.mark.parametrize("gait", GAITS)
def test_a_tenth_of_the_strikes_lost_and_as_many_doubled_do_no_harm(gait: str) -> None:
    generator = np.random.default_rng(2)
    tempo = gaussian_filter1d(generator.normal(1.3, 3.0, size=6000), 120)
    cycles = np.cumsum(np.clip(tempo, 0.8, 2.0)) / RATE
    strikes = without(footfalls(cycles, GAITS[gait]), 0.1, generator)
    for foot, at in strikes.items():
        again = at[generator.random(len(at)) < 0.1]
        strikes[foot] = np.sort(np.concatenate([at, again + generator.integers(6, 20, size=len(again))]))
    phase = quadruped_phase(strikes, np.zeros(6000, dtype=bool), RATE)
    assert np.mean(circular(phase, cycles) < 0.1) > 0.98
    assert np.sqrt(np.mean(circular(phase, cycles) ** 2)) < 0.04


def test_standing_goes_round_once_a_second_and_is_right_again() -> None:
    tempo = np.where((np.arange(900) > 300) & (np.arange(900) < 600), 0.0, 1.5)
    cycles = np.cumsum(tempo) / RATE
    phase = quadruped_phase(footfalls(cycles, GAITS["walk"]), tempo == 0, RATE)
    moving = np.abs(np.arange(900) - 450) > 210
    assert circular(phase, cycles)[moving].max() < 0.05
    unwrapped = np.unwrap(phase, period=1.0)
    assert unwrapped[600] - unwrapped[300] == pytest.approx(5.0, abs=0.8)


def test_without_the_right_hind_foot_the_left_one_is_half_a_cycle_on() -> None:
    cycles = even(8.0, 1.3)
    strikes = footfalls(cycles, GAITS["trot"])
    del strikes["R"]
    phase = quadruped_phase(strikes, np.zeros(len(cycles), dtype=bool), RATE)
    assert circular(phase, cycles).max() < 0.02


@pytest.mark.parametrize(("clip", "stride"), [("Husky_Walk", 31), ("Wolf_Gallop", 16)])
def test_a_keyframed_animal_makes_one_cycle_in_each_round_of_its_loop(
    shared_data: Path, clip: str, stride: int
) -> None:
    animal = read_bvh(shared_data / "mocap" / "quaternius_animals_cc0" / "quadruped" / f"{clip}.bvh")
    positions, rotations = animal.world
    strikes = {}
    for foot, role in {"L": "shin.L", "R": "shin.R", "FL": "front_shin.L", "FR": "front_shin.R"}.items():
        joint = animal.skeleton.joint(role)
        paw = positions[:, joint] + rotate(rotations[:, joint], animal.skeleton.tips[joint])
        belt = find_belt_velocity(paw[:, None], animal.rate)
        assert belt is not None
        carried = np.gradient(paw[:, :2], 1 / animal.rate, axis=0) @ belt > 0.4 * belt @ belt
        strikes[foot] = find_strikes(np.tile(carried[:-1], 6), animal.rate)  # its last frame is its first
    phase = np.unwrap(quadruped_phase(strikes, np.zeros(6 * stride, dtype=bool), animal.rate), period=1.0)
    np.testing.assert_allclose(phase[stride:] - phase[:-stride], 1.0, atol=0.05)
