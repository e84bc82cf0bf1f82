"""``fit-terrain``: patches of ground under the file's actions, as files."""

import argparse
from pathlib import Path
from typing import Any

import bpy

from ....core.errors import FootfallError
from ....core.jobs.file_names import disk_key, safe_file_name
from ....core.terrain.clip_terrain import fit_clip_terrain, terrain_entry
from ....core.terrain.foot_points import FootTracks
from ....core.terrain.patches import PatchDatabase
from ....core.terrain.terrain_file import TerrainFile
from ...label.labels import read_labels
from ...label.terrain.patches import open_patches
from ...rig.clip_reader import read_mapped_action
from ...rig.clips import ArmatureAction
from .actions import actions_from_options
from .job import Job
from .options import add_json, add_name_selection, whole_number_from

HELP = "Fit terrain patches to actions, deform them to match the feet, and write them to files."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall fit-terrain --all --out terrain/ --json
  blender -b takes.blend --command footfall fit-terrain --action stairs_01 --terrain rough --count 3 --out terrain/

Terrain patches are made once, by the button Make Terrain Patches or by python -m footfall make-patches --out DIR. The
terrain of each action is written to <action>.terrain.npz. For the content of this file and of the JSON see
python -m footfall fit-terrain --help."""
TERRAIN_SUFFIX = ".terrain.npz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_name_selection(parser, "--action", "names of actions in the file", "all actions that move an armature")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the files")
    parser.add_argument(
        "--patches", type=Path, metavar="DIR", help="folder of terrain patches (default: the one in the preferences)"
    )
    parser.add_argument(
        "--count",
        type=whole_number_from(1),
        default=10,
        metavar="N",
        help="number of patches for each stride (default: %(default)s)",
    )
    parser.add_argument(
        "--terrain",
        choices=("flat", "rough", "beam"),
        help="terrain of the captured motion (default: flat or rough, judged by the contacts)",
    )
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Fit ground under each of the actions; the open file is not changed."""
    patches = PatchDatabase.open(options.patches) if options.patches else open_patches()
    takes = actions_from_options(options)
    options.out.mkdir(parents=True, exist_ok=True)
    taken: dict[str, str] = {}
    job.total = len(takes)
    for name, take in takes.items():
        with job.item(action=name) as entry:
            if take is None:
                raise FootfallError("No action with this name moves an armature in the file: check the name")
            file = options.out / f"{safe_file_name(name)}{TERRAIN_SUFFIX}"
            if taken.setdefault(disk_key(file), name) != name:
                raise FootfallError(
                    "The terrain file '{file}' was already written for the action '{action}': rename one of "
                    "the actions",
                    file=file,
                    action=taken[disk_key(file)],
                )
            job.report_progress(0.0, name, "Fitting the terrain")
            entry |= {"armature": take[0].name_full, **_fit_and_write(take, patches, options, file)}


def _fit_and_write(
    take: ArmatureAction, patches: PatchDatabase, options: argparse.Namespace, file: Path
) -> dict[str, Any]:
    """Fit ground under an action and write it; return the report entry."""
    clip, first = read_mapped_action(*take, bpy.context.scene)
    labels = read_labels(*take, clip, first)
    parts = fit_clip_terrain(clip, labels, patches, options.count, options.terrain)
    TerrainFile.of(parts).save(file)
    feet = FootTracks.of(clip, labels)
    rows = [terrain_entry(feet, part) for part in parts]
    for row in rows:
        row["start"], row["stop"] = row["start"] + first, row["stop"] + first
    worst = max(row["contacts_deformed_mm"][0] for row in rows)
    return {
        "message": f"fitted {len(rows)} parts, with the feet at most {worst:.1f} mm off the best terrain, in '{file}'",
        "terrain": str(file),
        "parts": rows,
    }
