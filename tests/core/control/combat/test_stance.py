"""Stances: attacks by end effector and side, what of them meets the target, and their distances from the guard."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat import stance
from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.guard import guard_distance
from footfall.core.control.combat.stance import Stance
from footfall.core.control.combat.strike_takes import StrikeTake
from footfall.core.control.combat.weapon import Weapon
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.tests.support.poses import puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))
CUT = replace(TAKE, both_hands=True)
KICK = replace(TAKE, blow=replace(TAKE.blow, effector="foot.R"))
BEAT = Beat(96, "A", "B")


class Captured:
    """A fighter whose controller holds some attacks."""

    def __init__(self, *takes: StrikeTake) -> None:
        self.strikes = takes


@pytest.fixture(autouse=True)
def _captured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stance, "captured_takes", lambda takes: list(takes))


def of(*takes: StrikeTake, weapon: Weapon | None = None) -> Stance:
    return Stance.of(Captured(*takes), weapon)  # type: ignore[arg-type]


def test_it_has_the_captured_attacks_and_their_mirror_images() -> None:
    own = of(TAKE)
    first, second = own.takes
    assert first is TAKE and second.blow.effector == "hand.L"
    assert own.hand == "" and own.blade.tolist() == [0.0, 0.0, 0.0]


def test_an_attack_is_as_far_from_the_guard_as_the_farther_of_its_ends() -> None:
    apex = TAKE.blow.apex
    late = replace(TAKE, clip=TAKE.clip.cut(0, apex + 1))
    early = replace(TAKE, clip=TAKE.clip.cut(apex, len(TAKE.clip)), blow=replace(TAKE.blow, apex=0))
    own = of(TAKE, late, early)
    for take in (TAKE, late, early):
        first, last = (guard_distance(take.clip.cut(frame, frame + 1), own.guard) for frame in (0, len(take.clip) - 1))
        assert own.takes[take] == max(first, last)
    assert min(own.takes[late], own.takes[early]) > 2 * own.takes[TAKE]


def test_with_a_weapon_kicks_keep_both_hands_at_it() -> None:
    own = of(TAKE, CUT, KICK, weapon=Weapon("hand.R", 0.7))
    assert own.hand == "hand.R" and np.linalg.norm(own.blade) == pytest.approx(0.7)
    arm = TAKE.clip.skeleton.joint("forearm.R")
    kicks = [take for take in own.takes if take.blow.effector.startswith("foot")]
    assert len(kicks) == 2 and len(own.takes) == 6
    for kick in kicks:
        np.testing.assert_array_equal(
            kick.clip.rotations[:, arm], own.guard.rotations[:, arm].repeat(len(kick.clip), 0)
        )
    assert TAKE in own.takes, "punches stay as they are"


def test_a_beat_is_struck_with_its_end_effector_from_its_side() -> None:
    hook = replace(TAKE, velocity=np.array([0.8, 0.6, 0.0]))
    own = of(TAKE, hook, KICK)
    assert own.known(BEAT) == [TAKE, hook]
    assert own.known(replace(BEAT, side="left")) == [hook]
    assert own.known(replace(BEAT, effector="foot.R")) == [KICK]
    assert [take.blow.effector for take in own.known(replace(BEAT, effector="hand.L", side="right"))] == ["hand.L"]


def test_an_unknown_side_is_told() -> None:
    with pytest.raises(FootfallError, match=r"no strike of hand\.R from the side 'below' for the beat at frame 96"):
        of(TAKE).known(replace(BEAT, side="below"))


def test_knuckles_and_soles_are_ahead_of_their_joints() -> None:
    own = of(TAKE, CUT, KICK)
    np.testing.assert_allclose(own.tip(TAKE), [0.0, 0.11, 0.0])
    np.testing.assert_allclose(own.tip(KICK), [0.0, 0.1, 0.0])
