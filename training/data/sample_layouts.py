"""Layouts of a data set's samples, and the choice of sensors that get a local phase."""

from collections.abc import Iterable
from typing import Any, Final

from ...core.features import strikes
from ...core.features.locomotion import input_layout, output_layout
from ...core.features.phase_system import PhaseSystem
from ...core.features.sensor_phases import labeled_sensors
from ...core.labelling import Labels
from ...core.labelling.labels import opposite_sensor
from ...core.motion.roles import FOOT_CONTACTS
from .companions import KINDS
from .manifest import DatasetError, DatasetSettings
from .shards import SampleSpec

IDLE_SENSORS_FIELD: Final = "sensors_left_out"
"""Manifest field with the labeled sensors that have no local phase."""


def sample_layouts(spec: SampleSpec, gaits: tuple[str, ...], performers: int) -> dict[str, Any]:
    """Return the layouts of inputs and outputs of a spec's samples, as plain data for the manifest.

    ``performers`` is the number of performers that inputs distinguish.
    """
    if spec.other_targets is not None:
        layouts = strikes.input_layout(spec.joints), output_layout(spec.joints)
    elif spec.sensors:
        parts = frozenset(part for kind in spec.parts for part in KINDS[kind].parts)
        system = PhaseSystem(spec.joints, gaits, spec.sensors, performers, parts)
        layouts = system.input_layout(), system.output_layout()
    else:
        layouts = input_layout(spec.joints, gaits, performers=performers), output_layout(spec.joints)
    return dict(zip(("input_layout", "output_layout"), (layout.to_json() for layout in layouts), strict=True))


def choose_sensors(labels: Iterable[Labels], settings: DatasetSettings) -> tuple[str, ...]:
    """Return the sensors that get a local phase: the feet first, then those named in the settings.

    If none are named, all sensors with a contact in some clip follow the feet. If clips are mirrored, contacts on one
    side count for both. Sensors of the companions in the setting ``parts`` come last. The result is empty for feature
    layouts other than ``"local_phase_system"``.

    Raises:
        DatasetError: a named sensor has no contact in any clip, or a kind of companion is unknown.
    """
    for kind in settings.parts:
        if kind not in KINDS or settings.features != "local_phase_system":
            raise DatasetError(
                "The setting 'parts' contains '{kind}', but only {kinds} are possible, with features = "
                "local_phase_system: change one of these settings",
                kind=kind,
                kinds=", ".join(KINDS),
            )
    if settings.features != "local_phase_system":
        return ()
    found = labeled_sensors(labels)
    for name in settings.sensors:
        if name not in found:
            raise DatasetError(
                "The contact point '{name}' has no contact in any clip, and therefore no phase: label clips in "
                "which it has contacts, or leave it out of the setting 'sensors'",
                name=name,
            )
    chosen = [name for name in found if not settings.sensors or name in (*FOOT_CONTACTS, *settings.sensors)]
    others = map(opposite_sensor, chosen) if settings.mirror else ()
    touched = (sensor for kind in settings.parts for sensor in KINDS[kind].sensors)
    return tuple(dict.fromkeys([*chosen, *others, *touched]))


def sensor_fields(spec: SampleSpec, labels: Iterable[Labels]) -> dict[str, list[str]]:
    """Return the manifest's lists of sensors with a local phase, and of labeled ones without; empty for other data."""
    if not spec.sensors:
        return {}
    named = dict.fromkeys(name for each in labels for name in each.contact_joints)
    return {"sensors": list(spec.sensors), IDLE_SENSORS_FIELD: [name for name in named if name not in spec.sensors]}
