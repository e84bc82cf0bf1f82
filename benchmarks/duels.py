"""Duels: beats of two characters, met or reported, and their motion compared with captured boxing and kicks."""

import json
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.control.duel.beats import ANSWERS, Beat, Duelist
from ..core.control.duel.beats import TUNING as BEATS_TUNING
from ..core.control.duel.body_contact import effector_gap
from ..core.control.duel.duel import Duel, stage_duel
from ..core.control.duel.weapon import Weapon
from ..core.control.strike.fight import Fighter
from ..core.errors import FootfallError
from ..core.evaluation.feet import skate_speeds
from ..core.features.locomotion import FEATURE_RATE_HZ
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.labeller import label_clip
from ..core.labelling.presets import BIPED_PRESET
from ..core.models.model_file import load_model
from ..core.motion import Clip, Skeleton
from ..core.motion.rotations import Array
from ..core.motion.weapons import disarmed
from ..core.retarget.fit import fit_clip
from ..core.rig.clip_file import read_clip
from ..core.scene.body_overlap import deepest_overlap
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .measures.extremes import joint_accelerations
from .setup import ROOT, Setup
from .tables import Part, Table, table

TITLE: Final = "Duels: beats that are met"
CONTROLLER: Final = ROOT / "presets" / "strikes" / "strikes.safetensors"
CLIPS: Final = ROOT / "presets" / "strikes" / "strikes_clips.txt"
SEEDS: Final = 20
BEATS: Final = 20
FIRST_FRAME: Final = 300
GAPS_FRAMES: Final = (80, 125)
"""Range of the frames between beats."""
EFFECTORS: Final = ("hand.L", "hand.R", "hand.L", "hand.R", "foot.L", "foot.R")
SIDE_SHARES: Final = (1 / 2, 1 / 3, 1 / 6)
"""Shares of hand strikes: straight, from the side of the hand, and from above."""
PARTS: Final = {"hand": ("head", "chest"), "foot": ("head", "chest", "hips")}
KINDS: Final = {"bare hands": None, "weapons": Weapon()}
"""Weapons of both characters, by name."""
CUT_SIDES: Final = ("left", "right", "above")
CUT_PARTS: Final = ("head", "chest", "upper_arm.L", "upper_arm.R", "thigh.L", "thigh.R")
CUT_GAPS_FRAMES: Final = (110, 150)
"""Range of the frames between beats with weapons."""
PLACES_M: Final = ((0.0, -3.0), (0.0, 0.0))
"""Initial places of both characters."""
FLESH_M: Final = 0.02
"""Depth above which bodies penetrate each other."""
NEAR_FRAMES: Final = 6
"""Frames before and after a beat searched for the nearest surfaces."""
NEAREST_M: Final = 0.003
"""Difference from the least gap within which surfaces count as equally near."""
BETWEEN_HZ: Final = 240.0
"""Rate of checks of bodies between frames."""
ACCELERATION_RATIO: Final = 1.3
NOTES: Final = """\
20 duels of 20 beats at random, with bare hands and with a weapon of 0.9 m in both hands. *Hard* frames have a joint
over 1.3 times the acceleration of the captured clips."""
IN_BLENDER: Final = Path(__file__).with_name("duel_in_blender.py")


@dataclass(slots=True)
class Tally:
    """Beats of one answer: numbers requested, reported and met, and distances and frames of those not reported."""

    asked: int = 0
    told: int = 0
    met: int = 0
    distances: list[float] = field(default_factory=list)
    frames_off: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Motion:
    """Measures of motion: accelerations, speeds of feet in contact, depths, and seconds of motion and of work.

    Depths are those of frames, and of moments of :data:`BETWEEN_HZ`.
    """

    accelerations: list[Array] = field(default_factory=list)
    skates: list[Array] = field(default_factory=list)
    depths: list[Array] = field(default_factory=list)
    between: list[Array] = field(default_factory=list)
    seconds: float = 0.0
    work: float = 0.0

    def add(self, clip: Clip) -> None:
        """Add a clip's accelerations (F, J) and speeds of feet."""
        contacts = label_clip(clip).contacts
        self.accelerations.append(joint_accelerations(clip))
        self.skates.append(skate_speeds(sensor_tracks(clip, BIPED_PRESET), contacts, clip.rate))
        self.seconds += clip.duration


def measure(setup: Setup) -> list[Part]:
    """Return all tables."""
    fighter = Fighter(load_model(CONTROLLER), setup.model())
    tallies, motions = {}, {}
    for kind, weapon in KINDS.items():
        tallies[kind], motions[kind] = _fought(fighter, weapon)
    captured = _captured(fighter.strikes.skeleton)
    usual = float(np.percentile(np.concatenate([one.ravel() for one in captured.accelerations]), 99))
    head = ["beats", "asked", "told", "met", "distance, mm", "worst", "frames off"]
    motion_head = ["motion", "acceleration, rad/s²", "hard", "skate, cm/s", "p95", "deepest, cm", "deep frames"]
    motion_head += ["between, cm", "deep moments", "rate"]
    rows = [_tally_row(f"{kind}, {answer}", one) for kind, each in tallies.items() for answer, one in each.items()]
    moved = {"captured": captured, **motions}
    return [
        table(head, rows),
        table(motion_head, [_motion_row(name, motion, usual) for name, motion in moved.items()], "Their motion"),
        _in_blenders(),
        NOTES,
    ]


def _fought(fighter: Fighter, weapon: Weapon | None) -> tuple[dict[str, Tally], Motion]:
    """Return the results of the beats of all duels with a weapon, or without one, by their answers, and the motion."""
    tallies, made = {answer: Tally() for answer in ANSWERS}, Motion()
    for seed in range(SEEDS):
        duel, told = _duel(fighter, weapon, beats_of(seed) if weapon is None else cuts_of(seed), made)
        for beat in told:
            tallies[beat.answer].asked += 1
            tallies[beat.answer].told += 1
        _count(duel, tallies)
        for clip in duel.clips.values():
            made.add(disarmed(clip))
        first, second = duel.clips.values()
        made.depths.append(deepest_overlap(first, second))
        made.between.append(deepest_overlap(first.resampled(BETWEEN_HZ), second.resampled(BETWEEN_HZ)))
    return tallies, made


def beats_of(seed: int) -> list[Beat]:
    """Return the random beats of a duel."""
    generator, frame, beats = np.random.default_rng(seed), FIRST_FRAME, []
    for _ in range(BEATS):
        pair = ("A", "B") if generator.random() < 0.5 else ("B", "A")
        effector = str(generator.choice(EFFECTORS))
        part, _, hand = effector.partition(".")
        sides = "straight", {"L": "left", "R": "right"}[hand], "above"
        side = str(generator.choice(sides, p=SIDE_SHARES)) if part == "hand" else "straight"
        struck, answer = str(generator.choice(PARTS[part])), str(generator.choice(ANSWERS))
        beats.append(Beat(frame, *pair, struck, effector, side, answer))
        frame += int(generator.integers(*GAPS_FRAMES))
    assert GAPS_FRAMES[0] >= BEATS_TUNING.min_apart
    return beats


def cuts_of(seed: int) -> list[Beat]:
    """Return the random beats of a duel with weapons."""
    generator, frame, beats = np.random.default_rng(seed), FIRST_FRAME, []
    for _ in range(BEATS):
        pair = ("A", "B") if generator.random() < 0.5 else ("B", "A")
        side, struck, answer = (str(generator.choice(each)) for each in (CUT_SIDES, CUT_PARTS, ANSWERS))
        beats.append(Beat(frame, *pair, struck, Weapon().hand, side, answer))
        frame += int(generator.integers(*CUT_GAPS_FRAMES))
    return beats


def _duel(fighter: Fighter, weapon: Weapon | None, beats: list[Beat], made: Motion) -> tuple[Duel, list[Beat]]:
    """Return a duel without the refused beats, and the refused beats."""
    duelists = [Duelist(name, np.array(place), weapon=weapon) for name, place in zip("AB", PLACES_M, strict=True)]
    told: list[Beat] = []
    while True:
        begun = time.process_time()
        try:
            duel = stage_duel(fighter, duelists, beats)
        except FootfallError as error:
            found = re.search(r"at frame (\d+)", str(error))
            if found is None:
                raise
            refused = next(beat for beat in beats if beat.frame == int(found[1]))
            told.append(refused)
            beats = [beat for beat in beats if beat is not refused]
        else:
            made.work += time.process_time() - begun
            return duel, told


def _in_blenders() -> Table:
    """Return the table of bakes with keys."""
    ready = {version: environment for version, environment in BLENDERS.items() if is_ready(environment)}
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    rows = []
    for version, environment in ready.items():
        one = _in_blender(environment)
        seconds = len(PLACES_M) * one["frames"] / FEATURE_RATE_HZ
        rows.append([version, one["frames"], one["seconds"], seconds / one["seconds"], one["again"], one["slice"]])
    return table(["Blender", "frames", "bake, s", "rate", "again, s", "slice, s"], rows, "Their bake in Blender")


def _in_blender(blender: Environment) -> dict[str, Any]:
    """Return the measurements of the script with the same name."""
    child = subprocess.run([blender.python, "-P", IN_BLENDER], capture_output=True, text=True, timeout=1800)
    if child.returncode:
        raise FootfallError(f"A duel in Blender failed: {child.stderr.strip()[-400:]}")
    return json.loads(child.stdout.strip().splitlines()[-1])


def _count(duel: Duel, tallies: dict[str, Tally]) -> None:
    for meeting in duel.meetings:
        beat, distance = meeting.beat, meeting.distance
        tally = tallies[beat.answer]
        tally.asked += 1
        tally.met += meeting.problem() is None
        tally.distances.append(distance)
        if beat.answer != "dodge":
            tally.frames_off.append(_frames_off(duel, beat))


def _frames_off(duel: Duel, beat: Beat) -> int:
    """Return the frames between a beat and the nearest frame with the smallest gap of its surfaces."""
    striker, receiver = duel.clips[beat.striker], duel.clips[beat.receiver]
    held = [role for role in receiver.skeleton.roles if role.startswith("weapon.")]
    parts = (held or ("hand.L", "hand.R")) if beat.answer == "parry" else (beat.part,)
    offsets = np.arange(-NEAR_FRAMES, NEAR_FRAMES + 1)
    gaps = np.array(
        [
            min(abs(effector_gap(striker, int(beat.frame + offset), beat.effector, receiver, part)) for part in parts)
            for offset in offsets
        ]
    )
    return int(np.abs(offsets[gaps <= gaps.min() + NEAREST_M]).min())


def _captured(skeleton: Skeleton) -> Motion:
    """Return the measures of the captured clips on the controller's skeleton."""
    captured = Motion()
    for line in CLIPS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            captured.add(fit_clip(read_clip(ROOT / line.split()[0]).resampled(60.0), skeleton))
    return captured


def _tally_row(name: str, tally: Tally) -> list[object]:
    distances = 1000 * np.array(tally.distances)
    worst = distances.min() if name.endswith("dodge") else distances[np.abs(distances).argmax()]
    off = float(max(tally.frames_off)) if tally.frames_off else None
    return [name, tally.asked, tally.told, tally.met, float(np.abs(distances).mean()), float(worst), off]


def _motion_row(title: str, motion: Motion, usual: float) -> list[object]:
    accelerations = np.concatenate([one.ravel() for one in motion.accelerations])
    hard = np.concatenate([one.max(axis=1) > ACCELERATION_RATIO * usual for one in motion.accelerations])
    skates = 100 * np.concatenate(motion.skates)
    depths = np.concatenate(motion.depths) if motion.depths else None
    return [
        title,
        float(np.percentile(accelerations, 99)),
        f"{100 * hard.mean():.3g} %",
        float(skates.mean()),
        float(np.percentile(skates, 95)),
        None if depths is None else 100 * float(depths.max()),
        None if depths is None else f"{100 * float((depths > FLESH_M).mean()):.2g} %",
        None if depths is None else 100 * float(np.concatenate(motion.between).max()),
        None if depths is None else f"{100 * float((np.concatenate(motion.between) > FLESH_M).mean()):.2g} %",
        None if not motion.work else motion.seconds / motion.work,
    ]
