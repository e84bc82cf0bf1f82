"""Takes of leaning on tables, counters, rails and walls: no clip shows that, so standing bodies are leaned on them.

The character comes to a stand before the object, both palms are led onto the edge of its top or onto its face, and the
trunk comes ahead onto them. It stays there, sways and looks about, pushes itself up, steps back and leaves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.ball.hands import rest_hand_axes
from ....core.control.interaction.wrist_targets import palm_offset, wrists_on_lean_place
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.limb_ik import rotate_joint
from ....core.motion.root_frame import facing_direction, root_track
from ....core.motion.rotations import (
    UP,
    Array,
    from_axis_angle,
    multiply,
    normalize,
    rotate,
    rotation_about_up,
    rotation_between,
)
from ....core.motion.skeleton import Skeleton
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.scene.lean_place import LeanPlace, find_lean_place
from ...data.sources import ClipSource
from ..clip_stitching import ContactClip
from ..clutter import is_clear
from ..leaned_body import Lean, lean_ahead
from ..palms_on_object import PalmFrames, body_penetration
from ..props.mesh_primitives import Mesh, box_mesh, merge_meshes
from ..props.tables import Box, Table
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

WIDTHS_M: Final = (0.7, 2.6)
"""Range of the width of what is leaned on."""
TABLE_HEIGHTS_M: Final = (0.71, 0.95)
"""Range of the height of tables."""
TABLE_DEPTHS_M: Final = (0.5, 0.95)
"""Range of the depth of tables and counters."""
TABLE_SHARE, COUNTER_SHARE, RAIL_SHARE = 0.34, 0.22, 0.16
"""Shares of tables, counters and rails; the others are walls."""
COUNTER_HEIGHTS_M: Final = (0.85, 1.12)
"""Range of the height of counters."""
RAIL_THICKNESS_M: Final = 0.06
RAIL_HEIGHTS_M: Final = (0.9, 1.12)
"""Range of the height of rails."""
WALL_SIZES_M: Final = ((0.1, 0.6), (1.5, 2.4))
"""Ranges of depth and height of walls and cupboards."""
FACING_ERROR_DEG: Final = 5.0
"""Standard deviation of the facing of the body against the object."""
ASIDE_M: Final = 0.04
"""Largest distance of the body beside the middle between the palms."""
STAND_ERROR_M: Final = 0.04
"""Largest difference of the distance of a standing body from what it leans on."""
REACH_FRAMES: Final = 42
"""Frames in which palms reach the object, and leave it."""
TRUNK_LAG_FRAMES: Final = 12
"""Frames by which the trunk follows the palms onto the object, and precedes them from it."""
KNEE_LEAD_FRAMES: Final = 14
"""Frames by which knees bend before the hips come down, and stay bent after they have risen."""
KNEE_SHARE: Final = 0.4
"""Share of the bend of the knees of a body that leans."""
HOLD_FRAMES: Final = (2, 14)
"""Range of the frames for which the character stands before it reaches, and after its palms have left."""
SWAY_PERIOD_FRAMES: Final = 45.0
"""Standard deviation of the Gaussian that makes the sway of a leaning body out of noise."""
SWAY: Final = (0.007, 0.012, 1.5, 14.0)
"""Standard deviations of the sway ahead and to the side, m, of the lean and of the turn of the head, degrees."""
STEP_BACK_M: Final = (0.2, 0.4)
"""Range of the step back from the object, during the turn away."""
MAX_PENETRATION_M: Final = 0.02
"""Largest penetration of a body, but for hands and forearms, into its object; a take with more is drawn anew."""
MAX_STRETCH: Final = 0.97
"""Largest distance from a shoulder to its wrist in lengths of the arm; a take with more is drawn anew."""
CLEARANCE_M: Final = 0.2
"""Clearance between root and object before it is reached."""
LEAVES_FRAMES: Final = (0, 12)
"""Range of the frames from when palms leave until the goal is another one."""


@dataclass(frozen=True, slots=True)
class _Posture:
    """The posture of a body that leans.

    Attributes:
        lean: of the trunk, degrees.
        sink: distance by which the hips come down, m.
    """

    lean: float
    sink: float


ON_FACE: Final = _Posture(15.0, 0.015)
"""Posture at a face."""
ON_TOP: Final = ((0.7, 0.9, 1.15), (52.0, 33.0, 19.0), (0.08, 0.03, 0.01))
"""Heights of palms on a top, m, and the values of the posture at these."""


def make_lean_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Return a take of leaning on an object with both palms.

    Args:
        walk_library: walks to the object and away from it, and bodies that stand.
        source: source of the motion.
        seed: seed of the take.

    Returns:
        ``None`` if the body would get into the object, or its arms were too short.
    """
    generator = np.random.default_rng([seed, 14])
    width = float(generator.uniform(*WIDTHS_M))
    collider = Collider.from_mesh(*_draw_mesh(width, generator))
    place = find_lean_place(collider, float(generator.uniform(-width, width)) / 2)
    assert place is not None
    made = assemble_approach(walk_library, generator)
    stand = walk_library.draw_standing(generator)
    begins = made.append(ContactClip(stand, np.ones((len(stand), 4), dtype=bool)), *draw_placement_error(generator))
    ends = len(made)
    made.append(
        trim_walk(walk_library.draw(generator), generator),
        draw_turn_away(generator),
        (0.0, -float(generator.uniform(*STEP_BACK_M))),
    )
    clip = walk_library.with_locked_feet(made.motion.clip)
    first, last = (int(frames) for frames in generator.integers(*HOLD_FRAMES, size=2))
    events = PalmFrames(begins + first, begins + first + REACH_FRAMES, ends - last - REACH_FRAMES, ends - last)
    leaned_on, yaw = _placed_object(clip, (events.grasp + events.release) // 2, collider, place, generator)
    clip = _leaned(clip, place, yaw, events, generator)
    clip, stretch = _lead_palms(clip, leaned_on, place, events)
    before, after = range(events.reach_start), range(events.reach_end + REACH_FRAMES, len(clip))
    if stretch > MAX_STRETCH or body_penetration(clip, leaned_on) > MAX_PENETRATION_M:
        return None
    if not all(is_clear(clip, leaned_on, frames, CLEARANCE_M) for frames in (before, after)):
        return None
    goal = leaned_on.positions[0] + rotate(leaned_on.rotations[0], place.middle)
    return _label_lean(
        clip, events, leaned_on, (goal, facing_direction(np.array(yaw))), made.steps, generator, seed, source
    )


def _draw_mesh(width: float, generator: np.random.Generator) -> Mesh:
    """Return a table, a counter, a rail or a wall of a width, m."""
    kind, depth = generator.random(), float(generator.uniform(*TABLE_DEPTHS_M))
    if kind < TABLE_SHARE:
        return Table(float(generator.uniform(*TABLE_HEIGHTS_M)), width, depth).mesh()
    if kind < TABLE_SHARE + COUNTER_SHARE:
        return Box(width, depth, float(generator.uniform(*COUNTER_HEIGHTS_M))).mesh()
    if kind < TABLE_SHARE + COUNTER_SHARE + RAIL_SHARE:
        return rail_mesh(width, float(generator.uniform(*RAIL_HEIGHTS_M)))
    wall_depth, height = (float(generator.uniform(*size)) for size in WALL_SIZES_M)
    return Box(width, wall_depth, height).mesh()


def rail_mesh(width: float, height: float) -> Mesh:
    """Return a rail on two posts, m."""
    half, thick = width / 2, RAIL_THICKNESS_M
    bar = box_mesh((-half, -thick / 2, height - thick), (half, thick / 2, height))
    posts = [box_mesh((x - thick / 2, -thick / 2, 0.0), (x + thick / 2, thick / 2, height)) for x in (-half, half)]
    return merge_meshes([bar, *posts])


def _placed_object(
    clip: Clip, frame: int, collider: Collider, place: LeanPlace, generator: np.random.Generator
) -> tuple[TakeObject, float]:
    """Return the object before a body that stands in a frame, and the direction from the body to it, rad."""
    track, count = root_track(clip), len(clip)
    yaw = float(track.yaws[frame] + np.radians(generator.normal(0.0, FACING_ERROR_DEG)))
    ahead = facing_direction(np.array(yaw))
    aside = np.array([ahead[1], -ahead[0]]) * generator.uniform(-ASIDE_M, ASIDE_M)
    distance = place.stand_distance + generator.uniform(-STAND_ERROR_M, STAND_ERROR_M)
    turn = rotation_about_up(np.array(yaw + np.pi))
    middle = track.positions[frame] + distance * ahead + aside
    origin = np.append(middle, 0.0) - rotate(turn, place.middle * [1.0, 1.0, 0.0])
    return TakeObject("table", "surface", collider, np.tile(origin, (count, 1)), np.tile(turn, (count, 1))), yaw


def _posture(place: LeanPlace) -> _Posture:
    """Return the posture of a body at a place."""
    heights, *values = ON_TOP
    return _Posture(*(float(np.interp(place.height, heights, row)) for row in values)) if place.is_top else ON_FACE


def _leaned(clip: Clip, place: LeanPlace, yaw: float, events: PalmFrames, generator: np.random.Generator) -> Clip:
    """Return the clip with the trunk ahead onto the palms, swaying and looking about; feet stay."""
    weights = events.weights(len(clip), REACH_FRAMES, -TRUNK_LAG_FRAMES)
    noise = gaussian_filter1d(generator.normal(size=(len(clip), len(SWAY))), SWAY_PERIOD_FRAMES, axis=0)
    ahead, aside, lean_deg, gaze_deg = weights * (noise / noise.std(axis=0) * SWAY).T
    neck = clip.skeleton.joint("neck")
    clip = rotate_joint(clip, neck, from_axis_angle(np.tile(UP, (len(clip), 1)), np.radians(gaze_deg)))
    posture, shift = _posture(place), place.stand_distance - place.lean_distance
    lean = Lean(
        angle=np.radians(posture.lean * weights + lean_deg),
        sink=posture.sink * weights,
        shift=np.column_stack([aside, shift * weights + ahead]),
        bend=KNEE_SHARE * events.weights(len(clip), REACH_FRAMES, KNEE_LEAD_FRAMES),
    )
    return lean_ahead(clip, yaw, lean)


def _lead_palms(clip: Clip, leaned_on: TakeObject, place: LeanPlace, events: PalmFrames) -> tuple[Clip, float]:
    """Return the clip with both palms on the object, and the largest stretch of an arm before, in arm lengths."""
    count, weights = len(clip), events.weights(len(clip), REACH_FRAMES)
    origin, turn = leaned_on.positions[0], leaned_on.rotations[0]
    wrists = origin + rotate(turn, wrists_on_lean_place(place, palm_offset(clip.skeleton.leg_length)))
    goals, stretches = [], []
    for hand, (side, wrist) in enumerate(zip("LR", wrists, strict=True)):
        held = _hand_rotation(clip.skeleton, side, rotate(turn, place.fingers[hand]), rotate(turn, place.into))
        goals.append(EffectorGoal(f"hand.{side}", np.tile(wrist, (count, 1)), weights, np.tile(held, (count, 1))))
        shoulder = clip.positions[events.grasp + TRUNK_LAG_FRAMES : events.release - TRUNK_LAG_FRAMES]
        shoulder = shoulder[:, clip.skeleton.joint(f"upper_arm.{side}")]
        bones = [clip.skeleton.joint(f"{part}.{side}") for part in ("forearm", "hand")]
        length = sum(float(np.linalg.norm(clip.skeleton.offsets[bone])) for bone in bones)
        stretches.append(float(np.linalg.norm(wrist - shoulder, axis=1).max()) / length)
    return solve_full_body_ik(clip, goals), max(stretches)


def _hand_rotation(skeleton: Skeleton, side: str, fingers: Array, palm: Array) -> Array:
    """Return the rotation (4) in the world of a hand whose fingers and palm point in directions (3)."""
    rest_fingers, rest_palm, _ = rest_hand_axes(skeleton, side)
    pointed = rotation_between(rest_fingers[None], fingers[None])[0]
    own = rotate(pointed, rest_palm)
    wanted = normalize(palm - (palm @ fingers) * fingers)
    own = normalize(own - (own @ fingers) * fingers)
    angle = np.arctan2(float(np.cross(own, wanted) @ fingers), float(own @ wanted))
    return multiply(from_axis_angle(fingers, np.array(angle)), pointed)


def _label_lean(
    clip: Clip,
    events: PalmFrames,
    leaned_on: TakeObject,
    goal: tuple[Array, Array],
    steps: Sequence[range],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return the labeled take; its goal is the middle between the palms, and the direction from the body to there."""
    count = len(clip)
    leans = events.shares(count)
    actions = locomotion_actions(clip, leans)
    actions[:, ACTIONS.index("lean")] = leans
    until = events.release + int(generator.integers(*LEAVES_FRAMES))
    built = frame_origins(count, composed=[*steps, range(events.reach_start, events.reach_end)])
    done = TakeAction(
        "lean on a table", "lean", until, actions, events.contacts(count), label_clip(clip).phase, built, place=goal
    )
    return label_take(clip, done, (leaned_on,), generator, seed, source)
