"""A clip on the controls of rigs, Rigify's and others': duration of the bake, and error of the body in Blender."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from ..core.errors import FootfallError
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .setup import SOURCE, Setup
from .tables import Part, table

TITLE = "A clip on a rig's own controls"
SCRIPT: Final = Path(__file__).with_name("controls_in_blender.py")
CLIP: Final = f"{SOURCE}/mixed/86_01.bvh"
FRAMES: Final = 500
PASSES: Final = 3
REACH: Final = 3.0

NOTES: Final = """\
500 frames at 30 Hz of a CMU clip of jumps, kicks and punches, retargeted to rigs that are made by script: Rigify by
Blender's own add-on, the others with the names, axes, scales and mechanisms of their tools. Seconds are those from
the clip on the rig's body to keys, the best of three; "keys alone" is one pass of the same keys, below which nothing
can come."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table; raise :class:`FootfallError` without the data or if Blender fails."""
    clip = setup.data / CLIP
    if not clip.is_file():
        raise FootfallError(f"The clip '{clip}' is not there: name the folder of the real clips with --data.")
    rows: list[list[object]] = []
    for version, environment in BLENDERS.items():
        if is_ready(environment):
            rows += [_row(version, entry) for entry in in_blender(environment, clip)]
        else:
            rows.append([f"Blender {version}: not set up here", *[None] * 9])
    rows.append(["reach", None, FRAMES, REACH, None, None, "0.1 (FK)", "0.1 (FK)", "0.1 (FK)", None])
    head = [
        "rig, limbs",
        "bones",
        "frames",
        "seconds",
        "keys alone, s",
        "evaluations",
        "trunk, mm",
        "feet and hands, mm",
        "knees and elbows, mm",
        "their plane, degrees",
    ]
    return [table(head, rows), NOTES]


def in_blender(blender: Environment, clip: Path) -> list[dict[str, Any]]:
    """Return the measurements of the script in one Blender; raise :class:`FootfallError` if it fails."""
    command = [str(part) for part in (blender.python, "-P", SCRIPT, clip.resolve(), FRAMES, PASSES)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "BLENDER_USER_RESOURCES": folder}
        child = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=900, env=environment)
    if child.returncode:
        raise FootfallError(f"Baking to rigs in Blender ({blender.name}) failed: its own message is above.")
    return json.loads(child.stdout.splitlines()[-1])


def _row(version: str, entry: dict[str, Any]) -> list[object]:
    millimeters = (1000 * entry[what] for what in ("trunk", "ends", "knees"))
    what = f"Blender {version}: {entry['rig']}, {entry['limbs']}"
    timing = (entry["bones"], entry["frames"], entry["seconds"], entry["keys"], entry["updates"])
    return [what, *timing, *millimeters, entry["plane"]]
