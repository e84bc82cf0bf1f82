"""The Neural State Machine by task: takes, foot sliding, motion detail, experts (NSM Table 1, Fig. 7, 10, 11)."""

from collections.abc import Iterator
from typing import Final, cast

import numpy as np

from ..cli.clips import find_clips
from ..cli.walk import shipped_controller
from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import decode_interaction, refine_interaction
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.features.interaction import ACTIONS
from ..core.models.experts import ExpertMixture, ExpertsArchitecture
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array
from ..training.interactions.take_distribution import add_distributions, frame_distribution, in_per_cent
from ..training.interactions.take_generator import TakeGenerator
from . import carrying, doors, interactions
from .interaction_ablations import moved
from .interactions import interacting
from .measures.extremes import worst_shaking
from .setup import ROOT, Setup
from .tables import Part, Picture, table
from .unseen import BOXES, SEATS, box, seat

TITLE = "The Neural State Machine by task"
TAKES: Final = 120
"""Number of counted takes."""
PAPER_SECONDS: Final = {"idle": 1603, "walk": 2600, "run": 354, "sit": 1333, "open": 126, "carry": 462, "climb": 114}
"""Values of NSM's Table 1."""
DIRECTIONS: Final = {"forward": 0.0, "left": np.pi / 2, "backward": np.pi, "right": -np.pi / 2}
WALK_M: Final = 4.0
TRIALS: Final = 4
LONGEST: Final = 2000
PICTURE: Final = ROOT / "docs" / "images" / "nsm_experts.svg"
CYCLE_BINS: Final = 24

NOTES = """\
120 takes of training by action label, beside seconds of NSM's Table 1. *Foot sliding* and *joints* as in NSM's
figures 10 and 11, mean of 4 trials."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables and picture."""
    model = interacting(setup)
    head, rows = ["task"], []
    for kind in ("alone", "shipped", "refined"):
        head += [f"{kind}: sliding cm/s", "joints rad/s", "shaking"]
    for task in ("walk", "run", "sit", "carry", "open"):
        alone, _ = _measure_task(setup, model, task, Assistance.none())
        shipped, refined = _measure_task(setup, model, task, FULL_ASSISTANCE)
        rows.append([task, *alone, *shipped, *refined])
    _draw_experts(setup, model)
    picture = Picture("Experts through the phase of each task", PICTURE.name)
    notes = NOTES
    return [*_take_tables(setup), table(head, rows), picture, notes]


def _take_tables(setup: Setup) -> list[Part]:
    """Return the tables of the takes by action and by origin."""
    lists = (ROOT / "presets" / "interactions" / f"{name}_clips.txt" for name in ("sitting", "carrying", "lying"))
    sitting, carried, lying = (tuple(path.absolute() for path, _ in find_clips([one])) for one in lists)
    recipe = TakeGenerator(shipped_controller(), sitting, carried, lying=lying)
    frames = add_distributions([frame_distribution(recipe(number)) for number in range(TAKES)])
    actions: dict[str, int] = dict.fromkeys(ACTIONS, 0)
    for label, count in frames["actions"].items():
        actions[label.partition("+")[0]] += count
    ours, paper = in_per_cent(actions), in_per_cent({name: PAPER_SECONDS.get(name, 0) for name in ACTIONS})
    by_action = table(["takes, per cent", *ours], [["Footfall", *ours.values()], ["NSM", *paper.values()]])
    origins = in_per_cent(frames["origins"])
    return [by_action, table(["frames, per cent", *origins], [["Footfall", *origins.values()]])]


def _measure_task(
    setup: Setup, model: ControllerModel, task: str, assistance: Assistance
) -> tuple[list[float], list[float]]:
    """Return sliding, rotation and shaking of a task, means of its trials, by the network and refined."""
    raw, refined = zip(*(_clips(play) for play in _plays(setup, model, task, assistance)), strict=True)
    first, second = (np.mean([_measures(clip, model) for clip in clips], axis=0).tolist() for clips in (raw, refined))
    return first, second


def _measures(clip: Clip, model: ControllerModel) -> tuple[float, float, float]:
    return *moved(clip, model), worst_shaking(clip).value


def _clips(play: InteractionSequencer) -> tuple[Clip, Clip]:
    """Run a sequencer to its end; return the network's motion, and the refined one."""
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    return decode_interaction(play.recording), refine_interaction(play.recording).clip


def _plays(setup: Setup, model: ControllerModel, task: str, assistance: Assistance) -> Iterator[InteractionSequencer]:
    """Yield the trials of a task."""
    objects = setup.data.parent / "objects"
    for trial in range(TRIALS):
        if task in ("walk", "run"):
            aim = WALK_M * facing_direction(np.array(list(DIRECTIONS.values())[trial]))
            goal = InteractionTask(task, position=np.append(aim, 0.0))
            yield InteractionSequencer(model, [], [goal], np.zeros(2), assistance=assistance)
        elif task == "sit":
            name = list(SEATS)[trial % len(SEATS)]
            yield interactions.to_sit(model, seat(objects, name), trial, assistance=assistance)
        elif task == "carry":
            name = list(BOXES)[trial % len(BOXES)]
            yield carrying.to_carry(model, box(objects, name), trial, assistance=assistance)
        else:
            yield doors.to_open(model, trial, assistance)


def _draw_experts(setup: Setup, model: ControllerModel) -> None:
    """Draw the experts on a circle and the path between them through the phase of each task (NSM Fig. 7)."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    network = model.network()
    assert isinstance(network, ExpertMixture)
    matplotlib.rcParams |= {"svg.hashsalt": "footfall", "font.size": 9}
    tasks = "idle", "walk", "run", "sit", "carry", "open"
    ways = {task: _expert_way(setup, model, network, task) for task in tasks}
    figure, axes = plt.subplots(1, len(tasks), figsize=(2.0 * len(tasks), 2.2))
    for axis, (task, (way, places)) in zip(axes, ways.items(), strict=True):
        axis.add_patch(Circle((0.0, 0.0), 1.0, fill=False, color="#d9a400"))
        axis.scatter(*places.T, color="black", s=18, zorder=3)
        axis.plot(*np.vstack([way, way[:1]]).T, color="#3b6ea8")
        axis.set_title(task)
        axis.set_aspect("equal")
        axis.axis("off")
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})
    plt.close(figure)


def _expert_way(setup: Setup, model: ControllerModel, network: ExpertMixture, task: str) -> tuple[Array, Array]:
    """Return the mean place (P, 2) between experts in each part of a task's cycle, and the places (K, 2) of experts."""
    count = cast(ExpertsArchitecture, model.architecture).experts
    angles = 2 * np.pi * np.arange(count) / count
    places = np.column_stack([np.sin(angles), np.cos(angles)])
    shares, phases = [], []
    for play in _plays(setup, model, "walk" if task == "idle" else task, FULL_ASSISTANCE):
        while len(play.frames) < LONGEST and play.advance(1):
            x, runtime = play.runtime.network_input, play.runtime
            if x is not None and runtime.state.past_samples.actions[0, -1, ACTIONS.index(task)] > 0.5:
                shares.append(network.blending_weights(x, runtime.phase)[0])
                phases.append(float(runtime.phase[0]))
    bins = np.floor(np.array(phases) * CYCLE_BINS).astype(int) % CYCLE_BINS
    way = [np.mean(np.array(shares)[bins == one], axis=0) @ places for one in np.unique(bins)]
    return np.array(way).reshape(-1, 2), places
