"""Transitions (actions that do not repeat, such as sitting down) and their acyclic phase.

Transitions are sitting or lying down, standing up, opening, picking up, putting down and blows. The phase is 0 at the
start of a transition and 1 at its end (NSM section 5.1); that of a blow is 0.5 at its apex, where the swing turns into
the back-swing (Freda 2018, section 4.2.2). Blows themselves are found in :mod:`..semantics.blows`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...actions import ACTION_TABLE, actions_that
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ..semantics.blows import Blow, LimbMotion

RESTING_ACTIONS: Final = actions_that(lambda one: one.rests)
"""Actions whose transitions are found from the height of the hips."""
LIFTING_ACTIONS: Final = ("carry",)
"""Actions whose transitions are found from hips and hands."""
WHOLE_TRANSITIONS: Final = ("open",)
"""Actions that are one transition from start to end."""
TRANSITION_SEARCH_S: Final = 2.0
"""Time before an action's beginning, or after its end, in which its transition is searched."""
SETTLED_SHARE: Final = 0.1
"""Share of the height between upright and seated within which the hips have settled."""
SLOW_HAND_RATIO: Final = 0.25
"""Speed of a hand, relative to its fastest, below which it has settled."""
MIN_PICK_UP_S: Final = 0.1
"""Shortest pick-up; if it would be shorter, the object was already in the hands."""
MIN_HIP_DROP_RATIO: Final = 0.05
"""Smallest drop of the hips, relative to their height, that counts as sitting down."""
MIN_HIP_DROP_M: Final = 0.03
"""Smallest drop of the hips that counts as sitting down."""
HALF_LOWERED_SHARE: Final = 0.5
"""Share of the drop after which hips that no longer sink count as seated."""
HIP_SMOOTHING_S: Final = 0.1
"""Standard deviation of the smoothing of the hips' height."""


@dataclass(frozen=True, slots=True)
class Transition:
    """An action that does not repeat.

    Attributes:
        name: "sit", "lie", "stand up", "open", "pick up", "put down" or "strike".
        start: first frame.
        stop: frame after the last.
        apex: frame of the apex of a blow; ``None`` for others.
    """

    name: str
    start: int
    stop: int
    apex: int | None = None


def find_transitions(
    action_names: Sequence[str], actions: Array, hips_height: Array, hand_speed: Array, rate: float
) -> list[Transition]:
    """Return the transitions of a clip, in order of time, except blows (:func:`find_labeled_blows`).

    Sitting or lying down lasts from the end of the previous action until the hips have sunk and settled; standing up
    from the rise of the hips until they are up and the next action begins. Opening is a single transition. Picking up
    lasts from the start of carrying until hands and hips have settled; putting down is found likewise, backward in
    time. Carrying that begins or ends with the clip has no such transition. The apex of a blow is where the hand is
    fastest; consecutive blows are split where it is slowest.

    Args:
        action_names: (A) names of the actions; those of ``sit``, ``lie``, ``sit_ground``, ``open`` and
            ``carry`` are used.
        actions: (F, A) weights.
        hips_height: (F) height of the hips above the ground, meters.
        hand_speed: (F) speed of the faster hand relative to the hips, m/s.
        rate: frames per second.
    """
    found: list[Transition] = []
    body = _HipsAndHands(hips_height, hand_speed, rate)
    backwards = _HipsAndHands(hips_height[::-1], hand_speed[::-1], rate)
    for name in (*RESTING_ACTIONS, *LIFTING_ACTIONS):
        entering, leaving = ACTION_TABLE[name].transitions
        find: Callable[[_HipsAndHands, int, int, int], tuple[int, int] | None]
        find = _find_pick_up if name in LIFTING_ACTIONS else _find_sit_down
        runs, end = _action_runs(name, action_names, actions), len(actions)
        for (_, before), (start, stop), (after, _) in zip([(0, 0), *runs], runs, [*runs[1:], (end, end)], strict=False):
            into, out_of = find(body, before, start, stop), find(backwards, end - after, end - stop, end - start)
            if into:
                found.append(Transition(entering, *into))
            if out_of:
                found.append(Transition(leaving, end - out_of[1], end - out_of[0]))
    for name in WHOLE_TRANSITIONS:
        found += [Transition(name, start, stop) for start, stop in _action_runs(name, action_names, actions)]
    return sorted(found, key=lambda transition: transition.start)


def find_labeled_blows(action_names: Sequence[str], actions: Array, limbs: LimbMotion) -> list[Blow]:
    """Return a clip's blows in order of time, found by the limbs' motion in frames with the action *strike*.

    Together the blows fill these frames.

    Args:
        action_names: (A) names of the actions.
        actions: (F, A) weights.
        limbs: motion of the clip's hands and feet.
    """
    return limbs.blows_within(_action_runs("strike", action_names, actions))


def blow_transitions(blows: Sequence[Blow]) -> list[Transition]:
    """Convert blows to transitions named "strike"."""
    return [Transition("strike", blow.start, blow.stop, blow.apex) for blow in blows]


def acyclic_phase(transitions: Sequence[Transition], frames: int) -> Array:
    """Return the acyclic phase (F): linear from 0 at a transition's first frame to 1 at its last, with 0.5 at an apex.

    It is 0 outside transitions; where two overlap, the later one counts.
    """
    phase = np.zeros(frames)
    for transition in sorted(transitions, key=lambda transition: transition.start):
        start, stop = max(transition.start, 0), min(transition.stop, frames)
        times, values = [transition.start, transition.stop - 1], [0.0, 1.0]
        if transition.apex is not None:
            times.insert(1, transition.apex)
            values.insert(1, 0.5)
        phase[start:stop] = np.interp(np.arange(start, stop), times, values)
    return phase


@dataclass(frozen=True, eq=False)
class _HipsAndHands:
    """Height of the hips and speed of the hands (F), forwards or backwards in time."""

    hips_height: Array
    hand_speed: Array
    rate: float


def _action_runs(name: str, action_names: Sequence[str], actions: Array) -> list[tuple[int, int]]:
    """Return the (first, end) frame ranges in which the named action has the largest weight."""
    if name not in action_names:
        return []
    return [(int(start), int(stop)) for start, stop in runs_of(actions[:, list(action_names).index(name)] > 0.5)]


def _find_sit_down(body: _HipsAndHands, earliest: int, start: int, stop: int) -> tuple[int, int] | None:
    """Return the frame range in which the hips sink onto the seat used from ``start`` to ``stop``, or ``None``.

    The hips have sunk when they are near the seat's height, or more than halfway down and no longer sinking.
    ``earliest`` is the frame at which the character stood up from the previous seat.
    """
    since = max(start - round(TRANSITION_SEARCH_S * body.rate), earliest)
    hips, begin = body.hips_height[since:stop], start - since
    seated, top = float(np.percentile(hips[begin:], 20)), float(hips.max())
    sinking = (
        -np.gradient(scipy.ndimage.gaussian_filter1d(hips, HIP_SMOOTHING_S * body.rate, mode="nearest"))
        if len(hips) > 1
        else hips
    )
    quiet = (hips < seated + HALF_LOWERED_SHARE * (top - seated)) & (sinking < SETTLED_SHARE * sinking.max())
    high = (hips > seated + SETTLED_SHARE * (top - seated)) & ~quiet
    upright = np.flatnonzero(high[: begin + 1])
    if high[begin]:  # The hips sink after the action begins, not before.
        upright = np.arange(begin + int(np.argmin(high[begin:])))
    if len(upright) == 0:
        return None
    down = int(upright[-1]) + 1
    highest = float(hips[: down + 1].max())
    drop = highest - float(hips[down])
    if drop < max(MIN_HIP_DROP_RATIO * highest, MIN_HIP_DROP_M):
        return None
    leaves = int(np.flatnonzero(hips[: down + 1] >= highest - SETTLED_SHARE * drop)[-1])
    return min(start, since + leaves), since + down + 1


def _find_pick_up(body: _HipsAndHands, earliest: int, start: int, stop: int) -> tuple[int, int] | None:
    """Return the frame range from the start of carrying until hands and hips have settled, or ``None``.

    The result is ``None`` if neither moves, or if carrying starts with the clip. ``earliest`` is the frame at which the
    previous object was put down.
    """
    if start == 0:
        return None
    end = max(min(start + round(TRANSITION_SEARCH_S * body.rate), (start + stop) // 2), start + 1)
    since = max(start - round(TRANSITION_SEARCH_S * body.rate), earliest)
    upright = np.percentile(body.hips_height[since:end], 90)
    activity = body.hand_speed[start:end] / max(float(body.hand_speed[since:end].max()), 1e-6)
    if upright - body.hips_height[start:end].min() > MIN_HIP_DROP_RATIO * upright:
        drop = (upright - body.hips_height[start:end]) / (upright - body.hips_height[start:end].min())
        activity = np.maximum(activity, drop)
    busy = np.flatnonzero(activity > SLOW_HAND_RATIO)
    if len(busy) == 0 or busy[-1] < MIN_PICK_UP_S * body.rate:
        return None
    return start, min(start + int(busy[-1]) + 2, end)
