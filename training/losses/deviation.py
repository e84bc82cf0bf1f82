"""Deviations of characters from the data in closed-loop windows, and the history of their own motion."""

from dataclasses import dataclass, field
from typing import Final

import torch
from torch import Tensor

from ...core.features.locomotion import FEATURE_RATE_HZ
from .stages import InputNoise

TURN_NOISE_PER_M: Final = 2.0
"""Standard deviation of the yaw noise, rad, per meter of standard deviation of the position noise."""
CLEAN_SHARE: Final = 0.4
"""Share of windows that start without deviation."""
DRIFT_RATE_HZ: Final = 1.0
"""Standard deviation of the drift velocity, m/s, per meter of standard deviation of the position noise."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """Deviation of B characters from the data: of their roots, in the data's root frame, and of their phases.

    Attributes:
        offset: (B, 2) position of the character's root in the data's root frame, m.
        turn: (B) yaw of the character's root relative to the data's, rad, counterclockwise.
        phase: (B) phase of the character minus that of the data, cycles, from -0.5 to 0.5.
    """

    offset: Tensor
    turn: Tensor
    phase: Tensor

    @staticmethod
    def draw(count: int, noise: InputNoise, device: torch.device) -> "Deviation":
        """Draw random deviations for ``count`` characters; for a share of them they are zero."""
        random = torch.randn(count, 4, device=device) * (torch.rand(count, 1, device=device) > CLEAN_SHARE)
        return Deviation(
            random[:, :2] * noise.root, random[:, 2] * noise.root * TURN_NOISE_PER_M, random[:, 3] * noise.phase
        )

    def draw_drift(self, noise: InputNoise) -> Tensor:
        """Draw the velocities (B, 2), m/s, with which characters left the data; zero for characters on the data."""
        deviates = (self.offset != 0.0).any(dim=1, keepdim=True)
        return torch.randn_like(self.offset) * (noise.root * DRIFT_RATE_HZ) * deviates

    def detached(self) -> "Deviation":
        """Return the same deviation without gradients."""
        return Deviation(self.offset.detach(), self.turn.detach(), self.phase.detach())

    def into_own_frame(self, positions: Tensor) -> Tensor:
        """Convert positions (B, ..., 2 or more), m, from the data's root frame to the characters'; heights stay."""
        moved = positions[..., :2] - _spread(self.offset, positions)
        return torch.cat([rotated(moved, -self.turn), positions[..., 2:]], dim=-1)


@dataclass(eq=False)
class RootHistory:
    """Roots and actions of B characters in frames 0 to f of a window, in the data's root frame at frame 0.

    Characters must see their own past, not the data's: a network that sees the data move learns to follow it, and
    stands forever in roll-outs, where there are no data.

    Attributes:
        start: deviation at frame 0; before that, characters moved parallel to the data, except for the drift.
        drift: (B, 2) velocity with which they left the data before frame 0, m/s, in their root frames at frame 0.
        stood: (B) whether a character instead stood before frame 0 where it is at frame 0.
        data_position, data_yaw: (B, 2), m, and (B), rad, of the data's root at frame f.
        positions, yaws, actions: (B, 2), m, (B), rad, and (B, A) of the characters at each frame so far.
    """

    start: Deviation
    drift: Tensor
    stood: Tensor
    data_position: Tensor
    data_yaw: Tensor
    positions: list[Tensor] = field(default_factory=list)
    yaws: list[Tensor] = field(default_factory=list)
    actions: list[Tensor] = field(default_factory=list)

    @staticmethod
    def begin(start: Deviation, actions: Tensor, drift: Tensor, stood: Tensor | None = None) -> "RootHistory":
        """Return the history at frame 0 of characters with action weights (B, A) and a deviation from the data.

        ``drift`` (B, 2), m/s, and ``stood`` (B) are those of the class; without ``stood``, none stood before.
        """
        stood = torch.zeros_like(start.turn, dtype=torch.bool) if stood is None else stood
        history = RootHistory(start, drift, stood, torch.zeros_like(start.offset), torch.zeros_like(start.turn))
        history.record(start, actions)
        return history

    def advance(self, step: Tensor, turn: Tensor) -> None:
        """Move the data's root to the next frame, by a step (B, 2), m, in its own frame, and a turn (B), rad."""
        self.data_position = self.data_position + rotated(step, self.data_yaw)
        self.data_yaw = self.data_yaw + turn

    def record(self, deviation: Deviation, actions: Tensor) -> None:
        """Append the characters' roots and action weights in the current frame to the history.

        Args:
            deviation: the characters' deviation from the data in this frame.
            actions: (B, A) action weights of the characters.
        """
        self.positions.append(self.data_position + rotated(deviation.offset, self.data_yaw))
        self.yaws.append(self.data_yaw + deviation.turn)
        self.actions.append(actions)

    def replace_past(
        self, offsets: tuple[int, ...], deviation: Deviation, samples: tuple[Tensor, Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return past trajectory samples of the characters' own motion, in the frames of their current roots.

        Args:
            offsets: frames (S) of the samples relative to the current one; negative.
            deviation: the characters' deviation at the current frame.
            samples: samples of the data in its root's frame: positions (B, S, 2), m, directions (B, S, 2), actions (B,
                S, A); they serve for frames before the window.
        """
        here = self.data_position + rotated(deviation.offset, self.data_yaw)
        facing = self.data_yaw + deviation.turn
        frame = len(self.positions)
        found: list[tuple[Tensor, Tensor, Tensor]] = []
        parts = zip(*(one.unbind(1) for one in samples), strict=True)
        for offset, data in zip(offsets, parts, strict=True):
            if frame + offset >= 0:
                place, yaw = self.positions[frame + offset], self.yaws[frame + offset]
                actions = self.actions[frame + offset]
            else:
                place = self.data_position + rotated(data[0], self.data_yaw)
                drifted = self.drift * ((frame + offset) / FEATURE_RATE_HZ)
                place = self.start.offset + rotated(place + drifted, self.start.turn)
                yaw, actions = self.data_yaw + yaw_of(data[1]) + self.start.turn, data[2]
                stood = self.stood[:, None]
                place, actions = (
                    torch.where(stood, self.positions[0], place),
                    torch.where(stood, self.actions[0], actions),
                )
                yaw = torch.where(self.stood, self.yaws[0], yaw)
            direction = torch.stack([-(yaw - facing).sin(), (yaw - facing).cos()], dim=-1)
            found.append((rotated(place - here, -facing), direction, actions))
        positions, directions, actions = (torch.stack(part, dim=1) for part in zip(*found, strict=True))
        return positions, directions, actions


def rotated(vectors: Tensor, angles: Tensor) -> Tensor:
    """Return vectors (B, ..., 2) turned counterclockwise by angles (B, ...), rad, which may have fewer leading axes."""
    while angles.dim() < vectors.dim() - 1:
        angles = angles[..., None]
    cosine, sine = angles.cos(), angles.sin()
    x, y = vectors[..., 0], vectors[..., 1]
    return torch.stack([cosine * x - sine * y, sine * x + cosine * y], dim=-1)


def yaw_of(directions: Tensor) -> Tensor:
    """Return the yaws (...), rad, of directions (..., 2); zero faces +Y."""
    return torch.atan2(-directions[..., 0], directions[..., 1])


def wrapped(cycles: Tensor) -> Tensor:
    """Return differences (...) between phases, cycles, wrapped to the range -0.5 to 0.5."""
    return (cycles + 0.5) % 1.0 - 0.5


def wrapped_angle(angles: Tensor) -> Tensor:
    """Return angles (...), rad, wrapped to the range -pi to pi."""
    return torch.atan2(angles.sin(), angles.cos())


def _spread(offsets: Tensor, values: Tensor) -> Tensor:
    """Return offsets (B, 2) with axes inserted so that they broadcast with values (B, ..., 2 or more)."""
    return offsets.view(len(offsets), *(1,) * (values.dim() - 2), 2)
