"""Takes of pulling doors: a walk to the handle, synthesized steps back around the leaf, and a walk through the passage.

The network cannot see which way a door opens, so the goals are places to walk to, as in :mod:`pull_door`. With the goal
action *open*, the network would push a pulled door.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.interaction.actions.pull_door import pulling_hold
from ....core.control.interaction.door import TUNING as DOOR_TUNING
from ....core.control.interaction.door import opening_sign
from ....core.control.interaction.door_pull import DoorPull
from ....core.control.interaction.wrist_targets import palm_offset
from ....core.features.interaction import GOAL_ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.blending import smooth_falloff
from ....core.motion.root_frame import facing_direction, into_frame, root_track, yaw_of
from ....core.motion.rotations import Array, rotate, rotation_about_up, wrap_angle
from ....core.scene.affordances import Handle
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.scene.interaction_object import InteractionObject
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from .. import take_labels
from ..clutter import is_clear, scatter_clutter
from ..props.doors import Door
from ..step_synthesis import StandingPose
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import begin_turned, trim_walk
from ..take_labels import destination_goals, draw_command_frame, locomotion_actions, standing_goals
from ..walk_library import WalkLibrary
from .door_objects import make_leaf, make_wall


@dataclass(frozen=True, slots=True)
class PulledDoorTuning(Tuning):
    attempts: int = tuned(8, "1", 1, 200)
    """Largest number of attempts to find walks that keep clear of the wall."""
    widths: tuple[float, float] = tuned((0.8, 0.98), "m", 0.5, 1.5)
    """Range of the width of doors; with wider ones, straight steps back come too near to the swing arc."""
    misplacement: float = tuned(0.05, "m", 0.0, 0.3)
    """Standard deviation of the position error at the grasp of the handle."""
    wall_clearance: float = tuned(0.25, "m", 0.0, 1.0)
    """Smallest distance of the root from the wall."""
    reach: int = tuned(32, "frames", 1, 240)
    """Frames in which a hand reaches for the handle, and in which it withdraws."""
    leaf_smoothing: float = tuned(4.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the angle of the leaf."""
    grasp_angle: float = tuned(0.01, "rad", 0.0, 0.5)
    """Opening angle at the grasp, and angle short of the widest opening at the release."""


TUNING: Final = PulledDoorTuning()


@dataclass(frozen=True, slots=True, eq=False)
class _Passage:
    """A take before labeling: the motion, its door, and the frames of grasp, release and passage."""

    clip: Clip
    steps: list[range]
    objects: tuple[TakeObject, TakeObject]
    pull: DoorPull
    hand: str
    grasp: int
    release: int


def make_pulled_door_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Make a take of pulling a door open and walking through; return ``None`` if its walks cross the wall."""
    generator = np.random.default_rng([seed, 4])
    for _ in range(TUNING.attempts):
        passage = _compose(walk_library, generator)
        if passage is not None:
            return _label(passage, generator, seed, source)
    return None


def _compose(walk_library: WalkLibrary, generator: np.random.Generator) -> _Passage | None:
    """Compose a random passage; return ``None`` if it crosses the wall or leaves no time to reach for the handle."""
    door = Door(
        width=float(generator.uniform(*TUNING.widths)),
        height=float(generator.uniform(1.95, 2.2)),
        handle_height=float(generator.uniform(0.92, 1.12)),
        hinge_side=int(generator.choice([-1, 1])),
    )
    made = begin_turned(trim_walk(walk_library.draw(generator), generator), generator)
    before = len(made)
    yaw = float(yaw_of(-facing_direction(np.array(StandingPose.of(made.motion.clip, -1).yaw))))
    leaf = _closed_leaf(door, np.zeros(3), yaw)
    root = root_track(made.motion.clip).positions[-1]
    sill = np.append(root + generator.normal(0.0, TUNING.misplacement, 2) - DoorPull.of(leaf).grasp, 0.0)
    pull = DoorPull.of(_closed_leaf(door, sill, yaw))
    # The way through leads from a place beside the leaf to the middle of the passage.
    through = sill[:2] - pull.release
    turn = float(wrap_angle(yaw_of(through) - yaw_of(pull.facing)))
    right, ahead = into_frame(pull.release - root, yaw_of(pull.facing))
    begins = made.append(trim_walk(walk_library.draw_leaving(generator), generator), turn, (float(right), float(ahead)))
    clip = walk_library.with_locked_feet(made.motion.clip)
    beyond = (root_track(clip).positions - sill[:2]) @ pull.facing
    wall = make_wall(door, sill, rotation_about_up(np.array(yaw)), len(clip), generator)
    if beyond[:begins].max() > 0.0 or not is_clear(clip, wall, range(len(clip)), TUNING.wall_clearance):
        return None
    angles = np.array([pull.opening_angle(position) for position in root_track(clip).positions])
    angles[:before], angles[begins:] = 0.0, angles[before:begins].max()
    angles = gaussian_filter1d(np.maximum.accumulate(angles), TUNING.leaf_smoothing)
    held = np.flatnonzero((angles > TUNING.grasp_angle) & (angles < angles.max() - TUNING.grasp_angle))
    passed = np.flatnonzero(beyond > DOOR_TUNING.passed_distance)
    if not len(held) or not len(passed) or held[0] < TUNING.reach:
        return None
    grasp, release = int(held[0]), int(held[-1])
    handle = leaf.handle
    assert handle is not None
    fallen = 0.1 ** (np.maximum(np.arange(len(clip)) - passed[0], 0) / (DOOR_TUNING.closing * clip.rate))
    signed = opening_sign(leaf) * angles * fallen
    clip = _lead_hand(clip, handle, sill, yaw, signed, (grasp, release))
    objects = make_leaf(door, sill, yaw, signed), wall
    return _Passage(clip, made.steps, objects, pull, handle.pulling_hand, grasp, release)


def _closed_leaf(door: Door, sill: Array, yaw: float) -> InteractionObject:
    """Return a closed leaf with its sill at a place (3), m, and its front, toward which it opens, at a yaw, rad."""
    front = door.affordance()
    handle = Handle(front.position, front.direction, front.hinge, -front.direction)
    x, y = door.width / 2, door.thickness / 2
    collider = Collider(np.array([[-x, -y, 0.0]]), np.array([[x, y, door.height]]))
    return InteractionObject("door", "door", collider, sill, rotation_about_up(np.array(yaw)), handle=handle)


def _lead_hand(clip: Clip, handle: Handle, sill: Array, yaw: float, angles: Array, held: tuple[int, int]) -> Clip:
    """Return the clip with a hand on the handle from the first to the last held frame; the hand then withdraws."""
    palm = palm_offset(clip.skeleton.leg_length)
    hold = pulling_hold(handle, palm, np.abs(angles), (held[0], held[1] + 1), clip.rate)
    frames = np.clip(np.arange(len(clip)), hold.start, hold.stop - 1)
    wrists = np.broadcast_to(hold.wrist, (hold.stop - hold.start, 3))[frames - hold.start]
    turn = rotation_about_up(np.array(yaw))
    pivot = sill + rotate(turn, handle.hinge)
    wanted = pivot + rotate(rotation_about_up(angles[frames] + yaw), wrists - handle.hinge)
    away = np.maximum(hold.start - np.arange(len(clip)), np.arange(len(clip)) - (hold.stop - 1))
    weight = smooth_falloff(np.clip(away / TUNING.reach, 0.0, 1.0))
    return solve_full_body_ik(clip, [EffectorGoal(f"hand.{hold.hand}", wanted, weight)])


def _label(passage: _Passage, generator: np.random.Generator, seed: int, source: ClipSource) -> InteractionTake:
    """Return the labeled take; its goals are to walk to the handle, beside the open leaf, and to the take's end."""
    clip, pull, count = passage.clip, passage.pull, len(passage.clip)
    frames = np.arange(count)
    stages = [
        (draw_command_frame(clip, generator), _place_goals(clip, pull.grasp, pull.facing)),
        (
            passage.grasp - int(generator.integers(*take_labels.TUNING.reaction)),
            _place_goals(clip, pull.release, pull.facing),
        ),
        (passage.release, destination_goals(clip)),
    ]
    goals = standing_goals(clip)
    for commanded, after in stages:
        goals = tuple(np.where((frames >= commanded)[:, None], new, old) for new, old in zip(after, goals, strict=True))
    positions, directions, wanted = goals
    contacts = np.zeros((count, 5))
    contacts[passage.grasp : passage.release + 1, 1 + "LR".index(passage.hand)] = 1.0
    reach = range(passage.grasp - TUNING.reach, min(passage.release + 2 * TUNING.reach, count))
    return InteractionTake(
        name="pull a door open",
        clip=clip,
        actions=locomotion_actions(clip),
        goal_actions=wanted,
        goal_positions=positions,
        goal_directions=directions,
        goal_object=np.full(count, -1),
        contacts=contacts,
        phase=label_clip(clip).phase,
        objects=(*passage.objects, *scatter_clutter(clip, passage.objects, generator)),
        seed=seed,
        source=source,
        origins=frame_origins(count, composed=[*passage.steps, reach]),
    )


def _place_goals(clip: Clip, place: Array, facing: Array) -> tuple[Array, Array, Array]:
    """Return the goals of walking to a place (2), m, and idling there in a direction (2), see `locomotion_goals`."""
    away = np.linalg.norm(root_track(clip).positions - place, axis=1) > take_labels.TUNING.arrival_radius
    wanted = np.where(away, GOAL_ACTIONS.index("walk"), GOAL_ACTIONS.index("idle"))
    count = len(clip)
    return np.tile(np.append(place, 0.0), (count, 1)), np.tile(facing, (count, 1)), np.eye(len(GOAL_ACTIONS))[wanted]
