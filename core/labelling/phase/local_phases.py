"""Local motion phases: one phase per bone, from the contacts of that bone (LMP section 5.2)."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.rotations import Array
from ..contacts.contact_signal import contact_signal, fit_window_lengths, sliding_maximum
from .sinusoid_fit import FitWindows, Sinusoids, fit_sinusoids

COUPLING_RADIUS_S: Final = 0.25
"""Time on each side over which neighboring sinusoids are averaged."""
SPEED_SMOOTHING_S: Final = 0.1
"""Standard deviation of the smoothing of the window's greatest speed, which jumps as the fastest frame enters it."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalPhases:
    """Local phases of K bones over F frames.

    Attributes:
        vectors: (F, K, 2) phase vectors, m/s (P in the paper): the window's greatest speed times amplitude times sine
            and cosine of the phase.
        amplitude: (F, K) amplitude of the fitted sinusoid, without unit; 0 where the bone's contact does not change.
        frequency: (F, K) frequency of the fitted sinusoid, Hz.
        phase: (F, K) phase, cycles in [0, 1): near 0.25 in the middle of a contact, near 0.75 in the middle of a gap.
        fitted_values: (F, K) value of each frame's own sinusoid at that frame, before averaging.
        contact_signal: (F, K) signal G that the sinusoids are fitted to.
        rmse: (F, K) root mean square error of each frame's own sinusoid (equation 4).
    """

    vectors: Array
    amplitude: Array
    frequency: Array
    phase: Array
    fitted_values: Array
    contact_signal: Array
    rmse: Array


def find_local_phases(
    contacts: ArrayLike, speeds: ArrayLike, rate: float, fit: Callable[[FitWindows], Sinusoids] = fit_sinusoids
) -> LocalPhases:
    """Compute the local phases of bones from their contacts.

    The sinusoids of neighboring frames, each continued to a frame at its own frequency, are summed to give that frame's
    phase and amplitude, which then change smoothly. The paper's implementation couples neighbors, with the same
    weights, during the fit.

    Args:
        contacts: (F, K) contact probabilities; above ``CONTACT_THRESHOLD`` the bone is in contact.
        speeds: (F, K) speeds of the bones, world, m/s.
        rate: frames per second.
        fit: function that fits the sinusoids; variable projection by default.

    Raises:
        FootfallError: the rate is too low.
        ValueError: the shapes differ, there are no frames, or a number is not finite.
    """
    contact, speed = np.asarray(contacts, float).T, np.asarray(speeds, float).T
    if contact.ndim != 2 or contact.shape != speed.shape or not contact.shape[1]:
        raise ValueError(f"contacts {contact.T.shape} and speeds {speed.T.shape} are not both (F, K) with frames")
    if not (np.isfinite(contact).all() and np.isfinite(speed).all()):
        raise ValueError("contacts or speeds are not finite numbers")
    state = contact > CONTACT_THRESHOLD
    signal = contact_signal(state, rate)
    windows = FitWindows.of(signal, fit_window_lengths(state, rate), rate)
    own = _extend_to_ends(fit(windows), windows)
    amplitude, frequency, angle = couple_neighbours(own.amplitude, own.frequency, own.angle, rate)
    greatest = sliding_maximum(speed, rate / (2 * frequency))
    length = scipy.ndimage.gaussian_filter1d(greatest, SPEED_SMOOTHING_S * rate, axis=1, mode="nearest") * amplitude
    vectors = np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1)
    phase = angle / (2 * np.pi) % 1.0 % 1.0  # Twice, since the remainder of a tiny negative number is 1.
    found = (amplitude, frequency, phase, own.fitted_values, signal, own.rmse)
    return LocalPhases(vectors.swapaxes(0, 1), *(values.T for values in found))


def _extend_to_ends(sinusoids: Sinusoids, windows: FitWindows) -> Sinusoids:
    """Replace the sinusoids of shortened windows with the nearest one of a whole window, continued to their frames."""
    source = windows.nearest_full
    away = (np.arange(source.shape[1]) - source) / windows.rate
    moved = Sinusoids(
        *(np.take_along_axis(getattr(sinusoids, part.name), source, axis=1) for part in fields(sinusoids))
    )
    return replace(moved, angle=moved.angle + 2 * np.pi * moved.frequency * away)


def couple_neighbours(amplitude: Array, frequency: Array, angle: Array, rate: float) -> tuple[Array, Array, Array]:
    """Return amplitude, frequency (Hz) and angle (radians), each (K, F), of sinusoids averaged over neighboring frames.

    Neighbors are weighted with (1 - distance / 0.25 s)^2, and for the frequency also with their amplitude.

    Args:
        amplitude: (K, F) amplitude of each frame's sinusoid.
        frequency: (K, F) frequency of each frame's sinusoid, Hz.
        angle: (K, F) angle of each frame's sinusoid at that frame, radians.
        rate: frames per second.
    """
    reach = COUPLING_RADIUS_S * rate
    distances = np.arange(int(np.ceil(reach)))
    weights = (1 - distances / reach) ** 2
    turn = np.exp(2j * np.pi * frequency / rate)
    onward = amplitude * np.exp(1j * angle)
    back, total, count = onward.copy(), onward.copy(), np.ones(onward.shape[1])
    for away, weight in zip(distances[1 : len(count)], weights[1:], strict=False):
        onward *= turn
        back *= turn.conj()
        total[:, away:] += weight * onward[:, :-away]
        total[:, :-away] += weight * back[:, away:]
        count[away:] += weight
        count[:-away] += weight
    kernel = np.concatenate([weights[:0:-1], weights])
    strength = scipy.ndimage.convolve1d(amplitude, kernel, axis=1, mode="constant")
    beats = scipy.ndimage.convolve1d(amplitude * frequency, kernel, axis=1, mode="constant")
    mean = np.where(strength > 0, beats / np.where(strength > 0, strength, 1.0), frequency)
    return np.abs(total) / count, mean, np.angle(total)
