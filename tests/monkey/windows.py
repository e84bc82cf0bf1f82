"""Walk over the operators in Blender's windows, with mouse and keys: `build.py monkey --windows`."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from footfall.tests.gui.window import Window, opened

DEEDS: Final = 300
"""Deeds of one Blender at most."""
ENDED_EVERY: Final = 8
"""Deeds after which what runs in a modal way is canceled."""
INSIDE: Final = ("changes.py", "deed.py", "deeds.py", "inside.py", "state.py")
KEYS: Final = (
    *("Escape", "Return", "Tab", "space", "ctrl+z", "ctrl+shift+z", "ctrl+s", "g", "w", "e", "f", "n", "Delete", "m"),
    *("shift+a", "Home", "period", "Left", "Right", "Up", "Down", "ctrl+Tab", "i", "BackSpace", "1", "minus"),
)
BUTTONS: Final = (1, 1, 1, 3, 4, 5)
"""Of the mouse: left, right, and the wheel."""


@dataclass
class Walk:
    """A walk in one Blender.

    Args:
        window: it.
        chance: of what is done.
        results: how often deeds had which result.
        faults: what was wrong.
    """

    window: Window
    chance: random.Random
    results: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _seen: int = field(default=0, repr=False)
    """Letters of the log that have been looked at."""
    _told: str = field(default="", repr=False)

    def run(self, deeds: int, until: float) -> None:
        """Do deeds until there are so many, until the time, or until Blender is gone."""
        self.window.ask(f"import sys; sys.path.insert(0, {str(self.window.folder)!r}); import monkey.inside as inside")
        self.window.ask(f"inside.begin({str(self.window.folder / 'shot.blend')!r})")
        for number in range(deeds):
            if time.monotonic() > until:
                return
            try:
                self._do(number)
                self._look()
            except (TimeoutError, AssertionError, subprocess.TimeoutExpired) as error:
                self._fault(f"Blender is gone: {error}")
                self._look_at_log()
                return

    def _do(self, number: int) -> None:
        draw = self.chance.random()
        if number % ENDED_EVERY == ENDED_EVERY - 1:
            self.window.key("Escape", "Escape")
        elif draw < 0.35:
            self._press_and_cancel()
        elif draw < 0.6:
            self._call("press")
        elif draw < 0.75:
            self._call("change")
        else:
            self._use_mouse_and_keys()

    def _call(self, way: str) -> str:
        answer = self.window.ask(f"inside.{way}({self.chance.randrange(2**31)})")
        told, result, error = json.loads(str(answer))
        self._told = told
        print(told, result, flush=True)
        self.results[result] += 1
        if result == "traceback":
            self._fault(error)
        return result

    def _press_and_cancel(self) -> None:
        """Press a button; where something goes on then, move the mouse and cancel: the file is as it was."""
        if self._call("press") != "RUNNING_MODAL":
            return
        for _ in range(self.chance.randrange(3)):
            self.window.over("VIEW_3D", at=(self.chance.uniform(0.1, 0.7), self.chance.uniform(0.2, 0.9)))
        if not self.window.ask("inside.goes_on()"):
            return
        self.window.key("Escape")
        self.window.settle()
        if self.window.ask("inside.has_finished()"):  # it was done before the key was heard
            return
        self.results["canceled"] += 1
        if unlike := self.window.ask("inside.unlike_before()"):
            self._fault(f"canceling leaves {str(unlike)[:300]}")

    def _use_mouse_and_keys(self) -> None:
        """Press keys and click, somewhere in the window."""
        draw, at = self.chance.random(), (self.chance.uniform(0, 1600), self.chance.uniform(30, 890))
        if draw < 0.5:
            keys = self.chance.choices(KEYS, k=self.chance.randint(1, 3))
            self._told = f"keys {keys}"
            self.window.move(*at)
            self.window.key(*keys)
        elif draw < 0.9:
            self._told = f"click at {at}"
            self.window.move(*at)
            self.window.tool("do", "click", self.chance.choice(BUTTONS))
        else:
            self._told = "another window, or one less"
            self.window.ask(
                "windows = bpy.context.window_manager.windows\n"
                "with bpy.context.temp_override(window=windows[-1]):\n"
                "    bpy.ops.wm.window_new() if len(windows) < 3 else bpy.ops.wm.window_close()"
            )
        self.results["mouse and keys"] += 1

    def _look(self) -> None:
        for fault in list(self.window.ask("inside.wrong()")):  # pyright: ignore[reportArgumentType]
            self._fault(fault)
        self._look_at_log()

    def _look_at_log(self) -> None:
        log = self.window.log()
        new, self._seen = log[self._seen :], len(log)
        if "Traceback" in new:
            self._fault(new[new.index("Traceback") :][-1500:])

    def _fault(self, told: str) -> None:
        self.faults.append(f"{self._told}: {told}")
        print(f"  FAULT {self.faults[-1]}", flush=True)


def main() -> int:
    """Return 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(prog="footfall.tests.monkey.windows", description=__doc__)
    parser.add_argument("scene", type=Path, help="folder with the scene, made by footfall.tests.monkey.scene")
    parser.add_argument("--minutes", type=float, default=10.0, help="default: 10")
    parser.add_argument("--seed", type=int, default=0, help="of the first Blender; default: 0")
    options = parser.parse_args()
    results, faults, seed, until = Counter[str](), list[str](), options.seed, time.monotonic() + 60 * options.minutes
    while seed == options.seed or time.monotonic() < until:
        with opened(Path(os.environ["FOOTFALL_GUI_ZIP"])) as window:
            shutil.copytree(options.scene, window.folder, dirs_exist_ok=True)
            (window.folder / "monkey").mkdir()
            for name in INSIDE:
                shutil.copy(Path(__file__).with_name(name), window.folder / "monkey")
            walk = Walk(window, random.Random(seed))
            walk.run(DEEDS, until)
        results += walk.results
        faults += [f"seed {seed}: {fault}" for fault in walk.faults]
        seed += 1
    print("\n| deeds |", " | ".join(f"{result} {count}" for result, count in results.items()), "|")
    print("\n".join(faults), f"\n| faults | {len(faults)} |")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
