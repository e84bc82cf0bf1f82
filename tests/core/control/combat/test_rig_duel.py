"""Duels on rigs: staged at the controllers' rate and size, met at the scene's frames, on one floor."""

from collections.abc import Generator, Sequence

import numpy as np
import pytest

from footfall.core.control.combat import rig_duel
from footfall.core.control.combat.beats import Beat, Duelist
from footfall.core.control.combat.duel_staging import StagedStrike
from footfall.core.control.combat.rig_duel import at_rate
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.motion import Clip
from footfall.tests.support.poses import hips_at, posed

STILL = posed(hips_at(np.full(300, 0.98)))
WAY, TARGET = np.array([0.0, 1.0, 0.0]), np.array([0.1, 0.5, 1.4])
BLADE = np.array([0.0, 0.0, 0.8])


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


def test_a_frame_too_many_is_counted_whole() -> None:
    error = FootfallError("{frame} {before} {after} {count} {name}", frame=10, before=20, after=31, count=5, name="A")
    assert str(at_rate(error, 0.4)) == "4 8 12 2 A"
    assert str(at_rate(error, 1.0)) == "10 20 31 5 A"
    assert str(at_rate(FootfallError("{miss}", miss=3), 0.4)) == "3"
    told = at_rate(FootfallError("{frames}", count=1, frames="1 frame"), 0.4)
    assert str(told) == "1 frame"
