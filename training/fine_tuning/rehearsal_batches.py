"""Batches of old and new: what a run learns beside what its controller must not forget."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ...core.features.locomotion import channels_of, input_layout
from ...core.jobs.run_folder import RunFolder
from ...core.models.model_file import ControllerModel, load_model
from ..config.config import TrainingConfig
from ..config.run_config import RunConfig
from ..data.dataset import ClipEntry, Dataset, DatasetError, Float32
from ..data.samples import Samples, load_samples, share_of
from ..phases.phase_conditioning import conditioned
from .fine_tuning import suited
from .pseudo_rehearsal import open_rehearsal
from .style_column import columns


@dataclass(frozen=True, eq=False)
class MixedSamples(Samples):
    """New samples and after them old ones, of which windows are drawn in given shares.

    Attributes:
        new: how many are new.
        share: the share of old windows.
    """

    new: int
    share: float

    def window_starts(self, length: int) -> Tensor:
        """See :class:`Samples`; of the scarcer kind every window is there more than once."""
        starts = super().window_starts(length)
        kinds = [(starts[starts < self.new], 1.0 - self.share), (starts[starts >= self.new], self.share)]
        kinds = [(own, share) for own, share in kinds if len(own) and share > 0.0]
        total = max((len(own) / share for own, share in kinds), default=0.0)
        evenly = [own[torch.arange(round(total * share)) * len(own) // round(total * share)] for own, share in kinds]
        return torch.cat(evenly) if evenly else starts[:0]


def samples_of(
    run: RunFolder,
    dataset: Dataset,
    config: RunConfig,
    split: str,
    device: torch.device,
    part: tuple[int, int] = (0, 1),
    longest: int = 1,
) -> Samples:
    """The samples of a split, or one of several shares of them; with old ones among them where the run fine-tunes a
    controller and has new ones: these are not many, and every process holds them all.

    Args:
        part, longest: see :func:`.samples.load_samples`.

    Raises:
        FootfallError: a part of a data set is damaged, or the old one was made for another controller.
    """
    limit = config.training.memory_limit
    share = config.training.replay_share
    if config.origin is None or share == 0.0:
        return load_samples(dataset, split, device, limit, part, longest)
    new = load_samples(dataset, split, device, limit)
    if len(new) == 0:
        return new
    return mixed(new, load_samples(_old(run, config, device), split, device, limit), share, part)


def mixed(new: Samples, old: Samples, share: float, part: tuple[int, int] = (0, 1)) -> MixedSamples:
    """Both, of which the share is old."""
    frames = len(new) + len(old)
    count = max(new.grounds.shape[1], old.grounds.shape[1])
    grounds = [samples.grounds[:, torch.arange(count) % samples.grounds.shape[1]] for samples in (new, old)]
    rough = torch.where(old.rough >= 0, old.rough + len(new.grounds), old.rough)
    return MixedSamples(
        x=torch.cat([new.x, old.x.to(new.x.device)]),
        y=torch.cat([new.y, old.y.to(new.y.device)]),
        phase=torch.cat([new.phase, old.phase.to(new.phase.device)]),
        sequences=torch.cat([new.sequences, old.sequences + len(new)]),
        device=new.device,
        grounds=torch.cat(grounds),
        rough=torch.cat([new.rough, rough]),
        footing=new.footing,
        frames=frames,
        first=0,
        owns=share_of(frames, part),
        mapped=new.mapped or old.mapped,
        new=len(new),
        share=share,
    )


def _old(run: RunFolder, config: RunConfig, device: torch.device) -> Dataset:
    """What a run's controller learnt from, or, where that is not at hand, what it answers by itself."""
    assert config.origin is not None
    model = load_model(run.origin_path)
    if config.origin.replay is None:
        return suited(open_rehearsal(run.replay_path), model, run.replay_path)
    return old_dataset(run, config.origin.replay, model, config.training, device)


def old_dataset(
    run: RunFolder, path: Path, model: ControllerModel, settings: TrainingConfig, device: torch.device
) -> Dataset:
    """A data set that was made before a controller grew, as the controller sees it now.

    Raises:
        FootfallError: it was made for another controller.
    """
    seen = conditioned(RunFolder(run.replay_path), Dataset.open(path), settings, device)
    if seen is None:
        raise DatasetError(f"The phases of the data set '{path}' were not made: resume the run.")
    return suited(WidenedDataset.of(seen, tuple(model.gaits), run.replay_path), model, path)


@dataclass(frozen=True, eq=False)
class WidenedDataset(Dataset):
    """A data set with gaits that nobody in it goes in; its normalisation is the one before, and to be replaced.

    Attributes:
        before: its manifest as it is on the disk.
        cache: the folder for what is made of its samples.
    """

    before: Dataset
    cache: Path

    @staticmethod
    def of(dataset: Dataset, gaits: tuple[str, ...], cache: Path) -> "Dataset":
        """The data set in gaits that begin with its own; itself where they do not, or are no more."""
        own = tuple(dataset.gaits)
        if gaits[: len(own)] != own or gaits == own:
            return dataset
        layout = input_layout(dataset.joints, gaits, channels_of(dataset.input_layout))
        manifest = {**dataset.manifest, "gaits": list(gaits), "input_layout": layout.to_json()}
        cache.mkdir(parents=True, exist_ok=True)
        return WidenedDataset(dataset.path, manifest, dataset, cache)

    @property
    def scratch(self) -> Path:
        """See :attr:`Dataset.scratch`."""
        return self.cache

    def samples(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """See :meth:`Dataset.samples`."""
        x, y, phase = self.before.samples(clip)
        wide = np.zeros((len(x), self.input_layout.size), dtype=np.float32)
        wide[:, columns(self.input_layout, self.before.input_layout)] = x
        return wide, y, phase
