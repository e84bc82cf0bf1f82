"""Roll-outs of a controller whose blade has a bone: the tip is what is brought near the target."""

from collections.abc import Callable
from copy import copy
from types import SimpleNamespace

import numpy as np
import pytest

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.combat import strike_rollout
from footfall.core.control.combat.fight import Fighter
from footfall.core.control.combat.strike_error import StrikeError
from footfall.core.control.combat.strike_order import StrikeOrder
from footfall.core.control.combat.strike_rollout import Attack, StrikeRollout, roll_out
from footfall.core.control.runtime.strike_runtime import StrikeCommand
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import Array, log
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


ORDER = StrikeOrder(60, TARGET, "hand.R")


def made(miss: tuple[float, float, float], late: int) -> Attack:
    return Attack(ORDER, Blow("hand.R", 30, 60 + late, 61 + late), np.array(miss), 0.5, 0.3)


def test_an_attack_costs_its_distance_and_five_centimeters_a_frame() -> None:
    attack = made((0.03, 0.0, -0.04), -3)
    assert attack.distance == pytest.approx(0.05) and attack.late == -3
    assert attack.cost == pytest.approx(0.05 + 0.15)
    assert made((0.0, 0.0, 0.0), 2).cost == pytest.approx(0.1)


class Attacker:
    """A runtime that attacks when it is told to: at the apex it is beside what it is told by a bias.

    Attributes:
        apexes: from the frame of a command, that of the apex.
        bias: (3) from what it is told to its end effector then.
        nearest: frames from the apex to where it is nearest.
        tried: frames at which attacks were commanded, and what it was told then.
    """

    apexes: Callable[[int], int]
    bias: Array
    nearest: int
    recovery: int
    tried: list[tuple[int, Array]]
    told: list[StrikeCommand]

    def __init__(self, model: object, positions: Array, yaws: Array) -> None:
        self.frame, self.begun, self.apex = 0, -1, 10**9
        self.state = SimpleNamespace(position=positions, yaw=yaws, phase=np.zeros(1))

    def copy(self) -> "Attacker":
        own = copy(self)
        own.state = copy(self.state)
        return own

    def step(self, command: StrikeCommand) -> SimpleNamespace:
        self.told.append(command)
        frame, self.frame = self.frame, self.frame + 1
        if command.strikes[0] and self.state.phase[0] == 0.0:
            self.tried.append((frame, command.targets[0]))
            self.begun, self.apex = frame, type(self).apexes(frame)
        phase = 0.0
        if self.begun >= 0 and frame >= self.begun:
            phase = 0.5 * (frame - self.begun + 0.5) / (self.apex - self.begun + 0.5)
            phase = phase if phase < 0.5 + 0.5 * self.recovery / (self.apex - self.begun + 0.5) else 0.0
        self.begun = self.begun if phase else -1
        self.state.phase = np.array([phase])
        aside = 0.01 * abs(frame - self.apex - self.nearest)
        output = command.targets + self.bias + np.array([0.0, 0.0, aside])
        return SimpleNamespace(phase=self.state.phase, output=output, yaw=np.zeros(1), position=np.zeros((1, 2)))


@pytest.fixture
def attacker(monkeypatch: pytest.MonkeyPatch) -> type[Attacker]:
    Attacker.apexes, Attacker.bias, Attacker.nearest = staticmethod(lambda command: command + 24), np.zeros(3), 0
    Attacker.tried, Attacker.recovery, Attacker.told = [], 10, []
    monkeypatch.setattr(strike_rollout, "StrikeRuntime", Attacker)
    monkeypatch.setattr(strike_rollout, "striking_point", lambda model, output, effector: output)
    return Attacker


def rollout() -> StrikeRollout:
    return StrikeRollout("model", np.zeros(2), 0.0, outstretched=False)  # type: ignore[arg-type]


def test_an_attack_is_commanded_24_frames_before_its_apex(attacker: type[Attacker]) -> None:
    own = rollout()
    attack = own.strike(ORDER)
    assert [frame for frame, _ in attacker.tried] == [36]
    assert attack.late == 0 and attack.blow.start == 36 and attack.blow.apex == 60 and attack.blow.stop == 61
    assert attack.distance == attack.unaimed == pytest.approx(0.0, abs=1e-12)
    assert own.frames_done == 61 and attack.phase == pytest.approx(0.5)
    assert [bool(one.strikes[0]) for one in attacker.told[:61]] == 36 * [False] + 25 * [True]
    assert {int(one.effectors[0]) for one in attacker.told} == {1}
    assert not any(one.weapons[0] for one in attacker.told)


def test_one_with_a_weapon_is_told_as_such(attacker: type[Attacker]) -> None:
    rollout().strike(StrikeOrder(60, TARGET, "foot.L", True))
    assert all(one.weapons[0] == 1.0 for one in attacker.told)
    assert {int(one.effectors[0]) for one in attacker.told} == {2}


def test_one_that_comes_late_begins_earlier_by_as_much(attacker: type[Attacker]) -> None:
    attacker.apexes = staticmethod(lambda command: command + 31)
    attack = rollout().strike(ORDER)
    assert [frame for frame, _ in attacker.tried] == [36, 29] and attack.late == 0


def test_beginnings_around_the_best_are_tried_where_none_is_in_time(attacker: type[Attacker]) -> None:
    attacker.apexes = staticmethod(lambda command: command + 24 + (3 if command >= 36 else -2))
    steps = list(rollout().strike_in_steps(ORDER))
    # 36 is three frames late, 33 five too early, 35 three: the first one stays the best, and is looked around.
    timed = [36, 33, 38, 35, 37, 34, 39, 32, 40, 31, 41, 30]
    assert [frame for frame, _ in attacker.tried][:12] == timed
    assert len(steps) >= 12


def test_it_is_aimed_to_the_other_side_by_seven_tenths_of_each_miss(attacker: type[Attacker]) -> None:
    attacker.bias = np.array([0.1, 0.0, 0.0])
    attack = rollout().strike(ORDER)
    aims = [told - TARGET for _, told in attacker.tried]
    np.testing.assert_allclose(aims, [[0.0, 0, 0], [-0.07, 0, 0], [-0.091, 0, 0]], atol=1e-12)
    assert attack.unaimed == pytest.approx(0.1) and attack.distance == pytest.approx(0.009)
    np.testing.assert_allclose(attack.miss, [0.009, 0.0, 0.0], atol=1e-12)
    np.testing.assert_array_equal(attack.order.target, TARGET)


@pytest.mark.parametrize(("bias", "trials"), [(0.0199, 1), (0.0201, 2)])
def test_two_centimeters_are_near_enough(attacker: type[Attacker], bias: float, trials: int) -> None:
    attacker.bias = np.array([0.0, bias, 0.0])
    assert len(list(rollout().strike_in_steps(ORDER))) == len(attacker.tried) == trials


def test_it_is_aimed_sixty_centimeters_aside_at_most_and_twelve_times(attacker: type[Attacker]) -> None:
    attacker.bias = np.array([0.0, 2.0, 0.0])
    attack = rollout().strike(ORDER)
    aims = [told - TARGET for _, told in attacker.tried]
    np.testing.assert_allclose(aims, [[0.0, 0.0, 0.0], *(12 * [[0.0, -0.6, 0.0]])], atol=1e-12)
    assert attack.distance == pytest.approx(1.4) and attack.unaimed == pytest.approx(2.0)


@pytest.mark.parametrize(("late", "taken"), [(1, True), (2, False)])
def test_an_aim_may_make_it_a_frame_late_but_no_more(attacker: type[Attacker], late: int, taken: bool) -> None:
    attacker.bias = np.array([0.5, 0.0, 0.0])
    attacker.apexes = staticmethod(lambda command: command + 24 + (late if len(attacker.tried) > 1 else 0))
    attack = rollout().strike(ORDER)
    # Each trial after the first is late by as much as told from where the last one began.
    assert (attack.distance < 0.5) == taken or attack.late == 0


@pytest.mark.parametrize(("nearest", "found"), [(0, 0), (7, 7), (11, 11), (15, 11), (-5, -5)])
def test_it_may_be_nearest_up_to_eleven_frames_after_the_apex_is_passed(
    attacker: type[Attacker], nearest: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    attacker.nearest, attacker.recovery = nearest, 30
    monkeypatch.setattr(strike_rollout, "TIMING_TRIALS", 1)
    monkeypatch.setattr(strike_rollout, "AIMING_TRIALS", 0)
    assert rollout().strike(ORDER).late == found


def test_it_is_nearest_from_a_quarter_of_its_phase_on(
    attacker: type[Attacker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strike_rollout, "TIMING_TRIALS", 1)
    monkeypatch.setattr(strike_rollout, "AIMING_TRIALS", 0)
    attacker.nearest = -20
    attack = rollout().strike(ORDER)
    # Phases are 0.5 (n + 0.5) / 24.5 after n frames: 0.25 is passed after 12.
    assert attack.blow.apex == 36 + 12 and 0.25 <= attack.phase < 0.27


@pytest.mark.parametrize(("after", "attacks"), [(139, True), (600, False)])
def test_a_controller_that_does_not_attack_is_told(attacker: type[Attacker], after: int, attacks: bool) -> None:
    attacker.apexes = staticmethod(lambda command: command + after)
    own = rollout()
    if attacks:
        assert own.strike(StrikeOrder(200, TARGET, "hand.R")).blow.apex == 200
        return
    with pytest.raises(StrikeError, match="makes no attack for the strike at frame 200: train it for longer"):
        own.strike(StrikeOrder(200, TARGET, "hand.R"))
    assert len(attacker.told) == 176 + 151, "so long after the command"


@pytest.mark.parametrize(("recovery", "frames"), [(0, 25), (6, 29), (80, 90), (400, 90)])
def test_it_recovers_until_it_is_in_guard_for_a_moment(attacker: type[Attacker], recovery: int, frames: int) -> None:
    own = rollout()
    own.strike(ORDER)
    attacker.recovery, before = recovery, len(attacker.told)
    own.recover()
    # The apex is the frame before: the phase falls to zero after what recovers, and the guard is held for 24 frames.
    assert own.frames_done - 61 in (frames, frames - 1)
    assert not any(one.strikes[0] for one in attacker.told[before:])


def test_frames_are_told_from_what_was_made_before(attacker: type[Attacker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StrikeRollout, "finish", lambda self: "motion")
    orders = [ORDER, StrikeOrder(140, TARGET, "hand.L")]
    steps = roll_out("model", np.zeros(2), 0.0, orders, 100, outstretched=False)  # type: ignore[arg-type]
    told = []
    while True:
        try:
            told.append(next(steps))
        except StopIteration as done:
            assert done.value == "motion"
            break
    assert told == [100, 161]


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
