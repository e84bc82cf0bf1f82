"""Contacts of the feet, held above the threshold."""

import numpy as np

from footfall.core.labelling import label_clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.support.walker import Walker

CONTACTS = FootContacts(
    np.array([[0.9, 0.1, 0.0, 0.0], [0.2, 0.6, 0.5, 0.0], [0.0, 0.0, 0.0, 0.7], [0.0, 0.8, 0.0, 0.9]])
)


def test_a_foot_is_planted_while_its_heel_or_its_ball_is_held() -> None:
    np.testing.assert_array_equal(CONTACTS.planted("L"), [True, True, False, True])
    np.testing.assert_array_equal(CONTACTS.planted("R"), [False, False, True, True])
    np.testing.assert_array_equal(CONTACTS.double_support, [False, False, False, True])


def test_labels_give_the_contacts_of_the_feet() -> None:
    labels = label_clip(Walker(seconds=2.0).clip())
    np.testing.assert_array_equal(labels.foot_contacts.probabilities, labels.contacts_of(FOOT_CONTACTS))
