"""Contacts and phases of labeled sensors: feet and hands, of labels and of contacts, and what has none."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.features.sensor_phases import SensorSignals, changes, labeled_sensors, sensor_joint
from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.support.walker import Walker, person

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


def test_a_tool_without_a_joint_and_without_a_phase_is_refused() -> None:
    with pytest.raises(FootfallError, match=r"The contact point 'sword' is at no joint .* add it to local_phases"):
        SensorSignals.of(CLIP, with_sensor("sword", tapping(1.5)), (*FOOT_CONTACTS, "sword"))


def test_a_sensor_that_the_labels_lack_is_never_in_contact() -> None:
    signals = SensorSignals.of(CLIP, LABELS, (*FOOT_CONTACTS, "hand.L"))
    assert not signals.contacts[:, 4].any()
    assert not signals.vectors[:, 4].any()


def test_sensors_are_those_whose_contact_changes_in_a_clip_feet_first() -> None:
    still = with_sensor("hips", np.zeros(len(CLIP)))
    touching = with_sensor("hand.L", tapping(1.0))
    assert labeled_sensors([still, touching]) == (*FOOT_CONTACTS, "hand.L")


@pytest.mark.parametrize(
    ("sensor", "joint"), [("hand.R", "rwrist"), ("head", "head"), ("lfoot", "lfoot"), ("sword", None)]
)
def test_a_sensor_is_at_a_role_or_a_joint(sensor: str, joint: str | None) -> None:
    found = sensor_joint(person(), sensor)
    assert (None if found is None else person().names[found]) == joint


@pytest.mark.parametrize(
    ("contact", "count"), [([0, 0], 0), ([0, 1], 1), ([1, 0, 1], 2), ([0.5, 0.4], 0), ([0.5, 0.6], 1), ([1], 0)]
)
def test_changes_are_beginnings_and_ends(contact: list[float], count: int) -> None:
    assert changes(np.array(contact)) == count


def test_a_tool_that_never_lets_go_needs_neither_a_joint_nor_a_phase() -> None:
    signals = SensorSignals.of(CLIP, with_sensor("sword", np.ones(len(CLIP))), (*FOOT_CONTACTS, "sword"))
    assert signals.contacts[:, 4].all() and not signals.vectors[:, 4].any()


def test_columns_are_in_the_order_of_the_sensors() -> None:
    labels = with_sensor("hand.L", tapping(2.0), with_sensor("hand.R", tapping(1.5)))
    one = SensorSignals.of(CLIP, labels, ("hand.L", *FOOT_CONTACTS, "hand.R"))
    other = SensorSignals.of(CLIP, labels, (*FOOT_CONTACTS, "hand.R", "hand.L"))
    order = [5, 0, 1, 2, 3, 4]
    np.testing.assert_array_equal(one.contacts, other.contacts[:, order])
    np.testing.assert_allclose(one.vectors, other.vectors[:, order], atol=1e-9)


def test_toes_that_are_not_there_are_at_their_foot() -> None:
    skeleton = person()
    roles = {role: joint for role, joint in skeleton.roles.items() if role != "toe.L"}
    assert sensor_joint(replace(skeleton, roles=roles), "toe.L") == skeleton.roles["foot.L"]
    assert sensor_joint(skeleton, "toe.L") == skeleton.roles["toe.L"]


def test_changes_of_all_clips_count() -> None:
    once = with_sensor("hips", (np.arange(len(CLIP)) > 50).astype(float))
    still = with_sensor("hips", np.ones(len(CLIP)))
    assert labeled_sensors([once, still]) == labeled_sensors([still, once]) == (*FOOT_CONTACTS, "hips")
    assert labeled_sensors([]) == FOOT_CONTACTS
