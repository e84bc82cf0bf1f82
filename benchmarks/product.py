"""The add-on in Blender: times of importing, enabling and redrawing."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final

from ..core.errors import FootfallError
from ..tools.build.environments import BLENDERS, is_ready
from .setup import Setup
from .tables import Part, table

TITLE = "Enabling the add-on, and its panels"
IN_BLENDER: Final = Path(__file__).with_name("product_in_blender.py")
STARTS: Final = 7
SLOWEST: Final = 5
"""Number of panels with their own row."""

NOTES = f"""\
Medians of {STARTS} starts of a Blender without windows whose Python has compiled the modules before. *Package*: the
package alone, as Blender reads it."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    ready = {version: environment for version, environment in BLENDERS.items() if is_ready(environment)}
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    starts, panels = [], []
    for version, environment in ready.items():
        with tempfile.TemporaryDirectory() as folder:
            in_blender(environment.python, folder)  # compiles
            found = [in_blender(environment.python, folder) for _ in range(STARTS)]
            draws = in_blender(environment.python, folder, "panels")["panels"]
        middle = {name: median(one[name] for one in found) for name in found[0]}
        starts.append([version, *(1000 * middle[name] for name in ("package", "import", "enabling")), middle["scipy"]])
        slowest = sorted(draws, key=draws.__getitem__, reverse=True)[:SLOWEST]
        panels += [[version, name.removeprefix("FOOTFALL_PT_"), 1000 * draws[name]] for name in slowest]
        panels.append([version, f"all {len(draws)}", 1000 * sum(draws.values())])
    started = table(["Blender", "package ms", "import ms", "enabling ms", "scipy"], starts)
    redrawn = table(["Blender", "panel", "ms a redraw"], panels)
    return [started, redrawn, NOTES]


def in_blender(python: Path, folder: str, *arguments: str) -> dict[str, Any]:
    """Return the output of product_in_blender.py, with the compiled modules and the user's settings in a folder."""
    chosen = {"BLENDER_USER_RESOURCES": f"{folder}/user", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [str(python), "-P", str(IN_BLENDER), *arguments]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**variables, **chosen})
    if child.returncode:
        raise FootfallError(f"Enabling the add-on in Blender failed: {child.stderr.strip()[-2000:]}")
    return json.loads(child.stdout.splitlines()[-1])
