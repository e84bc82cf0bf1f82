"""Dribbling along a path: loss of the ball, by the network alone and in the bake, and quality of the walk."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from ..cli.walk import SHIPPED_DRIBBLER
from ..core.ball.dribbled_ball import HAND_TOLERANCE_M, MAX_FLIGHT_S, DribbledBall
from ..core.ball.palms import palm_centers
from ..core.control.ball.accompaniment import BallAccompaniment, ball_of
from ..core.control.ball.dribble import Dribble, hand_spans
from ..core.control.path.path import Path
from ..core.control.path.path_events import Cues
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.models.model_file import load_model
from ..core.motion import Clip
from ..core.motion.contacts import FootContacts
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from .setup import Setup
from .tables import Part, table

TITLE = "Dribbling along a path"
SEEDS: Final = range(1, 21)
SECONDS: Final = 60.0
SPEEDS_M_S: Final = (1.2, 2.0)
CHANGE_M: Final = 12.0
"""Distance between changes of hands."""
BEND_M: Final = (2.0, 14.0)
"""Amplitude and wavelength of the winding path."""
TIMED_M: Final = 12.0
"""Length of the path for the timing of a frame."""
TIMED_FRAMES: Final = 30
"""Frames timed at once."""


NOTE: Final = f"""\
{len(SEEDS)} seeds, which draw the phase of the first step, dribble along a winding path (a sine of {BEND_M[0]:g} m
over {BEND_M[1]:g} m) for {SECONDS:g} s each, right hand first, and change hands every {CHANGE_M:g} m. *Bounces*: a
minute; *longest*: time that the ball stays in a hand between the first bounce and the last."""


@dataclass(frozen=True, slots=True)
class Dribbled:
    """The figures of one walk: bounces and contacts a minute, the longest contact in s, cm, cm/s, shares."""

    bounces: float
    longest: float
    missed: float
    lost: float
    led: float
    is_lost: bool
    wrong_hand: float
    path: float
    skate: float
    skate_alone: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows = []
    for speed in SPEEDS_M_S:
        found = _dribble(setup, speed)
        means = {
            name: float(np.mean([getattr(one, name) for one in found]))
            for name in ("bounces", "longest", "missed", "lost", "led", "wrong_hand", "path", "skate", "skate_alone")
        }
        rows.append(
            [
                f"{speed:g} m/s",
                *(means[name] for name in ("bounces", "longest", "missed", "lost", "led")),
                sum(one.is_lost for one in found),
                100 * means["wrong_hand"],
                *(means[name] for name in ("path", "skate", "skate_alone")),
            ]
        )
    head = [
        "speed",
        "bounces",
        "longest, s",
        "missed",
        "lost",
        "led, cm",
        "ball lost, baked",
        "wrong hand, %",
        "path, cm",
        "skate, cm/s",
        "alone",
    ]
    step = f"A frame of one character, network, ball and path following: {_step_ms(setup):.1f} ms."
    return [table(head, rows), NOTE, step]


def _step_ms(setup: Setup) -> float:
    """Return the time of a frame of one character, ms: the median over its chunks."""
    model = load_model(setup.controller or SHIPPED_DRIBBLER)
    ball = BallAccompaniment(Dribble("right"))
    walk = begin_walk(model, WalkRequest(Path(_winding(TIMED_M)), SPEEDS_M_S[0], accompaniment=ball))
    seconds, is_going = [], True
    while is_going:
        before, start = walk.frames_done, perf_counter()
        is_going = walk.advance(TIMED_FRAMES)
        seconds.append((perf_counter() - start) / max(walk.frames_done - before, 1))
    return 1000 * float(np.median(seconds))


def _dribble(setup: Setup, speed: float) -> list[Dribbled]:
    """Return the figures of all seeds at a speed, m/s."""
    model = load_model(setup.controller or SHIPPED_DRIBBLER)
    points = _winding(SECONDS * speed)
    changes = np.arange(CHANGE_M, SECONDS * speed, CHANGE_M).tolist()
    cues, ball = Cues(hand_spans("right", changes)), BallAccompaniment(Dribble("right"))
    walks = [
        begin_walk(model, WalkRequest(Path(points), speed, seed=seed, cues=cues, accompaniment=ball)) for seed in SEEDS
    ]
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return [_figures(walk, points) for walk in walks]


def _winding(length: float) -> Array:
    """Return the points (N, 2) of a winding path of a length, meters."""
    y = np.linspace(0.0, length, 20 * int(length))
    points = np.column_stack([BEND_M[0] * np.sin(2 * np.pi * y / BEND_M[1]), y])
    passed = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return points[passed <= length]


def _figures(rollout: WalkRollout, points: Array) -> Dribbled:
    """Return the figures of a finished roll-out along points (N, 2)."""
    walk, plan, ball = rollout.finish(), rollout.plan, ball_of(rollout.plan)
    assert walk.ball is not None and ball is not None and ball.dribble is not None
    joined, minutes = walk.ball.joined, walk.clip.duration / 60.0
    frames = np.searchsorted(plan.timing.distances, rollout.trace.planned_lengths)
    sides = ball.dribble.sides[np.minimum(frames, len(ball.dribble.sides) - 1)]
    path, skate = _report(rollout, walk.clip, walk.contacts, points)
    _, alone = _report(rollout, rollout.decode_walk(), walk.contacts, points)
    held = runs_of(np.any(walk.ball.track.contacts, axis=1))[1:-1]
    return Dribbled(
        len(walk.ball.bounces) / minutes,
        float(np.diff(held, axis=1).max()) / walk.clip.rate,
        joined.added / minutes,
        joined.lost / minutes,
        100 * joined.led_m,
        _is_lost(walk.clip, walk.ball),
        _wrong_hands(walk.ball, sides),
        path,
        skate,
        alone,
    )


def _report(rollout: WalkRollout, clip: Clip, contacts: FootContacts, points: Array) -> tuple[float, float]:
    """Return the mean distance from the path, cm, and the mean slide of feet, cm/s, of a motion."""
    traces = measure_traces(clip, contacts, rollout.surroundings.ground, points)
    found = {one.measure: one.mean for one in summarise_traces(traces)}
    return found["path_deviation"], found["foot_sliding"]


def _is_lost(clip: Clip, ball: DribbledBall) -> bool:
    """Return whether a ball is away from the hand in contact, or in flight for too long."""
    contacts, centers = ball.track.contacts, palm_centers(clip)
    single = contacts.sum(axis=1) == 1
    apart = np.linalg.norm(ball.track.positions[:, None] - centers, axis=-1)[single][contacts[single]]
    flights = [(stop - start) / clip.rate for start, stop in runs_of(~np.any(contacts, axis=1))]
    return bool(apart.max() > HAND_TOLERANCE_M + 1e-6) or max(flights, default=0.0) > MAX_FLIGHT_S


def _wrong_hands(ball: DribbledBall, sides: Array) -> float:
    """Return the share of contacts by another hand than commanded, among those under a steady command."""
    wrong = [
        bool(np.mean(sides[start:stop]) > 0) == (hand == 0)
        for hand in range(2)
        for start, stop in runs_of(ball.track.contacts[:, hand])
        if np.abs(sides[max(start - 60, 0) : stop + 60]).min() > 0.9
    ]
    return float(np.mean(wrong)) if wrong else 0.0
