"""What clips contain, of motion that is known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.coverage import (
    COVERAGE_SECTIONS,
    Coverage,
    find_missing,
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


def test_clips_add_up():
    walk, run = coverage(Walker()), coverage(Walker.runner())
    both = sum_coverages([walk, run])
    assert both.clip_count == 2 and both.minutes == walk.minutes + run.minutes
    assert both.minutes_of("gait", "run") == walk.minutes_of("gait", "run") + run.minutes_of("gait", "run")
    assert sum_coverages([]) == Coverage()


def test_what_is_missing_is_said_in_plain_words():
    said = find_missing(shares("gait", walk=9.0, stand=1.0))
    assert said[0] == "The clips show no running"
    assert "The clips show no turning on the spot" in said and "The clips show no uneven ground" in said
    assert "The clips show no stairs" not in said, "that was said already"
    assert find_missing(shares("ground", stairs_up=0.3, stairs_down=0.1, uneven=2.0))[-1].startswith(
        "The clips show no crouching"
    )
    assert "The clips show only 0.4 minutes of stairs" in find_missing(
        shares("ground", stairs_up=0.3, stairs_down=0.1, uneven=2.0)
    )


def test_what_has_everything_lacks_nothing():
    plenty = {section: dict.fromkeys(kinds, 5.0) for section, kinds in COVERAGE_SECTIONS.items()}
    assert find_missing(Coverage(9, 9, 60.0, 3, 3, plenty)) == []
    assert find_missing(Coverage()) == ["There are no clips"]


def test_a_file_is_measured_with_the_labels_beside_it(tmp_path, gliding, standing_labels):
    clip = Walker(seconds=2.0).clip()
    path = tmp_path / "walk.bvh"
    found = measure_file_coverage(path, lambda _: clip)
    assert found.labelled_count == 0 and found.minutes_of("gait", "walk") > 0.0
    label_clip(clip).save(path.with_suffix(".labels.npz"))
    labelled = measure_file_coverage(path, lambda _: clip)
    assert (labelled.labelled_count, labelled.minutes) == (1, found.minutes)
    assert labelled.minutes_of("gait", "walk") == pytest.approx(found.minutes_of("gait", "walk"), rel=1e-6)
