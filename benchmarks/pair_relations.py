"""Characters that respond to another one: distance, facing, skate and collisions of each relation."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..cli.walk import SHIPPED_CONTROLLER
from ..core.control.pair.answer_walk import begin_answer
from ..core.control.pair.relation import Relation
from ..core.control.pair.relation_kinds import RELATIONS, RelationKind
from ..core.control.passes.gaze import face_of, look_at
from ..core.control.path.path import Path
from ..core.control.path.path_events import Cues, Wait
from ..core.control.walk.finished_frames import LEVEL_GROUND
from ..core.control.walk.finished_walk import Walk
from ..core.control.walk.path_walk import begin_walk, make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.footing import measure_footing
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.features.locomotion import ROOT_SMOOTHING_S
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import root_track, yaw_of
from ..core.motion.rotations import Array, wrap_angle
from ..core.scene.body_overlap import deepest_overlap
from ..core.terrain.ground import Scene, StaticScene
from ..core.terrain.heightfield import Heightfield
from ..core.terrain.walk_scene import WalkScene
from .tables import Part, Table, table

SEEDS: Final = (1, 2, 3)
DISTANCE_M: Final = 1.2
GOAL: Final = np.array([2.0, 3.0])
MAX_DEPTH_M: Final = 0.02
"""Depth above which bodies collide."""
COURSE: Final = Path(np.array([[0.0, 0.0], [3.0, 0.0], [5.0, 2.0], [5.0, 5.0], [2.0, 6.0], [-1.0, 5.5]]))
SPEED_M_S: Final = 1.1
WAITS: Final = Cues((), (Wait(4.0, 2.5), Wait(9.0, 2.0)))
HEAD: Final = (
    *("relation", "distance error mean, cm", "distance error 95 %, cm", "least distance, m", "facing error mean, deg"),
    *("facing error 95 %, deg", "skate, cm/s", "frames deeper than 2 cm, %"),
)
CORRIDOR: Final = Path(np.array([[-2.5, 0.0], [10.5, 0.0]]))
CORRIDOR_HALF_WIDTH_M: Final = 1.2
TREAD_M, RISE_M, STEPS = 0.29, 0.17, 8
CELL_M: Final = 0.02
CORRIDOR_HEAD: Final = (
    *("relation", "distance mean, m", "least", "most", "deepest in the ground, mm", "float, mm", "skate, cm/s"),
    *("nearest to a wall, cm", "highest, m"),
)


def measure_relations() -> list[Part]:
    """Return the part of the section on characters that respond to another one."""
    model = load_model(SHIPPED_CONTROLLER)
    leaders = [make_walk(model, WalkRequest(COURSE, SPEED_M_S, seed=seed, cues=WAITS)) for seed in SEEDS]
    skate = float(np.mean([_skate(walk) for walk in leaders]))
    rows: list[Sequence[object]] = [["leader", *(None,) * 5, skate, None]]
    for kind in RELATIONS:
        measured = [_measure(model, kind, walk.clip, seed) for seed, walk in zip(SEEDS, leaders, strict=True)]
        errors, facing = (np.concatenate([one[number] for one in measured]) for number in (0, 1))
        least, slid, deep = (np.array([one[number] for one in measured]) for number in (2, 3, 4))
        shown = (errors.mean(), np.percentile(errors, 95), least.min(), facing.mean(), np.percentile(facing, 95))
        rows.append([kind, *map(float, shown), float(slid.mean()), float(deep.mean())])
    return [
        table(list(HEAD), rows, "Characters that answer a leader on level ground"),
        _measure_in_corridor(model),
    ]


def _measure_in_corridor(model: ControllerModel) -> Table:
    """Return the table of responding characters over stairs, between walls."""
    scene, leaders = _corridor(), []
    for seed in SEEDS:
        walking = begin_walk(model, WalkRequest(CORRIDOR, SPEED_M_S, scene, seed=seed))
        walking.advance(walking.total_frames)
        leaders.append(walking.finish())
    rows: list[Sequence[object]] = []
    for kind in RELATIONS:
        walks = []
        for seed, leader in zip(SEEDS, leaders, strict=True):
            relation = Relation(kind, DISTANCE_M, goal=np.array([12.0, 0.0]))
            answer = begin_answer(model, relation, leader.clip, seed=seed, scene=scene)
            answer.advance(answer.total_frames)
            walks.append(answer.finish())
        pairs = list(zip(walks, leaders, strict=True))
        apart = np.concatenate([np.linalg.norm(_places(one) - _places(other), axis=-1) for one, other in pairs])
        footing = [measure_footing(one.clip, one.contacts, scene.ground, one.standing_clip) for one in walks]
        sideways = max(float(np.abs(one.clip.positions[..., 1]).max()) for one in walks)
        rows.append(
            [
                *(kind, float(apart.mean()), float(apart.min()), float(apart.max())),
                max(one["penetration_max_mm"] for one in footing),
                float(np.mean([one["float_mean_mm"] for one in footing])),
                float(np.mean([_skate(one, scene.ground) for one in walks])),
                100 * (CORRIDOR_HALF_WIDTH_M - sideways),
                max(float(one.clip.root_positions[:, 2].max()) for one in walks),
            ]
        )
    return table(list(CORRIDOR_HEAD), rows, "Over stairs in a corridor")


def _corridor() -> WalkScene:
    """Return stairs up, a landing and stairs down along X, between two walls."""
    x, y = (np.arange(low, high, CELL_M) for low, high in ((-6.0, 14.0), (-3.0, 3.0)))
    up, down = (np.clip(np.floor((x - first) / TREAD_M) + 1, 0, STEPS) for first in (0.0, 5.0))
    origin = np.array([x[0], y[0]])
    ground = np.tile(RISE_M * (up - down), (len(y), 1))
    walls = np.tile(np.where(np.abs(y) > CORRIDOR_HALF_WIDTH_M, 4.0, -1.0)[:, None], (1, len(x)))
    scenes = (StaticScene(Heightfield(heights, CELL_M, origin)) for heights in (ground, walls))
    return WalkScene(*scenes)


def _places(walk: Walk) -> Array:
    """Return the smoothed roots (F, 2), meters."""
    return root_track(walk.clip, ROOT_SMOOTHING_S).positions


def _measure(
    model: ControllerModel, kind: RelationKind, other: Clip, seed: int
) -> tuple[Array, Array, float, float, float]:
    """Return the measures of a response.

    They are distance errors (F), cm, facing errors (F), degrees, smallest distance, m, skate, cm/s, and deep frames, %.
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


def _skate(walk: Walk, ground: Scene = LEVEL_GROUND) -> float:
    """Return the mean speed, cm/s, of feet in detected contacts."""
    found = summarise_traces(measure_traces(walk.clip, walk.contacts, ground, level_ground_clip=walk.standing_clip))
    return next(row.mean for row in found if row.measure == "foot_sliding")
