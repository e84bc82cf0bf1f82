"""Walks that arrive at a set time: at another speed, and after a wait if they would be too early."""

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
    """Speed of a walk's fastest stretch below which the character waits before the walk instead."""
    fastest: float = tuned(3.6, "m/s", 1.5, 6.0)
    """Speed of a walk's fastest stretch above which the character arrives late instead."""
    tolerance: float = tuned(0.02, "s", 0.001, 0.2)
    """Largest error of the planned arrival."""


TUNING: Final = WalkTiming()


def arriving_after(request: WalkRequest, model: ControllerModel, seconds: float) -> WalkRequest:
    """Return a walk at the speed at which it arrives after a time, seconds, or as nearly so as speeds allow."""
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
    """Return a walk with a wait added at its end so that it lasts at least ``seconds`` from its first frame."""
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
