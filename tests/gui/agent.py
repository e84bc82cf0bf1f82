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
LOOPS = 3
"""Rounds of Blender's own loop from a move of the mouse until the button under it is known."""


def region(area_type: str, region_type: str = "WINDOW") -> dict[str, object]:
    """The override that makes Blender believe that the mouse is over the first such region, in the newest window."""
    windows = reversed(bpy.context.window_manager.windows[:])
    areas = [(window, area) for window in windows for area in window.screen.areas if area.type == area_type]
    window, area = areas[0]
    found = next(one for one in area.regions if one.type == region_type)
    return {"window": window, "screen": window.screen, "area": area, "region": found}


def place(area_type: str, region_type: str = "WINDOW") -> tuple[int, int, int, int]:
    """Left, top, width and height of a region, pixels of the screen from its upper left corner."""
    over = region(area_type, region_type)
    found, window, height = over["region"], over["window"], bpy.context.window_manager.windows[0].height
    return window.x + found.x, height - window.y - found.y - found.height, found.width, found.height


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


class Look:
    """The mouse goes down a column of a region until it is over a button; Blender itself moves it, which is quick."""

    def __init__(self, does: str, area_type: str, region_type: str, x: float, rows: list[float]) -> None:
        self.does, self.where, self.x, self.rows = does, (area_type, region_type), x, rows
        self.seen: list[str] = []
        self.at: float | None = None
        """Row of the button, pixels from the screen's upper edge; ``None`` until it is found."""
        self.is_done, self._rounds = False, 0
        bpy.app.timers.register(self.step)

    def step(self) -> float | None:
        """Moves the mouse, waits, or sees what it is over; returns the seconds until the next step."""
        self._rounds += 1
        row = self.rows[len(self.seen)]
        if self._rounds == 1:
            window, height = region(*self.where)["window"], bpy.context.window_manager.windows[0].height
            window.cursor_warp(round(self.x - window.x), round(height - row - window.y))
        elif self._rounds == LOOPS:
            self._rounds = 0
            self.seen.append(under_mouse(*self.where))
            self.at = row if does_it(self.seen[-1], self.does) else None
            self.is_done = self.at is not None or len(self.seen) == len(self.rows)
        return None if self.is_done else 0.0


def does_it(command: str, does: str) -> bool:
    """Return whether a button's command calls an operator, sets a property or contains a name."""
    called, _, told = command.partition("(")
    return command == does or called == f"bpy.ops.{does}" or does in told


def forget() -> None:
    """Forgets what questions have defined."""
    names.clear()
    names.update({one.__name__: one for one in (bpy, region, place, spot, under_mouse, does_it, Look, forget)})


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
