"""Rig maps as TOML files: those in ``presets/rigs`` are short, those that users save say every role in full."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from ...errors import FootfallError
from ...jobs.atomic import write_atomically
from . import roles as rig_roles
from .rig_map import Carrier, IkLimb, RigMap, Setting, Switch

FOLDER: Final = Path(__file__).parents[3] / "presets" / "rigs"
MAX_BYTES: Final = 1 << 20
MAX_NAME: Final = 255
MAX_NUMBER: Final = 1e6
SIDE: Final = "{side}"

_KNOWN: Final = ("name", "sides", "roles", "controls", "carrier", "ik")
_LIMB: Final = ("control", "pole", "toe", "switch", "settings")


def load_rig_map(path: Path) -> RigMap:
    """Reads a TOML file.

    Raises:
        FootfallError: it is no rig map; the message says what is wrong in it.
        OSError: it cannot be read.
    """
    if path.stat().st_size > MAX_BYTES:
        raise FootfallError(f"'{path}' is too large for a rig map: at most {MAX_BYTES >> 20} MB are read.")
    try:
        return parse(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise FootfallError(f"'{path}': A rig map is a text file in UTF-8, and this is none.") from error
    except FootfallError as error:
        raise FootfallError(f"'{path}': {error}") from error


def parse(text: str) -> RigMap:
    """The rig map that a TOML text describes; raises :class:`FootfallError` where it is none."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FootfallError(f"The rig map is not valid TOML: {str(error) or 'nested too deeply'}.") from error
    except ValueError as error:  # a number of thousands of digits, a date that is none
        raise FootfallError(f"The rig map has a value that cannot be: {error}.") from error
    return rig_map_from(document)


def rig_map_from(document: Mapping[str, Any]) -> RigMap:
    """The rig map of a TOML document; raises :class:`FootfallError` where it is none.

    A role's bone is a name; of a chain it is a list of names. A sided role without its side, ``thigh``, has ``{side}``
    in its name, for which the file's ``sides`` are put in; ``"thigh.L"`` has a name in full.
    """
    _refuse_unknown(document, _KNOWN, "A rig map")
    if "name" not in document or "roles" not in document:
        raise FootfallError("A rig map needs a name and a table [roles].")
    sides = _sides(document.get("sides", {}))
    bones = dict(_roles(document["roles"], "[roles]", sides))
    controls = dict(_roles(document.get("controls", {}), "[controls]", sides))
    limbs = dict(_limbs(document.get("ik", {}), sides))
    carrier = _carrier(document["carrier"]) if "carrier" in document else None
    return RigMap(_text(document["name"], "name"), bones, controls, limbs, carrier)


def _sides(value: object) -> dict[str, str]:
    table = _table(value, "sides")
    _refuse_unknown(table, rig_roles.SIDES, "'sides'")
    return {side: _text(table.get(side, side), f"sides.{side}") for side in rig_roles.SIDES}


def _roles(value: object, where: str, sides: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Roles and bones, of which each role comes once."""
    seen: set[str] = set()
    for key, entry in _table(value, where).items():
        for role, bone in _bindings(key, entry, f"{where} {key}", sides):
            if not rig_roles.is_role(role):
                raise FootfallError(f"{where} speaks of '{key}', which is no role.")
            if role in seen:
                raise FootfallError(f"{where} says twice which bone is '{role}'.")
            seen.add(role)
            yield role, bone


def _bindings(key: str, entry: object, where: str, sides: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    part, number, side = rig_roles.split(key)
    chained = isinstance(entry, list)
    names = [_text(name, where) for name in entry] if chained else [_text(entry, where)]
    if chained and (part not in (*rig_roles.CHAINS, *rig_roles.TWISTS) or number > 1):
        raise FootfallError(f"{where} is a list, but only spine, neck, tail and twist bones come in chains.")
    if len(names) > rig_roles.LONGEST_CHAIN:
        raise FootfallError(f"{where} has {len(names)} bones: more than {rig_roles.LONGEST_CHAIN} make no chain.")
    both = not side and part in (*rig_roles.SIDED, *rig_roles.TWISTS)
    for place, name in enumerate(names):
        if (SIDE in name) != both:
            raise FootfallError(
                f"{where} is '{name}': {SIDE} stands in the names of roles on both sides, and only there."
            )
        for one in rig_roles.SIDES if both else (side,):
            yield rig_roles.join(part, number + place, one), name.replace(SIDE, sides.get(one, ""))


def _limbs(value: object, sides: Mapping[str, str]) -> Iterator[tuple[str, IkLimb]]:
    for key, entry in _table(value, "[ik]").items():
        where = f"[ik.{key}]"
        part, _, side = rig_roles.split(key)
        limb = _table(entry, where)
        _refuse_unknown(limb, _LIMB, where)
        if "control" not in limb:
            raise FootfallError(f"{where} needs a control.")
        for one in (side,) if side else rig_roles.SIDES:
            yield rig_roles.join(part, 1, one), _limb(limb, where, sides[one])


def _limb(entry: Mapping[str, Any], where: str, side: str) -> IkLimb:
    def name(table: Mapping[str, Any], key: str, of: str) -> str:
        return _text(table.get(key), f"{of} {key}").replace(SIDE, side)

    def optional(key: str) -> str | None:
        return name(entry, key, where) if key in entry else None

    switch = None
    if "switch" in entry:
        of = f"{where} switch"
        table = _table(entry["switch"], of)
        _refuse_unknown(table, ("bone", "property", "ik", "fk"), of)
        ik, fk = (_number(table.get(key), f"{of} {key}") for key in ("ik", "fk"))
        if ik == fk:
            raise FootfallError(f"{of} has the same value for IK and FK.")
        switch = Switch(name(table, "bone", of), name(table, "property", of), ik, fk)
    settings = entry.get("settings", [])
    if not isinstance(settings, list):
        raise FootfallError(f"{where} settings must be a list of tables.")
    return IkLimb(
        name(entry, "control", where),
        optional("pole"),
        optional("toe"),
        switch,
        tuple(_setting(setting, f"{where} settings", side) for setting in settings),
    )


def _carrier(entry: object) -> Carrier:
    table = _table(entry, "[carrier]")
    _refuse_unknown(table, ("bone", "joint"), "[carrier]")
    bone, joint = (_text(table.get(key), f"[carrier] {key}") for key in ("bone", "joint"))
    return Carrier(bone, joint)


def _setting(entry: object, where: str, side: str) -> Setting:
    table = _table(entry, where)
    _refuse_unknown(table, ("bone", "property", "value"), where)
    bone, what = (_text(table.get(key), f"{where} {key}").replace(SIDE, side) for key in ("bone", "property"))
    return Setting(bone, what, _number(table.get("value"), f"{where} value"))


def _table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise FootfallError(f"In a rig map, {where} must be a table.")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME or not value.isprintable():
        raise FootfallError(f"In a rig map, {where} must be a name of at most {MAX_NAME} characters.")
    return value


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_NUMBER:
        raise FootfallError(f"In a rig map, {where} must be a number.")
    return float(value)


def _refuse_unknown(entry: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    unknown = sorted(set(entry) - set(known))
    if unknown:
        raise FootfallError(f"{what} has no '{unknown[0][:MAX_NAME]}'; it has {', '.join(known)}.")


def to_toml(rig_map: RigMap) -> str:
    """The map as the text of a TOML file that :func:`parse` reads back, every role in full."""
    lines = [f"name = {_quoted(rig_map.name)}"]
    for title, bones in (("roles", rig_map.bones), ("controls", rig_map.controls)):
        if bones or title == "roles":
            lines += [
                "",
                f"[{title}]",
                *(f"{_quoted(role)} = {_quoted(bones[role])}" for role in rig_roles.ordered(bones)),
            ]
    if rig_map.carrier:
        bone, joint = _quoted(rig_map.carrier.bone), _quoted(rig_map.carrier.joint)
        lines += ["", "[carrier]", f"bone = {bone}", f"joint = {joint}"]
    for role in rig_roles.ordered(rig_map.ik):
        lines += ["", f"[ik.{_quoted(role)}]", *_limb_lines(rig_map.ik[role])]
    return "\n".join(lines) + "\n"


def _limb_lines(limb: IkLimb) -> Iterator[str]:
    for key, name in (("control", limb.control), ("pole", limb.pole), ("toe", limb.toe)):
        if name is not None:
            yield f"{key} = {_quoted(name)}"
    if limb.switch:
        switch = limb.switch
        yield (
            f"switch = {{ bone = {_quoted(switch.bone)}, property = {_quoted(switch.property)}, "
            f"ik = {switch.ik!r}, fk = {switch.fk!r} }}"
        )
    if limb.settings:
        tables = (
            f"{{ bone = {_quoted(setting.bone)}, property = {_quoted(setting.property)}, value = {setting.value!r} }}"
            for setting in limb.settings
        )
        yield f"settings = [{', '.join(tables)}]"


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one if one.isprintable() else f"\\U{ord(one):08X}" for one in plain) + '"'


def save_rig_map(rig_map: RigMap, path: Path) -> None:
    """Writes a map as a TOML file that appears whole or not at all.

    Raises:
        FootfallError: it has a name that :func:`load_rig_map` would not read back; nothing is written.
        OSError: the file cannot be written.
    """
    text = to_toml(rig_map)
    parse(text)
    write_atomically(path, text.encode("utf-8"))


@cache
def shipped() -> Mapping[str, RigMap]:
    """The maps that come with Footfall: name of the file without its ending to map."""
    return {path.stem: load_rig_map(path) for path in sorted(FOLDER.glob("*.toml"))}
