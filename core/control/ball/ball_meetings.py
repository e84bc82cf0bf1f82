"""Timing of passes between characters: a character that is early waits until the other's hands are ready."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...ball.throws import pass_seconds
from ...errors import FootfallError
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.path_events import BallCue, Cues
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_BEFORE_S, Timing
from .ball_plan import BallKit, by_length, hands_at, place_ball_cues, plan_ball


@dataclass(frozen=True, slots=True)
class BallMeetingsTuning(Tuning):
    shortest_flight: float = tuned(0.7, "1", 0.1, 1.0)
    """Shortest duration to which a late pass may be sped up to be caught in time, as a share of its usual duration."""
    hands_ahead: float = tuned(0.5, "m", 0.0, 1.5)
    """Approximate distance ahead of an adult's root at which the hands pass or catch a ball."""
    longest_flight: float = tuned(1.8, "1", 1.0, 10.0)
    """Longest duration of a slowed pass, as a share of the usual duration."""


TUNING: Final = BallMeetingsTuning()


def wait_for_others(
    cues: Cues,
    kit: BallKit | None,
    path: Path,
    profile: TerrainProfile,
    scale: float,
    rate: float,
    time: Callable[[Cues], Timing],
    stands: float = STAND_BEFORE_S,
) -> Cues:
    """Return path events with idle time before passes and catches, so that the other character's hands are ready.

    Args:
        cues: path events of the walk, with arc lengths along the planned path, meters at the controller's scale.
        kit: captured takes and the ball.
        path: the planned path.
        profile: terrain along the path.
        scale: world meters per meter at the controller's scale.
        rate: frames per second.
        time: function that plans the walk's timing from path events.
        stands: time for which the character stands before the walk begins, seconds.

    Raises:
        FootfallError: the character comes too late for the other character's hands.
    """
    if not any(cue.meetings for cue in cues.balls):
        return cues
    timing = time(place_ball_cues(cues, kit, path, profile, scale))
    acts = [number for number, cue in enumerate(cues.balls) if cue.action != "hold"]
    order = sorted(acts, key=lambda number: by_length(cues.balls[number], timing, rate).start)
    for rank, number in enumerate(order):
        if not cues.balls[number].meetings:
            continue
        placed = place_ball_cues(cues, kit, path, profile, scale)
        timing = time(placed)
        plan = plan_ball(placed, kit, timing, rate, False)
        assert plan is not None
        lengths = np.concatenate([np.zeros(round(stands * rate)), timing.distances])
        contact, cue = plan.timeline(lengths, rate).contacts[rank], plan.actions[rank].cue
        idle = _idle_time(cue, contact / rate, _flight_time(cue, contact, path, profile))
        balls = [replace(one, idle=idle) if index == number else one for index, one in enumerate(cues.balls)]
        cues = replace(cues, balls=tuple(balls))
    return cues


def _flight_time(cue: BallCue, contact: int, path: Path, profile: TerrainProfile) -> float:
    """Return the usual duration, seconds, of a pass at a frame between the hands of the two characters."""
    assert cue.target is not None
    here, there = hands_at(cue, path, profile), cue.target[min(contact, len(cue.target) - 1)]
    away = float(np.linalg.norm(there - here))
    ahead = min(TUNING.hands_ahead * profile.scale, 0.5 * away) / max(away, 1e-9)
    return pass_seconds(here + ahead * (there - here), there, profile.scale)


def _idle_time(cue: BallCue, contact: float, flight: float) -> float:
    """Return how long a character waits before a pass or a catch, seconds.

    Args:
        cue: cue of the pass or catch.
        contact: time of the release or the catch without waiting, seconds.
        flight: usual duration of the pass, seconds.

    Raises:
        FootfallError: the other character's hands are ready only at earlier times.
    """
    passes = cue.action == "pass"
    soonest = contact + flight if passes else contact - flight
    latest = contact + TUNING.shortest_flight * flight if passes else contact - TUNING.longest_flight * flight
    meeting = next((time for time in sorted(cue.meetings) if time >= latest), None)
    if meeting is not None:
        return max(meeting - soonest, 0.0)
    late = f"{latest - max(cue.meetings):.1f}"
    if passes:
        raise FootfallError(
            "The other character catches {late} s before the pass can arrive: pass earlier along the path, walk "
            "faster, or make the other character catch later",
            late=late,
        )
    raise FootfallError(
        "The other character passes {late} s before this one can catch the ball: catch earlier along the path, "
        "walk faster, or make the other character pass later",
        late=late,
    )
