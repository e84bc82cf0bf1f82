"""Motion of a take adapted to another object: root, and poses by full-body IK (NSM section 5.2, steps 4 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.motion import Clip
from ....core.motion.limb_ik import Leg
from ....core.motion.root_frame import RootTrack
from ....core.motion.rotations import Array, multiply, rotate, rotation_about_up
from ....core.scene.full_body_ik import MAX_EXTENSION_RATIO, EffectorGoal, solve_full_body_ik
from ..take_record import TRACK_PADDING_FRAMES, TakeRecord
from .key_joint_contacts import HANDS, TakeContacts
from .object_replacement import ObjectReplacement

FEET: Final[tuple[str, ...]] = ("foot.L", "foot.R")


@dataclass(frozen=True, eq=False)
class AdaptedMotion:
    """The motion of a take of F frames, adapted to objects that replace its own."""

    record: TakeRecord
    contacts: TakeContacts
    replacement: ObjectReplacement

    def root_change(self, frames: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return the change of the root by the new object: displacements (N, 3), m, world, and turns about Z (N), rad.

        Args:
            frames: (N) frames of the take.
        """
        track = self.contacts.tracks.get("hips")
        if track is None:
            return np.zeros((len(frames), 3)), np.zeros(len(frames))
        return self.correction("hips", frames), track.weights[frames] * self.replacement.turn

    def root_at(self, frames: NDArray[np.intp]) -> RootTrack:
        """Return the adapted root track at frames (...), which may lie up to a second outside the take."""
        inside = np.clip(frames, 0, len(self.record) - 1)
        shift, turn = self.root_change(inside.ravel())
        own, at = self.record.extended_track, frames + TRACK_PADDING_FRAMES
        return RootTrack(
            own.positions[at] + shift[:, :2].reshape(*frames.shape, 2), own.yaws[at] + turn.reshape(frames.shape)
        )

    def correction(self, role: str, frames: NDArray[np.intp]) -> Array:
        """Return the displacements (N, 3), m, world, that keep a key joint on its contact point of the new object.

        They are 0 for a joint without a contact.
        """
        number, point = self.contacts.number, self.replacement.points.get(role)
        if point is None or role not in self.contacts.tracks:
            return np.zeros((len(frames), 3))
        own, new = self.record.objects[number], self.replacement.objects[number]
        return self.contacts.tracks[role].corrections(point, own, new, frames)

    def weight(self, role: str, frames: NDArray[np.intp]) -> Array:
        """Return the weights (N), 0 to 1, of a key joint's contact; 0 for joints without a contact."""
        followed = role in self.replacement.points and role in self.contacts.tracks
        return self.contacts.tracks[role].weights[frames] if followed else np.zeros(len(frames))

    def is_changed(self, frames: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return a mask (N) of the frames in which the adapted pose differs from the take's own."""
        weights = [self.weight(role, frames) for role in self.contacts.tracks]
        return np.max(weights, axis=0) > 0.0 if weights else np.zeros(len(frames), dtype=bool)


@dataclass(frozen=True, eq=False)
class AdaptedPoses:
    """Poses in N frames of several takes, before and after the adaptation to new objects.

    Attributes:
        own: the poses of the takes.
        adapted: the adapted poses; equal to ``own`` where nothing changed.
        changed: (N) whether the adapted pose differs from the take's own.
        errors: (N) largest distance of a key joint in contact from its goal, or of a foot from its place, m.
    """

    own: Clip
    adapted: Clip
    changed: NDArray[np.bool_]
    errors: Array


def adapt_poses(motions: Sequence[tuple[AdaptedMotion, NDArray[np.intp]]]) -> AdaptedPoses:
    """Return the poses of several takes with one skeleton, adapted at the given frames (N_i), all in one solution."""
    skeleton, rate = motions[0][0].record.clip.skeleton, motions[0][0].record.clip.rate
    root = np.concatenate([one.record.clip.root_positions[frames] for one, frames in motions])
    local = np.concatenate([one.record.clip.rotations[frames] for one, frames in motions]).astype(float)
    own = Clip(skeleton, rate, root, local)
    changed = np.concatenate([one.is_changed(frames) for one, frames in motions])
    errors, adapted = np.zeros(len(root)), own
    if changed.any():
        parts = [(one, frames[one.is_changed(frames)]) for one, frames in motions]
        solved, missed = _solve(Clip(skeleton, rate, root[changed], local[changed]), parts)
        root, local = root.copy(), local.copy()
        root[changed], local[changed], errors[changed] = solved.root_positions, solved.rotations, missed
        adapted = Clip(skeleton, rate, root, local)
    return AdaptedPoses(own, adapted, changed, errors)


def _solve(own: Clip, motions: Sequence[tuple[AdaptedMotion, NDArray[np.intp]]]) -> tuple[Clip, Array]:
    """Return the adapted poses, and for each frame the largest distance (N) of a key joint from its goal, m."""
    changes = [one.root_change(frames) for one, frames in motions]
    shift, turn = (np.concatenate([change[part] for change in changes]) for part in (0, 1))
    feet: dict[str, Array] = {
        role: own.positions[:, own.skeleton.joint(role)]
        + np.concatenate([one.correction(role, frames) for one, frames in motions])
        for role in FEET
    }
    body, missed = _lead_body(own, shift, turn, feet)
    contact = np.concatenate([one.weight("hips", frames) for one, frames in motions])
    errors = np.where(contact == 1.0, missed, 0.0)
    every, rotations = np.ones(len(own)), own.world[1]
    goals = [EffectorGoal("hips", body.positions[:, own.skeleton.joint("hips")], every)]
    goals += [EffectorGoal(role, place, every, rotations[:, own.skeleton.joint(role)]) for role, place in feet.items()]
    held: dict[str, Array] = dict.fromkeys(FEET, every)
    for role in HANDS:
        held[role] = np.concatenate([one.weight(role, frames) for one, frames in motions])
        if held[role].any():
            moved = np.concatenate([one.correction(role, frames) for one, frames in motions])
            goals.append(EffectorGoal(role, own.positions[:, own.skeleton.joint(role)] + moved, held[role]))
    solved = solve_full_body_ik(body, goals, consecutive=False)
    for goal in goals[1:]:
        missed = np.linalg.norm(solved.positions[:, own.skeleton.joint(goal.role)] - goal.positions, axis=1)
        errors = np.maximum(errors, np.where(held[goal.role] == 1.0, missed, 0.0))
    return solved, errors


def _lead_body(own: Clip, shift: Array, turn: Array, feet: dict[str, Array]) -> tuple[Clip, Array]:
    """Move bodies as a whole and lower them until their legs reach the feet; return them and the lowering (N), m.

    Args:
        own: the takes' own poses (N).
        shift: (N, 3) displacement of the hips, m, world.
        turn: (N) turn about the vertical through the hips, rad.
        feet: goals of the ankles (N, 3) by role, m.
    """
    skeleton, rotation = own.skeleton, rotation_about_up(turn)
    hips = own.positions[:, skeleton.joint("hips")]
    room = np.full(len(own), np.inf)
    for role, ankle in feet.items():
        leg = Leg.of(skeleton, role[-1])
        thigh, foot = own.positions[:, leg.thigh], own.positions[:, leg.foot]
        longest = np.maximum(np.linalg.norm(foot - thigh, axis=1), MAX_EXTENSION_RATIO * leg.length(skeleton))
        from_ankle = hips + shift + rotate(rotation, thigh - hips) - ankle
        flat = np.square(from_ankle[:, :2]).sum(axis=1)
        highest = np.sqrt(np.maximum(longest**2 - flat, 0.0))
        room = np.minimum(room, highest - from_ankle[:, 2])
    lowered = np.maximum(-room, 0.0)
    moved = hips + shift - np.column_stack([np.zeros((len(own), 2)), lowered])
    root = moved + rotate(rotation, own.root_positions - hips)
    rotations = own.rotations.copy()
    rotations[:, 0] = multiply(rotation, rotations[:, 0])
    return Clip(skeleton, own.rate, root, rotations), lowered
