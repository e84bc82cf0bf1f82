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
TRANSITION_SEARCH_S: Final = 2.0
# Shares of the way from upright to seated, and of a hand's fastest, within which a body or a hand has settled.
SETTLED_SHARE: Final = 0.1
SLOW_HAND_RATIO: Final = 0.25
# Seconds; a thing that is in the hand sooner was there before.
MIN_PICK_UP_S: Final = 0.1
# Who sinks less, as a share of the hips' height and in metres, does not sit down.
MIN_HIP_DROP_RATIO: Final = 0.05
MIN_HIP_DROP_M: Final = 0.03
HALF_LOWERED_SHARE: Final = 0.5
HIP_SMOOTHING_S: Final = 0.1
# Blows that follow each other: how far apart their peaks are, seconds, and by how much of its fastest the hand slows.
MIN_BLOW_INTERVAL_S: Final = 0.3
BLOW_PROMINENCE_RATIO: Final = 0.5


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
    """Return the transitions of a clip, in time.

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
    body = _HipsAndHands(hips_height, hand_speed, rate)
    backwards = _HipsAndHands(hips_height[::-1], hand_speed[::-1], rate)
    for name, entering, leaving in (("sit", "sit", "stand up"), ("carry", "pick up", "put down")):
        way: Callable[[_HipsAndHands, int, int, int], tuple[int, int] | None]
        way = _find_sit_down if name == "sit" else _find_pick_up
        runs, end = _action_runs(name, action_names, actions), len(actions)
        for (_, before), (start, stop), (after, _) in zip([(0, 0), *runs], runs, [*runs[1:], (end, end)], strict=False):
            into, out_of = way(body, before, start, stop), way(backwards, end - after, end - stop, end - start)
            if into:
                found.append(Transition(entering, *into))
            if out_of:
                found.append(Transition(leaving, end - out_of[1], end - out_of[0]))
    found += [Transition("open", start, stop) for start, stop in _action_runs("open", action_names, actions)]
    for start, stop in _action_runs("strike", action_names, actions):
        found += _split_blows(hand_speed, start, stop, rate)
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
class _HipsAndHands:
    """Hips' heights and hands' speeds (F), forwards or backwards in time."""

    hips_height: Array
    hand_speed: Array
    rate: float


def _action_runs(name: str, action_names: Sequence[str], actions: Array) -> list[tuple[int, int]]:
    if name not in action_names:
        return []
    return [(int(start), int(stop)) for start, stop in runs_of(actions[:, list(action_names).index(name)] > 0.5)]


def _find_sit_down(body: _HipsAndHands, earliest: int, start: int, stop: int) -> tuple[int, int] | None:
    """When the hips sink into a seat on which somebody sits from ``start`` to ``stop`` at most; ``None``: not here.

    They are sunk near the seat's height, or more than half way down and sinking no more. ``earliest`` is where the
    person got up from the seat before.
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
    if high[begin]:  # sits down from here on, not before
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
    """From where carrying begins until hands and hips have settled; ``None`` where neither stirs, or before the clip.

    ``earliest`` is where the thing before was put down.
    """
    if start == 0:
        return None
    end = max(min(start + round(TRANSITION_SEARCH_S * body.rate), (start + stop) // 2), start + 1)
    since = max(start - round(TRANSITION_SEARCH_S * body.rate), earliest)
    upright = np.percentile(body.hips_height[since:end], 90)
    stir = body.hand_speed[start:end] / max(float(body.hand_speed[since:end].max()), 1e-6)
    if upright - body.hips_height[start:end].min() > MIN_HIP_DROP_RATIO * upright:
        stir = np.maximum(stir, (upright - body.hips_height[start:end]) / (upright - body.hips_height[start:end].min()))
    busy = np.flatnonzero(stir > SLOW_HAND_RATIO)
    if len(busy) == 0 or busy[-1] < MIN_PICK_UP_S * body.rate:
        return None
    return start, min(start + int(busy[-1]) + 2, end)


def _split_blows(hand_speed: Array, start: int, stop: int, rate: float) -> list[Transition]:
    """Return the blows of one run of striking: each has one peak of the hand's speed."""
    speed = hand_speed[start:stop]
    padded = np.concatenate([[0.0], speed, [0.0]])
    fastest = float(speed.max())
    distance = max(round(MIN_BLOW_INTERVAL_S * rate), 1)
    peaks = (
        scipy.signal.find_peaks(
            padded, height=fastest / 2, prominence=BLOW_PROMINENCE_RATIO * fastest, distance=distance
        )[0]
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
