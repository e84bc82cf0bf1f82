"""Fights and duels on rigs: at the scene's frames, on bodies of other sizes, in steps."""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.combat import rig_fight
from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.body_contact import effector_gap
from footfall.core.control.combat.exact_strike import ExactStrike
from footfall.core.control.combat.fight import Fight, Fighter
from footfall.core.control.combat.rig_duel import DuelMemory, RigDuelist, at_rate, make_rig_duel
from footfall.core.control.combat.rig_fight import RigBody, make_rig_fight
from footfall.core.control.combat.rig_strike import RigStrike
from footfall.core.control.combat.strike_error import StrikeError
from footfall.core.control.combat.strike_order import StrikeOrder
from footfall.core.control.combat.strike_rollout import Attack
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.models.model_file import load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.fingers import without_hand_bones
from footfall.core.motion.rotations import Array, log, rotate
from footfall.core.motion.weapons import striking_places, with_weapon, without_weapons
from footfall.core.retarget.calibration import calibrate
from footfall.tests.support.boxer import FIST_RAD
from footfall.tests.support.cutter import cutter, fist
from footfall.tests.support.poses import hips_at, posed
from footfall.tests.support.steps import run
from footfall.tests.support.walker import person

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


def test_what_comes_too_early_is_told_in_frames_of_the_scene() -> None:
    rig = body(1.0)
    strike = RigStrike(40, np.array([0.0, 4.0, 1.5]), "hand.R", np.zeros(3))
    with pytest.raises(StrikeError, match=r"by frame 40\. Move the strike of hand\.R \d+ frames later") as told:
        run(make_rig_fight(fighter(), rig, [strike], np.zeros(2), None, RATE))
    assert 60 < told.value.fields["count"] < 300


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


def test_characters_of_a_duel_stand_on_one_floor() -> None:
    pair = [RigDuelist(name, body(1.0, floor), np.array([0.0, floor])) for name, floor in (("Ada", 0.0), ("Bob", 0.4))]
    with pytest.raises(FootfallError, match="'Bob' stands 40 cm higher or lower than 'Ada'"):
        run(make_rig_duel(fighter(), pair, [Beat(100, "Ada", "Bob")], RATE))


def test_frames_of_an_error_are_at_another_rate() -> None:
    error = FootfallError("{name}: {before} to {after}, {count} too close.", name="Ada", before=100, after=110, count=7)
    assert str(at_rate(error, 0.4)) == "Ada: 40 to 44, 3 too close."


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


@dataclass
class Fought:
    """A fighter that stands through its orders, each from 20 frames before its apex to 30 after it."""

    error: StrikeError | None = None
    strikes: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(rate=60.0))
    outstretched: bool = True
    told: tuple[list[StrikeOrder], Array, Array | None] = field(init=False)

    def fight_in_steps(
        self, orders: list[StrikeOrder], start: Array, end: Array | None
    ) -> Generator[float, None, Fight]:
        self.told = orders, start, end
        yield 0.5
        if self.error:
            raise self.error
        made = []
        for order in orders:
            # A later group of attacks has frames of its own, 40 fewer.
            own = replace(order, frame=order.frame - 40)
            blow = Blow(order.effector, own.frame - 20, own.frame, own.frame + 30)
            made.append(ExactStrike(Attack(own, blow, np.zeros(3), 0.5, 0.0), blow, 0.0, 0.0, True))
        return Fight(posed(hips_at(np.full(300, 0.98))), tuple(made), 0)


def small_body(size: float = 1.0, floor: float = 0.0, rise: float = 0.0) -> RigBody:
    return RigBody(calibrate(person(), person(size)), rise, floor)


def small_fight(
    own: Fought, rig: RigBody, strikes: list[RigStrike], end: Array | None = None
) -> tuple[list[float], rig_fight.RigFight]:
    fighting: Any = own
    return run(make_rig_fight(fighting, rig, strikes, np.array([0.2, -0.4]), end, RATE))


NEAR = RigStrike(40, np.array([0.2, 1.6, 1.9]), "hand.R", np.array([0.0, 0.09, 0.0]))


def test_sizes_are_of_the_rig_and_relative_to_an_adult() -> None:
    rig = RigBody(calibrate(person(0.5), person(1.5)), 0.0, 0.2)
    assert rig.scale == pytest.approx(3.0) and rig.size == pytest.approx(1.5)
    np.testing.assert_allclose(rig.to_controller(np.array([3.0, 6.0, 3.2])), [1.0, 2.0, 1.0])


def test_limbs_that_reach_out_have_to_be_exact_unless_the_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    exact, rough = SimpleNamespace(misses=(0.0, 0.002)), SimpleNamespace(misses=(0.0, 0.003))
    nearest: Any = SimpleNamespace(misses=(0.01,))

    def made(reaching: Any, other: Any) -> object:
        def make(own: Fought, *_: object) -> Generator[float, None, object]:
            yield 0.5
            one = reaching if own.outstretched else other
            if isinstance(one, StrikeError):
                raise one
            return one

        monkeypatch.setattr(rig_fight, "_make", make)
        return small_fight(Fought(), small_body(), [NEAR])[1]

    refusal = StrikeError("falls short")
    assert made(exact, refusal) is exact
    assert made(rough, nearest) is nearest and made(refusal, nearest) is nearest
    assert made(rough, refusal) is rough
    with pytest.raises(StrikeError, match="falls short"):
        made(refusal, refusal)
