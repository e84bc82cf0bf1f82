"""Table 2 and Figure 15 of PFNN, measured for the shipped controller alone."""

from typing import Final

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation import course_points
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.footing import measure_footing
from ..core.evaluation.path_error import cross_track_error
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from ..core.terrain.ground import StaticScene
from ..core.terrain.heightfield import Heightfield
from ..core.terrain.walk_scene import WalkScene
from .free_rollout import roll_out_paths
from .measures.extremes import joint_speed_percentile, largest_joint_speed
from .models_paths import BIASES, COURSES, PAPER, SPEED
from .setup import Setup
from .tables import Part, table

TITLE = "PFNN's Table 2 and Figure 15, by the shipped controller"
SETTLING: Final = 60
"""Ignored frames at the start of path errors."""
ANGLES_DEG: Final = (0, 10, 20, 30, 35, 40, 45)
SLOPE_SPEED: Final = 1.1
CELL: Final = 0.04
FLAT_M: Final = 1.5
"""Level distance before and behind a slope."""
SLOPE_M: Final = 5.0
"""Horizontal length of a slope."""
LENGTH_M: Final = 2 * FLAT_M + SLOPE_M
SIDE_M: Final = 2.0
"""Ground beside the way, and before and behind it."""
SEEDS: Final = (0, 1, 2)

NOTES = """\
*Table 2*: distance from the path, mean after the first second, cm, at PFNN's biases of position and direction, at 1.2
m/s. *By itself*: the network is steered by the future trajectory alone; nothing draws it back, no foot is held."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    head = ["path", *(f"by itself {bias.position:g}, {bias.direction:g}" for bias in BIASES), "paper's", "facing deg"]
    parts = [table([*head, "skate cm/s", "as used"], _path_rows(model)), NOTES]
    head = ["slope", "arrive", "speed m/s", "path cm: mean / max", "penetration mm: mean / max", "skate cm/s"]
    head += ["hips: lowest / mean", "joints rad/s", "by itself: penetration / float mm"]
    rows = [
        slope_row(model, way, angle) for way in ("up", "down", "across") for angle in ANGLES_DEG if angle or way == "up"
    ]
    return [*parts, table(head, rows)]


def _path_rows(model: ControllerModel) -> list[list[object]]:
    """Return a row for each course."""
    points = [course_points(name) for name in COURSES]
    by_bias = [roll_out_paths(model, points, SPEED, bias) for bias in BIASES]
    rows: list[list[object]] = []
    for number, (name, course) in enumerate(zip(COURSES, points, strict=True)):
        tracks = [tracks[number] for tracks in by_bias]
        errors = [100 * float(cross_track_error(one.positions[SETTLING:, 0], course).mean()) for one in tracks]
        middle = tracks[1]
        way = Path(course)
        nearest = np.argmin(np.linalg.norm(middle.positions[SETTLING:, 0, None] - way.points[None], axis=-1), axis=1)
        turned = middle.yaws[SETTLING:, 0] - way.yaw_at(way.arc_lengths[nearest])
        facing = np.degrees(np.abs(np.angle(np.exp(1j * turned)))).mean()
        walk = begin_walk(model, WalkRequest(way, SPEED))
        while walk.advance(ADVANCE_CHUNK_FRAMES):
            pass
        used = 100 * float(cross_track_error(walk.trace.frames.position[SETTLING:], course).mean())
        skate = 100 * middle.foot_skate(model.task.foot_joints)
        rows.append([name, *errors, " / ".join(map(str, PAPER[number])), float(facing), skate, used])
    return rows


def slope_row(model: ControllerModel, way: str, angle: float) -> list[object]:
    """Return the row of a slope.

    Args:
        model: the controller.
        way: ``up``, ``down`` or ``across``.
        angle: angle of the slope, degrees.
    """
    walks = [_walk_slope(model, slope_ground(way, angle), seed) for seed in SEEDS]
    worst, mean = np.max(walks, axis=0), np.mean(walks, axis=0)
    lowest = np.min(walks, axis=0)
    name = "level" if angle == 0 else f"{angle:g} degrees {way}"
    return [
        name,
        f"{round(sum(walk[0] for walk in walks))} of {len(walks)}",
        float(mean[1]),
        f"{mean[2]:.1f} / {worst[3]:.1f}",
        f"{mean[4]:.1f} / {worst[5]:.1f}",
        float(mean[6]),
        f"{lowest[7]:.2f} / {mean[8]:.2f}",
        f"{mean[9]:.1f} / {worst[10]:.1f}",
        f"{mean[11]:.1f} / {mean[12]:.1f}",
    ]


def slope_ground(way: str, angle: float) -> Heightfield:
    """Return a slope along the way to +X, or one crossed by the way."""
    steepness = np.tan(np.radians(angle))
    x = np.arange(-SIDE_M, LENGTH_M + SIDE_M, CELL)
    y = np.arange(-SIDE_M, SIDE_M, CELL)
    inside = np.clip(x - FLAT_M, 0.0, SLOPE_M)
    if way == "across":
        # The plane tilts over the half meter before the slope, and levels behind it.
        share = np.clip(np.minimum(x - FLAT_M + 0.5, LENGTH_M - FLAT_M + 0.5 - x) / 0.5, 0.0, 1.0)
        heights = steepness * y[:, None] * share
    else:
        heights = np.tile(steepness * inside * (1 if way == "up" else -1), (len(y), 1))
    return Heightfield(heights, CELL, np.array([-SIDE_M, -SIDE_M]))


def _walk_slope(model: ControllerModel, ground: Heightfield, seed: int) -> Array:
    """Return the measures (13) of a walk over a slope, in the order of :func:`slope_row`."""
    scene, points = StaticScene(ground), np.array([[0.0, 0.0], [LENGTH_M, 0.0]])
    walk = begin_walk(model, WalkRequest(Path(points), SLOPE_SPEED, WalkScene(scene), seed=seed))
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    made = walk.finish()
    clip, contacts = made.clip, made.contacts
    loose = measure_footing(walk.decode_walk(), contacts, scene, made.standing_clip)
    held = measure_footing(clip, contacts, scene, made.standing_clip)
    skate = skate_speeds(sensor_tracks(clip, BIPED_PRESET, made.standing_clip), contacts.probabilities, clip.rate)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    on = (hips[:, 0] > FLAT_M + 0.5) & (hips[:, 0] < LENGTH_M - FLAT_M - 0.5)
    over = (hips[:, 2] - ground.heights(hips)) / hips[0, 2]
    errors = 100 * cross_track_error(walk.trace.frames.position[SETTLING:], points)
    times = np.count_nonzero(on) / clip.rate
    return np.array(
        [
            float(np.linalg.norm(hips[-1, :2] - points[-1]) < 0.5),
            float(np.linalg.norm(np.diff(hips[on], axis=0), axis=-1).sum()) / times,
            errors.mean(),
            errors.max(),
            held["penetration_mean_mm"],
            held["penetration_max_mm"],
            100 * float(skate.mean()),
            over[on].min(),
            over[on].mean(),
            joint_speed_percentile(clip),
            largest_joint_speed(clip).value,
            loose["penetration_mean_mm"],
            loose["float_mean_mm"],
        ]
    )
