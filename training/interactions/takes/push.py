"""Takes of pushing crates; since no clip shows that, both palms of a slow walk are moved onto the crate by IK.

The crate moves straight ahead with the body as long as the palms are on it; the trunk leans toward it. Where the walk
ends, the character lets go and steps back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from ..clutter import is_clear
from ..leaned_body import Lean, lean_ahead
from ..palms_on_object import PalmFrames, body_penetration
from ..props.tables import Box
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import assemble_approach, draw_placement_error, draw_turn_away, trim_walk
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary


@dataclass(frozen=True, slots=True)
class PushTuning(Tuning):
    crate_widths: tuple[float, float] = tuned((0.5, 1.0), "m", 0.1, 3.0)
    """Range of the width of crates."""
    crate_depths: tuple[float, float] = tuned((0.4, 0.9), "m", 0.1, 3.0)
    """Range of the depth of crates."""
    crate_heights: tuple[float, float] = tuned((0.5, 1.2), "m", 0.1, 3.0)
    """Range of the height of crates."""
    face_distance: tuple[float, float] = tuned((0.5, 0.58), "m", 0.2, 1.0)
    """Range of the distance from the hips to the push face while a crate is pushed."""
    reach: int = tuned(36, "frames", 1, 240)
    """Frames in which the palms reach for the push face, and in which they withdraw."""
    hold: tuple[int, int] = tuned((4, 14), "frames", 0, 240)
    """Range of the time that palms rest on the push face before the crate moves, and after it has stopped."""
    lean_heights: tuple[float, float] = tuned((0.4, 1.0), "m", 0.0, 2.0)
    """Heights of the palms for which ``leans`` gives the lean, the lowest first."""
    leans: tuple[float, float] = tuned((25.0, 15.0), "deg", 0.0, 60.0)
    """Leans of the trunk at ``lean_heights``."""
    sink_heights: tuple[float, float] = tuned((0.4, 0.9), "m", 0.0, 2.0)
    """Heights of the palms for which ``sinks`` gives the lowering of the hips, the lowest first."""
    sinks: tuple[float, float] = tuned((0.14, 0.02), "m", 0.0, 0.5)
    """Lowering of the hips at ``sink_heights``."""
    knee_lead: int = tuned(14, "frames", 0, 120)
    """Frames by which the knees bend before the hips sink, and straighten after they have risen."""
    moving: float = tuned(0.01, "m", 0.001, 0.2)
    """Least travel of the walk that counts as moving the crate."""
    progress_smoothing: float = tuned(10.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that removes the surge of steps from a crate's motion."""
    start_smoothing: float = tuned(5.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the start and stop of a crate."""
    step_back: tuple[float, float] = tuned((0.15, 0.35), "m", 0.0, 1.0)
    """Range of the length of the step back from the crate, during the turn away."""
    max_penetration: float = tuned(0.02, "m", 0.0, 0.2)
    """Largest depth of the body, without hands and forearms, in its crate; otherwise the take is drawn again."""
    crate_clearance: float = tuned(0.2, "m", 0.0, 1.0)
    """Least distance between root and crate before the reach."""


TUNING: Final = PushTuning()


def make_push_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Make a take of pushing a crate straight ahead; return ``None`` if the body would penetrate the crate."""
    generator = np.random.default_rng([seed, 12])
    sizes = TUNING.crate_widths, TUNING.crate_depths, TUNING.crate_heights
    width, depth, height = (float(generator.uniform(*size)) for size in sizes)
    crate = Collider.from_mesh(*Box(width, depth, height).mesh())
    face = find_push_face(crate)
    assert face is not None
    made = assemble_approach(walk_library, generator)
    begins = made.append(trim_walk(walk_library.draw_pushing(generator), generator), *draw_placement_error(generator))
    ends = len(made)
    made.append(
        trim_walk(walk_library.draw(generator), generator),
        draw_turn_away(generator),
        (0.0, -float(generator.uniform(*TUNING.step_back))),
    )
    clip = walk_library.with_locked_feet(made.motion.clip)
    places, yaw, events = _crate_track(clip, range(begins, ends), face, generator)
    clip = _lead_palms(_lean(clip, face.height, yaw, events), places, yaw, face, events)
    turns = np.tile(rotation_about_up(np.array(yaw + np.pi)), (len(clip), 1))
    pushed = TakeObject("crate", "box", crate, places, turns)
    away = replace(pushed, positions=places[-1:], rotations=turns[-1:])
    if body_penetration(clip, pushed) > TUNING.max_penetration:
        return None
    before, after = range(max(events.reach_start - TUNING.reach, 0)), range(events.reach_end, len(clip))
    if not (
        is_clear(clip, pushed, before, TUNING.crate_clearance) and is_clear(clip, away, after, TUNING.crate_clearance)
    ):
        return None
    action = _push_action(clip, events, made.steps, generator)
    return label_take(clip, action, (pushed,), generator, seed, source)


def _crate_track(
    clip: Clip, pushing: range, face: PushFace, generator: np.random.Generator
) -> tuple[Array, float, PalmFrames]:
    """Return the positions (F, 3) of a crate, m, the yaw of the push, rad, and the events.

    Args:
        clip: F frames.
        pushing: frames of the walk with the crate, from standing to standing.
        face: the pushed face.
        generator: random generator.
    """
    track, count = root_track(clip), len(clip)
    start, stop = track.positions[pushing.start], track.positions[pushing.stop - 1]
    yaw = float(yaw_of(stop - start))
    ahead = facing_direction(np.array(yaw))
    along = gaussian_filter1d((track.positions - start) @ ahead, TUNING.progress_smoothing)
    inside = np.clip(np.arange(count), pushing.start, pushing.stop - 1)
    progress = np.maximum.accumulate(along[inside])
    moved = np.flatnonzero((progress > progress[0] + TUNING.moving) & (progress < progress[-1] - TUNING.moving))
    first, last = int(moved[0]), int(moved[-1])
    # The crate does not move before both palms are on it, and stops before they leave it.
    progress = gaussian_filter1d(np.clip(progress, progress[first], progress[last]), TUNING.start_smoothing)
    holds = generator.integers(*TUNING.hold, size=2)
    settling = round(2 * TUNING.start_smoothing)
    grasp, release = first - settling - int(holds[0]), last + settling + int(holds[1])
    distance = float(generator.uniform(*TUNING.face_distance)) + face.distance
    progress = progress[np.clip(np.arange(count), grasp, release)]
    middle = start + (progress + distance)[:, None] * ahead
    events = PalmFrames(max(grasp - TUNING.reach, 0), grasp, release, min(release + TUNING.reach, count - 1))
    return np.column_stack([middle, np.zeros(count)]), yaw, events


def _lean(clip: Clip, palm_height: float, yaw: float, events: PalmFrames) -> Clip:
    """Return the clip leaning toward a crate with lowered hips; the feet stay, and the head looks ahead."""
    weights = events.weights(len(clip), TUNING.reach)
    lean = Lean(
        angle=np.radians(np.interp(palm_height, TUNING.lean_heights, TUNING.leans)) * weights,
        sink=float(np.interp(palm_height, TUNING.sink_heights, TUNING.sinks)) * weights,
        shift=np.zeros((len(clip), 2)),
        bend=events.weights(len(clip), TUNING.reach, TUNING.knee_lead),
    )
    return lean_ahead(clip, yaw, lean)


def _lead_palms(clip: Clip, places: Array, yaw: float, face: PushFace, events: PalmFrames) -> Clip:
    """Return the clip with both palms on the face of a crate, given the crate's positions (F, 3), m."""
    count, weights = len(clip), events.weights(len(clip), TUNING.reach)
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


def _push_action(clip: Clip, events: PalmFrames, steps: Sequence[range], generator: np.random.Generator) -> TakeAction:
    """Return the action of a pushing take; while the crate is pushed, walking has weight too."""
    count = len(clip)
    pushes = events.shares(count)
    actions = locomotion_actions(clip)
    actions[:, ACTIONS.index("push")] = pushes
    until = events.release + int(generator.integers(0, 12))
    built = frame_origins(count, composed=[*steps, range(events.reach_start, events.reach_end)])
    return TakeAction("push a crate", "push", until, actions, events.contacts(count), label_clip(clip).phase, built)
