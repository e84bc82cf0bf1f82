"""A bake by the command line that kills its own process at a moment of its saving.

`python -m footfall.tests.addon.support.killed_bake FILE MOMENT`; see :data:`MOMENTS`.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final

import bpy

from footfall.tests.addon.support.command_call import called
from footfall.tests.addon.support.empty_blender import enable_add_on

MOMENTS: Final = ("writing", "written", "moved")
"""While Blender writes the file beside the old one, before that is moved over it, and after."""


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_while_writing(folder: Path) -> None:
    """Kill this process once a part of the file is written."""
    while not any(part.stat().st_size for part in folder.glob(".*.part*")):
        time.sleep(1e-5)
    kill()


def bake(file: Path, moment: str) -> None:
    """Bake all characters of a file over it; never returns."""
    enable_add_on()
    bpy.ops.wm.open_mainfile(filepath=str(file))
    replace = os.replace
    if moment == "writing":
        threading.Thread(target=kill_while_writing, args=(file.parent,), daemon=True).start()
    else:

        def replace_or_kill(source: Path, target: Path, **folders: int) -> None:
            if Path(target) != file:
                replace(source, target, **folders)
                return
            if moment == "moved":
                replace(source, target, **folders)
            kill()

        os.replace = replace_or_kill
    raise SystemExit(str(called("bake", "--all", "--save")))


if __name__ == "__main__":
    bake(Path(sys.argv[1]), sys.argv[2])
