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
from ...scene.collider_pose import AnimatedCollider
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...scene.interaction_object import InteractionObject, animated_collider
from ..feet.foot_lock import lock_feet, locked_contacts
from ..interaction.sequencer import InteractionSequencer
from ..runtime.pose_decoder import decode_poses, standing_clip
from .collision_mask import CollisionMask, build_collision_mask
from .held_object import move_held_object, push_held_object
from .limb_depenetration import depenetrate_limbs
from .root_depenetration import depenetrate_root
from .seat_depenetration import depenetrate_seated

SEATED_HIP_HEIGHT_RATIO: Final = 0.194
"""Height of the hips' joint over what one sits on, as a share of the leg's length: where thighs' flesh touches it."""
PALM_OFFSET_M: Final = 0.075
"""Metres from the wrist to the middle of the palm, of a leg of 0.84 m."""
REFERENCE_LEG_M: Final = 0.84
REACH_BLEND_S: Final = 0.5
"""Seconds in which hands come to what they take, and leave it."""
START_BLEND_S: Final = 0.3
"""Seconds in which somebody comes out of standing."""
CONTACT_THRESHOLD: Final = 0.5
DOOR_AJAR_RAD, DOOR_WIDE_RAD = np.radians(1.0), np.radians(73.0)
"""How far a door is open when a hand has its handle: from when it begins to move until it is wide open."""
SEAT_SWAY_S: Final = 0.4
"""Seconds within which who sits moves on their seat as they like."""
WEIGHT_SMOOTHING_S: Final = 0.1
"""Seconds over which weights are smoothed."""


@dataclass(frozen=True, eq=False)
class RefinedInteraction:
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
    objects: Sequence[tuple[InteractionObject, ...]]
    contacts: Array
    actions: Array
    phase: Array
    max_corrections: dict[str, float]


def refine_interaction(interaction: InteractionSequencer, target: Calibration | None = None) -> RefinedInteraction:
    """The frames of a play so far as a clip on rigid bones on the plane z = 0, exact where things are touched.

    Args:
        target: whose body it is to be, where it is not the controller's; the play is in metres of the controller then,
            and the clip in metres of that body, larger by :func:`body_scale`.
    """
    standing = standing_clip(interaction.model)
    contacts = np.concatenate([acted.contacts for acted in interaction.frames])
    clip = _blend_from_standing(decode_interaction(interaction), interaction)
    held = locked_contacts(clip, contacts[:, 3:], standing=standing)
    for column in held.T:
        # Feet that are on their way out of standing are nowhere long enough to stand.
        column[: int(np.argmin(column[: round(START_BLEND_S * clip.rate)]))] = False
    clip = lock_feet(clip, held, standing=standing)
    if target is not None:
        standing = standing and retarget(standing, target)
        clip = lock_feet(retarget(clip, target), held, standing=standing)
    actions = np.concatenate([acted.actions for acted in interaction.frames])
    interaction, scale = copy(interaction), body_scale(interaction, target)
    spared = build_collision_mask(interaction, BodyCapsules.from_skeleton(clip.skeleton), actions)
    own, clip = clip, depenetrate_root(clip, _animated_colliders(interaction, scale), spared.root)
    interaction.object_states = move_held_object(interaction, (clip.root_positions - own.root_positions) / scale)
    interaction.object_states = push_held_object(interaction, clip, scale)
    goals, before = list(_effector_goals(interaction, clip, actions, scale)), clip.positions
    if goals:
        clip = solve_full_body_ik(clip, goals)
    if interaction.objects:
        hands = [goal for goal in goals if goal.role != "hips"]
        clip = lock_feet(_depenetrate(interaction, clip, actions, hands, held, spared, scale), held, standing=standing)
        clip = solve_full_body_ik(clip, hands) if hands else clip
    corrected = {
        goal.role: float(np.linalg.norm(goal.weights[:, None] * (goal.positions - own_track), axis=1).max())
        for goal in goals
        for own_track in [before[:, clip.skeleton.role(goal.role)]]
    }
    contacts[:, 3:] = held
    phase = np.concatenate([acted.phase for acted in interaction.frames])
    return RefinedInteraction(clip, interaction.object_states, contacts, actions, phase, corrected)


def _depenetrate(
    interaction: InteractionSequencer,
    clip: Clip,
    actions: Array,
    hands: Sequence[EffectorGoal],
    foot_contacts: NDArray[np.bool_],
    collision_mask: CollisionMask,
    scale: float,
) -> Clip:
    """The clip with limbs out of the things that they would be in, hands that hold something where they are; what one
    sits on carries the body.
    """
    things = _animated_colliders(interaction, scale)
    seats = [things[number] for number in sorted(collision_mask.seat_indices)]
    moved = depenetrate_seated(clip, seats, actions[:, ACTIONS.index("sit")])
    holding = {goal.role: goal.weights for goal in hands}
    standing = np.stack([foot_contacts[:, :2].any(axis=1), foot_contacts[:, 2:].any(axis=1)], axis=1)
    busy = np.any([goal.weights > 0 for goal in hands], axis=0) if hands else np.zeros(len(clip), dtype=bool)
    return depenetrate_limbs(moved, things, collision_mask.limbs_with_hands(busy), holding, standing)


def _animated_colliders(interaction: InteractionSequencer, scale: float) -> list[AnimatedCollider]:
    """The things of a play as they are at each frame, in metres of a body for which those of the play are ``scale``."""
    return [
        animated_collider([now[number] for now in interaction.object_states], scale)
        for number in range(len(interaction.objects))
    ]


def body_scale(interaction: InteractionSequencer, target: Calibration | None) -> float:
    """Metres of another body for one of the controller's."""
    return scale_between(interaction.model.skeleton, target.target) if target else 1.0


def decode_interaction(interaction: InteractionSequencer, start_frame: int = 0) -> Clip:
    """A play's poses, from a frame on, as the network has them, on the rigid bones of its skeleton."""
    model: ControllerModel = interaction.model
    frames = interaction.frames[start_frame:]
    outputs = np.concatenate([acted.output for acted in frames]).astype(float)
    turned = pose_from_output(outputs, model.output_layout, model.reference_rotations)
    places = model.output_layout.view(outputs, "pose.position")
    roots = np.concatenate([acted.position for acted in frames])
    yaws = np.concatenate([acted.yaw for acted in frames])
    return decode_poses(model, turned, places, np.column_stack([roots, np.zeros(len(roots))]), yaws)


def _blend_from_standing(clip: Clip, interaction: InteractionSequencer) -> Clip:
    """The clip from standing on: a network that is told where to go has its feet elsewhere within a frame."""
    standing = standing_clip(interaction.model)
    if standing is None:
        return clip
    stands = standing.placed(about_up(np.array(interaction.yaw)), np.append(interaction.position, 0.0))
    share = fade(np.arange(len(clip)) / (START_BLEND_S * clip.rate))
    return replace(
        clip,
        root_positions=clip.root_positions + share[:, None] * (stands.root_positions[0] - clip.root_positions),
        rotations=slerp(clip.rotations, np.broadcast_to(stands.rotations[0], clip.rotations.shape), share[:, None]),
    )


def _effector_goals(
    interaction: InteractionSequencer, clip: Clip, actions: Array, scale: float
) -> Iterator[EffectorGoal]:
    """Where hips and hands are to be, in metres of the clip's body."""
    if (hips := _hip_goal(interaction, clip, actions, scale)) is not None:
        yield hips
    yield from _hand_goals(interaction, clip, scale)


def _hip_goal(interaction: InteractionSequencer, clip: Clip, actions: Array, scale: float) -> EffectorGoal | None:
    """Hips over their seats: by as much as they miss them, and as far as somebody sits."""
    share = actions[:, ACTIONS.index("sit")]
    own = clip.positions[:, clip.skeleton.role("hips")]
    shift = np.zeros_like(own)
    for start, stop, errand in _task_intervals(interaction):
        thing = interaction.tasks[errand].object_index
        settled = [
            event.frame for event in interaction.events if event.task_index == errand and event.kind == "reached"
        ]
        if interaction.tasks[errand].action != "sit" or not settled:
            continue
        seat = interaction.objects[thing].seat
        assert seat is not None
        wanted = scale * interaction.objects[thing].posed_collider.to_world(seat.position[None])[0]
        wanted[2] += SEATED_HIP_HEIGHT_RATIO * clip.skeleton.leg_length
        first, following = min(settled[0], stop - 1), min(stop + round(2.0 * clip.rate), len(own))
        rest = wanted - scipy.ndimage.gaussian_filter1d(
            own[first:stop], SEAT_SWAY_S * clip.rate, axis=0, mode="nearest"
        )
        # Before and after, until somebody is up again, the correction fades with the sitting.
        shift[start:first], shift[first:stop], shift[stop:following] = rest[0], rest, rest[-1]
    if not shift.any():
        return None
    weight = scipy.ndimage.gaussian_filter1d(np.clip(share, 0.0, 1.0), WEIGHT_SMOOTHING_S * clip.rate)
    return EffectorGoal("hips", own + shift, np.where(shift.any(axis=1), weight, 0.0))


def _hand_goals(interaction: InteractionSequencer, clip: Clip, scale: float) -> Iterator[EffectorGoal]:
    """Hands on the grips of what they carry and on the handles of doors."""
    count, ease = len(clip), max(round(REACH_BLEND_S * clip.rate), 1)
    palm = PALM_OFFSET_M * interaction.model.skeleton.leg_length / REFERENCE_LEG_M
    for side in "LR":
        role = f"hand.{side}"
        wanted = clip.positions[:, clip.skeleton.role(role)].copy()
        weight = np.zeros(count)
        for first, last, errand in _holding_intervals(interaction, side):
            frames = np.arange(max(first - ease, 0), min(last + ease, count))
            inside = np.clip(frames, first, last - 1)
            thing = interaction.tasks[errand].object_index
            grip = wrist_on_object(interaction.objects[thing], interaction.approach_sides[errand], side, palm)
            wanted[frames] = scale * np.stack(
                [interaction.object_states[frame][thing].posed_collider.to_world(grip[None])[0] for frame in inside]
            )
            off = np.maximum(first - frames, frames - (last - 1))
            ramp = np.clip(1 - off / ease, 0.0, 1.0)
            weight[frames] = np.maximum(weight[frames], ramp * ramp * (3 - 2 * ramp))
        if weight.any():
            yield EffectorGoal(role, wanted, weight)


def wrist_on_object(held_object: InteractionObject, side: int, hand: str, palm: float) -> Array:
    """Where the wrist (3) of a hand is that holds a thing from one of its sides, in the thing's own space, metres."""
    seen = held_object.facing_side(side)
    if seen.handle is not None:
        wrist = wrist_on_handle(seen.handle, palm)
    else:
        grips = seen.grips
        assert grips is not None
        across = (grips.hands[0] - grips.hands[1]) / max(float(np.linalg.norm(grips.hands[0] - grips.hands[1])), 1e-6)
        # The palm lies on the side, the wrist a little outside.
        wrist = grips.hands["LR".index(hand)] + (palm / 3) * across * (1 if hand == "L" else -1)
    return rotate(about_up(np.array(side * np.pi / 2)), wrist)


def wrist_on_handle(handle: Handle, palm: float) -> Array:
    """Where the wrist (3) is of a hand on a handle, in its object's space: before it by a palm, metres."""
    return handle.position - palm * np.append(handle.direction, 0.0)


def _holding_intervals(interaction: InteractionSequencer, hand: str) -> Iterator[tuple[int, int, int]]:
    """Runs of frames in which a hand holds something, and whose errand it is."""
    for start, stop, errand in _task_intervals(interaction):
        what = interaction.tasks[errand]
        if what.action == "carry":
            took = [event.frame for event in interaction.events if event.task_index == errand and event.kind == "took"]
            if took:
                yield took[0], stop, errand
        elif what.action == "open":
            thing = interaction.objects[what.object_index].facing_side(interaction.approach_sides[errand])
            assert thing.handle is not None
            turns = np.array(
                [
                    _door_angle(now[what.object_index], interaction.objects[what.object_index])
                    for now in interaction.object_states[start:stop]
                ]
            )
            held = np.flatnonzero((turns > DOOR_AJAR_RAD) & (turns < DOOR_WIDE_RAD))
            if len(held) and thing.handle.pushing_hand == hand:
                yield start + int(held[0]), start + int(held[-1]) + 1, errand


def _door_angle(current: InteractionObject, closed: InteractionObject) -> float:
    """How far a door's leaf is open, radians."""
    between = multiply(current.rotation, inverse(closed.rotation))
    return float(2 * np.arctan2(abs(between[3]), abs(between[0])))


def _task_intervals(interaction: InteractionSequencer) -> Iterator[tuple[int, int, int]]:
    """Each errand's frames, from and up to, and its number."""
    begun = [(event.frame, event.task_index) for event in interaction.events if event.kind == "began"]
    ends = [frame for frame, _ in begun[1:]] + [len(interaction.frames)]
    for (start, errand), stop in zip(begun, ends, strict=True):
        if stop > start:
            yield start, stop, errand
