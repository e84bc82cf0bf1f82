"""Two characters that dance along a path, compared with captured pairs.

A hold in a dance is from the choreography, and thus from the capture; a hold in a captured pair is detected by the
distance of its wrists.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cli.dance import SHIPPED_CONTROLLER, SHIPPED_FIGURES
from ..core.control.pair.choreography import TUNING as CHOREOGRAPHY_TUNING
from ..core.control.pair.choreography import Choreography, compose_dance
from ..core.control.pair.dance_figures import DanceFigures, fit_pair
from ..core.control.pair.dance_refinement import refine_dance
from ..core.control.pair.joined_hands import palm_distances
from ..core.control.pair.partner_dance import Dance, PartnerDance
from ..core.control.path.path import Path as WalkPath
from ..core.errors import FootfallError
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.path_error import cross_track_error
from ..core.features.locomotion import FEATURE_RATE_HZ
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.hand_holds import hand_distances, held_hands
from ..core.motion.root_frame import root_track, smooth_positions
from ..core.motion.rotations import Array
from ..core.rig.clip_pair import TABLE_NAME, read_pairs
from ..core.scene.body_overlap import deepest_overlap
from .pair_bodies import measure_bodies
from .pair_relations import measure_relations
from .setup import Setup
from .tables import Part, table

TITLE = "Two characters"
SOURCE: Final = "cmu_daz_pairs"
SEEDS: Final = range(10)
SECONDS: Final = 60.0
COURSE: Final = np.array([[0.0, 0.0], [3.0, 0.0], [5.0, 2.0], [5.0, 6.0]])
"""A path with two bends, 9.8 m."""
MAX_DEPTH_M: Final = 0.02
"""Largest allowed depth of bodies in each other."""
SPREAD_MARGIN_M: Final = 0.05
"""Largest additional distance of holding hands, compared with captured ones."""
LEFT: Final = (
    "What is left of depth are fast moments in which no displacement that was tried leads around, such as "
    "an upper arm at the other's neck in a turn, or shins that cross. Elbows jump in some frames where a "
    "held hand passes close to its own shoulder; a least reach for held hands and a smoothing of elbows "
    "in the chest's frame were tried, and only moved the jumps. Figures chosen for what both arms reach, "
    "or a network that is trained on palms, would help."
)
"""Misses in the table, in words."""
HEELS: Final = [0, 2]
"""Columns of the heels among foot contacts: the captured skeleton has no toes."""


@dataclass
class Tally:
    """Measures of some dances: distances and depths in meters by frame, skate in m/s, path errors in meters."""

    wrists: list[Array] = field(default_factory=list)
    palms: list[Array] = field(default_factory=list)
    depths: list[Array] = field(default_factory=list)
    skates: list[Array] = field(default_factory=list)
    errors: list[Array] = field(default_factory=list)

    def add_pair(self, first: Clip, second: Clip, holds: NDArray[np.bool_]) -> None:
        """Add the hands and the depths of a pair of clips."""
        self.wrists.append(hand_distances(first, second)[holds])
        self.palms.append(palm_distances(first, second)[holds])
        self.depths.append(deepest_overlap(first, second, holds))

    def add_dance(self, dance: Dance) -> None:
        """Add a dance."""
        clips = dance.leader.clip, dance.follower.clip
        self.add_pair(*clips, dance.holds)
        for dancer in (dance.leader, dance.follower):
            feet = [dancer.clip.skeleton.joint(f"foot.{side}") for side in "LR"]
            contacts = dancer.contacts.probabilities[:, HEELS]
            self.skates.append(skate_speeds(dancer.clip.positions[:, feet], contacts, dancer.clip.rate))
        middle = np.mean([root_track(clip).positions for clip in clips], axis=0)
        self.errors.append(
            cross_track_error(smooth_positions(middle, CHOREOGRAPHY_TUNING.drift_smoothing * clips[0].rate), COURSE)
        )

    def row(self, name: str, spread: float) -> list[object]:
        """Return the row of the table; ``spread`` is the captured one of the wrists, meters."""
        wrists, palms, depths = (100 * np.concatenate(values) for values in (self.wrists, self.palms, self.depths))
        beyond = 100 * float(np.mean(wrists > 100 * (spread + SPREAD_MARGIN_M)))
        deep = 100 * float(np.mean(depths > 100 * MAX_DEPTH_M))
        skate = 100 * float(np.concatenate(self.skates).mean()) if self.skates else None
        error = 100 * float(np.concatenate(self.errors).mean()) if self.errors else None
        hands = [float(np.median(wrists)), float(np.percentile(wrists, 95)), beyond]
        return [
            name,
            *hands,
            float(np.median(palms)),
            float(np.percentile(palms, 95)),
            deep,
            float(np.percentile(depths, 95)),
            float(depths.max()),
            skate,
            error,
        ]


def measure(setup: Setup) -> list[Part]:
    """Return the section: captured pairs, the network alone, and the refined dances."""
    model, figures = load_model(SHIPPED_CONTROLLER), DanceFigures.load(SHIPPED_FIGURES)
    captured = Tally()
    for first, second in captured_pairs(setup, model):
        captured.add_pair(first, second, held_hands(first, second))
    spread = float(np.percentile(np.concatenate(captured.wrists), 95))
    alone, refined, path = Tally(), Tally(), WalkPath(COURSE)
    steps, refining = [], []
    for seed in SEEDS:
        choreography = compose_dance(figures, path, path.length / SECONDS, seed, model.rate)
        began = perf_counter()
        dance = rolled_out(model, choreography, seed)
        steps.append((perf_counter() - began) / len(choreography))
        alone.add_dance(dance)
        began = perf_counter()
        better = refine_dance(dance)
        refining.append((perf_counter() - began) / len(choreography))
        refined.add_dance(better)
    head = [
        "what",
        "wrists median, cm",
        "wrists 95 %",
        "frames beyond captured + 5 cm, %",
        "palms median, cm",
        "palms 95 %",
        "frames deeper than 2 cm, %",
        "depth 95 %, cm",
        "deepest",
        "skate, cm/s",
        "path error, cm",
    ]
    rows = [
        captured.row("captured pairs", spread),
        alone.row("network alone", spread),
        refined.row("refined", spread),
    ]
    return [
        table(head, rows),
        measure_bodies(),
        *measure_relations(),
        f"{len(SEEDS)} dances along a path with two bends by the salsa that ships, beside {len(captured.wrists)} "
        f"captured pairs of `{SOURCE}`; then on other bodies, and characters that answer a leader.",
        f"A frame of both characters takes {1000 * float(np.mean(steps)):.1f} ms with the feet's lock, refining "
        f"{1000 * float(np.mean(refining)):.1f} ms more.",
    ]


def rolled_out(model: ControllerModel, choreography: Choreography, seed: int) -> Dance:
    """Return a whole dance by the network alone."""
    rollout = PartnerDance(model, choreography, seed)
    rollout.advance(rollout.total_frames)
    return rollout.finish()


def captured_pairs(setup: Setup, model: ControllerModel) -> Iterable[tuple[Clip, Clip]]:
    """Yield the captured pairs on the controller's skeleton; raise :class:`FootfallError` without data."""
    listing = setup.data / SOURCE / TABLE_NAME
    if not listing.is_file():
        raise FootfallError(f"The captured pairs are not in '{setup.data}': name their folder with --data.")
    for pair in read_pairs(listing):
        first, second = (clip.resampled(FEATURE_RATE_HZ) for clip in pair.read())
        yield fit_pair(first, second, model.skeleton)
