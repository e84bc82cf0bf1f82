"""Takes of leaning on tables, counters, rails and walls; since no clip shows that, standing bodies are leaned by IK.

The character stops before the object, both palms move onto the edge of its top or onto its face, and the trunk leans
onto them. The character stays, sways and looks around, pushes itself up, steps back and leaves.
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
from ....core.tuning import Tuning, tuned
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


@dataclass(frozen=True, slots=True)
class LeanTuning(Tuning):
    widths: tuple[float, float] = tuned((0.7, 2.6), "m", 0.4, 10.0)
    """Range of the width of supports."""
    table_heights: tuple[float, float] = tuned((0.71, 0.95), "m", 0.5, 1.3)
    """Range of the height of tables."""
    table_depths: tuple[float, float] = tuned((0.5, 0.95), "m", 0.2, 3.0)
    """Range of the depth of tables and counters."""
    counter_heights: tuple[float, float] = tuned((0.85, 1.12), "m", 0.5, 1.5)
    """Range of the height of counters."""
    rail_thickness: float = tuned(0.06, "m", 0.01, 0.3)
    """Thickness of rails."""
    rail_heights: tuple[float, float] = tuned((0.9, 1.12), "m", 0.5, 1.5)
    """Range of the height of rails."""
    wall_depths: tuple[float, float] = tuned((0.1, 0.6), "m", 0.02, 3.0)
    """Range of the depth of walls and cupboards."""
    wall_heights: tuple[float, float] = tuned((1.5, 2.4), "m", 1.0, 5.0)
    """Range of the height of walls and cupboards."""
    facing_error: float = tuned(5.0, "deg", 0.0, 45.0)
    """Standard deviation of the body's facing error relative to the object."""
    aside: float = tuned(0.04, "m", 0.0, 0.3)
    """Largest lateral offset of the body from the midpoint of the palms."""
    stand_error: float = tuned(0.04, "m", 0.0, 0.3)
    """Largest error of the body's distance from the object before it leans."""
    reach: int = tuned(42, "frames", 1, 240)
    """Frames in which the palms reach for the object, and in which they withdraw."""
    trunk_lag: int = tuned(12, "frames", 0, 120)
    """Frames by which the trunk follows the palms onto the object, and precedes them off it."""
    knee_lead: int = tuned(14, "frames", 0, 120)
    """Frames by which the knees bend before the hips sink, and straighten after they have risen."""
    knee_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Share of the full knee bend that a lean uses."""
    hold: tuple[int, int] = tuned((2, 14), "frames", 0, 240)
    """Range of the duration of standing before the reach, and after the palms have left."""
    sway_period: float = tuned(45.0, "frames", 1.0, 600.0)
    """Standard deviation of the Gaussian that turns noise into the sway of a leaning body."""
    step_back: tuple[float, float] = tuned((0.2, 0.4), "m", 0.0, 1.0)
    """Range of the length of the step back from the object, during the turn away."""
    max_penetration: float = tuned(0.02, "m", 0.0, 0.2)
    """Largest depth of the body, without hands and forearms, in its object; otherwise the take is drawn again."""
    max_stretch: float = tuned(0.97, "1", 0.5, 1.0)
    """Largest distance from shoulder to wrist, in arm lengths; otherwise the take is drawn again."""
    clearance: float = tuned(0.2, "m", 0.0, 1.0)
    """Least distance between root and object before the reach."""
    leaves: tuple[int, int] = tuned((0, 12), "frames", 0, 120)
    """Range of the time from when the palms leave to when the goal changes."""
    table_share: float = tuned(0.34, "1", 0.0, 1.0)
    """Share of tables among the supports."""
    counter_share: float = tuned(0.22, "1", 0.0, 1.0)
    """Share of counters among the supports."""
    rail_share: float = tuned(0.16, "1", 0.0, 1.0)
    """Share of rails among the supports; the rest are walls."""


TUNING: Final = LeanTuning()

SWAY: Final = (0.007, 0.012, 1.5, 14.0)
"""Standard deviations of the sway forward and sideways, m, of the trunk's lean and of the head's turn, degrees."""


@dataclass(frozen=True, slots=True)
class _Posture:
    """The posture of a leaning body.

    Attributes:
        lean: lean of the trunk, degrees.
        sink: lowering of the hips, m.
    """

    lean: float
    sink: float


ON_FACE: Final = _Posture(15.0, 0.015)
"""Posture of a body that leans on a vertical face."""
ON_TOP: Final = ((0.7, 0.9, 1.15), (52.0, 33.0, 19.0), (0.08, 0.03, 0.01))
"""Heights of palms on a top, m, and lean (degrees) and lowering of the hips (m) at these heights."""


def make_lean_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Make a take of leaning on an object with both palms.

    Returns:
        The take, or ``None`` if the body would penetrate the object, or its arms are too short.
    """
    generator = np.random.default_rng([seed, 14])
    width = float(generator.uniform(*TUNING.widths))
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
        (0.0, -float(generator.uniform(*TUNING.step_back))),
    )
    clip = walk_library.with_locked_feet(made.motion.clip)
    first, last = (int(frames) for frames in generator.integers(*TUNING.hold, size=2))
    events = PalmFrames(begins + first, begins + first + TUNING.reach, ends - last - TUNING.reach, ends - last)
    leaned_on, yaw = _placed_object(clip, (events.grasp + events.release) // 2, collider, place, generator)
    clip = _leaned(clip, place, yaw, events, generator)
    clip, stretch = _lead_palms(clip, leaned_on, place, events)
    before, after = range(events.reach_start), range(events.reach_end + TUNING.reach, len(clip))
    if stretch > TUNING.max_stretch or body_penetration(clip, leaned_on) > TUNING.max_penetration:
        return None
    if not all(is_clear(clip, leaned_on, frames, TUNING.clearance) for frames in (before, after)):
        return None
    goal = leaned_on.positions[0] + rotate(leaned_on.rotations[0], place.middle)
    action = _lean_action(clip, events, (goal, facing_direction(np.array(yaw))), made.steps, generator)
    return label_take(clip, action, (leaned_on,), generator, seed, source)


def _draw_mesh(width: float, generator: np.random.Generator) -> Mesh:
    """Return the mesh of a random table, counter, rail or wall of a given width, m."""
    kind, depth = generator.random(), float(generator.uniform(*TUNING.table_depths))
    if kind < TUNING.table_share:
        return Table(float(generator.uniform(*TUNING.table_heights)), width, depth).mesh()
    if kind < TUNING.table_share + TUNING.counter_share:
        return Box(width, depth, float(generator.uniform(*TUNING.counter_heights))).mesh()
    if kind < TUNING.table_share + TUNING.counter_share + TUNING.rail_share:
        return rail_mesh(width, float(generator.uniform(*TUNING.rail_heights)))
    wall_depth, height = (float(generator.uniform(*size)) for size in (TUNING.wall_depths, TUNING.wall_heights))
    return Box(width, wall_depth, height).mesh()


def rail_mesh(width: float, height: float) -> Mesh:
    """Return the mesh of a rail on two posts; width and height in m."""
    half, thick = width / 2, TUNING.rail_thickness
    bar = box_mesh((-half, -thick / 2, height - thick), (half, thick / 2, height))
    posts = [box_mesh((x - thick / 2, -thick / 2, 0.0), (x + thick / 2, thick / 2, height)) for x in (-half, half)]
    return merge_meshes([bar, *posts])


def _placed_object(
    clip: Clip, frame: int, collider: Collider, place: LeanPlace, generator: np.random.Generator
) -> tuple[TakeObject, float]:
    """Place an object in front of a standing body; return it, and the yaw from the body to it, rad."""
    track, count = root_track(clip), len(clip)
    yaw = float(track.yaws[frame] + np.radians(generator.normal(0.0, TUNING.facing_error)))
    ahead = facing_direction(np.array(yaw))
    aside = np.array([ahead[1], -ahead[0]]) * generator.uniform(-TUNING.aside, TUNING.aside)
    distance = place.stand_distance + generator.uniform(-TUNING.stand_error, TUNING.stand_error)
    turn = rotation_about_up(np.array(yaw + np.pi))
    middle = track.positions[frame] + distance * ahead + aside
    origin = np.append(middle, 0.0) - rotate(turn, place.middle * [1.0, 1.0, 0.0])
    return TakeObject("table", "surface", collider, np.tile(origin, (count, 1)), np.tile(turn, (count, 1))), yaw


def _posture(place: LeanPlace) -> _Posture:
    """Return the posture in which a body leans on an object at a place."""
    heights, *values = ON_TOP
    return _Posture(*(float(np.interp(place.height, heights, row)) for row in values)) if place.is_top else ON_FACE


def _leaned(clip: Clip, place: LeanPlace, yaw: float, events: PalmFrames, generator: np.random.Generator) -> Clip:
    """Return the clip with the trunk leaned onto the palms, swaying and looking around; the feet stay in place."""
    weights = events.weights(len(clip), TUNING.reach, -TUNING.trunk_lag)
    noise = gaussian_filter1d(generator.normal(size=(len(clip), len(SWAY))), TUNING.sway_period, axis=0)
    ahead, aside, lean_deg, gaze_deg = weights * (noise / noise.std(axis=0) * SWAY).T
    neck = clip.skeleton.joint("neck")
    clip = rotate_joint(clip, neck, from_axis_angle(np.tile(UP, (len(clip), 1)), np.radians(gaze_deg)))
    posture, shift = _posture(place), place.stand_distance - place.lean_distance
    lean = Lean(
        angle=np.radians(posture.lean * weights + lean_deg),
        sink=posture.sink * weights,
        shift=np.column_stack([aside, shift * weights + ahead]),
        bend=TUNING.knee_share * events.weights(len(clip), TUNING.reach, TUNING.knee_lead),
    )
    return lean_ahead(clip, yaw, lean)


def _lead_palms(clip: Clip, leaned_on: TakeObject, place: LeanPlace, events: PalmFrames) -> tuple[Clip, float]:
    """Put both palms on the object; return the clip, and the largest arm stretch needed, in arm lengths."""
    count, weights = len(clip), events.weights(len(clip), TUNING.reach)
    origin, turn = leaned_on.positions[0], leaned_on.rotations[0]
    wrists = origin + rotate(turn, wrists_on_lean_place(place, palm_offset(clip.skeleton.leg_length)))
    goals, stretches = [], []
    for hand, (side, wrist) in enumerate(zip("LR", wrists, strict=True)):
        held = _hand_rotation(clip.skeleton, side, rotate(turn, place.fingers[hand]), rotate(turn, place.into))
        goals.append(EffectorGoal(f"hand.{side}", np.tile(wrist, (count, 1)), weights, np.tile(held, (count, 1))))
        shoulder = clip.positions[events.grasp + TUNING.trunk_lag : events.release - TUNING.trunk_lag]
        shoulder = shoulder[:, clip.skeleton.joint(f"upper_arm.{side}")]
        bones = [clip.skeleton.joint(f"{part}.{side}") for part in ("forearm", "hand")]
        length = sum(float(np.linalg.norm(clip.skeleton.offsets[bone])) for bone in bones)
        stretches.append(float(np.linalg.norm(wrist - shoulder, axis=1).max()) / length)
    return solve_full_body_ik(clip, goals), max(stretches)


def _hand_rotation(skeleton: Skeleton, side: str, fingers: Array, palm: Array) -> Array:
    """Return the world rotation (4) of a hand whose fingers and palm point in given directions (3)."""
    rest_fingers, rest_palm, _ = rest_hand_axes(skeleton, side)
    pointed = rotation_between(rest_fingers[None], fingers[None])[0]
    own = rotate(pointed, rest_palm)
    wanted = normalize(palm - (palm @ fingers) * fingers)
    own = normalize(own - (own @ fingers) * fingers)
    angle = np.arctan2(float(np.cross(own, wanted) @ fingers), float(own @ wanted))
    return multiply(from_axis_angle(fingers, np.array(angle)), pointed)


def _lean_action(
    clip: Clip, events: PalmFrames, goal: tuple[Array, Array], steps: Sequence[range], generator: np.random.Generator
) -> TakeAction:
    """Return the action of a leaning take; its goal is the middle between the palms, facing there from the body."""
    count = len(clip)
    leans = events.shares(count)
    actions = locomotion_actions(clip, leans)
    actions[:, ACTIONS.index("lean")] = leans
    until = events.release + int(generator.integers(*TUNING.leaves))
    built = frame_origins(count, composed=[*steps, range(events.reach_start, events.reach_end)])
    return TakeAction(
        "lean on a table", "lean", until, actions, events.contacts(count), label_clip(clip).phase, built, place=goal
    )
