"""One part of the walk, in a Blender of its own: `python -m footfall.tests.monkey.walk FOLDER SEED CALLS`.

It writes each deed before it is done, so that what ends the process is known, and what is wrong afterwards.
"""

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Final, TextIO

import bpy

from .deed import Deed
from .deeds import draw_deed
from .scene import make_scene
from .state import broken_keys, differences, kept_digest, read_state

UNDONE_SHARE: Final = 0.15
"""Share of the deeds after which undo and redo are tried."""
SLOW_S: Final = 60.0


class Walk:
    """A walk over operators.

    Args:
        folder: for the file and what it uses.
        seed: of all chances.
        log: where a line of JSON is written for each deed and each fault.
    """

    def __init__(self, folder: Path, seed: int, log: TextIO) -> None:
        self._chance, self._log = random.Random(seed), log
        make_scene(folder)
        self._kept = kept_digest()

    def run(self, calls: int) -> None:
        """Do some deeds, and look for what is wrong after each."""
        for number in range(calls):
            deed = draw_deed(self._chance)
            is_undone = self._chance.random() < UNDONE_SHARE
            self._write(deed=number, kind=deed.kind, told=deed.told)
            begun = time.monotonic()
            self._write(result=self._do(deed, is_undone))
            if time.monotonic() - begun > SLOW_S:
                self._fault(f"took {time.monotonic() - begun:.0f} s")
            self._look()

    def _do(self, deed: Deed, is_undone: bool) -> str:
        """Do a deed, with undo and redo after it where it has done something; return what came of it."""
        before = None
        if is_undone and deed.kind == "operator":
            bpy.ops.ed.undo_push(message="before")
            before = read_state()
        try:
            result = deed.do()
        except (RuntimeError, TypeError, ReferenceError, ValueError, AttributeError) as error:
            if "Traceback" in str(error) or not isinstance(error, RuntimeError):
                self._fault(f"{type(error).__name__}: {error}")
                return "traceback"
            return "not offered" if "poll()" in str(error) else "refused"
        if before is not None and result == {"FINISHED"}:
            self._undo_and_redo(before)
        return "done" if result in ({"FINISHED"}, None) else "cancelled"

    def _undo_and_redo(self, before: dict[str, object]) -> None:
        """Undo what was done, and do it again: the file is as before, and as after."""
        after = read_state()
        bpy.ops.ed.undo_push(message="after")
        bpy.ops.ed.undo()
        if wrong := differences(before, read_state()):
            self._fault(f"undo leaves {wrong[:3]}")
        bpy.ops.ed.redo()
        if wrong := differences(after, read_state()):
            self._fault(f"redo leaves {wrong[:3]}")

    def _look(self) -> None:
        """Look whether the user's action is there as it was, and keys are finite."""
        if (now := kept_digest()) != self._kept:
            self._fault("the user's action has other keys" if now else "the user's action is gone")
            self._kept = now
        for curve in list(broken_keys())[:1]:
            self._fault(f"not finite: {curve}")

    def _fault(self, told: str) -> None:
        self._write(fault=told)

    def _write(self, **line: object) -> None:
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()


def main(folder: str, seed: str, calls: str) -> None:
    """Walk, and write the log beside the file; what operators write by a mere name is written there, too."""
    os.chdir(folder)
    with (Path(folder) / "log.jsonl").open("w", encoding="utf-8") as log:
        Walk(Path(folder), int(seed), log).run(int(calls))
        log.write(json.dumps({"ended": True}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)
