"""The configuration of a run, stored as ``config.toml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...core.jobs.bounded_files import ContentError, read_toml
from ...core.jobs.clip_tags import ClipTags, split_tags
from ...core.jobs.run_folder import RunFolder, RunFolderError
from .config import ConfigError, TrainingConfig, to_toml
from .origin import FineTuningOrigin


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Training settings and data of a run.

    Either ``clips`` is given, from which the run builds its data set, or the folder ``dataset`` of a finished one.
    ``origin`` is the starting point of a fine-tuning run, ``tags`` the tags of clips by path.
    """

    training: TrainingConfig
    clips: tuple[Path, ...] = ()
    dataset: Path | None = None
    origin: FineTuningOrigin | None = None
    tags: Mapping[Path, ClipTags] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.clips) == (self.dataset is not None):
            raise ConfigError("A training run needs either clips or a data set: give one of the two")

    def dataset_path(self, run: RunFolder) -> Path:
        """Return the folder of the data set: the given one, or that in the run's folder, which may not be built yet."""
        return self.dataset or run.dataset_path

    def to_toml(self) -> str:
        """Return the text of ``config.toml``, with absolute paths so that the run can be resumed from any folder."""
        if self.dataset is not None:
            data = to_toml({"dataset": str(self.dataset.absolute())})
        else:
            data = to_toml({"clips": [self._clip_line(path) for path in self.clips]})
        origin = f"[origin]\n{to_toml(self.origin.to_mapping())}\n" if self.origin else ""
        return f"[data]\n{data}\n{origin}[training]\n{to_toml(self.training.to_mapping())}"

    def _clip_line(self, path: Path) -> str:
        """Return the line of a clip in ``config.toml``: its absolute path and its tags."""
        words = self.tags.get(path, ClipTags()).to_mapping()
        return " ".join([str(path.absolute()), *(f"{name}={value}" for name, value in words.items())])

    @staticmethod
    def from_run(run: RunFolder) -> "RunConfig":
        """Read the configuration of a run.

        Raises:
            RunFolderError: there is no run in the folder.
            ConfigError: the run's ``config.toml`` is damaged.
        """
        where = f"'{run.config_path}'"
        try:
            document = read_toml(run.config_path)
        except OSError as error:
            raise RunFolderError(
                "There is no training run in '{path}' (no config.toml): start one first", path=run.path
            ) from error
        except ContentError as error:
            raise ConfigError(
                "The settings of the run, {file}, are not valid TOML: {error}", file=where, error=error
            ) from error
        data, training, origin = document.get("data"), document.get("training"), document.get("origin")
        if not isinstance(data, dict) or not isinstance(training, dict) or not isinstance(origin, dict | None):
            raise ConfigError(
                "The settings of the run, {file}, have no table [data] or [training]: start a new run", file=where
            )
        clips, dataset = data.get("clips", []), data.get("dataset")
        is_text = all(isinstance(path, str) for path in clips) if isinstance(clips, list) else False
        if not is_text or not isinstance(dataset, str | None):
            raise ConfigError("The clips or the data set in {file} are not paths: start a new run", file=where)
        settings = TrainingConfig.from_mapping(training, where)
        known = None if origin is None else FineTuningOrigin.from_mapping(origin, where)
        lines = [split_tags(line) for line in clips]
        tags = {Path(path): tag for path, tag in lines if tag != ClipTags()}
        paths = tuple(Path(path) for path, _ in lines)
        return RunConfig(settings, paths, None if dataset is None else Path(dataset), known, tags)
