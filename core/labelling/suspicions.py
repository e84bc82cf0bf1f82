"""Detectors of doubtful labels: each looks at one thing that right labels of people and animals do not do.

Doubts are saturating functions of how far something is from what the same clip does elsewhere, so that a limp, a march
or soft shoes are not suspicious in themselves. Lengths are those of an adult (divided by the body's scale).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import Array
from .labeller import prepare
from .labels import Labels
from .presets import LabellingPreset
from .sensors import GROUND, body_scale
from .signals import runs_of
from .tracks import tracks_of

KINDS: Final = ("SHORT", "UNSURE", "ORDER", "PACE", "LENGTH", "FLIGHT", "SLIDE", "REST", "HEIGHT", "FLICKER")

Frames = NDArray[np.intp]
Flags = NDArray[np.bool_]

FEET: Final = "feet"
"""All that is about the feet is one thing: a lost contact shows in both feet's strikes."""
LEAST: Final = 0.05

SIDES: Final = {"L": "left", "R": "right", "FL": "front left", "FR": "front right"}


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One detector's word: frames [start, stop), the frame to look at, and the columns of contacts it is about."""

    start: int
    stop: int
    frame: int
    kind: str
    name: str
    thing: str
    columns: tuple[int, ...]
    doubt: float
    text: str


@dataclass(frozen=True, eq=False)
class Case:
    """What the detectors look at.

    Attributes:
        labels: of F frames and C contacts.
        preset: what they were found with.
        tracks: the sensors' places (F, C, 3), smoothed over 0.1 s, in metres of an adult; NaN where unknown.
    """

    labels: Labels
    preset: LabellingPreset
    tracks: Array

    @staticmethod
    def of(clip: Clip, labels: Labels, preset: LabellingPreset) -> "Case":
        """The evidence of a clip; raises :class:`FootfallError` where the labels have another number of frames."""
        if len(clip) != len(labels):
            raise FootfallError(
                f"{clip.name} has {len(clip)} frames and its labels have {len(labels)}: label the clip again."
            )
        known = tracks_of(prepare(clip, preset).clip, preset)
        tracks = np.full((len(clip), len(labels.contact_joints), 3), np.nan)
        for column, name in enumerate(labels.contact_joints):
            if name in preset.sensor_names:
                tracks[:, column] = known[:, preset.sensor_names.index(name)]
        window = max(round(0.1 * labels.frame_rate) | 1, 1)
        return Case(labels, preset, uniform_filter1d(tracks, window, axis=0, mode="nearest") / body_scale(clip))

    @property
    def rate(self) -> float:
        """Frames a second."""
        return self.labels.frame_rate

    @cached_property
    def state(self) -> Flags:
        """The contacts' marks (F, C)."""
        return self.labels.contacts > 0.5

    @cached_property
    def settled(self) -> Flags:
        """Where the user has marked a contact, on or off (F, C)."""
        return self.labels.confidence >= 1.0

    @cached_property
    def feet(self) -> dict[str, tuple[int, ...]]:
        """The columns of each foot that the labels have."""
        names = self.labels.contact_joints
        known = {
            side: tuple(names.index(name) for name in sensors if name in names)
            for side, sensors in self.preset.feet.items()
        }
        return {side: columns for side, columns in known.items() if columns}

    @cached_property
    def down(self) -> dict[str, Flags]:
        """Whether each foot is down (F)."""
        return {side: np.asarray(self.state[:, list(columns)].any(axis=1)) for side, columns in self.feet.items()}

    @cached_property
    def standing(self) -> Array:
        """Running sum (F + 1) of the share of standing, so that its mean over frames is a difference."""
        names = self.labels.gait_names
        share = self.labels.gaits[:, names.index("stand")] if "stand" in names else np.zeros(len(self.labels))
        return np.concatenate([[0.0], np.cumsum(share)])

    def stood(self, start: Frames, stop: Frames) -> Array:
        """Share of standing between frames."""
        return (self.standing[stop] - self.standing[start]) / np.maximum(stop - start, 1)

    def thing(self, column: int) -> str:
        """What a column is about: the feet, or the sensor itself."""
        return FEET if any(column in columns for columns in self.feet.values()) else self.labels.contact_joints[column]

    def name(self, column: int) -> str:
        """A column's sensor."""
        return self.labels.contact_joints[column]

    def words(self, column: int) -> str:
        """A column's sensor for an animator; a foot that has a toe is a heel."""
        names = self.labels.contact_joints
        return in_words(names[column], heels=any(name.startswith("toe.") for name in names))

    def shortest(self, column: int) -> float:
        """Seconds of the shortest contact of a column."""
        name = self.labels.contact_joints[column]
        return next((sensor.shortest for sensor in self.preset.sensors if sensor.name == name), 0.06)

    def on_the_ground(self, column: int) -> bool:
        """Whether a column's contacts are with the ground, and its sensor's places are known."""
        name = self.labels.contact_joints[column]
        return any(sensor.name == name and sensor.against == GROUND for sensor in self.preset.sensors)


def suspicions(case: Case) -> Iterator[Suspicion]:
    """All that is suspicious, in no order."""
    for column in range(case.state.shape[1]):
        yield from short_runs(case, column)
        yield from unsure_stretches(case, column)
        if case.on_the_ground(column):
            yield from slides(case, column)
            yield from rests(case, column)
            yield from heights(case, column)
    yield from order(case)
    yield from pace(case)
    yield from lengths(case)
    yield from flights(case)
    yield from flickers(case)


def saturating(excess: Array, scale: float) -> Array:
    """0 up to an excess of 0, then towards 1; two thirds at ``scale``."""
    return 1 - np.exp(-np.maximum(excess, 0.0) / scale)


def in_words(name: str, heels: bool = True) -> str:
    """A sensor for an animator; where ``heels``, the foot's own joint is called its heel.

    >>> in_words("foot.L"), in_words("hand.R"), in_words("front_foot.L", heels=False), in_words("tip")
    ('left heel', 'right hand', 'left front foot', 'tip')
    """
    part, _, side = name.rpartition(".")
    if not part or side not in SIDES:
        return name
    return f"{SIDES[side]} {'heel' if heels and part == 'foot' else part.replace('_', ' ')}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def short_runs(case: Case, column: int) -> Iterator[Suspicion]:
    """Contacts and gaps that are short, for this sensor and beside the clip's others of its kind, on both sides."""
    name, shortest = case.labels.contact_joints[column], case.shortest(column)
    part = name.rpartition(".")[0] or name
    kin = [
        other for other, named in enumerate(case.labels.contact_joints) if (named.rpartition(".")[0] or named) == part
    ]
    whole = next((case.down[side] for side, columns in case.feet.items() if column in columns), None)
    for on in (True, False):
        inner = _inner_runs(case.state[:, column] == on)
        seconds = (inner[:, 1] - inner[:, 0]) / case.rate
        all_runs = np.concatenate([_inner_runs(case.state[:, other] == on) for other in kin])
        lengths = (all_runs[:, 1] - all_runs[:, 0]) / case.rate
        usual = np.percentile(lengths, 75) if len(lengths) > 3 else max([2.5 * shortest, *lengths])
        rarity = np.clip(1.6 * (1 - (seconds + 1 / case.rate) / usual), 0, 1)
        doubts = 0.8 * np.clip((3.5 * shortest - seconds) / (2 * shortest), 0, 1) * rarity
        for (start, stop), doubt, duration in zip(inner, doubts, seconds, strict=True):
            # A heel that is lost, or touches, for a moment while the toe stands changes no strike.
            if whole is not None and whole[start - 1 : stop + 1].all():
                doubt *= 0.5
            if doubt >= LEAST:
                text = f"{case.words(column)} {'touches' if on else 'is off'} for only {_seconds(duration)}"
                yield Suspicion(
                    start, stop, start, "SHORT", name, case.thing(column), (column,), float(doubt), _sentence(text)
                )


UNSURE: Final = 0.65
"""Confidence from which on a mark is sure enough."""


def unsure_stretches(case: Case, column: int) -> Iterator[Suspicion]:
    """Stretches of low confidence that are longer or deeper than the usual contact's beginning or end."""
    name = case.labels.contact_joints[column]
    confidence = case.labels.confidence[:, column]
    runs = runs_of(confidence < UNSURE)
    if not len(runs):
        return
    lack = np.concatenate([[0.0], np.cumsum(np.maximum(1 - confidence / UNSURE, 0.0))]) / case.rate
    amount = lack[runs[:, 1]] - lack[runs[:, 0]]
    usual = min(float(np.median(amount)), 0.03) if len(runs) > 3 else 0.0
    doubts = 0.75 * saturating(amount - 0.03 - usual, 0.08)
    for (start, stop), doubt in zip(runs, doubts, strict=True):
        if doubt >= LEAST:
            frame = start + int(np.argmin(confidence[start:stop]))
            text = _sentence(
                f"it is not clear for {_seconds((stop - start) / case.rate)} whether the {case.words(column)} touches"
            )
            yield Suspicion(start, stop, frame, "UNSURE", name, case.thing(column), (column,), float(doubt), text)


def _cores(case: Case, column: int) -> tuple[Frames, Frames, Frames]:
    """The contacts of a column (R, 2), and first and end of their inner frames, where the joint ought to rest."""
    runs = runs_of(case.state[:, column])
    trim = np.minimum(round(0.05 * case.rate), (runs[:, 1] - runs[:, 0] - 1) // 2)
    return runs, runs[:, 0] + trim, runs[:, 1] - trim


def _extents(values: Array, starts: Frames, stops: Frames) -> Array:
    """Largest minus smallest (R, ...) of values (F, ...) within each [start, stop)."""
    padded = np.concatenate([values, values[-1:]])
    bounds = np.stack([starts, stops], axis=1).ravel()
    return (np.maximum.reduceat(padded, bounds) - np.minimum.reduceat(padded, bounds))[::2]


def slides(case: Case, column: int) -> Iterator[Suspicion]:
    """Joints that travel or rise while they are marked as down, more than this clip's usually do."""
    runs, starts, stops = _cores(case, column)
    if not len(runs):
        return
    name = case.labels.contact_joints[column]
    extents = _extents(case.tracks[:, column], starts, stops)
    travel, rise = np.linalg.norm(extents[:, :2], axis=-1), extents[:, 2]
    for verb, distance, allowed in (("slides", travel, 0.03), ("moves up and down by", rise, 0.025)):
        usual = min(float(np.median(distance)), 0.03) if len(runs) > 3 else 0.0
        doubts = 0.9 * saturating(distance - allowed - usual, 0.06)
        for (start, stop), doubt, metres in zip(runs, doubts, distance, strict=True):
            if doubt >= LEAST:
                text = _sentence(f"{case.words(column)} {verb} {100 * metres:.0f} cm while it is down")
                frame = _fastest(case.tracks[start:stop, column]) + start
                yield Suspicion(start, stop, frame, "SLIDE", name, case.thing(column), (column,), float(doubt), text)


def _fastest(track: Array) -> int:
    """The frame of a track (F, 3) after which it moves most."""
    return int(np.argmax(np.linalg.norm(np.diff(track, axis=0), axis=-1))) if len(track) > 1 else 0


LONGEST_REST: Final = 0.3
"""Seconds beyond a contact within which a joint may still rest."""
AT_REST: Final = 0.015
"""Metres within which a joint is where it was."""


def rests(case: Case, column: int) -> Iterator[Suspicion]:
    """Joints that rest in their place longer than they are marked as down, and longer than usual in this clip."""
    runs = runs_of(case.state[:, column])
    track, reach = case.tracks[:, column], max(round(LONGEST_REST * case.rate), 1)
    inside = np.minimum(round(0.04 * case.rate), (runs[:, 1] - runs[:, 0]) // 2)
    for when, edges, inner, way in (
        ("before it counts as down", runs[:, 0], runs[:, 0] + inside, -1),
        ("after it counts as up", runs[:, 1] - 1, runs[:, 1] - 1 - inside, 1),
    ):
        real = (edges > 0) & (edges < len(track) - 1)
        if not real.any():
            continue
        around = edges[real, None] + way * np.arange(1, reach + 1)
        frames = np.clip(around, 0, len(track) - 1)
        there = np.linalg.norm(track[frames] - track[inner[real], None], axis=-1) < AT_REST
        there &= frames == around
        seconds = np.cumprod(there, axis=1).sum(axis=1) / case.rate
        usual = float(np.median(seconds)) if len(seconds) > 3 else 0.05
        doubts = 0.65 * saturating(seconds - usual - 0.03, 0.09)
        for edge, doubt, rested in zip(edges[real], doubts, seconds, strict=True):
            if doubt >= LEAST:
                text = _sentence(f"{case.words(column)} rests for {_seconds(rested)} {when}")
                first, last = sorted((int(edge), int(edge + way * rested * case.rate)))
                thing = case.thing(column)
                yield Suspicion(first, last, int(edge), "REST", case.name(column), thing, (column,), float(doubt), text)


def heights(case: Case, column: int) -> Iterator[Suspicion]:
    """Contacts higher than both neighbours, or lower than both, which those on stairs and slopes are not."""
    runs, starts, stops = _cores(case, column)
    if len(runs) < 3:
        return
    name = case.labels.contact_joints[column]
    heights = np.concatenate([[0.0], np.cumsum(case.tracks[:, column, 2])])
    mean = (heights[stops] - heights[starts]) / (stops - starts)
    before, after = mean[:-2], mean[2:]
    over = np.zeros_like(mean)
    over[1:-1] = mean[1:-1] - np.clip(mean[1:-1], np.minimum(before, after), np.maximum(before, after))
    usual = min(float(np.median(np.abs(over))), 0.02)
    doubts = 0.8 * saturating(np.abs(over) - 0.03 - usual, 0.05)
    for (start, stop), doubt, metres in zip(runs, doubts, over, strict=True):
        if doubt >= LEAST:
            where = "above" if metres > 0 else "below"
            text = _sentence(
                f"{case.words(column)} stands {100 * abs(metres):.0f} cm {where} its contacts before and after"
            )
            middle = (start + stop) // 2
            yield Suspicion(start, stop, middle, "HEIGHT", name, case.thing(column), (column,), float(doubt), text)


def _strikes(case: Case) -> tuple[Frames, Frames]:
    """All strikes in time and their sides, 0 left and 1 right."""
    left, right = case.labels.left_strikes, case.labels.right_strikes
    frames = np.concatenate([left, right]).astype(np.intp)
    sides = np.concatenate([np.zeros(len(left), dtype=np.intp), np.ones(len(right), dtype=np.intp)])
    turns = np.argsort(frames, kind="stable")
    return frames[turns], sides[turns]


USUAL_STEP: Final = 0.55
"""Seconds from one foot's strike to the other's where the clip does not tell."""


def _about_strikes(
    case: Case, kind: str, side: int, start: int, stop: int, frame: int, doubt: float, text: str
) -> Suspicion:
    letter = "LR"[side]
    columns = case.feet.get(letter, ())
    return Suspicion(int(start), int(stop), int(frame), kind, letter, FEET, columns, float(doubt), _sentence(text))


def order(case: Case) -> Iterator[Suspicion]:
    """Strikes of one foot in a row, of both feet at once, and none for long although the character is on its way."""
    frames, sides = _strikes(case)
    if len(frames) < 2:
        return
    gaps, same = np.diff(frames), sides[1:] == sides[:-1]
    strides = np.concatenate([np.diff(case.labels.left_strikes), np.diff(case.labels.right_strikes)])
    step = float(np.median(strides)) / 2 if len(strides) > 2 else USUAL_STEP * case.rate
    moving = 1 - case.stood(frames[:-1], frames[1:])
    names = ("left", "right")
    for index in np.flatnonzero(same | (gaps < 0.3 * step) | (gaps > 2 * step)):
        here, there, side, gap = frames[index], frames[index + 1], sides[index + 1], gaps[index]
        seconds = _seconds(gap / case.rate)
        if same[index] and gap < 1.3 * step:
            text, doubt = f"{names[side]} foot comes down twice within {seconds}", 0.9 - 0.3 * max(gap / step - 0.6, 0)
            yield _about_strikes(case, "ORDER", side, there - 1, there + 1, there, doubt, text)
        elif same[index]:
            text = f"two {names[side]} steps in a row: the {names[1 - side]} one between them may be missing"
            doubt = moving[index] * (0.85 if gap < 3 * step else 0.6)
            yield _about_strikes(case, "ORDER", 1 - side, here, there, (here + there) // 2, doubt, text)
        elif gap < 0.3 * step:
            doubt = 0.75 * (1 - gap / (0.3 * step)) * _grounded(case, here)
            text = f"both feet come down within {seconds}"
            yield _about_strikes(case, "ORDER", side, there - 1, there + 1, there, doubt, text)
        else:
            doubt = 0.8 * moving[index] * float(saturating(np.array(gap / step - 1.8), 0.6))
            text = f"no step for {seconds} although the character moves"
            yield _about_strikes(case, "ORDER", side, here, there, (here + there) // 2, doubt, text)


def _grounded(case: Case, frame: int) -> float:
    """How little of a jump there is about a frame: both feet land at once from one."""
    names = case.labels.gait_names
    if "jump" not in names:
        return 1.0
    reach = round(0.3 * case.rate)
    return 1 - float(case.labels.gaits[max(frame - reach, 0) : frame + reach, names.index("jump")].max())


def pace(case: Case) -> Iterator[Suspicion]:
    """Strikes at which the phase's speed jumps, more than at the same foot's strikes around: a limp repeats itself."""
    frames, sides = _strikes(case)
    if len(frames) < 4:
        return
    gaps = np.diff(frames).astype(float)
    usable = (sides[1:] != sides[:-1]) & (gaps > 0)
    stood = case.stood(frames[:-1], frames[1:])
    ratio = np.log(np.maximum(gaps[1:], 1) / np.maximum(gaps[:-1], 1))
    valid = usable[1:] & usable[:-1]
    ratio = np.where(valid, ratio, 0.0)
    unusual = _against_own_kind(ratio, valid)
    spread = max(1.48 * float(np.median(np.abs(unusual[valid]))) if valid.any() else 0.0, 0.08)
    size = np.abs(unusual)
    peak = (size >= np.append(size[1:], 0)) & (size >= np.insert(size[:-1], 0, 0))
    doubts = 0.75 * saturating(size / spread - 2.5, 2.5) * (1 - np.maximum(stood[1:], stood[:-1]))
    for index in np.flatnonzero(peak & (doubts >= LEAST)):
        here, side = frames[index + 1], sides[index + 1]
        before, after = (_seconds(gap / case.rate) for gap in gaps[index : index + 2])
        text = f"steps of {before} and {after} around the {'left' if side == 0 else 'right'} foot's strike"
        yield _about_strikes(case, "PACE", side, here - 1, here + 1, here, doubts[index], text)


def _against_own_kind(values: Array, valid: Flags) -> Array:
    """Values (N) less the median of those two before, two after and so on: the same foot's, up to three each way."""
    reach = 6
    padded = np.pad(np.where(valid, values, np.nan), reach, constant_values=np.nan)
    around = np.stack([padded[reach + by : len(padded) - reach + by] for by in (-6, -4, -2, 2, 4, 6)])
    known = np.isfinite(around).any(axis=0)
    usual = np.zeros_like(values)
    usual[known] = np.nanmedian(around[:, known], axis=0)
    return np.where(valid, values - usual, 0.0)


def lengths(case: Case) -> Iterator[Suspicion]:
    """Feet that stay down, or up, longer or shorter than they and the other foot do around it."""
    for down, phrase in ((True, "down"), (False, "up")):
        spans = {side: _inner_runs(state == down) for side, state in case.down.items()}
        every = np.concatenate(list(spans.values())) if spans else np.empty((0, 2), dtype=np.intp)
        if len(every) < 4:
            continue
        every = every[np.argsort(every[:, 0], kind="stable")]
        for side, runs in spans.items():
            if not len(runs):
                continue
            seconds = (runs[:, 1] - runs[:, 0]) / case.rate
            usual = _nearest_durations(every, runs[:, 0], case.rate)
            off = np.abs(np.log(seconds[:, None] / np.stack([usual, _own_usual(seconds)], axis=1))).min(axis=1)
            moving = 1 - case.stood(runs[:, 0], runs[:, 1])
            doubts = 0.6 * saturating(off - 0.4, 0.5) * moving**2
            for (start, stop), doubt, one, other in zip(runs, doubts, seconds, usual, strict=True):
                if doubt >= LEAST:
                    text = f"{SIDES[side]} foot is {phrase} for {_seconds(one)}, where {_seconds(other)} is usual"
                    middle = int(start if one < other else (start + stop) // 2)
                    columns = case.feet[side]
                    yield Suspicion(start, stop, middle, "LENGTH", side, FEET, columns, float(doubt), _sentence(text))


def _inner_runs(state: Flags) -> Frames:
    runs = runs_of(state)
    return runs[(runs[:, 0] > 0) & (runs[:, 1] < len(state))]


def _nearest_durations(every: Frames, starts: Frames, rate: float) -> Array:
    """The median duration, seconds, of the seven of all runs that lie around each of some runs."""
    durations = (every[:, 1] - every[:, 0]) / rate
    at = np.searchsorted(every[:, 0], starts)
    around = np.clip(at[:, None] + np.arange(-3, 4), 0, len(every) - 1)
    return np.median(durations[around], axis=1)


def _own_usual(seconds: Array) -> Array:
    """The median duration of a foot's runs two before to two after each, itself left out."""
    if len(seconds) < 2:
        return seconds
    at = np.arange(len(seconds))[:, None] + np.array([-2, -1, 1, 2])
    around = np.where((at >= 0) & (at < len(seconds)), seconds[np.clip(at, 0, len(seconds) - 1)], np.nan)
    return np.nanmedian(around, axis=1)


STEPPING: Final = ("stand", "walk", "crouch")
"""Gaits in which a foot is always down."""


def flights(case: Case) -> Iterator[Suspicion]:
    """Moments without a foot down in gaits that have none."""
    labels = case.labels
    if not case.down:
        return
    stepping = labels.gaits[:, [labels.gait_names.index(name) for name in STEPPING if name in labels.gait_names]]
    share = np.concatenate([[0.0], np.cumsum(stepping.sum(axis=1) * _free(labels))])
    runs = runs_of(~np.any(list(case.down.values()), axis=0))
    if not len(runs):
        return
    starts, stops = runs.T
    seconds = (stops - starts) / case.rate
    doubts = 0.85 * saturating(seconds - 0.04, 0.1) * (share[stops] - share[starts]) / (stops - starts)
    columns = tuple(column for foot in case.feet.values() for column in foot)
    for start, stop, doubt, duration in zip(starts, stops, doubts, seconds, strict=True):
        if doubt >= LEAST:
            text = _sentence(f"no foot is down for {_seconds(duration)} although nobody runs or jumps")
            middle = int(start + stop) // 2
            yield Suspicion(start, stop, middle, "FLIGHT", FEET, FEET, columns, float(doubt), text)


def _free(labels: Labels) -> Array:
    """Share (F) of what the character does that keeps no foot off the ground: all but sitting and climbing."""
    held = [labels.action_names.index(name) for name in ("sit", "climb") if name in labels.action_names]
    return 1 - labels.actions[:, held].sum(axis=1)


FLICKER: Final = 0.5
"""Seconds under which a gait or an action between two others is a flicker."""
SPEEDS: Final = ("stand", "idle", "walk", "jog", "run")
"""What one goes through when one gets faster."""


def flickers(case: Case) -> Iterator[Suspicion]:
    """Gaits and actions that last for a moment only, unless they lie on the way from a slower to a faster one."""
    labels = case.labels
    for kind, names, shares in (
        ("gait", labels.gait_names, labels.gaits),
        ("action", labels.action_names, labels.actions),
    ):
        if not shares.shape[1]:
            continue
        chosen = shares.argmax(axis=1)
        starts = np.flatnonzero(np.concatenate([[True], chosen[1:] != chosen[:-1]]))
        stops = np.append(starts[1:], len(chosen))
        seconds = (stops - starts) / case.rate
        for index in np.flatnonzero(seconds[1:-1] < FLICKER) + 1:
            before, here, after = (names[chosen[starts[index + by]]] for by in (-1, 0, 1))
            start, stop = int(starts[index]), int(stops[index])
            doubt = _oddity(before, here, after) * (1.2 - seconds[index] / FLICKER)
            if doubt < LEAST:
                continue
            text = _sentence(f"{here} for only {_seconds(seconds[index])} between {before} and {after}")
            yield Suspicion(start, stop, start, "FLICKER", here, kind, (), float(doubt), text)


def _oddity(before: str, here: str, after: str) -> float:
    """How odd a moment of one gait between two others is: not at all on the way from a slower one to a faster one."""
    if not {before, here, after} <= set(SPEEDS):
        return 0.55 if before == after else 0.35
    first, middle, last = (SPEEDS.index(name) for name in (before, here, after))
    if first < middle < last or first > middle > last:
        return 0.0
    return 0.25 if abs(middle - first) == 1 else 0.55
