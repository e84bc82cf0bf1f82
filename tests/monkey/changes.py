"""Changes of the file: objects, actions, libraries, scenes, the time, the file itself and the add-on."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import addon_utils
import bpy

from .deed import Deed
from .state import KEPT

FEWEST_OBJECTS: Final = 5
"""Number of objects from which on none is removed."""
MOST_OBJECTS: Final = 40
"""Number of objects from which on none is added."""
PLAYED: Final = 6
"""Frames that are played."""
LIBRARY: Final = "library.blend"
"""File, beside the one that is open, whose objects are linked."""


def draw_change(chance: random.Random) -> Deed:
    """Draw a change of the file."""
    change = chance.choice(CHANGES)
    name = change.__name__.removeprefix("_")
    return Deed("change", f"{name}()", lambda: change(chance))


def _pick(chance: random.Random) -> bpy.types.Object:
    return chance.choice([*bpy.data.objects])


def _remove(chance: random.Random) -> None:
    if len(bpy.data.objects) > FEWEST_OBJECTS:
        bpy.data.objects.remove(_pick(chance))


def _rename(chance: random.Random) -> None:
    thing = _pick(chance)
    if thing.is_editable:
        thing.name = chance.choice(["Ä" * 40, "Hero", "x", "Box"])


def _copy(chance: random.Random) -> None:
    if len(bpy.data.objects) < MOST_OBJECTS:
        bpy.context.scene.collection.objects.link(_pick(chance).copy())


def _move(chance: random.Random) -> None:
    _pick(chance).location = [chance.uniform(-3, 3), chance.uniform(-3, 3), chance.uniform(0, 1)]
    bpy.context.view_layer.update()


def _unlink(chance: random.Random) -> None:
    thing = _pick(chance)
    for collection in list(thing.users_collection):
        collection.objects.unlink(thing)


def _remove_action(chance: random.Random) -> None:
    actions = [action for action in bpy.data.actions if action.name != KEPT]
    if actions:
        bpy.data.actions.remove(chance.choice(actions))


def _reopen(chance: random.Random) -> None:
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)


def _link(chance: random.Random) -> None:
    """Link or append some objects of the library."""
    file = Path(bpy.data.filepath).with_name(LIBRARY)
    if len(bpy.data.objects) >= MOST_OBJECTS:
        return
    with bpy.data.libraries.load(str(file), link=chance.random() < 0.7) as (there, here):
        here.objects = chance.sample(there.objects, 2)
    for thing in here.objects:
        bpy.context.scene.collection.objects.link(thing)


def _override(chance: random.Random) -> None:
    linked = [thing for thing in bpy.context.scene.objects if thing.library is not None]
    if linked:
        thing = chance.choice(linked)
        thing.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)


def _reload(chance: random.Random) -> None:
    for library in bpy.data.libraries:
        library.reload()


def _make_local(chance: random.Random) -> None:
    linked = [thing for thing in bpy.context.scene.objects if thing.library is not None]
    if linked:
        chance.choice(linked).make_local()


def _another_scene(chance: random.Random) -> None:
    """Go to another scene, which may be new and have some of the objects, or remove one."""
    draw = chance.random()
    if draw < 0.4 and len(bpy.data.scenes) < 4:
        scene = bpy.data.scenes.new("Scene")
        for thing in chance.sample([*bpy.data.objects], min(4, len(bpy.data.objects))):
            scene.collection.objects.link(thing)
        bpy.context.window.scene = scene
    elif draw < 0.6 and len(bpy.data.scenes) > 1:
        bpy.data.scenes.remove(chance.choice([*bpy.data.scenes]))
    else:
        bpy.context.window.scene = chance.choice([*bpy.data.scenes])


def _play(chance: random.Random) -> None:
    scene = bpy.context.scene
    for frame in range(scene.frame_current, scene.frame_current + PLAYED):
        scene.frame_set(frame)


def _rate(chance: random.Random) -> None:
    bpy.context.scene.render.fps = chance.choice([1, 24, 25, 30, 60, 120])


def _disable_and_enable(chance: random.Random) -> None:
    name = next(addon.module for addon in bpy.context.preferences.addons if addon.module.endswith("footfall"))
    addon_utils.disable(name)
    addon_utils.enable(name)


CHANGES: Final[tuple[Callable[[random.Random], None], ...]] = (
    *(_remove, _rename, _copy, _move, _unlink, _remove_action, _reopen, _link, _override, _reload),
    *(_make_local, _another_scene, _play, _rate, _disable_and_enable),
)
