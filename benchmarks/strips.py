"""``python -m footfall.benchmarks.strips [FILE] --out DIR``: film strips of a controller below captured people.

They have twelve frames from the side and from the front, the captured clip above the baked one, on one body.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.path.path_events import Wait
from ..core.control.path.velocity_profile import STAND_BEFORE_S
from ..core.errors import FootfallError
from ..core.evaluation.gait_analysis import Stride, even_strides, find_strides
from ..core.evaluation.gait_events import find_events
from ..core.evaluation.sharp_courses import sharp_course_points
from ..core.evaluation.standing import resting_frames
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.proportions import ADULT_LEG_LENGTH_M
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from ..tools.build.folders import SHARED
from .baking import WalkTask, bake_all, straight
from .captured import captured_clip
from .figure_painter import Pixels, View, paint_figure
from .setup import ROOT, Setup

FRAMES: Final = 12
OUT: Final = ROOT / "docs" / "images" / "motion"
TURN_S: Final = 2.4
"""Duration of a shown turn, around its middle."""
START_S: Final = 1.6
"""Duration of a shown start, and of a stop."""
WAIT_S: Final = 10.0
GAP: Final = 6
"""Pixels between rows."""
LABEL: Final = 96
"""Width, pixels, of the names to the left of the rows."""
FRONT_ELEVATION_RAD: Final = 0.25
"""Downward angle of the front view, which makes the distance between the feet visible."""
MIDDLE_M: Final = 0.86
"""Height of the middle of the pictures, for an adult."""
COLORS: Final = 96
"""Number of colors in a file."""
ROWS: Final = ("people, side", "Footfall, side", "people, front", "Footfall, front")
HEAD: Final = 24
"""Height, pixels, of the title above the rows."""

Frames = NDArray[np.intp]


@dataclass(frozen=True)
class Topic:
    """Content of a strip.

    Attributes:
        name: name of the file.
        title: for readers.
        task: the walk to bake.
        captured: files of the mocap, shown in sequence.
        choose: function from a clip, a number of frames, and the captured file's number, to the frames.
    """

    name: str
    title: str
    task: WalkTask
    captured: tuple[str, ...]
    choose: Callable[[Clip, int, int], Frames]


def stride_frames(speed: float) -> Callable[[Clip, int, int], Frames]:
    """Return a choice of the frames of the left foot's stride nearest to a speed, m/s."""

    def choose(clip: Clip, count: int, _: int) -> Frames:
        strides = [stride for stride in even_strides(clip, find_strides(find_events(clip))) if stride.side == "L"]
        if not strides:
            raise FootfallError(f"'{clip.name}' has no complete stride to show.")
        roots = clip.positions[:, clip.skeleton.joint("hips"), :2]

        def off(stride: Stride) -> float:
            way = np.linalg.norm(roots[round(stride.stop)] - roots[round(stride.start)])
            return abs(float(way) * clip.rate / (stride.stop - stride.start) - speed)

        # The bake settles: the later half of equally fast strides.
        best = min(strides[len(strides) // 2 :], key=off)
        return np.rint(np.linspace(best.start, best.stop, count)).astype(np.intp)

    return choose


def rest_frames(clip: Clip, count: int, _: int) -> Frames:
    """Return frames evenly spread over the longest rest of a clip."""
    runs = runs_of(resting_frames(clip))
    if not len(runs):
        raise FootfallError(f"'{clip.name}' never rests.")
    start, stop = max(runs, key=lambda run: run[1] - run[0])
    return np.rint(np.linspace(start, stop - 1, count)).astype(np.intp)


def turn_frames(clip: Clip, count: int, _: int) -> Frames:
    """Return frames around the middle of the turn of a clip, at half of its angle."""
    yaws = root_track(clip).yaws
    done = np.abs(yaws - yaws[round(0.3 * clip.rate)])
    middle = int(np.argmax(done > done[-round(0.3 * clip.rate)] / 2))
    half = TURN_S * clip.rate / 2
    middle = int(np.clip(middle, half, max(len(clip) - 1 - half, half)))
    return np.clip(np.rint(np.linspace(middle - half, middle + half, count)), 0, len(clip) - 1).astype(np.intp)


def start_stop_frames(clip: Clip, count: int, part: int) -> Frames:
    """Return frames of the start, or of the stop of a clip: a baked one has both, captured ones one each.

    Args:
        clip: the motion.
        count: number of frames; more than half of a strip includes both.
        part: 0 for the start, 1 for the stop.
    """
    if count > FRAMES // 2:
        half = count // 2
        return np.concatenate([start_stop_frames(clip, half, 0), start_stop_frames(clip, count - half, 1)])
    length = START_S * clip.rate
    runs = runs_of(resting_frames(clip))
    if part == 0:
        ends = [stop for start, stop in runs if start == 0 and stop < len(clip)]
        first = ends[0] - 0.3 * clip.rate if ends else STAND_BEFORE_S * clip.rate / 2
    else:
        begins = [start for start, _ in runs if start > 0]
        first = (begins[-1] if begins else len(clip)) + 0.4 * clip.rate - length
    frames = np.rint(np.linspace(first, first + length, count))
    return np.clip(frames, 0, len(clip) - 1).astype(np.intp)


TOPICS: Final = (
    Topic("walk_1_2", "walk at 1.2 m/s", WalkTask(straight(24.0), 1.2), ("cmu_asfamc/walk/35_03",), stride_frames(1.2)),
    Topic("walk_2_0", "2.0 m/s", WalkTask(straight(30.0), 2.0), ("o3de_rin/run/Jog1",), stride_frames(2.0)),
    Topic("run_3_0", "run at 3.0 m/s", WalkTask(straight(40.0), 3.0), ("o3de_rin/run/Run1",), stride_frames(3.0)),
    Topic(
        "crouch", "crouched at 0.9 m/s", WalkTask(straight(16.0), 0.9, style="crouch"), ("o3de_rin/crouch/Crouching1",),
        stride_frames(0.9)
    ),
    Topic(
        "wait", "a wait", WalkTask(straight(6.0), waits=(Wait(3.0, WAIT_S),)), ("accad_male1/idle/Male1_A1_Stand",),
        rest_frames
    ),
    Topic(
        "reversal", "back over its own path", WalkTask(sharp_course_points("reversal")),
        ("accad_male1/turn/Male1_B15_WalkTurnAround",), turn_frames
    ),
    Topic(
        "corner", "a corner of 90 degrees", WalkTask(sharp_course_points("corner")),
        ("accad_male1/turn/Male1_B9_WalkToTurnLeft90",), turn_frames
    ),
    Topic(
        "start_stop", "a start and a stop", WalkTask(straight(6.0)),
        ("accad_male1/walk/Male1_B1_StandToWalk", "accad_male1/walk/Male1_B2_WalkToStand"), start_stop_frames
    ),
)  # fmt: skip


def paint_strip(topic: Topic, people: Sequence[Clip], baked: Clip) -> Pixels:
    """Return the strip of a topic: captured and baked from the side, then from the front.

    Args:
        topic: content of the strip.
        people: captured clips, in sequence.
        baked: the controller's clip.
    """
    count = FRAMES // len(people)
    rows = [
        [(clip, topic.choose(clip, count, part)) for part, clip in enumerate(people)],
        [(baked, topic.choose(baked, FRAMES, 0))],
    ]
    painted = [
        np.concatenate([paint_row(clip, frames, side) for clip, frames in row], axis=1)
        for side in (True, False)
        for row in rows
    ]
    gap = np.ones((GAP, painted[0].shape[1], 3))
    return np.concatenate([part for row in painted for part in (row, gap)][:-1])


def paint_row(clip: Clip, frames: Frames, from_side: bool) -> Pixels:
    """Return frames of a clip side by side.

    Args:
        clip: the motion.
        frames: (N) its frames.
        from_side: whether to view from the character's right; else from ahead.
    """
    ahead = travel_direction(clip, frames)
    right = (float(ahead[0]), float(ahead[1])) if from_side else (float(-ahead[1]), float(ahead[0]))
    hips = clip.positions[frames, clip.skeleton.joint("hips")]
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    elevation = 0.0 if from_side else FRONT_ELEVATION_RAD
    views = [View((float(x), float(y), MIDDLE_M * size), right, elevation, meters=2.0 * size) for x, y, _ in hips]
    return np.concatenate(
        [paint_figure(clip, int(frame), view) for frame, view in zip(frames, views, strict=True)], axis=1
    )


def travel_direction(clip: Clip, frames: Frames) -> Array:
    """Return the direction (2) of the travel, or of the face without travel, at the first of some frames."""
    return facing_direction(root_track(clip).yaws[frames[0]])


def write_strip(pixels: Pixels, title: str, file: Path, names: Sequence[str] = ROWS) -> None:
    """Write a strip to a PNG file, with its title and the names of its rows."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    from PIL import Image

    height, width = pixels.shape[0] + HEAD, pixels.shape[1] + LABEL
    figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
    figure.figimage(pixels, xo=LABEL, yo=0, origin="upper")
    figure.text(0.5, 1 - HEAD / 2 / height, title, ha="center", va="center", fontsize=9)
    row = pixels.shape[0] / len(names)
    for number, name in enumerate(names):
        at = 1 - (HEAD + (number + 0.5) * row) / height
        figure.text(LABEL / 2 / width, at, name, ha="center", va="center", fontsize=8)
    figure.canvas.draw()
    drawn = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[..., :3])  # type: ignore[attr-defined]
    plt.close(figure)
    file.parent.mkdir(parents=True, exist_ok=True)
    drawn.quantize(COLORS, dither=Image.Dither.NONE).save(file, optimize=True)


def write_strips(model: ControllerModel, data: Path, out: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write the strips of a controller, and return their files.

    Args:
        model: the controller.
        data: folder of the mocap.
        out: folder of the strips.
        names: topics; all by default.
    """
    files = []
    for topic in TOPICS:
        if names and topic.name not in names:
            continue
        people = [captured_clip(data, name, model.skeleton, model.rate) for name in topic.captured]
        (baked,) = bake_all(model, [topic.task])
        shown = ", ".join(name.replace("_asfamc", "").replace("_male1", "") for name in topic.captured)
        files.append(out / f"{topic.name}.png")
        write_strip(paint_strip(topic, people, baked), f"{topic.title}; people: {shown}", files[-1])
    return files


def main(arguments: list[str] | None = None) -> int:
    """Write the strips."""
    from ..core.models.model_file import load_model

    parser = argparse.ArgumentParser("python -m footfall.benchmarks.strips", description=__doc__)
    parser.add_argument("controller", nargs="?", type=Path, metavar="FILE", help="default: the one that ships")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "mocap", metavar="DIR")
    parser.add_argument("--only", nargs="+", default=[], choices=[topic.name for topic in TOPICS], metavar="TOPIC")
    options = parser.parse_args(arguments)
    try:
        model = load_model(Setup(options.data, options.controller).model_path())
        for file in write_strips(model, options.data, options.out, options.only):
            print(file)
    except FootfallError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
