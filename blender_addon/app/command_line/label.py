"""``label``: contacts, phases, gaits and actions of the file's actions."""

import argparse
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import bpy

from ....core.errors import FootfallError
from ....core.labelling.presets import LabellingPreset, find_preset
from ....core.labelling.report import entry_of, write_report
from ....core.labelling.review.ranking import Spot
from ...label.batch_operators import corrected_labels
from ...label.detection import Finding, TakeName, find
from ...label.edits import settle
from ...label.exchange import ENDING
from ...label.operators import places
from ...label.presets import to_preset
from ...rig.clips import Take
from ...train.clips import file_name
from .actions import chosen_takes
from .job import Job
from .options import add_json, add_names
from .saving import add_saving, goal_of, save

HELP = "Label the motion of the file's actions; corrections that were made by hand stay."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall label --all --save
  blender -b takes.blend --command footfall label --action walk_01 walk_02 --preset quadruped --output labelled.blend
  blender -b takes.blend --command footfall label --all --out labels/ --json

--out writes <action>.labels.npz for each, and report.md and report.json with the places to check, the most doubtful
first. Files of motion capture are labelled without Blender: python -m footfall label."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_names(parser, "--action", "actions of the file", "every action that moves an armature")
    parser.add_argument(
        "--preset", metavar="NAME_OR_TOML", help="what is looked for (default: what is chosen in the scene)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where label files and a report go, too")
    add_saving(parser)
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Labels one action after the other, and saves."""
    scene, goal = bpy.context.scene, goal_of(options)
    preset = find_preset(options.preset) if options.preset else to_preset(scene.footfall.labelling)
    takes = chosen_takes(options)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"preset": preset.name, "labelled": [], "failed": []}
    taken: dict[Path, str] = {}
    job.total = len(takes)
    for name, take in takes.items():
        with job.item(action=name) as entry:
            if take is None:
                raise FootfallError("There is no such action that moves an armature of this file.")
            entry["armature"] = take[0].name_full
            finding = _labelled(take, preset, entry, job)
            if options.out:
                file = options.out / f"{file_name(name)}{ENDING}"
                if taken.setdefault(file, name) != name:
                    raise FootfallError(f"'{file}' has the labels of '{taken[file]}' already: rename an action.")
                report["labelled"].append(_written(take, finding, preset, file))
                entry["labels"] = str(file)
        if job.items[-1]["error"]:
            report["failed"].append({"clip": name, "error": job.items[-1]["error"]})
    if options.out:
        write_report(report, options.out)
    save(goal, job)


def _labelled(take: Take, preset: LabellingPreset, entry: dict[str, Any], job: Job) -> Finding:
    """Labels an action and tells of it in its entry."""
    armature, action = take
    if action.is_editable:
        settle(armature, action)
    finding = job.drive(_found(TakeName.of(take), preset), action.name)
    finding.write()
    job.changed = True
    strikes = Counter(strike.side for strike in finding.marks.strikes if not strike.removed)
    entry |= {
        "message": f"{finding.marks.count} frames, {strikes.total()} foot strikes, {places(len(finding.spots))}",
        "first_frame": finding.marks.first,
        "frames": finding.marks.count,
        "strikes": dict(strikes),
        "spots": [
            {"frame": spot.frame, "name": spot.name, "doubt": spot.doubt, "text": spot.text} for spot in finding.spots
        ],
    }
    return finding


def _found(take: TakeName, preset: LabellingPreset) -> Generator[tuple[float, str], None, Finding]:
    steps = find(take, bpy.context.scene, preset)
    while True:
        try:
            yield next(steps), "is labelled"
        except StopIteration as done:
            return done.value


def _written(take: Take, finding: Finding, preset: LabellingPreset, file: Path) -> dict[str, Any]:
    """Writes an action's label file; what the report says of it."""
    labels = corrected_labels(take, bpy.context.scene, preset)
    labels.save(file)
    spots = [
        Spot(spot.frame - finding.marks.first, spot.kind, spot.name, spot.doubt, spot.text) for spot in finding.spots
    ]
    return entry_of(Path(take[1].name), Path(file.name), labels, spots)
