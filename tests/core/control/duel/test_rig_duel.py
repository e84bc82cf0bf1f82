"""Duels on rigs of other sizes, made in steps."""

from functools import cache

import numpy as np

from footfall.cli.strike import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.body_contact import effector_gap
from footfall.core.control.duel.rig_duel import RigDuelist, make_rig_duel
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.rig_fight import RigBody
from footfall.core.models.model_file import load_model
from footfall.core.retarget.calibration import calibrate
from footfall.tests.support.steps import run


@cache
def fighter() -> Fighter:
    return Fighter(load_model(shipped_controller(SHIPPED_CONTROLLER)), load_model(shipped_controller()))


def body(size: float) -> RigBody:
    skeleton = fighter().strikes.skeleton
    return RigBody(calibrate(skeleton, skeleton.scaled(size)), 0.0, 0.0)


def test_a_duel_of_two_sizes_is_met_on_both_rigs() -> None:
    pair = [RigDuelist("Ada", body(1.05), np.array([0.0, -1.2])), RigDuelist("Bob", body(0.95), np.array([0.0, 1.2]))]
    beats = [Beat(400, "Bob", "Ada", "chest", answer="parry"), Beat(288, "Ada", "Bob")]
    shares, duel = run(make_rig_duel(fighter(), pair, beats))
    assert shares == sorted(shares)
    ada, bob = duel.clips["Ada"], duel.clips["Bob"]
    assert len(ada) == len(bob)
    assert abs(effector_gap(ada, 288, "hand.R", bob, "head")) < 0.02, "the earlier beat first"
    assert abs(duel.distances[0]) < 0.02
    assert min(abs(effector_gap(bob, 400, "hand.R", ada, f"hand.{side}")) for side in "LR") < 0.03
