"""Refinement of a recorded interaction: exact contacts of hips, hands and feet, and no penetration.

The recording is complete, so the solver may look ahead: corrections of hips on a seat and of hands on grips are blended
in before the contact and out after it, in the manner of constraint-based motion editing (Gleicher 1998).
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...body.skin_thickness import SkinThickness
from ...features.interaction import ACTIONS
from ...features.locomotion import pose_rotations
from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.contacts import CONTACT_THRESHOLD, FootContacts
from ...motion.proportions import scale_between
from ...motion.rotations import Array, rotation_about_up, slerp
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...scene.interaction_object import InteractionObject, animated_collider
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet, locked_contacts
from ..interaction.recording import InteractionRecording, ObjectStates
from ..passes.limb_depenetration import depenetrate_limbs
from ..passes.pass_log import PassLog, PassMove
from ..passes.root_depenetration import depenetrate_root
from ..passes.root_pushes import soften_pushes
from ..passes.steady_elbows import steady_elbows
from ..passes.steady_twists import steady_twists
from ..runtime.pose_decoder import decode_poses, standing_clip
from .collision_mask import CollisionMask, build_collision_mask
from .ground_sitting import descent_weights, resting_frames, sit_on_ground
from .hand_goals import hand_goals
from .hanging_legs import hang_legs
from .held_object import ease_grasps, move_held_object, push_held_object
from .kneeling import raise_kneeling, release_kneeling_feet
from .leaf_motion import swing_leaves
from .object_support import support_held_object
from .placement import place_body
from .seat_depenetration import depenetrate_seated, lean_trunk
from .seat_facing import face_seats
from .seat_goal import hip_goal
from .seated_idle import idle_on_seats


@dataclass(frozen=True, slots=True)
class InteractionRefinement(Tuning):
    """Tuned numbers of the refinement as a whole."""

    start_blend: float = tuned(0.3, "s", 0.02, 2.0)
    """Time at the start in which the standing pose blends into the motion."""
    foot_release: float = tuned(0.3, "s", 0.02, 2.0)
    """Time before and after hips or hands carry a lying body in which its feet are not locked."""


TUNING: Final = InteractionRefinement()


@dataclass(frozen=True, eq=False)
class RefinedInteraction:
    """A refined interaction, ready to be baked.

    Attributes:
        clip: motion of the character (F frames).
        objects: for each of F frames, the states of all objects.
        contacts: (F, 7) contacts of ``interaction.CONTACT_JOINTS``; those of the feet are the locked ones.
        actions: (F, A) weights of the controller's actions.
        phase: (F) phases of the motion, cycles.
        max_corrections: largest correction of the hips and of each hand by role, meters.
        passes: the displacements of the body's parts by each pass of the refinement, in order.
    """

    clip: Clip
    objects: ObjectStates
    contacts: Array
    actions: Array
    phase: Array
    max_corrections: dict[str, float]
    passes: tuple[PassMove, ...]


@Stepwise
def refine_interaction(
    recording: InteractionRecording,
    target: Calibration | None = None,
    skin: SkinThickness | None = None,
    rise: float = 0.0,
) -> Generator[None, None, RefinedInteraction]:
    """Return the recorded interaction refined on rigid bones over the plane z = 0, with exact contacts.

    Args:
        recording: the recorded interaction, in meters at the controller's scale; it is not changed.
        target: calibration to another body, to get the result in that body's meters; ``None`` for the controller's
            body.
        skin: skin thickness of the animated body; by default it follows from the body's proportions.
        rise: height by which the body is raised so that its own soles are on the ground, meters at the body's scale.
    """
    skin = skin or SkinThickness()
    raised = np.array([0.0, 0.0, rise / body_scale(recording, target)])
    recording = _with_moved_objects(recording, -raised)
    recording = replace(recording, object_states=ease_grasps(recording))
    standing = standing_clip(recording.model)
    descends = descent_weights(recording)
    contacts, actions = _release_low_feet(recording, descends), recording.actions
    log, decoded = PassLog(), decode_interaction(recording)
    yield
    softened = log.add("soften_pushes", decoded, soften_pushes(decoded))
    yield
    clip = log.add("blend_from_standing", softened, _blend_from_standing(softened, recording))
    contacts[:, 3:] = release_kneeling_feet(contacts[:, 3:], clip, descends)
    yield
    if target is not None:
        standing = standing and retarget(standing, target)
        clip = yield from retarget.steps(clip, target)
    scale = body_scale(recording, target)
    faced = log.add("face_seats", clip, face_seats(recording, clip, actions))
    yield
    placed = log.add("place_body", faced, place_body(recording, faced, scale))
    yield
    placed = log.add("raise_kneeling", placed, raise_kneeling(placed, descends))
    shift = placed.root_positions - faced.root_positions
    recording = replace(recording, object_states=move_held_object(recording, shift / scale))
    held = yield from locked_contacts.steps(placed, FootContacts(contacts[:, 3:]), standing=standing)
    held = _release_blended_feet(held, clip.rate) if recording.begins_standing else held
    clip = log.add("lock_feet", placed, (yield from lock_feet.steps(placed, held, standing=standing)))
    yield
    recording = replace(recording, object_states=swing_leaves(recording, clip, scale))
    yield
    mask = build_collision_mask(recording, BodyCapsules.from_skeleton(clip.skeleton), actions)
    unseated = held.double_support & (actions[:, ACTIONS.index("sit")] < CONTACT_THRESHOLD)
    freed = yield from depenetrate_root.steps(clip, _animated_colliders(recording, scale), mask.root, unseated)
    root_shift = (freed.root_positions - clip.root_positions) / scale
    clip = log.add("depenetrate_root", clip, freed)
    recording = replace(recording, object_states=move_held_object(recording, root_shift))
    before = clip.positions
    yield
    recording, solved, goals = yield from _solve_contacts(recording, clip, actions, scale, skin)
    clip = log.add("solve_contacts", clip, solved)
    clip = log.add("sit_on_ground", clip, (yield from sit_on_ground.steps(recording, clip)))
    hanging, held = yield from hang_legs.steps(recording, clip, held, scale, skin.seat)
    clip = log.add("hang_legs", clip, hanging)
    colliders = _animated_colliders(recording, scale)
    yield
    idling = yield from idle_on_seats.steps(recording, clip, colliders, standing, scale)
    clip = log.add("idle_on_seats", clip, idling)
    if recording.objects:
        hands = [goal for goal in goals if goal.role != "hips"]
        freed = yield from _depenetrate(recording, clip, actions, hands, held, mask, scale)
        free = log.add("depenetrate", clip, freed)
        # Hands keep these positions outside of all objects; hands that hold stay at the grips.
        hands = [replace(goal, positions=free.positions[:, free.skeleton.joint(goal.role)]) for goal in hands]
        held = yield from locked_contacts.steps(free, held, standing=standing)
        clip = log.add("lock_feet_again", free, (yield from lock_feet.steps(free, held, standing=standing)))
        if hands:
            clip = log.add("hold_hands", clip, (yield from solve_full_body_ik.steps(clip, hands)))
            clip = log.add("steady_elbows", clip, steady_elbows(clip))
            yield
        clip = log.add("steady_twists", clip, steady_twists(clip))
    contacts[:, 3:] = held.probabilities
    corrections = {
        goal.role: float(np.linalg.norm(goal.weights[:, None] * (goal.positions - own_track), axis=1).max())
        for goal in goals
        for own_track in [before[:, clip.skeleton.joint(goal.role)]]
    }
    if shift.any():
        moved = float(np.linalg.norm(shift, axis=1).max())
        corrections["hips"] = max(corrections.get("hips", 0.0), moved)
    clip = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, rise]))
    states = _with_moved_objects(recording, raised).object_states
    return RefinedInteraction(clip, states, contacts, actions, recording.phase, corrections, tuple(log.moves))


def _with_moved_objects(recording: InteractionRecording, offset: Array) -> InteractionRecording:
    """Return the recording with all objects moved by an offset (3), meters of the recording."""
    if not offset.any():
        return recording

    def moved(objects: tuple[InteractionObject, ...]) -> tuple[InteractionObject, ...]:
        return tuple(replace(one, position=one.position + offset) for one in objects)

    return replace(
        recording, objects=moved(recording.objects), object_states=[moved(each) for each in recording.object_states]
    )


def _solve_contacts(
    recording: InteractionRecording, clip: Clip, actions: Array, scale: float, skin: SkinThickness
) -> Generator[None, None, tuple[InteractionRecording, Clip, list[EffectorGoal]]]:
    """Return the recording with held objects in front of the body, the clip with hips and hands solved, and the goals.

    Arms that reach for an object may penetrate it, so that it is pushed away once more.
    """
    solved, goals = clip, list[EffectorGoal]()
    for is_solved in (False, True):
        pushed = push_held_object(recording, solved, scale)
        yield
        if is_solved and all(new is old for new, old in zip(pushed, recording.object_states, strict=True)):
            break
        recording = replace(recording, object_states=pushed)
        recording = replace(recording, object_states=support_held_object(recording))
        yield
        goals = list(_effector_goals(recording, clip, actions, scale, skin))
        yield
        solved = (yield from solve_full_body_ik.steps(clip, goals)) if goals else clip
    return recording, solved, goals


def _release_low_feet(recording: InteractionRecording, descends: Array) -> Array:
    """Return the contacts (F, 7), without those of feet while hips or hands rest on the ground.

    On all fours and while lying, feet roll over their toes instead of standing.

    Args:
        recording: the recorded interaction.
        descends: (F) weights of going down to the ground, lying there, or getting up.
    """
    contacts, lies = recording.contacts, descends > CONTACT_THRESHOLD
    low = lies & (contacts[:, :3] > CONTACT_THRESHOLD).any(axis=1)
    if low.any():
        margin = round(TUNING.foot_release * recording.model.rate)
        released = scipy.ndimage.binary_dilation(low, iterations=margin) & ~resting_frames(recording)
        contacts[released, 3:] = 0.0
    return contacts


def _release_blended_feet(contacts: FootContacts, rate: float) -> FootContacts:
    """Return the contacts without those of feet during the blend from the standing pose at the start."""
    held = contacts.probabilities.copy()
    for column in held.T:
        column[: int(np.argmin(column[: round(TUNING.start_blend * rate)]))] = 0.0
    return FootContacts(held)


def _depenetrate(
    recording: InteractionRecording,
    clip: Clip,
    actions: Array,
    hands: Sequence[EffectorGoal],
    contacts: FootContacts,
    collision_mask: CollisionMask,
    scale: float,
) -> Generator[None, None, Clip]:
    """Return the motion with penetrations of the seated body and the limbs resolved; holding hands stay in place."""
    colliders = _animated_colliders(recording, scale)
    seats = [colliders[index] for index in sorted(collision_mask.seat_indices)]
    seated = yield from depenetrate_seated.steps(clip, seats, actions[:, ACTIONS.index("sit")])
    handled = [colliders[index] for index in sorted(collision_mask.handled_indices)]
    nowhere = np.zeros((len(clip), len(BodyCapsules.from_skeleton(clip.skeleton).radii)), dtype=bool)
    seated = lean_trunk(seated, handled, [nowhere] * len(handled))
    holding = {goal.role: goal.weights for goal in hands}
    standing = np.stack([contacts.planted(side) for side in "LR"], axis=1)
    busy = {goal.role[-1]: goal.weights > 0 for goal in hands}
    masks = collision_mask.limbs_with_hands(busy)
    return (yield from depenetrate_limbs.steps(seated, colliders, masks, holding, standing))


def _animated_colliders(recording: InteractionRecording, scale: float) -> list[AnimatedCollider]:
    """Return the objects of a recording as animated colliders, scaled to a body's size."""
    return [
        animated_collider([state[index] for state in recording.object_states], scale)
        for index in range(len(recording.objects))
    ]


def body_scale(recording: InteractionRecording, target: Calibration | None) -> float:
    """Return the scale of the body to which `target` calibrates, in its meters per controller meter; 1 for ``None``."""
    return scale_between(recording.model.skeleton, target.target) if target else 1.0


def decode_interaction(recording: InteractionRecording, start_frame: int = 0) -> Clip:
    """Return the network's recorded poses as a clip on the controller's skeleton, from a frame on.

    Args:
        recording: the recorded interaction.
        start_frame: first frame of the recording to decode.
    """
    model, frames = recording.model, recording.frames[start_frame:]
    outputs = np.concatenate([frame.output for frame in frames]).astype(float)
    rotations = pose_rotations(outputs, model.output_layout, model.reference_rotations)
    positions = model.output_layout.view(outputs, "pose.position")
    roots = np.concatenate([frame.position for frame in frames])
    yaws = np.concatenate([frame.yaw for frame in frames])
    return decode_poses(model, rotations, positions, np.column_stack([roots, np.zeros(len(roots))]), yaws)


def _blend_from_standing(clip: Clip, recording: InteractionRecording) -> Clip:
    """Return the clip with its start blended from the standing pose, out of which the network jumps within a frame."""
    standing = standing_clip(recording.model)
    if standing is None or not recording.begins_standing:
        return clip
    start = standing.transformed(rotation_about_up(np.array(recording.yaw)), np.append(recording.position, 0.0))
    weight = smooth_falloff(np.arange(len(clip)) / (TUNING.start_blend * clip.rate))
    return replace(
        clip,
        root_positions=clip.root_positions + weight[:, None] * (start.root_positions[0] - clip.root_positions),
        rotations=slerp(clip.rotations, np.broadcast_to(start.rotations[0], clip.rotations.shape), weight[:, None]),
    )


def _effector_goals(
    recording: InteractionRecording, clip: Clip, actions: Array, scale: float, skin: SkinThickness
) -> Iterator[EffectorGoal]:
    """Yield the goals of hips and hands, in meters of the clip's body."""
    if (hips := hip_goal(recording, clip, actions, scale, skin.seat)) is not None:
        yield hips
    yield from hand_goals(recording, clip, scale, skin.palms)
