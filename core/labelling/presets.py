"""Labeling presets: the sensors, feet, actions and local phases to find, as TOML files that users can write."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from ..errors import FootfallError
from ..jobs.bounded_files import ContentError, read_toml
from ..message import Message
from ..motion.roles import is_quadruped
from .semantics import actions
from .sensors import Sensor

PRESET_FOLDER: Final = Path(__file__).parents[2] / "presets" / "labelling"
"""Folder of the shipped presets."""
FOOT_SETS: Final = (("L", "R"), ("L", "R", "FL", "FR"))
"""Feet of bipeds and of quadrupeds."""


@dataclass(frozen=True)
class LabellingPreset:
    """The labels to find in a clip: sensors, feet, actions and local phases.

    Attributes:
        name: name shown to the user.
        description: description shown to the user.
        sensors: sensors whose contacts are found.
        feet: names of the sensors of each foot: ``L`` and ``R`` (the hind feet of quadrupeds), ``FL`` and ``FR``.
        actions: actions to find, of ``actions.ACTION_NAMES``.
        local_phases: names of the sensors with a local phase.
    """

    name: str
    description: str
    sensors: tuple[Sensor, ...]
    feet: Mapping[str, tuple[str, ...]]
    actions: tuple[str, ...] = ("idle", "walk", "run")
    local_phases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise :class:`FootfallError` if entries of the preset contradict each other."""
        names = self.sensor_names
        where = Message("The labeling preset '{name}'", name=self.name)
        doubled = {name for name in names if names.count(name) > 1}
        if doubled:
            raise FootfallError(
                "{preset} has two contact points named '{name}': rename one of them", preset=where, name=doubled.pop()
            )
        if tuple(self.feet) not in FOOT_SETS:
            raise FootfallError(
                "{preset} has the feet {feet}: give L and R, or L, R, FL and FR",
                preset=where,
                feet=", ".join(self.feet),
            )
        for name in (*(name for foot in self.feet.values() for name in foot), *self.local_phases):
            if name not in names:
                raise FootfallError(
                    "{preset} refers to a contact point that it does not have, '{name}': add the contact point",
                    preset=where,
                    name=name,
                )
        unknown = [action for action in self.actions if action not in actions.ACTION_NAMES]
        if unknown:
            raise FootfallError(
                "{preset} detects the unknown activity '{activity}': choose from {names}",
                preset=where,
                activity=unknown[0],
                names=", ".join(actions.ACTION_NAMES),
            )

    @property
    def sensor_names(self) -> tuple[str, ...]:
        """Names of the sensors (C), in the order of the contact columns."""
        return tuple(sensor.name for sensor in self.sensors)

    def foot_columns(self, foot: str) -> list[int]:
        """Return the columns, in contact arrays (F, C), of the sensors of foot ``L``, ``R``, ``FL`` or ``FR``."""
        return [self.sensor_names.index(name) for name in self.feet[foot]]

    def same_foot_columns(self, sensor_name: str) -> list[int]:
        """Return the columns, in contact arrays (F, C), of all sensors of the foot to which a sensor belongs.

        If the sensor belongs to no foot, return its own column.
        """
        for foot, names in self.feet.items():
            if sensor_name in names:
                return self.foot_columns(foot)
        return [self.sensor_names.index(sensor_name)]


def load_preset(path: Path) -> LabellingPreset:
    """Read a preset from a TOML file; raise a :class:`FootfallError` that names any mistake in it."""
    try:
        return parse_preset(read_toml(path))
    except OSError as error:
        raise FootfallError(
            "The labeling preset '{path}' cannot be read: {error}", path=path, error=error.strerror
        ) from error
    except ContentError as error:
        raise FootfallError(
            "The labeling preset '{path}' is not valid TOML: {error}", path=path, error=error
        ) from error
    except FootfallError as error:
        raise FootfallError("'{path}': {error}", path=path, error=error) from error


def parse_preset(document: Mapping[str, Any]) -> LabellingPreset:
    """Return the preset in a parsed TOML document; raise :class:`FootfallError` if it is not valid."""
    known = {"name", "description", "sensor", "feet", "actions", "local_phases"}
    _reject_unknown_keys(document, known, Message("A labeling preset"))
    try:
        return LabellingPreset(
            str(document["name"]),
            str(document.get("description", "")),
            tuple(_parse_sensor(entry) for entry in document["sensor"]),
            {str(foot): tuple(map(str, names)) for foot, names in document["feet"].items()},
            tuple(map(str, document.get("actions", ("idle", "walk", "run")))),
            tuple(map(str, document.get("local_phases", ()))),
        )
    except KeyError as error:
        raise FootfallError("The labeling preset has no {field}: add it", field=error) from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FootfallError("The labeling preset has an invalid value: {error}", error=error) from error


def _parse_sensor(entry: Mapping[str, Any]) -> Sensor:
    """Return the sensor described by a TOML table."""
    _reject_unknown_keys(entry, {field.name for field in fields(Sensor)}, Message("A contact point"))
    values = dict(entry)
    for number in ("height", "speed", "sharpness", "shortest"):
        if number in values:
            values[number] = float(values[number])
    if values.get("speed") == 0.0:  # Files hold only finite numbers.
        values["speed"] = math.inf
    if "offset" in values:
        x, y, z = map(float, values["offset"])
        values["offset"] = (x, y, z)
    values["name"], values["joint"] = str(entry["name"]), str(entry.get("joint", entry["name"]))
    return Sensor(**values)


def _reject_unknown_keys(entry: Mapping[str, Any], known_keys: set[str], subject: str) -> None:
    """Raise an error if a TOML table has an unknown key."""
    unknown = sorted(set(entry) - known_keys)
    if unknown:
        raise FootfallError(
            "{entry} cannot have the field '{field}': its fields are {fields}",
            entry=subject,
            field=unknown[0],
            fields=", ".join(sorted(known_keys)),
        )


def format_preset(preset: LabellingPreset) -> str:
    """Return a preset as TOML text, such as :func:`load_preset` reads."""
    lines = [
        f"name = {_toml_string(preset.name)}",
        f"description = {_toml_string(preset.description)}",
        f"actions = {_toml_list(preset.actions)}",
        f"local_phases = {_toml_list(preset.local_phases)}",
        "",
        "[feet]",
        *(f"{foot} = {_toml_list(names)}" for foot, names in preset.feet.items()),
    ]
    for sensor in preset.sensors:
        lines += ["", "[[sensor]]"]
        lines += [f"{field.name} = {_toml_value(getattr(sensor, field.name))}" for field in fields(Sensor)]
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _toml_string(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(repr, value))}]"
    return "0.0" if value == math.inf else repr(value)


def _toml_string(text: str) -> str:
    """Return a text as a TOML string, leaving out control characters."""
    clean = "".join(character if character.isprintable() else " " for character in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _toml_list(names: tuple[str, ...]) -> str:
    """Return names as a TOML array."""
    return f"[{', '.join(map(_toml_string, names))}]"


def shipped_presets() -> dict[str, Path]:
    """Return the paths of the shipped presets by file name without extension, ``biped`` first."""
    return {
        path.stem: path for path in sorted(PRESET_FOLDER.glob("*.toml"), key=lambda path: (path.stem != "biped", path))
    }


def find_preset(name_or_file: str) -> LabellingPreset:
    """Return a shipped labeling preset by its name, or any other by the path of its file.

    Raise :class:`FootfallError` if there is neither.
    """
    shipped = shipped_presets()
    path = shipped.get(name_or_file, Path(name_or_file))
    if not path.is_file():
        raise FootfallError(
            "There is no labeling preset '{name}': give a file, or one of {names}",
            name=name_or_file,
            names=", ".join(shipped),
        )
    return load_preset(path)


BIPED_PRESET: Final = load_preset(PRESET_FOLDER / "biped.toml")
"""The preset for people, the default."""
QUADRUPED_PRESET: Final = load_preset(PRESET_FOLDER / "quadruped.toml")
"""The preset for quadrupeds; its sensors are the paws, in the order of ``roles.PAW_CONTACTS``."""


def preset_of_body(roles: Collection[str]) -> LabellingPreset:
    """Return the labeling preset for quadrupeds if these joint roles are a quadruped's, else that for bipeds."""
    return QUADRUPED_PRESET if is_quadruped(roles) else BIPED_PRESET
