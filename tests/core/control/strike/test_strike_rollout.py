"""Roll-outs of a controller whose blade has a bone: the tip is what is brought near the target."""

import numpy as np

from footfall.cli.walk import shipped_controller
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.strike_order import StrikeOrder
from footfall.core.control.strike.strike_rollout import StrikeRollout
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import log
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.boxer import FIST_RAD
from footfall.tests.support.cutter import cutter, fist

TARGET = np.array([0.25, 1.25, 1.4])


def test_an_attack_is_as_far_from_its_target_as_the_tip_of_the_blade() -> None:
    rollout = StrikeRollout(cutter(), np.zeros(2), 0.0)
    attack = rollout.strike(StrikeOrder(60, TARGET, "hand.R"))
    rollout.recover()
    clip = rollout.finish().clip
    away = np.linalg.norm(striking_places(clip, "hand.R") - TARGET, axis=-1)
    assert attack.blow.apex == 60
    assert abs(away[60] - attack.distance) < 0.02, "but for the feet, which are locked"
    assert away[60] < 0.4 < np.linalg.norm(clip.positions[60, clip.skeleton.joint("hand.R")] - TARGET)


def test_it_walks_up_with_the_blade_cuts_on_its_frame_and_walks_away() -> None:
    fighter = Fighter(cutter(), load_model(shipped_controller()))
    target = np.array([0.2, 3.0, 1.3])
    fight = fighter.fight([StrikeOrder(340, target, "hand.R")], np.zeros(2), np.array([0.0, -1.0]))
    assert fight.walks == 2
    assert fight.clip.skeleton is cutter().skeleton or fight.clip.skeleton.matches(cutter().skeleton)
    np.testing.assert_allclose(striking_places(fight.clip, "hand.R")[340], target, atol=1e-3)
    np.testing.assert_allclose(fight.clip.rotations[:60, -1], np.tile(fight.clip.rotations[0, -1], (60, 1)), atol=1e-9)


def test_it_walks_up_with_the_fingers_of_its_guard_and_strikes_with_a_fist() -> None:
    fighter = Fighter(fist(), load_model(shipped_controller()))
    target = np.array([0.2, 3.0, 1.35])
    clip = fighter.fight([StrikeOrder(360, target, "hand.R")], np.zeros(2)).clip
    joint = clip.skeleton.joint("middle_2.R")
    np.testing.assert_allclose(clip.positions[360, clip.skeleton.joint("hand.R")], target, atol=1e-3)
    np.testing.assert_allclose(clip.rotations[:60, joint], np.tile(clip.rotations[0, joint], (60, 1)), atol=1e-9)
    assert np.linalg.norm(log(clip.rotations[360, joint])) > 0.8 * FIST_RAD


def rollout() -> StrikeRollout:
    return StrikeRollout("model", np.zeros(2), 0.0, outstretched=False)  # type: ignore[arg-type]
