"""Checks of a shot's beats before it is made: their times are in order, and paths end on the ground."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from ...errors import FootfallError
from .activity import Stage
from .beats import Beat, DribbleBeat, FightBeat, StrikeBeat, WaitBeat, WalkBeat

HIGH_M: Final = 100.0
"""Height above the character, meters, from which a path's end is projected down to the ground."""


def require_sound_beats(name: str, stage: Stage) -> None:
    """Raise :class:`FootfallError` if the times of beats are out of order, or a path ends in the air.

    Args:
        name: name of the character.
        stage: stage of its shot.
    """
    _require_order(name, stage.request.beats)
    ground = stage.scene.ground
    for number, beat in enumerate(stage.request.beats, start=1):
        walk = beat.walk if isinstance(beat, DribbleBeat) else beat
        if not isinstance(walk, WalkBeat) or not ground.is_static:
            continue
        end = np.append(np.asarray(walk.points, dtype=float)[-1, :2], stage.request.position[2] + HIGH_M)
        if not np.isfinite(ground.heights(end[None])[0]):
            raise FootfallError(
                "Beat {number} of '{name}' ends in the air: end its path on the ground, or add ground below its end",
                number=number,
                name=name,
            )


def _require_order(name: str, beats: Sequence[Beat]) -> None:
    """Raise :class:`FootfallError` if a beat's time is that of an earlier beat, or before it."""
    earlier, latest, was_end = 0, -1.0, False
    for number, time, is_end in _set_times(beats):
        if time == latest and not (was_end and not is_end) and number != earlier:
            raise FootfallError(
                "Beats {first} and {second} of '{name}' are set to the same frame: change the frame of one of them",
                first=earlier,
                second=number,
                name=name,
            )
        if time < latest and number != earlier:
            raise FootfallError(
                "Beat {second} of '{name}' is set to an earlier frame than beat {first}: change the frame of "
                "one of them",
                first=earlier,
                second=number,
                name=name,
            )
        earlier, latest, was_end = number, time, is_end


def _set_times(beats: Sequence[Beat]) -> Iterator[tuple[int, float, bool]]:
    """Yield the number of each beat, from 1, with a set time, the time, seconds, and whether it is an end or a blow."""
    for number, beat in enumerate(beats, start=1):
        if isinstance(beat, StrikeBeat | FightBeat):
            times = (None, beat.time)
        else:
            times = (None, None) if isinstance(beat, WaitBeat) else (beat.time.start, beat.time.end)
        yield from ((number, time, bool(at)) for at, time in enumerate(times) if time is not None)
