"""``python -m footfall.benchmarks``: each table is measured in a process of its own, then put into the document."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Final

from ..build import SHARED
from .document import merge
from .quality import write_quality
from .setup import ROOT, Setup

THREADS: Final[dict[str, int | None]] = {
    "courses": 1,
    "starts": 1,
    "gait": 1,
    "standing": 1,
    "transitions": 1,
    "realism": 1,
    "generative": 1,
    "paper_pfnn": 1,
    "crouching": 1,
    "inference": 1,
    "walk_rate": 1,
    "long_walks": 1,
    "labelling": 1,
    "labelling_rate": 1,
    "attacks": 1,
    "strikes": 1,
    "weapon_bone": 1,
    "duels": 1,
    "ball": 1,
    "ball_control": 1,
    "ball_actions": 1,
    "pairs": 1,
    "poses": 1,
    "steps": 1,
    "quadruped_edits": 1,
    "drive": 1,
    "drive_tasks": 1,
    "inserts": 1,
    "local_phases": 1,
    "quadruped": 1,
    "spots": 1,
    "learning": 1,
    "bvh_rate": 1,
    "training_throughput": None,
    "sources": None,
    "rig_maps": 1,
    "round_trip": 1,
    "rest_poses": 1,
    "performers": 1,
    "postures": 1,
    "proportions": 1,
    "sparse_keys": 1,
    "bake_to_rigify": None,
    "skin": 1,
    "terrain_fitting": 1,
    "terrain_walks": 1,
    "stair_walks": 1,
    "terrain_scenes": None,
    "terrain_rate": None,
    "terrain_ablation": None,
    "quick_training": None,
    "local_phase_system": 1,
    "fine_tuning": None,
    "interruptions": None,
    "write_faults": 1,
    "fuzzing": 1,
    "models_training": None,
    "models_paths": 1,
    "models_response": 1,
    "models_phase": 1,
    "models_inference": 1,
    "models_plots": 1,
    "crowd": None,
    "crowds": 1,
    "endurance": None,
    "nsm": 1,
    "nsm_tasks": 1,
    "interactions": 1,
    "carrying": 1,
    "doors": 1,
    "pushing": 1,
    "climbing": 1,
    "leaning": 1,
    "odd_objects": 1,
    "interaction_response": 1,
    "rooms": 1,
    "sensitivity": 1,
    "interaction_ablations": 1,
    "scene_sensing": 1,
    "adapting": 1,
    "directing": 1,
    "product": 1,
    "manual": 1,
}
"""Every table, and with how many threads numpy and torch may compute; ``None`` is as many as the machine has."""
GROUPS: Final = {
    "interactions": (
        *(
            "nsm",
            "nsm_tasks",
            "interactions",
            "carrying",
            "doors",
            "pushing",
            "climbing",
            "leaning",
            "odd_objects",
            "interaction_response",
            "rooms",
            "sensitivity",
            "interaction_ablations",
        ),
        *("scene_sensing", "adapting"),
    ),
    "labelling": ("labelling", "labelling_rate", "attacks", "ball", "local_phases", "spots", "learning"),
    "motion": (
        *("gait", "standing", "transitions", "realism", "quadruped", "ball_control", "ball_actions", "pairs"),
        *("poses", "steps", "drive", "drive_tasks", "inserts"),
    ),
    "rigs": (
        "sources",
        "rig_maps",
        "round_trip",
        "rest_poses",
        "postures",
        "proportions",
        "sparse_keys",
        "bake_to_rigify",
    ),
    "models": (
        *("models_training", "models_paths", "models_response", "models_phase", "models_inference"),
        "models_plots",
        *("crowd", "endurance", "training_throughput"),
    ),
    "terrain": (
        "terrain_fitting",
        "terrain_walks",
        "stair_walks",
        "terrain_scenes",
        "terrain_rate",
        "terrain_ablation",
    ),
}
"""Tables that are measured together; where a group is called as one of its tables, ``--only`` has the table alone."""
THREAD_VARIABLES: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments: list[str] | None = None) -> int:
    """Measure and write the tables; return exit code 1 if a table could not be measured (the others are written)."""
    parser = argparse.ArgumentParser("python -m footfall.benchmarks", description=__doc__)
    names = sorted({*THREADS, *GROUPS})
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"default: all; or {', '.join(names)}")
    parser.add_argument(
        "--only", nargs="+", choices=THREADS, default=[], metavar="NAME", help="these tables alone, no group of them"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks.md", metavar="FILE")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "mocap", metavar="DIR")
    parser.add_argument("--controller", type=Path, metavar="FILE", help="default: the one that ships")
    parser.add_argument("--print", action="store_true", dest="show", help="print the tables, without the document")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.tables if name not in names]:
        parser.error(f"there is no table '{unknown[0]}'; there are {', '.join(names)}")
    measured = chosen(options.tables, options.only)
    if options.show:
        setup = Setup(options.data, options.controller)
        return max([show(name, setup) for name in measured])
    failed = [name for name in measured if not write(name, options)]
    if failed:
        print(f"not measured: {', '.join(failed)} (see above)", file=sys.stderr)
    return 1 if failed else 0


def chosen(tables: Sequence[str], only: Sequence[str]) -> list[str]:
    """Return the tables to measure, each once: from the named groups or tables, or all tables if none is named."""
    named = [member for name in tables for member in GROUPS.get(name, (name,))]
    return list(dict.fromkeys([*named, *only])) or list(THREADS)


def show(name: str, setup: Setup) -> int:
    """Measure one table in this process and print its section."""
    from ..core.errors import FootfallError

    module = import_module(f".{name}", __package__)
    try:
        section = module.measure(setup)
    except FootfallError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    from .machine import describe

    threads = THREADS[name]
    used = "" if threads is None else f"; {threads} thread{'s' * (threads > 1)}"
    command = f"`python build.py bench -- --only {name}`"
    print(f"## {module.TITLE}\n\n{command}, {date.today().isoformat()}, {describe()}{used}.\n\n{section}\n")
    return 0


def write(name: str, options: argparse.Namespace) -> bool:
    """Measure one table in a process of its own and put its section into the document."""
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    threads = THREADS[name]
    limited = {} if threads is None else dict.fromkeys(THREAD_VARIABLES, str(threads))
    command = [sys.executable, "-m", str(__package__), "--only", name, "--print", "--data", str(options.data)]
    if options.controller:
        command += ["--controller", str(options.controller)]
    child = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, **limited})
    if child.returncode:
        return False
    document = options.out.read_text(encoding="utf-8") if options.out.exists() else ""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(merge(document, name, child.stdout, list(THREADS)), encoding="utf-8")
    write_quality(options.out)
    return True


if __name__ == "__main__":
    sys.exit(main())
