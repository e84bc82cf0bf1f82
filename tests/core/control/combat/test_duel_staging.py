"""Staging of duels: walks, steps and turns on their frames, and the captured attack that is taken."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.combat import duel_staging, stance
from footfall.core.control.combat.beats import Beat, Duelist
from footfall.core.control.combat.body_contact import struck_places
from footfall.core.control.combat.duel_staging import Staging
from footfall.core.control.combat.strike_takes import StrikeTake
from footfall.core.control.combat.weapon import Weapon
from footfall.core.errors import FootfallError
from footfall.core.jobs.steps import finished
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import yaw_of
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))
CUT = replace(TAKE, both_hands=True)
A, B = Duelist("A", np.array([0.0, -1.1])), Duelist("B", np.zeros(2))
NEED = TAKE.blow.apex + 4
"""Frames that an attack needs after what was before it."""


def fighter() -> Any:
    return SimpleNamespace(strikes=SimpleNamespace(skeleton=PUNCH.skeleton), walks="walks")


@pytest.fixture(autouse=True)
def _takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attacks are known, and raised as far as they are told."""
    monkeypatch.setattr(stance, "captured_takes", lambda strikes: [TAKE, CUT])
    monkeypatch.setattr(StrikeTake, "raised_to", lambda take, height: (take, 0.0))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[float, ...], float, int]]:
    """Steps with their places, yaws and frames, and walks."""
    told: list[tuple[str, tuple[float, ...], float, int]] = []
    step_to = duel_staging.Timeline.step_to

    def stepped(line: duel_staging.Timeline, place: Array, yaw: float, begin: int) -> None:
        told.append(("step", tuple(np.round(place, 6)), round(float(yaw), 6), begin))
        step_to(line, place, yaw, begin)

    def walked(line: duel_staging.Timeline, place: Array, facing: Array | None) -> Any:
        told.append(("walk", tuple(np.round(place, 6)), 0.0, line.busy))
        line.extend(line.busy + 120)
        line.place, line.busy = np.asarray(place, dtype=float), line.busy + 100
        line.yaw = line.yaw if facing is None else float(yaw_of(facing - line.place))
        yield line.busy
        return line.busy

    monkeypatch.setattr(duel_staging.Timeline, "step_to", stepped)
    monkeypatch.setattr(duel_staging.Timeline, "walk_to", walked)
    return told


def staged(*beats: Beat, pair: tuple[Duelist, ...] = (A, B)) -> tuple[Staging, dict[str, Clip]]:
    staging = Staging(fighter(), pair, beats)
    return staging, finished(staging.stage())


Steps = list[tuple[str, tuple[float, ...], float, int]]


def test_both_face_each_other_at_first_and_stay_where_they_are_near(steps: Steps) -> None:
    _, clips = staged(Beat(90, "A", "B"))
    assert steps == [] and set(clips) == {"A", "B"}
    assert len({len(clip) for clip in clips.values()}) == 1
    for name, yaw in (("A", 0.0), ("B", np.pi)):
        side = clips[name].positions[0, PUNCH.skeleton.joint("thigh.R")] - clips[name].root_positions[0]
        np.testing.assert_allclose(side[:2] @ [np.cos(yaw), np.sin(yaw)] > 0.05, True)


def test_all_motions_go_on_for_sixty_frames_after_the_last_beat_at_least(steps: Steps) -> None:
    third = Duelist("C", np.array([3.0, 3.0]))
    _, clips = staged(Beat(500, "A", "B"), pair=(A, B, third))
    assert {len(clip) for clip in clips.values()} == {max(560, 500 - TAKE.blow.apex + len(TAKE.clip) + 72)}


def test_a_strike_has_its_apex_on_the_beat_over_the_target(steps: Steps) -> None:
    staging, clips = staged(Beat(90, "A", "B", "chest"))
    (strike,) = staging.strikes
    assert strike.blow.apex == 90 and strike.blow.start == 90 - TAKE.blow.apex + TAKE.blow.start
    assert strike.blow.stop - strike.blow.start == TAKE.blow.stop - TAKE.blow.start
    np.testing.assert_allclose(strike.way, [0.0, 1.0, 0.0], atol=1e-12)
    hand = clips["A"].positions[90, PUNCH.skeleton.joint("hand.R")]
    np.testing.assert_allclose(hand[:2], strike.target[:2], atol=1e-9)
    # The knuckles, 11 cm ahead of the wrist, are at the side of the chest that the striker sees.
    places = struck_places(clips["B"], 90, strike.beat, np.pi) - [0.0, 0.11, 0.0]
    assert np.linalg.norm(places - strike.target, axis=-1).min() < 1e-9


def test_a_strike_that_is_parried_is_met_before_the_body(steps: Steps) -> None:
    (hit,), (parry,) = (staged(Beat(90, "A", "B", "chest", answer=answer))[0].strikes for answer in ("hit", "parry"))
    np.testing.assert_allclose(hit.target - parry.target, [0.0, 0.12, 0.0], atol=1e-9)


@pytest.mark.parametrize(("missing", "words"), [(0, ""), (1, "1 frame"), (7, "7 frames")])
def test_a_strike_needs_time_after_what_is_before_it(steps: Steps, missing: int, words: str) -> None:
    if not missing:
        staged(Beat(NEED, "A", "B"))
        return
    with pytest.raises(FootfallError, match=f"strike of A at frame {NEED - missing} comes {words} too early after"):
        staged(Beat(NEED - missing, "A", "B"))


def test_it_goes_on_ten_frames_after_a_beat(steps: Steps) -> None:
    staged(Beat(90, "A", "B"), Beat(100 + NEED, "A", "B"))
    staged(Beat(90, "B", "A", effector="hand.L"), Beat(100 + NEED, "A", "B"))
    for striker, receiver in (("A", "B"), ("B", "A")):
        with pytest.raises(FootfallError, match=f"strike of {striker} at frame {99 + NEED} comes 1 frame too early"):
            staged(Beat(90, "A", "B"), Beat(99 + NEED, striker, receiver))


@pytest.mark.parametrize(("start", "walks"), [(-1.84, False), (-1.86, True), (-0.36, False), (-0.34, True)])
def test_more_than_75_centimeters_are_walked(steps: Steps, start: float, walks: bool) -> None:
    staged(Beat(400, "A", "B"), pair=(replace(A, start=np.array([0.0, start])), B))
    assert steps == ([("walk", (0.0, -1.1), 0.0, 0)] if walks else [])


def test_armed_characters_are_farther_apart_by_six_tenths_of_the_longer_weapon(steps: Steps) -> None:
    far = np.array([0.0, -5.0])
    for own, other, apart in ((0.5, None, 1.4), (0.5, 1.0, 1.7), (None, 1.0, 1.7)):
        steps.clear()
        weapons = [None if length is None else Weapon(length=length) for length in (own, other)]
        pair = (replace(A, start=far, weapon=weapons[0]), replace(B, weapon=weapons[1]))
        staged(Beat(400, "A", "B"), pair=pair)
        assert steps[0] == ("walk", (0.0, -apart), 0.0, 0)


def test_a_walk_that_takes_too_long_is_told(steps: Steps) -> None:
    pair = (replace(A, start=np.array([0.0, -5.0])), B)
    staged(Beat(100 + NEED, "A", "B"), pair=pair)
    with pytest.raises(FootfallError, match=f"at frame {95 + NEED} comes 5 frames too early"):
        staged(Beat(95 + NEED, "A", "B"), pair=pair)


def at(degrees: float) -> Array:
    """Place of a third character around B."""
    return 1.1 * np.array([np.sin(np.radians(degrees)), -np.cos(np.radians(degrees))])


@pytest.mark.parametrize(("degrees", "turns"), [(29.0, False), (31.0, True), (-29.0, False), (-31.0, True)])
def test_it_turns_to_one_that_strikes_from_thirty_degrees_aside(steps: Steps, degrees: float, turns: bool) -> None:
    third = Duelist("C", at(degrees))
    staged(Beat(90, "A", "B"), Beat(300, "C", "B"), pair=(A, B, third))
    expected = [("step", (0.0, 0.0), round(float(yaw_of(at(degrees))), 6), 300 - 108)]
    assert steps == (expected if turns else [])


@pytest.mark.parametrize(("frame", "begin"), [(136, 100), (135, None), (300, 192), (207, 100), (209, 101)])
def test_it_turns_three_steps_before_the_beat_or_as_soon_as_it_may(steps: Steps, frame: int, begin: int | None) -> None:
    third = Duelist("C", at(60.0))
    staged(Beat(90, "A", "B"), Beat(frame, "C", "B"), pair=(A, B, third))
    assert [step[3] for step in steps] == ([] if begin is None else [begin])


@pytest.mark.parametrize(("frame", "far"), [(136, True), (135, False)])
def test_there_has_to_be_time_for_the_step_before_a_dodge(steps: Steps, frame: int, far: bool) -> None:
    staged(Beat(90, "A", "B"), Beat(frame, "C", "B", "chest", answer="dodge"), pair=(A, B, Duelist("C", at(10.0))))
    assert bool(steps) == far


@pytest.mark.parametrize(
    ("miss", "sentence"),
    [
        (0.0201, r"falls 2\.0 cm short of its target: choose a target nearer"),
        (0.02, "reaches its target only with feet or joints out of place"),
    ],
)
def test_six_attacks_are_tried_and_the_nearest_tells_by_how_much_it_misses(
    steps: Steps, monkeypatch: pytest.MonkeyPatch, miss: float, sentence: str
) -> None:
    tried: list[float] = []

    def raised(take: StrikeTake, height: float) -> tuple[None, float]:
        tried.append(height)
        return None, miss if len(tried) == 4 else 0.5

    monkeypatch.setattr(stance, "captured_takes", lambda strikes: [replace(TAKE) for _ in range(9)])
    monkeypatch.setattr(StrikeTake, "raised_to", raised)
    with pytest.raises(FootfallError, match=f"strike of A at frame 90 {sentence}"):
        staged(Beat(90, "A", "B"))
    assert len(tried) == 6


def test_attacks_that_need_less_time_are_taken_where_there_is_little(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = replace(TAKE, clip=TAKE.clip.cut(10, len(TAKE.clip)), blow=replace(TAKE.blow, apex=TAKE.blow.apex - 10))
    monkeypatch.setattr(stance, "captured_takes", lambda strikes: [TAKE, quick])
    for frame in (NEED - 1, NEED - 10):
        (strike,) = staged(Beat(frame, "A", "B"))[0].strikes
        assert strike.blow.apex - strike.blow.start == quick.blow.apex - quick.blow.start
    with pytest.raises(FootfallError, match="comes 1 frame too early"):
        staged(Beat(NEED - 11, "A", "B"))
