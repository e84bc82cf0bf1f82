"""Takes of carrying: somebody fetches a box, walks with it, puts it down and goes."""

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
from ....core.motion.root_frame import yaw_of
from ....core.motion.rotations import Array, mean_rotation, rotate, rotation_about_up
from ....core.scene.affordances import GRIP_HEIGHT_RATIO
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...data.sources import ClipSource
from ..clutter import is_clear
from ..pick_up_motion import PickUpMotion, wrist_positions
from ..props.tables import Box, Table
from ..take import InteractionTake, TakeObject
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk, with_acyclic_phase
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

ARM_ROLES: Final = ("shoulder", "upper_arm", "forearm", "hand")
BOX_SIZES_M: Final = ((0.24, 0.46), (0.2, 0.4), (0.15, 0.35))
"""Metres that boxes are wide, deep and high."""
ON_FLOOR_HEIGHT_M: Final = 0.12
"""Metres over the ground below which a box lies on it, and on no table."""
ON_FLOOR_SHARE: Final = 0.15
"""Share of boxes that do."""
MAX_GRASP_HEIGHT_M: Final = 1.0
"""Metres over the floor at which boxes are taken hold of, at most."""
REACH_FRAMES: Final = 30
"""Frames in which hands come to a box and leave it."""
TRUNK_HALF_DEPTH_M: Final = 0.13
"""Metres from the trunk's bones to its skin."""
TABLE_CLEARANCE_M: Final = 0.2
"""Metres between the root and the table that something is taken from, or put on, while somebody comes and goes."""
NEAR_TABLE_CLEARANCE_M: Final = 0.06
"""The same while they stand before it, and ..."""
NEAR_TABLE_FRAMES: Final = 120
"""... so many frames before and after."""
STEP_BACK_M: Final = (0.15, 0.4)
"""Metres by which who has taken something, or put it down, steps back from the place as they turn."""


@dataclass(frozen=True, slots=True)
class _CarryFrames:
    """Frames of a take: hands go down, take hold, are up again; the same of putting down."""

    pick_up_start: int
    grasp: int
    pick_up_end: int
    put_down_start: int
    release: int
    put_down_end: int


def make_carry_take(
    pick_ups: Sequence[PickUpMotion],
    carry_clips: Sequence[Clip],
    walk_library: WalkLibrary,
    source: ClipSource,
    seed: int,
    varied: bool = True,
) -> InteractionTake | None:
    """Somebody comes, takes a box off a table or the floor, walks with it, puts it down elsewhere, goes.

    Args:
        pick_ups: captured bends; played backwards, they put things down.
        carry_clips: clips of people who carry something.
        walk_library: walks to, with and from the box.
        source: whose motion it is.
        seed: draws everything.
        varied: whether boxes are of many sizes and at many heights; else all are one, as high as it was captured.

    Returns:
        ``None`` where somebody would walk through a table.
    """
    generator = np.random.default_rng([seed, 3])
    width, depth, high = (float(generator.uniform(*size)) for size in BOX_SIZES_M)
    box = Box(width, depth, high) if varied else Box()
    take, put = (pick_ups[int(generator.integers(len(pick_ups)))] for _ in range(2))
    first, second = (_draw_grasp_height(lift, box, generator) if varied else lift.lowest_height for lift in (take, put))
    arms = carry_clips[int(generator.integers(len(carry_clips)))]

    made = assemble_approach(walk_library, generator)
    down = made.append(take.adapt_to_height(first), *draw_placement_error(generator))
    grasp, up = down + take.lowest_frame, len(made)
    made.append(
        trim_walk(copy_arm_pose(arms, walk_library.draw(generator)), generator),
        draw_turn_away(generator),
        _draw_step_back(generator),
    )
    reach = made.append(put.adapt_to_height(second).reversed_in_time(), *draw_placement_error(generator))
    release, risen = reach + len(put) - 1 - put.lowest_frame, len(made)
    made.append(
        trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator), _draw_step_back(generator)
    )

    clip, places, turns = _attach_hands(made.locked_clip(walk_library.model), box, grasp, release)
    count = len(clip)
    things = [TakeObject("box", "box", Collider.from_mesh(*box.mesh()), places, turns)]
    for frame, spared in ((grasp, range(down, up)), (release, range(reach, risen))):
        if places[frame, 2] > ON_FLOOR_HEIGHT_M:
            table = _make_table(places[frame], turns[frame], box, count, generator)
            near = range(max(spared.start - NEAR_TABLE_FRAMES, 0), min(spared.stop + NEAR_TABLE_FRAMES, count))
            afar = [*range(near.start), *range(near.stop, count)]
            if not (
                is_clear(clip, table, afar, TABLE_CLEARANCE_M) and is_clear(clip, table, near, NEAR_TABLE_CLEARANCE_M)
            ):
                return None
            things.append(table)
    return _label_carry(
        clip, _CarryFrames(down, grasp, up, reach, release, risen), tuple(things), generator, seed, source
    )


def copy_arm_pose(carry_clip: Clip, walk: Clip) -> Clip:
    """Return a walk whose arms hold something as those of another clip do, on the whole."""
    skeleton = walk.skeleton
    joints = [
        skeleton.roles[f"{part}.{side}"] for part in ARM_ROLES for side in "LR" if f"{part}.{side}" in skeleton.roles
    ]
    rotations = walk.rotations.copy()
    rotations[:, joints] = mean_rotation(carry_clip.rotations[:, joints])
    return replace(walk, rotations=rotations)


def _draw_step_back(generator: np.random.Generator) -> tuple[float, float]:
    return 0.0, -float(generator.uniform(*STEP_BACK_M))


def _draw_grasp_height(pick_up: PickUpMotion, box: Box, generator: np.random.Generator) -> float:
    """Return a height at which the box is held that a captured bend can be brought to."""
    least, most = pick_up.height_range
    lowest = max(least, GRIP_HEIGHT_RATIO * box.height)
    if generator.random() < ON_FLOOR_SHARE:
        return lowest
    return float(generator.uniform(max(lowest, 0.3 + GRIP_HEIGHT_RATIO * box.height), min(most, MAX_GRASP_HEIGHT_M)))


def _attach_hands(clip: Clip, box: Box, grasp: int, release: int) -> tuple[Clip, Array, Array]:
    """Return the clip with its hands on a box's sides from when it is taken until it is let go; the box's places (F,
    3) and rotations (F, 4), its origin on its lower side.
    """
    hands, count = wrist_positions(clip), len(clip)
    middle, line = hands.mean(axis=1), hands[:, 1] - hands[:, 0]
    yaws = np.unwrap(yaw_of(np.stack([-line[:, 1], line[:, 0]], axis=-1)))
    inside = np.clip(np.arange(count), grasp, release)
    middle = middle + _forward_clearance(clip, middle, yaws, box.depth / 2 + TRUNK_HALF_DEPTH_M)
    middle, yaws = middle[inside], yaws[inside]
    places = middle - np.array([0.0, 0.0, GRIP_HEIGHT_RATIO * box.height])
    # A box that can nearly be on the ground is.
    for frame, rows in ((grasp, slice(None, grasp + 1)), (release, slice(release, None))):
        if places[frame, 2] < ON_FLOOR_HEIGHT_M:
            places[rows, 2] = 0.0
    for start, stop in ((grasp, min(grasp + REACH_FRAMES, release)), (max(release - REACH_FRAMES, grasp), release)):
        low = places[start if start == grasp else stop, 2]
        share = smooth_falloff(np.abs(np.arange(start, stop + 1) - (start if start == grasp else stop)) / REACH_FRAMES)
        places[start : stop + 1, 2] += share * (low - (middle[start : stop + 1, 2] - GRIP_HEIGHT_RATIO * box.height))
        places[start : stop + 1, 2] = np.maximum(places[start : stop + 1, 2], 0.0)
    palm = palm_offset(clip.skeleton.leg_length)
    across = np.column_stack([np.cos(yaws), np.sin(yaws), np.zeros(count)])
    away = np.maximum(grasp - np.arange(count), np.arange(count) - release)
    weight = smooth_falloff(np.clip(away / REACH_FRAMES, 0.0, 1.0))
    half, grips = box.width / 2 + palm / 3, places + np.array([0.0, 0.0, GRIP_HEIGHT_RATIO * box.height])
    goals = [
        EffectorGoal(f"hand.{side}", grips + sign * half * across, weight) for side, sign in (("L", -1.0), ("R", 1.0))
    ]
    # Who takes a box stands before it: its front is towards them.
    return solve_full_body_ik(clip, goals), places, rotation_about_up(yaws + np.pi)


def _forward_clearance(clip: Clip, middle: Array, yaws: Array, clearance: float) -> Array:
    """By how much (F, 3) hands are put forward so that there is room, metres, between what they hold and the trunk."""
    forwards = np.column_stack([-np.sin(yaws), np.cos(yaws), np.zeros(len(clip))])
    trunk = np.stack([clip.positions[:, clip.skeleton.joint(role)] for role in ("hips", "spine", "chest")], axis=1)
    near = np.sum((middle[:, None] - trunk) * forwards[:, None], axis=-1).min(axis=1)
    return gaussian_filter1d(np.maximum(clearance - near, 0.0), 6.0)[:, None] * forwards


def _make_table(place: Array, turn: Array, box: Box, count: int, generator: np.random.Generator) -> TakeObject:
    """Return a table under a box that lies near its front edge."""
    height = float(place[2])
    wide, deep = (float(generator.uniform(*size)) for size in ((1.1, 2.2), (1.1, 1.6)))
    table = Table(height=height, width=max(wide * box.width, 0.45), depth=max(deep * box.depth, 0.35))
    behind = 0.5 * (table.depth - box.depth) - 0.02
    front = rotate(turn, np.array([0.0, 1.0, 0.0]))[:2]
    position = np.array([*(place[:2] - behind * front), 0.0])
    return TakeObject(
        "table",
        "surface",
        Collider.from_mesh(*table.mesh()),
        np.tile(position, (count, 1)),
        np.tile(turn, (count, 1)),
    )


def _label_carry(
    clip: Clip,
    events: _CarryFrames,
    objects: tuple[TakeObject, ...],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return a take with all that is said of it; who carries and walks does both."""
    count = len(clip)
    carries = np.interp(
        np.arange(count),
        [events.pick_up_start, events.grasp, events.release, events.put_down_end],
        [0.0, 1.0, 1.0, 0.0],
    )
    actions = locomotion_actions(clip)
    actions[:, ACTIONS.index("carry")] = carries
    begins = int(generator.integers(0, 45))
    until = events.release + int(generator.integers(0, 20))
    contacts = np.zeros((count, 5))
    contacts[events.grasp : events.release + 1, 1:3] = 1.0
    phase = with_acyclic_phase(
        with_acyclic_phase(label_clip(clip).phase, events.pick_up_start, events.pick_up_end),
        events.put_down_start,
        events.put_down_end,
    )
    built = (
        f"{events.pick_up_start} to {events.pick_up_end} and {events.put_down_start} to {events.put_down_end}: captured, adapted to the box",
        f"0 to {count}, else: walks by a controller, with arms as captured, and steps composed",
    )
    done = TakeAction("carry a box", "carry", until, actions, contacts, phase, built)
    return label_take(clip, done, begins, objects, generator, seed, source)
