"""Blender with its windows on a virtual screen, as somebody at the keyboard has it."""

import json
import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import Final

import pytest

from footfall.tools.build.windows import GUI_SYSTEM, GUI_TOOLS

AGENT: Final = Path(__file__).with_name("agent.py")
START_SECONDS: Final = 120.0
END_SECONDS: Final = 20.0
ANSWER_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.1
SETTLE_SECONDS: Final = 0.04
ROW: Final = 14
"""Pixels from one place to the next where a button is looked for; a button is 20 high."""
EDGE: Final = 5
"""Pixels from the edge of a button within which it is not clicked."""
PAGES: Final = 9
CHOICES: Final = 20
"""Turns of the wheel after which a list of choices has come to its end."""
WHEEL_DOWN: Final = 5
"""The mouse button that a wheel's turn is."""
FILE, EDIT, ADD = (42, 12), (88, 12), (284, 40)
"""Menus of the factory's layout on a screen of 1600 by 900, pixels."""
IMPORT, FIRST_IMPORTER, IMPORTER_ROW = (76, 311), (333, 310), 21
"""The entry of the menu *File*, the first entry of the menu that it opens, and pixels from one to the next."""
IMPORTERS: Final = (4, 7, 5, 6, 8)
"""Likely rows of an importer in that menu: add-ons follow Blender's own formats in no fixed order."""
FURTHER_WINDOW: Final = (200, 100)
"""Place of windows that open beside the main one, pixels."""
PREFERENCES_TABS: Final = {"Add-ons": (82, 229), "System": (82, 412)}
"""Tab of the preferences -> pixels in their window."""
FIRST_FILE, FILE_ROW = 39, 22
"""Pixels from the top of the file browser's list to its first file, and from one to the next."""
IS_ENABLED: Final = "hasattr(bpy.types, 'FOOTFALL_OT_add_character')"
TAB: Final = 25
"""Pixels from one place to the next where a tab is looked for."""


@dataclass
class Window:
    """The running Blender: it is asked what it knows, and driven by mouse and keyboard."""

    folder: Path
    """For questions and answers, user settings and files to open; Blender sees it under the same path."""
    pictures: Path
    screen: int
    lent: list[Path] = field(default_factory=list)
    """Folders of this machine that Blender sees under the same path."""
    clicks: int = 0
    """Clicks and keys of somebody who knows where everything is."""
    story: str = ""
    """What the pictures are of."""
    _tabs: dict[str, int] = field(default_factory=dict, repr=False)
    """Name -> pixels below the sidebar's upper edge."""
    _rows: dict[tuple[str, str, str], int] = field(default_factory=dict, repr=False)
    """Area, region and button -> pixels below the screen's upper edge, where it was last."""
    _asked: int = field(default=0, repr=False)
    _taken: int = field(default=0, repr=False)

    # Starting and ending.

    def start(self) -> None:
        """Starts the screen and Blender, and waits until it answers."""
        self.tool("start", "--python", self.folder / AGENT.name, "--", self.folder)
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                self.ask("bpy.app.version_string", seconds=5)
                return
            except TimeoutError:
                assert time.monotonic() < until, f"Blender does not answer:\n{self.log()}"

    def end(self) -> None:
        """Ends Blender and the screen."""
        self.tool("stop")
        until = time.monotonic() + END_SECONDS
        for folder in self.lent:
            mounted = f"{GUI_SYSTEM}{folder}"
            while (child := subprocess.run(["umount", mounted], capture_output=True, text=True)).returncode:
                assert time.monotonic() < until, child.stderr  # it is in use until Blender is gone
                time.sleep(LOOK_SECONDS)
            Path(mounted).rmdir()

    def lend(self, folder: Path) -> None:
        """Has Blender see a folder of this machine under the same path."""
        self.tool("mount", folder)
        self.lent.append(folder)

    def install(self, archive: Path) -> str:
        """Installs and enables the extension by Blender's own command, as a user would; returns what it prints."""
        copy = Path(shutil.copy(archive, self.folder))
        return self.inside(
            *("blender", "--background", "--command", "extension", "install-file"),
            *("-r", "user_default", "-e", str(copy)),
        )

    def tool(self, *arguments: object, seconds: float = 60) -> str:
        """Calls the tool that drives Blender; returns what it says."""
        command = ["sh", str(GUI_TOOLS / "blender_gui.sh"), *map(str, arguments)]
        chosen = {"DIR": GUI_SYSTEM, "SCREEN": self.screen, "BLENDER_USER_RESOURCES": self.folder / "user"}
        variables = {**os.environ, **{name: str(value) for name, value in chosen.items()}}
        # Not through a pipe: what `start` leaves running would hold it open.
        with TemporaryFile("w+") as said:
            child = subprocess.run(command, stdout=said, stderr=said, timeout=seconds, env=variables)
            said.seek(0)
            text = said.read()
        assert child.returncode == 0, f"{' '.join(command)}: {text}"
        return text

    def log(self) -> str:
        """All that Blender has written to its console."""
        return (GUI_SYSTEM / "tmp" / "blender.log").read_text(encoding="utf-8", errors="replace")

    # Asking.

    def ask(self, question: str, seconds: float = ANSWER_SECONDS) -> object:
        """The value of an expression inside Blender; of statements ``None``. See agent.py for what they may use."""
        self._asked += 1
        file = self.folder / f"{self._asked:05}.question"
        part = file.with_suffix(".writing")
        part.write_text(question, encoding="utf-8")
        part.rename(file)
        answer, until = file.with_suffix(".answer"), time.monotonic() + seconds
        while not answer.exists():
            if time.monotonic() > until:
                file.unlink(missing_ok=True)
                raise TimeoutError(f"Blender did not answer within {seconds:.0f} s: {question}")
            time.sleep(0.005)
        said = json.loads(answer.read_text(encoding="utf-8"))
        answer.unlink()
        if "error" in said:
            pytest.fail(f"Blender, asked {question!r}:\n{said['error']}")
        return said["value"]

    def wait(self, question: str, seconds: float = ANSWER_SECONDS, look_seconds: float = LOOK_SECONDS) -> object:
        """Asks until the answer is true, and returns it."""
        until = time.monotonic() + seconds
        while not (value := self.ask(question)):
            assert time.monotonic() < until, f"not so within {seconds:.0f} s: {question}"
            time.sleep(look_seconds)
        return value

    # Mouse and keyboard.

    def move(self, x: float, y: float) -> None:
        """Moves the mouse to pixels from the screen's upper left corner."""
        self.tool("do", "mousemove", round(x), round(y))
        self.ask("None")

    def click(self, x: float, y: float) -> None:
        """Clicks with the left button."""
        self.move(x, y)
        self.tool("do", "click", 1)
        self.clicks += 1
        self.settle()

    def click_on(self, point: tuple[float, float, float], held: str = "") -> None:
        """Clicks in the 3D viewport where a point of the world is seen, with a key held down."""
        self.move(*self.ask(f"spot({tuple(point)})"))
        if held:
            self.tool("do", "keydown", held)
            self.settle()  # or Blender sees a click without the key
        self.tool("do", "click", 1)
        self.clicks += 1
        self.settle()
        if held:
            self.tool("do", "keyup", held)

    def drag(self, points: list[tuple[float, float]]) -> None:
        """Holds the left button down along points."""
        self.move(*points[0])
        self.tool("do", "mousedown", 1)
        for x, y in points[1:]:
            self.move(x, y)
        self.tool("do", "mouseup", 1)
        self.clicks += 1
        self.settle()

    def key(self, *keys: str) -> None:
        """Presses keys one after the other, such as ``ctrl+z``; they are heard by what is under the mouse."""
        for key in keys:
            self.tool("do", "key", key)
            self.clicks += 1
            self.settle()

    def type(self, text: str) -> None:
        """Types a text."""
        self.tool("do", "type", "--delay", 20, text)
        self.settle()

    def settle(self) -> None:
        """Gives Blender the time to do and draw what it was told."""
        for _ in range(3):
            time.sleep(SETTLE_SECONDS)
            self.ask("None")

    def over(self, area: str, region: str = "WINDOW", at: tuple[float, float] = (0.5, 0.5)) -> tuple[float, float]:
        """Moves the mouse over a region, at shares of its width and height; returns where it is."""
        left, top, width, height = self.ask(f"place({area!r}, {region!r})")
        point = (left + at[0] * width, top + at[1] * height)
        self.move(*point)
        return point

    def open_tab(self, name: str) -> None:
        """Opens the 3D viewport's sidebar, and a tab of it."""
        self.over("VIEW_3D", at=(0.3, 0.7))
        if self.ask("place('VIEW_3D', 'UI')")[2] <= 1:
            self.key("n")
            self.wait("place('VIEW_3D', 'UI')[2] > 1")
        left, top, width, height = self.ask("place('VIEW_3D', 'UI')")
        known = [self._tabs[name]] if name in self._tabs else []
        clicks = self.clicks
        for down in (*known, *range(TAB, height, TAB)):
            self.click(left + width - 10, top + down)
            if self.ask("region('VIEW_3D', 'UI')['region'].active_panel_category") == name:
                self._tabs[name] = down
                self.clicks = clicks + 1  # who sees the tabs needs one
                return
        raise AssertionError(f"the sidebar has no tab '{name}'")

    def press(self, does: str, region: str = "UI", at: float = 0.7) -> None:
        """Clicks the button of the 3D viewport that calls an operator (``footfall.bake_shot``) or shows a property."""
        self.click(*self.find(does, region, at))

    def find(self, does: str, region: str = "UI", at: float = 0.7, area: str = "VIEW_3D") -> tuple[float, float]:
        """Where in the 3D viewport's sidebar, or another region, a button is, at a share of the width; it is looked for
        where it was last, then where the region is scrolled to, and then from its top on."""
        left, top, width, height = self.ask(f"place({area!r}, {region!r})")
        x, seen = left + at * width, set()
        rows = list(range(max(top, 0) + ROW, top + height - ROW, ROW))
        known = self._rows.get((area, region, does))
        for page in range(PAGES):
            self.ask(f"look = Look({does!r}, {area!r}, {region!r}, {x}, {[known] if known in rows else []} + {rows})")
            self.wait("look.is_done", seconds=240, look_seconds=0)
            y = self.ask("look.at")
            if y is not None:
                y += EDGE * (
                    self._is_at(does, area, region, x, y + EDGE) - self._is_at(does, area, region, x, y - EDGE)
                )
                self._rows[area, region, does] = y
                return x, y
            seen |= set(self.ask("look.seen"))
            self.move(left + 12, top + height / 2)  # over no list, which would be scrolled instead
            self.tool("do", "click", "--repeat", 100 if page == 0 else 8, 4 if page == 0 else WHEEL_DOWN)
            self.settle()
        raise AssertionError(f"no button for {does}, but for {sorted(seen)}")

    def _is_at(self, does: str, area: str, region: str, x: float, y: float) -> bool:
        """Whether a button is under a place."""
        self.ask(f"look = Look({does!r}, {area!r}, {region!r}, {x}, {[y]})")
        self.wait("look.is_done", seconds=240, look_seconds=0)
        return self.ask("look.at") is not None

    def set_number(self, name: str, value: str) -> None:
        """Types a number into a field, as a user does who points at it and presses Enter."""
        self.move(*self.find(name))
        self.key("Return", "ctrl+a")
        self.type(value)
        self.key("Return")

    def choose(self, name: str, is_chosen: str) -> None:
        """Turns the mouse wheel with Ctrl over a list of choices until Python inside Blender says that it is so."""
        self.move(*self.find(name))
        for _ in range(CHOICES):
            if self.ask(is_chosen):
                return
            self.tool("do", "keydown", "ctrl", "click", WHEEL_DOWN, "keyup", "ctrl")
            self.settle()
        raise AssertionError(f"no choice of {name} makes it so: {is_chosen}")

    def unfold(self, topic: str) -> None:
        """Opens a closed panel of the sidebar by a click on its header, which has the question mark for that topic."""
        left, _, width, _ = self.ask("place('VIEW_3D', 'UI')")
        _, y = self.find(f'"{topic}"', at=0.78)
        self.click(left + 0.3 * width, y)

    def click_in(self, area: str, region: str, x: float, y: float) -> None:
        """Clicks at pixels from a region's left and upper edge; negative ones are from its right and lower edge."""
        left, top, width, height = self.ask(f"place({area!r}, {region!r})")
        self.click(left + (x if x >= 0 else width + x), top + (y if y >= 0 else height + y))

    def type_into(self, area: str, region: str, x: float, y: float, text: str) -> None:
        """Double-clicks a field, as :meth:`click_in` does, and types a text or a number in place of what is there."""
        left, top, _, _ = self.ask(f"place({area!r}, {region!r})")
        self.move(left + x, top + y)
        self.tool("do", "click", "--repeat", 2, "--delay", 60, 1)
        self.settle()
        self.key("ctrl+a")
        self.type(text)
        self.key("Return")

    # Further windows.

    def opens(self, area: str, title: str) -> None:
        """Waits for a window with an editor, and drags it to where all of it is seen."""
        self.wait(f"bpy.context.window_manager.windows[-1].screen.areas[0].type == {area!r}")
        self.tool("do", "search", "--onlyvisible", "--name", title, "windowmove", *FURTHER_WINDOW)
        self.settle()

    def open_preferences(self, tab: str) -> None:
        """Chooses *Edit > Preferences*, and a tab of it."""
        self.click(*EDIT)
        self.key("p")
        self.opens("PREFERENCES", "Preferences")
        x, y = PREFERENCES_TABS[tab]
        self.click(FURTHER_WINDOW[0] + x, FURTHER_WINDOW[1] + y)

    def open_importer(self, operator: str) -> None:
        """Chooses the entry of *File > Import* that calls an operator (``IMPORT_ANIM_OT_bvh``)."""
        for row in IMPORTERS:
            self.click(*FILE)
            self.click(*IMPORT)
            self.click(FIRST_IMPORTER[0], FIRST_IMPORTER[1] + row * IMPORTER_ROW)
            self.opens("FILE_BROWSER", "File View")
            if self.ask("region('FILE_BROWSER')['area'].spaces.active.active_operator.bl_idname") == operator:
                return
            self.close_window()
        raise AssertionError(f"no importer is {operator}")

    def choose_in_browser(self, folder: Path, file_row: int | None = None) -> None:
        """Goes to a folder in the file browser, clicks one of its files, and the button that accepts."""
        browser = "region('FILE_BROWSER')['area'].spaces.active.params"
        self.ask(f"{browser}.directory = {str(folder).encode()!r}")
        self.settle()
        if file_row is not None:
            self.click_in("FILE_BROWSER", "WINDOW", 60, FIRST_FILE + file_row * FILE_ROW)
        self.click_in("FILE_BROWSER", "EXECUTE", -74, 22)
        self.wait("len(bpy.context.window_manager.windows) == 1")

    def close_window(self) -> None:
        """Closes the newest window, as the cross of its frame does, which a screen without a window manager lacks."""
        self.ask(
            """
with bpy.context.temp_override(window=bpy.context.window_manager.windows[-1]):
    bpy.ops.wm.window_close()
"""
        )
        self.settle()

    # Pictures.

    def shot(self, name: str) -> Path:
        """Takes a picture of the whole screen: `<number>_<story>_<name>.png`."""
        self.settle()
        self._taken += 1
        taken = self.folder / "shot.png"
        self.inside("scrot", "--overwrite", str(taken))
        return Path(shutil.move(taken, self.pictures / f"{self._taken:02}_{self.story}_{name}.png"))

    def inside(self, *command: str, seconds: float = START_SECONDS) -> str:
        """Runs a command in Blender's system, with its screen and its user's settings; returns what it prints."""
        settings = {"HOME": "/root", "DISPLAY": f":{self.screen}", "BLENDER_USER_RESOURCES": self.folder / "user"}
        inside = ["chroot", str(GUI_SYSTEM), "env", *(f"{name}={value}" for name, value in settings.items()), *command]
        child = subprocess.run(inside, capture_output=True, text=True, timeout=seconds)
        assert child.returncode == 0, f"{' '.join(command)}: {child.stdout}{child.stderr}"
        return child.stdout


@contextmanager
def opened(archive: Path, pictures: Path | None = None) -> Iterator[Window]:
    """Open Blender with the extension of a zip, the splash screen gone; pictures are put into its folder by default."""
    folder = Path(mkdtemp(prefix="footfall-gui-"))
    window = Window(folder, pictures or folder, free_screen())
    shutil.copy(AGENT, folder)
    try:
        window.lend(folder)
        said = window.install(archive)
        window.start()
        if not window.ask(IS_ENABLED):  # its cause is unknown: the log tells
            warnings.warn(f"Blender started without the extension:\n{said}{window.log()}", stacklevel=1)
            window.tool("stop")
            window.start()
        assert window.ask(IS_ENABLED), f"the installed extension is not enabled:\n{said}{window.log()}"
        window.wait("len(bpy.context.window_manager.windows)")
        window.over("VIEW_3D")
        window.key("Escape")
        yield window
    finally:
        window.end()
        shutil.rmtree(folder)


def free_screen() -> int:
    """Return the number of a virtual screen that is free."""
    return next(number for number in range(90, 200) if not Path(f"/tmp/.X11-unix/X{number}").exists())
