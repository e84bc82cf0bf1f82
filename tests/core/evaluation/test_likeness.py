"""Figures of synthetic walkers in closed form, and sentences for what is wrong alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import footfall
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import Cues, Wait
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.evaluation import find_faults, measure_likeness
from footfall.core.evaluation.likeness import body_size
from footfall.core.evaluation.sharp_courses import sharp_course_points
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import from_axis_angle, multiply, rotation_about_up
from footfall.core.terrain.ground import Plane
from footfall.tests.support.walker import Walker, person

RATE = 60.0


def standing(knee: float = 0.0, seconds: float = 3.0, rock: float = 0.0) -> Clip:
    """A person who stands with knees bent by some degrees, and rocks by some meters."""
    skeleton, frames = person(), round(seconds * RATE)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    half = np.radians(knee) / 2
    for side in "LR":
        for role, angle in (("thigh", half), ("shin", -2 * half), ("foot", half)):
            rotations[:, skeleton.roles[f"{role}.{side}"]] = from_axis_angle(np.array([-1.0, 0.0, 0.0]), angle)
    height = 0.1 + 0.84 * np.cos(half) + 0.08
    sway = rock * np.sin(2 * np.pi * np.arange(frames) / RATE)
    roots = np.column_stack([sway, np.zeros(frames), np.full(frames, height)])
    return Clip(skeleton, RATE, roots, rotations, "standing")


def said(clip: Clip, frames: np.ndarray | None = None) -> str:
    return " | ".join(find_faults(measure_likeness(clip, frames)))


@pytest.mark.parametrize("knee", [4.0, 14.0, 16.0, 40.0])
def test_who_stands_in_a_squat_is_told_so(knee: float) -> None:
    clip = standing(knee)
    assert measure_likeness(clip)["standing_knee_deg"].value == pytest.approx(knee, abs=0.01)
    squats = f"Stands with knees bent by {knee:.0f}° (people: at most 10°)"
    assert said(clip).startswith(squats) if knee > 15 else said(clip) == ""


def limping(share: float) -> Clip:
    """A walk whose time runs slower in each left step and faster in each right one."""
    walker = Walker(speed=1.15, cycle=1.1, seconds=16.0)
    clip, cycles = walker.clip(), walker.cycles
    warped = cycles + share / (2 * np.pi) * (np.cos(2 * np.pi * cycles) - 1)
    frames = np.interp(warped, cycles, np.arange(len(clip)))
    nearest = np.clip(np.rint(frames).astype(int), 0, len(clip) - 1)
    positions = np.stack([np.interp(frames, np.arange(len(clip)), axis) for axis in clip.root_positions.T], axis=-1)
    return replace(clip, root_positions=positions, rotations=clip.rotations[nearest])


def test_who_limps_is_told_so() -> None:
    even, uneven = (measure_likeness(limping(share)) for share in (0.0, 0.25))
    assert even["step_time_asymmetry_percent"].value < 1
    assert uneven["step_time_asymmetry_percent"].value > 10
    assert "Limps: left and right steps differ by" in said(limping(0.25))
    assert "Limps" not in said(limping(0.0))


def leaned(clip: Clip, degrees: float) -> Clip:
    """The clip with its trunk turned to the right; it walks towards +Y."""
    spine, world = clip.skeleton.joint("spine"), clip.world[1].copy()
    trunk = [spine]
    for joint in range(spine + 1, len(clip.skeleton)):
        if clip.skeleton.parents[joint] in trunk:
            trunk.append(joint)
    world[:, trunk] = multiply(from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(degrees)), world[:, trunk])
    return Clip.from_world_rotations(clip.skeleton, clip.rate, clip.root_positions, world)


@pytest.mark.parametrize(("degrees", "side"), [(10.0, "right"), (-10.0, "left")])
def test_a_lean_on_straights_has_its_side(degrees: float, side: str) -> None:
    clip = leaned(Walker(seconds=8.0).clip(), degrees)
    upper = np.degrees(np.arctan2(0.35 * np.sin(np.radians(10)), 0.11 + 0.35 * np.cos(np.radians(10))))
    assert abs(measure_likeness(clip)["side_lean_deg"].value) == pytest.approx(upper, abs=0.1)
    assert f"Leans to the {side} by 8° on straight paths (people: at most 2°)" in said(clip)


def test_stiff_arms_and_a_straddle_are_told_and_a_narrow_walk_is_on_a_line() -> None:
    clip = Walker(speed=1.2, seconds=8.0).clip()
    figures = measure_likeness(clip)
    assert figures["step_width_cm"].value == pytest.approx(20, abs=0.3)
    assert figures["arm_swing_deg"].value == pytest.approx(0, abs=0.1)
    assert "Steps are as wide as 20 cm (people: 6 to 14 cm)" in said(clip)
    assert "The arms swing by only 0° (people: at least 12°)" in said(clip)
    roles = dict(clip.skeleton.roles)
    swapped = {
        role: roles[role[:-1] + ("R" if role[-1] == "L" else "L")] if role.startswith("foot.") else joint
        for role, joint in roles.items()
    }
    crossed = replace(clip, skeleton=replace(clip.skeleton, roles=swapped))
    assert "cm wide (people: 6 to 14 cm)" in said(crossed) and "Steps are only" in said(crossed)


@pytest.mark.parametrize(("speed", "cycle", "usual"), [(1.1, 1.12, True), (1.1, 0.7, False), (0.75, 1.85, False)])
def test_a_cadence_that_people_do_not_have_is_told(speed: float, cycle: float, usual: bool) -> None:
    clip = Walker(speed=speed, cycle=cycle, seconds=14.0).clip()
    figure = measure_likeness(clip)["cadence_steps_min"]
    assert figure.value == pytest.approx(120 / cycle, abs=1)
    assert figure.is_fault is not usual
    assert (f"{figure.value:.0f} steps a minute at {figure.speed_m_s:.1f} m/s" in said(clip)) is not usual


def turning(lean: float, sink: float) -> Clip:
    """A person who glides, turns by half a circle within 2 s and glides back; leaning and sinking as it turns."""
    seconds = np.arange(8 * 60) / RATE
    share = np.clip((seconds - 3) / 2, 0, 1)
    yaws = np.pi * share * share * (3 - 2 * share)
    steps = 1.2 / RATE * np.stack([np.sin(yaws), -np.cos(yaws)], axis=-1)
    clip = standing(0.0, 8.0)
    bend = np.sin(np.pi * share)
    roots = np.column_stack([np.cumsum(steps, axis=0), clip.root_positions[:, 2] - sink * bend])
    tilt = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(lean) * bend)
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(yaws), tilt)
    return replace(clip, root_positions=roots, rotations=rotations)


def test_lean_and_sink_in_turns_are_those_that_are_put_in() -> None:
    figures = measure_likeness(turning(30.0, 0.12))
    assert figures["turn_lean_deg"].value == pytest.approx(30, abs=0.2)
    assert figures["turn_sink_cm"].value == pytest.approx(12, abs=0.3)
    frame = figures["turn_lean_deg"].frame
    assert frame is not None and abs(frame - 240) < 3
    assert "Leans by 30° in turns (people: at most 20°)" in said(turning(30.0, 0.12))
    assert "The hips sink by 12 cm in turns" in said(turning(30.0, 0.12))
    assert not any("turns" in sentence for sentence in find_faults(measure_likeness(turning(15.0, 0.04))))


def test_a_joint_that_pops_is_told_with_its_frame() -> None:
    clip = Walker(speed=1.2, seconds=8.0).clip()
    rotations = clip.rotations.copy()
    elbow = clip.skeleton.joint("forearm.L")
    rotations[200, elbow] = from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.8)
    figure = measure_likeness(replace(clip, rotations=rotations))["joint_speed_max_rad_s"]
    assert figure.value == pytest.approx(0.8 * 60) and figure.frame in (200, 201) and figure.is_fault
    assert "A joint turns at 48 rad/s" in said(replace(clip, rotations=rotations))


def test_a_giant_is_held_against_giants() -> None:
    clip = standing(rock=0.02)
    giant = replace(clip, skeleton=clip.skeleton.scaled(3.0), root_positions=clip.root_positions * 3.0)
    small, large = (measure_likeness(one)["standing_head_cm_s"] for one in (clip, giant))
    assert body_size(giant) == pytest.approx(3 * body_size(clip))
    assert large.closeness == pytest.approx(small.closeness)


class Steps(Plane):
    """Level ground with a step of 15 cm at Y = 3 m."""

    def heights(self, points: np.ndarray, frame: float = 0.0) -> np.ndarray:
        return np.where(points[..., 1] > 3.0, 0.15, 0.0)


def test_nothing_false_is_said_of_the_shipped_controller() -> None:
    model = load_model(Path(footfall.__file__).parent / "presets" / "controllers" / "locomotion.safetensors")
    wait = Cues(waits=(Wait(4.0, 4.0),))
    walks = [
        make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [12.0, 0.0]])), 1.2, cues=wait)),
        make_walk(model, WalkRequest(WalkPath(sharp_course_points("corner")), 1.2)),
        make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [20.0, 0.0]])), 3.0)),
    ]
    figures = [measure_likeness(walk.clip) for walk in walks]
    assert [find_faults(found) for found in figures] == [[], [], []]
    assert figures[0].keys() >= {"standing_knee_deg", "step_width_cm", "arm_swing_deg", "cadence_steps_min"}
    assert "turn_lean_deg" in figures[1] and figures[2].keys() >= {"cadence_steps_min"}


def test_nothing_false_is_said_of_people(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "accad_male1"
    for name in (
        "walk/Male1_B3_Walk",
        "walk/Male1_B1_StandToWalk",
        "walk/Male1_B6_WalkBackwards",
        "walk/Male1_B22_SideStepLeft",
        "idle/Male1_A1_Stand",
        "idle/Male1_A2_Sway",
        "turn/Male1_B15_WalkTurnAround",
    ):
        assert said(read_bvh(folder / f"{name}.bvh").resampled(60.0)) == "", name
