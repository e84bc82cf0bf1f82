"""Ball play of a finished walk: the body follows takes, the hands hold the ball, and the ball flies in closed form.

Trunk, head and arms follow the captured takes, and so do the hips as far as the walk's planted feet allow. IK then
brings the hands to the ball, exactly while they hold it, and with inertia before and after (Bollo 2018).
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...ball.ball_track import BallTrack
from ...ball.dribbled_ball import DribbledBall, JoinedContacts, ToldBall, join_ball
from ...ball.hands import read_hands
from ...ball.palms import palm_centers
from ...ball.spin import ball_rotations
from ...ball.takes import BallTakes, ankle_middle
from ...errors import FootfallError
from ...motion import Clip, Skeleton
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import out_of_frame, root_track, yaw_of
from ...motion.rotations import IDENTITY, Array, rotation_about_up, wrap_angle
from ...motion.signals import Mask, runs_of
from ...retarget.calibration import Calibration, calibrate
from ...retarget.fit import fit_clip
from ...tuning import Tuning, tuned
from .ball_flight import TUNING as BALL_FLIGHT_TUNING
from .ball_flight import BallFlight, PlacedTake
from .ball_hands import blend_arms, blend_take, lead_hands
from .ball_plan import GAINS, ON_GROUND, BallPlan, BallTimeline, PlannedAction
from .ball_plan import TUNING as BALL_PLAN_TUNING


@dataclass(frozen=True, slots=True)
class BallPlayTuning(Tuning):
    max_turn: float = tuned(0.5, "rad", 0.0, np.pi)
    """Largest angle by which a take is turned toward the direction from character to target."""
    max_shift: float = tuned(0.12, "m", 0.0, 1.0)
    """Largest distance by which an adult's take is shifted to bring the hands to a ball on the ground."""
    sink: float = tuned(0.8, "s", 0.05, 5.0)
    """Time over which a body bends its knees to reach a ball on the ground that its arms alone do not reach."""
    take_fades: tuple[float, float] = tuned((0.4, 0.55), "s", 0.02, 3.0)
    """Durations of the blends from the walk into a take, and back."""


TUNING: Final = BallPlayTuning()


def play_ball(
    clip: Clip,
    plan: BallPlan,
    lengths: Array,
    told: ToldBall | None,
    body: Skeleton | Calibration,
    scale: float,
    floor: float,
) -> tuple[Clip, DribbledBall]:
    """Return a walk with its planned actions with the ball added, and the motion of the ball.

    Args:
        clip: the finished walk, with locked feet.
        plan: the planned ball play.
        lengths: (F) planned arc length at each frame, meters at the controller's scale.
        told: the dribbled ball as the controller predicts it; `None` if the ball is not dribbled.
        body: the controller's skeleton if it is animated itself, otherwise its calibration to the animated body.
        scale: world meters per meter at the controller's scale.
        floor: height of the level ground, meters, world.

    Raises:
        FootfallError: a target is out of reach from the character's position.
    """
    timeline, radius = plan.timeline(lengths, clip.rate), plan.kit.radius
    takes = _on_body(plan.kit.takes, body)
    placed = [
        _place(clip, action, takes, (start, contact), scale, floor, radius)
        for action, start, contact in zip(plan.actions, timeline.starts, timeline.contacts, strict=True)
        if start < len(clip)
    ]
    dribble = _dribbled(clip, timeline.dribbled, told, radius, floor)
    played = blend_arms(clip, takes.holding, _holding_weights(timeline, clip.rate))
    for take in placed:
        played = blend_take(played, take.clip, take.start, TUNING.take_fades)
    centers = palm_centers(played)
    flight = BallFlight(clip.rate, radius, floor, clip.skeleton.leg_length / ADULT_LEG_LENGTH_M, placed)
    places = flight.places(centers.mean(axis=1), timeline, dribble)
    contacts, shares = _held_contacts(timeline, dribble, round(BALL_FLIGHT_TUNING.take_over * clip.rate))
    joined, bounces = JoinedContacts(0, 0, 0, 0, 0.0), flight.bounces
    if dribble is not None:
        contacts |= dribble.track.contacts & timeline.dribbled[:, None]
        joined, bounces = dribble.joined, [*bounces, *dribble.bounces]
    led, fingers = contacts.copy(), round(BALL_FLIGHT_TUNING.fingers * clip.rate)
    for take in placed:
        if take.cue.action == "catch":
            led[take.contact : take.contact + fingers] = False
        elif take.cue.action not in (*GAINS, *ON_GROUND):
            led[take.contact + 1 - fingers : take.contact + 1] = False
    played = lead_hands(played, shares[:, None, None] * (places[:, None] - centers), led)
    hands = read_hands(played, floor)
    turns = ball_rotations(hands, hands.from_clip(places), contacts, clip.rate, radius / hands.scale)
    track = BallTrack(clip.rate, radius, places, turns, contacts)
    joined = replace(joined, contacts=len(runs_of(np.any(contacts, axis=1))))
    return played, DribbledBall(track, np.sort(bounces), joined, flight.elsewhere, flight.rest(places))


def _on_body(takes: BallTakes, body: Skeleton | Calibration) -> BallTakes:
    """Return takes retargeted to the body of a walk; `body` is as in :func:`play_ball`."""
    steps = [calibrate(takes.skeleton, body.source if isinstance(body, Calibration) else body)]
    steps += [body] if isinstance(body, Calibration) else []
    moved = dict(takes.takes)
    for step in steps:
        moved = {name: replace(take, clip=fit_clip(take.clip, step)).centered() for name, take in moved.items()}
    return BallTakes(moved)


def _place(
    clip: Clip,
    action: PlannedAction,
    takes: BallTakes,
    frames: tuple[int, int],
    scale: float,
    floor: float,
    radius: float,
) -> PlacedTake:
    """Return the take of an action, placed in a walk above its feet and turned toward the target.

    Args:
        clip: the walk.
        action: the action.
        takes: takes retargeted to the walk's body.
        frames: start and contact frame of the take, see :class:`BallTimeline`.
        scale: meters of the world per meter of the controller.
        floor: height of the level ground, meters.
        radius: radius of the ball, meters.

    Raises:
        FootfallError: a ball on the ground is out of reach.
    """
    (start, contact), take, cue = frames, takes.of(action.cue.action), action.cue
    if cue.target is not None:
        cue = replace(cue, target=scale * cue.target, rim_radius=scale * cue.rim_radius)
    stop = min(start + len(take.clip), len(clip))
    middle = ankle_middle(clip.cut(start, stop)).mean(axis=0)
    yaw = float(root_track(clip.cut(start, stop)).yaws.mean())
    placed = PlacedTake(take.clip, start, contact, cue)
    if cue.target is not None:
        turn = float(wrap_angle(yaw_of(placed.target(contact)[:2] - middle) - yaw))
        yaw += float(np.clip(turn, -TUNING.max_turn, TUNING.max_turn))
    if cue.action in ON_GROUND and cue.target is not None:
        body = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
        reached = middle + out_of_frame(palm_centers(take.clip)[take.contact].mean(axis=0)[:2], np.asarray(yaw))
        away = placed.target(contact)[:2] - reached
        distance = float(np.linalg.norm(away))
        if distance > (TUNING.max_shift + BALL_PLAN_TUNING.pick_up_slack) * body:
            raise FootfallError(
                "The ball is out of reach, because the character stops {distance} cm too far from it: draw the "
                "path straight to the ball and beyond it",
                distance=f"{100 * distance:.0f}",
            )
        middle = middle + away * min(1.0, TUNING.max_shift * body / max(distance, 1e-9))
    moved = take.clip.transformed(rotation_about_up(yaw), np.array([*middle, floor]))
    if cue.action in ON_GROUND:
        over = float(palm_centers(take.clip)[take.contact].mean(axis=0)[2]) - radius
        from_contact = np.abs(np.arange(len(moved)) - take.contact) / moved.rate
        moved.root_positions[:, 2] -= max(over, 0.0) * smooth_falloff(from_contact / TUNING.sink)
    return replace(placed, clip=moved)


def _dribbled(clip: Clip, dribbled: Mask, told: ToldBall | None, radius: float, floor: float) -> DribbledBall | None:
    """Return the motion of the ball in the dribbled frames of a walk, joined smoothly; `None` if there are none.

    Args:
        clip: the walk, of F frames.
        dribbled: (F) whether the ball is dribbled.
        told: the controller's outputs for the ball.
        radius: radius of the ball, meters.
        floor: height of the level ground, meters.
    """
    if told is None or not dribbled.any():
        return None
    places, contacts = np.zeros((len(clip), 3)), np.zeros((len(clip), 2), dtype=bool)
    bounces: list[float] = []
    found: list[JoinedContacts] = []
    for start, stop in runs_of(dribbled):
        part = slice(start, stop)
        one = join_ball(
            clip.cut(start, stop), ToldBall(told.touching[part], told.offsets[part], told.sides[part]), radius, floor
        )
        places[part], contacts[part] = one.track.positions, one.track.contacts
        bounces += (one.bounces + start / clip.rate).tolist()
        found.append(one.joined)
    joined = JoinedContacts(
        sum(one.contacts for one in found),
        sum(one.added for one in found),
        sum(one.merged for one in found),
        sum(one.lost for one in found),
        float(np.mean([one.led_m for one in found])),
    )
    track = BallTrack(clip.rate, radius, places, np.tile(IDENTITY, (len(clip), 1)), contacts)
    return DribbledBall(track, np.array(bounces), joined, np.zeros(len(clip), dtype=bool))


def _holding_weights(timeline: BallTimeline, rate: float) -> Array:
    """Return weights (F) with which the arms hold a ball; they fade in at the start of a hold and out after its end."""
    frames, fade = len(timeline.held), round(BALL_FLIGHT_TUNING.take_over * rate)
    weights = np.zeros(frames)
    for start, stop in runs_of(timeline.held):
        goes = stop < frames and not timeline.dribbled[stop]
        last = stop + fade if goes else stop
        rows = np.arange(start, min(last, frames))
        rise = smooth_step((rows - start + 1) / fade) if start > 0 else np.ones(len(rows))
        fall = smooth_step((last - rows) / fade) if stop < frames else np.ones(len(rows))
        weights[rows] = np.maximum(weights[rows], rise * fall)
    return weights


def _held_contacts(timeline: BallTimeline, dribble: DribbledBall | None, fade: int) -> tuple[Mask, Array]:
    """Return which hands (F, 2) hold the ball, and the weights (F) of bringing them to it by IK.

    Both hands hold the ball, except next to a dribble, where for `fade` frames only the dribbling hand does.

    Args:
        timeline: frames of the ball play.
        dribble: the dribbled ball; `None` if there is none.
        fade: number of frames of the transition from one hand to both, or back.
    """
    contacts, shares = np.repeat(timeline.held[:, None], 2, axis=1), timeline.held.astype(float)
    if dribble is None:
        return contacts, shares
    rise = smooth_step(np.arange(1, fade + 1) / (fade + 1))
    for start, stop in runs_of(timeline.held):
        if start > 0 and timeline.dribbled[start - 1]:
            contacts[start : start + fade] = dribble.track.contacts[start - 1]
            shares[start : start + fade] *= rise[: len(shares[start : start + fade])]
        if stop < len(contacts) and timeline.dribbled[stop]:
            contacts[stop - fade : stop] = dribble.track.contacts[stop]
            shares[stop - fade : stop] *= rise[::-1]
    return contacts, shares
