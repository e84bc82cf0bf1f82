"""The best sinusoid around every frame of a signal (Starke et al. 2020, equations 3 and 4), by variable projection.

For a given frequency the other parameters of the sinusoid are a linear least-squares problem, so that only the
frequency is searched (variable projection, Golub and Pereyra 1973). A window is symmetric about its frame, where sine
and cosine are orthogonal: a system of two equations with a closed solution remains. The search covers a grid of
frequencies for all frames at once, from running sums, then the interval between the best frequency and its neighbors by
golden sections (Kiefer 1953) of interpolated sums, and ends at the vertex of a parabola through three exact losses.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ...motion.rotations import Array
from ..contacts.contact_signal import sliding_maximum

MIN_FREQUENCY_HZ: Final = 0.25
MAX_FREQUENCY_HZ: Final = 4.0
GRID_STEP_HZ: Final = 0.0625
"""Step of the frequency grid: an eighth of the width of the loss's valleys in the longest window."""
INTERPOLATION_NEIGHBOURS: Final = 3
"""Number of grid points on each side of the best between which sums are interpolated."""
GOLDEN_SECTION_STEPS: Final = 9
"""Number of golden sections, which leave an eightieth of the two cells."""
VERTEX_STEP_HZ: Final = 0.005
"""Distance of the three frequencies with exact losses: about the remaining error of sections and interpolation."""
MAX_VERTEX_STEPS: Final = 4
"""Largest number of steps from the middle frequency to the vertex."""
BLOCK_FRAMES: Final = 2048
"""Number of frames computed at once, with short running sums and few calls."""
SECULAR_NEWTON_STEPS: Final = 5
"""Number of Newton steps to the multiplier of a bounded amplitude; they converge quadratically and from one side."""
MIN_AMPLITUDE_BOUND: Final = 1e-9
"""Smallest bound of the amplitude, for a constant signal."""
RIDGE_EPSILONS: Final = 16
"""Ridge, for windows of one frame, on the squares of sine and cosine, in rounding errors of the window's length."""


@dataclass(frozen=True, slots=True, eq=False)
class FitWindows:
    """The windows in which sinusoids are fitted, and the bounds of the parameters.

    Attributes:
        signal: (K, F) signals.
        half_width: (K, F) frames on each side, at least 0.5 and within the signal. A frame extends by half a frame to
            both sides, and counts by the share of it that is inside the window.
        lowest: (K, F) minimum of the signal in the window, lower bound of the offset.
        highest: (K, F) maximum of the signal in the window; the difference of both is the bound of the amplitude.
        nearest_full: (K, F) nearest frame whose window is not shortened by an end of the signal.
        rate: frames per second.
    """

    signal: Array
    half_width: Array
    lowest: Array
    highest: Array
    nearest_full: NDArray[np.intp]
    rate: float

    @staticmethod
    def of(signal: Array, lengths: Array, rate: float) -> "FitWindows":
        """Create windows of the given lengths, shortened where they would extend beyond the signal.

        Args:
            signal: (K, F) signals.
            lengths: (K, F) lengths of the windows, frames.
            rate: frames per second.
        """
        frames = np.arange(signal.shape[1])
        room = np.minimum(frames, frames[::-1]) + 0.5
        whole = lengths / 2 <= room
        whole |= ~whole.any(axis=1, keepdims=True) & (room == room.max(initial=0.5))
        nearest = np.clip(frames, whole.argmax(axis=1)[:, None], frames[-1:] - whole[:, ::-1].argmax(axis=1)[:, None])
        reach = np.maximum(np.minimum(lengths / 2, room), 0.5)
        lowest, highest = -sliding_maximum(-signal, reach), sliding_maximum(signal, reach)
        return FitWindows(signal, reach, lowest, highest, nearest, rate)

    @property
    def centred(self) -> "FitWindows":
        """Windows in which the mean of each signal is subtracted, so that single precision suffices."""
        mean = self.signal.mean(axis=1, keepdims=True)
        return replace(self, signal=self.signal - mean, lowest=self.lowest - mean, highest=self.highest - mean)


@dataclass(frozen=True, slots=True, eq=False)
class Sinusoids:
    """The sinusoid ``amplitude sin(2 pi frequency t + angle) + offset`` of every frame, t seconds from that frame.

    Attributes:
        amplitude: (K, F) amplitude in the signal's unit.
        frequency: (K, F) frequency, Hz.
        angle: (K, F) angle at the frame, radians in [-pi, pi]; the paper's phase (equation 7).
        offset: (K, F) mean level in the signal's unit.
        rmse: (K, F) root mean square error (equation 4).
    """

    amplitude: Array
    frequency: Array
    angle: Array
    offset: Array
    rmse: Array

    @property
    def fitted_values(self) -> Array:
        """Value (K, F) of each frame's sinusoid at that frame, in the signal's unit."""
        return self.amplitude * np.sin(self.angle) + self.offset


def fit_sinusoids(windows: FitWindows) -> Sinusoids:
    """Return the sinusoid with the least squared error in each window, within the windows' bounds of its parameters.

    If a window is zero throughout, its sinusoid has amplitude 0 and the lowest frequency.
    """
    lines, frames = windows.signal.shape
    result = np.zeros((5, lines, frames))
    result[1] = MIN_FREQUENCY_HZ
    centred = windows.centred
    for start in range(0, frames, BLOCK_FRAMES):
        part = slice(start, min(start + BLOCK_FRAMES, frames))
        some = np.flatnonzero(((windows.lowest[:, part] != 0) | (windows.highest[:, part] != 0)).any(axis=1))
        if len(some):
            result[:, some, part] = _fit_block(windows, centred, some, part)
    return Sinusoids(*result)


class _FrameBlock:
    """A block of frames (K, B) of some rows of windows, and sums that do not depend on the frequency.

    Attributes:
        signal: (K, margin + B + margin), zero outside the clip.
        half_width: (K, B) half widths of the windows, frames.
        lowest: (K, B) lower bound of the offset.
        highest: (K, B) upper bound of the offset.
        full_frames: (K, B) number of frames on each side that are wholly inside the window.
        edge_share: (K, B) share of the next frame inside the window.
        signal_sum: (K, B) sums of the signal over the windows.
        square_sum: (K, B) sums of the squared signal over the windows.
    """

    def __init__(self, windows: FitWindows, rows: NDArray[np.intp], frames: slice, precision: DTypeLike) -> None:
        """Cut the given rows and frames, and a margin, out of the signal, and compute the sums over the windows."""
        start, stop = frames.start, frames.stop
        reach = windows.half_width[rows, frames]
        self.margin = margin = int(np.ceil(reach.max(initial=0.5) - 0.5)) + 1
        first, last = max(start - margin, 0), min(stop + margin, windows.signal.shape[1])
        signal = np.pad(windows.signal[rows, first:last], ((0, 0), (first - start + margin, stop + margin - last)))
        self.signal, self.half_width = signal.astype(precision), reach.astype(precision)
        self.lowest, self.highest = (ends[rows, frames].astype(precision) for ends in (windows.lowest, windows.highest))
        self.rate = windows.rate
        self.ridge = self.half_width.dtype.type(RIDGE_EPSILONS * np.finfo(precision).eps)
        self.full_frames = np.floor(reach - 0.5).astype(np.intp)
        self.edge_share = (reach - 0.5 - self.full_frames).astype(precision)
        middle = (
            np.arange(margin, margin + self.half_width.shape[1])
            + self.signal.shape[1] * np.arange(len(self.signal))[:, None]
        )
        self._before, self._after = middle - self.full_frames - 1, middle + self.full_frames + 1
        self.signal_sum, self.square_sum = self.window_sums(self.signal), self.window_sums(self.signal**2)

    def window_sums(self, values: Array) -> Array:
        """Return the sums (K, B) over all windows of ``values``, an array of the shape of ``signal``."""
        sums, values = np.cumsum(values, axis=1).ravel(), values.ravel()
        inside = sums[self._after - 1] - sums[self._before]
        return inside + self.edge_share * (values[self._before] + values[self._after])

    def symmetric_sums(self, values: Array) -> Array:
        """Return the sums (K, B) over all windows of ``values`` (margin + 1), indexed by frames from the middle."""
        sums = 2 * np.cumsum(values) - values[0]
        return sums[self.full_frames] + 2 * self.edge_share * values[self.full_frames + 1]


def _fit_block(windows: FitWindows, centred: FitWindows, rows: NDArray[np.intp], frames: slice) -> Array:
    """Fit a block of frames; return amplitude, frequency, angle, offset and loss (5, K, B).

    The search needs only single precision, about the mean of the signal: its error is within the last step.
    """
    block = _FrameBlock(windows, rows, frames, np.float64)
    near = np.where(
        block.square_sum > 0, _search_frequency(_FrameBlock(centred, rows, frames, np.float32)), MIN_FREQUENCY_HZ
    )
    middle = np.clip(near, MIN_FREQUENCY_HZ + VERTEX_STEP_HZ, MAX_FREQUENCY_HZ - VERTEX_STEP_HZ)
    below, at, above = (_fit_at(block, middle + away) for away in (-VERTEX_STEP_HZ, 0.0, VERTEX_STEP_HZ))
    vertex = _fit_at(
        block, np.where(block.square_sum > 0, middle + _parabola_vertex(below[-1], at[-1], above[-1]), MIN_FREQUENCY_HZ)
    )
    # The loss has an edge where the offset meets its bound; there the vertex may miss the minimum.
    return np.where((at[-1] < vertex[-1]) & (block.square_sum > 0), at, vertex)


def _fit_at(block: _FrameBlock, frequency: Array) -> Array:
    """Return amplitude, frequency, angle, offset and loss (5, K, B) of the best sinusoids at frequencies (K, B)."""
    frequency = np.clip(frequency, MIN_FREQUENCY_HZ, MAX_FREQUENCY_HZ)
    sine, cosine, offset, squares = _solve_linear(block, _frequency_sums(block, frequency))
    loss = np.sqrt(squares / (2 * block.half_width))
    return np.stack([np.hypot(sine, cosine), frequency, np.arctan2(cosine, sine), offset, loss])


def _parabola_vertex(below: Array, at: Array, above: Array) -> Array:
    """Return how far, in Hz, the vertex of the parabola through three squared losses is from the middle one."""
    below, at, above = below**2, at**2, above**2
    bend = below - 2 * at + above
    convex = bend > 0
    steps = np.where(convex, (below - above) / np.where(convex, 2 * bend, 1.0), 0.0)
    return VERTEX_STEP_HZ * np.clip(steps, -MAX_VERTEX_STEPS, MAX_VERTEX_STEPS)


def _search_frequency(block: _FrameBlock) -> Array:
    """Return the frequency (K, B) of least loss: the best of a grid, improved by golden sections next to it."""
    inside = np.arange(MIN_FREQUENCY_HZ, MAX_FREQUENCY_HZ + GRID_STEP_HZ / 2, GRID_STEP_HZ)
    beside = np.arange(1, INTERPOLATION_NEIGHBOURS + 1) * GRID_STEP_HZ
    sums = np.stack(
        list(_grid_sums(block, np.concatenate([MIN_FREQUENCY_HZ - beside[::-1], inside, MAX_FREQUENCY_HZ + beside])))
    )
    best, least = np.zeros(block.half_width.shape, dtype=np.intp), np.full_like(block.half_width, np.inf)
    for index, at in enumerate(sums[INTERPOLATION_NEIGHBOURS:-INTERPOLATION_NEIGHBOURS]):
        loss_there = _solve_linear(block, at)[3]
        less = loss_there < least
        best[less], least[less] = index, loss_there[less]
    coefficients = _interpolation_coefficients(sums, best)

    def loss(away: Array) -> Array:
        """Return the loss (K, B) at frequencies ``away`` (K, B) grid steps from the best one of the grid."""
        return _solve_linear(block, _evaluate_polynomial(coefficients, away))[3]

    ends = -(best > 0).astype(sums.dtype), (best < len(inside) - 1).astype(sums.dtype)
    away = _golden_section(loss, *ends)
    return MIN_FREQUENCY_HZ + (best + away) * GRID_STEP_HZ


def _interpolation_coefficients(sums: Array, best: NDArray[np.intp]) -> Array:
    """Return coefficients (2 NEIGHBOURS + 1, 4, K, B) of polynomials through the sums at frequencies around the best.

    The sums of a window are smooth functions of the frequency, the smoother the shorter the window: the grid has eight
    points for each of the fastest waves of the longest, and the polynomials err by less than a millionth.
    """
    points = np.arange(-INTERPOLATION_NEIGHBOURS, INTERPOLATION_NEIGHBOURS + 1)
    inverse = np.linalg.inv(np.vander(points.astype(float), increasing=True)).astype(sums.dtype)
    around = [
        np.take_along_axis(sums, (best + INTERPOLATION_NEIGHBOURS + away)[None, None], axis=0)[0] for away in points
    ]
    return np.tensordot(inverse, np.stack(around), axes=1)


def _evaluate_polynomial(coefficients: Array, at: Array) -> Array:
    """Return the values of polynomials (N, 4, K, B), lowest power first, at (K, B), by Horner's scheme."""
    value = coefficients[-1].copy()
    for coefficient in coefficients[-2::-1]:
        value *= at
        value += coefficient
    return value


def _golden_section(loss: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Return where a function of (K, B) has its only minimum between ``low`` and ``high``."""
    ratio = (5**0.5 - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(GOLDEN_SECTION_STEPS):
        lower = at_left < at_right
        low, high = np.where(lower, low, left), np.where(lower, right, high)
        reused, at_reused = np.where(lower, left, right), np.where(lower, at_left, at_right)
        new = low + high - reused
        at_new = loss(new)
        left, right = np.where(lower, new, reused), np.where(lower, reused, new)
        at_left, at_right = np.where(lower, at_new, at_reused), np.where(lower, at_reused, at_new)
    return np.where(at_left < at_right, left, right)


def _grid_sums(block: _FrameBlock, frequencies: Array) -> Iterator[Array]:
    """Yield sums (4, K, B) as in :func:`_frequency_sums` for each of the frequencies (M), the same for all frames."""
    frames = np.arange(block.signal.shape[1])
    complex_type = np.result_type(block.signal, np.complex64)
    for step in 2 * np.pi * frequencies / block.rate:
        wave = np.exp(1j * step * frames).astype(complex_type)
        turned = block.window_sums(block.signal * wave) * wave[block.margin : -block.margin].conj()
        cosine = block.symmetric_sums(wave.real[: block.margin + 1])
        cosine2 = block.half_width + block.symmetric_sums((wave[: block.margin + 1] ** 2).real) / 2
        yield np.stack([cosine, cosine2, turned.real, turned.imag])


def _frequency_sums(block: _FrameBlock, frequency: Array) -> Array:
    """Return weighted sums (4, K, B) over the windows of cos, cos^2, signal times cos and signal times sin.

    Each window has its own frequency (K, B); frames are added from the middle outwards. Sums of the sine, alone or
    times the cosine, are zero.
    """
    margin, frames = block.margin, frequency.shape[1]
    angle = 2 * np.pi * frequency / block.rate
    cosine, sine = np.ones_like(angle), np.zeros_like(angle)
    turn = 2 * np.cos(angle)
    next_cosine, next_sine = turn / 2, np.sin(angle)
    of_cosine, of_cosine2 = np.ones_like(angle), np.ones_like(angle)
    g_cosine, g_sine = block.signal[:, margin : margin + frames].copy(), np.zeros_like(angle)
    for away in range(1, margin + 1):
        cosine, sine, next_cosine, next_sine = (
            next_cosine,
            next_sine,
            turn * next_cosine - cosine,
            turn * next_sine - sine,
        )
        weight = np.clip(block.half_width + 0.5 - away, 0.0, 1.0)
        before = block.signal[:, margin - away : margin - away + frames]
        after = block.signal[:, margin + away : margin + away + frames]
        weighted = weight * cosine
        g_cosine += weighted * (after + before)
        g_sine += weight * sine * (after - before)
        of_cosine += 2 * weighted
        of_cosine2 += 2 * weighted * cosine
    return np.stack([of_cosine, of_cosine2, g_cosine, g_sine])


def _solve_linear(block: _FrameBlock, sums: Array) -> tuple[Array, Array, Array, Array]:
    """Return the factors of sine and cosine, the offset and the squared residuals' sum (K, B each) of least loss.

    The loss is convex in the three. An offset beyond its bounds is clipped.
    """
    of_cosine, cosine2, g_cosine, g_sine = sums
    weight, bound = 2 * block.half_width, block.highest - block.lowest
    sine2 = weight * (1 + block.ridge) - cosine2
    share = of_cosine / weight
    own2 = cosine2 - share * of_cosine + block.ridge * weight
    sine, cosine = _solve_bounded_amplitude(g_sine, sine2, g_cosine - share * block.signal_sum, own2, bound)
    offset = block.signal_sum / weight - share * cosine
    beyond = (offset < block.lowest) | (offset > block.highest)
    if beyond.any():
        offset = np.clip(offset, block.lowest, block.highest)
        left = (g_cosine - offset * of_cosine)[beyond]
        bounded = _solve_bounded_amplitude(g_sine[beyond], sine2[beyond], left, cosine2[beyond], bound[beyond])
        sine[beyond], cosine[beyond] = bounded
    squares = (
        block.square_sum
        + sine * (sine * sine2 - 2 * g_sine)
        + cosine * (cosine * cosine2 - 2 * g_cosine + 2 * offset * of_cosine)
        + offset * (offset * weight - 2 * block.signal_sum)
    )
    return sine, cosine, offset, np.maximum(squares, 0.0)


def _solve_bounded_amplitude(
    g_sine: Array, sine2: Array, g_cosine: Array, cosine2: Array, bound: Array
) -> tuple[Array, Array]:
    """Return factors that minimize ``sine2 s^2 - 2 g_sine s + cosine2 c^2 - 2 g_cosine c`` with s^2 + c^2 bounded.

    Where the free minimum is beyond the bound, Newton steps find the multiplier that is added to both squares
    (trust-region subproblem, Moré and Sorensen 1983).
    """
    sine, cosine = g_sine / sine2, g_cosine / cosine2
    beyond = sine**2 + cosine**2 > np.maximum(bound, MIN_AMPLITUDE_BOUND) ** 2
    if beyond.any():
        g_s, g_c, sine2, cosine2 = g_sine[beyond], g_cosine[beyond], sine2[beyond], cosine2[beyond]
        most = np.maximum(bound[beyond], MIN_AMPLITUDE_BOUND)
        s, c = sine[beyond], cosine[beyond]
        for _ in range(SECULAR_NEWTON_STEPS):
            length2 = s * s + c * c
            raised = length2 / (s * s / sine2 + c * c / cosine2) * (np.sqrt(length2) / most - 1)
            sine2, cosine2 = sine2 + raised, cosine2 + raised
            s, c = g_s / sine2, g_c / cosine2
        shrink = np.minimum(most / np.hypot(s, c), 1.0)
        sine[beyond], cosine[beyond] = s * shrink, c * shrink
    return sine, cosine
