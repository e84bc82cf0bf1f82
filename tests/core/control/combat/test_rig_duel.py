"""Duels on rigs: staged at the controllers' rate and size, met at the scene's frames, on one floor."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.combat import rig_duel
from footfall.core.control.combat.beats import Beat, Duelist
from footfall.core.control.combat.duel_staging import StagedStrike
from footfall.core.control.combat.rig_duel import DuelMemory, RigDuel, RigDuelist, RigWeapon, at_rate, make_rig_duel
from footfall.core.control.combat.rig_fight import RigBody
from footfall.core.control.combat.strike_error import StrikeError
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.retarget.calibration import calibrate
from footfall.tests.support.poses import hips_at, posed
from footfall.tests.support.steps import run
from footfall.tests.support.walker import BALL, person

FIGHTER: Any = SimpleNamespace(strikes=SimpleNamespace(rate=60.0))
STILL = posed(hips_at(np.full(300, 0.98)))
WAY, TARGET = np.array([0.0, 1.0, 0.0]), np.array([0.1, 0.5, 1.4])
BLADE = np.array([0.0, 0.0, 0.8])
RATE = 24.0


def body(size: float, floor: float = 0.0) -> RigBody:
    return RigBody(calibrate(person(), person(size)), 0.0, floor)


ADA = RigDuelist("Ada", body(1.2), np.array([0.0, -1.2]), np.array([2.2, 1.1]))
BOB = RigDuelist("Bob", body(1.0), np.array([0.0, 1.1]))
BEATS = [Beat(80, "Bob", "Ada", answer="dodge"), Beat(40, "Ada", "Bob")]


class Staged:
    """A staging in which all stand, and each strike is from 25 frames before its beat to 35 after it."""

    last: "Staged"
    error: FootfallError | None = None
    span = (-25, 35)

    def __init__(self, fighter: object, duelists: Sequence[Duelist], beats: Sequence[Beat], earlier: object) -> None:
        Staged.last = self
        self.duelists, self.beats, self.earlier = duelists, beats, earlier
        self.strikes = [self.strike(beat) for beat in beats]
        self.blades = {one.name: (one.weapon.hand, BLADE) for one in duelists if one.weapon is not None}

    def strike(self, beat: Beat) -> StagedStrike:
        blow = Blow(beat.effector, beat.frame + self.span[0], beat.frame, beat.frame + self.span[1])
        return StagedStrike(beat, blow, WAY, TARGET)

    def stage(self) -> Generator[float, None, dict[str, Clip]]:
        yield 0.5
        if self.error is not None:
            raise self.error
        return {one.name: STILL for one in self.duelists}


class Met:
    """Beats that are met at some distances."""

    clips: dict[str, Clip]
    strikes: list[StagedStrike]
    distances: tuple[float, ...] = (0.01, 0.2)

    def beats(
        self, clips: dict[str, Clip], strikes: list[StagedStrike]
    ) -> Generator[float, None, tuple[dict[str, Clip], tuple[float, ...]]]:
        self.clips, self.strikes = clips, strikes
        yield 0.5
        return clips, self.distances


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> Met:
    result = Met()
    monkeypatch.setattr(Staged, "error", None)
    monkeypatch.setattr(Staged, "span", (-25, 35))
    monkeypatch.setattr(rig_duel, "Staging", Staged)
    monkeypatch.setattr(rig_duel, "meet_beats", result.beats)
    return result


def fought(
    pair: Sequence[RigDuelist] = (ADA, BOB), beats: Sequence[Beat] = BEATS, memory: DuelMemory | None = None
) -> tuple[list[float], RigDuel]:
    return run(make_rig_duel(FIGHTER, pair, beats, RATE, memory))


def test_it_is_staged_at_the_mean_size_and_the_controllers_rate(met: Met) -> None:
    shares, duel = fought()
    ada, bob = Staged.last.duelists
    np.testing.assert_allclose([*ada.start, *bob.start], [0.0, -1.2 / 1.1, 0.0, 1.0])
    assert ada.end is not None and bob.end is None
    np.testing.assert_allclose(ada.end, [2.0, 1.0])
    assert [beat.frame for beat in Staged.last.beats] == [100, 200], "in time"
    np.testing.assert_allclose(shares, [0.0, 0.15, 0.35, 0.4, 0.69])
    assert duel.distances == (0.01, 0.2) and duel.blades == {}


def test_strikes_are_met_at_frames_of_the_scene(met: Met) -> None:
    fought()
    first, second = met.strikes
    assert (first.beat, second.beat) == (BEATS[1], BEATS[0])
    assert first.blow == Blow("hand.R", 30, 40, 54) and second.blow == Blow("hand.R", 70, 80, 94)
    np.testing.assert_allclose(first.target, 1.1 * TARGET)
    assert first.way is WAY and first.counter is None


def test_the_counter_of_a_parry_is_at_the_same_frame(met: Met, monkeypatch: pytest.MonkeyPatch) -> None:
    def countered(self: Staged, beat: Beat) -> StagedStrike:
        own = Beat(beat.frame, beat.receiver, beat.striker, effector="hand.L")
        counter = StagedStrike(own, Blow("hand.L", own.frame - 10, own.frame, own.frame + 20), -WAY, TARGET)
        return StagedStrike(beat, Blow("hand.R", beat.frame - 5, beat.frame, beat.frame + 5), WAY, TARGET, counter)

    monkeypatch.setattr(Staged, "strike", countered)
    fought()
    counter = met.strikes[0].counter
    assert counter is not None and counter.beat.frame == 40 and counter.beat.striker == "Bob"
    assert counter.blow == Blow("hand.L", 36, 40, 48)
    np.testing.assert_allclose(counter.target, 1.1 * TARGET)
    assert met.strikes[0].blow == Blow("hand.R", 38, 40, 42)


def test_a_blow_begins_before_its_apex_and_ends_two_frames_after_it(met: Met) -> None:
    Staged.span = (0, 1)
    fought()
    assert met.strikes[0].blow == Blow("hand.R", 39, 40, 42)


def test_motions_are_on_the_rigs_at_the_rate_of_the_scene(met: Met) -> None:
    pair = [replace(ADA, body=body(1.2, 0.5)), replace(BOB, body=body(1.0, 0.5))]
    _, duel = fought(pair)
    for name, size in (("Ada", 1.2), ("Bob", 1.0)):
        clip, fitted = duel.clips[name], met.clips[name]
        assert clip.rate == RATE and len(clip) == len(fitted) == len(duel.labels[name]) == 120
        assert clip.skeleton.leg_length == pytest.approx(0.84 * size)
        np.testing.assert_allclose(clip.root_positions, fitted.root_positions + np.array([0.0, 0.0, 0.5]), atol=1e-9)
        foot = clip.skeleton.joint("foot.L")
        assert fitted.positions[60, foot, 2] == pytest.approx(size * (0.045 + BALL)), "on the ground"
        assert duel.labels[name].ground == 0.5


def test_the_rise_of_a_rig_lifts_it_before_its_feet_are_held(met: Met, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig_duel, "lock_feet", lambda clip, contacts, ground: clip)
    fought([ADA, replace(BOB, body=replace(BOB.body, rise=0.07))])
    risen = met.clips["Bob"].root_positions[60, 2]
    fought()
    assert risen - met.clips["Bob"].root_positions[60, 2] == pytest.approx(0.07, abs=1e-6)


def test_frames_of_ones_own_strikes_are_labeled(met: Met) -> None:
    _, duel = fought()
    for name, frames in (("Ada", (30, 54)), ("Bob", (70, 94))):
        labels = duel.labels[name]
        strikes = np.flatnonzero(labels.actions[:, labels.action_names.index("strike")] > 0.5)
        assert abs(strikes[0] - frames[0]) <= 1 and abs(strikes[-1] + 1 - frames[1]) <= 1


@pytest.mark.parametrize("distance", [0.021, -0.021])
def test_a_beat_that_is_not_met_is_told_at_frames_of_the_scene(met: Met, distance: float) -> None:
    met.distances = (distance, 0.1)
    with pytest.raises(StrikeError, match=r"strike of Ada at frame 40 ends 2\.1 cm from the surface of Bob"):
        fought()


def test_a_beat_that_cannot_be_staged_is_told_at_frames_of_the_scene(met: Met) -> None:
    Staged.error = FootfallError("{frame}, {frames} too early", frame=100, count=7, frames="7 frames")
    with pytest.raises(StrikeError, match=r"^40, 3 frames too early$"):
        fought()


def test_a_beat_that_cannot_be_met_is_told_as_it_is(met: Met, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*told: object) -> Generator[float, None, None]:
        yield 0.1
        raise FootfallError("at {frame}", frame=40)

    monkeypatch.setattr(rig_duel, "meet_beats", failing)
    with pytest.raises(StrikeError, match=r"^at 40$"):
        fought()


def test_beats_too_close_are_told_at_frames_of_the_scene(met: Met) -> None:
    with pytest.raises(StrikeError, match="at frames 40 and 44, 4 frames too close"):
        fought(beats=[BEATS[1], replace(BEATS[0], frame=44)])


def test_a_memory_keeps_the_staging_for_the_next_one(met: Met) -> None:
    memory = DuelMemory()
    fought(memory=memory)
    first = Staged.last
    assert memory.staging is first and first.earlier is None  # type: ignore[comparison-overlap]
    fought(memory=memory)
    assert Staged.last.earlier is first
    fought()
    assert Staged.last.earlier is None


@pytest.mark.parametrize(("difference", "fails"), [(0.009, False), (-0.009, False), (0.011, True), (-0.3, True)])
def test_characters_stand_on_one_floor(met: Met, difference: float, fails: bool) -> None:
    pair = [ADA, BOB, RigDuelist("Cem", body(1.0, difference), np.ones(2))]
    if not fails:
        fought(pair)
        return
    cm = f"{100 * abs(difference):.0f}"
    with pytest.raises(FootfallError, match=f"'Cem' stands {cm} cm higher or lower than 'Ada': put both on one floor"):
        fought(pair)


def turned(degrees: float) -> Array:
    return 0.7 * np.array([np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees))])


def test_a_weapon_is_put_along_the_line_of_the_hands(met: Met) -> None:
    _, duel = fought([replace(ADA, weapon=RigWeapon("hand.R", 0.88)), BOB])
    weapon = Staged.last.duelists[0].weapon
    assert weapon is not None and weapon.hand == "hand.R" and weapon.length == pytest.approx(0.8)
    np.testing.assert_allclose(duel.blades["Ada"], [0.0, 0.0, 0.88], atol=1e-6)
    held = met.clips["Ada"].skeleton
    np.testing.assert_allclose(held.tips[held.joint("weapon.R")], duel.blades["Ada"])
    assert "weapon.R" not in duel.clips["Ada"].skeleton.roles and set(duel.blades) == {"Ada"}


@pytest.mark.parametrize("degrees", [0.0, 44.0, -44.0])
def test_one_that_hangs_on_the_hand_stays_as_it_is(met: Met, degrees: float) -> None:
    own = turned(degrees)
    _, duel = fought([replace(ADA, weapon=RigWeapon("hand.R", 0.7, own)), BOB])
    assert duel.blades["Ada"] is own


@pytest.mark.parametrize("degrees", [46.0, -100.0, 180.0])
def test_one_that_hangs_across_is_told(met: Met, degrees: float) -> None:
    sentence = f"The weapon of 'Ada' hangs {abs(degrees):.0f} degrees off the line of both hands: turn it in the hand"
    with pytest.raises(FootfallError, match=sentence):
        fought([replace(ADA, weapon=RigWeapon("hand.R", 0.7, turned(degrees))), BOB])


def test_a_frame_too_many_is_counted_whole() -> None:
    error = FootfallError("{frame} {before} {after} {count} {name}", frame=10, before=20, after=31, count=5, name="A")
    assert str(at_rate(error, 0.4)) == "4 8 12 2 A"
    assert str(at_rate(error, 1.0)) == "10 20 31 5 A"
    assert str(at_rate(FootfallError("{miss}", miss=3), 0.4)) == "3"
    told = at_rate(FootfallError("{frames}", count=1, frames="1 frame"), 0.4)
    assert str(told) == "1 frame"
