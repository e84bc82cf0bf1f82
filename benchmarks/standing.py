"""Standing: waits of ten seconds, ends of walks, and the shift of weight before the first step."""

from typing import Final

from ..core.control.path.path_events import Wait
from ..core.control.path.velocity_profile import STAND_BEFORE_S
from ..core.evaluation.standing import StandingReport, measure_standing, resting_frames
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.signals import runs_of
from ..core.rig.clip_file import read_clip
from .baking import WalkTask, bake_all, straight
from .measures.weight_shift import weight_shift
from .setup import Setup
from .tables import Part, table

TITLE = "Standing"
SEEDS: Final = 4
WAIT_S: Final = 10.0
LENGTH_M: Final = 6.0
BEFORE_S: Final = 1.5
"""Time of rest given to the weight shift before a captured start, or one after a wait."""
AFTER_S: Final = 2.0
STANDING_PEOPLE: Final = (
    ("ACCAD, stands", "accad_male1/idle/Male1_A1_Stand"),
    ("ACCAD, sways", "accad_male1/idle/Male1_A2_Sway"),
    ("ACCAD, walk to stand", "accad_male1/walk/Male1_B2_WalkToStand"),
    ("O3DE, stops of a walk", "o3de_rin/walk/Walk1"),
)
STARTING_PEOPLE: Final = (
    ("ACCAD, stand to walk", "accad_male1/walk/Male1_B1_StandToWalk"),
    ("ACCAD, stand to run", "accad_male1/run/Male1_C01_StandToRun"),
    ("O3DE, starts of a walk", "o3de_rin/walk/Walk1"),
)

NOTES = f"""\
A path of {LENGTH_M:.0f} m at 1.2 m/s with a wait of {WAIT_S:.0f} s in its middle, {SEEDS} seeds; over the frames in
which the root rests. A foot moves from 8 cm/s on."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    next(setup.clips("walk"))  # raises an error without data
    clips = bake_waits(setup.model())
    rows: list[list[object]] = []
    shifts: list[list[object]] = []
    for seed, clip in enumerate(clips):
        for what, rest in zip(("wait", "end"), rests_of(clip), strict=False):
            rows.append(standing_row(f"{what}, seed {seed}", rest))
        shifts.append([f"seed {seed}", shift_text([clip_start(clip), *starts_after_rests(clip)])])
    for title, name in STANDING_PEOPLE:
        rows.append(standing_row(f"mocap: {title}", measure_standing(read_clip(setup.data / f"{name}.bvh"))))
    for title, name in STARTING_PEOPLE:
        clip = read_clip(setup.data / f"{name}.bvh")
        starts = starts_after_rests(clip) or [clip]
        shifts.append([f"mocap: {title}", shift_text(starts)])
    head = ["standing", "s", "knees deg", "left / right", "head cm/s", "a foot moves %", "hips sink cm"]
    return [table(head, rows), NOTES, table(["start", "weight shift cm"], shifts)]


def bake_waits(model: ControllerModel, seeds: int = SEEDS) -> list[Clip]:
    """Return bakes of a walk with a wait in its middle, one for each seed.

    Args:
        model: the controller.
        seeds: number of seeds.
    """
    wait = Wait(LENGTH_M / 2, WAIT_S)
    return bake_all(model, [WalkTask(straight(LENGTH_M), seed=seed, waits=(wait,)) for seed in range(seeds)])


def rests_of(clip: Clip) -> list[StandingReport | None]:
    """Return the standing measures of each rest in order, without the lead-in."""
    reports = []
    for start, stop in runs_of(resting_frames(clip)):
        if start == 0:
            continue
        frames = resting_frames(clip)
        frames[:start], frames[stop:] = False, False
        reports.append(measure_standing(clip, frames))
    return reports


def clip_start(clip: Clip) -> Clip:
    """Return the start of a baked walk, from its first frame."""
    return clip.cut(0, round((STAND_BEFORE_S + AFTER_S) * clip.rate))


def starts_after_rests(clip: Clip) -> list[Clip]:
    """Return the starts after the rests of a clip; empty for rests up to its last frame."""
    before, after = round(BEFORE_S * clip.rate), round(AFTER_S * clip.rate)
    ends = [(start, stop) for start, stop in runs_of(resting_frames(clip)) if stop + after <= len(clip)]
    return [clip.cut(max(start, stop - before), stop + after) for start, stop in ends]


def standing_row(title: str, report: StandingReport | None) -> list[object]:
    """Return a row of the table; dashes for a character that never rests."""
    if report is None:
        return [title, *[None] * 6]
    sides = f"{report.knee_left_deg:.0f} / {report.knee_right_deg:.0f}"
    moving = 100 * report.foot_moving_share
    return [title, report.seconds, report.knee_deg, sides, report.head_speed_cm_s, moving, report.hips_sink_cm]


def shift_text(starts: list[Clip]) -> str:
    """Return the weight shifts of starts, cm."""
    shifts = [weight_shift(start) for start in starts]
    return ", ".join(f"{shift:.1f}" for shift in shifts if shift is not None) or "-"
