"""Balls of a shot: their states between two parts, and their tracks through each part."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...ball.ball_track import BASKETBALL_RADIUS_M
from ...ball.dribbled_ball import DribbledBall
from ...ball.palms import palm_centers
from ...ball.takes import shipped_takes
from ...errors import FootfallError
from ...features.ball import HAND_SENSORS
from ...labelling import Labels
from ...motion import Skeleton
from ...motion.rotations import IDENTITY, UP, Array, exp, inverse, length, multiply
from ...motion.signals import Mask
from ...retarget.calibration import Calibration
from ...terrain.ground import Scene
from ..ball.ball_hands import lead_hands
from ..ball.ball_plan import TUNING as BALL_PLAN
from ..ball.ball_plan import BallKit, BallPlan
from ..ball.ball_play import play_ball
from ..ball.leg_clearance import lift_over_legs
from ..path.path_events import BallCue
from ..performance import ObjectTrack, Performance


@dataclass(frozen=True, slots=True, eq=False)
class BallState:
    """The state of a ball at one frame of a shot, and its motion from there until a character takes it.

    Attributes:
        name: the user's name of the ball.
        places: (N, 3) centers from this frame on, until the ball is taken, meters, world; the last one persists. Empty
            (N = 0) for a ball that appears where the first part that plays with it begins.
        rotations: (N, 4) quaternions at these frames, world.
        radius: the ball's radius, meters.
        is_held: whether the character holds it in both hands.
        is_away: whether another character of the cast has it.
    """

    name: str
    places: Array
    rotations: Array
    radius: float = BASKETBALL_RADIUS_M
    is_held: bool = False
    is_away: bool = False

    @classmethod
    def at(cls, name: str, place: Array, radius: float = BASKETBALL_RADIUS_M, is_held: bool = False) -> "BallState":
        """Return a ball at rest, its center at `place` (3), meters, world; `radius` in meters."""
        return cls(name, np.asarray(place, dtype=float)[None], IDENTITY[None].copy(), radius, is_held)

    def on_ground(self, ground: Scene) -> "BallState":
        """Return the ball; centers that nearly rest on the ground are moved to rest exactly on it."""
        if self.is_held or not len(self.places):
            return self
        places = self.places.copy()
        rise = places[:, 2] - self.radius - ground.heights(places)
        near = np.abs(rise) < BALL_PLAN.on_ground
        places[near, 2] -= rise[near]
        return replace(self, places=places)

    def brought(self, cues: Sequence[BallCue]) -> "BallState":
        """Return a ball that has no place yet and is first caught as a ball in the hands of its thrower.

        Args:
            cues: the character's actions with the ball, in order; a catch's target is the ball's path from this frame
                on.
        """
        if len(self.places) or not cues or cues[0].action != "catch" or cues[0].target is None:
            return self
        places = cues[0].target
        return replace(self, places=places, rotations=np.tile(IDENTITY, (len(places), 1)))

    @property
    def away(self) -> "BallState":
        """The ball while another character of the cast has it, and this one knows no place of it."""
        return BallState(self.name, np.zeros((0, 3)), np.zeros((0, 4)), self.radius, is_away=True)

    def later(self, frames: int) -> "BallState":
        """Return the state a number of frames later, if no character takes the ball."""
        first = min(frames, max(len(self.places) - 1, 0))
        return replace(self, places=self.places[first:], rotations=self.rotations[first:])

    def track(self, frames: int) -> ObjectTrack:
        """Return the ball's track over a number of frames in which no character takes it."""
        at = np.minimum(np.arange(frames), len(self.places) - 1)
        return ObjectTrack(self.name, self.places[at], self.rotations[at], np.zeros(frames, dtype=bool), in_palms=True)

    @property
    def kit(self) -> BallKit:
        """The shipped takes of ball play, to be played with a ball of this radius."""
        return BallKit(shipped_takes(), self.radius)


def held_ball(balls: Sequence[BallState]) -> int:
    """Return the index of the ball in the character's hands; -1 if it holds none."""
    return next((index for index, one in enumerate(balls) if one.is_held), -1)


def require_ball(balls: Sequence[BallState], index: int) -> BallState:
    """Return the ball with an index; raise :class:`FootfallError` if there is none, or another character has it."""
    if not 0 <= index < len(balls):
        raise FootfallError("A beat of the shot has no ball: choose one")
    if balls[index].is_away:
        raise FootfallError(
            "Another character has '{name}': let that character pass it to this one first", name=balls[index].name
        )
    return balls[index]


def taken_where_it_lies(cues: Sequence[BallCue], state: BallState) -> tuple[BallCue, ...]:
    """Return the ball actions, with the ball's last place added as the target of pick-ups that have none."""
    if not len(state.places) or state.is_held:
        return tuple(cues)
    place = state.places[-1:]
    return tuple(replace(cue, target=place) if cue.action == "pick_up" and cue.target is None else cue for cue in cues)


def with_ball(made: Performance, state: BallState, done: int, rise: float) -> tuple[Performance, BallState]:
    """Return a performance with its ball as one of its objects, and the ball's state at the start of the next part.

    Args:
        made: the performance of a body that plays with the ball.
        state: the ball at the performance's first frame.
        done: number of frames of the performance before the next part begins.
        rise: height by which the body will be raised onto its own soles, meters; the ball is raised by it here.
    """
    assert made.ball is not None
    track, up = made.ball.track, rise * UP
    touched = np.any(track.contacts, axis=1)
    places, rotations = track.positions + up, track.rotations
    if len(state.places):
        rotations = multiply(rotations, multiply(inverse(rotations[0]), state.rotations[0]))
    if len(state.places) and not state.is_held:  # until hands take it, it lies or rolls as it did before
        taken = int(np.argmax(touched)) if touched.any() else len(track)
        taken = _given(state.track(taken).positions, places, made.ball.elsewhere)
        free, places = state.track(taken), places.copy()
        places[:taken], last = free.positions, rotations[max(taken - 1, 0)]
        rotations = multiply(rotations, multiply(inverse(last), state.track(max(taken, 1)).rotations[-1]))
        rotations[:taken] = free.rotations
    objects = (ObjectTrack(state.name, places, rotations, np.all(track.contacts, axis=1), in_palms=True),)
    rest = made.ball.rest + up
    later = np.concatenate([places[done - 1 :], rest])
    turns = np.concatenate(
        [rotations[done - 1 :], _rolled(rotations[-1], np.vstack([places[-1:], rest]), state.radius)]
    )
    held = bool(touched[done - 1])
    last = slice(0, 1) if held else slice(1 if len(later) > 1 else 0, None)
    after = replace(state, places=later[last], rotations=turns[last], is_held=held)
    return replace(made, objects=(*made.objects, *objects), ball=None), after


def _given(free: Array, places: Array, elsewhere: Mask) -> int:
    """Return the frame from which a ball moves as in the hands of another character, or else that of its own taking.

    Args:
        free: (N, 3) its centers before it is taken, as it lies or moves by itself, meters.
        places: (F, 3) its centers as this character knows them.
        elsewhere: (F) whether another character has it.
    """
    theirs = np.flatnonzero(elsewhere[: len(free)])
    return len(free) if not len(theirs) else int(theirs[np.argmin(length(free[theirs] - places[theirs]))])


def holding(
    made: Performance, state: BallState, body: Skeleton | Calibration, scale: float, floor: float, rise: float
) -> tuple[Performance, BallState]:
    """Return a performance whose arms hold a ball throughout, and the ball's state at its end.

    Args:
        made: the performance.
        state: the held ball at the performance's first frame.
        body: the controller's skeleton if it is animated itself, otherwise its calibration to the animated body.
        scale: world meters per meter at the controller's scale.
        floor: height of the ground, meters.
        rise: height by which the body will be raised onto its own soles, meters; the ball is raised by it here.
    """
    plan = BallPlan((), ((0.0, np.inf),), False, state.kit.resampled(made.clip.rate))
    clip, ball = play_ball(made.clip, plan, np.zeros(len(made)), None, body, scale, floor - rise)
    lift = lift_over_legs(clip, ball.track.positions, state.radius)
    if lift.any():
        clip = lead_hands(clip, np.repeat(lift[:, None, None] * UP, 2, axis=1), ball.track.contacts)
        track = replace(ball.track, positions=palm_centers(clip).mean(axis=1))
        ball = replace(ball, track=track)
    labels = _with_hands(made.labels, ball)
    return with_ball(replace(made, clip=clip, labels=labels, ball=ball), state, len(made), rise)


def _with_hands(labels: Labels, ball: DribbledBall) -> Labels:
    """Return labels in which the hands touch a ball as well."""
    names, touching = list(labels.contact_joints), labels.contacts.copy()
    confidence = labels.confidence.copy()
    for hand, touched in zip(HAND_SENSORS, ball.track.contacts.T, strict=True):
        if hand not in names:
            names.append(hand)
            touching, confidence = (
                np.column_stack([one, np.full(len(one), fill)]) for one, fill in ((touching, 0.0), (confidence, 1.0))
            )
        column = touching[:, names.index(hand)]
        column[:] = np.maximum(column, touched)
    return replace(labels, contact_joints=tuple(names), contacts=touching, confidence=confidence)


def _rolled(rotation: Array, places: Array, radius: float) -> Array:
    """Return the rotations (N - 1, 4) of a ball that rolls through positions (N, 3), meters."""
    turned = [rotation]
    for step in np.diff(places, axis=0):
        turned.append(multiply(exp(np.cross(UP, step) / radius), turned[-1]))
    return np.array(turned[1:]).reshape(-1, 4)
