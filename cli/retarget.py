"""``retarget``: transfer clips to another skeleton."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .reading import add_reading_options, describe_target, reading_of, summarize_notes, summarize_target

if TYPE_CHECKING:
    from ..core.motion import Clip, Skeleton
    from ..core.motion.bvh_target import BvhTarget
    from ..core.motion.rotations import Array
    from ..core.retarget.calibration import CalibrationMethod
    from ..core.retarget.rest_pose_from_motion import ActorKey, Stance

HELP = "Retarget BVH clips to another skeleton, keeping the contacts of feet and hands"
EXAMPLES = """\
examples:
  python -m footfall retarget walk.bvh --onto hero.bvh --out walk_hero.bvh
  python -m footfall retarget mocap/ --onto hero.bvh --out retargeted/ --reference-pose t-pose --json

Joints are identified by their names, or by a rig.toml beside the clip or in the two folders above it (save one in
Blender's Rig panel). Contacts are read from <clip>.labels.npz beside a clip, else detected. If an actor's rest pose is
not a standing pose, that is estimated from all named clips of the actor: include one in which the actor stands.

Written files have all joints of the target file, with its names, unit and up axis; joints above the body's root keep
the pose of its first frame. A clip that cannot be used is reported at the end (exit code 1); all others are written."""

REST_POSE_METHODS: "dict[str, CalibrationMethod]" = {
    "automatic": "AUTOMATIC",
    "rest": "REST",
    "t-pose": "T_POSE",
    "a-pose": "A_POSE",
}
"""Calibration method by value of ``--pose``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    parser.add_argument("--onto", required=True, type=Path, metavar="BVH", help="BVH file with the target skeleton")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="BVH_OR_DIR", help="file to write, or folder for several clips"
    )
    parser.add_argument(
        "--reference-pose",
        choices=tuple(REST_POSE_METHODS),
        default="automatic",
        help="pose of the target skeleton at rest (default: %(default)s)",
    )
    add_reading_options(parser)
    add_reading_options(parser, "onto-", "the target's")


def run(options: argparse.Namespace) -> int:
    """Retarget the clips and print how well each skeleton fits; raise :class:`FootfallError` if some failed."""
    from ..core.retarget.rest_pose_from_motion import Stance
    from ..core.rig.clip_file import read_target
    from .clips import find_clips, find_targets
    from .output import print_result, require_no_failures
    from .progress import track_progress

    onto = read_target(options.onto, **reading_of(options, "onto_"))
    method, reading = REST_POSE_METHODS[options.reference_pose], reading_of(options)
    has_legs = all(f"thigh.{side}" in onto.skeleton.roles for side in "LR")
    target_stance = Stance.of(onto.clip) if has_legs else None
    targets = find_targets(find_clips(options.clips), options.out, ".bvh")
    stances = find_stances(targets, reading) if len(targets) > 1 else {}
    entries = [
        retarget_file(file, out, onto, (stances.get(file), target_stance), method, reading)
        for file, out in track_progress(targets.items(), len(targets), "retarget", "clips")
    ]
    rows = [entry for entry in entries if "error" not in entry]
    failed = [entry for entry in entries if "error" in entry]
    if options.json:
        print_result({"onto": describe_target(onto), "clips": rows, "failed": failed}, options.json)
    else:
        doubts = list(dict.fromkeys(doubt for row in rows for doubt in row["doubts"]))
        bad = sorted({role for row in rows for role in row["misaligned_roles"]})
        print_result(
            {
                "out": str(options.out),
                "onto": summarize_target(onto),
                "clips": len(rows),
                "alignment_error_deg": max((row["alignment_error_deg"] for row in rows), default=None),
                "misaligned_roles": ", ".join(bad) or "none",
                **{row["clip"]: summarize_notes(row["reading"]) for row in rows if row["reading"]},
                **({"doubts": " ".join(f"{doubt}." for doubt in doubts)} if doubts else {}),
            },
            None,
        )
    require_no_failures(failed, len(targets))
    return 0


def retarget_file(
    file: Path,
    out: Path,
    onto: "BvhTarget",
    stances: "tuple[Stance | None, Stance | None]",
    method: "CalibrationMethod",
    reading: Mapping[str, Any],
) -> dict[str, Any]:
    """Retarget a clip and write it; return its entry of the result, with the ``error`` if it failed.

    Args:
        file: the BVH file.
        out: the file to write.
        onto: the target, as read from its file.
        stances: standing pose of the clip's actor (``None`` to find it only from this clip), and of the target.
        method: pose in which source and target match.
        reading: keyword arguments of :func:`read_clip`: unit and up axis.
    """
    from ..core.retarget.calibration import calibrate
    from ..core.retarget.rest_pose_from_motion import Stance
    from ..core.retarget.retarget import retarget
    from ..core.rig.clip_file import read_clip
    from .failures import failed_entry

    try:
        clip = read_clip(file, **reading)
        # A pose is treated as a motionless clip.
        moving = clip if len(clip) > 1 else clip.repeated(2)
        mine, theirs = stances[0] or Stance.of(moving), stances[1]
        calibration = calibrate(
            clip.skeleton, onto.skeleton, method, source_stance=mine.pose, target_stance=theirs.pose if theirs else None
        )
        stood = (*mine.doubts, *(theirs.doubts if theirs else ()))
        doubts = (*(calibration.doubts or stood), *calibration.assumptions)
        made = retarget(moving, calibration, _contacts_of(file, clip) if len(clip) > 1 else None)
        out.parent.mkdir(parents=True, exist_ok=True)
        onto.write(out, made.cut(0, len(clip)))
    except Exception as error:  # A faulty clip must not end the work on all others.
        return failed_entry(file, error)
    return {
        "clip": str(file),
        "out": str(out),
        "frames": len(clip),
        "alignment_error_deg": round(calibration.max_residual, 2),
        "misaligned_roles": list(calibration.bad_roles()),
        "doubts": [str(doubt) for doubt in doubts],
        "reading": [note.entry() for note in clip.notes],
    }


def find_stances(files: Iterable[Path], reading: Mapping[str, Any]) -> "dict[Path, Stance]":
    """Return the standing pose of each clip's actor, estimated from all clips of that actor.

    Clips that cannot be read are left out.

    Args:
        files: the clips.
        reading: keyword arguments of :func:`read_clip`: unit and up axis.
    """
    from ..core.retarget.rest_pose_from_motion import Stance, actor_key, standing_scatter
    from ..core.rig.clip_file import read_clip

    found: dict[ActorKey, dict[Path, Array]] = {}
    skeletons: dict[ActorKey, Skeleton] = {}
    for file in files:
        try:
            clip = read_clip(file, **reading)
            key, scatter = actor_key(clip.skeleton), standing_scatter(clip if len(clip) > 1 else clip.repeated(2))
        except Exception:  # A faulty clip must not end the work on all others; it is reported during retargeting.
            continue
        skeletons.setdefault(key, clip.skeleton)
        found.setdefault(key, {})[file] = scatter
    stances = {key: Stance.from_scatters(skeletons[key], [*alike.values()]) for key, alike in found.items()}
    return {file: stances[key] for key, alike in found.items() for file in alike}


def _contacts_of(file: Path, clip: "Clip") -> dict[str, "Array"]:
    """Return the contact probabilities by joint, from the label file beside a clip, else detected."""
    from ..core.labelling import Labels, label_clip

    beside = file.with_name(f"{file.stem}.labels.npz")
    labels = Labels.load(beside) if _is_file(beside) else label_clip(clip)
    if len(labels) != len(clip):
        labels = labels.resampled(clip.rate, len(clip))
    return dict(zip(labels.contact_joints, labels.contacts.T, strict=True))


def _is_file(path: Path) -> bool:
    """Return whether a file exists; an invalid name counts as missing."""
    try:
        return path.is_file()
    except OSError:
        return False
