"""``add-root-motion``: add root motion, inferred from standing feet, to in-place clips."""

import argparse
from pathlib import Path
from typing import Any

HELP = "Add root motion, derived from standing feet or paws, to in-place BVH clips"
EXAMPLES = """\
examples:
  python -m footfall add-root-motion trot.bvh --out trot_travelling.bvh
  python -m footfall add-root-motion animals/ --out travelling/ --json

For gaits of people and animals, one cycle or several. The root travels straight ahead at one speed, at which standing
feet do not slide. Joints are identified by their names, or by a rig.toml beside the clip or in the two folders above
it. Sub-folders are kept below --out.

A clip that already travels, that stands, or that cannot be read is reported at the end (exit code 1) and not written;
all others are. The clips themselves are never changed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="BVH_OR_DIR", help="file to write, or folder for several clips"
    )


def run(options: argparse.Namespace) -> int:
    """Write all clips with root motion added; raise :class:`FootfallError` at the end if some failed."""
    from .clips import find_clips, find_targets
    from .output import print_result, require_no_failures
    from .progress import track_progress

    targets = find_targets(find_clips(options.clips), options.out, ".bvh")
    entries = [
        add_root_motion(clip, target)
        for clip, target in track_progress(targets.items(), len(targets), "add-root-motion", "clips")
    ]
    failed = [entry for entry in entries if "error" in entry]
    if options.json:
        print_result({"clips": [entry for entry in entries if "error" not in entry], "failed": failed}, options.json)
    else:
        print_result({entry["clip"]: _summarize(entry) for entry in entries if "error" not in entry}, None)
    require_no_failures(failed, len(targets))
    return 0


def add_root_motion(clip: Path, target: Path) -> dict[str, Any]:
    """Write a clip with root motion added; return its entry of the result, with the ``error`` if it failed.

    Args:
        clip: the BVH file.
        target: the file to write; never the clip itself.
    """
    import numpy as np

    from ..core.errors import FootfallError
    from ..core.motion.bvh import write_bvh
    from ..core.retarget.stance_travel import require_stance_velocity, with_travel
    from ..core.rig.clip_file import read_clip

    try:
        if target.exists() and target.samefile(clip):
            raise FootfallError("'{clip}' would be overwritten: choose another --out", clip=clip)
        motion = read_clip(clip)
        velocity = require_stance_velocity(motion)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bvh(target, with_travel(motion, velocity))
    except FootfallError as error:
        return {"clip": str(clip), "error": str(error)}
    speed = float(np.linalg.norm(velocity))
    return {
        "clip": str(clip),
        "out": str(target),
        "frames": len(motion),
        "speed_m_s": round(speed, 4),
        "travel_m": round(speed * (len(motion) - 1) / motion.rate, 4),
    }


def _summarize(entry: dict[str, Any]) -> str:
    """Return the result for a clip as one line of text."""
    return f"{entry['out']}, {entry['travel_m']:.2f} m at {entry['speed_m_s']:.2f} m/s"
