"""Roll-outs of a controller whose blade has a bone: the tip is what is brought near the target."""

import numpy as np

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.combat.fight import Fighter
from footfall.core.control.combat.strike_order import StrikeOrder
from footfall.core.control.combat.strike_rollout import StrikeRollout
from footfall.core.models.model_file import load_model
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.cutter import cutter

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


def test_attacks_are_aimed_to_the_other_side_of_what_they_miss() -> None:
    model = load_model(SHIPPED_CONTROLLER)
    unaimed, aimed = [], []
    for angle in np.radians([-30.0, -10.0, 10.0, 30.0]):
        rollout = StrikeRollout(model, np.zeros(2), 0.0)
        target = np.array([-np.sin(angle), np.cos(angle), 1.4]) * [0.75, 0.75, 1.0]
        attack = rollout.strike(StrikeOrder(60, target, "hand.R"))
        assert attack.distance <= attack.unaimed and abs(attack.late) <= 2
        np.testing.assert_allclose(attack.distance, np.linalg.norm(attack.miss))
        np.testing.assert_array_equal(attack.order.target, target)
        unaimed.append(attack.unaimed)
        aimed.append(attack.distance)
    assert np.mean(aimed) < 0.75 * np.mean(unaimed)


def test_the_blade_turns_in_the_hand_as_the_network_answers() -> None:
    rollout = StrikeRollout(cutter(), np.zeros(2), 0.0)
    rollout.strike(StrikeOrder(60, TARGET, "hand.R"))
    clip = rollout.finish().clip
    angles = 2 * np.arccos(np.clip(np.abs(clip.rotations[:, -1, 0]), 0.0, 1.0))
    assert np.ptp(angles) > 0.4


def test_it_walks_up_with_the_blade_cuts_on_its_frame_and_walks_away() -> None:
    fighter = Fighter(cutter(), load_model(shipped_controller()))
    target = np.array([0.2, 3.0, 1.3])
    fight = fighter.fight([StrikeOrder(340, target, "hand.R")], np.zeros(2), np.array([0.0, -1.0]))
    assert fight.walks == 2
    assert fight.clip.skeleton is cutter().skeleton or fight.clip.skeleton.matches(cutter().skeleton)
    np.testing.assert_allclose(striking_places(fight.clip, "hand.R")[340], target, atol=1e-3)
    np.testing.assert_allclose(fight.clip.rotations[:60, -1], np.tile(fight.clip.rotations[0, -1], (60, 1)), atol=1e-9)
