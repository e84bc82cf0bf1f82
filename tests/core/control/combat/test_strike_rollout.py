"""Roll-outs of a controller whose blade has a bone: the tip is what is brought near the target."""

import numpy as np
import pytest

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.combat.fight import Fighter
from footfall.core.control.combat.strike_order import StrikeOrder
from footfall.core.control.combat.strike_rollout import StrikeRollout
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


def test_the_hand_closes_on_the_way_to_its_target_as_the_network_answers() -> None:
    rollout = StrikeRollout(fist(), np.zeros(2), 0.0)
    rollout.strike(StrikeOrder(60, np.array([0.1, 0.6, 1.5]), "hand.R"))
    clip = rollout.finish().clip
    angles = np.linalg.norm(log(clip.rotations), axis=-1)
    for role in ("index.R", "index_3.R", "pinky_2.R"):
        joint = clip.skeleton.joint(role)
        assert angles[0, joint] < 0.1 and abs(angles[60, joint] - FIST_RAD) < 0.1 * FIST_RAD
    np.testing.assert_allclose(angles[:, clip.skeleton.joint("index.L")], 0.0, atol=0.05)


def test_it_walks_up_with_the_fingers_of_its_guard_and_strikes_with_a_fist() -> None:
    fighter = Fighter(fist(), load_model(shipped_controller()))
    target = np.array([0.2, 3.0, 1.35])
    clip = fighter.fight([StrikeOrder(360, target, "hand.R")], np.zeros(2)).clip
    joint = clip.skeleton.joint("middle_2.R")
    np.testing.assert_allclose(clip.positions[360, clip.skeleton.joint("hand.R")], target, atol=1e-3)
    np.testing.assert_allclose(clip.rotations[:60, joint], np.tile(clip.rotations[0, joint], (60, 1)), atol=1e-9)
    assert np.linalg.norm(log(clip.rotations[360, joint])) > 0.8 * FIST_RAD


@pytest.mark.parametrize(
    "effector, target", [("foot.L", (0.2, 1.1, 1.2)), ("foot.R", (0.2, 0.9, 1.2)), ("hand.R", (0.0, 0.6, 1.5))]
)
def test_a_limb_strikes_as_it_reaches_out_and_not_as_it_is_drawn_back(effector: str, target: tuple[float, ...]) -> None:
    """A target beside the way out is nearer on the way back, where a folded leg would touch it with its foot."""
    model, reach = load_model(SHIPPED_CONTROLLER), {}
    for outstretched in (False, True):
        rollout = StrikeRollout(model, np.zeros(2), 0.0, outstretched)
        rollout.strike(StrikeOrder(60, np.array(target), effector))
        rollout.recover()
        clip = rollout.finish().clip
        root = clip.skeleton.joint(effector.replace("foot", "thigh").replace("hand", "upper_arm"))
        away = np.linalg.norm(clip.positions[:, clip.skeleton.joint(effector)] - clip.positions[:, root], axis=-1)
        reach[outstretched] = away[60] / away[40:80].max()
    assert reach[True] > 0.9 and reach[False] < 0.7


def rollout() -> StrikeRollout:
    return StrikeRollout("model", np.zeros(2), 0.0, outstretched=False)  # type: ignore[arg-type]


def test_attacks_end_90_frames_after_their_apex_or_where_the_next_one_begins() -> None:
    model = cutter()
    own = StrikeRollout(model, np.zeros(2), 0.0)
    first = own.strike(StrikeOrder(60, TARGET, "hand.R"))
    second = own.strike(StrikeOrder(130, TARGET, "hand.R"))
    own.recover()
    motion = own.finish()
    assert [one.blow.start for one in motion.attacks] == [first.blow.start, second.blow.start]
    assert motion.attacks[0].blow.stop == second.blow.start
    assert motion.attacks[1].blow.stop == min(second.blow.apex + 90, len(motion.clip))
    assert len(motion.contacts.probabilities) == len(motion.clip) == own.frames_done
    np.testing.assert_array_equal(motion.position, own.root[0])
    assert motion.yaw == own.root[1]


def test_an_attack_that_nothing_follows_ends_after_its_apex() -> None:
    own = StrikeRollout(cutter(), np.zeros(2), 0.0)
    attack = own.strike(StrikeOrder(60, TARGET, "hand.R"))
    motion = own.finish()
    assert len(motion.clip) == motion.attacks[0].blow.stop == attack.blow.apex + 1
