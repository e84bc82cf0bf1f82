"""``python -m footfall.benchmarks.ground_sitting FILE``: sitting down on the ground, by a trained controller.

No such controller is shipped: its captured clips are HDM05's, with a license that a controller would inherit.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion.root_frame import facing_direction
from ..core.motion.signals import runs_of
from .interaction_motion import has_given_up, measure_motion, motion_row, motion_table
from .pushing import STARTS, play_through, start_at
from .strips import FRAMES, GAP, paint_row, write_strip
from .tables import Part, table

STAY_S: Final = 3.0
MARGIN_S: Final = 0.5
"""Time in a strip before and after the action."""
HEAD: Final = ("action", "done", "seconds", "apart cm", "hips cm", "deepest cm", "feet cm")

Measures = tuple[float, float, float, float, float]
"""Seconds, distance from the place, height of the hips, depth in the ground, travel of the feet, cm."""

NOTES = """\
On the open floor, ten times from 2 m away, facing anywhere, refined. *Feet*: farthest that an ankle moves while the
body sits, as it settles."""


def measure(model: ControllerModel) -> tuple[list[Part], list[tuple[InteractionSequencer, RefinedInteraction]]]:
    """Return the tables of a controller, and its performance."""
    plays = [play_through(to_sit(model, start)) for start in range(STARTS)]
    pairs = [(play, refine_interaction(play.recording)) for play in plays]
    done = [(play, refined) for play, refined in pairs if play.done and not has_given_up(play.recording)]
    rows = np.array([_measures(*pair) for pair in done]).reshape(-1, len(HEAD) - 2)
    means: Sequence[float | None] = [None] * rows.shape[1]
    if len(rows):
        seconds, apart, hips, _, feet = rows.mean(axis=0)
        means = [seconds, apart, hips, rows[:, 3].max(), feet]
    motion = motion_row("sit_ground", [measure_motion(refined.clip) for _, refined in pairs])
    tables: list[Part] = [
        table(list(HEAD), [["sit_ground", f"{len(done)} of {STARTS}", *means]]),
        motion_table([motion], []),
        NOTES,
    ]
    return tables, pairs


def to_sit(model: ControllerModel, start: int) -> InteractionSequencer:
    """Return a standing character with the command to sit down on the ground for a while and to walk off."""
    generator = np.random.default_rng([start, 37])
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    task = InteractionTask("sit_ground", position=np.zeros(3), direction=way, duration=STAY_S)
    return start_at(model, [], task, way, generator)


def _measures(play: InteractionSequencer, refined: RefinedInteraction) -> Measures:
    """Return the measures of a sitting."""
    reached, stop = play.recording.event_frame("reached", 0), play.recording.event_frame("began", 1)
    assert reached is not None and stop is not None
    clip = refined.clip
    hips = clip.positions[reached:stop, clip.skeleton.joint("hips")]
    ankles = clip.positions[reached:stop, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], :2]
    slide = float(np.linalg.norm(ankles - ankles[0], axis=-1).max())
    sits = refined.actions[:, play.recording.model.actions.index("sit_ground")] > 0.5
    lowest = float(clip.positions[sits][..., 2].min())
    apart = float(np.linalg.norm(hips[0, :2]))
    return (
        reached / clip.rate,
        100 * apart,
        100 * float(np.median(hips[:, 2])),
        100 * max(-lowest, 0.0),
        100 * slide,
    )


def write_film_strip(
    pairs: Sequence[tuple[InteractionSequencer, RefinedInteraction]], action: str, title: str, file: Path
) -> None:
    """Write frames of some performances of an action from the side and from the front, one row each."""
    rows, names = [], []
    for from_side in (True, False):
        for number, (play, refined) in enumerate(pairs):
            acts = runs_of(refined.actions[:, play.recording.model.actions.index(action)] > 0.5)
            first, last = (int(acts[0][0]), int(acts[-1][1])) if len(acts) else (0, len(refined.clip))
            margin = round(MARGIN_S * refined.clip.rate)
            ends = max(first - margin, 0), min(last + margin, len(refined.clip) - 1)
            rows.append(paint_row(refined.clip, np.linspace(*ends, FRAMES).astype(int), from_side))
            names.append(f"{number + 1}, {'side' if from_side else 'front'}")
    gap = np.ones((GAP, rows[0].shape[1], 3))
    pixels = np.concatenate([part for row in rows for part in (row, gap)][:-1])
    write_strip(pixels, title, file, names)


def main(arguments: list[str] | None = None) -> int:
    """Print the tables of a controller."""
    parser = argparse.ArgumentParser(prog="python -m footfall.benchmarks.ground_sitting", description=__doc__)
    parser.add_argument(
        "controller", type=Path, metavar="FILE", help="a controller that was taught to sit on the ground"
    )
    parser.add_argument("--strip", type=Path, metavar="PNG", help="film strip of the first three, to be written")
    options = parser.parse_args(arguments)
    parts, pairs = measure(load_model(options.controller))
    print(*parts, sep="\n\n")
    if options.strip:
        write_film_strip(pairs[:3], "sit_ground", "sitting down on the ground", options.strip)
    return 0


if __name__ == "__main__":
    sys.exit(main())
