"""Inside Blender with its windows: answers the questions that stand in files of a folder, one after the other.

A question is Python: an expression, whose value is the answer, or statements. What one of them defines, the next ones
know. Blender goes on with its own work between two questions, so that the mouse and the keyboard are heard.
"""

import json
import sys
import traceback
from pathlib import Path

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d

FOLDER = Path(sys.argv[sys.argv.index("--") + 1])
SECONDS = 0.02


def region(area_type: str, region_type: str = "WINDOW") -> dict[str, object]:
    """The override that makes Blender believe that the mouse is over the first such region."""
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == area_type)
    found = next(one for one in area.regions if one.type == region_type)
    return {"window": window, "screen": window.screen, "area": area, "region": found}


def place(area_type: str, region_type: str = "WINDOW") -> tuple[int, int, int, int]:
    """Left, top, width and height of a region, pixels of the screen from its upper left corner."""
    over = region(area_type, region_type)
    found, height = over["region"], over["window"].height
    return found.x, height - found.y - found.height, found.width, found.height


def spot(point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a point of the world is seen in the 3D viewport, pixels of the screen from its upper left corner."""
    over = region("VIEW_3D")
    left, top, _, height = place("VIEW_3D")
    found = location_3d_to_region_2d(over["region"], over["area"].spaces.active.region_3d, point)
    return left + found.x, top + height - found.y


def under_mouse(area_type: str, region_type: str) -> str:
    """What the button under the mouse does, as Blender would write it into a script; empty where there is none."""
    manager = bpy.context.window_manager
    with bpy.context.temp_override(**region(area_type, region_type)):
        for copy in (bpy.ops.ui.copy_python_command_button, bpy.ops.ui.copy_data_path_button):
            manager.clipboard = ""
            try:
                copy()
            except RuntimeError:  # no button, or one of another kind
                continue
            if manager.clipboard:
                return manager.clipboard
    return ""


def forget() -> None:
    """Forgets what questions have defined."""
    names.clear()
    names.update({one.__name__: one for one in (bpy, region, place, spot, under_mouse, forget)})


names: dict[str, object] = {}
forget()


def value_of(question: str) -> object:
    """The value of an expression; ``None`` of statements."""
    try:
        code = compile(question, "question", "eval")
    except SyntaxError:
        exec(compile(question, "question", "exec"), names)
        return None
    return eval(code, names)


def answer() -> float:
    """Answers what has been asked meanwhile."""
    for question in sorted(FOLDER.glob("*.question")):
        source = question.read_text(encoding="utf-8")
        question.unlink()
        try:
            said = json.dumps({"value": value_of(source)}, default=list)
        except Exception:
            said = json.dumps({"error": traceback.format_exc()})
        part = question.with_suffix(".part")
        part.write_text(said, encoding="utf-8")
        part.rename(question.with_suffix(".answer"))
    return SECONDS


bpy.app.timers.register(answer, persistent=True)
