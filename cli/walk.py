"""``walk``: generate a walk along a path."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from . import options as option_types
from .ball_actions import ball_action
from .quality import add_fail_on_option
from .reading import add_reading_options, describe_target, reading_of, summarize_target

if TYPE_CHECKING:
    from ..core.control.ball.accompaniment import BallAccompaniment
    from ..core.control.path.path_events import CueSpan
    from ..core.motion import Skeleton

HELP = "Generate a walk along a path, without Blender, and write the motion as BVH"
EXAMPLES = """\
examples:
  python -m footfall walk --path points.csv --speed 1.2 --out walk.bvh
  python -m footfall walk --path points.csv --out walk.bvh --controller run/model.safetensors --seed 7 --json
  python -m footfall walk --path points.csv --out walk.bvh --fail-on bad --json walk.json
  python -m footfall walk --path points.csv --out walk_hero.bvh --onto hero.bvh
  python -m footfall walk --path points.csv --out sneak.bvh --controller run/model.safetensors --style sneak
  python -m footfall walk --path points.csv --out varied.bvh --variation 0.5 --seed 3
  python -m footfall walk --path points.csv --out dribble.bvh --ball right --change-hands 4 9
  python -m footfall walk --path points.csv --out shot.bvh --play pick-up@0=0,1,0.12 shoot@8=0,12,3.05
  python -m footfall walk --path points.csv --out passer.bvh --play pass@6=receiver.bvh

points.csv has x, y in meters on each line; corners may be sharp. The walk starts and ends standing. With --ball or
--play, the ball is written beside the motion, such as dribble.ball.csv; for its columns see docs/manual/ball.md."""

SHIPPED_CONTROLLER = Path(__file__).parent.parent / "presets" / "controllers" / "locomotion.safetensors"
SHIPPED_DRIBBLER = SHIPPED_CONTROLLER.with_name("dribble.safetensors")
"""The shipped controller that dribbles a ball."""
SHIPPED_QUADRUPED = SHIPPED_CONTROLLER.with_name("quadruped.safetensors")
"""The shipped controller of quadrupeds."""
SHIPPED_GENERATORS = Path(__file__).parent.parent / "presets" / "generators"
"""Folder of the shipped generators of control series, one per kind."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..core.models.generator_kinds import DEFAULT_VARIATION

    parser.add_argument(
        "--path", required=True, type=Path, metavar="CSV", help="path to walk: x, y in meters on each line"
    )
    parser.add_argument("--out", required=True, type=option_types.output_file, metavar="BVH", help="BVH file to write")
    parser.add_argument(
        "--speed",
        type=option_types.positive_float,
        default=1.2,
        metavar="M/S",
        help="walking speed, m/s (default: %(default)s)",
    )
    parser.add_argument("--controller", type=Path, metavar="FILE", help="controller file (default: a shipped one)")
    parser.add_argument("--onto", type=Path, metavar="BVH", help="BVH file with the target skeleton")
    add_reading_options(parser, "onto-", "the target's")
    parser.add_argument("--performer", default="", metavar="NAME", help="name of a performer in the training data")
    parser.add_argument("--style", default="", metavar="NAME", help="name of a style of the controller, such as crouch")
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, help="random seed (default: %(default)s)"
    )
    parser.add_argument(
        "--performer-share",
        type=option_types.fraction,
        default=1.0,
        metavar="SHARE",
        help="share of a second performer, selected by seeds above 0 (default: %(default)s)",
    )
    parser.add_argument(
        "--variation",
        type=option_types.fraction,
        default=DEFAULT_VARIATION,
        metavar="AMOUNT",
        help="strength of the variation between seeds above 0, from 0 to 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--generator",
        default="",
        metavar="KIND_OR_FILE",
        help="generator of the variation: variational, adversarial, denoiser, or a file of train-generator",
    )
    parser.add_argument(
        "--responsiveness",
        type=option_types.fraction,
        default=0.5,
        metavar="SHARE",
        help="how closely path and speed are followed: 0 is smooth, 1 is prompt (default: %(default)s)",
    )
    parser.add_argument(
        "--ball", choices=("left", "right"), metavar="HAND", help="dribble a ball, starting with this hand"
    )
    parser.add_argument(
        "--change-hands",
        nargs="+",
        type=option_types.positive_float,
        default=[],
        metavar="M",
        help="with --ball: distances along the path, m, at which the other hand takes over the dribble",
    )
    parser.add_argument(
        "--play",
        nargs="+",
        type=ball_action,
        default=[],
        metavar="ACTION@M=PLACE",
        help=("ball actions at M meters: hold, pick-up, pass, catch or shoot, to or from X,Y,Z or a motion file"),
    )
    parser.add_argument(
        "--jump",
        nargs="+",
        type=float,
        default=[],
        metavar="M",
        help="distances along the path, m, of the highest points of jumps",
    )
    parser.add_argument(
        "--radius",
        type=option_types.positive_float,
        metavar="M",
        help="radius of the ball, meters (default: a basketball of size 7)",
    )
    add_fail_on_option(parser)
    parser.set_defaults(wrong_usage=parser.error)


def run(options: argparse.Namespace) -> int:
    """Generate the walk, write it and return the exit code."""
    from ..core.ball.ball_track import ball_file, write_ball
    from ..core.control.path.path import Path as WalkPath
    from ..core.control.path.path_events import Cues, Jump
    from ..core.control.walk.path_walk import begin_walk
    from ..core.control.walk.plan import WalkRequest
    from ..core.evaluation.quality import measure_traces
    from ..core.models.generator_file import load_generator
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from ..core.rig.clip_file import read_target
    from .output import print_result
    from .points import read_points
    from .progress import ProgressBar
    from .quality import quality_lines, quality_report, require_quality

    if options.ball is None and options.change_hands:
        options.wrong_usage("--change-hands needs --ball: name the hand that starts")
    if options.ball is None and not options.play and options.radius:
        options.wrong_usage("--radius needs --ball or --play: give one of them")
    spans, ball = _ball_of(options)
    path = WalkPath(read_points(options.path))
    onto = read_target(options.onto, **reading_of(options, "onto_")) if options.onto else None
    file = options.controller or shipped_controller(_shipped_for(onto and onto.skeleton, bool(options.ball)))
    model = load_model(file)
    walk = begin_walk(
        model,
        WalkRequest(
            path,
            options.speed,
            target=onto and onto.skeleton,
            seed=options.seed,
            style=options.style,
            performer=options.performer,
            performer_share=options.performer_share,
            variation=options.variation,
            generator=load_generator(find_generator(options.generator)) if options.variation and options.seed else None,
            responsiveness=options.responsiveness,
            cues=Cues(
                spans,
                balls=tuple(action.read_cue(model.rate) for action in options.play),
                jumps=tuple(Jump(place) for place in options.jump),
            ),
            accompaniment=ball,
        ),
    )
    with ProgressBar("walk", "frames") as progress:
        while walk.advance(PROGRESS_INTERVAL_FRAMES):
            progress(walk.frames_done, walk.total_frames)
        progress(walk.frames_done, walk.frames_done)
    finished = walk.finish()
    clip = finished.clip
    if onto is None:
        write_bvh(options.out, clip)
    else:
        onto.write(options.out, clip)
    dribbled = {}
    if (made := finished.ball) is not None:
        write_ball(ball_file(options.out), made.track)
        dribbled = {"ball": str(ball_file(options.out)), "bounces": len(made.bounces), **asdict(made.joined)}
    ground = walk.surroundings.ground
    quality = quality_report(measure_traces(clip, finished.contacts, ground, path.points, finished.standing_clip))
    document = {
        "out": str(options.out),
        "controller": str(file),
        "frames": len(clip),
        "frame_rate": clip.rate,
        "seconds": clip.duration,
        "path_length_m": path.length,
        **dribbled,
        **({} if onto is None else {"onto": describe_target(onto) if options.json else summarize_target(onto)}),
    }
    print_result({**document, **({"quality": quality} if options.json else quality_lines(quality))}, options.json)
    require_quality(quality, options.fail_on)
    return 0


def _ball_of(options: argparse.Namespace) -> "tuple[tuple[CueSpan, ...], BallAccompaniment | None]":
    """Return the changes of hands and the ball of a walk; ball modules are loaded only if the walk has a ball."""
    if options.ball is None and not options.play:
        return (), None
    from ..core.ball.ball_track import BASKETBALL_RADIUS_M
    from ..core.ball.takes import shipped_takes
    from ..core.control.ball.accompaniment import BallAccompaniment
    from ..core.control.ball.ball_plan import BallKit
    from ..core.control.ball.dribble import Dribble, hand_spans

    radius = options.radius or BASKETBALL_RADIUS_M
    dribble = Dribble(options.ball, radius) if options.ball else None
    kit = BallKit(shipped_takes(), radius) if options.play else None
    return hand_spans(options.ball, options.change_hands) if options.ball else (), BallAccompaniment(dribble, kit)


def _shipped_for(target: "Skeleton | None", with_ball: bool) -> Path:
    """Return the shipped controller for a body: the one for animals if it has four legs, else the default."""
    from ..core.motion.roles import has_front_legs

    if target is not None and has_front_legs(target.roles):
        return SHIPPED_QUADRUPED
    return SHIPPED_DRIBBLER if with_ball else SHIPPED_CONTROLLER


PROGRESS_INTERVAL_FRAMES = 30
"""Frames between two progress updates."""


def shipped_controller(file: Path = SHIPPED_CONTROLLER) -> Path:
    """Return the path of a shipped controller; raise :class:`FootfallError` if it is missing."""
    from ..core.errors import FootfallError

    if not file.is_file():
        raise FootfallError(
            "The controller '{file}' does not exist: train one, or choose one with --controller", file=file
        )
    return file


def find_generator(name: str) -> Path:
    """Return the file of a generator of control series.

    Args:
        name: a shipped kind, or a file; empty for the default kind.
    """
    from ..core.models.generator_kinds import DEFAULT_KIND, KINDS

    kind = name or DEFAULT_KIND
    return SHIPPED_GENERATORS / f"{kind}.safetensors" if kind in KINDS else Path(name)
