"""Takes of pushing crates: no clip shows that, so both palms of a slow walk are led onto the face of a crate.

The crate moves with the body, straight ahead, as long as the palms are on it; the trunk leans toward it. It stays where
the walk ends, and the character lets go and steps back.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.interaction.wrist_targets import hand_on_face, palm_offset, wrists_on_face
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import facing_direction, root_track, yaw_of
from ....core.motion.rotations import Array, multiply, rotate, rotation_about_up, rotation_between
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.scene.push_face import PushFace, find_push_face
from ...data.sources import ClipSource
from ..clutter import is_clear
from ..leaned_body import Lean, lean_ahead
from ..palms_on_object import PalmFrames, body_penetration
from ..props.tables import Box
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

CRATE_SIZES_M: Final = ((0.5, 1.0), (0.4, 0.9), (0.5, 1.2))
"""Ranges of width, depth and height of crates."""
FACE_DISTANCE_M: Final = (0.5, 0.58)
"""Range of the distance of the face ahead of the hips while a crate is pushed."""
REACH_FRAMES: Final = 36
"""Frames in which palms reach the face, and leave it."""
HOLD_FRAMES: Final = (4, 14)
"""Range of the frames for which palms are on the face before a crate moves, and after it has moved."""
LEAN_DEG: Final = ((0.4, 1.0), (25.0, 15.0))
"""Heights of the palms, m, and the lean of the trunk at these."""
SINK_M: Final = ((0.4, 0.9), (0.14, 0.02))
"""Heights of the palms, m, and how far the hips come down at these."""
KNEE_LEAD_FRAMES: Final = 14
"""Frames by which knees bend before the hips come down, and stay bent after they have risen."""
MOVING_M: Final = 0.01
"""Distance from which a walk moves a crate."""
PROGRESS_SMOOTHING_FRAMES: Final = 10.0
"""Standard deviation of the Gaussian that takes the surge of steps out of a crate's motion."""
START_SMOOTHING_FRAMES: Final = 5.0
"""Standard deviation of the Gaussian over which a crate begins to move, and stops."""
STEP_BACK_M: Final = (0.15, 0.35)
"""Range of the step back from the face, during the turn away."""
MAX_PENETRATION_M: Final = 0.02
"""Largest penetration of a body, but for hands and forearms, into its crate; a take with more is drawn anew."""
CRATE_CLEARANCE_M: Final = 0.2
"""Clearance between root and crate before it is reached."""


def make_push_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Return a take of pushing a crate straight ahead, or ``None`` if the body would get into it.

    Args:
        walk_library: walks to the crate, with it and away from it.
        source: source of the motion.
        seed: seed of the take.
    """
    generator = np.random.default_rng([seed, 12])
    width, depth, height = (float(generator.uniform(*size)) for size in CRATE_SIZES_M)
    crate = Collider.from_mesh(*Box(width, depth, height).mesh())
    face = find_push_face(crate)
    assert face is not None
    made = assemble_approach(walk_library, generator)
    begins = made.append(trim_walk(walk_library.draw_pushing(generator), generator), *draw_placement_error(generator))
    ends = len(made)
    made.append(
        trim_walk(walk_library.draw(generator), generator),
        draw_turn_away(generator),
        (0.0, -float(generator.uniform(*STEP_BACK_M))),
    )
    clip = walk_library.with_locked_feet(made.motion.clip)
    places, yaw, events = _crate_track(clip, range(begins, ends), face, generator)
    clip = _lead_palms(_lean(clip, face.height, yaw, events), places, yaw, face, events)
    turns = np.tile(rotation_about_up(np.array(yaw + np.pi)), (len(clip), 1))
    pushed = TakeObject("crate", "box", crate, places, turns)
    away = replace(pushed, positions=places[-1:], rotations=turns[-1:])
    if body_penetration(clip, pushed) > MAX_PENETRATION_M:
        return None
    before, after = range(max(events.reach_start - REACH_FRAMES, 0)), range(events.reach_end, len(clip))
    if not (is_clear(clip, pushed, before, CRATE_CLEARANCE_M) and is_clear(clip, away, after, CRATE_CLEARANCE_M)):
        return None
    return _label_push(clip, events, pushed, made.steps, generator, seed, source)


def _crate_track(
    clip: Clip, pushing: range, face: PushFace, generator: np.random.Generator
) -> tuple[Array, float, PalmFrames]:
    """Return the positions (F, 3) of a crate, m, the direction in which it is pushed, rad, and the events.

    Args:
        clip: F frames.
        pushing: frames of the walk with the crate, from standing to standing.
        face: the face that is pushed.
        generator: random generator.
    """
    track, count = root_track(clip), len(clip)
    start, stop = track.positions[pushing.start], track.positions[pushing.stop - 1]
    yaw = float(yaw_of(stop - start))
    ahead = facing_direction(np.array(yaw))
    along = gaussian_filter1d((track.positions - start) @ ahead, PROGRESS_SMOOTHING_FRAMES)
    inside = np.clip(np.arange(count), pushing.start, pushing.stop - 1)
    progress = np.maximum.accumulate(along[inside])
    moved = np.flatnonzero((progress > progress[0] + MOVING_M) & (progress < progress[-1] - MOVING_M))
    first, last = int(moved[0]), int(moved[-1])
    # The crate is still until both palms are on it, and from before they leave it.
    progress = gaussian_filter1d(np.clip(progress, progress[first], progress[last]), START_SMOOTHING_FRAMES)
    holds = generator.integers(*HOLD_FRAMES, size=2)
    settling = round(2 * START_SMOOTHING_FRAMES)
    grasp, release = first - settling - int(holds[0]), last + settling + int(holds[1])
    distance = float(generator.uniform(*FACE_DISTANCE_M)) + face.distance
    progress = progress[np.clip(np.arange(count), grasp, release)]
    middle = start + (progress + distance)[:, None] * ahead
    events = PalmFrames(max(grasp - REACH_FRAMES, 0), grasp, release, min(release + REACH_FRAMES, count - 1))
    return np.column_stack([middle, np.zeros(count)]), yaw, events


def _lean(clip: Clip, palm_height: float, yaw: float, events: PalmFrames) -> Clip:
    """Return the clip with the trunk leaned toward a crate, and the hips lower; feet stay, the head looks ahead."""
    weights = events.weights(len(clip), REACH_FRAMES)
    lean = Lean(
        angle=np.radians(np.interp(palm_height, *LEAN_DEG)) * weights,
        sink=float(np.interp(palm_height, *SINK_M)) * weights,
        shift=np.zeros((len(clip), 2)),
        bend=events.weights(len(clip), REACH_FRAMES, KNEE_LEAD_FRAMES),
    )
    return lean_ahead(clip, yaw, lean)


def _lead_palms(clip: Clip, places: Array, yaw: float, face: PushFace, events: PalmFrames) -> Clip:
    """Return the clip with both palms on the face of a crate at positions (F, 3), m."""
    count, weights = len(clip), events.weights(len(clip), REACH_FRAMES)
    turn = rotation_about_up(np.array(yaw + np.pi))
    wrists = rotate(turn, wrists_on_face(face, palm_offset(clip.skeleton.leg_length)))
    pointing = np.tile(rotate(turn, hand_on_face()), (count, 1))
    goals = []
    for side, wrist in zip("LR", wrists, strict=True):
        joint = clip.skeleton.joint(f"hand.{side}")
        own = clip.world[1][:, joint]
        bone = rotate(own, np.tile(clip.skeleton.bone_vectors[joint], (count, 1)))
        turned = multiply(rotation_between(bone, pointing), own)
        goals.append(EffectorGoal(f"hand.{side}", places + wrist, weights, turned))
    return solve_full_body_ik(clip, goals)


def _label_push(
    clip: Clip,
    events: PalmFrames,
    crate: TakeObject,
    steps: Sequence[range],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return the labeled take; pushing a crate is also walking."""
    count = len(clip)
    pushes = events.shares(count)
    actions = locomotion_actions(clip)
    actions[:, ACTIONS.index("push")] = pushes
    until = events.release + int(generator.integers(0, 12))
    built = frame_origins(count, composed=[*steps, range(events.reach_start, events.reach_end)])
    done = TakeAction("push a crate", "push", until, actions, events.contacts(count), label_clip(clip).phase, built)
    return label_take(clip, done, (crate,), generator, seed, source)
