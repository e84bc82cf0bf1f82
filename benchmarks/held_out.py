"""Held-out clips of all networks, as windows for every family."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..core.features.locomotion import phase_channel_count
from ..core.features.phase_vectors import advance_phase_vectors
from ..core.models.model_file import ControllerModel
from .laboratory import FOLDER, Trained

FRAMES = 60
"""Frames of a window; the first third is ignored, during which networks with memory settle."""
WINDOWS = 200


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Windows: x (W, T, n) and y (W, T, m), normalized, and phase (W, T), cycles."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    phase: NDArray[np.float32]

    @staticmethod
    def of(one: Trained) -> "HeldOut":
        """Return windows sampled evenly from the clips held out by a run."""
        import torch

        from ..training.config.run_config import RunConfig
        from ..training.data.dataset import Dataset
        from ..training.data.samples import load_samples
        from ..training.phases.phase_conditioning import condition_on_phases

        settings = RunConfig.from_run(one.run).training
        known = condition_on_phases(one.run, Dataset.open(FOLDER / "dataset"), settings, torch.device("cpu"))
        assert known is not None
        samples = load_samples(known, "validation", torch.device("cpu"), settings.memory_limit)
        starts = samples.window_starts(FRAMES)
        windows = samples.windows(starts[:: max(1, len(starts) // WINDOWS)], FRAMES)
        return HeldOut(windows.x.numpy(), windows.y.numpy(), windows.phase.numpy())

    def answers(self, model: ControllerModel, shift: float = 0.0) -> NDArray[np.float32]:
        """Return a network's outputs (W, T, m), with phases shifted by ``shift`` cycles."""
        network, answers = model.network(), []
        memory = network.begin(len(self.x))
        for frame in range(self.x.shape[1]):
            y, memory = network.step(self.x[:, frame], self.phase[:, frame] + shift, memory)
            answers.append(y)
        return np.stack(answers, axis=1)

    def turned(self, model: ControllerModel, shift: float) -> "HeldOut":
        """Return the same windows with the phase vectors of the inputs, if any, rotated by ``shift`` cycles."""
        if not phase_channel_count(model.input_layout):
            return self
        x = self.x.copy()
        vectors = model.input_layout.view(x, "phase.vector")
        vectors[:] = advance_phase_vectors(vectors, shift)
        return replace(self, x=x)

    def pose_error(self, model: ControllerModel) -> float:
        """Return the mean error, meters, of joint positions after one step from the clip's pose."""
        settled = slice(FRAMES // 3, None)
        off = (self.answers(model) - self.y)[:, settled] * model.y_std
        return float(np.linalg.norm(model.output_layout.view(off, "pose.position"), axis=-1).mean())
