"""``retarget``: transfer clips to another skeleton."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.retarget.calibration import CalibrationMethod

HELP = "Retarget BVH clips to another skeleton; contacts of feet and hands are kept"
EXAMPLES = """\
examples:
  python -m footfall retarget walk.bvh --onto hero.bvh --out walk_hero.bvh
  python -m footfall retarget mocap/ --onto hero.bvh --out retargeted/ --reference-pose t-pose --json

Which joint is which is known by its name, or by a rig.toml beside the clip or in the two folders above it (save one
from the panel Rig). <clip>.labels.npz beside a clip says what touches the ground and when; else it is found."""

REST_POSE_METHODS: "dict[str, CalibrationMethod]" = {
    "automatic": "AUTOMATIC",
    "rest": "REST",
    "t-pose": "T_POSE",
    "a-pose": "A_POSE",
}
"""Calibration methods by the values of ``--pose``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    parser.add_argument("--onto", required=True, type=Path, metavar="BVH", help="BVH file with the target skeleton")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="BVH_OR_DIR", help="the file to write, or a folder for several"
    )
    parser.add_argument(
        "--reference-pose",
        choices=tuple(REST_POSE_METHODS),
        default="automatic",
        help="reference pose: what the target skeleton shows at rest (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Retarget the clips and print how well each skeleton fits."""
    from ..core.labelling import Labels, label_clip
    from ..core.motion.bvh import write_bvh
    from ..core.retarget.calibration import calibrate
    from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
    from ..core.retarget.retarget import retarget
    from ..core.rig.clip_file import read_clip
    from .clips import find_clips, find_targets
    from .output import print_result
    from .progress import track_progress

    onto = read_clip(options.onto)
    target, has_legs = onto.skeleton, all(f"thigh.{side}" in onto.skeleton.roles for side in "LR")
    target_stance = standing_pose([standing_scatter(onto)]) if has_legs else None
    targets = find_targets(find_clips(options.clips), options.out, ".bvh")
    rows = []
    for file, out in track_progress(targets.items(), len(targets), "retarget", "clips"):
        clip = read_clip(file)
        beside = file.with_name(f"{file.stem}.labels.npz")
        labels = Labels.load(beside) if beside.exists() else label_clip(clip)
        if len(labels) != len(clip):
            labels = labels.resampled(clip.rate, len(clip))
        stance = standing_pose([standing_scatter(clip)])
        method = REST_POSE_METHODS[options.reference_pose]
        calibration = calibrate(clip.skeleton, target, method, source_stance=stance, target_stance=target_stance)
        out.parent.mkdir(parents=True, exist_ok=True)
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        write_bvh(out, retarget(clip, calibration, contacts))
        rows.append(
            {
                "clip": str(file),
                "out": str(out),
                "frames": len(clip),
                "alignment_error_deg": round(calibration.max_residual, 2),
                "misaligned_roles": list(calibration.bad_roles()),
                "doubts": [str(doubt) for doubt in (*calibration.doubts, *calibration.assumptions)],
            }
        )
    if options.json:
        print_result({"clips": rows}, options.json)
    else:
        doubts = list(dict.fromkeys(doubt for row in rows for doubt in row["doubts"]))
        bad = sorted({role for row in rows for role in row["misaligned_roles"]})
        print_result(
            {
                "out": str(options.out),
                "clips": len(rows),
                "alignment_error_deg": max(row["alignment_error_deg"] for row in rows),
                "misaligned_roles": ", ".join(bad) or "none",
                **({"doubts": " ".join(f"{doubt}." for doubt in doubts)} if doubts else {}),
            },
            None,
        )
    return 0
