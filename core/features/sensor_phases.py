"""Contacts and local phases of labeled sensors as features: feet, hands, hips and weapons (Starke et al. 2020)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import FootfallError
from ..labelling import Labels
from ..labelling.phase.local_phases import find_local_phases
from ..motion import Clip, Skeleton
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.roles import FOOT_CONTACTS
from ..motion.rotations import Array
from ..motion.signals import velocities


@dataclass(frozen=True, slots=True, eq=False)
class SensorSignals:
    """Contacts and local phases of K sensors over F frames.

    Attributes:
        contacts: (F, K) 1 in contact, else 0.
        vectors: (F, K, 2) phase vectors, m/s; zero for a sensor without changes of contact.
    """

    contacts: Array
    vectors: Array

    @staticmethod
    def of(clip: Clip, labels: Labels, sensors: tuple[str, ...]) -> "SensorSignals":
        """Return the contacts and local phases of a clip's sensors.

        The labels' own local phases are used if available; others are derived from the contacts and the speed of the
        sensor's joint. A sensor missing in the labels is never in contact.

        Args:
            clip: the motion.
            labels: its labels.
            sensors: (K) names of sensors.

        Raises:
            FootfallError: a sensor has contacts but neither a joint nor a local phase.
        """
        contacts, vectors = np.zeros((len(labels), len(sensors))), np.zeros((len(labels), len(sensors), 2))
        found: dict[int, int] = {}
        for column, name in enumerate(sensors):
            if name not in labels.contact_joints:
                continue
            contacts[:, column] = labels.contacts_of((name,))[:, 0] > CONTACT_THRESHOLD
            if name in labels.local_phase_joints:
                vectors[:, column] = labels.local_phases[:, labels.local_phase_joints.index(name)]
            elif changes(contacts[:, column]):
                found[column] = require_sensor_joint(clip.skeleton, name)
        if found:
            columns, joints = list(found), list(found.values())
            speeds = np.linalg.norm(velocities(clip.positions[:, joints], clip.rate), axis=-1)
            vectors[:, columns] = find_local_phases(contacts[:, columns], speeds, clip.rate).vectors
        return SensorSignals(contacts, vectors)


def changes(contact: Array) -> int:
    """Return the number of changes into and out of contact in contact probabilities (F)."""
    return int(np.count_nonzero(np.diff(np.asarray(contact) > CONTACT_THRESHOLD)))


def sensor_joint(skeleton: Skeleton, sensor: str) -> int | None:
    """Return the index of a sensor's joint by role or name, of the foot for a missing toe; ``None`` if not found."""
    for name in (sensor, sensor.replace("toe.", "foot.")):
        if name in skeleton.roles:
            return skeleton.roles[name]
        if name in skeleton.names:
            return skeleton.names.index(name)
    return None


def require_sensor_joint(skeleton: Skeleton, sensor: str) -> int:
    """Return the index of a sensor's joint; raise :class:`FootfallError` if there is none."""
    joint = sensor_joint(skeleton, sensor)
    if joint is None:
        raise FootfallError(
            "The contact point '{sensor}' has no local phase in the labels: add it to local_phases in the "
            "labeling preset, and label the clip again",
            sensor=sensor,
        )
    return joint


def labeled_sensors(labels: Iterable[Labels]) -> tuple[str, ...]:
    """Return the names of the feet's sensors, then of all others whose contacts change in any of the labels."""
    counts: dict[str, int] = dict.fromkeys(FOOT_CONTACTS, 0)
    for each in labels:
        for name, contact in zip(each.contact_joints, each.contacts.T, strict=True):
            counts[name] = counts.get(name, 0) + changes(contact)
    return (*FOOT_CONTACTS, *(name for name in counts if name not in FOOT_CONTACTS and counts[name]))
