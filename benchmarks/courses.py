"""Path courses: distance from the path, speed, foothold and liveliness of a controller's walks."""

from collections.abc import Mapping

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import WalkRollout, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation import COURSE_NAMES, course_points, evaluate
from ..core.evaluation.report import MetricReport, MetricValue
from ..core.labelling import Labels, label_clip
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from .mocap import Mocap, measure_mocap
from .setup import Setup
from .tables import Part, Table, table

TITLE = "Path courses"
SPEED = 1.2

REACH = {"wave": "2.5 / 12", "square": "4 / 12", "circle": "2 / 12"}
PAPER = {"wave": "8.9", "square": "8.2", "circle": "5.8"}
TRIAL = {"wave": "1.4 / 4.9", "square": "2.6 / 10.0", "circle": "1.2 / 3.7", "straight": "1.0 / 2.6"}
RELEASED = {"wave": "3.3 / 7.7", "square": "3.7 / 13.5", "circle": "3.0 / 4.3", "straight": "3.7 / 5.6"}

NOTES = """\
The root is the hips' joint on the ground; every walk goes from standing to standing. *Held* contacts are those of the
foot locks, *found* those detected again in the finished walk."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    mocap = measure_mocap(setup, model)
    walks = {name: measure_course(model, name, mocap) for name in COURSE_NAMES}
    return [path_table(walks, mocap), NOTES, detail_table(walks, mocap)]


def measure_course(model: ControllerModel, name: str, mocap: Mocap, speed: float = SPEED) -> dict[str, MetricReport]:
    """Walk one course and measure it by the controller's own contacts (``own``) and by detected ones (``found``)."""
    points = course_points(name)
    walking = begin_walk(model, WalkRequest(Path(points), speed))
    while walking.advance(walking.total_frames):
        pass
    return measure_walk(walking, points, mocap, speed)


def measure_walk(walking: WalkRollout, points: Array, mocap: Mocap, speed: float = SPEED) -> dict[str, MetricReport]:
    """Measure a walk rolled out along a course (N, 2), like :func:`measure_course`."""
    model, walk = walking.model, walking.finish()
    planned = walking.trace.planned_lengths
    found = label_clip(walk.clip)
    own = Labels(
        found.frame_rate,
        found.contact_joints,
        walk.contacts.probabilities,
        walk.phase,
        tuple(model.gaits),
        walk.gaits,
        found.left_strikes,
        found.right_strikes,
        found.ground,
    )
    return {
        whose: evaluate(
            walk.clip,
            points,
            labels,
            speed=speed,
            targets=walking.path.position_at(planned),
            ground=0.0,
            standing_heights=mocap.clearances,
            mocap=mocap.straight,
        )
        for whose, labels in (("own", own), ("found", found))
    }


def path_table(walks: Mapping[str, Mapping[str, MetricReport]], mocap: Mocap) -> Table:
    """Return the table of cross-track error and speed, with the references."""
    rows: list[list[object]] = []
    for name, walk in walks.items():
        own = walk["own"]
        errors = [own["cross_track_mean_cm"], own["cross_track_max_cm"], own["timed_mean_cm"]]
        references = [known.get(name) for known in (REACH, PAPER, TRIAL, RELEASED)]
        rows.append([name, *errors, own["speed_kept_m_s"], *references])
    for name, row in (("mocap, straight", mocap.straight), ("mocap, turning", mocap.turning)):
        rows.append(
            [f"{name} ({row['clips']})", row["cross_track_mean_cm"], row["cross_track_max_cm"], None, row["speed_m_s"]]
            + [None] * 4
        )
    head = ["course at 1.2 m/s", "mean cm", "max cm", "timed cm", "speed m/s", "reach", "paper", "trial", "released"]
    return table(head, rows)


def detail_table(walks: Mapping[str, Mapping[str, MetricReport]], mocap: Mocap) -> Table:
    """Return the table of skate, depth, float and motion detail, with the mocap rows."""
    rows: list[list[object]] = []
    for name, walk in walks.items():
        own, found = walk["own"], walk["found"]
        contact = f"{own['contact_share']:.2f} / {found['contact_share']:.2f}"
        ratios = (own[key] for key in RATIOS)
        rows.append([name, contact, _pair(own, SKATE), _pair(found, SKATE), *_depths(own), *ratios, _pair(own, LEAN)])
    for name, row in (("mocap, straight", mocap.straight), ("mocap, turning", mocap.turning)):
        shares: list[object] = [_share(row[key], mocap.straight[key]) for key in MEASURED]
        contact = f"{row['contact_share']:.2f}"
        rows.append([name, contact, None, _pair(row, SKATE), *_depths(row), *shares, _pair(row, LEAN)])
    rows.append(["reach", None, "1.5", None, None, None, None, "0.9-1.1", "0.9-1.1", None, None, None])
    straight = mocap.straight
    units = [f"{straight[key]:.1f} {unit}" for key, unit in zip(MEASURED, ("deg/s", "cm", "cm", "m/s^3"), strict=True)]
    head = [
        "course",
        "share in contact: held / found",
        "skate cm/s, held contacts: mean / p95",
        "found contacts: mean / p95",
        "NSM drift cm/s",
        "depth mm: mean / max",
        "float mm",
        f"motion detail (of {units[0]})",
        f"toe lift (of {units[1]})",
        f"hip sway (of {units[2]})",
        f"jerk (of {units[3]})",
        "lean deg: pelvis / chest",
    ]
    return table(head, rows)


SKATE = ("skate_mean_cm_s", "skate_p95_cm_s")
LEAN = ("pelvis_lean_deg", "chest_lean_deg")
DEPTH = ("penetration_mean_mm", "penetration_max_mm")
RATIOS = ("motion_detail_ratio", "toe_lift_ratio", "hip_sway_ratio", "jerk_ratio")
MEASURED = ("joint_rotation_deg_s", "toe_lift_cm", "hip_sway_cm", "jerk_m_s3")


def _depths(report: Mapping[str, MetricValue]) -> list[object]:
    return [report["drift_cm_s"], _pair(report, DEPTH), report["float_mean_mm"]]


def _pair(report: Mapping[str, MetricValue], keys: tuple[str, str]) -> str:
    first, second = (report[key] for key in keys)
    return "-" if first is None or second is None else f"{first:.1f} / {second:.1f}"


def _share(value: MetricValue, reference: MetricValue) -> float | None:
    return value / reference if isinstance(value, float) and isinstance(reference, float) and reference else None
