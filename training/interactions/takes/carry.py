"""Takes of carrying: the character fetches a box, walks with it, puts it down and leaves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.interaction.wrist_targets import palm_offset
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.blending import smooth_falloff
from ....core.motion.root_frame import out_of_frame, yaw_of
from ....core.motion.rotations import Array, mean_rotation, multiply, rotate, rotation_about_up
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from ..captured_goals import GoalTimes
from ..carried_box import CarriedBox
from ..clutter import is_clear
from ..pick_up_motion import PickUpMotion, wrist_positions
from ..props.tables import Box, Table
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk, with_rest_phase
from ..take_labels import TakeAction, action_weights, label_take, locomotion_actions
from ..walk_library import WalkLibrary

ARM_ROLES: Final = ("shoulder", "upper_arm", "forearm", "hand")


@dataclass(frozen=True, slots=True)
class CarryTuning(Tuning):
    box_widths: tuple[float, float] = tuned((0.15, 0.75), "m", 0.02, 2.0)
    """Range of the width of boxes."""
    box_depths: tuple[float, float] = tuned((0.15, 0.75), "m", 0.02, 2.0)
    """Range of the depth of boxes."""
    box_heights: tuple[float, float] = tuned((0.12, 0.75), "m", 0.02, 2.0)
    """Range of the height of boxes."""
    on_floor_height: float = tuned(0.12, "m", 0.0, 0.5)
    """Height of a box's lower side below which it stands on the floor instead of on a table."""
    on_floor_share: float = tuned(0.15, "1", 0.0, 1.0)
    """Share of boxes that stand on the floor."""
    max_grasp_height: float = tuned(1.0, "m", 0.3, 2.0)
    """Largest grasp height."""
    reach: int = tuned(30, "frames", 1, 240)
    """Frames in which the hands reach for a box, and in which they withdraw from it."""
    trunk_half_depth: float = tuned(0.13, "m", 0.0, 0.4)
    """Distance from the trunk's bones to its skin."""
    table_clearance: float = tuned(0.2, "m", 0.0, 1.0)
    """Least distance between root and table during walks."""
    near_table_clearance: float = tuned(0.06, "m", 0.0, 1.0)
    """Least distance between root and table around grasp and release."""
    near_table: int = tuned(120, "frames", 0, 600)
    """Frames before and after grasp and release in which the smaller clearance applies."""
    fitted_box_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of takes with a box added by the user between the captured hands, if there is one."""
    resized_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of the takes with such a box in which it is resized."""
    resize_range: tuple[float, float] = tuned((0.85, 1.18), "1", 0.2, 5.0)
    """Range of the scales of a resized box: one for width and depth, another for height."""
    step_back: tuple[float, float] = tuned((0.15, 0.4), "m", 0.0, 1.0)
    """Range of the length of the step back after grasp and release, during the turn away."""


TUNING: Final = CarryTuning()


@dataclass(frozen=True, slots=True)
class _CarryFrames:
    """Events of a take.

    Attributes:
        pick_up, put_down: half-open ranges of the captured motions.
        grasp, release: first and last frame at which the hands hold the box.
        rising, falling: frames from and to which the action rises, and falls.
        pick_up_phase, put_down_phase: half-open ranges of the acyclic phases.
        goal_times: times of the goal set by the user.
    """

    pick_up: tuple[int, int]
    put_down: tuple[int, int]
    grasp: int
    release: int
    rising: tuple[int, int]
    falling: tuple[int, int]
    pick_up_phase: tuple[int, int]
    put_down_phase: tuple[int, int]
    goal_times: GoalTimes


def make_carry_take(
    pick_ups: Sequence[PickUpMotion],
    carry_clips: Sequence[Clip],
    walk_library: WalkLibrary,
    source: ClipSource,
    seed: int,
    varied: bool = True,
    fitted_boxes: Sequence[CarriedBox] = (),
) -> InteractionTake | None:
    """Return a take of carrying a box from a table or the floor to another place.

    Args:
        pick_ups: captured pick-ups, also reversed in time for putting down.
        carry_clips: captured walks with a box.
        walk_library: walks to, with and from the box.
        source: source of the motion.
        seed: seed of the take.
        varied: whether boxes have many sizes and heights; otherwise all have one size, at the captured height.
        fitted_boxes: boxes added by the user between the captured hands, used in a share of the takes.

    Returns:
        The take, or ``None`` if the character would walk through a table.
    """
    generator = np.random.default_rng([seed, 3])
    sizes = TUNING.box_widths, TUNING.box_depths, TUNING.box_heights
    width, depth, high = (float(generator.uniform(*size)) for size in sizes)
    fitted = draw_fitted_box(fitted_boxes, generator, varied)
    take, put = (pick_ups[int(generator.integers(len(pick_ups)))] for _ in range(2))
    box = fitted or CarriedBox.of(Box(width, depth, high) if varied else Box(), take.object_offset)
    first, second = (_draw_grasp_height(lift, box, generator) if varied else lift.lowest_height for lift in (take, put))
    arms = carry_clips[int(generator.integers(len(carry_clips)))]

    made = assemble_approach(walk_library, generator)
    down = made.append(take.adapt_to_height(first), *draw_placement_error(generator))
    grasp, up = down + take.grasp_frame, len(made)
    made.append(
        trim_walk(copy_arm_pose(arms, walk_library.draw(generator)), generator),
        draw_turn_away(generator),
        _draw_step_back(generator),
    )
    reach = made.append(put.adapt_to_height(second).reversed_in_time(), *draw_placement_error(generator))
    release, risen = reach + put.release_frame, len(made)
    made.append(
        trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator), _draw_step_back(generator)
    )

    clip, places, turns = _attach_hands(made.locked_clip(walk_library.model), box, grasp, release)
    count = len(clip)
    objects = [TakeObject(box.name, "box", box.collider, places, multiply(turns, box.rotation))]
    for frame, bent in ((grasp, range(down, up)), (release, range(reach, risen))):
        if places[frame, 2] > TUNING.on_floor_height:
            table = _make_table(places[frame], turns[frame], box, count, generator)
            near = range(max(bent.start - TUNING.near_table, 0), min(bent.stop + TUNING.near_table, count))
            afar = [*range(near.start), *range(near.stop, count)]
            if not (
                is_clear(clip, table, afar, TUNING.table_clearance)
                and is_clear(clip, table, near, TUNING.near_table_clearance)
            ):
                return None
            objects.append(table)
    events = _CarryFrames(
        (down, up),
        (reach, risen),
        grasp,
        release,
        _shifted(take.action_ramp, down),
        _shifted(put.reversed_action_ramp, reach),
        _shifted(take.phase_range, down),
        _shifted(put.reversed_phase_range, reach),
        GoalTimes(take.goal_times.lead, put.goal_times.tail),
    )
    action = _carry_action(clip, events, made.steps, generator)
    return label_take(clip, action, tuple(objects), generator, seed, source)


def _shifted(frames: tuple[int, int], by: int) -> tuple[int, int]:
    """Return two frame numbers with an offset added."""
    return frames[0] + by, frames[1] + by


def draw_fitted_box(
    fitted_boxes: Sequence[CarriedBox], generator: np.random.Generator, varied: bool
) -> CarriedBox | None:
    """Draw a box that the user has placed between the hands, maybe resized; ``None`` means a box of random size."""
    if not fitted_boxes or generator.random() >= TUNING.fitted_box_share:
        return None
    chosen = fitted_boxes[int(generator.integers(len(fitted_boxes)))]
    if not varied or generator.random() >= TUNING.resized_share:
        return chosen
    widest = max(TUNING.box_widths[1] / chosen.width, 1.0)
    horizontal, vertical = (float(scale) for scale in generator.uniform(*TUNING.resize_range, 2))
    return chosen.scaled(min(horizontal, widest), vertical)


def copy_arm_pose(carry_clip: Clip, walk: Clip) -> Clip:
    """Return the walk with the arms held in the mean arm pose of a carrying clip."""
    skeleton = walk.skeleton
    joints = [
        skeleton.roles[f"{part}.{side}"] for part in ARM_ROLES for side in "LR" if f"{part}.{side}" in skeleton.roles
    ]
    rotations = walk.rotations.copy()
    rotations[:, joints] = mean_rotation(carry_clip.rotations[:, joints])
    return replace(walk, rotations=rotations)


def _draw_step_back(generator: np.random.Generator) -> tuple[float, float]:
    """Return a random step back as a displacement (right, ahead), m."""
    return 0.0, -float(generator.uniform(*TUNING.step_back))


def _draw_grasp_height(pick_up: PickUpMotion, box: CarriedBox, generator: np.random.Generator) -> float:
    """Return a random grasp height, m, to which a captured pick-up can be adapted."""
    least, most = pick_up.height_range
    lowest = max(least, box.grip_height)
    if generator.random() < TUNING.on_floor_share:
        return lowest
    return float(generator.uniform(max(lowest, 0.3 + box.grip_height), min(most, TUNING.max_grasp_height)))


def _attach_hands(clip: Clip, box: CarriedBox, grasp: int, release: int) -> tuple[Clip, Array, Array]:
    """Put the hands on the box from grasp to release; return the clip and the box's positions and rotations.

    The origin of the box is on its lower side.
    """
    hands, count = wrist_positions(clip), len(clip)
    middle, line = hands.mean(axis=1), hands[:, 1] - hands[:, 0]
    yaws = np.unwrap(yaw_of(np.stack([-line[:, 1], line[:, 0]], axis=-1)))
    inside = np.clip(np.arange(count), grasp, release)
    middle = middle + _forward_clearance(clip, middle, yaws, box.depth / 2 + TUNING.trunk_half_depth)
    middle, yaws = middle[inside], yaws[inside]
    aside = out_of_frame(np.tile(np.append(box.offset, 0.0), (count, 1)), yaws)
    places = middle + aside - np.array([0.0, 0.0, box.grip_height])
    # A box near the floor is moved onto it.
    for frame, rows in ((grasp, slice(None, grasp + 1)), (release, slice(release, None))):
        if places[frame, 2] < TUNING.on_floor_height:
            places[rows, 2] = 0.0
    for start, stop in ((grasp, min(grasp + TUNING.reach, release)), (max(release - TUNING.reach, grasp), release)):
        low = places[start if start == grasp else stop, 2]
        share = smooth_falloff(np.abs(np.arange(start, stop + 1) - (start if start == grasp else stop)) / TUNING.reach)
        places[start : stop + 1, 2] += share * (low - (middle[start : stop + 1, 2] - box.grip_height))
        places[start : stop + 1, 2] = np.maximum(places[start : stop + 1, 2], 0.0)
    palm = palm_offset(clip.skeleton.leg_length)
    across = np.column_stack([np.cos(yaws), np.sin(yaws), np.zeros(count)])
    away = np.maximum(grasp - np.arange(count), np.arange(count) - release)
    weight = smooth_falloff(np.clip(away / TUNING.reach, 0.0, 1.0))
    half, grips = box.width / 2 + palm / 3, places - aside + np.array([0.0, 0.0, box.grip_height])
    goals = [
        EffectorGoal(f"hand.{side}", grips + sign * half * across, weight) for side, sign in (("L", -1.0), ("R", 1.0))
    ]
    # The front of the box faces the character.
    return solve_full_body_ik(clip, goals), places, rotation_about_up(yaws + np.pi)


def _forward_clearance(clip: Clip, middle: Array, yaws: Array, clearance: float) -> Array:
    """Return how far to move the hands (F, 3) to keep a clearance, m, between box and trunk."""
    forwards = np.column_stack([-np.sin(yaws), np.cos(yaws), np.zeros(len(clip))])
    trunk = np.stack([clip.positions[:, clip.skeleton.joint(role)] for role in ("hips", "spine", "chest")], axis=1)
    near = np.sum((middle[:, None] - trunk) * forwards[:, None], axis=-1).min(axis=1)
    return gaussian_filter1d(np.maximum(clearance - near, 0.0), 6.0)[:, None] * forwards


def _make_table(place: Array, turn: Array, box: CarriedBox, count: int, generator: np.random.Generator) -> TakeObject:
    """Return a table with the box on top, near its front edge."""
    height = float(place[2])
    wide, deep = (float(generator.uniform(*size)) for size in ((1.1, 2.2), (1.1, 1.6)))
    table = Table(height=height, width=max(wide * box.width, 0.45), depth=max(deep * box.depth, 0.35))
    behind = 0.5 * (table.depth - box.depth) - 0.02
    front = rotate(turn, np.array([0.0, 1.0, 0.0]))[:2]
    position = np.array([*(place[:2] - behind * front), 0.0])
    return TakeObject(
        "table", "surface", Collider.from_mesh(*table.mesh()), np.tile(position, (count, 1)), np.tile(turn, (count, 1))
    )


def _carry_action(
    clip: Clip, events: _CarryFrames, steps: Sequence[range], generator: np.random.Generator
) -> TakeAction:
    """Return the action of a carrying take; while walking with a box, both actions have weight."""
    count = len(clip)
    carries = action_weights(count, events.rising, events.falling)
    actions = locomotion_actions(clip)
    actions[:, ACTIONS.index("carry")] = carries
    until = events.goal_times.end(events.falling[1], events.release + int(generator.integers(1, 20)))
    contacts = np.zeros((count, 5))
    contacts[events.grasp : events.release + 1, 1:3] = 1.0
    phase = _phase_through(label_clip(clip).phase, events.pick_up_phase, events.grasp)
    phase = _phase_through(phase, events.put_down_phase, events.release)
    bent = range(*events.pick_up), range(*events.put_down)
    built = frame_origins(count, bent, steps)
    bends = events.put_down_phase[0]
    told = events.goal_times.begin(events.rising[0])
    return TakeAction(
        "carry a box", "carry", until, actions, contacts, phase, built, put_down_frame=bends, command_frame=told
    )


def _phase_through(phase: Array, motion: tuple[int, int], held: int) -> Array:
    """Return a stride phase (F), cycles, that is 0 at grasp or release, as it is at rest.

    Args:
        phase: (F) phase, cycles.
        motion: half-open range of frames of the acyclic phase.
        held: first or last frame at which the hands hold the object.
    """
    start, last = motion[0], motion[1] - 1
    touching = min(max(held, start), last)
    return with_rest_phase(phase, (start, touching, touching, last))
