"""Sitting or lying characters of a runtime: their acyclic phase runs to its end, and their pose comes to rest."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...actions import actions_that
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.rotations import Array
from ...tuning import Tuning, tuned

RESTING_ACTIONS: Final = actions_that(lambda one: one.rests)
"""Actions in which a body comes to rest on its hips."""


@dataclass(frozen=True, slots=True)
class SeatedStateTuning(Tuning):
    commanded_weight: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of a goal's action above which the action counts as commanded."""
    calm: float = tuned(0.15, "s", 0.0, 2.0)
    """Time constant with which a seated pose comes to rest; without it, roll-outs oscillate on unusual seats."""
    soon_contact: float = tuned(0.25, "1", 0.0, 1.0)
    """Probability of hip contact from which the end of a phase counts as that of sitting down, not of a stride."""
    ended_phase: float = tuned(0.25, "1", 0.0, 1.0)
    """Largest phase that counts as just past the end, 1, when the seat is touched."""
    phase_rate: float = tuned(0.6, "Hz", 0.05, 5.0)
    """Smallest phase rate of a character on its seat, so that sitting down comes to an end."""


TUNING: Final = SeatedStateTuning()


def are_to_rest(goal_actions: Array, names: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return a mask (B) of characters that are commanded to sit or lie.

    Args:
        goal_actions: (B, G) weights of the G commanded actions.
        names: names of these actions.
    """
    columns = [number for number, name in enumerate(names) if name in RESTING_ACTIONS]
    return goal_actions[:, columns].max(axis=1) > TUNING.commanded_weight


def begins_to_sit(phase_before: Array, phase: Array, hip_contact: Array) -> NDArray[np.bool_]:
    """Return a mask (B) of characters, commanded to sit, that touch their seat or have nearly come down to it.

    Args:
        phase_before: (B) phase of the previous frame, cycles.
        phase: (B) phase, cycles.
        hip_contact: (B) probability of the hips' contact.
    """
    return (hip_contact > CONTACT_THRESHOLD) | ((hip_contact > TUNING.soon_contact) & (phase < phase_before))


def run_out_phase(phase_before: Array, phase: Array, begins: NDArray[np.bool_], rate: float) -> Array:
    """Return the phases (B), cycles, of seated characters, which run to the end of the acyclic phase and stop.

    Args:
        phase_before: (B) phase of the previous frame, cycles.
        phase: (B) phase from the network, cycles.
        begins: (B) whether a character has just touched its seat.
        rate: frames per second.
    """
    has_ended = begins & (phase_before < TUNING.ended_phase)
    remaining = np.where((phase_before > 0.0) & ~has_ended, 1.0 - phase_before, 0.0)
    advance = np.maximum((phase - phase_before) % 1.0, TUNING.phase_rate / rate)
    return np.where(advance < remaining, phase_before + advance, 0.0)


def mobility(idle: Array, hip_contact: Array) -> Array:
    """Return factors (B), 0 to 1, for the motion of roots, so that standing or seated bodies do not creep.

    Args:
        idle: (B) weight of standing, 0 to 1.
        hip_contact: (B) probability of the hips' contact.
    """
    return 1 - np.maximum(idle, np.clip(hip_contact.astype(float), 0.0, 1.0))


def kept_shares(seated: NDArray[np.bool_], rate: float) -> Array:
    """Return the shares (B, 1, 1) of the last pose, 0 to 1, that seated characters keep, so that motion decays."""
    return np.where(seated, np.exp(-1 / (TUNING.calm * rate)), 0.0)[:, None, None]
