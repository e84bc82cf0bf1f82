"""What clips contain, of motion that is known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation.coverage import (
    COVERAGE_SECTIONS,
    Coverage,
    find_missing,
    format_minutes,
    measure_coverage,
    measure_file_coverage,
    sum_coverages,
)
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.grounds import STAIRS, procedural
from footfall.tests.support.walker import Walker


def coverage(walker: Walker) -> Coverage:
    clip = walker.clip()
    return measure_coverage(clip, label_clip(clip))


def shares(section: str, **minutes: float) -> Coverage:
    """A made-up coverage."""
    return Coverage(1, 0, 10.0, 1, 1, {section: {kind.replace("_", " "): value for kind, value in minutes.items()}})


def test_a_walk_straight_on():
    found = coverage(Walker(speed=1.1, seconds=6.0))
    assert (found.clip_count, found.start_count, found.stop_count) == (1, 0, 0)
    assert found.minutes == pytest.approx(361 / 3600)
    for section, kind in (
        *(("gait", "walk"), ("speed", "0.8 to 1.8 m/s"), ("turn", "straight on"), ("way", "forward")),
        ("ground", "level"),
    ):
        assert found.minutes_of(section, kind) == pytest.approx(found.minutes, rel=0.05), (section, kind)


@pytest.mark.parametrize(("degrees", "kind"), [(10, "straight on"), (40, "in curves"), (80, "sharply")])
def test_turns_by_the_degrees_of_a_second(degrees: float, kind: str):
    found = coverage(Walker(turn=np.radians(degrees), speed=0.9))
    assert found.minutes_of("turn", kind) > 0.9 * found.minutes, "the facing is smoothed at both ends"


def test_who_turns_without_going_anywhere_turns_on_the_spot(gliding, standing_labels):
    clip: Clip = gliding(np.zeros((121, 2)))
    yaws = np.radians(60) * np.arange(121) / 60
    turned = replace(clip, rotations=clip.rotations.copy())
    turned.rotations[:, 0] = rotation_about_up(yaws)
    found = measure_coverage(turned, standing_labels(121))
    assert found.minutes_of("turn", "on the spot") == pytest.approx(found.minutes)
    assert measure_coverage(clip, standing_labels(121)).minutes_by_kind["turn"] == dict.fromkeys(
        COVERAGE_SECTIONS["turn"], 0.0
    )


@pytest.mark.parametrize(
    ("step", "way"),
    [((0.0, 1.0), "forward"), ((1.0, 0.2), "sideways"), ((-1.0, 0.0), "sideways"), ((0.3, -1.0), "backward")],
)
def test_the_way_is_that_of_the_hips_about_where_they_face(gliding, standing_labels, step, way: str):
    roots = np.arange(61)[:, None] / 60 * np.array(step)
    found = measure_coverage(gliding(roots), standing_labels(61))
    assert found.minutes_of("way", way) == pytest.approx(found.minutes)


def test_speeds_are_those_over_half_a_second(gliding, standing_labels):
    roots = np.zeros((121, 2))
    roots[:61, 1], roots[61:, 1] = 2.0 * np.arange(61) / 60, 2.0 + 4.0 * np.arange(1, 61) / 60
    found = measure_coverage(gliding(roots), standing_labels(121))
    assert found.minutes_of("speed", "1.8 to 3 m/s") == pytest.approx(1 / 60, rel=0.2)
    assert found.minutes_of("speed", "over 3 m/s") == pytest.approx(1 / 60, rel=0.2)


def test_somebody_who_pauses_stops_and_starts():
    found = coverage(Walker(pause=1.5, seconds=9.0))
    assert (found.start_count, found.stop_count) == (1, 1)
    assert found.minutes_of("gait", "stand") == pytest.approx(1.5 / 60, rel=0.5)


@pytest.mark.parametrize(("name", "kind"), [("stairs up", "stairs up"), ("stairs down", "stairs down")])
def test_stairs_are_where_feet_climb(name: str, kind: str):
    clip, labels = procedural(name)
    found = measure_coverage(clip, labels)
    hips = clip.positions[:, clip.skeleton.joint("hips"), 1]
    on_stairs = np.mean((hips > 0) & (hips < STAIRS["tread"] * STAIRS["count"])) * found.minutes
    assert found.minutes_of("ground", kind) == pytest.approx(on_stairs, rel=0.4)
    other = {"stairs up", "stairs down"} - {kind}
    assert found.minutes_of("ground", *other) == 0.0


def test_a_slope_is_no_stairs():
    found = measure_coverage(*procedural("slope up"))
    assert found.minutes_of("ground", "slopes up") > 0.95 * found.minutes


def test_labels_of_another_clip_are_refused(gliding, standing_labels):
    with pytest.raises(FootfallError, match="has 5: use the labels of this clip"):
        measure_coverage(gliding(np.zeros((5, 2))), standing_labels(6))


def test_clips_add_up():
    walk, run = coverage(Walker()), coverage(Walker.runner())
    both = sum_coverages([walk, run])
    assert both.clip_count == 2 and both.minutes == walk.minutes + run.minutes
    assert both.minutes_of("gait", "run") == walk.minutes_of("gait", "run") + run.minutes_of("gait", "run")
    assert sum_coverages([]) == Coverage()


def test_rows_have_every_kind_and_those_of_other_labels():
    rows = shares("gait", walk=2.0, trot=1.0).rows("gait")
    assert [kind for kind, _ in rows] == [*COVERAGE_SECTIONS["gait"], "trot"]
    assert dict(rows)["walk"] == 2.0 and dict(rows)["stand"] == 0.0


def test_what_is_missing_is_said_in_plain_words():
    said = find_missing(shares("gait", walk=9.0, stand=1.0))
    assert said[0] == "No running"
    assert "No turning on the spot" in said and "No ground that is not level" in said
    assert "No stairs" not in said, "that was said already"
    assert find_missing(shares("ground", stairs_up=0.3, stairs_down=0.1, uneven=2.0))[-1].startswith("No crouching")
    assert "Only 0.4 minutes of stairs" in find_missing(shares("ground", stairs_up=0.3, stairs_down=0.1, uneven=2.0))


def test_few_minutes_and_no_standing_still():
    found = replace(shares("gait", walk=1.5), minutes=1.5, start_count=0, stop_count=0)
    said = find_missing(found)
    assert said[:2] == ["Only 1.5 minutes in all: a first controller needs about 3 minutes", said[1]]
    assert said[-1] == "No starts and stops of walks"
    assert "No starts of walks from standing" in find_missing(replace(found, stop_count=2))
    assert "No stops of walks" in find_missing(replace(found, start_count=2))


def test_what_has_everything_lacks_nothing():
    plenty = {section: dict.fromkeys(kinds, 5.0) for section, kinds in COVERAGE_SECTIONS.items()}
    assert find_missing(Coverage(9, 9, 60.0, 3, 3, plenty)) == []
    assert find_missing(Coverage()) == ["There are no clips"]


def test_minutes_for_people():
    assert [format_minutes(value) for value in (61.2, 3.0, 0.4, 1 / 60, 0.0)] == [
        *("61 minutes", "3.0 minutes", "0.4 minutes", "1 second", "0 seconds")
    ]


def test_level_ground_is_none_that_is_not_level():
    said = find_missing(shares("ground", level=9.0))
    assert "No ground that is not level" in said and "No stairs" not in said


def test_standing_alone_needs_no_starts():
    assert not any("walks" in said and "start" in said.lower() and "stop" in said for said in
                   find_missing(replace(shares("gait", stand=2.0), start_count=0, stop_count=0)))  # fmt: skip


@pytest.mark.parametrize(
    ("speed", "kind"),
    [(0.79, "under 0.8 m/s"), (0.81, "0.8 to 1.8 m/s"), (1.79, "0.8 to 1.8 m/s"), (1.81, "1.8 to 3 m/s"),
     (2.99, "1.8 to 3 m/s"), (3.01, "over 3 m/s")],
)  # fmt: skip
def test_speeds_have_their_edges(gliding, standing_labels, speed: float, kind: str):
    roots = np.column_stack([np.zeros(121), speed * np.arange(121) / 60])
    found = measure_coverage(gliding(roots), standing_labels(121))
    assert found.minutes_of("speed", kind) == pytest.approx(found.minutes)


@pytest.mark.parametrize(
    ("degrees", "moves", "kind"),
    [(19, True, "straight on"), (21, True, "in curves"), (59, True, "in curves"), (61, True, "sharply"),
     (-61, True, "sharply"), (29, False, None), (31, False, "on the spot"), (-31, False, "on the spot")],
)  # fmt: skip
def test_turns_have_their_edges(gliding, standing_labels, degrees: float, moves: bool, kind: str | None):
    yaws = np.radians(degrees) * np.arange(361) / 60
    steps = (1.0 / 60 if moves else 0.0) * np.stack([-np.sin(yaws), np.cos(yaws)], axis=-1)
    clip: Clip = gliding(np.cumsum(steps, axis=0))
    turned = replace(clip, rotations=clip.rotations.copy())
    turned.rotations[:, 0] = rotation_about_up(yaws)
    found = measure_coverage(turned, standing_labels(361))
    # The facing is smoothed at both ends.
    counted = {name for name, minutes in found.minutes_by_kind["turn"].items() if minutes > 0.7 * found.minutes}
    assert counted == ({kind} if kind else set())


@pytest.mark.parametrize(
    ("degrees", "way"),
    [(44, "forward"), (46, "sideways"), (-46, "sideways"), (134, "sideways"), (136, "backward"), (-136, "backward")],
)
def test_ways_have_their_edges(gliding, standing_labels, degrees: float, way: str):
    angle = np.radians(degrees)
    roots = np.arange(61)[:, None] / 60 * np.array([np.sin(angle), np.cos(angle)])
    found = measure_coverage(gliding(roots), standing_labels(61))
    assert found.minutes_of("way", way) == pytest.approx(found.minutes)


def test_labels_of_its_own_are_counted(gliding, standing_labels):
    clip = gliding(np.zeros((61, 2)))
    assert measure_coverage(clip, standing_labels(61)).labelled_count == 0
    assert measure_coverage(clip, standing_labels(61), has_own_labels=True).labelled_count == 1


def test_a_file_is_measured_with_the_labels_beside_it(tmp_path, gliding, standing_labels):
    clip = Walker(seconds=2.0).clip()
    path = tmp_path / "walk.bvh"
    found = measure_file_coverage(path, lambda _: clip)
    assert found.labelled_count == 0 and found.minutes_of("gait", "walk") > 0.0
    label_clip(clip).save(path.with_suffix(".labels.npz"))
    labelled = measure_file_coverage(path, lambda _: clip)
    assert (labelled.labelled_count, labelled.minutes) == (1, found.minutes)
    assert labelled.minutes_of("gait", "walk") == pytest.approx(found.minutes_of("gait", "walk"), rel=1e-6)


def test_all_fields_of_two_clips_add_up():
    one = Coverage(1, 1, 2.0, 3, 4, {"gait": {"walk": 1.0}, "turn": {"sharply": 0.5}})
    other = Coverage(2, 0, 5.0, 1, 2, {"gait": {"walk": 2.0, "run": 1.0}, "way": {"forward": 4.0}})
    assert one + other == Coverage(
        3, 1, 7.0, 4, 6, {"gait": {"walk": 3.0, "run": 1.0}, "turn": {"sharply": 0.5}, "way": {"forward": 4.0}}
    )


@pytest.mark.parametrize(
    ("ratio", "kind"),
    [(0.07, None), (0.1, "slopes up"), (-0.1, "slopes down"), (0.33, "slopes up"), (0.37, "stairs up"),
     (-0.37, "stairs down")],
)  # fmt: skip
def test_ground_is_sloped_by_its_rise_over_run(ratio: float, kind: str | None):
    clip = Walker(speed=1.2, seconds=8.0).clip()
    labels = label_clip(clip)
    roots = clip.root_positions.copy()
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(roots[:, :2], axis=0), axis=-1))])
    # Each foot stands level and steps up by what the slope rises: the body is shifted as it goes.
    roots[:, 2] += ratio * way
    found = measure_coverage(replace(clip, root_positions=roots), labels).minutes_by_kind["ground"]
    most = max(found, key=lambda name: found[name])
    assert most == ("level" if kind is None else kind)
