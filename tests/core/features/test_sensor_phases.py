"""Contacts and phases of labeled sensors: feet and hands, of labels and of contacts, and what has none."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.sensor_phases import SensorSignals
from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=6.0).clip()
LABELS = label_clip(CLIP)


def with_sensor(name: str, contact: np.ndarray, labels: Labels = LABELS) -> Labels:
    """Labels with the contacts of another sensor."""
    columns = {
        field: np.column_stack([getattr(labels, field), values])
        for field, values in (("contacts", contact), ("confidence", np.ones(len(contact))))
    }
    return replace(labels, contact_joints=(*labels.contact_joints, name), **columns)


def tapping(hertz: float, clip: Clip = CLIP) -> np.ndarray:
    """A contact that comes and goes evenly."""
    return (np.sin(2 * np.pi * hertz * np.arange(len(clip)) / clip.rate) > 0).astype(float)


def turns(vectors: np.ndarray, rate: float) -> float:
    """Mean frequency, Hz, of vectors (F, 2) in the middle of a clip."""
    angle = np.unwrap(np.arctan2(vectors[:, 0], vectors[:, 1]))[90:-90]
    return float((angle[-1] - angle[0]) / (2 * np.pi) / (len(angle) - 1) * rate)


@pytest.mark.parametrize(("sensor", "hertz"), [("hand.R", 2.0), ("hips", 0.75)])
def test_a_hand_or_hips_have_a_phase_at_their_own_frequency_beside_the_feet(sensor: str, hertz: float) -> None:
    labels = with_sensor(sensor, tapping(hertz))
    signals = SensorSignals.of(CLIP, labels, (*FOOT_CONTACTS, sensor))
    assert signals.contacts.shape == (len(CLIP), 5)
    assert signals.vectors.shape == (len(CLIP), 5, 2)
    assert turns(signals.vectors[:, 4], CLIP.rate) == pytest.approx(hertz, abs=0.05)
    assert turns(signals.vectors[:, 0], CLIP.rate) == pytest.approx(1.0, abs=0.05)  # a stride each second


def test_the_labels_own_phases_count_where_they_have_some() -> None:
    own = np.zeros((len(CLIP), 1, 2))
    own[:, 0, 1] = 3.0
    labels = replace(with_sensor("sword", tapping(1.5)), local_phase_joints=("sword",), local_phases=own)
    signals = SensorSignals.of(CLIP, labels, (*FOOT_CONTACTS, "sword"))
    np.testing.assert_array_equal(signals.vectors[:, 4], own[:, 0])


def test_a_sensor_that_the_labels_lack_is_never_in_contact() -> None:
    signals = SensorSignals.of(CLIP, LABELS, (*FOOT_CONTACTS, "hand.L"))
    assert not signals.contacts[:, 4].any()
    assert not signals.vectors[:, 4].any()
