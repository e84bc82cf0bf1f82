"""``docs/manual/quality.md``: one table for users, with all numbers from the results of the benchmarks."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from .results import Result
from .tables import figure, table

COURSES: Final = ("straight", "wave", "square", "circle", "hairpin", "s_curve")
BLENDER_BAKE: Final = "Blender 5.2: the whole bake, keys on 22 bones"

HEADER: Final = """\
# Quality

Every number is taken from the last measurement of its kind; `python build.py bench` writes this page. *Measured* is
the day, of the oldest where several were needed, on two cores of a server's processor. The commands, the machines, more
figures and what limits them are in the [benchmarks](../developing/benchmarks.md).
"""
FOOTER: Final = """\
Not measured: training on graphics cards, Windows and macOS.

What Footfall does not do: [Known limits](limits.md). The quality of your own bakes is in
their report: [After the bake](after-the-bake.md).
"""

Rows = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A row of the page.

    Attributes:
        question: a user's question.
        sections: names of the sections that answer it.
        text: function that returns the answer from the tables.
        comparison: function that returns the comparison value.
    """

    question: str
    sections: tuple[str, ...]
    text: Callable[["Tables"], str]
    comparison: Callable[["Tables"], str]


class Tables:
    """The tables of all results, by the names of their measurements."""

    def __init__(self, results: Mapping[str, Result]) -> None:
        self._results = results

    def rows(self, section: str, number: int = 0) -> Rows:
        """Return the rows of a table of a section; raise ``LookupError`` if it is missing."""
        tables = self._results[section].tables
        if number >= len(tables):
            raise LookupError(f"{section} has no table {number}")
        return tables[number].records()

    def row(self, section: str, name: str, number: int = 0) -> dict[str, str]:
        """Return the row of a table with a name in its first cell; raise ``LookupError`` if it is missing."""
        for row in self.rows(section, number):
            if next(iter(row.values())) == name:
                return row
        raise LookupError(f"{section} has no row '{name}'")

    def courses(self, number: int, column: str) -> list[float]:
        """Return a column of the path courses, by the beginning of its name."""
        every = (self.row("courses", course, number) for course in COURSES)
        return numbers(cell_of(row, column) for row in every)


def cell_of(row: dict[str, str], column: str) -> str:
    """Return the cell of the column with this prefix of its name; raise ``LookupError`` if it is missing."""
    for name, cell in row.items():
        if name.startswith(column):
            return cell
    raise LookupError(f"no column '{column}'")


def numbers(texts: Iterable[str]) -> list[float]:
    """Return the first number of each text that has one."""
    found = (re.search(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text) for text in texts)
    return [float(match[0]) for match in found if match is not None]


def span(values: Iterable[float], factor: float = 1.0) -> str:
    """Return the smallest and the largest of some values, or their single value if equal."""
    scaled = [factor * value for value in values]
    low, high = figure(float(min(scaled))), figure(float(max(scaled)))
    return low if low == high else f"{low} to {high}"


def column(rows: Rows, name: str) -> list[float]:
    """Return the numbers of a column of rows."""
    return numbers(row[name] for row in rows)


def _speed(tables: Tables) -> str:
    (times,) = numbers([tables.row("walk_rate", BLENDER_BAKE)["times real time"]])
    return f"one minute of walking in {figure(60 / times)} s, keys included"


def _path_error(tables: Tables) -> str:
    mean, worst = tables.courses(0, "mean cm"), tables.courses(0, "max cm")
    return f"{span(mean)} cm on average, {figure(max(worst))} cm at worst"


def _liveliness(tables: Tables) -> str:
    parts = (("joint motion", "motion detail"), ("foot lift", "toe lift"), ("hip sway", "hip sway"))
    said = (f"{title} {span(tables.courses(1, name), 100)} %" for title, name in parts)
    return ", ".join(said)


def _scenes(tables: Tables) -> str:
    scenes = [row for row in tables.rows("terrain_scenes") if row["scene"] != "reach"]
    walks, arrived = (int(sum(column(scenes, name))) for name in ("walks", "arrive"))
    deepest = max(numbers(row["penetration mm: mean / max"].partition("/")[2] for row in scenes))
    return f"{arrived} of {walks} walks arrive; soles at most {figure(deepest)} mm in the ground"


def _waypoints(tables: Tables) -> str:
    (row,) = tables.rows("directing")
    distance = row["off mm (95 %)"]
    return f"{row['met']} of {row['waypoints']} met, 95 % within {distance} mm; the named foot stands in {row['foot']}"


def _editing(tables: Tables) -> str:
    share = span(column(tables.rows("directing", 2), "share"))
    redraws = span(column(tables.rows("directing", 3), "redraws / s"))
    return f"an update after a local change takes {share} % of a bake; the preview redraws {redraws} times a second"


def _crowd(tables: Tables) -> str:
    biggest, nearest = tables.rows("crowds")[:2], tables.rows("crowds", 1)[:2]
    distance, times = min(column(nearest, "nearest m")), column(biggest, "times real time")
    count = span(column(biggest, "characters"))
    return f"{count} characters keep at least {figure(distance)} m apart, at {span(times)} x real time"


def _sitting(tables: Tables) -> str:
    row = tables.row("interactions", "all")
    return (
        f"{row['reached']}; hips {row['PE of the network cm']} cm from their place by the network alone, "
        f"{row['PE solved cm']} cm in the bake"
    )


def _doors(tables: Tables) -> str:
    done = [row["done"] for row in tables.rows("doors") if row["done"] != "-"]
    counts = [cell.split(" of ") for cell in done]
    passed, tried = (sum(int(count[part]) for count in counts) for part in (0, 1))
    return f"{passed} of {tried} passed"


def _rooms(tables: Tables) -> str:
    each = {row["errand"]: row["success"] for row in tables.rows("rooms")}
    return f"{each['all']} without fault: doors {each['open']}, seats {each['sit']}, boxes {each['carry']}"


def _rigs(tables: Tables) -> str:
    rows = tables.rows("rig_maps")
    types = [row for row in rows if row["bones"] != "-"]
    mean = tables.row("rig_maps", "mean")
    return (
        f"{len(types)} types known by name, {mean['by name, %']} % of their bones right; "
        f"without names {mean['unnamed, %']} %"
    )


def _controls(tables: Tables) -> str:
    ik, fk = (
        [row for row in tables.rows("bake_to_rigify") if row["rig, limbs"].endswith(kind)] for kind in ("IK", "FK")
    )
    tips = "feet and hands, mm"
    return f"feet and hands within {figure(max(column(fk, tips)))} mm by FK, {figure(max(column(ik, tips)))} mm by IK"


def _sparse_keys(tables: Tables) -> str:
    rows = tables.rows("sparse_keys")
    rates = {rate: [row for row in rows if row["clip"].endswith(f"{rate} fps")] for rate in (60, 30)}
    said = (f"{span(column(found, 'keys, % of dense'))} % of the keys at {rate} fps" for rate, found in rates.items())
    return f"{', '.join(said)}; {figure(max(column(rows[:-1], 'worst error, mm')))} mm off at most"


def _labels(tables: Tables) -> str:
    row = tables.row("labelling", "12 clips", 2)
    found = row["found within 3 frames at 60 Hz"]
    return f"contacts F1 {row['contact F1']}, {found} of the foot strikes within 3 frames (12 clips checked by hand)"


def _new_style(tables: Tables) -> str:
    tuned = [row for row in tables.rows("fine_tuning") if row["controller"].endswith("fine-tuned")]
    moved = span(column(tuned, "plain walk moved cm"))
    return f"{span(column(tuned, 'minutes'))} minutes; the plain walk moves by {moved} cm"


def _animals(tables: Tables) -> str:
    rows = [row for row in tables.rows("quadruped") if row["controller"] == "CC0, ships"]
    path, skate = span(column(rows, "off path cm")), span(column(rows, "locked"))
    return f"{path} cm off the path on average, paws slide {skate} cm/s"


def _balls(tables: Tables) -> str:
    dribble, actions = tables.rows("ball_control")[0], tables.rows("ball_actions")
    hits = [row for row in actions if row["target, cm"] != "-"]
    return (
        f"dribbling {dribble['path, cm']} cm off the path; passes and shots end {span(column(hits, 'target, cm'))} cm "
        "from their targets"
    )


def _strikes(tables: Tables) -> str:
    row = tables.row("strikes", "motion matching (ships)", 1)
    off, hard = row["baked, mm"], row["hard baked"]
    return (
        f"{off} mm off on their frames, {row['alone, cm']} cm by the network alone; {hard} of the frames accelerate "
        "harder than captured ones"
    )


def _duels(tables: Tables) -> str:
    rows = tables.rows("duels")
    met, asked = (int(sum(column(rows, name))) for name in ("met", "asked"))
    deep = [tables.row("duels", kind, 1)["deepest, cm"] for kind in ("bare hands", "weapons")]
    return (
        f"{met} of {asked} beats met on their frames, the others reported; at most {deep[0]} cm deep in each other, "
        f"{deep[1]} cm with weapons"
    )


def _pairs(tables: Tables) -> str:
    row = tables.row("pairs", "refined")
    palms, deep = figure(10 * float(row["palms 95 %"])), row["frames deeper than 2 cm, %"]
    return f"held palms within {palms} mm in 95 % of the frames; {deep} % of the frames deeper than 2 cm in each other"


def _interruptions(tables: Tables) -> str:
    row = tables.row("interruptions", "all")
    return f"{row['equal']} of {row['times']} interrupted runs go on with the same result"


def _captured_sliding(tables: Tables) -> str:
    rows = [tables.row("courses", f"mocap, {kind}", 1) for kind in ("straight", "turning")]
    return f"captured walks, measured alike: {span(numbers(cell_of(row, 'found contacts') for row in rows))} cm/s"


def _likeness(tables: Tables) -> str:
    return f"distance {tables.row('realism', 'Footfall')['gap']} from captured motion"


def _other_actor(tables: Tables) -> str:
    return f"one captured actor from the others: {tables.row('realism', 'mocap: one actor against the others')['gap']}"


def _plain(text: str) -> Callable[[Tables], str]:
    return lambda _: text


ANSWERS: Final = (
    Answer(
        "How long does a bake take?",
        ("walk_rate",),
        _speed,
        lambda tables: f"{tables.row('walk_rate', BLENDER_BAKE)['times real time']} x real time",
    ),
    Answer(
        "How close does it keep to the path?",
        ("courses",),
        _path_error,
        lambda tables: f"PFNN paper: {span(tables.courses(0, 'paper'))} cm on average",
    ),
    Answer(
        "Do the feet slide?",
        ("courses",),
        lambda tables: f"{span(tables.courses(1, 'found contacts'))} cm/s",
        _captured_sliding,
    ),
    Answer("Is it as lively as people?", ("courses",), _liveliness, _plain("100 % is the captured straight walk")),
    Answer("Is it like captured motion?", ("realism",), _likeness, _other_actor),
    Answer("Stairs, rubble, beam, ceilings, jumps, maze", ("terrain_scenes",), _scenes, _plain("")),
    Answer(
        "Waypoints at a frame",
        ("directing",),
        _waypoints,
        lambda tables: f"unreachable ones reported: {tables.rows('directing')[0]['told']}",
    ),
    Answer("Editing", ("directing",), _editing, _plain("frames before the change stay the same to the bit")),
    Answer("Crowds", ("crowds",), _crowd, _plain("")),
    Answer(
        "Sitting on seats never seen",
        ("interactions",),
        _sitting,
        lambda tables: f"NSM's network: {tables.row('interactions', 'NSM')['PE of the network cm']} cm",
    ),
    Answer(
        "Carrying boxes never seen",
        ("carrying",),
        lambda tables: tables.row("carrying", "all")["done"] + " put down at their place",
        _plain(""),
    ),
    Answer("Going through doors", ("doors",), _doors, _plain("")),
    Answer(
        "Random furnished rooms",
        ("rooms",),
        _rooms,
        lambda tables: f"the aim is {tables.row('rooms', 'reach')['success']}",
    ),
    Answer("Your rig: which bone is which", ("rig_maps",), _rigs, _plain("")),
    Answer("Your rig: keys on its controls", ("bake_to_rigify",), _controls, _plain("")),
    Answer("Reduce Keys at 2 mm", ("sparse_keys",), _sparse_keys, _plain("")),
    Answer("Animals on four legs", ("quadruped",), _animals, _plain("")),
    Answer(
        "Dancing pairs",
        ("pairs",),
        _pairs,
        lambda tables: f"captured pairs: {tables.row('pairs', 'captured pairs')['frames deeper than 2 cm, %']} %",
    ),
    Answer("Playing a ball", ("ball_control", "ball_actions"), _balls, _plain("")),
    Answer("Strikes at targets", ("strikes",), _strikes, _plain("")),
    Answer(
        "Duels",
        ("duels",),
        _duels,
        lambda tables: f"baked at {span(column(tables.rows('duels', 2), 'rate'))} x real time, both characters",
    ),
    Answer(
        "Labels",
        ("labelling",),
        _labels,
        lambda tables: f"the aim is F1 {tables.row('labelling', 'reach', 2)['contact F1']}",
    ),
    Answer(
        "Labeling an hour of motion",
        ("labelling_rate",),
        lambda tables: f"{span(column(tables.rows('labelling_rate')[:2], 'seconds'))} s",
        _plain(""),
    ),
    Answer(
        "Training a controller with the preset Quick",
        ("quick_training",),
        lambda tables: "{minutes, data set included} minutes from {clips} clips".format(
            **tables.row("quick_training", "this")
        ),
        lambda tables: f"the aim is {tables.row('quick_training', 'reach')['minutes, data set included']} minutes",
    ),
    Answer(
        "Training a new style",
        ("fine_tuning",),
        _new_style,
        lambda tables: "without old clips: {} cm".format(
            span(
                column(
                    [row for row in tables.rows("fine_tuning") if row["controller"].endswith("without replay")],
                    "plain walk moved cm",
                )
            )
        ),
    ),
    Answer("Power cuts and full disks while it trains", ("interruptions",), _interruptions, _plain("")),
)
"""The questions, in the order of the page."""


def quality_page(results: Mapping[str, Result]) -> str:
    """Return the page of the results, without questions about missing measurements.

    Raises:
        LookupError: a table of a measurement lacks a row or a column; :data:`ANSWERS` has to be adjusted.
    """
    tables = Tables(results)
    rows = []
    for answer in ANSWERS:
        if all(name in results for name in answer.sections):
            day = min(results[name].date for name in answer.sections)
            rows.append([answer.question, answer.text(tables), answer.comparison(tables), day])
    return f"{HEADER}\n{table(['question', 'answer', 'for comparison', 'measured'], rows)}\n\n{FOOTER}"
