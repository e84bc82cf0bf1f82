"""Cycles of animals, their gaits, and takes that are made of them."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.feet.paw_lock import FRONT_PAWS, HIND_PAWS
from footfall.core.errors import FootfallError
from footfall.core.labelling import Labels, label_clip
from footfall.core.labelling.presets import QUADRUPED_PRESET
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.chain_ik import solve_chain_ik
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import leg_chains, paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.core.rig.clip_file import read_clip
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, standing, trot
from footfall.training.data.animal_takes import is_prepared
from footfall.training.data.clip_cache import labels_path
from footfall.training.quadruped.cycles import Cycle, read_cycle
from footfall.training.quadruped.gait_table import STYLES, TROT_FORE_LAG, GaitTable
from footfall.training.quadruped.network_body import network_body
from footfall.training.quadruped.preparation import prepare_takes, read_animals
from footfall.training.quadruped.takes import Course, follow_course

PERIOD_FRAMES = round(60 / BEAT_HZ)


def trot_cycle() -> Cycle:
    """The trot of the dog, as a cycle of its own body."""
    clip, _ = trot(dog(), PERIOD_FRAMES + 1)
    cycle = read_cycle(clip, dog())
    assert cycle is not None
    return cycle


def idle() -> Cycle:
    """The standing dog, as a cycle."""
    cycle = read_cycle(standing(dog()), dog())
    assert cycle is not None
    return cycle


def lag(cycle: Cycle, column: int) -> float:
    """Cycles from the strike of the right hind paw to that of another one."""
    down = cycle.contacts > 0.5
    first = [int(np.flatnonzero(down[:, at] & ~np.roll(down[:, at], 1))[0]) for at in (2, column)]
    return (first[1] - first[0]) / len(cycle.contacts) % 1.0


def test_a_cycle_has_the_period_speed_and_contacts_of_the_clip() -> None:
    cycle = trot_cycle()
    assert cycle.seconds == pytest.approx(1 / BEAT_HZ)
    assert cycle.speed == pytest.approx(2 * BEAT_HZ * STRIDE_M, rel=0.05)
    assert np.allclose(cycle.contacts.mean(axis=0), 0.5, atol=0.1)
    assert idle().speed == 0.0 and idle().contacts.min() == 1.0


def test_a_take_goes_its_course_with_planted_paws() -> None:
    table = GaitTable.of([trot_cycle(), idle()], dog())
    assert lag(table.trot[0], FRONT_PAWS[1]) == pytest.approx(TROT_FORE_LAG, abs=0.05)
    frames = 240
    ramp = np.clip((np.arange(frames) - 60) / 60, 0.0, 1.0)
    course = Course(ramp * 1.0, ramp * 0.5, np.full(frames, 0.1), np.zeros(frames, np.intp))
    take = follow_course(table, dog(), course, "take").clip
    track = root_track(take, 0.2)
    turned = np.unwrap(track.yaws)[-1] - track.yaws[0]
    assert turned == pytest.approx(0.5 * ramp.sum() / 60, abs=0.1)
    assert np.linalg.norm(np.diff(track.positions, axis=0), axis=-1).sum() == pytest.approx(ramp.sum() / 60, rel=0.1)
    contacts = label_clip(take, QUADRUPED_PRESET).foot_contacts.held
    steps = np.linalg.norm(np.diff(paw_tracks(take)[..., :2], axis=0), axis=-1) * take.rate
    assert contacts[:40].all(), "it stands first"
    assert 100 * steps[contacts[1:] & contacts[:-1]].mean() < 3.0


def sitting() -> Clip:
    """The dog with its hips low and its hind paws below them, which breathes."""
    clip = standing(dog())
    positions, rotations = (array.copy() for array in clip.world)
    pitch = from_axis_angle([-1.0, 0.0, 0.0], np.full(len(clip), 0.5))
    rotations = multiply(pitch[:, None], rotations)
    low = with_world_rotations(clip, clip.root_positions - [0.0, 0.0, 0.28], rotations)
    positions, rotations = (array.copy() for array in low.world)
    for number, chain in enumerate(leg_chains(clip.skeleton)):
        goal = paw_tracks(clip)[:, number] - [0.0, 0.1 if number in HIND_PAWS else 0.0, 0.0]
        solve_chain_ik(positions, rotations, chain, goal, goal[:, 2])
    return with_world_rotations(low, low.root_positions, rotations)


def test_a_posture_has_its_legs_on_the_ground_and_both_sides_alike() -> None:
    cycle = read_cycle(sitting(), dog())
    assert cycle is not None and cycle.posture == "sit" and cycle.speed == 0.0
    clip = Clip(dog(), 60.0, cycle.roots, cycle.rotations)
    assert clip.positions[..., 2].min() > -0.01
    mirrored = clip.mirrored().positions
    assert np.abs(mirrored - clip.positions).max() < 0.01


def test_a_take_sits_down_and_gets_up_on_paws_that_step_and_do_not_slide() -> None:
    cycle = read_cycle(sitting(), dog())
    assert cycle is not None
    table = GaitTable.of([trot_cycle(), idle(), cycle], dog())
    assert table.styles == ("", "pace", "sit")
    frames, styles = 300, np.zeros(300, np.intp)
    styles[60:180] = STYLES.index("sit")
    take = follow_course(table, dog(), Course(np.zeros(frames), np.zeros(frames), np.zeros(frames), styles), "take")
    hips = take.clip.positions[:, 0, 2]
    assert hips[150] < 0.7 * hips[30] and hips[-1] == pytest.approx(hips[30], rel=0.02)
    held = take.contacts.held
    steps = np.linalg.norm(np.diff(paw_tracks(take.clip)[..., :2], axis=0), axis=-1) * take.clip.rate
    assert 100 * steps[held[1:] & held[:-1]].mean() < 1.0
    sits = take.gaits[:, take.gait_names.index("sit")]
    assert sits[120] > 0.99 and sits[30] < 0.01 and sits[240] < 0.01
    assert np.allclose(take.gaits.sum(axis=1), 1.0)


def test_a_pace_has_both_paws_of_a_side_together() -> None:
    table = GaitTable.of([trot_cycle(), idle()], dog())
    frames = 240
    paces = np.full(frames, STYLES.index("pace"))
    course = Course(np.full(frames, trot_cycle().speed), np.zeros(frames), np.zeros(frames), paces)
    take = follow_course(table, dog(), course, "take")
    held = take.contacts.held[60:-60]
    assert (held[:, 0] == held[:, 1]).mean() > 0.8 and (held[:, 0] == held[:, 3]).mean() < 0.3
    assert take.gaits[120, take.gait_names.index("pace")] == pytest.approx(1.0)


def test_takes_are_written_with_their_roles_and_sources(tmp_path: Path) -> None:
    clips = tmp_path / "clips"
    clips.mkdir()
    body = dog()
    save_rig_map(
        RigMap("Dog", {role: body.names[joint] for role, joint in body.roles.items() if role != "chest"}),
        clips / "rig.toml",
    )
    write_bvh(clips / "trot.bvh", trot(body, PERIOD_FRAMES + 1)[0])
    write_bvh(clips / "stand.bvh", standing(body))
    files = [clips / "trot.bvh", clips / "stand.bvh"]
    made, skipped = prepare_takes(files, tmp_path / "takes", 1, 0, lambda done, total, text: None)
    assert [path.name for path in made] == ["take_00.bvh"] and not skipped
    assert Labels.load(labels_path(made[0])).gait_names[:4] == ("stand", "walk", "run", "pace")
    assert is_prepared(made[0]) and not is_prepared(files[0])
    assert network_body(read_clip(made[0])).skeleton.roles.keys() >= {"toe.L", "front_toe.R"}


def test_clips_without_four_legs_or_gaits_are_refused_in_a_sentence(tmp_path: Path) -> None:
    body = dog()
    roles = {role: body.names[joint] for role, joint in body.roles.items() if role != "chest"}
    three = {role: bone for role, bone in roles.items() if not (role.startswith("front_") and role.endswith("R"))}
    save_rig_map(RigMap("Dog", three), tmp_path / "rig.toml")
    write_bvh(tmp_path / "trot.bvh", trot(body, PERIOD_FRAMES + 1)[0])
    with pytest.raises(FootfallError, match="the right front leg has none"):
        read_animals([tmp_path / "trot.bvh"])
    save_rig_map(RigMap("Dog", roles), tmp_path / "rig.toml")
    write_bvh(tmp_path / "stand.bvh", standing(body))
    with pytest.raises(FootfallError, match="None of the animal clips shows walking"):
        prepare_takes([tmp_path / "stand.bvh"], tmp_path / "takes", 1, 0, lambda done, total, text: None)


def test_real_animals_become_cycles(shared_data: Path) -> None:
    clips = [
        shared_data / "mocap" / name
        for name in (
            "quaternius_animals_cc0/quadruped/Husky_Walk.bvh",
            "quaternius_animals_cc0/quadruped/Husky_Idle.bvh",
            "mesh2motion_cc0/quadruped/horse_Trot.bvh",
        )
    ]
    if not all(clip.is_file() for clip in clips):
        pytest.skip("needs the shared data's animals")
    animals = read_animals(clips)
    walk, stand, trotting = animals.cycles
    assert 0.5 < walk.speed < 1.0 and stand.speed == 0.0 and 1.2 < trotting.speed < 2.2
    assert not animals.captures and not animals.skipped
