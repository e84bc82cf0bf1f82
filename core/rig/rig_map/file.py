"""Rig maps as TOML files: in short form in ``presets/rigs``, and saved ones with every role written out."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from ...errors import FootfallError
from ...jobs.atomic import write_atomically
from ...jobs.bounded_files import ContentError, parse_toml, read_bytes
from ...message import Message
from . import roles as rig_roles
from .rig_map import ControlSetting, IkFkSwitch, IkLimb, RigMap, TranslationBone

SHIPPED_MAPS_FOLDER: Final = Path(__file__).parents[3] / "presets" / "rigs"
"""Folder of the maps that come with Footfall."""
MAX_BYTES: Final = 1 << 20
"""Largest size of a rig map file."""
MAX_NAME_LENGTH: Final = 255
"""Largest number of characters of a name."""
MAX_NUMBER: Final = 1e6
"""Largest magnitude of a number."""
SIDE_PLACEHOLDER: Final = "{side}"
"""Placeholder in bone names that stands for the file's word for the side."""

_MAP_KEYS: Final = ("name", "sides", "roles", "controls", "carrier", "ik")
_LIMB_KEYS: Final = ("control", "pole", "toe", "switch", "settings")


def load_rig_map(path: Path) -> RigMap:
    """Read a rig map from a TOML file.

    Raises:
        FootfallError: the file cannot be read or is not a rig map; the message names the fault.
    """
    try:
        return parse_rig_map(read_bytes(path, MAX_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise FootfallError("The bone map '{path}' cannot be read: {error}", path=path, error=error.strerror) from error
    except ContentError as error:
        raise FootfallError("'{path}' is not a bone map: {error}", path=path, error=error) from error
    except UnicodeDecodeError as error:
        raise FootfallError("'{path}' is not a bone map: a bone map is a text file in UTF-8", path=path) from error
    except FootfallError as error:
        raise FootfallError("'{path}': {error}", path=path, error=error) from error


def parse_rig_map(text: str) -> RigMap:
    """Return the rig map that a TOML text describes.

    Raises:
        FootfallError: the text is not a rig map.
    """
    try:
        document = parse_toml(text)
    except ContentError as error:
        raise FootfallError("The bone map is not valid TOML: {error}", error=error) from error
    return rig_map_from(document)


def rig_map_from(document: Mapping[str, Any]) -> RigMap:
    """Return the rig map that a parsed TOML document describes.

    The value of a role is a bone name; that of a chain is a list of names. For a role without its side, such as
    ``thigh``, the bone name contains ``{side}``, which is replaced with the words of ``sides``; for ``"thigh.L"``, it
    is a full name.

    Raises:
        FootfallError: the document is not a rig map.
    """
    _refuse_unknown(document, _MAP_KEYS, Message("A bone map"))
    if "name" not in document or "roles" not in document:
        raise FootfallError("A bone map has a name and a table [roles]: add what is missing")
    sides = _parse_sides(document.get("sides", {}))
    bones = dict(_parse_roles(document["roles"], "[roles]", sides))
    controls = dict(_parse_roles(document.get("controls", {}), "[controls]", sides))
    limbs = dict(_parse_limbs(document.get("ik", {}), sides))
    carrier = _parse_carrier(document["carrier"]) if "carrier" in document else None
    return RigMap(_require_text(document["name"], "name"), bones, controls, limbs, carrier)


def _parse_sides(value: object) -> dict[str, str]:
    """Return the file's words for the left and the right side, by ``"L"`` and ``"R"``."""
    table = _require_table(value, "sides")
    _refuse_unknown(table, rig_roles.SIDES, "'sides'")
    return {side: _require_text(table.get(side, side), f"sides.{side}") for side in rig_roles.SIDES}


def _parse_roles(value: object, where: str, sides: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a role and its bone; raise :class:`FootfallError` if a role occurs twice."""
    seen: set[str] = set()
    for key, entry in _require_table(value, where).items():
        for role, bone in _parse_bindings(key, entry, f"{where} {key}", sides):
            if not rig_roles.is_role(role):
                raise FootfallError("In a bone map, {entry} names the unknown body part '{key}'", entry=where, key=key)
            if role in seen:
                raise FootfallError(
                    "In a bone map, {entry} contains the body part '{role}' twice", entry=where, role=role
                )
            seen.add(role)
            yield role, bone


def _parse_bindings(key: str, entry: object, where: str, sides: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a role and its bone that one entry of the file stands for."""
    part, number, side = rig_roles.split_role(key)
    chained = isinstance(entry, list)
    names = [_require_text(name, where) for name in entry] if chained else [_require_text(entry, where)]
    if chained and (part not in (*rig_roles.CHAIN_PARTS, *rig_roles.TWIST_PARTS) or number > 1):
        raise FootfallError(
            "In a bone map, {entry} is a list, but only spine, neck, tail and twist bones form chains", entry=where
        )
    if len(names) > rig_roles.MAX_CHAIN_LENGTH:
        raise FootfallError(
            "In a bone map, {entry} has {count} bones, but a chain has at most {most}",
            entry=where,
            count=len(names),
            most=rig_roles.MAX_CHAIN_LENGTH,
        )
    both = not side and part in (*rig_roles.SIDED_PARTS, *rig_roles.FINGER_PARTS, *rig_roles.TWIST_PARTS)
    for place, name in enumerate(names):
        if (SIDE_PLACEHOLDER in name) != both:
            raise FootfallError(
                "In a bone map, {entry} is '{name}': write {placeholder} in the names of body parts with two sides, "
                "and in no other name",
                entry=where,
                name=name,
                placeholder=SIDE_PLACEHOLDER,
            )
        for one in rig_roles.SIDES if both else (side,):
            yield rig_roles.join_role(part, number + place, one), name.replace(SIDE_PLACEHOLDER, sides.get(one, ""))


def _parse_limbs(value: object, sides: Mapping[str, str]) -> Iterator[tuple[str, IkLimb]]:
    """Yield the role and the controls of each IK limb."""
    for key, entry in _require_table(value, "[ik]").items():
        where = f"[ik.{key}]"
        part, _, side = rig_roles.split_role(key)
        limb = _require_table(entry, where)
        _refuse_unknown(limb, _LIMB_KEYS, where)
        if "control" not in limb:
            raise FootfallError("In a bone map, {entry} has no control: add one", entry=where)
        for one in (side,) if side else rig_roles.SIDES:
            yield rig_roles.join_role(part, 1, one), _parse_limb(limb, where, sides[one])


def _parse_limb(entry: Mapping[str, Any], where: str, side: str) -> IkLimb:
    """Return the controls of one IK limb on one side."""

    def name(table: Mapping[str, Any], key: str, of: str) -> str:
        """Return the bone name in a table's entry, with the word for this side filled in."""
        return _require_text(table.get(key), f"{of} {key}").replace(SIDE_PLACEHOLDER, side)

    def optional(key: str) -> str | None:
        """Return the bone name in an optional entry, for this side; ``None`` if there is no such entry."""
        return name(entry, key, where) if key in entry else None

    switch = None
    if "switch" in entry:
        of = f"{where} switch"
        table = _require_table(entry["switch"], of)
        _refuse_unknown(table, ("bone", "property", "ik", "fk"), of)
        ik, fk = (_require_number(table.get(key), f"{of} {key}") for key in ("ik", "fk"))
        if ik == fk:
            raise FootfallError("In a bone map, {entry} has the same value for IK and FK: give two values", entry=of)
        switch = IkFkSwitch(name(table, "bone", of), name(table, "property", of), ik, fk)
    settings = entry.get("settings", [])
    if not isinstance(settings, list):
        raise FootfallError("In a bone map, {entry} settings must be a list of tables", entry=where)
    return IkLimb(
        name(entry, "control", where),
        optional("pole"),
        optional("toe"),
        switch,
        tuple(_parse_setting(setting, f"{where} settings", side) for setting in settings),
    )


def _parse_carrier(entry: object) -> TranslationBone:
    table = _require_table(entry, "[carrier]")
    _refuse_unknown(table, ("bone", "joint"), "[carrier]")
    bone, joint = (_require_text(table.get(key), f"[carrier] {key}") for key in ("bone", "joint"))
    return TranslationBone(bone, joint)


def _parse_setting(entry: object, where: str, side: str) -> ControlSetting:
    table = _require_table(entry, where)
    _refuse_unknown(table, ("bone", "property", "value"), where)
    bone, what = (
        _require_text(table.get(key), f"{where} {key}").replace(SIDE_PLACEHOLDER, side) for key in ("bone", "property")
    )
    return ControlSetting(bone, what, _require_number(table.get("value"), f"{where} value"))


def _require_table(value: object, where: str) -> Mapping[str, Any]:
    """Return a value as a table; raise :class:`FootfallError` if it is not one."""
    if not isinstance(value, dict):
        raise FootfallError("In a bone map, {entry} must be a table", entry=where)
    return value


def _require_text(value: object, where: str) -> str:
    """Return a value as a name; raise :class:`FootfallError` if it is not one."""
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME_LENGTH or not value.isprintable():
        raise FootfallError(
            "In a bone map, {entry} must be a name of at most {most} characters",
            entry=where,
            most=MAX_NAME_LENGTH,
        )
    return value


def _require_number(value: object, where: str) -> float:
    """Return a value as a number; raise :class:`FootfallError` if it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_NUMBER:
        raise FootfallError("In a bone map, {entry} must be a number", entry=where)
    return float(value)


def _refuse_unknown(entry: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Raise :class:`FootfallError` if a table has an unknown key."""
    unknown = sorted(set(entry) - set(known))
    if unknown:
        raise FootfallError(
            "{entry} cannot have the field '{field}': its fields are {fields}",
            entry=what,
            field=unknown[0][:MAX_NAME_LENGTH],
            fields=", ".join(known),
        )


def to_toml(rig_map: RigMap) -> str:
    """Return the map as TOML text for :func:`parse_rig_map`, with every role written out."""
    lines = [f"name = {_quote(rig_map.name)}"]
    for title, bones in (("roles", rig_map.bones), ("controls", rig_map.controls)):
        if bones or title == "roles":
            lines += [
                "",
                f"[{title}]",
                *(f"{_quote(role)} = {_quote(bones[role])}" for role in rig_roles.sort_roles(bones)),
            ]
    if rig_map.translation_bone:
        bone, joint = _quote(rig_map.translation_bone.bone), _quote(rig_map.translation_bone.joint)
        lines += ["", "[carrier]", f"bone = {bone}", f"joint = {joint}"]
    for role in rig_roles.sort_roles(rig_map.ik):
        lines += ["", f"[ik.{_quote(role)}]", *_limb_lines(rig_map.ik[role])]
    return "\n".join(lines) + "\n"


def _limb_lines(limb: IkLimb) -> Iterator[str]:
    """Yield the lines of TOML for an IK limb."""
    for key, name in (("control", limb.control), ("pole", limb.pole), ("toe", limb.toe)):
        if name is not None:
            yield f"{key} = {_quote(name)}"
    if limb.switch:
        switch = limb.switch
        yield (
            f"switch = {{ bone = {_quote(switch.bone)}, property = {_quote(switch.property)}, "
            f"ik = {switch.ik!r}, fk = {switch.fk!r} }}"
        )
    if limb.settings:
        tables = (
            f"{{ bone = {_quote(setting.bone)}, property = {_quote(setting.property)}, value = {setting.value!r} }}"
            for setting in limb.settings
        )
        yield f"settings = [{', '.join(tables)}]"


def _quote(text: str) -> str:
    """Return a text as a TOML string."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one if one.isprintable() else f"\\U{ord(one):08X}" for one in plain) + '"'


def save_rig_map(rig_map: RigMap, path: Path) -> None:
    """Write a map to a TOML file; the file is replaced as a whole or not at all.

    Raises:
        FootfallError: the map has a name that :func:`load_rig_map` would not read back; no file is written.
        OSError: the file cannot be written.
    """
    text = to_toml(rig_map)
    parse_rig_map(text)
    write_atomically(path, text.encode("utf-8"))


@cache
def shipped_rig_maps() -> Mapping[str, RigMap]:
    """Return the maps that come with Footfall, by file name without its extension."""
    return {path.stem: load_rig_map(path) for path in sorted(SHIPPED_MAPS_FOLDER.glob("*.toml"))}
