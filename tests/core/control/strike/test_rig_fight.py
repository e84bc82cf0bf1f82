"""Fights and duels on rigs: at the scene's frames, on bodies of other sizes, in steps."""

from functools import cache

import numpy as np
import pytest

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.body_contact import effector_gap
from footfall.core.control.duel.rig_duel import DuelMemory, RigDuelist, make_rig_duel
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.rig_fight import RigBody, make_rig_fight
from footfall.core.control.strike.rig_strike import RigStrike
from footfall.core.models.model_file import load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.fingers import without_hand_bones
from footfall.core.motion.rotations import log, rotate
from footfall.core.motion.weapons import striking_places, with_weapon, without_weapons
from footfall.core.retarget.calibration import calibrate
from footfall.tests.support.boxer import FIST_RAD
from footfall.tests.support.cutter import cutter, fist
from footfall.tests.support.steps import run

RATE = 24.0


@cache
def fighter() -> Fighter:
    return Fighter(load_model(shipped_controller(SHIPPED_CONTROLLER)), load_model(shipped_controller()))


def body(size: float, floor: float = 0.0) -> RigBody:
    skeleton = fighter().strikes.skeleton
    return RigBody(calibrate(skeleton, skeleton.scaled(size)), 0.0, floor)


def test_both_fists_are_there_on_frames_of_the_scene() -> None:
    rig = body(1.1, floor=0.5)
    skeleton = rig.calibration.target
    strikes = [
        RigStrike(frame, np.array(place), role, skeleton.bone_vectors[skeleton.joint(role)])
        for frame, place, role in ((61, (0.05, 0.8, 2.0), "hand.R"), (92, (-0.1, 0.8, 1.85), "hand.L"))
    ]
    shares, fight = run(make_rig_fight(fighter(), rig, strikes, np.zeros(2), None, RATE))
    assert shares == sorted(shares) and len(shares) > 10 and max(shares) < 1.0
    clip = fight.clip
    assert clip.rate == RATE and len(fight.labels) == len(clip)
    for strike, miss in zip(strikes, fight.misses, strict=True):
        joint = skeleton.joint(strike.effector)
        tips = clip.positions[:, joint] + rotate(clip.world[1][:, joint], np.broadcast_to(strike.tip, (len(clip), 3)))
        away = np.linalg.norm(tips - strike.target, axis=-1)
        assert away[strike.frame] == pytest.approx(miss, abs=1e-6) and miss < 0.001
        assert away.argmin() == strike.frame
        assert fight.labels.actions[strike.frame, fight.labels.action_names.index("strike")] == 1.0


def test_a_duel_of_two_sizes_is_met_on_both_rigs() -> None:
    pair = [
        RigDuelist("Ada", body(1.05, 0.3), np.array([0.0, -1.2])),
        RigDuelist("Bob", body(0.95, 0.3), np.array([0.0, 1.2])),
    ]
    beats = [Beat(160, "Bob", "Ada", "chest", answer="parry"), Beat(115, "Ada", "Bob")]
    shares, duel = run(make_rig_duel(fighter(), pair, beats, RATE))
    assert shares == sorted(shares)
    ada, bob = duel.clips["Ada"], duel.clips["Bob"]
    assert len(ada) == len(bob) and ada.rate == RATE
    assert abs(effector_gap(ada, 115, "hand.R", bob, "head")) < 0.02, "the earlier beat first"
    assert abs(duel.distances[0]) < 0.02
    assert min(abs(effector_gap(bob, 160, "hand.R", ada, f"hand.{side}")) for side in "LR") < 0.03


def test_a_duel_with_a_memory_is_the_same_and_works_in_slices() -> None:
    pair = [
        RigDuelist("Ada", body(1.05), np.array([0.0, -2.2])),
        RigDuelist("Bob", body(0.95), np.array([0.0, 1.2])),
    ]
    beats, memory = [Beat(125, "Ada", "Bob"), Beat(165, "Bob", "Ada", "chest")], DuelMemory()
    shares, _ = run(make_rig_duel(fighter(), pair, beats, RATE, memory))
    assert shares == sorted(shares) and len(shares) > 40 and max(np.diff(shares)) < 0.2
    beats[1] = Beat(170, "Bob", "Ada", answer="parry")
    (again, kept), (whole, made) = (run(make_rig_duel(fighter(), pair, beats, RATE, each)) for each in (memory, None))
    assert len(again) < len(whole), "the walk of the first beat is not made again"
    for name in ("Ada", "Bob"):
        np.testing.assert_array_equal(kept.clips[name].rotations, made.clips[name].rotations)


def test_the_tip_of_the_rigs_own_blade_is_there_however_it_lies_in_its_hand() -> None:
    bare = without_weapons(cutter().skeleton).scaled(1.1)
    rig = with_weapon(bare, "hand.R", np.array([-0.05, 0.0, 0.02]), np.array([0.0, 0.0, 0.9]))
    target, frame = np.array([0.25, 1.35, 1.5]), 30
    strike = RigStrike(frame, target, "hand.R", np.array([0.0, 0.0, 0.9]))
    blades = Fighter(cutter(), fighter().walks)
    _, fight = run(
        make_rig_fight(blades, RigBody(calibrate(cutter().skeleton, rig), 0.0, 0.0), [strike], np.zeros(2), None, RATE)
    )
    np.testing.assert_allclose(striking_places(fight.clip, "hand.R")[frame], target, atol=2e-3)
    assert fight.misses[0] < 2e-3
    held = fight.clip.rotations[:, -1]
    assert np.abs(held @ held[0]).min() < 0.99, "the wrist snaps"


def test_a_rig_with_fingers_of_other_names_makes_a_fist_and_one_without_strikes_as_well() -> None:
    own = fist().skeleton
    names = [f"RightHand{name[:-2].title()}" if name.endswith("_R") else name for name in own.names]
    rig = Skeleton(tuple(names), own.parents, own.offsets * 1.1, own.tips * 1.1, without_hand_bones(own).roles)
    target, frame = np.array([0.1, 0.6, 1.5]), 30
    strike = RigStrike(frame, target, "hand.R", np.zeros(3))
    for body in (rig, without_hand_bones(rig), without_hand_bones(own).scaled(1.1)):
        steps = make_rig_fight(
            Fighter(fist(), fighter().walks),
            RigBody(calibrate(own, body), 0.0, 0.0),
            [strike],
            np.array([0.0, 0.0]),
            None,
            RATE,
        )
        _, fight = run(steps)
        assert fight.misses[0] < 2e-3
        if body is rig:
            bent = np.linalg.norm(log(fight.clip.rotations[frame, names.index("RightHandIndex_2")]))
            assert abs(bent - FIST_RAD) < 0.15
        else:
            assert fight.clip.skeleton.names == body.names
