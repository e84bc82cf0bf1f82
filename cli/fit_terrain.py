"""``fit-terrain``: fit ground to a clip, as patches deformed to meet its feet."""

import argparse
from pathlib import Path
from typing import Any

from . import options as option_types

HELP = "Fit terrain patches to a clip and deform them until the feet stand on them"
EXAMPLES = """\
examples:
  python -m footfall fit-terrain stairs.bvh --patches patches/
  python -m footfall fit-terrain walk.bvh --patches patches/ --terrain rough --count 3 --out walk.terrain.npz

Each stride, and each part between strides, gets its own grounds: the patches that fit best, and the ground of the
capture, reconstructed from the feet ("original"). Clips on level ground keep it ("level"), unless --terrain is given.
Contacts are read from <clip>.labels.npz beside the clip, else detected.

For each part, the result has its frames, and for the best patch (with --json, for all) the distances at contacts and
the depths of swinging feet in the ground, as root mean squares in millimeters, before and after bending.

The file holds squares of 5 m around the feet: frames (R, 2), grids (R, K, N, N) of heights in meters (rows are y,
columns x), origins (R, 2), the world x and y of the first height, cell, errors (R, K) and patches (R, K)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clip", type=Path, metavar="BVH", help="BVH clip to which terrain is fitted")
    parser.add_argument(
        "--patches", required=True, type=Path, metavar="DIR", help="folder of terrain patches, see make-patches"
    )
    parser.add_argument(
        "--out",
        type=option_types.output_file,
        metavar="NPZ",
        help="file to write (default: <clip>.terrain.npz in this folder)",
    )
    parser.add_argument(
        "--count",
        type=option_types.positive_int,
        default=10,
        metavar="N",
        help="number of patches per part of the clip (default: %(default)s)",
    )
    parser.add_argument(
        "--terrain",
        choices=("flat", "rough", "beam"),
        help="terrain of the captured motion (default: flat or rough, judged by the contacts)",
    )


def run(options: argparse.Namespace) -> int:
    """Fit ground under the clip, write it, print its fit errors and return the exit code."""
    from ..core.labelling import Labels, label_clip
    from ..core.rig.clip_file import read_clip
    from ..core.terrain.clip_terrain import fit_clip_terrain, terrain_entry
    from ..core.terrain.foot_points import FootTracks
    from ..core.terrain.patches import PatchDatabase
    from ..core.terrain.terrain_file import TerrainFile
    from .output import print_result

    clip = read_clip(options.clip)
    beside = options.clip.with_name(f"{options.clip.stem}.labels.npz")
    labels = Labels.load(beside) if beside.exists() else label_clip(clip)
    if len(labels) != len(clip):
        labels = labels.resampled(clip.rate, len(clip))
    parts = fit_clip_terrain(clip, labels, PatchDatabase.open(options.patches), options.count, options.terrain)
    out = options.out or Path(f"{options.clip.stem}.terrain.npz")
    TerrainFile.of(parts).save(out)
    feet = FootTracks.of(clip, labels)
    document: dict[str, Any] = {"clip": str(options.clip), "out": str(out)}
    rows = [terrain_entry(feet, part) for part in parts]
    if options.json:
        print_result(document | {"parts": rows}, options.json)
    else:
        print_result(document | {f"{row['start']}-{row['stop']}": _summarize(row) for row in rows}, None)
    return 0


def _summarize(row: dict[str, Any]) -> str:
    """Return the result for a segment as one line of text."""
    best = row["patches"][0]
    first = {name: row[name][0] for name in row if name.endswith("_mm")}
    contacts = f"contacts {first['contacts_fitted_mm']} mm, bent {first['contacts_deformed_mm']} mm"
    swings = f"swings {first['swings_fitted_mm']} mm, bent {first['swings_deformed_mm']} mm"
    return f"{'level' if best == 'level' else f'patch {best}'}: {contacts}; {swings}"
