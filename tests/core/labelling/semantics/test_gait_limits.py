"""Limits of the gaits, on statues that are carried along and on made-up measures of flights."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from footfall.core.labelling.semantics.gaits import (
    GAIT_NAMES,
    centre_of_mass,
    find_gaits,
)
from footfall.core.motion import Clip

from .statues import FRAMES, STANDING, statue

UNIT = float(np.sqrt(9.81 * 0.84))
"""The speed sqrt(g leg) of an adult, m/s."""
LEVEL = np.zeros((FRAMES, 2))


def carried(speed: float, down: bool = True, scale: float = 1.0) -> dict[str, float]:
    """Gaits of a statue that is carried along at a speed of an adult, feet down or up."""
    clip = statue({}, velocity=(0.6 * speed, 0.8 * speed, 0.0), scale=scale)
    gaits = find_gaits(clip, np.full((FRAMES, 2), down), LEVEL)
    np.testing.assert_allclose(gaits, np.tile(gaits[60], (FRAMES, 1)), rtol=0, atol=1e-9)
    return dict(zip(GAIT_NAMES, gaits[60].tolist(), strict=True))


@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("widths", [-1.0, 0.0, 1.0])
def test_a_step_is_taken_from_0_18_of_the_unit_of_speed(widths: float, scale: float) -> None:
    gaits = carried((0.18 + 0.035 * widths) * UNIT, scale=scale)
    assert gaits["stand"] / (1 - gaits["crouch"]) == pytest.approx(1 - expit(widths), abs=1e-6)


@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("widths", [-1.0, 0.0, 1.0])
def test_a_jog_is_a_run_from_0_94_of_the_unit_of_speed(widths: float, scale: float) -> None:
    gaits = carried((0.94 + 0.05 * widths) * UNIT, scale=scale)
    assert gaits["run"] / (gaits["run"] + gaits["jog"]) == pytest.approx(expit(widths), abs=1e-6)


@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("down, airborne", [(True, 0.0), (False, 2.0)])
@pytest.mark.parametrize("froude", [0.5, 0.6745966692414834, 0.8])
def test_hips_that_do_not_bounce_run_by_their_speed_and_flight(
    froude: float, down: bool, airborne: float, scale: float
) -> None:
    """Twice the log of the Froude number, with its weight of 2, and 2 for all the time without a foot down."""
    gaits = carried(froude * UNIT, down, scale)
    odds = 2 * 2 * (2 * np.log(froude + 0.1) - np.log(0.6)) + airborne
    moving = gaits["walk"] + gaits["jog"] + gaits["run"]
    assert 1 - gaits["walk"] / moving == pytest.approx(expit(odds), abs=1e-6)


def lowered(meters: float, ground: float = 0.0) -> Clip:
    return statue({role: (x, y, z - meters + ground) for role, (x, y, z) in STANDING.items()})


def test_without_a_head_the_hips_tell_a_crouch() -> None:
    clip = lowered(1.0 - 0.94 * 0.78 * 0.9072)
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "head"}
    headless = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    gaits = find_gaits(headless, np.ones((FRAMES, 2), dtype=bool), LEVEL)
    np.testing.assert_allclose(gaits[:, GAIT_NAMES.index("crouch")], 0.5, rtol=0, atol=1e-6)


def test_of_a_body_with_few_roles_the_mass_is_at_the_hips() -> None:
    clip = statue({})
    for kept, at_hips in ((("hips", "head"), True), (("hips", "head", "chest"), False)):
        roles = {role: joint for role, joint in clip.skeleton.roles.items() if role in kept}
        few = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
        assert (centre_of_mass(few)[0, 2] == pytest.approx(1.0)) == at_hips


@pytest.mark.parametrize("widths", [-1.0, 0.0, 1.0])
def test_quadrupeds_trot_and_gallop_by_their_froude_number(widths: float) -> None:
    """A statue's feet do not swing: the odds of a gallop are six times 0.3 higher; its thighs are 0.94 m high."""
    unit = float(np.sqrt(9.81 * 0.94))
    for number, gaits_above in ((0.5, ("jog", "run")), (2.5 * np.exp(-1.8 / 4), ("run",))):
        speed = float(np.sqrt(number * np.exp(widths / 4))) * unit
        clip = statue({}, velocity=(speed, 0.0, 0.0))
        gaits = find_gaits(clip, np.ones((FRAMES, 2), dtype=bool), LEVEL, quadruped=True)[60]
        shares = dict(zip(GAIT_NAMES, gaits.tolist(), strict=True))
        going = shares["jog"] + shares["run"] + shares["walk"] * ("jog" in gaits_above)
        assert sum(shares[name] for name in gaits_above) / going == pytest.approx(expit(widths), abs=1e-6)
