"""Limits of the gaits, on statues that are carried along and on made-up measures of flights."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from footfall.core.labelling.semantics.gaits import (
    GAIT_NAMES,
    _feet_touching_near,
    _GaitMeasures,
    _hind_feet_correlation,
    _jump_share,
    _recovery_frame,
    centre_of_mass,
    find_gaits,
)
from footfall.core.motion import Clip

from .statues import FRAMES, STANDING, elbow, statue

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


UPRIGHT_RATIO = ((1 / (0.0672 + 0.84)) + 1.7 / (0.0672 + 0.84 + 0.7)) / 2
"""Height of a standing statue relative to its bones; its spine is 0.7 m long."""


def lowered(meters: float, ground: float = 0.0) -> Clip:
    return statue({role: (x, y, z - meters + ground) for role, (x, y, z) in STANDING.items()})


@pytest.mark.parametrize("ground", [0.0, 2.0])
@pytest.mark.parametrize("widths", [-1.0, 0.0, 1.0])
def test_a_crouch_is_lower_than_0_78_of_upright(widths: float, ground: float) -> None:
    """Upright is 0.94 of the bones at least: a clip that is lower throughout is a crouch throughout."""
    wanted = 0.94 * (0.78 - 0.02 * widths)
    meters = (UPRIGHT_RATIO - wanted) / ((1 / 0.9072 + 1 / 1.6072) / 2)
    gaits = find_gaits(lowered(meters, ground), np.ones((FRAMES, 2), dtype=bool), LEVEL + ground)
    np.testing.assert_allclose(gaits[:, GAIT_NAMES.index("crouch")], expit(widths), rtol=0, atol=1e-6)


def test_without_a_head_the_hips_tell_a_crouch() -> None:
    clip = lowered(1.0 - 0.94 * 0.78 * 0.9072)
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "head"}
    headless = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    gaits = find_gaits(headless, np.ones((FRAMES, 2), dtype=bool), LEVEL)
    np.testing.assert_allclose(gaits[:, GAIT_NAMES.index("crouch")], 0.5, rtol=0, atol=1e-6)


def test_the_center_of_mass_is_that_of_the_shares_of_a_body() -> None:
    masses = {"hips": 0.25, "chest": 0.3, "head": 0.1}
    masses |= {f"{part}.{side}": share for part, share in (("shin", 0.08), ("foot", 0.05)) for side in "LR"}
    forearms = [elbow(STANDING[f"upper_arm.{side}"], STANDING[f"hand.{side}"]) for side in "LR"]
    places = [np.array(STANDING[role]) * mass for role, mass in masses.items()] + [0.05 * np.array(f) for f in forearms]
    np.testing.assert_allclose(centre_of_mass(statue({}))[7], np.sum(places, axis=0) / 1.01)


def test_of_a_body_with_few_roles_the_mass_is_at_the_hips() -> None:
    clip = statue({})
    for kept, at_hips in ((("hips", "head"), True), (("hips", "head", "chest"), False)):
        roles = {role: joint for role, joint in clip.skeleton.roles.items() if role in kept}
        few = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
        assert (centre_of_mass(few)[0, 2] == pytest.approx(1.0)) == at_hips


def dropping(fall: tuple[int, int] = (60, 75), up: float = 1.0, sunk: float = 1.0, **changes: object) -> _GaitMeasures:
    """Measures of a body in free fall between some frames, that leaves and lands at speeds in units."""
    accelerated = np.where((np.arange(FRAMES) >= fall[0]) & (np.arange(FRAMES) < fall[1]), -9.81, 0.0)
    lift = np.zeros(FRAMES)
    lift[fall[0] : fall[1]] = np.linspace(up, -sunk, fall[1] - fall[0]) * UNIT
    zero = np.zeros(FRAMES)
    measures = _GaitMeasures(0.84, 60.0, zero + 1.0, zero, zero, zero, lift, accelerated, zero + 1.0)
    return replace(measures, **changes)  # type: ignore[arg-type]


def feet_up(start: int, stop: int, left: bool = True, right: bool = True) -> np.ndarray:
    """Both feet are down but for a flight, after which one may stay up for the rest of the clip."""
    down = np.ones((FRAMES, 2), dtype=bool)
    down[start:stop] = False
    down[stop:] &= [left, right]
    return down


@pytest.mark.parametrize(
    "up, sunk, jumps",
    [(0.26, 0.26, True), (0.24, 0.24, False), (0.0, 0.51, True), (0.0, 0.49, False)],
)
def test_a_hop_from_both_feet_onto_both_is_a_jump_from_a_quarter_of_the_unit(
    up: float, sunk: float, jumps: bool
) -> None:
    found = _jump_share(dropping(up=up, sunk=sunk), feet_up(60, 75))
    assert bool(found.max() > 0.5) == jumps


@pytest.mark.parametrize(
    "up, sunk, jumps",
    [(0.34, 0.34, True), (0.32, 0.32, False), (0.0, 0.61, True), (0.0, 0.59, False)],
)
def test_a_flight_onto_another_foot_is_a_jump_from_a_third_of_the_unit_or_a_drop(
    up: float, sunk: float, jumps: bool
) -> None:
    found = _jump_share(dropping(up=up, sunk=sunk), feet_up(60, 75, right=False))
    assert bool(found.max() > 0.5) == jumps


def test_a_fall_with_a_foot_down_is_no_flight() -> None:
    assert not _jump_share(dropping(), np.ones((FRAMES, 2), dtype=bool)).any()
    slow = replace(dropping(), vertical_acceleration=np.full(FRAMES, -4.9))
    assert not _jump_share(slow, feet_up(60, 75)).any()
    fast = replace(dropping(), vertical_acceleration=np.where(feet_up(60, 75)[:, 0], 0.0, -4.91))
    assert _jump_share(fast, feet_up(60, 75)).max() > 0.5


def test_a_jump_lasts_a_twentieth_of_a_second_longer_than_its_flight_on_level_hips() -> None:
    """Half of it has passed three frames before the flight's first frame and three after its last."""
    found = _jump_share(dropping(), feet_up(60, 75))
    inside = np.flatnonzero(found > 0.5)
    assert (inside[0], inside[-1]) == (57, 77)


def test_a_landing_is_absorbed_until_seven_tenths_of_the_rise() -> None:
    height = np.ones(FRAMES)
    height[70:] = np.interp(np.arange(70, FRAMES), [70, 80, 90, FRAMES], [1.0, 0.8, 1.0, 1.0])
    standing = np.ones(FRAMES, dtype=bool)
    assert _recovery_frame(dropping(), height, standing, 70) == 87
    lifted = standing.copy()
    lifted[85] = False
    assert _recovery_frame(dropping(), height, lifted, 70) == 83, "0.7 of the rise until the foot is lifted"
    lifted[80:] = False
    assert _recovery_frame(dropping(), height, lifted, 70) == 80


def test_a_landing_is_lowest_within_half_a_second_and_up_within_six_tenths() -> None:
    height = np.ones(FRAMES)
    height[40:] = np.interp(np.arange(40, FRAMES), [40, 69, FRAMES], [1.0, 0.5, 0.0])
    assert _recovery_frame(dropping(), height, np.ones(FRAMES, dtype=bool), 40) == 69
    rising = np.ones(FRAMES)
    rising[40:] = np.interp(np.arange(40, FRAMES), [40, 41, FRAMES], [1.0, 0.0, 7.9])
    assert _recovery_frame(dropping(), rising, np.ones(FRAMES, dtype=bool), 40) == 41 + round(0.7 * 35 + 0.4)


def test_feet_touch_before_and_after_a_flight() -> None:
    down = np.zeros((40, 2), dtype=bool)
    down[:10, 0], down[12:14, 1] = True, True
    assert _feet_touching_near(down, 10, -6) == (True, False)
    assert _feet_touching_near(down, 20, -6) == (False, True)
    assert _feet_touching_near(down, 10, 6) == (False, True)
    assert _feet_touching_near(down, 14, 6) == (False, False)
    later = np.zeros((40, 2), dtype=bool)
    later[30:, 0], later[32:, 1] = True, True
    assert _feet_touching_near(later, 1, 6) == (True, True), "the other foot within half of the reach"
    later[32, 1] = False
    assert _feet_touching_near(later, 1, 6) == (True, False)
    assert _feet_touching_near(later, 0, 6) == (False, False), "a landing within five reaches"
    assert _feet_touching_near(later, 25, 1) == (False, False)
    assert _feet_touching_near(later, 26, 1) == (True, False)


@pytest.mark.parametrize(
    "left, right, expected",
    [((0.0, 1.0), (0.0, 1.0), 1.0), ((0.0, 1.0), (0.0, -1.0), -1.0), ((0.0, 1.0), (1.0, 0.0), 0.0)],
)
def test_hind_feet_that_swing_together_correlate(
    left: tuple[float, float], right: tuple[float, float], expected: float
) -> None:
    """At a twentieth of the unit of speed the correlation is a half of what it is of fast feet."""
    for speed, share in ((0.05 * UNIT, 0.5), (5.0 * UNIT, 1 / (1 + 1e-4))):
        clip = statue({})
        body = _GaitMeasures.of(clip, LEVEL, False)
        positions = clip.positions.copy()
        way = np.arange(FRAMES) / 60 * speed
        for side, (x, y) in (("L", left), ("R", right)):
            positions[:, clip.skeleton.joint(f"foot.{side}"), :2] += way[:, None] * [x, y]
        vars(clip)["world"] = (positions, clip.world[1])
        np.testing.assert_allclose(_hind_feet_correlation(clip, body), share * expected, rtol=0, atol=1e-9)


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
