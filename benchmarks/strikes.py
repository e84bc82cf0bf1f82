"""Strikes at targets: networks of three families trained on the same attacks, alone and baked onto chosen frames."""

import subprocess
import sys
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.runtime.locomotion_runtime import RuntimeFrames
from ..core.control.strike.exact_strike import solve_strikes
from ..core.control.strike.strike_goal import REACHES_M
from ..core.control.strike.strike_order import StrikeOrder
from ..core.control.strike.strike_rollout import LIMB_ROOTS, StrikeMotion, StrikeRollout
from ..core.control.strike.strike_runtime import StrikeCommand, StrikeRuntime
from ..core.errors import FootfallError
from ..core.features.strikes import APEX_PHASE, EFFECTORS
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import out_of_frame
from ..core.motion.rotations import Array
from ..core.motion.signals import velocities
from .attack_kinds import AttackLibrary
from .measures.extremes import joint_accelerations
from .setup import ROOT, Setup
from .tables import Part, table

TITLE: Final = "Strikes: networks at targets, alone and baked"
FOLDER: Final = ROOT / ".cache" / "strikes"
CLIPS: Final = ROOT / "presets" / "strikes" / "strikes_clips.txt"
PRESETS: Final = {
    "strikes_erd": "ERD",
    "strikes_pfnn": "PFNN",
    "strikes_local_phases": "mixture, local phases",
    "strikes_matching": "motion matching (ships)",
}
EPOCHS: Final = {"strikes_erd": (4, 1), "strikes_pfnn": (8, 3), "strikes_local_phases": (20, 7)}
"""Epochs of single frames and of windows, for some minutes of one thread; the presets have more."""
TRIALS: Final = 30
"""New targets in front of, and as many behind, each character."""
ORDERS: Final = 100
"""Baked strikes, two in each motion."""
SECONDS: Final = 5.0
"""Largest time until a target is struck."""
STRUCK_M: Final = 0.25
"""Largest distance at an apex from a struck target."""
ACCELERATION_RATIO: Final = 1.3
NOTES: Final = """\
The first three were trained on 11 clips (4.3 minutes), mirrored and with other targets; matching has four of them.
Baked: 100 strikes on chosen frames, two after each other from one guard."""


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """Answers of a batch of characters (B) to new targets.

    Attributes:
        distances: (B) at the first apex, meters.
        phases: (B) phases at that time.
        seconds: (B) time until the target was struck; infinite for a missed one.
        skates: (N) speeds of feet in contact, m/s.
        poses: poses of each first attack, in the form of :class:`AttackLibrary`.
    """

    distances: Array
    phases: Array
    seconds: Array
    skates: Array
    poses: list[Array]


def measure(setup: Setup) -> list[Part]:
    """Return both tables."""
    _train(setup)
    library = AttackLibrary.read(FOLDER / "dataset")
    models = {title: load_model(FOLDER / preset / "model.safetensors") for preset, title in PRESETS.items()}
    alone = [_alone_row(title, model, library) for title, model in models.items()]
    for row, preset in zip(alone, PRESETS, strict=True):
        row.insert(1, " + ".join(map(str, EPOCHS[preset])) if preset in EPOCHS else None)
    rows: list[list[object]] = [
        ["thesis (ERD)", None, "34.3 ± 14.5", "0.461 ± 0.143", None, None, None, None],
        ["captured", None, "0", "0.5", None, None, 100 * library.skate, _percent(library.mixed_share)],
    ]
    head = ["network", "epochs", "apex, cm", "phase", "front, s", "behind, s", "skate, cm/s", "mixed"]
    reach = ["reach", None, "12", "0.5 ± 0.05", "0.8", "1.5", "2", None]
    baked = [_baked_row(title, model, library) for title, model in models.items()]
    baked_head = [
        "network",
        "told",
        "alone, cm",
        "aimed, cm",
        "baked, mm",
        "worst",
        "frames off",
        "turned, deg",
        "warp",
        "reach",
        "hard aimed",
    ]
    return [
        table(head, [*rows, *alone, reach]),
        table([*baked_head, "hard baked"], baked, "Baked onto chosen frames"),
        NOTES,
    ]


def _train(setup: Setup) -> None:
    """Build the data set and train missing networks."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / "dataset" / "manifest.json").exists():
        _run("make-dataset", str(CLIPS), "--out", str(FOLDER / "dataset"), "--preset", next(iter(PRESETS)))
    for preset in PRESETS:
        if (FOLDER / preset / "model.safetensors").exists():
            continue
        source, changes = ["--dataset", str(FOLDER / "dataset")], []
        if preset in EPOCHS:
            frames, windows = EPOCHS[preset]
            changes = ["--set", f"epochs={frames}", "--set", f"unroll_epochs={windows}"]
        else:
            source = ["--clips", str(CLIPS)]
        _run("train", *source, "--run", str(FOLDER / preset), "--preset", preset, *changes)


def _run(*arguments: str) -> None:
    package = str(__package__).rpartition(".")[0]
    child = subprocess.run([sys.executable, "-m", package, *arguments], stdout=subprocess.DEVNULL, cwd=ROOT)
    if child.returncode:
        raise FootfallError(f"`{arguments[0]}` of the strikes failed: its own message is above.")


def respond(model: ControllerModel, library: AttackLibrary, behind: bool, seed: int) -> Response:
    """Return responses of characters in guard to a new target."""
    generator = np.random.default_rng(seed)
    effectors, heights = library.draw(TRIALS, generator)
    angles = generator.uniform(np.radians(135), np.radians(225), TRIALS) if behind else _aside(generator, TRIALS)
    away = _reaches(effectors) + generator.uniform(-0.15, 0.15, TRIALS)
    targets = np.column_stack([-np.sin(angles) * away, np.cos(angles) * away, heights])
    runtime = StrikeRuntime(model, np.zeros((TRIALS, 2)), np.zeros(TRIALS))
    made: list[RuntimeFrames] = []
    for _ in range(round(SECONDS * model.rate)):
        made.append(runtime.step(StrikeCommand(targets, effectors, np.zeros(TRIALS), np.ones(TRIALS))))
    frames = RuntimeFrames(*(np.stack([getattr(one, name) for one in made]) for name in RuntimeFrames.__slots__))
    return _judge(model, frames, effectors, targets, library)


def _judge(
    model: ControllerModel, frames: RuntimeFrames, effectors: NDArray[np.intp], targets: Array, library: AttackLibrary
) -> Response:
    """Return the measures of a batch's frames (F, B)."""
    pose = model.output_layout.view(frames.output, "pose.position").astype(float)
    world = out_of_frame(pose, frames.yaw[..., None])
    world[..., :2] += frames.position[:, :, None]
    joints = [model.joints.index(model.skeleton.names[model.skeleton.joint(role)]) for role in EFFECTORS]
    distances, phases, seconds, poses, skates = [], [], [], [], []
    for row, effector in enumerate(effectors):
        phase = frames.phase[:, row]
        near = np.linalg.norm(world[:, row, joints[int(effector)]] - targets[row], axis=-1)
        crossings = np.flatnonzero((phase[:-1] < APEX_PHASE) & (phase[1:] >= APEX_PHASE)) + 1
        apexes = [_apex(near, phase, int(frame)) for frame in crossings]
        struck = [frame for frame in apexes if near[frame] < STRUCK_M]
        seconds.append(struck[0] / model.rate if struck else np.inf)
        if apexes:
            distances.append(near[apexes[0]])
            phases.append(phase[apexes[0]])
            poses.append(library.at_phases(phase[: apexes[0] + 60], pose[: apexes[0] + 60, row], apexes[0]))
            feet = library.foot_speeds(world[: apexes[0], row], frames.contacts[: apexes[0], row], model.rate)
            skates.append(feet)
    return Response(np.array(distances), np.array(phases), np.array(seconds), np.concatenate(skates), poses)


def _apex(near: Array, phase: Array, crossing: int) -> int:
    """Return the frame of the nearest approach around the crossing of the apex's phase, within the same attack."""
    begin = crossing
    while begin > 0 and 0.25 < phase[begin - 1] <= phase[begin]:
        begin -= 1
    return begin + int(np.argmin(near[begin : crossing + 10]))


def _aside(generator: np.random.Generator, count: int) -> Array:
    return generator.uniform(-np.radians(40), np.radians(40), count)


def _reaches(effectors: NDArray[np.intp]) -> Array:
    return np.array([REACHES_M[EFFECTORS[int(number)].partition(".")[0]] for number in effectors])


def _alone_row(title: str, model: ControllerModel, library: AttackLibrary) -> list[object]:
    front, behind = (respond(model, library, side, seed) for side, seed in ((False, 1), (True, 2)))
    mixed = float(np.mean([library.is_mixed(one) for one in front.poses]))
    return [
        title,
        f"{100 * front.distances.mean():.3g} ± {100 * front.distances.std():.3g}",
        f"{front.phases.mean():.3f} ± {front.phases.std():.3f}",
        _seconds(front.seconds),
        _seconds(behind.seconds),
        100 * float(front.skates.mean()),
        _percent(mixed),
    ]


def _seconds(seconds: Array) -> str:
    found = seconds[np.isfinite(seconds)]
    middle = f"{np.median(found):.2f}" if len(found) else "-"
    return f"{middle} ({len(found)} of {len(seconds)})"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


@dataclass(frozen=True, slots=True, eq=False)
class Baked:
    """Two baked strikes of one motion: distances alone, m, and results of the bake of accepted ones.

    Attributes:
        reaches: reach of the limb on the frame, relative to its largest reach within a third of a second.
    """

    told: int
    alone: list[float]
    aimed: list[float]
    misses: list[float]
    frames_off: list[int]
    turns: list[float]
    warps: list[float]
    reaches: list[float]
    hard: tuple[float, float]


def bake(model: ControllerModel, library: AttackLibrary, generator: np.random.Generator) -> Baked:
    """Return two strikes at targets in front, baked onto chosen frames."""
    rollout = StrikeRollout(model, np.zeros(2), 0.0)
    effectors, heights = library.draw(2, generator)
    frame = 60
    for effector, height, angle in zip(effectors, heights, _aside(generator, 2), strict=True):
        position, yaw = rollout.root
        away = _reaches(np.array([effector]))[0] + generator.uniform(-0.15, 0.15)
        target = np.append(
            position + out_of_frame(away * np.array([-np.sin(angle), np.cos(angle)]), np.array(yaw)), height
        )
        attack = rollout.strike(StrikeOrder(frame, target, EFFECTORS[int(effector)]))
        frame = max(attack.blow.apex, frame) + int(generator.integers(70, 110))
    rollout.recover()
    motion = rollout.finish()
    return _compare(motion, library)


def _compare(motion: StrikeMotion, library: AttackLibrary) -> Baked:
    clip, solved = solve_strikes(motion)
    good = [one for one in solved if one.problem() is None]
    off, turns, misses, reaches = [], [], [], []
    for one in good:
        frame, joint = one.attack.order.frame, clip.skeleton.joint(one.attack.order.effector)
        near = np.linalg.norm(clip.positions[frame - 6 : frame + 7, joint] - one.attack.order.target_at(frame), axis=-1)
        misses.append(float(near[6]))
        reaches.append(_reach_share(clip, frame, one.attack.order.effector))
        off.append(abs(int(np.argmin(near)) - 6))
        own = velocities(motion.clip.positions[:, joint], clip.rate)[one.attack.blow.apex]
        now = velocities(clip.positions[:, joint], clip.rate)[frame]
        cosine = own @ now / max(float(np.linalg.norm(own) * np.linalg.norm(now)), 1e-9)
        turns.append(float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))))
    limit = ACCELERATION_RATIO * library.usual_acceleration
    hard = tuple(float(np.mean(joint_accelerations(one).max(axis=1) > limit)) for one in (motion.clip, clip))
    return Baked(
        len(solved) - len(good),
        [one.attack.unaimed for one in solved],
        [one.attack.distance for one in solved],
        misses,
        off,
        turns,
        [one.warp for one in good],
        reaches,
        (hard[0], hard[1]),
    )


def _reach_share(clip: Clip, frame: int, effector: str) -> float:
    """Return the reach of a limb on a frame, relative to its largest reach within a third of a second."""
    limb, side = effector.split(".")
    ends = (clip.skeleton.joint(role) for role in (effector, f"{LIMB_ROOTS[limb]}.{side}"))
    first, second = (clip.positions[:, joint] for joint in ends)
    reach, around = np.linalg.norm(first - second, axis=-1), round(clip.rate / 3)
    return float(reach[frame] / reach[max(frame - around, 0) : frame + around + 1].max())


def _baked_row(title: str, model: ControllerModel, library: AttackLibrary) -> list[object]:
    generator = np.random.default_rng(11)
    tries = [bake(model, library, generator) for _ in range(ORDERS // 2)]

    def joined(name: str) -> Array:
        return np.array([value for one in tries for value in getattr(one, name)], dtype=float)

    misses, warps = 1000 * joined("misses"), joined("warps")
    hard = np.array([one.hard for one in tries]).mean(axis=0)
    turns = joined("turns")
    return [
        title,
        f"{sum(one.told for one in tries)} of {ORDERS}",
        100 * float(joined("alone").mean()),
        100 * float(joined("aimed").mean()),
        float(misses.mean()),
        float(misses.max()),
        float(joined("frames_off").max()),
        f"{np.median(turns):.3g}, {turns.mean():.3g}, {turns.max():.3g}",
        _percent(float(warps.max())),
        _percent(float(joined("reaches").mean())),
        *(_percent(float(value)) for value in hard),
    ]
