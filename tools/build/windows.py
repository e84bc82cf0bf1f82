"""Blender with its windows, on a virtual screen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .environments import DEV, set_up
from .folders import ROOT, SHARED
from .messages import say
from .processes import clean_environment, only_one_at_a_time
from .wheels import BLENDER_PYTHONS, current_platform
from .zips import package

GUI_TOOLS = SHARED / "tools"
GUI_SYSTEM = Path("/opt/blender-gui")
"""A Debian in a folder, with its own Blender in windows on a virtual screen."""
GUI_SET_UP_SECONDS = 900
SKIPPED = 77
"""Exit code if no test was possible."""


def why_no_windows() -> str | None:
    """Set up the Blender with windows; return None, or the reason why that is impossible."""
    script = GUI_TOOLS / "blender_gui_setup.sh"
    if not sys.platform.startswith("linux") or not script.is_file():
        return f"it needs Linux, and {script}"
    say("gui-test", f"setting up Blender with its windows in {GUI_SYSTEM} (minutes, the first time)")
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(["sh", script, GUI_SYSTEM], stdout=said, stderr=said, start_new_session=True)
        try:
            code = child.wait(GUI_SET_UP_SECONDS)
        except BaseException as reason:
            os.killpg(child.pid, signal.SIGKILL)
            if isinstance(reason, subprocess.TimeoutExpired):
                return f"setting it up took longer than {GUI_SET_UP_SECONDS} s"
            raise
        said.seek(0)
        lines = said.read().strip().splitlines() or ["it says nothing"]
    return f"it could not be set up: {lines[-1]}" if code else None


def python_of_windows() -> str:
    """Return the version of Python inside the Blender with windows, which may differ from its system's."""
    asked = "import sys; print('Python', '%d.%d' % sys.version_info[:2])"
    command = [
        "chroot",
        str(GUI_SYSTEM),
        "/usr/bin/blender",
        "--background",
        "--factory-startup",
        "--python-expr",
        asked,
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=clean_environment()).stdout
    return next(line.split()[1] for line in told.splitlines() if line.startswith("Python "))


def run_in_windows(name: str, arguments: Sequence[str], **variables: object) -> int:
    """Run Python beside a Blender with windows and the zip for it; return its exit code, or `SKIPPED`."""
    reason = why_no_windows()
    python = "" if reason else python_of_windows()
    if python and python not in BLENDER_PYTHONS:
        reason = f"Debian's Blender runs on Python {python}, for which there is no zip"
    if reason:
        say(name, f"SKIPPED: {reason}")
        return SKIPPED
    say(name, f"its Blender runs on Python {python}")
    set_up(DEV)
    told = {"FOOTFALL_GUI_ZIP": package(current_platform(), python), **variables}
    environment = clean_environment(**{key: str(value) for key, value in told.items()})
    with only_one_at_a_time(GUI_SYSTEM.with_suffix(".lock")):
        return subprocess.call([str(DEV.python), "-P", *arguments], cwd=ROOT, env=environment)
