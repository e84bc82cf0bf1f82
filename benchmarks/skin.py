"""The skin of rigs at their contacts: seats, held boxes, handles, tables and the ground."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ..core.errors import FootfallError
from ..tools.build.environments import BLENDERS, is_ready
from .setup import Setup
from .tables import Part, Table, table

TITLE = "The skin of rigs at what they touch"
SCRIPT: Final = Path(__file__).with_name("skin_in_blender.py")
COLUMNS: Final = ("stool", "chair", "sofa", "box", "carry", "door", "lean", "walk")
GOOD_CM: Final = 1.5

NOTES: Final = f"""\
Gap of the mesh, cm, least and largest of seven moments of each contact, below 0 within the object; the aim is
{GOOD_CM:g}. The last eight are bodies of the Microsoft Rocketbox library, two of them children."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table; raise :class:`FootfallError` without a Blender or if it fails."""
    ready = [environment for environment in BLENDERS.values() if is_ready(environment)]
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "BLENDER_USER_RESOURCES": folder}
        command = [str(ready[-1].python), "-P", str(SCRIPT)]
        child = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=variables)
    if child.returncode:
        raise FootfallError("Measuring skin in Blender failed: its own message is above.")
    return [write_table(json.loads(line) for line in child.stdout.splitlines() if line.startswith('{"')), NOTES]


def write_table(entries: Iterable[Mapping[str, Any]]) -> Table:
    """Return the table of the script's measurements, one entry for each character and act."""
    rows: dict[str, dict[str, str]] = {}
    for entry in entries:
        rows.setdefault(entry["character"], {})[entry["act"]] = cell(entry.get("gaps", {}))
    head = ["character", *COLUMNS]
    return table(head, [[name, *(row.get(act) for act in COLUMNS)] for name, row in rows.items()])


def cell(gaps: Mapping[str, list[float]]) -> str:
    """Return the smallest and the largest of the gaps of all parts."""
    every = [value for values in gaps.values() for value in values]
    return f"{min(every):.1f} to {max(every):.1f}" if every else "none"
