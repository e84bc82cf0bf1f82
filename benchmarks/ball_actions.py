"""Ball play along a path: accuracy of the ball's target and of its contact with palms, and motion of the body."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..cli.walk import SHIPPED_DRIBBLER
from ..core.ball.ball_track import ball_file, read_ball
from ..core.ball.palms import palm_centers
from ..core.ball.takes import shipped_takes
from ..core.control.ball.accompaniment import BallAccompaniment, ball_of
from ..core.control.ball.ball_flight import TUNING as BALL_FLIGHT_TUNING
from ..core.control.ball.ball_plan import GAINS, BallKit
from ..core.control.ball.dribble import Dribble
from ..core.control.path.path import Path
from ..core.control.path.path_events import BallActionName, BallCue, Cues
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.models.model_file import load_model
from ..core.motion import Clip
from ..core.motion.contacts import FootContacts
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from ..core.rig.clip_file import read_clip
from .setup import Setup
from .tables import Part, table

TITLE = "Ball play along a path"
SEEDS: Final = range(1, 6)
WALK_M: Final = 3.0
"""Length of the path before the action."""
RIM_HEIGHT_M: Final = 3.05
HAND_HEIGHT_M: Final = 1.3
ASIDE_RAD: Final = 0.35
"""Angle from the path to the target."""
DISTANCES_M: Final[dict[BallActionName, tuple[float, ...]]] = {
    "shoot": (3.0, 4.0, 5.0, 6.0, 7.0),
    "pass": (3.0, 5.5, 8.0),
    "catch": (3.0, 5.5, 8.0),
    "pick_up": (0.6,),
}
"""Distances from the end of the path to the target, by action."""
SOURCE: Final = "skillmimic_ballplay"
RADIUS_M: Final = 0.105
"""Radius of the captured balls."""
_AWAY: Final = "; ".join(
    f"{action.replace('_', ' ')}: {', '.join(f'{each:g}' for each in distances)}"
    for action, distances in DISTANCES_M.items()
)
NOTE: Final = f"Distances to the target, m: {_AWAY}."


@dataclass(frozen=True, slots=True)
class Played:
    """The figures of one action, cm and cm/s."""

    target: float
    palms: float
    palms_worst: float
    move: float
    hand_move: float
    skate: float
    skate_in_it: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    for action, distances in DISTANCES_M.items():
        for name, dribbles in (("locomotion", False), ("dribble", True)):
            found = [each for away in distances for each in _play(setup, action, away, dribbles)]
            rows.append([f"{action.replace('_', ' ')}, {name}", len(found), *_summary(found)])
        rows.append([f"{action.replace('_', ' ')}, captured", 1, *_captured(setup, action)])
    head = ["action", "times", "target, cm", "palms, cm", "worst", "move, cm", "of a hand", "skate, cm/s", "in it"]
    return [table(head, rows), NOTE]


def _summary(found: Sequence[Played]) -> list[float]:
    """Return the cells of a row."""
    return [
        max(each.target for each in found),
        float(np.mean([each.palms for each in found])),
        max(each.palms_worst for each in found),
        max(each.move for each in found),
        max(each.hand_move for each in found),
        float(np.mean([each.skate for each in found])),
        float(np.mean([each.skate_in_it for each in found])),
    ]


def _play(setup: Setup, action: BallActionName, away: float, dribbles: bool) -> list[Played]:
    """Return the figures of an action at a distance, meters, of all seeds."""
    model = load_model(SHIPPED_DRIBBLER if dribbles else setup.model_path())
    path = Path(np.array([[0.0, 0.0], [0.0, WALK_M]]))
    direction = np.array([-np.sin(ASIDE_RAD), np.cos(ASIDE_RAD)])
    height = {"shoot": RIM_HEIGHT_M, "pick_up": 0.12}.get(action, HAND_HEIGHT_M)
    target = np.array([*(np.array([0.0, WALK_M]) + away * direction), height])
    cues = Cues(balls=(BallCue(action, WALK_M, target=target[None]),))
    ball = BallAccompaniment(Dribble("right") if dribbles else None, BallKit(shipped_takes()))
    walks = [begin_walk(model, WalkRequest(path, seed=seed, cues=cues, accompaniment=ball)) for seed in SEEDS]
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return [_figures(walk, target) for walk in walks]


def _figures(rollout: WalkRollout, target: Array) -> Played:
    """Return the figures of a finished roll-out with one action."""
    walk, ball = rollout.finish(), ball_of(rollout.plan)
    assert walk.ball is not None and ball is not None and ball.play is not None
    timeline, cue = ball.play.timeline(rollout.trace.planned_lengths, walk.clip.rate), ball.play.actions[0].cue
    contact, places = timeline.contacts[0], walk.ball.track.positions
    fingers = round(BALL_FLIGHT_TUNING.fingers * walk.clip.rate)
    held = np.array(np.all(walk.ball.track.contacts, axis=1))
    if cue.action not in GAINS:
        held[contact + 1 - fingers :] = False
    elif cue.action == "catch":
        held[contact : contact + fingers] = False
    apart = palm_distances(walk.clip, places)[held]
    between = palm_centers(walk.clip).mean(axis=1)
    if cue.action == "shoot":
        wrong = _beside_rim(places[contact:], target)
    elif cue.action == "pass":
        wrong = float(np.linalg.norm(places[contact:] - target, axis=1).min())
    elif cue.action == "catch":
        wrong = float(np.linalg.norm(places[contact + fingers] - between[contact + fingers]))
    else:
        wrong = float(np.linalg.norm(places[contact - 1] - target))
    done = slice(timeline.starts[0], timeline.ends[0])
    moves, hand_moves = largest_moves(walk.clip, done)
    whole = _skate(rollout, walk.clip, walk.contacts)
    part = _skate(rollout, walk.clip.cut(done.start, done.stop), FootContacts(walk.contacts.probabilities[done]))
    return Played(100 * wrong, 100 * apart.mean(), 100 * apart.max(), moves, hand_moves, whole, part)


def _skate(rollout: WalkRollout, clip: Clip, contacts: FootContacts) -> float:
    """Return the mean slide of feet of a motion, cm/s."""
    traces = measure_traces(clip, contacts, rollout.surroundings.ground)
    return {one.measure: one.mean for one in summarise_traces(traces)}["foot_sliding"]


def _captured(setup: Setup, action: BallActionName) -> list[object]:
    """Return the cells of the clip of an action's take."""
    take = shipped_takes().takes[action]
    file = setup.data / SOURCE / "basketball" / f"{take.clip.name}.bvh"
    if not file.is_file():
        raise FootfallError(f"The clip '{file}' is not there: name the folder of the real clips with --data.")
    clip = read_clip(file)
    track = read_ball(ball_file(file), clip, RADIUS_M)
    held = np.array(np.all(track.contacts, axis=1))
    if action not in GAINS:
        last = runs_of(held)[-1][1]
        held[last - round(BALL_FLIGHT_TUNING.fingers * clip.rate) :] = False
    apart = palm_distances(clip, track.positions)[held]
    moves, hand_moves = largest_moves(take.clip, slice(0, len(take.clip)))
    return ["-", 100 * apart.mean(), 100 * apart.max(), moves, hand_moves, "-", "-"]


def palm_distances(clip: Clip, places: Array) -> Array:
    """Return the distances (F, 2), meters, of a ball at places (F, 3) from its usual place in each hand."""
    return np.linalg.norm(palm_centers(clip) - places[:, None], axis=-1)


def largest_moves(clip: Clip, frames: slice) -> tuple[float, float]:
    """Return the largest move of any joint per frame, and that of a hand, cm."""
    moves = np.linalg.norm(np.diff(clip.positions[frames], axis=0), axis=-1)
    hands = [clip.skeleton.joint(f"hand.{side}") for side in "LR"]
    return 100 * float(moves.max()), 100 * float(moves[:, hands].max())


def _beside_rim(places: Array, rim: Array) -> float:
    """Return the distance, meters, of a falling ball (F, 3) from the center of a rim (3), in the rim's plane."""
    falls = np.flatnonzero((places[:-1, 2] > rim[2]) & (places[1:, 2] <= rim[2]))
    if not len(falls):
        return float("inf")
    first, last = places[falls[0]], places[falls[0] + 1]
    share = (first[2] - rim[2]) / (first[2] - last[2])
    return float(np.linalg.norm(first + share * (last - first) - rim))
