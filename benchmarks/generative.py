"""The generative control model: what varies a walk, how much, and what that costs."""

import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..cli.walk import find_generator
from ..core.evaluation.realism import FeatureSpace, measure_realism
from ..core.models.generator_file import load_generator
from ..core.models.generator_kinds import ADVERSARIAL, DEFAULT_KIND, DEFAULT_VARIATION, DENOISER, VARIATIONAL
from ..core.models.model_file import ControllerModel
from .document import table
from .generated_motion import (
    SEEDS,
    Variant,
    captured_diversity,
    diversity,
    motion_detail,
    path_errors,
    response,
    squat_share,
)
from .mocap import measure_mocap
from .pairs import Captured, bake_pairs, captured_walks, spread_out
from .setup import Setup

TITLE = "Generated control"
AMOUNTS: Final = {VARIATIONAL: (0.25, 0.5, 0.8, 1.0), ADVERSARIAL: (0.5, 1.0), DENOISER: (1.0,)}
"""Variations of each kind that are measured."""
DETAIL_SEEDS: Final = (1, 2)
REALISM_WALKS: Final = 12
TITLES: Final = {
    VARIATIONAL: "variational auto-encoder",
    ADVERSARIAL: "adversarial, the paper's",
    DENOISER: "denoiser",
}

NOTES = """\
The controller that ships, as its own performer, at 1.2 m/s; the control series that it is told is varied by a generator
of the given kind (Starke et al. 2020, section 6), all of the same size. *Motion detail* and *hip sway* on a straight
path, finished, as shares of mocap's straight walks, means of seeds 1 and 2. *Diversity*: mean distance of joints
between cycles of {seeds} seeds on a straight path, as the network made them, and as a share of mocap's own spread:
{spread:.2f} cm between the {cycles} straight cycles at 1.1 to 1.3 m/s of {actors} CMU actors, each compared with the
actor's own. *Response*: from standing to nine tenths of a run at 3.2 m/s, nothing draws it back, median of {seeds}
phases; and as a share of that without variation. *Path*: distance from wave, square and circle, mean and largest,
before feet are locked. *Realism gap*: that of *Realism*, on {walks} captured walks of as many actors as possible, with
seeds, which draw performers, too. *Squats*: share of 24 walks along wave, square, zigzag and reversal that spend more
than a twentieth of their frames with a head under 95 % of its standing height. Reach: motion detail 0.95 to 1.05, hip
sway 0.9 to 1.1, diversity 0.8 to 1.2 and response at most 1.1 at the default, which is {kind} at {amount}."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    model = setup.model()
    mocap = measure_mocap(setup, model)
    spread, actors, cycles = captured_diversity(model, setup)
    walks = spread_out(captured_walks(setup), REALISM_WALKS)
    variants = [Variant("as it is")]
    for kind, amounts in AMOUNTS.items():
        generator = load_generator(find_generator(kind))
        variants += [Variant(TITLES[kind], generator, amount) for amount in amounts]
    usual = response(model, variants[0])
    rows: list[list[object]] = []
    for variant in variants:
        detail, sway = motion_detail(model, variant, mocap, DETAIL_SEEDS)
        mean, largest = path_errors(model, variant, (1,))
        varied, reached = diversity(model, variant), response(model, variant)
        rows.append(
            [
                variant.title,
                variant.amount,
                detail,
                sway,
                f"{varied:.2f} ({varied / spread:.2f})",
                f"{reached:.2f} ({reached / usual:.2f})",
                f"{mean:.1f} / {largest:.1f}",
                realism_gap(model, variant, walks),
                100 * squat_share(model, variant),
            ]
        )
        print(rows[-1], file=sys.stderr, flush=True)
    head = ["control", "variation", "motion detail", "hip sway", "diversity cm (of mocap's)"]
    head += ["response s (of as it is)", "path cm: mean / max", "realism gap", "squats %"]
    notes = NOTES.format(
        seeds=SEEDS,
        spread=spread,
        cycles=cycles,
        actors=actors,
        walks=len(walks),
        kind=TITLES[DEFAULT_KIND],
        amount=DEFAULT_VARIATION,
    )
    return f"{table(head, rows)}\n\n{notes}"


def realism_gap(model: ControllerModel, variant: Variant, walks: Sequence[Captured]) -> float:
    """Return how well single features tell bakes from captured walks, see :mod:`.realism`."""
    space = FeatureSpace.of([walk.clip for walk in walks])
    captured = np.concatenate([space.features(walk.clip) for walk in walks])
    made = bake_pairs(model, walks, variant.amount, variant.generator)
    return measure_realism(captured, np.concatenate([space.features(clip) for clip in made]), space.names, 1).gap
