"""Refinement of a recorded interaction: exact contacts of hips, hands and feet, and no penetration.

The recording is complete, so the solver is not causal: corrections of hips on a seat and of hands on grips are blended
in before the contact and out after it, in the manner of constraint-based motion editing (Gleicher 1998).
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.interaction import ACTIONS
from ...features.locomotion import pose_rotations
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.proportions import scale_between
from ...motion.rotations import Array, inverse, multiply, rotate, rotation_about_up, slerp
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
"""Height of the hip joint above the seat, as a share of the leg length, at which the thighs touch it."""
PALM_OFFSET_M: Final = 0.075
"""Distance from the wrist to the middle of the palm, for a leg of ``REFERENCE_LEG_M``."""
REFERENCE_LEG_M: Final = 0.84
"""Leg length of the adult to which lengths of this module refer."""
REACH_BLEND_S: Final = 0.5
"""Time in which hands blend to a contact and from it."""
START_BLEND_S: Final = 0.3
"""Time in which the motion blends out of the standing pose at the start."""
DOOR_AJAR_RAD, DOOR_WIDE_RAD = np.radians(1.0), np.radians(73.0)
"""Opening angles of a door between which a hand is on its handle."""
SEAT_SWAY_S: Final = 0.4
"""Standard deviation of the smoothing below which hip motion on a seat is kept."""
WEIGHT_SMOOTHING_S: Final = 0.1
"""Standard deviation of the smoothing of weights."""


@dataclass(frozen=True, eq=False)
class RefinedInteraction:
    """A refined interaction, ready to be baked.

    Attributes:
        clip: motion of the character (F frames).
        objects: (F) objects at each frame.
        contacts: (F, 7) of ``interaction.CONTACT_JOINTS``; feet as they are locked.
        actions: (F, 7) weights.
        phase: (F) cycles.
        max_corrections: largest correction of hips and hands by role, meters.
    """

    clip: Clip
    objects: Sequence[tuple[InteractionObject, ...]]
    contacts: Array
    actions: Array
    phase: Array
    max_corrections: dict[str, float]


def refine_interaction(interaction: InteractionSequencer, target: Calibration | None = None) -> RefinedInteraction:
    """Refine the recorded frames to a clip on rigid bones over the plane z = 0 with exact contacts.

    Args:
        interaction: the recorded interaction, in meters of the controller's skeleton.
        target: calibration of another body; the result is then in meters of that body, larger by :func:`body_scale`.
    """
    standing = standing_clip(interaction.model)
    contacts = np.concatenate([acted.contacts for acted in interaction.frames])
    clip = _blend_from_standing(decode_interaction(interaction), interaction)
    held = locked_contacts(clip, contacts[:, 3:], standing=standing)
    for column in held.T:
        # Feet that blend out of the standing pose are not in contact.
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
        for own_track in [before[:, clip.skeleton.joint(goal.role)]]
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
    """Resolve penetration of the seated body and the limbs; hands that hold an object stay."""
    things = _animated_colliders(interaction, scale)
    seats = [things[number] for number in sorted(collision_mask.seat_indices)]
    moved = depenetrate_seated(clip, seats, actions[:, ACTIONS.index("sit")])
    holding = {goal.role: goal.weights for goal in hands}
    standing = np.stack([foot_contacts[:, :2].any(axis=1), foot_contacts[:, 2:].any(axis=1)], axis=1)
    busy = np.any([goal.weights > 0 for goal in hands], axis=0) if hands else np.zeros(len(clip), dtype=bool)
    return depenetrate_limbs(moved, things, collision_mask.limbs_with_hands(busy), holding, standing)


def _animated_colliders(interaction: InteractionSequencer, scale: float) -> list[AnimatedCollider]:
    """Return the objects of a recording as animated colliders, scaled to another body."""
    return [
        animated_collider([now[number] for now in interaction.object_states], scale)
        for number in range(len(interaction.objects))
    ]


def body_scale(interaction: InteractionSequencer, target: Calibration | None) -> float:
    """Return meters of another body for one of the controller's."""
    return scale_between(interaction.model.skeleton, target.target) if target else 1.0


def decode_interaction(interaction: InteractionSequencer, start_frame: int = 0) -> Clip:
    """Decode the recorded poses, from a frame on, as the network put them out.

    Args:
        interaction: the recorded interaction.
        start_frame: first frame.
    """
    model: ControllerModel = interaction.model
    frames = interaction.frames[start_frame:]
    outputs = np.concatenate([acted.output for acted in frames]).astype(float)
    turned = pose_rotations(outputs, model.output_layout, model.reference_rotations)
    places = model.output_layout.view(outputs, "pose.position")
    roots = np.concatenate([acted.position for acted in frames])
    yaws = np.concatenate([acted.yaw for acted in frames])
    return decode_poses(model, turned, places, np.column_stack([roots, np.zeros(len(roots))]), yaws)


def _blend_from_standing(clip: Clip, interaction: InteractionSequencer) -> Clip:
    """Blend the start of the clip from the standing pose, out of which the network jumps within a frame."""
    standing = standing_clip(interaction.model)
    if standing is None:
        return clip
    stands = standing.transformed(rotation_about_up(np.array(interaction.yaw)), np.append(interaction.position, 0.0))
    share = smooth_falloff(np.arange(len(clip)) / (START_BLEND_S * clip.rate))
    return replace(
        clip,
        root_positions=clip.root_positions + share[:, None] * (stands.root_positions[0] - clip.root_positions),
        rotations=slerp(clip.rotations, np.broadcast_to(stands.rotations[0], clip.rotations.shape), share[:, None]),
    )


def _effector_goals(
    interaction: InteractionSequencer, clip: Clip, actions: Array, scale: float
) -> Iterator[EffectorGoal]:
    """Yield effector goals of hips and hands, in meters of the clip's body."""
    if (hips := _hip_goal(interaction, clip, actions, scale)) is not None:
        yield hips
    yield from _hand_goals(interaction, clip, scale)


def _hip_goal(interaction: InteractionSequencer, clip: Clip, actions: Array, scale: float) -> EffectorGoal | None:
    """Return the goal that brings the hips over their seats, weighted by the action *sit*."""
    share = actions[:, ACTIONS.index("sit")]
    own = clip.positions[:, clip.skeleton.joint("hips")]
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
        # Before and after, the correction fades with the action weight until the character stands.
        shift[start:first], shift[first:stop], shift[stop:following] = rest[0], rest, rest[-1]
    if not shift.any():
        return None
    weight = scipy.ndimage.gaussian_filter1d(np.clip(share, 0.0, 1.0), WEIGHT_SMOOTHING_S * clip.rate)
    return EffectorGoal("hips", own + shift, np.where(shift.any(axis=1), weight, 0.0))


def _hand_goals(interaction: InteractionSequencer, clip: Clip, scale: float) -> Iterator[EffectorGoal]:
    """Yield the goals that bring hands to the grips of carried objects and the handles of doors."""
    count, ease = len(clip), max(round(REACH_BLEND_S * clip.rate), 1)
    palm = PALM_OFFSET_M * interaction.model.skeleton.leg_length / REFERENCE_LEG_M
    for side in "LR":
        role = f"hand.{side}"
        wanted = clip.positions[:, clip.skeleton.joint(role)].copy()
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
            weight[frames] = np.maximum(weight[frames], smooth_step(1 - off / ease))
        if weight.any():
            yield EffectorGoal(role, wanted, weight)


def wrist_on_object(held_object: InteractionObject, side: int, hand: str, palm: float) -> Array:
    """Return the wrist (3) of a hand that holds an object, in the object's space, meters.

    Args:
        held_object: the object.
        side: side from which it is held, in quarter turns from its front.
        hand: ``"L"`` or ``"R"``.
        palm: distance from the wrist to the middle of the palm, meters.
    """
    seen = held_object.facing_side(side)
    if seen.handle is not None:
        wrist = wrist_on_handle(seen.handle, palm)
    else:
        grips = seen.grips
        assert grips is not None
        across = (grips.hands[0] - grips.hands[1]) / max(float(np.linalg.norm(grips.hands[0] - grips.hands[1])), 1e-6)
        # The palm lies on the side, the wrist somewhat outside.
        wrist = grips.hands["LR".index(hand)] + (palm / 3) * across * (1 if hand == "L" else -1)
    return rotate(rotation_about_up(np.array(side * np.pi / 2)), wrist)


def wrist_on_handle(handle: Handle, palm: float) -> Array:
    """Return the wrist (3) of a hand on a handle, a palm before it, in the object's space, meters."""
    return handle.position - palm * np.append(handle.direction, 0.0)


def _holding_intervals(interaction: InteractionSequencer, hand: str) -> Iterator[tuple[int, int, int]]:
    """Yield first frame, frame after the last, and task index of each interval in which a hand holds an object."""
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
    """Return the opening angle of a door, radians."""
    between = multiply(current.rotation, inverse(closed.rotation))
    return float(2 * np.arctan2(abs(between[3]), abs(between[0])))


def _task_intervals(interaction: InteractionSequencer) -> Iterator[tuple[int, int, int]]:
    """Yield first frame, frame after the last, and index of each task."""
    begun = [(event.frame, event.task_index) for event in interaction.events if event.kind == "began"]
    ends = [frame for frame, _ in begun[1:]] + [len(interaction.frames)]
    for (start, errand), stop in zip(begun, ends, strict=True):
        if stop > start:
            yield start, stop, errand
