"""The generative control model: variation of walks, its amount, and its cost."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..cli.walk import find_generator
from ..core.models.generator_file import load_generator
from ..core.models.generator_kinds import ADVERSARIAL, DENOISER, VARIATIONAL
from ..core.models.model_file import ControllerModel
from .generated_motion import (
    DETAIL_CUTOFF_HZ,
    MotionDetail,
    Variant,
    captured_diversity,
    diversity,
    motion_detail,
    path_errors,
    response,
    squat_share,
)
from .generative_plot import TradeOff, draw_trade_off
from .measures.realism import FeatureSpace, measure_realism
from .mocap import fitted_walks
from .setup import Setup
from .tables import Part, Picture, table
from .walk_pairs import Captured, bake_pairs, captured_walks, spread_out

TITLE = "Generated control"
AMOUNTS: Final = {VARIATIONAL: (0.25, 0.5, 0.8, 1.0), ADVERSARIAL: (0.25, 0.5, 0.8, 1.0), DENOISER: (0.5, 0.8, 1.0)}
"""Measured amounts of variation of each kind."""
DETAIL_SEEDS: Final = range(1, 9)
REALISM_WALKS: Final = 12
TITLES: Final = {
    VARIATIONAL: "variational auto-encoder",
    ADVERSARIAL: "adversarial, the paper's",
    DENOISER: "denoiser",
}

NOTES = """\
The controller that ships, as its own performer, at 1.2 m/s; the control series that it is told is varied by a
generator of the given kind (Starke et al. 2020, section 6), all of the same size. *Motion detail*: rotation speed of
the joints on a straight path, finished, as a share of mocap's straight walks ({full:.1f} deg/s), then both without
what is faster than {cutoff:g} Hz ({slow:.1f} deg/s); *hip sway* likewise, means of {detail_seeds} seeds."""
PICTURE: Final = Picture("Response, path error and diversity of each kind of generator by variation", "generative.svg")


@dataclass(frozen=True, slots=True)
class Measured:
    """Costs and gains of a variant; see the notes of the table.

    Attributes:
        variant: the variant.
        detail: of straight walks.
        diversity: cm.
        response: seconds.
        path: mean and largest distance, cm.
        gap: gap in realism.
        squats: share of walks.
    """

    variant: Variant
    detail: MotionDetail
    diversity: float
    response: float
    path: tuple[float, float]
    gap: float
    squats: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table and picture."""
    model = setup.model()
    captured = MotionDetail.of(fitted_walks(setup, model)[0])
    spread = captured_diversity(model, setup)
    walks = spread_out(captured_walks(setup), REALISM_WALKS)
    measured: list[Measured] = []
    for variant in variants():
        measured.append(measure_variant(model, variant, walks))
        print(measured[-1], file=sys.stderr, flush=True)
    draw_trade_off(curves(measured, spread))
    head = ["control", "variation", "motion detail", "to 10 Hz", "hip sway", "diversity cm (of mocap's)"]
    head += ["response s (of as it is)", "path cm: mean / max", "realism gap", "squats %"]
    notes = NOTES.format(
        full=np.degrees(captured.full),
        slow=np.degrees(captured.slow),
        cutoff=DETAIL_CUTOFF_HZ,
        detail_seeds=len(DETAIL_SEEDS),
    )
    rows = [row_of(one, measured[0], captured, spread) for one in measured]
    return [table(head, rows), PICTURE, notes]


def variants() -> list[Variant]:
    """Return unchanged control, and each kind of generator with its amounts."""
    found = [Variant("as it is")]
    for kind, amounts in AMOUNTS.items():
        generator = load_generator(find_generator(kind))
        found += [Variant(TITLES[kind], generator, amount) for amount in amounts]
    return found


def measure_variant(model: ControllerModel, variant: Variant, walks: Sequence[Captured]) -> Measured:
    """Return the measures of a variant."""
    return Measured(
        variant,
        motion_detail(model, variant, DETAIL_SEEDS),
        diversity(model, variant),
        response(model, variant),
        path_errors(model, variant, (1,)),
        realism_gap(model, variant, walks),
        squat_share(model, variant),
    )


def row_of(one: Measured, plain: Measured, captured: MotionDetail, spread: float) -> list[object]:
    """Return the row of a variant.

    Args:
        one: measures of the variant.
        plain: measures of unchanged control.
        captured: motion detail of mocap.
        spread: spread of mocap's cycles, cm.
    """
    return [
        one.variant.title,
        one.variant.amount,
        one.detail.full / captured.full,
        one.detail.slow / captured.slow,
        one.detail.hip_sway / captured.hip_sway,
        f"{one.diversity:.2f} ({one.diversity / spread:.2f})",
        f"{one.response:.2f} ({one.response / plain.response:.2f})",
        f"{one.path[0]:.1f} / {one.path[1]:.1f}",
        one.gap,
        100 * one.squats,
    ]


def curves(measured: Sequence[Measured], spread: float) -> dict[str, list[TradeOff]]:
    """Return the points of each kind of generator, starting with unchanged control, the first measured."""
    plain, *varied = measured

    def point(one: Measured) -> TradeOff:
        return TradeOff(one.variant.amount, one.response / plain.response, one.path[0], one.diversity / spread)

    found: dict[str, list[TradeOff]] = {}
    for one in varied:
        found.setdefault(one.variant.title, [point(plain)]).append(point(one))
    return found


def realism_gap(model: ControllerModel, variant: Variant, walks: Sequence[Captured]) -> float:
    """Return the single-feature gap between bakes and captured walks, see :mod:`.realism`."""
    space = FeatureSpace.of([walk.clip for walk in walks])
    captured = np.concatenate([space.features(walk.clip) for walk in walks])
    made = bake_pairs(model, walks, variant.amount, variant.generator)
    return measure_realism(captured, np.concatenate([space.features(clip) for clip in made]), space.names, 1).gap
