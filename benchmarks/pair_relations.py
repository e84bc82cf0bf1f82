"""Characters that answer another one: distance kept, facing, skate and collisions of each relation."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..cli.walk import SHIPPED_CONTROLLER
from ..core.control.path.path import Path
from ..core.control.path.path_events import Cues, Wait
from ..core.control.walk.answer_walk import begin_answer
from ..core.control.walk.finished_walk import Walk
from ..core.control.walk.gaze import face_of, look_at
from ..core.control.walk.path_walk import walk_path
from ..core.control.walk.relation import Relation
from ..core.control.walk.relation_kinds import RELATIONS, RelationKind
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.features.locomotion import ROOT_SMOOTHING_S
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import root_track, yaw_of
from ..core.motion.rotations import Array, wrap_angle
from ..core.scene.body_overlap import deepest_overlap
from ..core.terrain.ground import Plane
from .document import table

SEEDS: Final = (1, 2, 3)
DISTANCE_M: Final = 1.2
GOAL: Final = np.array([2.0, 3.0])
MAX_DEPTH_M: Final = 0.02
"""Depth of bodies in each other from which they collide."""
COURSE: Final = Path(np.array([[0.0, 0.0], [3.0, 0.0], [5.0, 2.0], [5.0, 5.0], [2.0, 6.0], [-1.0, 5.5]]))
SPEED_M_S: Final = 1.1
WAITS: Final = Cues((), (Wait(4.0, 2.5), Wait(9.0, 2.0)))
HEAD: Final = (
    *("relation", "distance error mean, cm", "distance error 95 %, cm", "least distance, m", "facing error mean, deg"),
    *("facing error 95 %, deg", "skate, cm/s", "frames deeper than 2 cm, %"),
)


def measure_relations() -> str:
    """Return the part of the section on characters that answer another one."""
    model = load_model(SHIPPED_CONTROLLER)
    leaders = [walk_path(model, COURSE, SPEED_M_S, seed=seed, cues=WAITS) for seed in SEEDS]
    skate = float(np.mean([_skate(walk) for walk in leaders]))
    rows: list[Sequence[object]] = [["leader", *(None,) * 5, skate, None]]
    for kind in RELATIONS:
        measured = [_measure(model, kind, walk.clip, seed) for seed, walk in zip(SEEDS, leaders, strict=True)]
        errors, facing = (np.concatenate([one[number] for one in measured]) for number in (0, 1))
        least, slid, deep = (np.array([one[number] for one in measured]) for number in (2, 3, 4))
        shown = (errors.mean(), np.percentile(errors, 95), least.min(), facing.mean(), np.percentile(facing, 95))
        rows.append([kind, *map(float, shown), float(slid.mean()), float(deep.mean())])
    return (
        f"Characters that answer another one, which walks a course of {COURSE.length:.0f} m at {SPEED_M_S} m/s and "
        f"stands twice, {len(SEEDS)} seeds each, by the locomotion that ships, at {DISTANCE_M} m. These are rules on "
        "top of a learned walk, not captured ones. Distances are those of the smoothed roots, that of a follower in "
        "a straight line and not along the trail; a defender keeps less where the goal is nearer than twice the "
        "distance, which it is not here. Skate is that of heels and balls in contacts that are detected in the "
        "motion.\n\n"
        f"{table(list(HEAD), rows)}"
    )


def _measure(
    model: ControllerModel, kind: RelationKind, other: Clip, seed: int
) -> tuple[Array, Array, float, float, float]:
    """Return the measures of an answer.

    They are distance errors (F), cm, facing errors (F), degrees, least distance, m, skate, cm/s, and deep frames, %.
    """
    relation = Relation(kind, DISTANCE_M, goal=GOAL)
    answer = begin_answer(model, relation, other, seed=seed)
    answer.advance(answer.total_frames)
    walk = answer.finish()
    clip = look_at(walk.clip, face_of(other))
    own, theirs = (root_track(one, ROOT_SMOOTHING_S) for one in (clip, other))
    away = theirs.positions - own.positions
    distances = np.linalg.norm(away, axis=-1)
    facing = np.degrees(np.abs(wrap_angle(yaw_of(away) - own.yaws)))
    deep = 100 * float(np.mean(deepest_overlap(clip, other) > MAX_DEPTH_M))
    slid = _skate(walk)
    return 100 * np.abs(distances - DISTANCE_M), facing, float(distances.min()), slid, deep


def _skate(walk: Walk) -> float:
    """Return the mean speed, cm/s, of feet in contacts that are detected in the motion."""
    found = summarise_traces(measure_traces(walk.clip, walk.contacts, Plane(), level_ground_clip=walk.standing_clip))
    return next(row.mean for row in found if row.measure == "foot_sliding")
