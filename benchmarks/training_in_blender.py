"""Script for Blender: starts a run and watches it until killed, or reads the status of one.

Arguments: ``start``, ``look`` or ``resume``, the run's folder, the trainer's Python, and for ``start`` the arguments of
``footfall train``. The last line of the output is a JSON object: the run's status ``before`` and ``after``.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
import time
from pathlib import Path

import bpy

from footfall.blender_addon.train import runs
from footfall.core.jobs.run_folder import RunFolder


def main(task: str, run: RunFolder, python: Path, arguments: list[str]) -> None:
    """Perform a task; ``start`` does not return."""
    import addon_utils  # bpy adds it to the path

    addon_utils.enable("footfall", default_set=True)
    bpy.context.preferences.addons["footfall"].preferences.runs_folder = str(run.path.parent)
    if task == "start":
        runs.launch(python, run, arguments)
        while True:
            shown(run)
            time.sleep(0.2)
    seen = {"before": shown(run)}
    if task == "resume":
        runs.resume(python, run)
        while shown(run) not in ("finished", "failed"):
            time.sleep(0.2)
        seen["after"] = shown(run)
    print(json.dumps(seen), flush=True)


def shown(run: RunFolder) -> str:
    """Return the status shown by the panel."""
    runs.poll_runs(time.time())
    found = {item.name: item.status for item in bpy.context.window_manager.footfall.training_runs}
    return found.get(run.path.name, "none")


if __name__ == "__main__":
    main(sys.argv[1], RunFolder(Path(sys.argv[2])), Path(sys.argv[3]), sys.argv[4:])
    os._exit(0)  # Blender 4.5 as a module hangs when it ends
