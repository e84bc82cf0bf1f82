"""Actions that do not repeat: sitting down, standing up, opening, picking up, putting down and blows, and their phase.

Their phase is 0 where the transition starts and a whole cycle where it ends (NSM, section 5.1); a blow's is half a
cycle at its apex, where the swing turns into the back-swing (Freda 2018, section 4.2.2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array
from ...motion.signals import runs_of

# Seconds before an action begins, or after it ends, in which its transition is looked for.
AROUND: Final = 2.0
# Shares of the way from upright to seated, and of a hand's fastest, within which a body or a hand has settled.
SETTLED: Final = 0.1
SLOW_HAND: Final = 0.25
# Seconds; a thing that is in the hand sooner was there before.
SHORTEST: Final = 0.1
# Who sinks less, as a share of the hips' height and in metres, does not sit down.
LEAST_DROP: Final = 0.05
LEAST_METRES: Final = 0.03
HALF_WAY: Final = 0.5
SMOOTHING: Final = 0.1
# Blows that follow each other: how far apart their peaks are, seconds, and by how much of its fastest the hand slows.
BLOWS_APART: Final = 0.3
BETWEEN_BLOWS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Transition:
    """One action that does not repeat.

    Attributes:
        name: "sit", "stand up", "open", "pick up", "put down" or "strike".
        start, stop: its first frame, and the one after its last.
        apex: the frame at which a blow is at its height; ``None`` for the others.
    """

    name: str
    start: int
    stop: int
    apex: int | None = None


def find_transitions(
    action_names: Sequence[str], actions: Array, hips_height: Array, hand_speed: Array, rate: float
) -> list[Transition]:
    """The transitions of a clip, in time.

    Who sits down does so from leaving the action before until the hips have sunk and settled; who stands up, from
    where the hips rise until they are up and the next action begins. Opening is a transition all along. A thing is
    picked up from where carrying begins until hands and hips have come to rest about it, and put down likewise
    backwards in time; who carries from the first frame, or to the last, does not do so there. A blow's apex is where
    the hand is fastest; blows in a row part where it is slowest.

    Args:
        action_names: (A) names of the actions; those of ``sit``, ``open``, ``carry`` and ``strike`` count.
        actions: (F, A) shares.
        hips_height: (F) over the ground, metres.
        hand_speed: (F) of the faster hand, or of the weapon, m/s.
        rate: frames a second.
    """
    found: list[Transition] = []
    body = _Body(hips_height, hand_speed, rate)
    backwards = _Body(hips_height[::-1], hand_speed[::-1], rate)
    for name, entering, leaving in (("sit", "sit", "stand up"), ("carry", "pick up", "put down")):
        way: Callable[[_Body, int, int, int], tuple[int, int] | None]
        way = _sitting_down if name == "sit" else _picking_up
        runs, end = _runs(name, action_names, actions), len(actions)
        for (_, before), (start, stop), (after, _) in zip([(0, 0), *runs], runs, [*runs[1:], (end, end)], strict=False):
            into, out_of = way(body, before, start, stop), way(backwards, end - after, end - stop, end - start)
            if into:
                found.append(Transition(entering, *into))
            if out_of:
                found.append(Transition(leaving, end - out_of[1], end - out_of[0]))
    found += [Transition("open", start, stop) for start, stop in _runs("open", action_names, actions)]
    for start, stop in _runs("strike", action_names, actions):
        found += _blows(hand_speed, start, stop, rate)
    return sorted(found, key=lambda transition: transition.start)


def acyclic_phase(transitions: Sequence[Transition], frames: int) -> Array:
    """Phase (F) in [0, 1]: 0 at a transition's first frame, 1 at its last and, for blows, 0.5 at the apex; linear.

    It is 0 where there is no transition; of two that overlap, the later one counts.
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
class _Body:
    """Hips' heights and hands' speeds (F), forwards or backwards in time."""

    hips: Array
    hands: Array
    rate: float


def _runs(name: str, action_names: Sequence[str], actions: Array) -> list[tuple[int, int]]:
    if name not in action_names:
        return []
    return [(int(start), int(stop)) for start, stop in runs_of(actions[:, list(action_names).index(name)] > 0.5)]


def _sitting_down(body: _Body, before: int, start: int, stop: int) -> tuple[int, int] | None:
    """When the hips sink into a seat on which somebody sits from ``start`` to ``stop`` at most; ``None``: not here.

    They are sunk near the seat's height, or more than half way down and sinking no more. ``before`` is where the
    person got up from the seat before.
    """
    since = max(start - round(AROUND * body.rate), before)
    hips, begin = body.hips[since:stop], start - since
    seated, top = float(np.percentile(hips[begin:], 20)), float(hips.max())
    sinking = (
        -np.gradient(scipy.ndimage.gaussian_filter1d(hips, SMOOTHING * body.rate, mode="nearest"))
        if len(hips) > 1
        else hips
    )
    quiet = (hips < seated + HALF_WAY * (top - seated)) & (sinking < SETTLED * sinking.max())
    high = (hips > seated + SETTLED * (top - seated)) & ~quiet
    upright = np.flatnonzero(high[: begin + 1])
    if high[begin]:  # sits down from here on, not before
        upright = np.arange(begin + int(np.argmin(high[begin:])))
    if len(upright) == 0:
        return None
    down = int(upright[-1]) + 1
    highest = float(hips[: down + 1].max())
    drop = highest - float(hips[down])
    if drop < max(LEAST_DROP * highest, LEAST_METRES):
        return None
    leaves = int(np.flatnonzero(hips[: down + 1] >= highest - SETTLED * drop)[-1])
    return min(start, since + leaves), since + down + 1


def _picking_up(body: _Body, before: int, start: int, stop: int) -> tuple[int, int] | None:
    """From where carrying begins until hands and hips have settled; ``None`` where neither stirs, or before the clip.

    ``before`` is where the thing before was put down.
    """
    if start == 0:
        return None
    end = max(min(start + round(AROUND * body.rate), (start + stop) // 2), start + 1)
    since = max(start - round(AROUND * body.rate), before)
    upright = np.percentile(body.hips[since:end], 90)
    stir = body.hands[start:end] / max(float(body.hands[since:end].max()), 1e-6)
    if upright - body.hips[start:end].min() > LEAST_DROP * upright:
        stir = np.maximum(stir, (upright - body.hips[start:end]) / (upright - body.hips[start:end].min()))
    busy = np.flatnonzero(stir > SLOW_HAND)
    if len(busy) == 0 or busy[-1] < SHORTEST * body.rate:
        return None
    return start, min(start + int(busy[-1]) + 2, end)


def _blows(hand_speed: Array, start: int, stop: int, rate: float) -> list[Transition]:
    """The blows of one run of striking: each has one peak of the hand's speed."""
    speed = hand_speed[start:stop]
    padded = np.concatenate([[0.0], speed, [0.0]])
    fastest = float(speed.max())
    distance = max(round(BLOWS_APART * rate), 1)
    peaks = (
        scipy.signal.find_peaks(padded, height=fastest / 2, prominence=BETWEEN_BLOWS * fastest, distance=distance)[0]
        - 1
    )
    if len(peaks) == 0:
        peaks = np.array([int(np.argmax(speed))])
    parts = [int(a + np.argmin(speed[a:b])) for a, b in pairwise(peaks)]
    edges = [0, *parts, len(speed)]
    return [
        Transition("strike", start + a, start + b, start + int(peak))
        for (a, b), peak in zip(pairwise(edges), peaks, strict=True)
    ]
