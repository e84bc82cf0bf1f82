"""``shot``: generate all actions of several characters in a scene, one motion per character."""

import argparse
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .quality import add_fail_on_option
from .reading import add_reading_options, reading_of
from .strike import SHIPPED_CONTROLLER as SHIPPED_STRIKES

if TYPE_CHECKING:
    from ..core.control.pair.partner_dance import DanceSource
    from ..core.control.shot.beats import Beat
    from ..core.control.shot.cast import CastMember
    from ..core.control.shot.outcome import Shot
    from ..core.control.shot.request import ShotRequest
    from ..core.models.model_file import ControllerModel
    from ..core.retarget.calibration import Calibration
    from ..core.scene.object_placement import PlacedObject
    from ..core.terrain.ground import Scene
    from .shot_file import BeatEntry, CharacterEntry, ShotDescription

HELP = "Generate several characters' beats (walk, sit, carry, fight, dance, ...) in a scene, one motion each"
EXAMPLES = """\
examples:
  python -m footfall shot --scene shot.json --out out/
  python -m footfall shot --scene shot.json --out out/ --onto hero.bvh --json report.json

shot.json has the ground, objects, and characters with their beats, in meters and degrees, Z up:

  {"ground": [{"file": "stairs.glb"}],
   "objects": [{"name": "Chair", "file": "chair.glb", "position": [0, 6, 1], "rotation": 180}],
   "characters": [{"name": "Ada", "position": [0, -3], "direction": 0, "beats": [
      {"action": "walk", "path": [[0, -3], [0.3, 0], [0, 4.5]], "speed": 1.2},
      {"action": "sit", "object": "Chair", "duration": 3},
      {"action": "strike", "target": [0.5, 8, 2.4], "effector": "hand.R"},
      {"action": "walk", "target": [0, 9]}]}]}

A strike brings the wrist or ankle of its effector (hand.L, hand.R, foot.L, foot.R) to its target; "time" is the time of
the blow in seconds from the start of the shot (default: as early as possible). Between strikes that can be reached from
one place, the character stays in guard. An act plays frames of a BVH file, named relative to the scene file:

  {"action": "act", "clip": "wave.bvh", "first_frame": 0, "last_frame": 120}     also "place" and "direction"

Beats with a partner name another character: "follow" and "face" are listed for one of them, "fight", "dance" and "pass"
for both. The character that arrives first waits. A fight has one beat per attack, as in `duel`; without "effector" the
character only reacts. Fights and dances take place between the two characters, or at "place".

  {"action": "fight", "partner": "Bob", "effector": "hand.R", "part": "head", "answer": "parry"}
  {"action": "dance", "partner": "Bob", "duration": 10, "place": [0, 4], "leads": true}
  {"action": "pass", "partner": "Bob", "ball": "Ball", "distance": 3.5}     without "ball" in the beat of Bob

Each character's motion and beats are written to NAME.bvh and NAME.beats.csv, moving objects to objects.csv. A beat that
cannot be done is left out, and the next one starts where the character is (exit code 1). docs/manual/pipelines.md
describes all fields."""

SHIPPED_CONTROLLER: Final = Path(__file__).parent.parent / "presets/controllers/interactions/everyday.safetensors"
"""The shipped interaction controller with the most actions; others in its folder do the remaining ones."""
BEAT_COLUMNS: Final = ("beat", "action", "first_frame", "last_frame", "done")
STRIKE_COLUMNS: Final = ("blow_frame", "miss_cm")
"""Additional columns of characters that strike or fight."""
BLOWS: Final = ("strike", "fight")
"""Actions with a blow."""
SEAM_S: Final = 0.5
"""Half of the measured time around a seam."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scene", required=True, type=Path, metavar="JSON", help="ground, objects and characters")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FOLDER", help="folder for the results, created if missing"
    )
    parser.add_argument("--onto", type=Path, metavar="BVH", help="BVH file with the target skeleton")
    add_reading_options(parser, "onto-", "the target's")
    parser.add_argument(
        "--strikes",
        type=Path,
        default=SHIPPED_STRIKES,
        metavar="FILE",
        help="controller of attacks (default: strikes)",
    )
    add_fail_on_option(parser)


def run(options: argparse.Namespace) -> int:
    """Bake the shot, write its motions and tables, and return the exit code."""
    from ..core.control.runtime.controller_body import calibrate_controller
    from ..core.control.shot.cast import CastMember
    from ..core.errors import FootfallError
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from ..core.motion.proportions import scale_between
    from ..core.rig.clip_file import read_target
    from ..core.terrain.walk_scene import WalkScene
    from .output import print_result
    from .quality import quality_lines, require_quality
    from .scene_interaction import write_tracks
    from .shot_balls import DRIBBLE
    from .shot_file import read_shot
    from .walk import SHIPPED_DRIBBLER, shipped_controller

    described = read_shot(options.scene)
    walks, acts = load_model(shipped_controller()), load_model(shipped_controller(SHIPPED_CONTROLLER))
    actions = {action_of(beat) for one in described.characters for beat in one.beats}
    strikes = load_model(shipped_controller(options.strikes)) if actions & set(BLOWS) else None
    dances = load_dances() if "dance" in actions else None
    dribbles = load_model(shipped_controller(SHIPPED_DRIBBLER)) if DRIBBLE in actions else None
    onto = read_target(options.onto, **reading_of(options, "onto_")) if options.onto else None
    calibration = calibrate_controller(walks, onto.skeleton) if onto else None
    scale = scale_between(walks.skeleton, calibration.target) if calibration else 1.0
    requests = [make_request(described, entry, scale, calibration, walks) for entry in described.characters]
    names = [entry.name for entry in described.characters]
    members = {
        name: CastMember(walks, acts, request, strikes, dribbles=dribbles, dances=dances)
        for name, (_, request) in zip(names, requests, strict=True)
    }
    shots, collisions = bake(members)
    options.out.mkdir(parents=True, exist_ok=True)
    reports, tracks = [], []
    for entry, (placed, request) in zip(described.characters, requests, strict=True):
        made = shots[entry.name]
        clip = made.performance.clip
        out = options.out / f"{entry.name}.bvh"
        if onto is None:
            write_bvh(out, clip)
        else:
            onto.write(out, clip)
        write_beats(options.out / f"{entry.name}.beats.csv", entry, made)
        tracks += list(moved_objects(placed, made, scale))
        report = report_of(entry, made, str(out), (request.scene or WalkScene()).ground)
        reports.append(report | {"notes": [str(one) for one in collisions[entry.name]]})
    if tracks:
        write_tracks(options.out / "objects.csv", tracks)
    moved = [name for name, _, _ in tracks]
    if options.json:
        print_result({"out": str(options.out), "moved_objects": moved, "characters": reports}, options.json)
    else:
        for one in reports:
            lines = {f"beat {number}": _beat_line(beat) for number, beat in enumerate(one["beats"], start=1)}
            shown = {key: one[key] for key in ("name", "out", "frames", "seconds")}
            notes = {f"note {number}": note for number, note in enumerate(one["notes"], start=1)}
            print_result(shown | lines | notes | quality_lines(one["quality"]), None)
    undone = [beat for one in reports for beat in one["beats"] if beat["status"] != "done"]
    if undone:
        reason = undone[0]["reason"] or "it took too long to finish"
        raise FootfallError(
            "{count} beats were skipped; the first of them is '{action}': {reason}",
            count=len(undone),
            action=undone[0]["action"],
            reason=reason,
        )
    for one in reports:
        require_quality(one["quality"], options.fail_on)
    return 0


def make_request(
    described: "ShotDescription",
    entry: "CharacterEntry",
    scale: float,
    calibration: "Calibration | None",
    model: "ControllerModel",
) -> "tuple[list[PlacedObject], ShotRequest]":
    """Return the scene's objects as one character uses them, and the request to bake this character's shot."""
    from dataclasses import replace

    import numpy as np

    from ..core.control.shot.beats import (
        AnswerBeat,
        BallBeat,
        BeatTime,
        DanceBeat,
        DribbleBeat,
        FightBeat,
        StrikeBeat,
        TaskBeat,
        WaitBeat,
        WalkBeat,
    )
    from ..core.control.shot.request import ShotRequest
    from ..core.motion.root_frame import facing_direction
    from ..core.terrain.ground import Plane
    from ..core.terrain.mesh_scene import MeshScene
    from ..core.terrain.walk_scene import WalkScene
    from .scene_file import SceneDescription, SceneTask
    from .scene_interaction import make_tasks, place_objects
    from .shot_acts import ActEntry
    from .shot_balls import ACTIONS, BallBeatEntry, PassEntry
    from .shot_file import StrikeEntry, WalkEntry, played_ball, wait_seconds

    tasks = tuple(one for one in entry.beats if isinstance(one, SceneTask) and wait_seconds(one) is None)
    scene = SceneDescription(entry.position[:2], entry.yaw, described.objects, tasks)
    placed = place_objects(scene, scale)
    ready = iter(make_tasks(scene, [one.interaction_object for one in placed], scale))
    beats: list[Beat] = []
    played = {played_ball(one) for one in entry.beats}
    balls = [one for one in described.balls if one.name in played]
    numbers = {one.name: number for number, one in enumerate(balls)}
    for one, frames in zip(entry.beats, entry.frames, strict=True):
        seconds = wait_seconds(one)
        time = BeatTime(*(None if frame is None else frame / model.rate for frame in frames))
        if isinstance(one, WalkEntry):
            faced = None if one.yaw is None else facing_direction(np.array(one.yaw))
            ball = numbers.get(one.ball, -1)
            walk = WalkBeat(one.points, one.speed, one.style, time, ball=ball, direction=faced, wait=one.wait)
            beats.append(DribbleBeat(walk, one.hand) if one.ball else walk)
        elif isinstance(one, BallBeatEntry):
            action: Any = ACTIONS[one.action]
            beats.append(BallBeat(action, numbers[one.ball], one.place, one.target, one.rim_radius, time))
        elif isinstance(one, PassEntry):
            beats.append(one.beat(numbers.get(one.ball, -1), time))
        elif isinstance(one, ActEntry):
            beats.append(one.beat(model, calibration, time))
        elif isinstance(one, StrikeEntry):
            beats.append(StrikeBeat(one.target, one.effector, one.time))
        elif isinstance(one, FightBeat):
            beats.append(one)
        elif isinstance(one, AnswerBeat | DanceBeat):
            beats.append(replace(one, time=time))
        elif seconds is not None:
            beats.append(WaitBeat(seconds, time))
        else:
            beats.append(TaskBeat(next(ready), time))
    ground = MeshScene.of_meshes(described.ground) if described.ground else Plane()
    position = entry.position.copy()
    level = float(ground.heights(position[None] + [0.0, 0.0, 0.5])[0])
    position[2] = level if np.isfinite(level) else position[2]
    objects = [one.interaction_object for one in placed]
    request = ShotRequest(
        beats,
        position,
        entry.yaw,
        WalkScene(ground),
        objects,
        target=calibration,
        seed=entry.seed,
        balls=[one.state() for one in balls],
    )
    return placed, request


def load_dances() -> "DanceSource":
    """Return the shipped dance controller and figures."""
    from ..core.control.pair.dance_figures import DanceFigures
    from ..core.control.pair.partner_dance import DanceSource
    from ..core.models.model_file import load_model
    from .dance import SHIPPED_CONTROLLER, SHIPPED_FIGURES

    return DanceSource(load_model(SHIPPED_CONTROLLER), DanceFigures.load(SHIPPED_FIGURES))


def bake(members: "Mapping[str, CastMember]") -> "tuple[dict[str, Shot], Mapping[str, Sequence[str]]]":
    """Bake the shots of all characters together; return shots, and sentences about collisions, by character's name."""
    from ..core.control.shot.cast import CastRollout
    from .progress import ProgressBar

    rollout, count = CastRollout(members), sum(len(one.request.beats) for one in members.values())
    with ProgressBar("shot", "beats") as progress:
        while rollout.advance():
            if rollout.beats_done < count:
                progress(rollout.beats_done, count)
        made = rollout.finish()
        progress(count, count)
    return made, rollout.collisions(made)


def report_of(entry: "CharacterEntry", made: "Shot", out: str, ground: "Scene") -> dict[str, Any]:
    """Return the report, as plain data, about the baked shot of a character: its beats, seams and quality."""
    from ..core.evaluation.quality import measure_traces
    from .quality import quality_report

    clip, performance = made.performance.clip, made.performance
    rate = clip.rate
    traces = measure_traces(clip, performance.contacts, ground, level_ground_clip=performance.standing_clip)
    return {
        "name": entry.name,
        "out": out,
        "frames": len(clip),
        "frame_rate": rate,
        "seconds": clip.duration,
        "beats": [
            {
                "action": action_of(beat),
                "status": one.status,
                "reason": str(one.reason) or None,
                "notes": [str(note) for note in one.notes],
                "seconds": (one.last - one.first + 1) / rate if one.status != "left out" else 0.0,
                "late_s": one.late,
                "corrections_cm": {role: 100 * far for role, far in sorted(one.corrections.items())},
                **({"blow_frame": one.blow, "miss_cm": _in_cm(one.miss)} if action_of(beat) in BLOWS else {}),
            }
            for beat, one in zip(entry.beats, made.beats, strict=True)
        ],
        "seams": list(seam_measures(made)),
        "quality": quality_report(traces),
    }


def _in_cm(meters: float | None) -> float | None:
    """Convert meters to centimeters; ``None`` stays ``None``."""
    return None if meters is None else 100 * meters


def action_of(beat: "BeatEntry") -> str:
    """Return the name of a beat's action; a run counts as a walk."""
    from ..core.control.shot.beats import AnswerBeat, DanceBeat, FightBeat
    from .partner_beats import action_of_partner_beat

    is_with_partner = isinstance(beat, AnswerBeat | DanceBeat | FightBeat)
    return action_of_partner_beat(beat) if is_with_partner else getattr(beat, "action", "walk")


def seam_measures(made: "Shot") -> Iterator[dict[str, Any]]:
    """Yield the measures of the motion around each seam between beats.

    They are the seam's frame, the largest displacement of a joint from one frame to the next (cm), the median speed of
    the supporting foot (cm/s; ``None`` without one), and the 99th percentile of the knees' acceleration (rad/s^2).
    """
    import numpy as np

    from ..core.evaluation.bending import flexion_angles, hinge_axes

    clip, contacts = made.performance.clip, made.performance.contacts
    reach = round(SEAM_S * clip.rate)
    steps = np.linalg.norm(np.diff(clip.positions, axis=0), axis=2)
    bent = np.radians(flexion_angles(clip, hinge_axes(clip))["knee"])
    knees = np.abs(np.diff(bent, n=2, axis=0)) * clip.rate**2
    # A foot that rolls over its ball still stands: the slower of heel and ball counts.
    roles = clip.skeleton.roles
    ends = {side: [roles[f"{part}.{side}"] for part in ("foot", "toe") if f"{part}.{side}" in roles] for side in "LR"}
    standing = {side: steps[:, joints].min(axis=1) for side, joints in ends.items()}
    for seam in made.seams:
        near = slice(max(seam - reach, 0), seam + reach)
        supports = np.concatenate([standing[side][near][contacts.planted(side)[1:][near]] for side in "LR"])
        yield {
            "frame": seam,
            "largest_step_cm": 100 * float(steps[near].max()),
            "support_foot_cm_s": 100 * clip.rate * float(np.median(supports)) if len(supports) else None,
            "knee_acceleration_rad_s2": float(np.percentile(knees[near], 99)),
        }


def moved_objects(placed: "Sequence[PlacedObject]", made: "Shot", scale: float) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of each moving object or ball, and its origin's positions (F, 3), meters, and rotations (F, 4)."""
    from dataclasses import replace

    import numpy as np

    by_name = {one.interaction_object.name: one for one in placed}
    for track in made.performance.objects:
        if not track.moves:
            continue
        if track.in_palms:
            yield track.name, track.positions, track.rotations
            continue
        one = by_name[track.name]
        poses = [
            one.origin_pose(replace(one.interaction_object, position=place / scale, rotation=turn))
            for place, turn in zip(track.positions, track.rotations, strict=True)
        ]
        yield track.name, scale * np.array([place for place, _ in poses]), np.array([turn for _, turn in poses])


def write_beats(path: Path, entry: "CharacterEntry", made: "Shot") -> None:
    """Write a CSV table of a character's beats with their frames."""
    from ..core.jobs.atomic import write_atomically

    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    strikes = any(action_of(beat) in BLOWS for beat in entry.beats)
    table.writerow(BEAT_COLUMNS + STRIKE_COLUMNS * strikes)
    for number, (beat, one) in enumerate(zip(entry.beats, made.beats, strict=True), start=1):
        told = (one.blow, None if one.miss is None else round(100 * one.miss, 3)) if strikes else ()
        table.writerow([number, action_of(beat), one.first, one.last, int(one.status == "done"), *told])
    write_atomically(path, text.getvalue().encode())


def _beat_line(beat: dict[str, Any]) -> str:
    """Return a line of text for a beat of a report."""
    reason = f": {beat['reason']}" if beat["reason"] else ""
    miss = f", {beat['miss_cm']:.1f} cm from its target" if beat.get("miss_cm") is not None else ""
    notes = "".join(f"; {note}" for note in beat["notes"])
    return f"{beat['action']}, {beat['status']}, {beat['seconds']:.1f} s{miss}{reason}{notes}"
