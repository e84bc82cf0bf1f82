"""The system of local motion phases compared with PFNN: equal clips and minutes, on walking, dribbling and boxing."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from ..core.errors import FootfallError
from ..core.features.locomotion import ROOT_SMOOTHING_S, future_offsets, gait_inputs, pose_features
from ..core.jobs.run_folder import RunFolder
from ..core.labelling import label_clip
from ..core.models.experts import ExpertsArchitecture
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import RootTrack, root_track
from ..core.motion.rotations import Array
from ..core.retarget.fit import fit_clip
from ..core.rig.clip_file import read_clip
from ..core.terrain.ground import Plane
from .free_rollout import FreeRollout
from .labeled_sets import HANDS, SETS, LabeledSet
from .laboratory import FOLDER
from .models_response import response_seconds
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, table

TITLE = "The system of local motion phases against PFNN"
MINUTES: Final = 4.0
"""Training time of each."""
NETWORKS: Final = (
    ("PFNN", "quick", ("epochs=1000", "unroll_epochs=1000")),
    ("local phase system", "local_phase_system_small", ()),
)
"""Title, preset and settings of the networks. PFNN's preset would end before the time, after its epochs."""
FRAMES: Final = 200
WARM_UP_FRAMES: Final = 30
MIN_FRAMES: Final = 90
"""Frames of the shortest measured clip."""

NOTES = """\
{minutes:g} minutes of training for each, or its preset's epochs (*trained*), on the training clips of a set, with
labels of feet and hands: hands touch the captured ball, or are at the end of a blow. Each network then follows the
roots and gaits of the set's test clips, on its own poses; nothing draws it back and no foot is held."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    rows: list[list[object]] = []
    models: list[ControllerModel] = []
    for one in SETS:
        for title, preset, settings in NETWORKS:
            run = _train(setup, one, preset, settings)
            model = load_model(run.model_path)
            rows.append([one.name, title, _trained_minutes(run), *_measured(setup, one, model)])
            models.append(model)
    head = ["clips", "network", "trained min", "weights, millions", "phases", "motion detail", "hands"]
    head += ["skate cm/s", "clip cm/s", "stand to walk s", "stand to run s", "step ms"]
    full = full_size(next(model for model in models if model.sensors))
    sizes = table(["network", "MB", "step ms"], [["local phase system, paper's size", *_size_and_time(full)]])
    return [table(head, rows), NOTES.format(minutes=MINUTES), sizes]


def _train(setup: Setup, clips: LabeledSet, preset: str, settings: tuple[str, ...]) -> RunFolder:
    """Return the finished run of a preset on a set of clips; an earlier one of equal duration is reused."""
    folder = FOLDER / "labeled" / clips.name
    run = RunFolder(FOLDER / "labeled" / f"{clips.name}-{preset}-{MINUTES:g}")
    if run.model_path.exists():
        return run
    if not folder.exists():
        clips.write(setup, folder)
    package = str(__package__).rpartition(".")[0]
    command = [
        sys.executable,
        "-m",
        package,
        "train",
        "--clips",
        str(folder),
        "--run",
        str(run.path),
        "--preset",
        preset,
    ]
    changes = [part for one in (f"time_limit={MINUTES}", *settings) for part in ("--set", one)]
    if subprocess.run([*command, *changes], stdout=subprocess.DEVNULL).returncode:
        raise FootfallError(f"The training of '{preset}' on {clips.name} failed: its own message is above.")
    return run


def _trained_minutes(run: RunFolder) -> float:
    """Return the minutes from a run's first report of a loss to its last."""
    times = [report["time"] for report in run.read_progress()[0] if "loss" in report]
    return (times[-1] - times[0]) / 60


def _measured(setup: Setup, clips: LabeledSet, model: ControllerModel) -> list[object]:
    """Return the cells of a network's row."""
    weights = sum(tensor.size for tensor in model.tensors.values()) / 1e6
    hands = [model.joints.index(model.skeleton.names[model.skeleton.joint(role)]) for role in HANDS]
    everything, pairs = list(range(1, len(model.joints))), list(_driven_pairs(setup, clips, model))
    details = [_detail(pairs, joints) for joints in (everything, hands)]
    feet = model.task.foot_joints
    skates = [100 * float(np.mean([one.foot_skate(feet) for one in each])) for each in zip(*pairs, strict=True)]
    times = [response_seconds(model, 0.0, speed) for speed in (1.3, 3.2)]
    phases = len(model.sensors) or None
    return [weights, phases, *details, *skates, *times, _size_and_time(model)[1]]


def _detail(pairs: list[tuple[FreeRollout, FreeRollout]], joints: list[int]) -> float:
    """Return the mean speed of joints in roll-outs relative to that in their clips."""
    made, captured = (np.mean([_speeds(one, joints) for one in each]) for each in zip(*pairs, strict=True))
    return float(made / captured)


def _speeds(motion: FreeRollout, joints: list[int]) -> float:
    """Return the mean speed, m/s, of joints relative to the hips."""
    moving = motion.joint_velocities[WARM_UP_FRAMES:]
    return float(np.linalg.norm(moving[:, :, joints] - moving[:, :, :1], axis=-1).mean())


def _driven_pairs(setup: Setup, clips: LabeledSet, model: ControllerModel) -> Iterator[tuple[FreeRollout, FreeRollout]]:
    """Yield a network's motions for the test clips' roots and gaits, and the clips themselves."""
    for path in clips.files(setup, "test"):
        clip = fit_clip(read_clip(path).resampled(model.rate), model.skeleton)
        if len(clip) >= MIN_FRAMES:
            yield _drive(model, clip)


@dataclass(frozen=True, eq=False)
class _Lead:
    """Root and gaits of a clip, as commands for a network."""

    track: RootTrack
    gaits: Array

    def command(self, frame: int, offsets: Array) -> LocomotionCommand:
        """Return the command at a frame; the clip's end is held."""
        at = np.minimum(frame + offsets, len(self.gaits) - 1)
        levels = np.zeros((1, len(offsets) + 1))
        return LocomotionCommand(
            self.track.positions[at][None], self.track.yaws[at][None], self.gaits[at][None], levels
        )


def _drive(model: ControllerModel, clip: Clip) -> tuple[FreeRollout, FreeRollout]:
    """Return a network's motion for a clip's root and gaits, and the clip itself, as one character each."""
    track, labels = root_track(clip, ROOT_SMOOTHING_S), label_clip(clip)
    speeds = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * clip.rate
    lead = _Lead(track, gait_inputs(clip, labels, speeds))
    runtime = LocomotionRuntime(model, track.positions[:1], track.yaws[:1], [0.0], [Plane()])
    offsets = np.array(future_offsets(model.input_layout))
    steps = [runtime.step(lead.command(frame, offsets), lead.gaits[[frame]]) for frame in range(len(clip))]
    poses = [part[:, None] for part in pose_features(clip, model.joints, track)]
    contacts = labels.foot_contacts.probabilities[:, None]
    captured = FreeRollout(track.positions[:, None], track.yaws[:, None], contacts, *poses)
    return FreeRollout.from_frames(model, steps), captured


def full_size(model: ControllerModel) -> ControllerModel:
    """Return a controller of the paper's size with random weights and a model's layouts."""
    architecture = ExpertsArchitecture(8, 512, "phase_vectors", 128)
    rng = np.random.default_rng(0)
    shapes = architecture.shapes(model.task).items()
    tensors = {name: rng.normal(0, 0.02, shape).astype(np.float32) for name, shape in shapes}
    return replace(model, architecture=architecture, tensors=tensors)


def _size_and_time(model: ControllerModel) -> list[object]:
    """Return megabytes of a controller's weights and the milliseconds of a step of one character."""
    runtime = LocomotionRuntime(model, np.zeros((1, 2)), np.zeros(1), np.zeros(1), [Plane()])
    ahead = np.array(future_offsets(model.input_layout)) / model.rate
    gaits = np.zeros((1, len(ahead) + 1, len(model.gaits)))
    gaits[..., model.gaits.index("walk")] = 1.0

    def step() -> object:
        positions = runtime.position[:, None] + np.stack([np.zeros_like(ahead), 1.2 * ahead], axis=-1)
        command = LocomotionCommand(positions, np.zeros((1, len(ahead))), gaits[:, 1:], np.zeros((1, len(ahead) + 1)))
        return runtime.step(command, gaits[:, 0])

    size = sum(tensor.nbytes for tensor in model.tensors.values()) / 1e6
    return [size, 1000 * median_seconds(step, FRAMES)]
