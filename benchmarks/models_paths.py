"""Path following of every family, by itself (PFNN Table 2) and in actual use."""

import numpy as np

from ..core.control.runtime.response_bias import ResponseBias
from ..core.evaluation import course_points
from ..core.evaluation.path_error import cross_track_error
from .courses import measure_course
from .free_rollout import roll_out_paths
from .laboratory import trained
from .mocap import measure_mocap
from .setup import Setup
from .tables import Part, table

TITLE = "Families of networks: paths"
COURSES = ("wave", "square", "circle")
BIASES = (ResponseBias(0.5, 2.0), ResponseBias(2.0, 5.0), ResponseBias(5.0, 10.0))
SPEED = 1.2
PAPER = ((17.3, 10.7, 8.9), (21.3, 11.3, 8.2), (13.7, 8.0, 5.8))

NOTES = """\
*By itself*: steered by the future trajectory alone, no foot held; biases of position and direction as in PFNN's Table
2."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    mocap = None
    for one in trained(setup):
        mocap = mocap or measure_mocap(setup, one.model)
        points = [course_points(name) for name in COURSES]
        tracks = [roll_out_paths(one.model, points, SPEED, bias) for bias in BIASES]
        alone = [
            " / ".join(_error(by_bias[number].positions[:, 0], points[number]) for by_bias in tracks)
            for number in range(len(COURSES))
        ]
        skates = [100 * track.foot_skate(one.model.task.foot_joints) for track in tracks[1]]
        used = [measure_course(one.model, name, mocap) for name in COURSES]
        own = {key: _mean([walk["own"][key] for walk in used]) for key in DETAIL}
        errors = " / ".join(f"{walk['own']['cross_track_mean_cm']:.1f}" for walk in used)
        found = " / ".join(f"{walk['found']['skate_mean_cm_s']:.1f}" for walk in used)
        used_row = [errors, found, *(own[key] for key in DETAIL)]
        rows.append([one.entrant.title, *alone, " / ".join(f"{skate:.1f}" for skate in skates), *used_row])
    assert mocap is not None
    rows.append(["PFNN, the paper's", *(" / ".join(map(str, errors)) for errors in PAPER), *[None] * 5])
    rows.append(["mocap, straight", *[None] * 3, mocap.straight["skate_mean_cm_s"], None, None, 1.0, 1.0])
    head = ["network", *(f"{name}, by itself cm" for name in COURSES), "skate, by itself cm/s"]
    head += ["as used: path cm", "skate cm/s", "motion detail", "toe lift"]
    return [table(head, rows), NOTES]


DETAIL = ("motion_detail_ratio", "toe_lift_ratio")


def _error(positions: np.ndarray, points: np.ndarray) -> str:
    arrived = np.linalg.norm(positions[-1] - points[-1]) < 1.0
    return f"{100 * float(cross_track_error(positions[60:], points).mean()):.1f}" if arrived else "-"


def _mean(values: list[object]) -> float | None:
    known = [value for value in values if isinstance(value, int | float)]
    return float(np.mean(known)) if len(known) == len(values) else None
