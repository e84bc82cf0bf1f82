"""Ball play of the walkers that ship: the ball at the palms, through the hoop and into hands, and bodies that stand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.ball_track import BallTrack
from footfall.core.ball.dribbled_ball import DribbledBall, JoinedContacts
from footfall.core.ball.palms import palm_centers
from footfall.core.ball.takes import ankle_middle, shipped_takes
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.walk.ball_flight import FINGERS_S, PlacedTake
from footfall.core.control.walk.ball_plan import BallKit, BallTimeline, PlannedAction
from footfall.core.control.walk.ball_play import _held_contacts, _holding_weights, _on_body, _place
from footfall.core.control.walk.dribble import Dribble
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import PathWalk, walk_path
from footfall.core.errors import FootfallError
from footfall.core.evaluation.quality import measure_traces, summarise_traces
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.motion.signals import runs_of
from footfall.core.terrain.ground import Plane
from footfall.tests.support.walker import Walker, person

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
KIT = BallKit(shipped_takes())
RIM = np.array([1.0, 9.0, 3.05])
LYING = np.array([0.05, 0.95, 0.12])
SOURCE = np.array([2.0, 8.0, 1.3])
GOAL = np.array([-3.0, 9.0, 1.2])


@pytest.fixture(scope="module")
def walker() -> ControllerModel:
    return load_model(CONTROLLERS / "locomotion_small.safetensors")


def play(model: ControllerModel, *balls: BallCue, length: float = 4.0, dribble: Dribble | None = None) -> Walk:
    path = WalkPath(np.array([[0.0, 0.0], [0.0, length]]))
    walk = walk_path(model, path, 1.2, cues=Cues(balls=balls), dribble=dribble, ball_kit=KIT)
    assert walk.ball is not None
    return walk


def palm_distances(walk: Walk) -> np.ndarray:
    """Return the distance (F, 2) of the ball from its place in each hand, meters."""
    assert walk.ball is not None
    return np.linalg.norm(palm_centers(walk.clip) - walk.ball.track.positions[:, None], axis=-1)


def largest_moves(walk: Walk) -> np.ndarray:
    """Return the largest move (F - 1) of a joint in a frame, meters."""
    return np.linalg.norm(np.diff(walk.clip.positions, axis=0), axis=-1).max(axis=1)


@pytest.fixture(scope="module")
def shooter(walker: ControllerModel) -> Walk:
    return play(walker, BallCue("pick_up", 0.0, target=LYING[None]), BallCue("shoot", 4.0, target=RIM[None]))


def test_the_ball_lies_until_hands_are_at_it_and_falls_through_the_hoop(shooter: Walk) -> None:
    assert shooter.ball is not None
    places, contacts = shooter.ball.track.positions, shooter.ball.track.contacts
    taken = int(np.flatnonzero(contacts.all(axis=1))[0])
    np.testing.assert_allclose(places[:taken], np.broadcast_to(LYING, (taken, 3)), atol=1e-9)
    falls = np.flatnonzero((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2]))
    share = (places[falls, 2] - RIM[2]) / (places[falls, 2] - places[falls + 1, 2])
    through = places[falls] + share[:, None] * (places[falls + 1] - places[falls])
    assert len(falls) == 1 and np.linalg.norm(through[0] - RIM) < 0.005


def test_palms_are_at_the_ball_while_they_hold_it(shooter: Walk) -> None:
    assert shooter.ball is not None
    held = shooter.ball.track.contacts.all(axis=1)
    start, stop = runs_of(held)[0]
    apart = palm_distances(shooter)[start : stop - round(FINGERS_S * shooter.clip.rate)]
    assert apart.max() < 0.12 and np.median(apart) < 1e-6, "long arms reach a ball on the ground, short ones nearly"


def test_a_ball_moves_without_a_jump(shooter: Walk) -> None:
    assert shooter.ball is not None
    speeds = np.linalg.norm(np.diff(shooter.ball.track.positions, axis=0), axis=-1) * shooter.clip.rate
    assert speeds.max() < 11.0
    release = int(np.flatnonzero(shooter.ball.track.contacts.all(axis=1))[-1])
    assert abs(speeds[release] - speeds[release - 1]) < 1.0, "it leaves the hands as fast as they move it"


def test_feet_stand_and_no_joint_jumps_while_a_take_is_done(shooter: Walk) -> None:
    assert shooter.ball is not None
    found = {one.measure: one.mean for one in summarise_traces(measure_traces(shooter.clip, shooter.contacts, Plane()))}
    assert found["foot_sliding"] < 3.0
    assert largest_moves(shooter).max() < 0.15


def test_a_caught_ball_comes_from_its_source_and_hands_give_way(walker: ControllerModel) -> None:
    walk = play(walker, BallCue("catch", 4.0, target=SOURCE[None]))
    assert walk.ball is not None
    places = walk.ball.track.positions
    caught = int(np.flatnonzero(walk.ball.track.contacts.all(axis=1))[0])
    np.testing.assert_allclose(places[0], SOURCE, atol=1e-9)
    fingers = round(FINGERS_S * walk.clip.rate)
    assert palm_distances(walk)[caught + fingers :].max() < 0.05
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * walk.clip.rate
    assert speeds[caught - 1] > 3.0 and speeds[caught + 20] < 0.3 * speeds[caught - 1]
    assert abs(speeds[caught] - speeds[caught - 1]) < 1.5, "it is stopped over some frames"
    assert largest_moves(walk)[caught - 30 : caught + 30].max() < 0.09, "hands do not fly at the ball"


def test_a_pass_goes_through_its_point_or_stays_in_hands(walker: ControllerModel) -> None:
    through = play(walker, BallCue("pass", 4.0, target=GOAL[None]))
    assert through.ball is not None
    assert np.linalg.norm(through.ball.track.positions - GOAL, axis=-1).min() < 1e-6
    stays = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True))
    assert stays.ball is not None
    np.testing.assert_allclose(stays.ball.track.positions[-1], GOAL, atol=1e-9)


def test_a_pass_is_timed_to_a_catch(walker: ControllerModel) -> None:
    free = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True))
    assert free.ball is not None
    arrives = int(np.flatnonzero(np.linalg.norm(free.ball.track.positions - GOAL, axis=-1) < 1e-9)[0])
    later = (arrives + 12) / free.clip.rate
    timed = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True, meetings=(1.0, later, later + 30.0)))
    assert timed.ball is not None and not timed.ball.elsewhere[: arrives + 12].any()
    assert timed.ball.elsewhere[arrives + 12 :].all(), "then another one has it"
    assert int(np.flatnonzero(np.linalg.norm(timed.ball.track.positions - GOAL, axis=-1) < 1e-9)[0]) == arrives + 12


def test_a_dribble_begins_after_a_pick_up_and_ends_where_the_ball_is_held() -> None:
    model = load_model(CONTROLLERS / "dribble.safetensors")
    balls = (BallCue("pick_up", 0.0, target=LYING[None]), BallCue("hold", 4.0, 6.0))
    path = WalkPath(np.array([[0.0, 0.0], [0.0, 6.0]]))
    rollout = PathWalk(model, path, 1.2, cues=Cues(balls=balls), dribble=Dribble("right"), ball_kit=KIT)
    while rollout.advance(600):
        pass
    walk = rollout.finish()
    assert walk.ball is not None and rollout.plan.ball_play is not None
    timeline = rollout.plan.ball_play.timeline(rollout.trace.planned_lengths, walk.clip.rate)
    assert len(runs_of(timeline.dribbled)) == 1 and len(walk.ball.bounces) >= 2
    first, last = runs_of(timeline.dribbled)[0] / walk.clip.rate
    assert first <= walk.ball.bounces.min() and walk.ball.bounces.max() <= last
    moves = np.linalg.norm(np.diff(walk.ball.track.positions, axis=0), axis=-1) * walk.clip.rate
    assert moves.max() < 9.0, "it goes from hand to hand without a jump"


# --- When arms hold a ball, and which hands


def timeline(held: slice, dribbled: slice, frames: int = 200) -> BallTimeline:
    masks = np.zeros((2, frames), dtype=bool)
    masks[0, held], masks[1, dribbled] = True, True
    return BallTimeline((), (), (), masks[0], masks[1])


def eased(share: np.ndarray) -> np.ndarray:
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def test_arms_come_to_a_ball_and_let_go_of_it_in_a_third_of_a_second() -> None:
    """21 frames, from the first one that holds it on, and after the last one."""
    weights, frames = _holding_weights(timeline(slice(60, 120), slice(0)), 60.0), np.arange(200)
    expected = eased((frames - 59) / 21) * eased((141 - frames) / 21)
    np.testing.assert_allclose(weights, expected, atol=1e-9)


def test_arms_have_let_go_of_a_ball_when_it_is_dribbled() -> None:
    weights, frames = _holding_weights(timeline(slice(60, 120), slice(120, 200)), 60.0), np.arange(200)
    np.testing.assert_allclose(weights, eased((frames - 59) / 21) * eased((120 - frames) / 21), atol=1e-9)


def test_arms_hold_a_ball_at_once_in_the_first_frame_and_up_to_the_last() -> None:
    np.testing.assert_array_equal(_holding_weights(timeline(slice(0, 200), slice(0)), 60.0), 1.0)
    begins = _holding_weights(timeline(slice(0, 50), slice(0)), 60.0)
    np.testing.assert_array_equal(begins[:50], 1.0)
    assert begins[51] < 1.0 and begins[70] > 0.0 and begins[71] == 0.0


def test_both_hands_hold_a_ball_and_the_one_that_dribbles_it_has_it_alone_beside_its_dribble() -> None:
    """Over ten frames; how far they are led to it grows from a dribble and falls to one."""
    contacts = np.zeros((200, 2), dtype=bool)
    contacts[59, 1] = contacts[120, 0] = True
    track = BallTrack(60.0, 0.12, np.zeros((200, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (200, 1)), contacts)
    dribble = DribbledBall(track, np.zeros(0), JoinedContacts(0, 0, 0, 0, 0.0), np.zeros(200, dtype=bool))
    between = timeline(slice(60, 120), slice(0))
    between.dribbled[:60] = between.dribbled[120:] = True
    held, shares = _held_contacts(between, dribble, 10)
    expected = np.zeros((200, 2), dtype=bool)
    expected[60:120] = True
    expected[60:70, 0] = expected[110:120, 1] = False
    np.testing.assert_array_equal(held, expected)
    rise = eased(np.arange(1, 11) / 11)
    np.testing.assert_allclose(shares[60:120], [*rise, *[1.0] * 40, *rise[::-1]])
    assert not shares[:60].any() and not shares[120:].any()
    alone, shares = _held_contacts(between, None, 10)
    np.testing.assert_array_equal(alone, np.repeat(between.held[:, None], 2, axis=1))
    np.testing.assert_array_equal(shares, between.held)


# --- Where a take is done


def standing() -> Clip:
    """A body that stands for four seconds at a place and faces northwest."""
    clip = Walker(seconds=4.0).clip()
    still = replace(
        clip,
        root_positions=np.repeat(clip.root_positions[:1], 240, axis=0),
        rotations=np.repeat(clip.rotations[:1], 240, axis=0),
    )
    return still.transformed(rotation_about_up(np.array(np.pi / 4)), np.array([1.0, 2.0, 0.0]))


STANDS, TAKES = standing(), _on_body(KIT.takes, person())
MIDDLE, YAW = ankle_middle(STANDS)[0], float(root_track(STANDS).yaws[0])


def done(cue: BallCue, scale: float = 1.0, floor: float = 0.0) -> PlacedTake:
    take = TAKES.takes[cue.action]
    return _place(STANDS, PlannedAction(cue, take, 0.35), TAKES, (10, 10 + take.contact), scale, floor, 0.12)


def ahead(angle: float, distance: float = 4.0, height: float = 1.3) -> np.ndarray:
    """A target (1, 3) so far to the left of where the body faces."""
    return np.append(MIDDLE + distance * facing_direction(np.array(YAW + angle)), height)[None]


@pytest.mark.parametrize(("angle", "turn"), [(0.0, 0.0), (0.3, 0.3), (-0.3, -0.3), (0.9, 0.5), (-2.0, -0.5)])
def test_a_take_is_done_over_the_feet_and_turned_to_its_target_by_half_a_radian_at_most(
    angle: float, turn: float
) -> None:
    placed = done(BallCue("pass", 4.0, target=ahead(angle)))
    assert (placed.start, placed.contact) == (10, 10 + TAKES.takes["pass"].contact)
    own = TAKES.takes["pass"].clip.transformed(rotation_about_up(np.array(YAW + turn)), np.append(MIDDLE, 0.0))
    np.testing.assert_allclose(placed.clip.positions, own.positions, atol=1e-6)


def test_without_a_target_a_take_goes_where_the_body_faces_and_on_its_floor() -> None:
    placed = done(BallCue("pick_up", 4.0), floor=0.4)
    own = TAKES.takes["pick_up"].clip.transformed(rotation_about_up(np.array(YAW)), np.append(MIDDLE, 0.4))
    np.testing.assert_allclose(placed.clip.positions[0], own.positions[0], atol=0.02)
    np.testing.assert_allclose(placed.clip.root_positions[:, :2], own.root_positions[:, :2], atol=1e-6)


def test_targets_and_hoops_are_in_meters_of_the_world() -> None:
    placed = done(BallCue("shoot", 4.0, target=ahead(0.0) / 2, rim_radius=0.1), scale=2.0)
    np.testing.assert_allclose(placed.target(0), ahead(0.0)[0])
    assert placed.cue.rim_radius == 0.2


def palms_over(take: str = "pick_up") -> tuple[float, float]:
    """The distance ahead of the feet at which the palms come to the ball, and their height."""
    middle = palm_centers(TAKES.takes[take].clip)[TAKES.takes[take].contact].mean(axis=0)
    return float(middle[1]), float(middle[2])


@pytest.mark.parametrize(("away", "shift"), [(0.0, 0.0), (0.1, 0.1), (0.2, 0.12), (0.41, 0.12), (0.43, None)])
def test_a_take_is_shifted_to_a_ball_on_the_ground_by_twelve_centimeters_at_most(
    away: float, shift: float | None
) -> None:
    """A ball more than 42 cm from where the hands come to it is out of reach."""
    side = palm_centers(TAKES.takes["pick_up"].clip)[TAKES.takes["pick_up"].contact].mean(axis=0)[0]
    far = palms_over()[0] + away
    target = np.append(MIDDLE + far * facing_direction(np.array(YAW)), 0.12)[None]
    if shift is None:
        with pytest.raises(FootfallError, match="No hand gets to the ball: the character stops 43 cm from"):
            done(BallCue("pick_up", 4.0, target=target))
        return
    placed = done(BallCue("pick_up", 4.0, target=target))
    moved = ankle_middle(placed.clip)[TAKES.takes["pick_up"].contact] - MIDDLE
    assert np.linalg.norm(moved) == pytest.approx(shift, abs=abs(side) + 1e-6)


def test_a_body_sinks_for_a_ball_below_its_palms_over_eight_tenths_of_a_second() -> None:
    """By as much as the palms are over the ball at the contact, and less before and after it."""
    take, placed = TAKES.takes["pick_up"], done(BallCue("pick_up", 4.0))
    sunk = take.clip.root_positions[:, 2] - placed.clip.root_positions[:, 2]
    over = max(palms_over()[1] - 0.12, 0.0)
    assert sunk[take.contact] == pytest.approx(over)
    away = np.abs(np.arange(len(sunk)) - take.contact) / take.clip.rate
    assert sunk[away >= 0.8].max(initial=0.0) == pytest.approx(0.0, abs=1e-9)
    share = np.clip(away / 0.8, 0.0, 1.0)
    np.testing.assert_allclose(sunk, over * (1 - share**3 * (10 - 15 * share + 6 * share**2)), atol=1e-9)
