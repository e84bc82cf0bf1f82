"""Times of actions: the shortest, and where they begin and end, on statues whose evidence is switched."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.labelling.semantics.action_detectors import (
    ActionEvidence,
    detect_carry,
    detect_climb,
    detect_lean,
    detect_lie,
    detect_open,
    detect_push,
    detect_sit,
)
from footfall.core.motion.signals import runs_of

from .statues import FRAMES, HOLD, PUSH, TOUCH, between, lean, measured


def sits_on_something(start: int, stop: int) -> ActionEvidence:
    return detect_sit(measured({}, contacts={"hips": between(start, stop)}))


def climbs(start: int, stop: int) -> ActionEvidence:
    crouch = 1.0 - between(start, stop)
    return detect_climb(measured({}, velocity=(0.0, 0.0, 0.5), gaits={"crouch": crouch}))


def pushes(start: int, stop: int) -> ActionEvidence:
    jog = 1.0 - between(start, stop)
    return detect_push(measured(PUSH, velocity=(0.0, -0.5, 0.0), gaits={"jog": jog}))


def leans(start: int, stop: int) -> ActionEvidence:
    return detect_lean(measured(lean({}), gaits={"crouch": 1.0 - between(start, stop)}))


def opens(start: int, stop: int) -> ActionEvidence:
    return detect_open(measured(TOUCH, contacts={"hand.L": between(start, stop)}))


def holds(start: int, stop: int) -> ActionEvidence:
    return detect_carry(measured(HOLD, gaits={"run": 1.0 - between(start, stop)}))


def lies(start: int, stop: int) -> ActionEvidence:
    body = measured({"head": (0.0, 1.0, 0.1)})
    vars(body)["hips"] = np.where(between(start, stop)[:, None], [0.0, 0.0, 0.1], [0.0, 0.0, 0.9])
    return detect_lie(body)


@pytest.mark.parametrize(
    "on, frames",
    [(sits_on_something, 30), (climbs, 48), (pushes, 30), (leans, 30), (opens, 21), (holds, 24), (lies, 30)],
)
def test_an_action_lasts_its_shortest_time_or_is_none(on: Callable[[int, int], ActionEvidence], frames: int) -> None:
    assert runs_of(on(40, 40 + frames).state).tolist() == [[40, 40 + frames]]
    assert not on(40, 40 + frames - 1).state.any()


def test_an_action_begins_at_its_onset_and_ends_at_its_release() -> None:
    """The evidence of leaning is what the crouch leaves of it."""
    evidence = np.full(FRAMES, 0.54)
    evidence[30:40], evidence[40:70], evidence[70:] = 0.56, 0.41, 0.39
    state = detect_lean(measured(lean({}), gaits={"crouch": 1 - evidence})).state
    assert runs_of(state).tolist() == [[30, 70]]
