"""Stances: attacks by end effector and side, what of them meets the target, and their distances from the guard."""

from dataclasses import replace

import numpy as np

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.guard import guard_distance, guard_pose
from footfall.core.control.duel.stance import Stance
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.strike_takes import StrikeTake, captured_takes
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.models.model_file import load_model
from footfall.tests.support.poses import puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))
KICK = replace(TAKE, blow=replace(TAKE.blow, effector="foot.R"))
BEAT = Beat(96, "A", "B")


def of(*takes: StrikeTake) -> Stance:
    """A stance without a weapon that has some attacks and their mirror images."""
    both = [*takes, *(take.mirrored() for take in takes)]
    return Stance(guard_pose(list(takes)), dict.fromkeys(both, 0.0), "", np.zeros(3))


def test_a_beat_is_struck_with_its_end_effector_from_its_side() -> None:
    hook = replace(TAKE, velocity=np.array([0.8, 0.6, 0.0]))
    own = of(TAKE, hook, KICK)
    assert own.known(BEAT) == [TAKE, hook]
    assert own.known(replace(BEAT, side="left")) == [hook]
    assert own.known(replace(BEAT, effector="foot.R")) == [KICK]
    assert [take.blow.effector for take in own.known(replace(BEAT, effector="hand.L", side="right"))] == ["hand.L"]


def test_it_has_the_captured_attacks_and_their_mirror_images_as_far_from_its_guard_as_their_farther_end() -> None:
    fighter = Fighter(load_model(shipped_controller(SHIPPED_CONTROLLER)), load_model(shipped_controller()))
    own, captured = Stance.of(fighter, None), captured_takes(fighter.strikes)
    assert own.hand == "" and own.blade.tolist() == [0.0, 0.0, 0.0]
    assert len(own.takes) == 2 * len(captured) and set(captured) < set(own.takes)
    for take in captured[:3]:
        ends = (take.clip.cut(frame, frame + 1) for frame in (0, len(take.clip) - 1))
        assert own.takes[take] == max(guard_distance(end, own.guard) for end in ends)
