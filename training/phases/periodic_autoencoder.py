"""The periodic autoencoder: phases learned from motion alone (Starke, Mason, Komura 2022, "DeepPhase").

Two seconds of joint velocities are compressed into a few channels, each constrained to a sinusoid: its frequency,
amplitude and offset come from a Fourier transform, its phase shift from a learned layer. The angle of a channel's
sinusoid at the middle of the window is the frame's phase. No labels are needed.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.features.phase_vectors import phase_vector
from ...core.labelling.phase.local_phases import couple_neighbours
from ...core.models.network import Float32
from ...core.motion.rotations import Array

HALF_WINDOW_FRAMES: Final = 60
"""Frames from a window's middle to its ends: 121 in all, as in the paper."""
DOWNSAMPLING_FRAMES: Final = 3
"""Number of frames averaged to one input, which cuts the cost to a third; no gait is faster than 10 Hz."""
INITIAL_FREQUENCIES_HZ: Final = (0.8, 2.0)
"""Initial frequencies of the channels, from the strides of a slow walk to the steps of a fast one."""
INFERENCE_BATCH_WINDOWS: Final = 1024
"""Number of windows whose phases are computed at once."""


class PeriodicAutoencoder(nn.Module):
    """Autoencoder of windows (B, D, T) of velocities with C sinusoids as its code.

    Encoder and decoder have two convolutions each, with kernels as long as the window.

    Args:
        inputs: number D of velocity components per frame.
        channels: number C of channels.
        deviation: standard deviation of the velocities, m/s.
    """

    deviation: Tensor
    frequencies: Tensor
    times: Tensor

    def __init__(self, inputs: int, channels: int, deviation: float = 1.0) -> None:
        super().__init__()
        self.channels, hidden, length = (
            channels,
            max(inputs // 3, 1),
            2 * (HALF_WINDOW_FRAMES // DOWNSAMPLING_FRAMES) + 1,
        )
        self.encoder = nn.Sequential(
            WindowConvolution(inputs, hidden, length),
            nn.BatchNorm1d(hidden),
            nn.Tanh(),
            WindowConvolution(hidden, channels, length),
        )
        self.even = nn.BatchNorm1d(2 * channels)
        self.decoder = nn.Sequential(
            WindowConvolution(channels, hidden, length),
            nn.BatchNorm1d(hidden),
            nn.Tanh(),
            WindowConvolution(hidden, inputs, length),
        )
        self.register_buffer("deviation", torch.tensor(deviation))
        self.register_buffer(
            "frequencies", torch.fft.rfftfreq(length)[1:] * (FEATURE_RATE_HZ / DOWNSAMPLING_FRAMES), persistent=False
        )
        self.register_buffer(
            "times", (torch.arange(length) - length // 2) * (DOWNSAMPLING_FRAMES / FEATURE_RATE_HZ), persistent=False
        )
        self.shift = nn.Parameter(_initial_shift_weights(self.times, channels))

    def sinusoids(self, windows: Tensor) -> "Sinusoids":
        """Return the parameters of each channel's sinusoid in windows (B, D, T) of velocities."""
        latent = self.encoder(windows)
        spectrum = torch.fft.rfft(latent, dim=-1)
        power = spectrum[..., 1:].abs().square()
        total = power.sum(dim=-1).clamp(min=1e-9)
        places = self.even(torch.einsum("bct,cpt->bcp", latent, self.shift).flatten(1)).unflatten(1, (-1, 2))
        length = latent.shape[-1]
        return Sinusoids(
            frequency=(power * self.frequencies).sum(dim=-1) / total,
            amplitude=2.0 * total.sqrt() / length,
            offset=spectrum[..., 0].real / length,
            shift=torch.atan2(places[..., 0], places[..., 1]) / (2.0 * torch.pi),
        )

    def forward(self, windows: Tensor) -> Tensor:
        """Return the windows (B, D, T) reconstructed from their sinusoids."""
        found = self.sinusoids(windows)
        angles = found.frequency[..., None] * self.times + found.shift[..., None]
        curves = found.amplitude[..., None] * torch.sin(2.0 * torch.pi * angles) + found.offset[..., None]
        return self.decoder(curves)


def _initial_shift_weights(times: Tensor, channels: int) -> Tensor:
    """Return the initial weights (C, 2, T) of the shift layer: Fourier coefficients of one frequency per channel.

    With them all phases advance from the first step on. With random weights, some phases run backward, or to and fro,
    and change only slowly during training.
    """
    angles = 2.0 * torch.pi * torch.linspace(*INITIAL_FREQUENCIES_HZ, channels)[:, None] * times
    fading = torch.cos(times * (torch.pi * FEATURE_RATE_HZ / (2 * (HALF_WINDOW_FRAMES + DOWNSAMPLING_FRAMES)))).square()
    waves = torch.stack([angles.cos(), angles.sin()], dim=1) * fading
    waves = waves - waves.mean(dim=-1, keepdim=True)
    return waves / waves.square().sum(dim=-1, keepdim=True).sqrt()


@dataclass(frozen=True, slots=True, eq=False)
class Sinusoids:
    """Parameters (B, C) of sinusoids: frequency, Hz, amplitude, offset, and phase at the window's middle, cycles."""

    frequency: Tensor
    amplitude: Tensor
    offset: Tensor
    shift: Tensor


class WindowConvolution(nn.Module):
    """A zero-padded convolution (B, D, T) to (B, E, T) with kernels as long as the window.

    It is computed by Fourier transforms, three times as fast for such long kernels.
    """

    def __init__(self, inputs: int, outputs: int, length: int) -> None:
        super().__init__()
        bound = (inputs * length) ** -0.5
        self.weight = nn.Parameter(torch.empty(outputs, inputs, length).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(outputs, 1))

    def forward(self, windows: Tensor) -> Tensor:
        """Return the convolution (B, E, T) of windows (B, D, T)."""
        length = windows.shape[-1]
        # Zero padding of half a kernel at both ends, against circular convolution.
        size = 2 * length
        product = torch.einsum("bdf,edf->bef", torch.fft.rfft(windows, size), torch.fft.rfft(self.weight, size))
        return torch.fft.irfft(product, size)[..., length // 2 : length // 2 + length] + self.bias


class VelocityWindows:
    """Joint velocities of motion sequences, from which windows are cut.

    Windows are masked beyond the ends of their sequence, and their mean is taken over known frames.
    """

    def __init__(self, sequences: list[Float32], device: torch.device) -> None:
        """Store velocity sequences (F_i, D), m/s, on a device."""
        width = sequences[0].shape[1] if sequences else 0
        total = sum(len(one) + 2 * HALF_WINDOW_FRAMES for one in sequences)
        values, known = np.zeros((total, width), dtype=np.float32), np.zeros(total, dtype=np.float32)
        centers, start = [], 0
        for one in sequences:
            frames = start + HALF_WINDOW_FRAMES + np.arange(len(one))
            values[frames], known[frames] = _moving_average(one), 1.0
            centers.append(frames)
            start += len(one) + 2 * HALF_WINDOW_FRAMES
        self._values, self._mask = (torch.from_numpy(array).to(device) for array in (values, known))
        self.window_centers = torch.from_numpy(np.concatenate([*centers, np.zeros(0, dtype=np.int64)]))
        """Rows (N) of the frames of all sequences."""
        self._sample_offsets = torch.arange(-HALF_WINDOW_FRAMES, HALF_WINDOW_FRAMES + 1, DOWNSAMPLING_FRAMES)

    @property
    def deviation(self) -> float:
        """Standard deviation of all velocities, m/s; 1 if nothing moves."""
        known = self._mask > 0
        return float(self._values[known].square().mean().sqrt()) or 1.0 if bool(known.any()) else 1.0

    def windows(self, centers: Tensor, ends: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the windows (B, D, T) around frames (B), each with mean 0, and masks (B, 1, T) of their known frames.

        Args:
            centers: (B) middle frames, from :attr:`window_centers`.
            ends: (B, 2) first and last known frame of each window, relative to its middle frame.
        """
        index = (centers[:, None] + self._sample_offsets).to(self._values.device)
        known = self._mask[index]
        if ends is not None:
            inside = (self._sample_offsets >= ends[:, :1]) & (self._sample_offsets <= ends[:, 1:])
            known = known * inside.to(known.device)
        known = known[:, None]
        values = self._values[index].transpose(1, 2)
        mean = (values * known).sum(dim=-1, keepdim=True) / known.sum(dim=-1, keepdim=True).clamp(min=1.0)
        return (values - mean) * known, known


def _moving_average(sequence: Float32) -> Float32:
    """Return the mean over DOWNSAMPLING_FRAMES frames around each frame, or fewer at the ends."""
    sums = np.cumsum(np.pad(sequence, ((1, 0), (0, 0))), axis=0, dtype=float)
    at = np.arange(len(sequence))
    first, last = (
        np.maximum(at - DOWNSAMPLING_FRAMES // 2, 0),
        np.minimum(at + DOWNSAMPLING_FRAMES // 2 + 1, len(sequence)),
    )
    return ((sums[last] - sums[first]) / (last - first)[:, None]).astype(np.float32)


@torch.no_grad()
def phase_vectors(network: PeriodicAutoencoder, sequences: list[Float32]) -> list[Float32]:
    """Return the phase vectors (F_i, C, 2) of velocity sequences (F_i, D), m/s.

    A phase vector is the amplitude times sine and cosine of the phase. The network is set to evaluation mode.
    """
    network.eval()
    if not sum(map(len, sequences)):
        return [np.zeros((0, network.channels, 2), dtype=np.float32) for _ in sequences]
    motion = VelocityWindows(sequences, network.deviation.device)
    parts = [np.zeros((3, network.channels, 0))]
    for centers in motion.window_centers.split(INFERENCE_BATCH_WINDOWS):
        windows, _ = motion.windows(centers)
        found = network.sinusoids(windows / network.deviation)
        parts.append(torch.stack([found.amplitude.T, found.frequency.T, found.shift.T]).cpu().numpy().astype(float))
    own = np.split(np.concatenate(parts, axis=-1), np.cumsum([len(one) for one in sequences])[:-1], axis=-1)
    return [
        _coupled_vectors(*one) if one.shape[-1] else np.zeros((0, network.channels, 2), dtype=np.float32) for one in own
    ]


def _coupled_vectors(amplitude: Array, frequency: Array, shift: Array) -> Float32:
    """Return the phase vectors (F, C, 2) for channel parameters (C, F), smoothed over neighboring frames.

    Every frame's window has its own sinusoids. As with local phases, a frame takes the mean of its neighbors' vectors,
    each advanced to it, so that phases progress evenly.
    """
    length, _, angle = couple_neighbours(amplitude, frequency, 2 * np.pi * shift, FEATURE_RATE_HZ)
    return phase_vector(angle / (2 * np.pi), length).swapaxes(0, 1).astype(np.float32)
