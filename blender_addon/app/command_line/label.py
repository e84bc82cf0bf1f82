"""``label``: contacts, phases, gaits and actions of the file's actions."""

import argparse
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import bpy

from ....core.errors import FootfallError
from ....core.jobs.file_names import disk_key, safe_file_name
from ....core.jobs.steps import mapped
from ....core.labelling.presets import LabellingPreset, find_preset
from ....core.labelling.report import report_entry, write_report
from ....core.labelling.review.ranking import ReviewSpot
from ...label.batch_operators import corrected_labels
from ...label.detection import ArmatureActionRef, LabelDetection, detect_labels
from ...label.edits import commit_manual_edits
from ...label.exchange import LABEL_FILE_SUFFIX
from ...label.operators import issue_count_text
from ...label.presets import to_preset
from ...rig.clips import ArmatureAction
from .actions import actions_from_options
from .job import Job
from .options import add_json, add_name_selection
from .saving import add_saving, output_path, save

HELP = "Label actions in the file. Corrections by hand are kept."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall label --all --save
  blender -b takes.blend --command footfall label --action walk_01 walk_02 --preset quadruped --out labeled.blend
  blender -b takes.blend --command footfall label --all --labels-out labels/ --json

--labels-out writes <action>.labels.npz for each action, and report.md and report.json with the frames to check, most
doubtful first. To label motion capture files without Blender, use python -m footfall label."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_name_selection(parser, "--action", "names of actions in the file", "all actions that move an armature")
    parser.add_argument(
        "--preset", metavar="NAME_OR_TOML", help="labeling preset: a name or a TOML file (default: the scene's)"
    )
    parser.add_argument("--labels-out", type=Path, metavar="DIR", help="folder for label files and a report")
    add_saving(parser)
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Label the actions one after the other, and save the file."""
    scene, goal = bpy.context.scene, output_path(options)
    preset = find_preset(options.preset) if options.preset else to_preset(scene.footfall.labelling)
    takes = actions_from_options(options)
    if options.labels_out:
        options.labels_out.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"preset": preset.name, "labeled": [], "failed": []}
    taken: dict[str, str] = {}
    job.total = len(takes)
    for name, take in takes.items():
        with job.item(action=name) as entry:
            if take is None:
                raise FootfallError("No action with this name moves an armature in the file: check the name")
            entry["armature"] = take[0].name_full
            finding = _label_action(take, preset, entry, job)
            if options.labels_out:
                file = options.labels_out / f"{safe_file_name(name)}{LABEL_FILE_SUFFIX}"
                if taken.setdefault(disk_key(file), name) != name:
                    raise FootfallError(
                        "The label file '{file}' was already written for the action '{action}': rename one of "
                        "the actions",
                        file=file,
                        action=taken[disk_key(file)],
                    )
                report["labeled"].append(_write_label_file(take, finding, preset, file))
                entry["labels"] = str(file)
        if job.items[-1]["error"]:
            report["failed"].append({"clip": name, "error": job.items[-1]["error"]})
    if options.labels_out:
        write_report(report, options.labels_out)
    save(goal, job)


def _label_action(take: ArmatureAction, preset: LabellingPreset, entry: dict[str, Any], job: Job) -> LabelDetection:
    """Label an action and add the result to its report entry."""
    armature, action = take
    if action.is_editable:
        commit_manual_edits(armature, action)
    finding = job.run(_detect_labels(ArmatureActionRef.of(take), preset), action.name)
    finding.write()
    job.changed = True
    strikes = Counter(strike.side for strike in finding.editable_labels.strikes if not strike.removed)
    frames, issues = finding.editable_labels.frame_count, issue_count_text(len(finding.issues))
    entry |= {
        "message": f"{frames} frames, {strikes.total()} foot strikes, {issues}",
        "first_frame": finding.editable_labels.first_frame,
        "frames": frames,
        "foot_strikes": dict(strikes),
        "issues": [
            {"frame": spot.frame, "name": spot.name, "doubt": spot.doubt, "text": spot.text} for spot in finding.issues
        ],
    }
    return finding


def _detect_labels(
    take: ArmatureActionRef, preset: LabellingPreset
) -> Generator[tuple[float, str], None, LabelDetection]:
    return mapped(detect_labels(take, bpy.context.scene, preset), lambda share: (share, "Labeling"))


def _write_label_file(
    take: ArmatureAction, finding: LabelDetection, preset: LabellingPreset, file: Path
) -> dict[str, Any]:
    """Write an action's label file; return its report entry."""
    labels = corrected_labels(take, bpy.context.scene, preset)
    labels.save(file)
    spots = [
        ReviewSpot(spot.frame - finding.editable_labels.first_frame, spot.kind, spot.name, spot.doubt, spot.text)
        for spot in finding.issues
    ]
    return report_entry(Path(take[1].name), Path(file.name), labels, spots)
