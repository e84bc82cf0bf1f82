"""The gait of a walker in closed form, and of people."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.evaluation.bending import flexion_angles, hinge_axes
from footfall.core.evaluation.gait_analysis import (
    GAIT_MEASURES,
    Stride,
    analyze_gait,
    mean_gait,
    step_time_asymmetry,
)
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import from_axis_angle, multiply, rotation_about_up
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_the_walker_walks_as_it_is_made(heading: float) -> None:
    walker = Walker(speed=1.1, cycle=1.0, seconds=10.0, heading=heading)
    gait = analyze_gait(walker.clip())
    known = {
        "speed_m_s": (1.1, 0.005),
        "cadence_steps_min": (120, 0.5),
        "step_length_m": (0.55, 0.005),
        "step_width_cm": (20, 0.3),
        "bounce_cm": (0, 0.1),
        "sway_cm": (0, 0.1),
        "speed_range_m_s": (0, 0.02),
        "pelvis_turn_deg": (0, 0.1),
        "chest_turn_deg": (0, 0.1),
        "pelvis_drop_deg": (0, 0.1),
        "arm_swing_deg": (0, 0.1),
        "elbow_range_deg": (0, 0.1),
        "stance_share": (walker.duty, 0.09),
        "step_time_asymmetry_percent": (0, 0.3),
        "side_lean_deg": (0, 0.1),
        "forward_lean_deg": (0, 0.1),
    }
    for key, (value, tolerance) in known.items():
        assert gait[key] == pytest.approx(value, abs=tolerance), key


def test_sway_bounce_and_turn_are_those_that_are_put_in() -> None:
    walker = Walker(seconds=10.0)
    clip, angle = walker.clip(), 2 * np.pi * walker.phase
    turns = rotation_about_up(np.radians(5) * np.sin(angle))
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(turns, rotations[:, 0])
    shift = np.column_stack([0.02 * np.sin(angle), np.zeros(len(clip)), 0.015 * np.cos(2 * angle)])
    gait = analyze_gait(replace(clip, root_positions=clip.root_positions + shift, rotations=rotations))
    assert gait["sway_cm"] == pytest.approx(4, abs=0.1)
    assert gait["bounce_cm"] == pytest.approx(3, abs=0.1)
    assert gait["pelvis_turn_deg"] == pytest.approx(10, abs=0.3)
    assert gait["chest_turn_deg"] == pytest.approx(10, abs=0.3)


def test_a_knee_that_pops_by_five_degrees_in_a_frame_is_seen() -> None:
    clip = Walker(seconds=8.0).clip()
    rotations, shin = clip.rotations.copy(), clip.skeleton.joint("shin.L")
    pop = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(np.radians(5.0)))
    rotations[10::20, shin] = multiply(rotations[10::20, shin], pop)
    before, after = (
        analyze_gait(one)["knee_acceleration_rad_s2"] for one in (clip, replace(clip, rotations=rotations))
    )
    assert before is not None and after is not None
    assert after - before > np.radians(5.0) * clip.rate**2 / 2


def test_crossing_feet_have_a_negative_width() -> None:
    clip = Walker(seconds=8.0).clip()
    roles = dict(clip.skeleton.roles)
    swapped = {role: roles[role[:-1] + ("R" if role[-1] == "L" else "L")] if role[-2] == "." else joint
               for role, joint in roles.items()}  # fmt: skip
    crossed = replace(clip, skeleton=replace(clip.skeleton, roles=swapped))
    assert analyze_gait(crossed)["step_width_cm"] == pytest.approx(-20, abs=0.3)


def test_a_limp_is_the_difference_of_step_times() -> None:
    strides = [Stride("L", 60.0 * n, 60.0 * n + 36, 60.0 * n + 33, 60.0 * n + 60) for n in range(3)]
    assert step_time_asymmetry(strides) == pytest.approx(20)
    assert step_time_asymmetry([]) is None


def test_standing_and_circles_have_no_gait() -> None:
    circle = Walker(turn=1.0, seconds=8.0).clip()
    assert analyze_gait(circle)["strides"] == 0
    still = Walker(seconds=8.0).clip()
    still = replace(still, root_positions=np.repeat(still.root_positions[:1], len(still), axis=0),
                    rotations=np.repeat(still.rotations[:1], len(still), axis=0))  # fmt: skip
    gait = analyze_gait(still)
    assert gait["strides"] == 0 and gait["cadence_steps_min"] is None


def test_the_mean_counts_each_clip_once_and_leaves_out_what_is_unknown() -> None:
    nothing = dict.fromkeys(GAIT_MEASURES)
    one = {**nothing, "strides": 2.0, "bounce_cm": 3.0}
    assert mean_gait([one, {**one, "bounce_cm": 5.0, "strides": 9.0}, nothing])["bounce_cm"] == 4.0
    assert mean_gait([one, nothing])["strides"] == 2.0 and mean_gait([nothing])["sway_cm"] is None


def test_people_walk_as_an_outside_evaluator_found(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "cmu_asfamc" / "walk"
    gait = mean_gait([analyze_gait(read_bvh(folder / f"35_{n:02}.bvh").resampled(60.0)) for n in range(2, 8)])
    usual = {
        "cadence_steps_min": (95, 112),
        "step_length_m": (0.58, 0.76),
        "step_width_cm": (6, 12),
        "bounce_cm": (2, 5),
        "sway_cm": (3, 6),
        "pelvis_turn_deg": (5, 17),
        "arm_swing_deg": (12, 46),
        "foot_pitch_strike_deg": (20, 36),
        "foot_pitch_toe_off_deg": (-65, -48),
        "knee_yield_deg": (8, 22),
        "knee_swing_deg": (65, 75),
        "knee_acceleration_rad_s2": (100, 300),
        "toe_clearance_cm": (1, 4),
        "stance_share": (0.6, 0.68),
    }
    for key, (low, high) in usual.items():
        value = gait[key]
        assert value is not None and low < value < high, f"{key}: {value}"


def test_the_legs_of_the_walker_are_measured_as_they_are_bent() -> None:
    """Of a walk that repeats itself, all are those of one cycle of each leg."""
    walker = Walker(seconds=10.0)
    clip = walker.clip()
    gait = analyze_gait(clip)
    bends = flexion_angles(clip, hinge_axes(clip))
    whole = slice(120, 480)
    assert gait["knee_median_deg"] == pytest.approx(np.median(bends["knee"][whole]), abs=2.0)
    assert gait["knee_swing_deg"] == pytest.approx(bends["knee"][whole].max(), abs=0.5)
    assert gait["elbow_mean_deg"] == pytest.approx(bends["elbow"][whole].mean(), abs=0.1)
    toes = clip.positions[whole, clip.skeleton.joint("toe.L"), 2]
    assert gait["toe_highest_cm"] == pytest.approx(100 * np.ptp(toes), abs=1.0)
    highest, lowest = gait["toe_highest_cm"], gait["toe_clearance_cm"]
    assert highest is not None and lowest is not None and 0.0 < lowest < highest


def test_arms_that_swing_are_measured_along_the_travel_and_elbows_by_their_range() -> None:
    walker = Walker(seconds=10.0, heading=1.0)
    clip, angle = walker.clip(), 2 * np.pi * walker.phase
    rotations = clip.rotations.copy()
    for side in "LR":
        arm, elbow = (clip.skeleton.joint(f"{part}.{side}") for part in ("upper_arm", "forearm"))
        swing = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(15) * np.sin(angle))
        rotations[:, arm] = multiply(swing, rotations[:, arm])
        bend = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(20) + np.radians(10) * np.sin(angle))
        rotations[:, elbow] = multiply(rotations[:, elbow], bend)
    gait = analyze_gait(replace(clip, rotations=rotations))
    assert gait["arm_swing_deg"] == pytest.approx(30, abs=0.5)
    assert gait["elbow_range_deg"] == pytest.approx(20, abs=0.5)
    assert gait["elbow_mean_deg"] == pytest.approx(20, abs=0.5)


def test_a_pelvis_that_drops_and_a_body_that_surges_are_measured() -> None:
    walker = Walker(seconds=10.0)
    clip, angle = walker.clip(), 2 * np.pi * walker.phase
    rotations = clip.rotations.copy()
    tilt = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(4) * np.sin(angle))
    rotations[:, 0] = multiply(tilt, rotations[:, 0])
    surge = np.outer(0.01 * np.sin(2 * angle), [0.0, 1.0, 0.0])
    gait = analyze_gait(replace(clip, rotations=rotations, root_positions=clip.root_positions + surge))
    assert gait["pelvis_drop_deg"] == pytest.approx(8, abs=0.2)
    fastest = 0.01 * 2 * 2 * np.pi
    assert gait["speed_range_m_s"] == pytest.approx(2 * fastest, rel=0.06)
