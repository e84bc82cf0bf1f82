"""Refinement of duels: each strike is brought home, answered once, and kept apart in rounds that are counted."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.combat import duel_refinement
from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.body_contact import effector_gap, nearest_surfaces, spheres_of, way_to_point
from footfall.core.control.combat.duel_refinement import Met, meet_beats
from footfall.core.control.combat.duel_staging import StagedStrike
from footfall.core.control.combat.weapon import armed
from footfall.core.jobs.steps import finished
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.poses import hips_at, posed, puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
FRAME, COUNT = BLOW.apex, len(PUNCH)
WAY = np.array([0.0, -1.0, 0.0])
HAND = PUNCH.positions[FRAME, PUNCH.skeleton.joint("hand.R")]


def receiver(gap: float) -> Clip:
    """A body that faces the puncher, the surface of its chest a gap from the fist."""
    body = posed(hips_at(np.full(COUNT, 0.95)), np.full((COUNT, 2), 0.3), np.full((COUNT, 2), 2.0))
    body = body.transformed(rotation_about_up(np.pi), np.zeros(3))
    chest = body.positions[0, body.skeleton.joint("chest")]
    away = (HAND - chest + [0.0, -0.115 - 0.025 - gap, 0.0]) * [1.0, 1.0, 0.0]
    return replace(body, root_positions=body.root_positions + away)


def strike(**values: Any) -> StagedStrike:
    return StagedStrike(Beat(FRAME, "A", "B", "chest", "hand.R", **values), BLOW, WAY, HAND)


class Told:
    """Calls of clearance and answers, none of which changes anything."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        for name in ("push", "open_guard", "parried", "dodge", "keep_limb_out", "keep_arms_out", "with_grip"):
            patch.setattr(duel_refinement, name, self.recorder(name, lambda clip, *rest: clip))
        patch.setattr(duel_refinement, "give_way", self.recorder("give_way", lambda one, other, *rest: (one, other)))
        patch.setattr(duel_refinement, "choose_parry", self.recorder("choose_parry", lambda *rest: "hand"))
        patch.setattr(duel_refinement, "overlapping_spans", lambda one, other: [(10, 20)])

    def recorder(self, name: str, answer: Any) -> Any:
        def told(*values: Any) -> Any:
            self.calls.append((name, values))
            return answer(*values)

        return told

    def of(self, *names: str) -> list[tuple[Any, ...]]:
        return [values for name, values in self.calls if name in names]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    return Told(monkeypatch)


def met(strikes: Iterable[StagedStrike], gap: float = 0.05) -> Met:
    return finished(meet_beats({"A": PUNCH, "B": receiver(gap)}, list(strikes)))


@pytest.mark.parametrize("gap", [0.05, -0.04])
def test_a_strike_that_hits_is_brought_to_the_surface(told: Told, gap: float) -> None:
    clips, (distance,) = met([strike()], gap)
    assert abs(effector_gap(clips["A"], FRAME, "hand.R", clips["B"], "chest")) < 0.003
    assert distance == effector_gap(clips["A"], FRAME, "hand.R", clips["B"], "chest")


def test_one_at_a_point_is_brought_to_it(told: Told) -> None:
    own = strike(point=np.array([0.02, 0.12, 0.05]))
    clips, (distance,) = met([own])
    assert distance == np.linalg.norm(way_to_point(clips["A"], clips["B"], own.beat)) < 0.003


@pytest.mark.parametrize("answer", ["dodge", "parry"])
def test_others_are_brought_to_their_own_target(told: Told, answer: str) -> None:
    aside = np.array([0.03, -0.02, 0.04])
    clips, _ = met([replace(strike(answer=answer), target=HAND + aside)])
    hand = clips["A"].positions[FRAME, PUNCH.skeleton.joint("hand.R")]
    np.testing.assert_allclose(hand, HAND + aside, atol=2e-3)


def test_the_answer_to_an_early_and_a_late_beat_has_what_time_there_is(told: Told) -> None:
    punch, body = PUNCH.cut(FRAME - 30, FRAME + 50), receiver(0.05).cut(FRAME - 30, FRAME + 50)
    blow = replace(BLOW, start=BLOW.start - FRAME + 30, apex=30, stop=BLOW.stop - FRAME + 30)
    own = replace(strike(), beat=Beat(30, "A", "B", "chest", "hand.R"), blow=blow)
    finished(meet_beats({"A": punch, "B": body}, [own]))
    ((body, beat, _),) = told.of("push")
    assert beat.frame == 30 and len(body) == 80


def test_a_dodge_is_made_once(told: Told) -> None:
    met([strike(answer="dodge")])
    ((body, beat, striker, way),) = told.of("dodge")
    assert beat.frame == 42 and len(body) == len(striker) == 138 and way is WAY
    assert told.of("push", "open_guard", "parried") == []


def test_a_parry_is_chosen_once_and_made_again_after_each_round(told: Told) -> None:
    met([strike(answer="parry")])
    ((_, beat, _, way),) = told.of("choose_parry")
    assert beat.frame == FRAME and way is WAY
    made = told.of("parried")
    assert len(made) == 1 + 4 and {values[1].frame for values in made} == {42}
    assert {values[3:] for values in made} == {("hand", 5)}
    assert told.of("push", "open_guard", "dodge") == []


def test_both_give_way_and_the_limb_is_kept_out_in_four_rounds(told: Told) -> None:
    met([strike()])
    assert [values[2:] for values in told.of("give_way")] == 4 * [(10, 20)]
    assert len(told.of("keep_limb_out")) == 4 and len(told.of("with_grip")) == 2
    names = [name for name, _ in told.calls if name in ("give_way", "keep_limb_out", "keep_arms_out")]
    assert names == [*(4 * ["give_way", "keep_limb_out"]), *(10 * ["keep_arms_out"])]


@pytest.mark.parametrize(
    ("effector", "answer", "limb", "held", "parrying"),
    [
        ("hand.R", "hit", {"hand", "forearm", "weapon"}, ("hand.R",), ()),
        ("hand.R", "dodge", {"hand", "forearm", "weapon"}, (), ()),
        ("hand.R", "parry", {"hand", "forearm", "weapon"}, ("hand.R",), ("hand.L", "hand.R")),
        ("foot.R", "dodge", {"hand", "forearm", "weapon", "foot", "shin"}, (), ()),
    ],
)
def test_arms_are_pushed_out_of_arms_and_of_what_strikes(
    told: Told, effector: str, answer: str, limb: set[str], held: tuple[str, ...], parrying: tuple[str, ...]
) -> None:
    own = strike(answer=answer)
    if effector.startswith("foot"):
        foot = PUNCH.positions[FRAME, PUNCH.skeleton.joint(effector)]
        own = replace(own, beat=replace(own.beat, effector=effector), target=foot)
    met([own])
    first, second = told.of("keep_arms_out")[:2]
    assert first[2] == second[2] == FRAME
    assert set(first[3]) == {"hand", "forearm", "weapon"} and first[4] == held
    assert set(second[3]) == limb and second[4] == parrying
    assert len(told.of("keep_arms_out")) == 10


def test_each_pair_gives_way_once_a_round(told: Told) -> None:
    punch = PUNCH
    third = replace(receiver(0.05), root_positions=receiver(0.05).root_positions + np.array([0.0, -0.01, 0.0]))
    strikes = [strike(), strike(), replace(strike(), beat=Beat(FRAME, "A", "C", "chest", "hand.R"))]
    steps = meet_beats({"A": punch, "B": receiver(0.05), "C": third}, strikes)
    shares = list(steps)
    assert len(told.of("give_way")) == 2 * 4
    assert shares[:5] == pytest.approx([1 / 30, 2 / 30, 3 / 30, 3 / 30, 3 / 30]) and shares[-1] == pytest.approx(1.0)


def test_the_distance_of_a_parry_is_that_of_the_nearer_hand(told: Told) -> None:
    clips, (distance,) = met([strike(answer="parry")])
    gaps = [effector_gap(clips["A"], FRAME, "hand.R", clips["B"], f"hand.{side}") for side in "LR"]
    assert distance == min(gaps, key=abs)


def held(clip: Clip) -> Clip:
    return armed(clip, "hand.R", np.array([0.0, 0.0, 0.8]))


def test_a_weapon_is_brought_onto_the_one_that_it_parries(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    other = PUNCH.transformed(rotation_about_up(np.pi), np.zeros(3))
    own = other.positions[FRAME, PUNCH.skeleton.joint("hand.R")]
    way = np.append((HAND - own)[:2], 0.0) + np.array([0.2, 0.0, 0.0])
    other = replace(other, root_positions=other.root_positions + way)
    counter = StagedStrike(Beat(FRAME, "B", "A", "chest", "hand.R"), BLOW, -WAY, own + way)
    clips = {"A": held(PUNCH), "B": held(other)}
    before, _ = nearest_surfaces(*(spheres_of(clips[name], FRAME, "weapon.R") for name in "BA"))
    assert before > 0.05
    own_strike = replace(strike(answer="parry"), counter=counter)
    made, (distance,) = finished(meet_beats(clips, [own_strike]))
    gap, _ = nearest_surfaces(*(spheres_of(made[name], FRAME, "weapon.R") for name in "BA"))
    assert gap == pytest.approx(distance) and abs(gap) < 0.003
    assert told.of("choose_parry", "parried", "push", "dodge") == []
