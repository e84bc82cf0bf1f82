"""The last centimetres: what a network of interactions has left to be desired, solved over the whole of a play.

A play is baked at leisure, so that its future is known: hips that will sit a little beside the seat's middle are
brought over it from the moment they begin to sink, hands that will take hold a little beside the grips reach for them,
and feet that touch the ground stay where they are. All corrections come and go with the motion that they correct.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.interaction import ACTIONS
from ...features.locomotion import pose_from_output
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.blending import fade
from ...motion.proportions import scale_between
from ...motion.rotations import Array, about_up, inverse, multiply, rotate, slerp
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ...scene.affordances import Handle
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import Moving
from ...scene.full_body_ik import Goal, reach_goals
from ...scene.interaction_object import Thing, moving
from ..feet.foot_lock import held_contacts, lock_feet
from ..interaction.sequencer import Play
from ..runtime.pose_decoder import pose_clip, standing_clip
from .collision_mask import Spared, spared_of
from .held_object import held_along, held_away
from .limb_depenetration import limbs_clear
from .root_depenetration import kept_clear
from .seat_depenetration import seated_clear

SITTING: Final = 0.194
"""Height of the hips' joint over what one sits on, as a share of the leg's length: where thighs' flesh touches it."""
PALM: Final = 0.075
"""Metres from the wrist to the middle of the palm, of a leg of 0.84 m."""
LEG: Final = 0.84
REACHING: Final = 0.5
"""Seconds in which hands come to what they take, and leave it."""
BEGINNING: Final = 0.3
"""Seconds in which somebody comes out of standing."""
HELD: Final = 0.5
AJAR, WIDE = np.radians(1.0), np.radians(73.0)
"""How far a door is open when a hand has its handle: from when it begins to move until it is wide open."""
SWAYING: Final = 0.4
"""Seconds within which who sits moves on their seat as they like."""
EASING: Final = 0.1
"""Seconds over which weights are smoothed."""


@dataclass(frozen=True, eq=False)
class Performed:
    """A play as it is baked.

    Attributes:
        clip: the actor's motion (F frames).
        things: (F) the things as they are at each frame.
        contacts: (F, 7) of ``interaction.CONTACTS``; feet as they are held.
        actions: (F, 7).
        phase: (F) cycles.
        corrected: metres by which hips and hands were moved at most, by role.
    """

    clip: Clip
    things: Sequence[tuple[Thing, ...]]
    contacts: Array
    actions: Array
    phase: Array
    corrected: dict[str, float]


def perform(play: Play, target: Calibration | None = None) -> Performed:
    """The frames of a play so far as a clip on rigid bones on the plane z = 0, exact where things are touched.

    Args:
        target: whose body it is to be, where it is not the controller's; the play is in metres of the controller then,
            and the clip in metres of that body, larger by :func:`scale_of`.
    """
    standing = standing_clip(play.model)
    contacts = np.concatenate([acted.contacts for acted in play.frames])
    clip = _begun(posed(play), play)
    held = held_contacts(clip, contacts[:, 3:], standing=standing)
    for column in held.T:
        # Feet that are on their way out of standing are nowhere long enough to stand.
        column[: int(np.argmin(column[: round(BEGINNING * clip.rate)]))] = False
    clip = lock_feet(clip, held, standing=standing)
    if target is not None:
        standing = standing and retarget(standing, target)
        clip = lock_feet(retarget(clip, target), held, standing=standing)
    actions = np.concatenate([acted.actions for acted in play.frames])
    play, scale = copy(play), scale_of(play, target)
    spared = spared_of(play, BodyCapsules.of(clip.skeleton), actions)
    own, clip = clip, kept_clear(clip, _moving(play, scale), spared.whole)
    play.places = held_along(play, (clip.root_positions - own.root_positions) / scale)
    play.places = held_away(play, clip, scale)
    goals, before = list(_goals(play, clip, actions, scale)), clip.positions
    if goals:
        clip = reach_goals(clip, goals)
    if play.things:
        hands = [goal for goal in goals if goal.role != "hips"]
        clip = lock_feet(_clear(play, clip, actions, hands, held, spared, scale), held, standing=standing)
        clip = reach_goals(clip, hands) if hands else clip
    corrected = {
        goal.role: float(np.linalg.norm(goal.weights[:, None] * (goal.positions - own_track), axis=1).max())
        for goal in goals
        for own_track in [before[:, clip.skeleton.role(goal.role)]]
    }
    contacts[:, 3:] = held
    phase = np.concatenate([acted.phase for acted in play.frames])
    return Performed(clip, play.places, contacts, actions, phase, corrected)


def _clear(
    play: Play,
    clip: Clip,
    actions: Array,
    hands: Sequence[Goal],
    held: NDArray[np.bool_],
    spared: Spared,
    scale: float,
) -> Clip:
    """The clip with limbs out of the things that they would be in, hands that hold something where they are; what one
    sits on carries the body.
    """
    things = _moving(play, scale)
    seats = [things[number] for number in sorted(spared.sat_on)]
    moved = seated_clear(clip, seats, actions[:, ACTIONS.index("sit")])
    holding = {goal.role: goal.weights for goal in hands}
    standing = np.stack([held[:, :2].any(axis=1), held[:, 2:].any(axis=1)], axis=1)
    busy = np.any([goal.weights > 0 for goal in hands], axis=0) if hands else np.zeros(len(clip), dtype=bool)
    return limbs_clear(moved, things, spared.limbs_while(busy), holding, standing)


def _moving(play: Play, scale: float) -> list[Moving]:
    """The things of a play as they are at each frame, in metres of a body for which those of the play are ``scale``."""
    return [moving([now[number] for now in play.places], scale) for number in range(len(play.things))]


def scale_of(play: Play, target: Calibration | None) -> float:
    """Metres of another body for one of the controller's."""
    return scale_between(play.model.skeleton, target.target) if target else 1.0


def posed(play: Play, start: int = 0) -> Clip:
    """A play's poses, from a frame on, as the network has them, on the rigid bones of its skeleton."""
    model: ControllerModel = play.model
    frames = play.frames[start:]
    outputs = np.concatenate([acted.output for acted in frames]).astype(float)
    turned = pose_from_output(outputs, model.output_layout, model.reference_rotations)
    places = model.output_layout.view(outputs, "pose.position")
    roots = np.concatenate([acted.position for acted in frames])
    yaws = np.concatenate([acted.yaw for acted in frames])
    return pose_clip(model, turned, places, np.column_stack([roots, np.zeros(len(roots))]), yaws)


def _begun(clip: Clip, play: Play) -> Clip:
    """The clip from standing on: a network that is told where to go has its feet elsewhere within a frame."""
    standing = standing_clip(play.model)
    if standing is None:
        return clip
    stands = standing.placed(about_up(np.array(play.yaw)), np.append(play.position, 0.0))
    share = fade(np.arange(len(clip)) / (BEGINNING * clip.rate))
    return replace(
        clip,
        root_positions=clip.root_positions + share[:, None] * (stands.root_positions[0] - clip.root_positions),
        rotations=slerp(clip.rotations, np.broadcast_to(stands.rotations[0], clip.rotations.shape), share[:, None]),
    )


def _goals(play: Play, clip: Clip, actions: Array, scale: float) -> Iterator[Goal]:
    """Where hips and hands are to be, in metres of the clip's body."""
    if (hips := _hips(play, clip, actions, scale)) is not None:
        yield hips
    yield from _hands(play, clip, scale)


def _hips(play: Play, clip: Clip, actions: Array, scale: float) -> Goal | None:
    """Hips over their seats: by as much as they miss them, and as far as somebody sits."""
    share = actions[:, ACTIONS.index("sit")]
    own = clip.positions[:, clip.skeleton.role("hips")]
    shift = np.zeros_like(own)
    for start, stop, errand in _spans(play):
        thing = play.errands[errand].thing
        settled = [event.frame for event in play.events if event.errand == errand and event.kind == "reached"]
        if play.errands[errand].action != "sit" or not settled:
            continue
        seat = play.things[thing].found_seat
        assert seat is not None
        wanted = scale * play.things[thing].placed.out(seat.position[None])[0]
        wanted[2] += SITTING * clip.skeleton.leg_length
        first, following = min(settled[0], stop - 1), min(stop + round(2.0 * clip.rate), len(own))
        rest = wanted - scipy.ndimage.gaussian_filter1d(own[first:stop], SWAYING * clip.rate, axis=0, mode="nearest")
        # Before and after, until somebody is up again, the correction fades with the sitting.
        shift[start:first], shift[first:stop], shift[stop:following] = rest[0], rest, rest[-1]
    if not shift.any():
        return None
    weight = scipy.ndimage.gaussian_filter1d(np.clip(share, 0.0, 1.0), EASING * clip.rate)
    return Goal("hips", own + shift, np.where(shift.any(axis=1), weight, 0.0))


def _hands(play: Play, clip: Clip, scale: float) -> Iterator[Goal]:
    """Hands on the grips of what they carry and on the handles of doors."""
    count, ease = len(clip), max(round(REACHING * clip.rate), 1)
    palm = PALM * play.model.skeleton.leg_length / LEG
    for side in "LR":
        role = f"hand.{side}"
        wanted = clip.positions[:, clip.skeleton.role(role)].copy()
        weight = np.zeros(count)
        for first, last, errand in _held(play, side):
            frames = np.arange(max(first - ease, 0), min(last + ease, count))
            inside = np.clip(frames, first, last - 1)
            thing = play.errands[errand].thing
            grip = wrist_on(play.things[thing], play.sides[errand], side, palm)
            wanted[frames] = scale * np.stack([play.places[frame][thing].placed.out(grip[None])[0] for frame in inside])
            off = np.maximum(first - frames, frames - (last - 1))
            ramp = np.clip(1 - off / ease, 0.0, 1.0)
            weight[frames] = np.maximum(weight[frames], ramp * ramp * (3 - 2 * ramp))
        if weight.any():
            yield Goal(role, wanted, weight)


def wrist_on(thing: Thing, side: int, hand: str, palm: float) -> Array:
    """Where the wrist (3) of a hand is that holds a thing from one of its sides, in the thing's own space, metres."""
    seen = thing.seen_from(side)
    if seen.handle is not None:
        wrist = wrist_at(seen.handle, palm)
    else:
        grips = seen.found_grips
        assert grips is not None
        across = (grips.hands[0] - grips.hands[1]) / max(float(np.linalg.norm(grips.hands[0] - grips.hands[1])), 1e-6)
        # The palm lies on the side, the wrist a little outside.
        wrist = grips.hands["LR".index(hand)] + (palm / 3) * across * (1 if hand == "L" else -1)
    return rotate(about_up(np.array(side * np.pi / 2)), wrist)


def wrist_at(handle: Handle, palm: float) -> Array:
    """Where the wrist (3) is of a hand on a handle, in its object's space: before it by a palm, metres."""
    return handle.position - palm * np.append(handle.direction, 0.0)


def _held(play: Play, hand: str) -> Iterator[tuple[int, int, int]]:
    """Runs of frames in which a hand holds something, and whose errand it is."""
    for start, stop, errand in _spans(play):
        what = play.errands[errand]
        if what.action == "carry":
            took = [event.frame for event in play.events if event.errand == errand and event.kind == "took"]
            if took:
                yield took[0], stop, errand
        elif what.action == "open":
            thing = play.things[what.thing].seen_from(play.sides[errand])
            assert thing.handle is not None
            turns = np.array([_angle(now[what.thing], play.things[what.thing]) for now in play.places[start:stop]])
            held = np.flatnonzero((turns > AJAR) & (turns < WIDE))
            if len(held) and thing.handle.hand == hand:
                yield start + int(held[0]), start + int(held[-1]) + 1, errand


def _angle(now: Thing, shut: Thing) -> float:
    """How far a door's leaf is open, radians."""
    between = multiply(now.rotation, inverse(shut.rotation))
    return float(2 * np.arctan2(abs(between[3]), abs(between[0])))


def _spans(play: Play) -> Iterator[tuple[int, int, int]]:
    """Each errand's frames, from and up to, and its number."""
    begun = [(event.frame, event.errand) for event in play.events if event.kind == "began"]
    ends = [frame for frame, _ in begun[1:]] + [len(play.frames)]
    for (start, errand), stop in zip(begun, ends, strict=True):
        if stop > start:
            yield start, stop, errand
