"""The demo scenes, walked repeatedly in Blender by the shipped controller: arrival and quality of stances."""

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..core.errors import FootfallError
from ..tools.build.environments import BLENDERS
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Demo scenes"
SEEDS = 20
BLENDER = "5.2"
SCENES = ("stairs", "rubble", "beam", "low_ceiling", "jump_course", "wall_maze")
NOTES = """\
The scenes of `python build.py demo --scene NAME`, each walked over twenty times from another starting phase, on the
scene's own meshes in Blender {blender}. *Arrive*: it ends within half a meter of the path's end."""
HEAD = (
    "scene",
    "walks",
    "arrive",
    "penetration mm: mean / max",
    "float mm",
    "skate cm/s",
    "off the way cm: mean / max",
    "off the drawn path cm: max",
    "times real time",
)


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    for scene in SCENES:
        whole = try_scene(scene)
        depth = f"{whole['penetration_mean_mm']:.2f} / {whole['penetration_max_mm']:.1f}"
        off = f"{whole['off_mean_cm']:.1f} / {whole['off_max_cm']:.1f}"
        rows.append(
            [
                scene.replace("_", " "),
                whole["walks"],
                whole["arrived"],
                depth,
                whole["float_mean_mm"],
                whole["skate_mean_cm_s"],
                off,
                whole["drawn_max_cm"],
                whole["times_real_time"],
            ]
        )
    rows.append(["reach", SEEDS, SEEDS, "3 / 15", 5, 1.5, "10 / 50", None, 3])
    return [table(list(HEAD), rows), NOTES.format(blender=BLENDER)]


def try_scene(scene: str) -> dict[str, Any]:
    """Return the mean measurements of a scene's walks; raise :class:`FootfallError` if they fail."""
    with TemporaryDirectory() as folder:
        command = [BLENDERS[BLENDER].python, ROOT / "demo" / "make.py", "--scene", scene]
        command += ["--seeds", SEEDS, "--out", folder]
        child = subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, timeout=1800)
        if child.returncode:
            raise FootfallError(f"The walks over {scene} failed: their own message is above.")
        return json.loads((Path(folder) / scene / "trials.json").read_text(encoding="utf-8"))["whole"]
