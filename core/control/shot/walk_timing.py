"""Walks that arrive at a set time: their speed is adapted, and they begin with a wait if they would be too early."""

from dataclasses import dataclass, replace
from typing import Final

import scipy

from ...models.model_file import ControllerModel
from ...tuning import Tuning, tuned
from ..path.path_events import Wait
from ..walk.plan import WalkRequest, plan_walk


@dataclass(frozen=True, slots=True)
class WalkTiming(Tuning):
    """Tuned numbers of walks that arrive at a time."""

    slowest: float = tuned(0.6, "m/s", 0.2, 1.2)
    """Lowest speed of a walk's fastest stretch; instead of walking slower, the character waits first."""
    fastest: float = tuned(3.6, "m/s", 1.5, 6.0)
    """Highest speed of a walk's fastest stretch; instead of moving faster, the character arrives late."""
    tolerance: float = tuned(0.02, "s", 0.001, 0.2)
    """Largest error of the planned arrival."""


TUNING: Final = WalkTiming()


def arriving_after(request: WalkRequest, model: ControllerModel, seconds: float) -> WalkRequest:
    """Return a walk request whose speed lets it arrive after `seconds`, or as nearly as the speed limits allow."""
    speeds = [request.speed, *(span.speed for span in request.cues.spans if span.speed is not None)]
    slow, fast = TUNING.slowest / max(speeds), TUNING.fastest / max(speeds)

    def lateness(factor: float) -> float:
        return _duration(_at_speed(request, factor), model) - seconds

    if lateness(slow) <= 0.0:
        waits = (Wait(0.0, -lateness(slow)), *request.cues.waits)
        made = _at_speed(request, slow)
        return replace(made, cues=replace(made.cues, waits=waits))
    if lateness(fast) >= 0.0:
        return _at_speed(request, fast)
    factor = scipy.optimize.brentq(lateness, slow, fast, xtol=1e-3, rtol=1e-3)
    return _at_speed(request, float(factor))


def standing_until(request: WalkRequest, model: ControllerModel, seconds: float) -> WalkRequest:
    """Return a walk request with a wait added at its end, so that it lasts at least `seconds`."""
    left = seconds - _duration(request, model)
    if left <= 0.0:
        return request
    waits = (*request.cues.waits, Wait(request.path.length, left))
    return replace(request, cues=replace(request.cues, waits=waits))


def _duration(request: WalkRequest, model: ControllerModel) -> float:
    """Return the planned duration of a walk, seconds."""
    return len(plan_walk(request, model).timing) / model.rate


def _at_speed(request: WalkRequest, factor: float) -> WalkRequest:
    """Return a walk with all speeds multiplied by a factor."""
    spans = tuple(
        span if span.speed is None else replace(span, speed=factor * span.speed) for span in request.cues.spans
    )
    return replace(request, speed=factor * request.speed, cues=replace(request.cues, spans=spans))
