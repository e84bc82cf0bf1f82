"""Settings of a training run: one flat TOML table, strictly checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, parse_toml, read_toml
from ...core.jobs.training_preset import SHIPPED_PRESETS_FOLDERS
from ...core.models.families import FAMILIES
from ...core.models.gating import GATING_KINDS

FEATURE_KINDS: Final = ("locomotion", "local_phase_system", "strikes")
"""Values of the setting ``features``."""
MACHINE_SETTINGS: Final = ("device", "amp", "compile", "threads", "memory_limit", "checkpoint_interval", "tensorboard")
"""Settings of the machine, which may change when a run is resumed."""


class ConfigError(FootfallError):
    """Error: a setting is unknown, of the wrong type or out of its range."""


def _setting(
    default: Any, minimum: float | None = None, maximum: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Return a dataclass field for a setting, with its default, its limits and its allowed choices."""
    return field(default=default, metadata={"low": minimum, "high": maximum, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """The settings of a training run; defaults are those of the papers or of the *standard* preset.

    Data set: mirror: whether to add a mirrored copy of every clip. speeds: time-scale factors; each adds one copy of
        every clip, 1.0 the clip itself. bends: path curvatures in 1/m; each adds one bent copy of every clip, 0.0 the
        clip itself. exclude_joints: names of joints to leave out of the network's pose, in addition to tips and (except
        in attacks) fingers. validation_share: share of the frames held out, by whole takes. joint_weight: scale of the
        normalized joint inputs (PFNN section 5.3). terrain: ground under clips that were not captured on level ground:
        ``"fitted"`` patches (PFNN section 4.2), the plane ``"edited"`` to meet the footsteps (the paper's baseline), or
        ``"level"`` for none. patches: folder of the patch database (``footfall make-patches``). grounds: patches fitted
        per stride segment. body: body of the clips: ``"biped"`` or ``"quadruped"``, see ``training.quadruped``. takes:
        number of interaction takes composed from the clips, see ``training.interactions``; 0 trains on the clips
        themselves. For a quadruped, the number of takes composed from gaits on the spot. augmented_share: share of the
        windows near a seat or a carried box in which that object is replaced, drawn anew each time the window is used
        (NSM section 5.2), see ``training.interactions.augmentation``; 0 for never. knee_correction: whether to shorten
        the legs of captures whose knees never straighten, see ``core.retarget.knee_bias``. posture_correction: whether
        to correct implausible trunk and arm postures of captures, see ``core.retarget.posture_bias``.

        features: layout of inputs and outputs: ``"locomotion"`` (PFNN section 4.3), or ``"local_phase_system"`` (Starke
            et al. 2020, section 4) with the local phases of every labeled sensor, or ``"strikes"`` (Freda 2018, section
            4.2) for attacks at targets. sensors: names of the sensors that get a local phase in addition to the feet;
            empty for all labeled ones. parts: kinds of clip companions that are inputs of a local phase system:
            ``"ball"``, ``"partner"``, see ``training.data.companions``. other_targets: number of copies of every clip
            with its attacks aimed at other targets; only for ``"strikes"``.

    Network: family: network family, see ``core.models.families``, which also defines which settings below apply.
        phases: phase vectors among inputs and outputs: ``"none"``, those of the ``"global"`` phase, of the labels'
        ``"local"`` phases, or of ``"periodic"`` phases learned from the motion. phase_channels, phase_epochs,
        phase_share: channels of the periodic autoencoder, its epochs, and its largest share of ``time_limit``. hidden:
        units per hidden layer. layers: number of hidden or recurrent layers. recurrent: units per recurrent layer.
        phase_input: whether sine and cosine of the phase are additional inputs. control_points, cyclic: number of
        control points of the phase function, and whether it is cyclic. experts, gating, gating_hidden, encoder,
        interaction_encoder: for a mixture of experts, the number of experts, kind of gating input, and units of the
        gating network, the input encoders (0: none) and the object encoder (0: as many). points, bins: number of kept
        samples and of phase bins, for controllers that are fitted to samples.

    Stage one, on the data's own inputs (PFNN section 5.3): sequence_steps: frames per window; more than 1 for recurrent
        networks. epochs, batch, learning_rate: epochs, samples per batch over all processes, and initial rate, which
        falls to zero along a cosine. rate_batch: batch size at which ``learning_rate`` applies; the rate scales with
        the square root of the batch size; 0 for no scaling. weight_decay, restart_epochs: weight decay of AdamW, and
        epochs after which the cosine first restarts, then after twice as many each time (Loshchilov and Hutter 2017), 0
        for never; in all stages. dropout: share of units dropped from the input and both hidden layers. l1: weight of
        the mean absolute network weight in the loss. pose_noise: standard deviation of noise added to the pose inputs,
        in units of their group deviation. trajectory_noise: standard deviation, m, of the error added at the last
        sample of the future trajectory, smaller at earlier samples; in all stages. root_noise, phase_noise: standard
        deviations of errors added to the root, m (and 2 rad per m), and to the phase, cycles, at the start of windows
        of interactions; in all stages.

    Stage two, unrolled on the network's own poses (skipped if ``unroll_steps`` is 0): unroll_steps: frames per window.
        unroll_epochs, unroll_batch, unroll_learning_rate, unroll_rate_batch, unroll_dropout: as in stage one; a batch
        counts windows. unroll_share: share of the time of stages one and two that is reserved for stage two.
        unroll_forcing: probability of teacher forcing per frame (NSM section 7.1: 0.5 for Auto-LSTM).

    Stage three, settling: single frames as in stage one, after the windows (skipped if ``settle_share`` or
    ``unroll_steps`` is 0): settle_share: share of ``time_limit`` reserved for this stage. settle_epochs,
    settle_learning_rate: as in stage one, for its batch. settle_dropout: dropout at the end of the stage; it changes
    linearly from ``dropout``.

    Model selection, at the end of every epoch by the loss on held-out clips and, more rarely, by a roll-out: rollouts:
        number of roll-outs per stage, evenly spaced, the last at its end; the network with the best score is kept. With
        0, it is the one with the lowest validation loss. After a settling stage, only its networks compete.
        rollout_share: largest share of a stage's time spent on roll-outs, if there is a time limit. patience:
        consecutive evaluations without improvement of loss or score that end a stage; 0 for never.

    Fine-tuning (see ``fine_tuning``):
        replay_share: share of rehearsal data among the samples.
        replay_minutes: minutes of generated rehearsal motion if the controller's old clips are not available.

    Machine: seed: seed of all random choices. device: ``"auto"`` takes CUDA, then Apple's MPS, then the CPU. amp:
        whether to multiply matrices in half precision (mixed precision) if that is faster on the device. compile:
        whether torch compiles the training step: ``"auto"`` on CUDA if there are enough steps. threads: number of CPU
        threads; 0 leaves the choice to torch. memory_limit: gigabytes of training data held in memory; larger sets are
        read from disk. time_limit: planned training time, minutes; 0 for no limit. checkpoint_interval: seconds between
        checkpoints. tensorboard: whether to write scalars for TensorBoard as well.
    """

    mirror: bool = _setting(True)
    speeds: tuple[float, ...] = _setting((1.0,), 0.25, 4.0)
    bends: tuple[float, ...] = _setting((0.0,), -2.0, 2.0)
    exclude_joints: tuple[str, ...] = _setting(())
    validation_share: float = _setting(0.1, 0.0, 0.5)
    joint_weight: float = _setting(0.1, 1e-3, 10.0)
    terrain: str = _setting("level", choices=("level", "fitted", "edited"))
    patches: str = _setting("")
    grounds: int = _setting(10, 1, 100)
    body: str = _setting("biped", choices=("biped", "quadruped"))
    takes: int = _setting(0, 0, 100_000)
    augmented_share: float = _setting(0.0, 0.0, 1.0)
    knee_correction: bool = _setting(True)
    posture_correction: bool = _setting(False)
    features: str = _setting("locomotion", choices=FEATURE_KINDS)
    sensors: tuple[str, ...] = _setting(())
    parts: tuple[str, ...] = _setting(())
    other_targets: int = _setting(0, 0, 20)

    family: str = _setting("pfnn", choices=tuple(FAMILIES))
    phases: str = _setting("none", choices=("none", "global", "local", "periodic"))
    phase_channels: int = _setting(5, 1, 16)
    phase_epochs: int = _setting(4, 1, 1000)
    phase_share: float = _setting(0.15, 0.01, 0.9)
    hidden: int = _setting(512, 1, 1 << 14)
    control_points: int = _setting(4, 4, 64)
    cyclic: bool = _setting(True)
    layers: int = _setting(2, 1, 16)
    recurrent: int = _setting(512, 1, 1 << 14)
    phase_input: bool = _setting(False)
    experts: int = _setting(8, 1, 64)
    gating: str = _setting("velocity", choices=GATING_KINDS)
    gating_hidden: int = _setting(128, 1, 1 << 14)
    encoder: int = _setting(0, 0, 1 << 14)
    interaction_encoder: int = _setting(0, 0, 1 << 14)
    points: int = _setting(1000, 1, 1 << 20)
    bins: int = _setting(1, 1, 100)

    sequence_steps: int = _setting(1, 1, 1000)
    epochs: int = _setting(40, 1, 1_000_000)
    batch: int = _setting(256, 1, 1 << 20)
    learning_rate: float = _setting(1e-3, 1e-8, 1.0)
    rate_batch: int = _setting(0, 0, 1 << 20)
    dropout: float = _setting(0.3, 0.0, 0.95)
    l1: float = _setting(0.01, 0.0, 1e3)
    weight_decay: float = _setting(0.0, 0.0, 1.0)
    restart_epochs: int = _setting(0, 0, 1_000_000)
    pose_noise: float = _setting(0.0, 0.0, 10.0)
    trajectory_noise: float = _setting(0.0, 0.0, 1.0)
    root_noise: float = _setting(0.0, 0.0, 1.0)
    phase_noise: float = _setting(0.0, 0.0, 0.5)

    unroll_steps: int = _setting(0, 0, 240)
    unroll_epochs: int = _setting(10, 1, 1_000_000)
    unroll_batch: int = _setting(128, 1, 1 << 20)
    unroll_learning_rate: float = _setting(1e-4, 1e-8, 1.0)
    unroll_rate_batch: int = _setting(0, 0, 1 << 20)
    unroll_dropout: float = _setting(0.0, 0.0, 0.95)
    unroll_share: float = _setting(0.4, 0.0, 1.0)
    unroll_forcing: float = _setting(0.0, 0.0, 1.0)

    settle_share: float = _setting(0.0, 0.0, 0.9)
    settle_epochs: int = _setting(40, 1, 1_000_000)
    settle_learning_rate: float = _setting(1e-4, 1e-8, 1.0)
    settle_dropout: float = _setting(0.3, 0.0, 0.95)

    rollouts: int = _setting(8, 0, 1000)
    rollout_share: float = _setting(0.08, 0.0, 1.0)
    patience: int = _setting(0, 0, 1_000_000)

    replay_share: float = _setting(0.5, 0.0, 0.95)
    replay_minutes: float = _setting(20.0, 0.1, 600.0)

    seed: int = _setting(0, 0, 2**31 - 1)
    device: str = _setting("auto", choices=("auto", "cpu", "cuda", "mps"))
    amp: str = _setting("auto", choices=("auto", "off"))
    compile: str = _setting("auto", choices=("auto", "on", "off"))
    threads: int = _setting(0, 0, 4096)
    memory_limit: float = _setting(8.0, 0.0, 1e6)
    time_limit: float = _setting(0.0, 0.0, 1e6)
    checkpoint_interval: float = _setting(30.0, 0.0, 1e6)
    tensorboard: bool = _setting(False)

    def __post_init__(self) -> None:
        for one in fields(self):
            object.__setattr__(
                self, one.name, _validate_setting(one.name, getattr(self, one.name), one.default, one.metadata)
            )
        if not self.speeds:
            raise ConfigError(
                "The setting 'speeds' is empty: give at least one factor, such as 1.0 for unchanged clips"
            )
        if not self.bends:
            raise ConfigError(
                "The setting 'bends' is empty: give at least one curvature, such as 0.0 for unchanged clips"
            )
        self._require_system_network()

    def _require_system_network(self) -> None:
        """Raise :class:`ConfigError` if the network settings do not fit a local phase system."""
        if self.features != "local_phase_system":
            return
        needed = {"family": "experts", "gating": "phase_vectors", "phases": "none", "takes": 0}
        for name, value in needed.items():
            if getattr(self, name) != value:
                raise ConfigError(
                    "The setting 'features' is local_phase_system, which requires {name} = {value}: change "
                    "that setting, or set features to locomotion",
                    name=name,
                    value=value,
                )

    @staticmethod
    def from_mapping(settings: Mapping[str, Any], source_name: str = "the settings") -> "TrainingConfig":
        """Return the configuration for a table of settings; missing settings keep their defaults.

        Raises:
            ConfigError: a setting is unknown or not allowed; the message names it.
        """
        known = {one.name for one in fields(TrainingConfig)}
        for name in settings:
            if name not in known:
                raise ConfigError(
                    "'{name}' in {source} is not a training setting: choose one of {names}",
                    name=name,
                    source=source_name,
                    names=", ".join(sorted(known)),
                )
        return TrainingConfig(**settings)

    @staticmethod
    def from_file(path: Path) -> "TrainingConfig":
        """Return the configuration in a TOML file; raise :class:`ConfigError` if the file is damaged."""
        try:
            return TrainingConfig.from_mapping(read_toml(path), f"'{path}'")
        except OSError as error:
            raise ConfigError(
                "The training settings '{path}' cannot be read: {error}", path=path, error=error.strerror
            ) from error
        except ContentError as error:
            raise ConfigError(
                "The training settings '{path}' are not valid TOML: {error}", path=path, error=error
            ) from error

    @staticmethod
    def from_preset(name: str) -> "TrainingConfig":
        """Return the configuration of a shipped preset, by its name, or of a TOML file, by its path.

        Raise :class:`ConfigError` if there is no such preset or file.
        """
        if name.endswith(".toml"):
            return TrainingConfig.from_file(Path(name))
        if name not in preset_names():
            raise ConfigError(
                "There is no training preset '{name}': choose one of {names}",
                name=name,
                names=", ".join(preset_names()),
            )
        return TrainingConfig.from_file(_shipped_presets()[name])

    def with_overrides(self, assignments: Iterable[str]) -> "TrainingConfig":
        """Return the configuration changed by assignments such as ``"hidden=256"``.

        The value is TOML or a bare word. Raise :class:`ConfigError` for an invalid assignment.
        """
        changes: dict[str, Any] = {}
        for assignment in assignments:
            name, separator, value = assignment.partition("=")
            if not separator or not name.strip():
                raise ConfigError("'{assignment}' is not a setting: write it as name=value", assignment=assignment)
            changes[name.strip()] = _parse_value(value.strip())
        TrainingConfig.from_mapping(changes, "--set")
        return replace(self, **changes)

    def with_machine_overrides(self, assignments: Iterable[str]) -> "TrainingConfig":
        """Return the configuration with settings of the machine changed by assignments such as ``"device=cpu"``.

        Raises:
            ConfigError: an assignment changes a setting that is fixed once a run has started.
        """
        changed = self.with_overrides(assignments)
        for one in fields(self):
            if one.name not in MACHINE_SETTINGS and getattr(changed, one.name) != getattr(self, one.name):
                raise ConfigError(
                    "The setting '{name}' of a run that has begun cannot change: only {names} can",
                    name=one.name,
                    names=", ".join(MACHINE_SETTINGS),
                )
        return changed

    def to_mapping(self) -> dict[str, Any]:
        """Return all settings by name, as plain data that TOML and JSON can hold."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


def preset_names() -> list[str]:
    """Return the names of the shipped training presets."""
    return sorted(_shipped_presets())


def _shipped_presets() -> dict[str, Path]:
    """Return the files of the shipped presets, by name."""
    return {path.stem: path for folder in SHIPPED_PRESETS_FOLDERS for path in folder.glob("*.toml")}


def to_toml(settings: Mapping[str, Any]) -> str:
    """Return settings, given by name, as the text of a TOML file without sections."""
    return "".join(f"{name} = {_to_toml(value)}\n" for name, value in settings.items())


def _to_toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
    return "[" + ", ".join(map(_to_toml, value)) + "]"


def _parse_value(text: str) -> Any:
    """Parse text as a TOML value; return text that is not TOML unchanged."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except ContentError:
        return text


def _validate_setting(name: str, value: Any, default: Any, limits: Mapping[str, Any]) -> Any:
    """Return a value converted to the setting's type; raise :class:`ConfigError` if it is not valid."""
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple):
            raise ConfigError(
                "The setting '{name}' must be a list, such as [1.0, 1.1], but is {value}",
                name=name,
                value=_quote(value),
            )
        kind = 1.0 if name in ("speeds", "bends") else ""
        return tuple(_validate_setting(name, item, kind, limits) for item in value)
    wanted = type(default)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted or (wanted is float and not isfinite(value)):
        words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[wanted]
        raise ConfigError(
            "The setting '{name}' must be {kind}, but is {value}", name=name, kind=words, value=_quote(value)
        )
    low, high, choices = limits["low"], limits["high"], limits["choices"]
    if low is not None and not low <= value <= high:
        raise ConfigError(
            "The setting '{name}' must be from {low} to {high}, but is {value}",
            name=name,
            low=f"{low:g}",
            high=f"{high:g}",
            value=f"{value:g}",
        )
    if choices and value not in choices:
        raise ConfigError(
            "The setting '{name}' must be one of {names}, but is {value}",
            name=name,
            names=", ".join(choices),
            value=_quote(value),
        )
    return value


def _quote(value: Any) -> str:
    """Return a value formatted for messages."""
    return f"'{value}'" if isinstance(value, str) else str(value)
