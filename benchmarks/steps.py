"""Edited steps and retimed stretches: places of standing feet, and quality of the motion around them."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.control.edit.foot import feet_of
from ..core.control.edit.retiming import Stretch, retime
from ..core.control.edit.step_edit import StepEdit, edit_steps
from ..core.control.performance import Performance
from ..core.control.walk.walk_performance import walk_performance
from ..core.errors import FootfallError
from ..core.motion.rotations import Array, length
from ..core.terrain.ground import Plane
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .captured import captured_clip
from .measures.extremes import joint_accelerations
from .poses import curved_walk, mean_slide
from .setup import Setup
from .tables import Part, Table, table

TITLE = "Edited steps"
IN_BLENDER: Final = Path(__file__).with_name("steps_in_blender.py")
WALKS: Final = 50
WALK_M: Final = 8.0
SPEEDS_M_S: Final = (0.8, 1.8)
CAPTURED_RATE_HZ: Final = 60.0
KINDS: Final = ("moved", "turned", "held longer", "held shorter")
LARGEST_SHIFT_M: Final = 0.15
LARGEST_TURN_RAD: Final = 0.5
LONGER_S, SHORTER_S = 0.08, 0.1
RATIOS: Final = (0.7, 0.85, 1.2, 1.5, 2.0)
"""Ratios of durations, each of a second and a half in the middle of ten walks."""
STRETCH_S: Final = 1.5
AROUND_S: Final = 0.5
"""Time before and after an edited contact for measures of its motion."""

NOTES: Final = """\
*Off*: largest distance of the ankle from where it is to stand, over the contact of a step that was moved. *Others*:
largest move of an ankle in a contact that is not edited."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The figures of one edit: mm, rad/s^2 (N), cm/s."""

    off: float | None
    others: float
    changes: Array
    changes_before: Array
    slide: float
    is_told: bool


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    found: dict[str, list[Edited]] = {kind: [] for kind in KINDS}
    retimed: dict[float, list[Edited]] = {ratio: [] for ratio in RATIOS}
    for seed in range(WALKS):
        model = setup.model()
        made = curved_walk(model, WALK_M, SPEEDS_M_S, np.random.default_rng([seed, 1]), seed)
        walk = walk_performance(made, model.gaits, 0.0)
        for kind, edited in edit_walk(walk, LARGEST_SHIFT_M, np.random.default_rng(seed)):
            found[kind].append(edited)
        ratio = RATIOS[seed % len(RATIOS)]
        retimed[ratio].append(_retime_walk(walk, ratio))
    rows = [row(kind, edits) for kind, edits in found.items()]
    rows.append(row("all", [one for edits in found.values() for one in edits]))
    rows += [row(f"retimed, x {ratio:g}", edits) for ratio, edits in retimed.items()]
    names = [str(path.relative_to(setup.data).with_suffix("")) for path in setup.clips("walk", split="test")]
    clips = [captured_clip(setup.data, name, setup.model().skeleton, CAPTURED_RATE_HZ) for name in names]
    captured = np.concatenate([joint_accelerations(clip).ravel() for clip in clips])
    rows.append(["captured", "-", "-", "-", float(np.percentile(captured, 99)), "-", "-", "-"])
    head = ["edit", "edits", "off mm", "others mm", "acceleration rad/s2", "before", "slide cm/s", "told"]
    return [table(head, rows), _in_blenders(setup), NOTES]


def row(kind: str, edits: list[Edited]) -> list[object]:
    """Return a row of the table."""
    return [
        kind,
        len(edits),
        max((one.off for one in edits if one.off is not None), default=None),
        max(one.others for one in edits),
        float(np.percentile(np.concatenate([one.changes for one in edits]), 99)),
        float(np.percentile(np.concatenate([one.changes_before for one in edits]), 99)),
        float(np.mean([one.slide for one in edits])),
        sum(one.is_told for one in edits),
    ]


def edit_walk(walk: Performance, largest_m: float, random: np.random.Generator) -> list[tuple[str, Edited]]:
    """Return the figures of one edit of each kind; a step is moved by up to a distance, meters."""
    result, feet = [], feet_of(walk.clip.skeleton)
    for kind in KINDS:
        foot = feet[int(random.integers(len(feet)))]
        runs = foot.runs(walk.contacts)
        start, stop = runs[int(random.integers(1, len(runs) - 1))]
        way = random.uniform(0.0, 2.0 * np.pi)
        shift = random.uniform(0.3, 1.0) * largest_m * np.array([np.cos(way), np.sin(way)])
        edit = StepEdit(
            foot.name,
            int(start + stop) // 2,
            shift * (kind == "moved"),
            float(random.uniform(-1.0, 1.0)) * LARGEST_TURN_RAD * (kind == "turned"),
            later=LONGER_S * (kind == "held longer") - SHORTER_S * (kind == "held shorter"),
        )
        made, issues = edit_steps(walk, [edit], Plane())
        result.append((kind, _figures(walk, made, edit, (int(start), int(stop)), bool(issues))))
    return result


def _figures(walk: Performance, made: Performance, edit: StepEdit, contact: tuple[int, int], told: bool) -> Edited:
    """Return the figures of one edited contact, from its first frame to the one after its last."""
    start, stop = contact
    margin = round(AROUND_S * walk.clip.rate)
    around = slice(max(start - margin, 0), stop + margin)
    off, others = None, 0.0
    for foot in feet_of(walk.clip.skeleton):
        moved = foot.places(made.clip) - foot.places(walk.clip)
        for first, last in foot.runs(walk.contacts):
            if (foot.name, first) != (edit.side, start):
                others = max(others, float(length(moved[first:last]).max()))
            elif not (edit.earlier or edit.later or edit.turn):
                off = float(length(moved[first:last, :2] - edit.shift).max())
    return Edited(
        None if off is None else 1000 * off,
        1000 * others,
        joint_accelerations(made.clip)[around].ravel(),
        joint_accelerations(walk.clip)[around].ravel(),
        mean_slide(made.clip, made.contacts, around),
        told,
    )


def _retime_walk(walk: Performance, ratio: float) -> Edited:
    """Return the figures of a retimed walk."""
    middle, half = len(walk.clip) // 2, round(STRETCH_S * walk.clip.rate / 2)
    made, _ = retime(walk, [Stretch(middle - half, middle + half, ratio)], Plane())
    before = slice(middle - 2 * half, middle + 2 * half)
    after = slice(before.start, before.stop + len(made.clip) - len(walk.clip))
    changes, changes_before = (
        joint_accelerations(one.clip)[span].ravel() for one, span in ((made, after), (walk, before))
    )
    return Edited(None, 0.0, changes, changes_before, mean_slide(made.clip, made.contacts, after), False)


def _in_blenders(setup: Setup) -> Table:
    """Return the table of bakes after a footprint was moved."""
    ready = {version: environment for version, environment in BLENDERS.items() if is_ready(environment)}
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    found = {version: _in_blender(environment, setup.model_path()) for version, environment in ready.items()}
    head = ["Blender", "from nothing s", "baked again s", "share"]
    return table(head, [[version, one["whole"], one["again"], one["share"]] for version, one in found.items()])


def _in_blender(blender: Environment, controller: Path) -> dict[str, Any]:
    """Return the measurements of the script with the same name."""
    command = [str(blender.python), "-P", str(IN_BLENDER), str(controller)]
    child = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if child.returncode:
        raise FootfallError(f"Edited steps in Blender failed: {child.stderr.strip()[-400:]}")
    return json.loads(child.stdout.strip().splitlines()[-1])
