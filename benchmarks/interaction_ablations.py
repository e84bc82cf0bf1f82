"""NSM's section 7: the effect of the controller's parts, and other families of networks on the same takes."""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

import numpy as np

from ..core.control.interaction.attachment import HANDOVER_S
from ..core.control.refine.interaction_refinement import decode_interaction, refine_interaction
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.control.runtime.pose_decoder import standing_clip
from ..core.errors import FootfallError
from ..core.evaluation.feet import drift_speed
from ..core.evaluation.motion_detail import joint_rotation_speed
from ..core.features.interaction import GATING_GROUPS
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.scene.interaction_object import InteractionObject
from . import carrying, interactions
from .blinded import blinded
from .interaction_response import WAYS, goes, sits
from .setup import ROOT, Setup
from .tables import Part, table
from .unseen import BOXES, SEATS, box, seat

TITLE = "Interactions: ablations and other networks"
MINUTES: Final = 5
TAKES: Final = 280
AT_ONCE: Final = 2
"""Number of simultaneous trainings, and of processes for takes or trials; each has one thread."""
SITS = CARRIES = 8
RESPONSES: Final = 5
CARRIED: Final = ("A5_PickUpBox", "B19_WalkToPickUpBox_Working", "B20_WalkWithBox", "B21_PutDownBoxToWalk")
PRESET: Final = ROOT / "presets" / "interactions" / "nsm.toml"

HEAD: Final = (
    *(
        "controller",
        "sits alone",
        "PE cm",
        "RE deg",
        "NSM PE / RE",
        "shipped",
        "PE cm",
        "RE deg",
        "refined PE cm",
        "RE deg",
    ),
    *("carries alone", "PE cm", "RE deg", "NSM PE / RE", "shipped", "PE cm", "RE deg", "refined PE cm", "RE deg"),
    *("idle to walk s", "walk to sit s", "NSM s", "drift cm/s", "joints rad/s"),
)

Tried = TypeVar("Tried")

NOTES = """\
The same minutes of training on one thread each, of the same takes; only what is named differs. 8 sits and 8 carries
each, on seats and boxes that no training saw."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The values of NSM's tables: cm and degrees of Table 3, seconds of Table 2."""

    sit: tuple[float, float] | None = None
    carry: tuple[float, float] | None = None
    seconds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One controller of the comparison.

    Attributes:
        title: name in the table.
        run: folder of its training, shared by variants of one training.
        paper: the paper's figures of the same variant.
        settings: changes of its training from the preset.
        without: removed groups of x.
        varied: whether its takes have varied objects.
    """

    title: str
    run: str
    paper: Paper = Paper()
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    varied: bool = True


RECURRENT: Final = {"family": "lstm", "hidden": 256, "recurrent": 184, "layers": 4, "sequence_steps": 60, "batch": 8}
"""Number of sequences of a second, for about the same frames per batch as in the preset."""
VARIANTS: Final = (
    Variant("the whole (NSM)", "whole", Paper((2.93, 0.92), (3.05, 1.02), (1.49, 4.92))),
    Variant("without interaction sensor", "hands", Paper((3.72, 1.11), (6.09, 2.26)), without=("interaction.voxel",)),
    Variant(
        "without environment sensor", "room", Paper((3.05, 0.94), (8.52, 2.27)), without=("environment.occupancy",)
    ),
    Variant("without products with the phase", "beside", settings={"gating": "concatenated"}),
    Variant("without varied things", "alike", varied=False),
    Variant("things drawn by the window", "drawn", settings={"augmented_share": 0.25}),
    Variant(
        "MLP",
        "plain",
        Paper((14.05, 4.11), (6.27, 3.46), (1.75, 5.05)),
        {"family": "plain", "hidden": 448, "phase_input": True},
        tuple(GATING_GROUPS),
    ),
    Variant(
        "PFNN",
        "pfnn",
        Paper((7.66, 3.31), (10.35, 4.83), (1.50, 4.95)),
        {"family": "pfnn", "hidden": 120},
        tuple(GATING_GROUPS),
    ),
    Variant("MANN", "mann", Paper((5.54, 1.87), (3.41, 1.79), (1.83, 4.85)), {"gating": "velocity"}),
    Variant(
        "LSTM",
        "lstm",
        Paper((6.14, 2.05), (6.11, 3.02), (2.16, 5.62)),
        {**RECURRENT, "unroll_steps": 0},
        tuple(GATING_GROUPS),
    ),
    Variant(
        "Auto-LSTM",
        "auto_lstm",
        Paper((5.23, 2.70), (5.59, 3.77), (1.86, 5.53)),
        {**RECURRENT, "unroll_steps": 16, "unroll_forcing": 0.5},
        tuple(GATING_GROUPS),
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one trial.

    Attributes:
        errors: errors of the network's position, cm, and rotation, degrees; ``None`` for a failed task.
        refined: the same after refinement; ``None`` if it failed or is disabled.
        drift: drift of feet during a sit, cm/s.
        turned: mean turn of the joints, rad/s.
    """

    errors: tuple[float, float] | None
    refined: tuple[float, float] | None = None
    drift: float = 0.0
    turned: float = 0.0


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        varied, alike = (make_takes(setup, folder / f"takes-{kind}", kind) for kind in (True, False))
        return compared(setup.data.parent / "objects", varied, alike, folder)


def make_takes(setup: Setup, out: Path, varied: bool) -> Path:
    """Build a data set of interaction takes and return its path.

    They are the takes of the shipped controller, or takes with one chair and one box.
    """
    from ..cli.walk import shipped_controller
    from ..training.data.network_skeleton import NetworkSkeleton
    from ..training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
    from ..training.interactions.take_generator import TakeGenerator

    carried = tuple(setup.data / "accad_male1" / "carry" / f"Male1_{name}.bvh" for name in CARRIED)
    recipe = TakeGenerator(shipped_controller(), tuple(setup.clips("sit", split="train")), carried, varied=varied)
    body = NetworkSkeleton.of(load_model(recipe.controller))
    return build_interaction_dataset(recipe, body, out, InteractionDatasetSettings(takes=TAKES), AT_ONCE).path


def compared(objects: Path, varied: Path, alike: Path, folder: Path) -> list[Part]:
    """Return the table of all variants.

    Args:
        objects: folder of models unseen in training.
        varied: the data set of takes with varied objects.
        alike: the data set of takes with one chair and one box.
        folder: the folder of the trainings.
    """
    distinct = {variant.run: variant for variant in reversed(VARIANTS)}
    with ThreadPoolExecutor(AT_ONCE) as threads:
        train = partial(trained, varied=varied, alike=alike, folder=folder)
        models = dict(zip(distinct, threads.map(train, distinct.values()), strict=True))
    with ProcessPoolExecutor(AT_ONCE) as pool:
        rows = [row(variant, models[variant.run], objects, pool) for variant in VARIANTS]
    return [table(HEAD, rows), NOTES]


def trained(variant: Variant, varied: Path, alike: Path, folder: Path) -> Path:
    """Train a variant by the command line; return the controller's file."""
    package, run = str(__package__).rpartition(".")[0], folder / variant.run
    dataset = varied if variant.varied else alike
    if variant.without:
        dataset = blinded(dataset, variant.without, folder / f"seen-by-{variant.run}")
    settings = {"time_limit": MINUTES, "threads": 1, "device": "cpu", **variant.settings}
    command = [sys.executable, "-m", package, "train", "--dataset", str(dataset), "--run", str(run), "--json"]
    command += ["--preset", str(PRESET)]
    command += [part for name, value in settings.items() for part in ("--set", f"{name}={str(value).lower()}")]
    print(f"training: {variant.title} ...", file=sys.stderr, flush=True)
    child = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    if variant.without:
        rmtree(dataset)  # gigabytes each
    if child.returncode:
        raise FootfallError(f"The training of '{variant.title}' failed: {child.stderr.strip()[-300:]}")
    return run / "model.safetensors"


def row(variant: Variant, model: Path, objects: Path, pool: ProcessPoolExecutor) -> list[object]:
    """Return the table's row for a variant."""

    def tried(what: Callable[[int, Path, Path, bool], Tried], count: int, helped: bool) -> list[Future[Tried]]:
        return [pool.submit(what, number, model, objects, helped) for number in range(count)]

    trials = [tried(what, count, helped) for what, count in ((sit, SITS), (carry, CARRIES)) for helped in (False, True)]
    times = [tried(response, RESPONSES, True) for response in (walk, walk_to_sit)]
    sat_alone, sat, carried_alone, carried = ([one.result() for one in each] for each in trials)
    return [
        variant.title,
        *_done(sat_alone),
        _slashed(variant.paper.sit),
        *_done(sat),
        *_refined(sat),
        *_done(carried_alone),
        _slashed(variant.paper.carry),
        *_done(carried),
        *_refined(carried),
        *(_mean([seconds for one in each if (seconds := one.result()) is not None]) for each in times),
        _slashed(variant.paper.seconds),
        _mean([one.drift for one in sat]),
        _mean([one.turned for one in sat]),
    ]


def means(errors: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    """Return the mean PE, cm, and the mean RE, degrees, of the completed trials."""
    done = [one for one in errors if one is not None]
    return (float(np.mean([pe for pe, _ in done])), float(np.mean([re for _, re in done]))) if done else None


def _done(outcomes: Sequence[Outcome]) -> list[object]:
    count = sum(one.errors is not None for one in outcomes)
    return [f"{count} of {len(outcomes)}", *(means([one.errors for one in outcomes]) or (None, None))]


def _refined(outcomes: Sequence[Outcome]) -> list[object]:
    return list(means([one.refined for one in outcomes]) or (None, None))


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _slashed(pair: tuple[float, float] | None) -> str | None:
    return f"{pair[0]:.2f} / {pair[1]:.2f}" if pair else None


def sit(number: int, model: Path, objects: Path, helped: bool) -> Outcome:
    """Have a character near a seat sit on it, with or without both rules and refinement."""
    on = _seat(objects, SEATS[number % len(SEATS)])
    play = interactions.to_sit(_model(model), on, number // len(SEATS), assistance=_assistance(helped))
    while len(play.frames) < interactions.LONGEST and play.advance(60):
        pass
    reached = play.recording.event_frame("reached", 0)
    frame = len(play.frames) - 1 if reached is None else min(reached + interactions.AFTER, len(play.frames) - 1)

    def errors(clip: Clip) -> tuple[float, float]:
        sideways, upwards, turned = interactions.errors(clip, on, frame)
        return float(np.hypot(sideways, upwards)), turned

    clip, done = decode_interaction(play.recording), reached is not None
    refined = errors(refine_interaction(play.recording).clip) if done and helped else None
    return Outcome(errors(clip) if done else None, refined, *moved(clip.cut(0, frame + 1), play.model))


def carry(number: int, model: Path, objects: Path, helped: bool) -> Outcome:
    """Have a character near a box carry it from one table to another; see :func:`sit`."""
    one = _box(objects, list(BOXES)[number % len(BOXES)])
    play = carrying.to_carry(_model(model), one, number // len(BOXES), assistance=_assistance(helped))
    while len(play.frames) < carrying.LONGEST and play.advance(60):
        pass
    moments = carrying.carried(play)
    if moments is None:
        return Outcome(None)
    at, box_, side = moments[0], play.objects[0], play.recording.approach_sides[0]
    raw = carrying.errors(decode_interaction(play.recording), at, box_, side)
    end = min(at + round(HANDOVER_S * play.model.rate), len(play.frames)) - 1
    if not helped:
        return Outcome(raw)
    bake = refine_interaction(play.recording)
    return Outcome(raw, carrying.errors(bake.clip, end, bake.objects[end][0], side))


def walk(number: int, model: Path, objects: Path, helped: bool) -> float | None:
    """Return the seconds from idling to walking."""
    return goes(_model(model), "walk", list(WAYS.values())[number % len(WAYS)], assistance=_assistance(helped))


def walk_to_sit(number: int, model: Path, objects: Path, helped: bool) -> float | None:
    """Return the seconds from walking to sitting."""
    return sits(_model(model), objects, "walk", number, assistance=_assistance(helped))


def _assistance(helped: bool) -> Assistance:
    return FULL_ASSISTANCE if helped else Assistance.none()


def moved(clip: Clip, model: ControllerModel) -> tuple[float, float]:
    """Return the speed of feet near the ground, cm/s, and the mean joint rotation speed, rad/s."""
    points, standing = sensor_tracks(clip, BIPED_PRESET), standing_clip(model)
    low = points[..., 2].min(axis=0) if standing is None else sensor_tracks(standing, BIPED_PRESET)[0, :, 2]
    return 100 * drift_speed(points, points[..., 2] - low, clip.rate), joint_rotation_speed(
        clip, np.ones(len(clip), dtype=bool)
    )


@cache
def _model(path: Path) -> ControllerModel:
    return load_model(path)


@cache
def _seat(objects: Path, name: str) -> InteractionObject:
    return seat(objects, name)


@cache
def _box(objects: Path, name: str) -> InteractionObject:
    return box(objects, name)
