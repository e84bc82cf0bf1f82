"""Deeds of the walk: operators with random arguments, settings and selections."""

import random
from collections.abc import Iterator
from typing import Final

import bpy

from .changes import draw_change
from .deed import Deed

OUTSIDE: Final = {
    *("start_training", "resume_training", "train_generator", "check_training_setup", "install_training_environment"),
    *("remove_training_environment", "cancel_training_environment", "open_manual", "open_folder"),
    *("make_terrain_patches", "label_folder"),
}
"""Operators that start programs, use the network or fill the disk."""
MOST: Final = 8.0
"""Largest number that a setting is given, so that nothing takes long."""
NOT_OFFERED_SHARE: Final = 0.1
"""Share of the operators that are called whether they are offered or not, as a script does."""
OWN_SETTINGS: Final = ("controller", "controller_file", "interaction_controller_file")
"""Settings that are seldom changed: without a controller nothing is done."""


def operators() -> list[str]:
    """Return the names of the add-on's operators that stay inside the file."""
    return sorted(name for name in dir(bpy.ops.footfall) if name not in OUTSIDE)


def draw_deed(chance: random.Random) -> Deed:
    """Draw what is done next."""
    draw = chance.choices((draw_operator, _setting, _selection, draw_change), (70, 14, 8, 8))[0]
    return draw(chance)


def draw_operator(chance: random.Random, how: str = "EXEC_DEFAULT") -> Deed:
    """Draw a call of an operator, by a script or (`INVOKE_DEFAULT`) by a button."""
    offered = [name for name in operators() if getattr(bpy.ops.footfall, name).poll()]
    name = chance.choice(offered if offered and chance.random() > NOT_OFFERED_SHARE else operators())
    operator = getattr(bpy.ops.footfall, name)
    given = dict(_arguments(operator.get_rna_type(), chance)) if chance.random() < 0.5 else {}
    words = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return Deed("operator", f"bpy.ops.footfall.{name}({words})", lambda: operator(how, **given))


def _arguments(kind: bpy.types.Struct, chance: random.Random) -> Iterator[tuple[str, object]]:
    for prop in kind.properties:
        if prop.identifier != "rna_type" and not prop.is_readonly and chance.random() < 0.5:
            value = _value(prop, chance)
            if value is not None:
                yield prop.identifier, value


def _value(prop: bpy.types.Property, chance: random.Random) -> object:
    """Return a value that a property may have; ``None`` where none is drawn."""
    if prop.type == "BOOLEAN" and not prop.is_array:
        return chance.random() < 0.5
    if prop.type in {"INT", "FLOAT"} and not prop.is_array:
        low, high = max(prop.soft_min, -MOST), min(prop.soft_max, MOST)
        low, high = min(low, high), max(low, high)
        return chance.randint(int(low), int(high)) if prop.type == "INT" else chance.uniform(low, high)
    if prop.type == "ENUM" and not prop.is_enum_flag:
        items = [item.identifier for item in prop.enum_items]
        return chance.choice(items) if items else None
    if prop.type == "STRING":
        return chance.choice(["", "Hero", "x" * 300, "Ä ö/\\", "1"])
    return None


def _setting(chance: random.Random) -> Deed:
    """A setting of a character or the scene, at any depth."""
    owners: list[tuple[str, bpy.types.PropertyGroup]] = [
        (f"bpy.data.objects[{one.name!r}].footfall", one.footfall) for one in bpy.data.objects if one.type == "ARMATURE"
    ]
    told, group = chance.choice([*owners, ("bpy.context.scene.footfall", bpy.context.scene.footfall)])
    while True:
        props = [prop for prop in group.bl_rna.properties if prop.identifier not in {"rna_type", "name"}]
        prop = chance.choice(props)
        told, value = f"{told}.{prop.identifier}", getattr(group, prop.identifier)
        if isinstance(value, bpy.types.PropertyGroup):
            group = value
        elif prop.type == "COLLECTION" and len(value) and isinstance(value[0], bpy.types.PropertyGroup):
            number = chance.randrange(len(value))
            told, group = f"{told}[{number}]", value[number]
        else:
            break
    if prop.is_readonly or prop.type == "COLLECTION" or (prop.identifier in OWN_SETTINGS and chance.random() < 0.9):
        return Deed("setting", "pass", lambda: None)
    if prop.type == "POINTER":
        fitting = [one for one in (*bpy.data.objects, *bpy.data.collections) if isinstance(one, _type_of(prop))]
        new = chance.choice([None, *fitting])
        word = repr(new)
    else:
        new = _value(prop, chance)
        word = repr(new)
    if new is None and prop.type != "POINTER":
        return Deed("setting", "pass", lambda: None)
    return Deed("setting", f"{told} = {word}", lambda: setattr(group, prop.identifier, new))


def _type_of(prop: bpy.types.Property) -> type:
    return getattr(bpy.types, prop.fixed_type.identifier)


def _selection(chance: random.Random) -> Deed:
    """Other objects that are selected, and another frame."""
    shown = [one for one in bpy.context.view_layer.objects if one is not None]  # it is, between a removal and an update
    things = [one for one in shown if chance.random() < 0.3]
    bodies = [one for one in shown if one.type == "ARMATURE"]
    active = chance.choice(bodies if bodies and chance.random() < 0.8 else [*shown, None])
    frame = chance.randint(-10, 120)

    def select() -> None:
        for one in shown:
            one.select_set(one in things)
        bpy.context.view_layer.objects.active = active
        bpy.context.scene.frame_set(frame)

    names = [one.name for one in things]
    return Deed("selection", f"select({names}, active={active and active.name!r}, frame={frame})", select)
