"""The part of the walk inside Blender with its windows; the outside calls it by questions (tests/gui/agent.py)."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from .deed import Deed
from .deeds import draw_deed, draw_operator
from .state import State, broken_keys, differences, kept_digest, read_state

before: State = {}
"""The file as it was before the last deed."""
finished: list[int] = []
"""Addresses of the operators that had finished before the last deed."""
kept: list[str] = []
"""Digest of the user's own action, as it was at first."""


def begin(file: str) -> None:
    """Open the file anew, in one window."""
    bpy.ops.wm.open_mainfile(filepath=file, load_ui=False)
    kept[:] = [kept_digest()]


def press(seed: int) -> str:
    """Call an operator as a button does; return what was called and what came of it, as JSON."""
    chance = random.Random(seed)
    with mouse_over_viewport():
        return done(draw_operator(chance, "INVOKE_DEFAULT"))


def change(seed: int) -> str:
    """Do a deed of a script; return what was done and what came of it, as JSON."""
    with mouse_over_viewport():
        return done(draw_deed(random.Random(seed)))


def done(deed: Deed) -> str:
    """Do a deed, and tell it."""
    finished[:] = addresses()
    before.clear()
    before.update(read_state())
    try:
        result = deed.do()
    except RuntimeError as error:
        said = "not offered" if "poll()" in str(error) else "refused"
        return json.dumps([deed.told, "traceback" if "Traceback" in str(error) else said, str(error)])
    except (TypeError, ReferenceError, ValueError, AttributeError) as error:
        return json.dumps([deed.told, "traceback", f"{type(error).__name__}: {error}"])
    return json.dumps([deed.told, next(iter(result)) if isinstance(result, set) else "FINISHED", ""])


def goes_on() -> bool:
    """Return whether an operator of the add-on waits for what the user does."""
    windows = bpy.context.window_manager.windows
    return any(one.bl_idname.startswith("FOOTFALL_OT") for window in windows for one in window.modal_operators)


def addresses() -> list[int]:
    """Return the addresses of the operators that have finished, which Blender keeps."""
    return [one.as_pointer() for one in bpy.context.window_manager.operators]


def has_finished() -> bool:
    """Return whether an operator has finished since the last deed began."""
    return finished != addresses()


def unlike_before() -> list[str]:
    """Return what is not as it was before the last deed."""
    return differences(before, read_state())


def wrong() -> list[str]:
    """Return what has been lost, and what is not finite."""
    found = list(broken_keys())[:1]
    if (now := kept_digest()) != kept[0]:
        found.append("the user's action has other keys" if now else "the user's action is gone")
        kept[0] = now
    return found


@contextmanager
def mouse_over_viewport() -> Iterator[None]:
    """Make Blender believe that the mouse is over a 3D viewport, where a window has one."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                region = next(one for one in area.regions if one.type == "WINDOW")
                with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
                    yield
                return
    yield
