"""Errands one after the other: walk there, sit for three seconds, take the box, put it on the desk, leave by the door.

The controller goes for one goal at a time; this says which, and sees when it is reached. What is carried goes with the
hands from when both hold it (over half a second, so that nothing jumps), and lies still where it is put.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...features.interaction import ACTIONS, CONTACTS
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing, out_of_frame
from ...motion.rotations import Array, about_up, rotate
from ...scene.collider_pose import Placed
from ...scene.interaction_object import Thing
from ..navigation.approach_pose import blocked, place_before
from ..navigation.flow_field import Ways
from ..runtime.interaction_runtime import Acted, Actors, Target
from .attachment import HANDING, Carried, LetGo
from .door import FALLS, SWUNG, THROUGH, pushed, pushing

ARRIVED: Final = 0.25
"""Metres from where somebody walks to at which they stop."""
SLOW: Final = 0.12
"""Metres a second, of the root, below which somebody is still."""
DONE: Final = 0.8
"""Share of an action from which it is done, and not begun."""
STILL: Final = 0.25
"""Seconds for which somebody is still before they are taken to be there."""
TAKEN: Final = 0.35
"""Metres between the hands' middle and the box's at which it is taken."""
FETCHED: Final = 0.8
"""Metres between them from which nobody can be taking it yet."""
READY: Final = {"sit": 0.36, "carry": 0.42}
"""Metres before a seat's middle, or a box's, where one stands who begins to sit down, or to take it."""
AROUND: Final = 0.95
"""Metres within which somebody is near to what they came for; ..."""
PATIENCE, NUDGE = 0.8, 0.5
"""... after so many seconds they are brought to where they begin, by this share of the full way."""
TAKING: Final = 0.9
"""Seconds from when hands go down until they take hold."""
ASIDE, TURNED = (0.1, 0.25), (0.35, 0.8)
"""Metres to the side, and radians, by which somebody may be off before a box to take it, and from which they do not."""
BENDING: Final = (0.05, 0.2)
"""Metres from hands down to a box at which somebody has bent for it, and at which they have not."""
BEGUN: Final = 0.3
"""Share of an action from which somebody is brought to the very place where it is done."""
PUT: Final = 0.45
"""Metres between a box and its place at which it may be put down; ..."""
THERE, NEARER, WAITED = 0.04, 0.005, 1.0
"""... taken or put it is when it is this near, or has come no nearer, by so much, for so many seconds."""
UNTURNED: Final = 4.0
"""Seconds after which something is put by who does not get to face its place."""
HELD: Final = 0.5
LONGEST: Final = 25.0
"""Seconds after which an errand is given up."""
BEFORE: Final = {"sit": 0.6, "carry": 0.5, "open": -1.5}
"""Metres before a thing, by what is done with it, to which a way leads: a way through a door goes on behind it."""
SIDES: Final = {"carry": (0, 1, 2, 3), "open": (0, 2)}
"""The sides from which something can be done, in quarters from the front; all else is done from its front."""
ENTRY: Final = 1.1
"""Metres before a door at which one is in line with it; ..."""
LINE, MIDDLE = 0.22, 0.5
"""... its middle is so far to the side, at most, and nearer they are brought to it by this share of the full way."""
FAR: Final = 1.5
"""Metres by which a goal is taken to be farther, so that one is led to where the way to it begins."""
STIRRED: Final = 0.1
"""Metres, or parts of a quaternion, by which things have moved when ways are found anew."""


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """One thing to do.

    Attributes:
        action: ``"walk"``, ``"run"``, ``"idle"``, ``"sit"``, ``"carry"`` or ``"open"``.
        thing: number of the thing that it is done with; -1 without one.
        position: (3) where to walk or run; where to put what is carried; metres, world.
        direction: (2) which way to face there; the front of what is put down.
        stand: (2) the side of what is put down on which its bearer stands, where no ``direction`` is asked for.
        seconds: how long to stay.
    """

    action: str
    thing: int = -1
    position: Array | None = None
    direction: Array | None = None
    stand: Array | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happened.

    Attributes:
        frame: when.
        kind: ``"began"``, ``"reached"``, ``"took"``, ``"put"``, ``"opened"`` or ``"gave up"``.
        errand: number of the errand.
    """

    frame: int
    kind: str
    errand: int


@dataclass(eq=False)
class Play:
    """An actor on their errands; the frames that are made so far are in ``frames``, one for each.

    Attributes:
        model: a controller that interacts.
        things: all that is about, as it is at first.
        errands: what to do, in order.
        position: (2) where they begin, metres, world.
        yaw: radians, which way they face; zero is +Y.
        both: see :class:`Actors`.

    Raises:
        FootfallError: an errand cannot be done with its thing; one sentence says why.
    """

    model: ControllerModel
    things: Sequence[Thing]
    errands: Sequence[Errand]
    position: Array
    yaw: float = 0.0
    both: bool = True
    frames: list[Acted] = field(default_factory=list)
    places: list[tuple[Thing, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.model.interacts:
            raise FootfallError("This controller walks along paths and knows no goals: choose one that interacts.")
        for errand in self.errands:
            check(errand, self.things)
        self.actors = Actors(self.model, self.position[None], [self.yaw], self.both)
        self.things = tuple(self.things)
        self.now = self.things
        self._hands = [
            self.model.joints.index(self.model.skeleton.names[self.model.skeleton.role(f"hand.{side}")])
            for side in "LR"
        ]
        self._pushing = pushing(self.model)
        self.errand, self._since, self._stay, self._calm, self._lined = 0, 0, 0, 0, False
        self._carried: Carried | None = None
        self._let_go: LetGo | None = None
        self._open = dict.fromkeys(range(len(self.things)), 0.0)
        self.sides: list[int] = []
        self._ways: tuple[Array, Ways] | None = None
        self._begin(0)

    @property
    def done(self) -> bool:
        """Whether all errands are done."""
        return self.errand >= len(self.errands)

    def advance(self, count: int) -> bool:
        """Makes some frames; false once all errands are done."""
        for _ in range(count):
            if self.done:
                return False
            self._frame()
        return not self.done

    def move(self, number: int, thing: Thing) -> None:
        """Has a thing be elsewhere, as if it had always been: somebody has moved it. What somebody carries, or has
        carried, is not theirs to move.
        """
        if any(self.errands[event.errand].thing == number for event in self.events if event.kind == "took"):
            return
        self.things = (*self.things[:number], thing, *self.things[number + 1 :])
        self.places = [(*now[:number], thing, *now[number + 1 :]) for now in self.places]
        self._move(number, thing)

    def _frame(self) -> None:
        errand = self.errands[self.errand]
        # Who sits down minds their seat alone; a desk before it is no reason to go away again.
        minds = {errand.thing} if errand.action == "sit" and self._share("sit") > 0 else range(len(self.now))
        around = [self.now[number].placed for number in minds if not (self._carried and number == self._carried.thing)]
        solid = [
            one.placed
            for number, one in enumerate(self.now)
            if number != errand.thing and not (self._carried and number == self._carried.thing)
        ]
        acted = self.actors.step([self.target(errand)], around, [self._carrying(errand)], solid)
        self.frames.append(acted)
        hands = self.hands(acted)
        if self._let_go is not None:
            self._move(self._let_go.thing, self._let_go.at(self._seconds(self._let_go.since)))
        elif self._carried is not None:
            self._move(self._carried.thing, self._carried.at(hands, self._seconds(self._carried.since)))
        self._swing(errand, acted)
        self.places.append(self.now)
        speed = float(np.linalg.norm(self.actors.position[0] - acted.position[0])) * self.model.rate
        self._calm = self._calm + 1 if speed < SLOW else 0
        self._progress(errand, acted, hands)

    def _carrying(self, errand: Errand) -> tuple[float, float]:
        """How far somebody is carrying, at least and at most: the nearer their hands are to what they fetch, the more
        they can be; the farther what they have is from where it shall be, or they from facing that, the more they are.
        """
        if errand.action != "carry" or not self.frames:
            return 0.0, 1.0
        thing, hands = self.now[errand.thing], self.hands(self.frames[-1]).mean(axis=0)
        if self._carried is not None:
            thing = self._put(errand, thing)
        away = float(np.linalg.norm(thing.placed.out(thing.middle[None])[0] - hands))
        far = float(np.interp(away, (TAKEN, FETCHED), (0.0, 1.0)))
        if self._carried is not None:
            return max(far, 1.0 - self._stands_before(thing.seen_from(self.side))), 1.0
        # Who stands right and still does not begin begins; who does not stand right does not.
        most = min(1.0 - far, self._stands_before(thing.seen_from(self.side)))
        waited = self._seconds(self._came) - 2 * PATIENCE
        return float(np.clip(min(waited / TAKING, most), 0.0, 1.0)), most

    def _stands_before(self, box: Thing) -> float:
        """How well (0 to 1) somebody stands before a box, in the middle of it and facing it."""
        offset = self.actors.position[0] - box.position[:2]
        aside = abs(float(offset @ np.array([box.front[1], -box.front[0]])))
        turned = float(np.arccos(np.clip(-facing(self.actors.yaw[0]) @ box.front, -1.0, 1.0)))
        return float(min(np.interp(aside, ASIDE, (1.0, 0.0)), np.interp(turned, TURNED, (1.0, 0.0))))

    def target(self, errand: Errand) -> Target:
        """What the controller goes for now."""
        if errand.thing < 0:
            place = np.zeros(3) if errand.position is None else errand.position
            away = float(np.linalg.norm(place[:2] - self.actors.position[0]))
            action = errand.action if away > ARRIVED else "idle"
            ahead = place[:2] - self.actors.position[0]
            direction = errand.direction if errand.direction is not None else ahead / max(away, 1e-6)
            return Target(action, place, direction, ways=self._to(place[:2], errand))
        thing = self.now[errand.thing]
        if errand.action == "carry" and self._carried is not None:
            thing = self._put(errand, thing)
        elif errand.action == "open":
            thing = self.things[errand.thing]
        seen = thing.seen_from(self.side)
        before = BEFORE[errand.action]
        if errand.action == "open" and not self._in_line(seen):
            return Target("open", seen.position, seen.front, seen.volume, self._to(self._before(seen), errand), FAR)
        place = seen.position[:2] + before * seen.front
        if errand.action == "sit" and (seat := seen.found_seat) is not None:
            ahead = rotate(seen.rotation, np.append(seat.direction, 0.0))[:2]
            over = seen.placed.out(seat.position[None])[0, :2]
            rest = over, ahead, self._share("sit")
            if rest[2] == 0.0:
                rest = over + READY["sit"] * ahead, ahead, self._nudge(over)
            place = place_before(over, ahead, before, READY["sit"], self.actors.position[0], self._others(errand))
        else:
            rest = self._held_out(seen) if errand.action == "carry" else self._led_through(seen)
        waits = 0.0 if errand.action == "open" or self._share(errand.action) > 0 else min(rest[2] / NUDGE, 1.0)
        return Target(
            errand.action, seen.position, seen.front, seen.volume, self._to(place, errand), before, rest, waits
        )

    def _share(self, action: str) -> float:
        """How far (0 to 1) an action is done now; nothing where it has hardly begun."""
        share = float(self.frames[-1].actions[0, ACTIONS.index(action)]) if self.frames else 0.0
        return share if share > BEGUN else 0.0

    def _nudge(self, place: Array) -> float:
        """How much (0 to 1) somebody is brought to where one begins, who has been near to what they came for (2) for a
        while and does not begin.
        """
        if np.linalg.norm(self.actors.position[0] - place) > AROUND:
            self._came = len(self.frames)
        return NUDGE * float(np.clip(self._seconds(self._came) - PATIENCE, 0.0, 1.0))

    def _held_out(self, box: Thing) -> tuple[Array, Array, float]:
        """Where somebody stands whose hands are about a box where it is taken, or put; see :attr:`Target.rest`."""
        position = self.actors.position[0]
        if self._share("carry") == 0.0:
            return box.position[:2] + READY["carry"] * box.front, -box.front, self._nudge(box.position[:2])
        off = box.placed.out(box.middle[None])[0] - self.hands(self.frames[-1]).mean(axis=0)
        near = float(np.interp(np.linalg.norm(off[:2]), (TAKEN, FETCHED), (1.0, 0.0)))
        # Who has not bent yet comes to where one bends.
        bent = float(np.interp(-off[2], BENDING, (1.0, 0.0)))
        place = bent * (position + off[:2]) + (1 - bent) * (box.position[:2] + READY["carry"] * box.front)
        return place, -box.front, near * self._share("carry")

    def _led_through(self, door: Thing) -> tuple[Array, Array, float]:
        """The middle of a door's way abreast of somebody who goes through it; see :attr:`Target.rest`."""
        offset = self.actors.position[0] - door.position[:2]
        ahead = float(offset @ door.front)
        share = MIDDLE * float(np.interp(abs(ahead), (ENTRY / 2, ENTRY), (1.0, 0.0)))
        return door.position[:2] + ahead * door.front, -door.front, share

    def _in_line(self, door: Thing) -> bool:
        """Whether somebody has come before a door, so that they can go straight through."""
        offset = self.actors.position[0] - door.position[:2]
        ahead, aside = float(offset @ door.front), abs(float(offset @ np.array([door.front[1], -door.front[0]])))
        self._lined = self._lined or (aside < LINE and ahead < ENTRY + 2 * LINE)
        return self._lined

    @staticmethod
    def _before(door: Thing) -> Array:
        """Where (2) one comes before a door."""
        return door.position[:2] + ENTRY * door.front

    def _put(self, errand: Errand, thing: Thing) -> Thing:
        """What is carried where it shall be put."""
        assert errand.position is not None
        front = thing.front if errand.direction is None else errand.direction
        if errand.direction is None and errand.stand is not None:
            front = rotate(about_up(np.array(-self.side * np.pi / 2)), np.append(errand.stand, 0.0))[:2]
        return thing.put(errand.position, front)

    @property
    def side(self) -> int:
        """From which side the errand's thing is gone for, in quarters from its front."""
        return self.sides[self.errand]

    def _to(self, place: Array, errand: Errand) -> Ways:
        """The ways to a place (2), found anew when it, or something that stands about, has moved."""
        around = [
            thing.placed
            for number, thing in enumerate(self.now)
            if not (self._carried and number == self._carried.thing)
            and not (errand.action == "open" and number == errand.thing)
        ]
        state = np.concatenate([place, *(part for one in around for part in (one.position, one.rotation))])
        known = self._ways
        if known is None or len(known[0]) != len(state) or np.abs(known[0] - state).max() > STIRRED:
            known = self._ways = state, Ways.to(place, self.actors.position[0], around)
        return known[1]

    def hands(self, acted: Acted) -> Array:
        """Where the wrists are (2, 3), left and right, metres, world."""
        return self._pose(acted, self._hands)

    def _pose(self, acted: Acted, joints: list[int]) -> Array:
        """Where some joints of the pose are (N, 3), metres, world."""
        pose = self.model.output_layout.view(acted.output[0], "pose.position").astype(float)[joints]
        return out_of_frame(pose, np.full(len(joints), acted.yaw[0])) + np.append(acted.position[0], 0.0)

    def _progress(self, errand: Errand, acted: Acted, hands: Array) -> None:
        action = acted.actions[0, ACTIONS.index(errand.action)]
        still = self._calm > STILL * self.model.rate
        if self._seconds(self._since) > LONGEST and self._stay == 0:
            self._say("gave up")
            self._next()
        elif errand.action == "carry":
            self._carry(errand, acted, hands)
        elif errand.action == "open":
            if self._through(errand, acted):
                self._next()
        elif errand.action == "sit":
            touches = acted.contacts[0, CONTACTS.index("hips")] > HELD
            self._arrive(errand, bool(still and action > DONE and touches))
        else:
            away = 0.0 if errand.position is None else float(np.linalg.norm(errand.position[:2] - acted.position[0]))
            self._arrive(errand, away < (2 * ARRIVED if still else ARRIVED) and (still or not self._last()))

    def _arrive(self, errand: Errand, there: bool) -> None:
        """Stays as long as the errand says once somebody is there."""
        if self._stay == 0 and there:
            self._say("reached")
            self._stay = len(self.frames)
        if self._stay and self._seconds(self._stay) >= errand.seconds:
            self._next()

    def _carry(self, errand: Errand, acted: Acted, hands: Array) -> None:
        thing, middle = self.now[errand.thing], hands.mean(axis=0)
        holding = acted.contacts[0, [CONTACTS.index("hand.L"), CONTACTS.index("hand.R")]].min() > HELD
        if self._carried is None:
            away = float(np.linalg.norm(thing.placed.out(thing.middle[None])[0] - middle))
            if self._nearest_yet(away, TAKEN) and holding:
                self._say("took")
                self._carried = Carried.of(errand.thing, thing, hands, len(self.frames))
                self._since, self._closest = len(self.frames), (np.inf, len(self.frames))
            return
        if self._let_go is not None:
            if self._seconds(self._let_go.since) >= HANDING:
                self._carried = self._let_go = None
                self._next()
            return
        assert errand.position is not None
        away = float(np.linalg.norm(thing.position - errand.position))
        faces = self._stands_before(self._put(errand, thing).seen_from(self.side)) > 0.0
        if self._nearest_yet(away, PUT) and (faces or self._seconds(self._closest[1]) > UNTURNED):
            self._say("put")
            self._let_go = LetGo(errand.thing, thing, self._put(errand, thing), len(self.frames) - 1)

    def _nearest_yet(self, away: float, least: float) -> bool:
        """Whether something is as near, metres, as it gets: it is there, or near enough and comes no nearer."""
        if away < self._closest[0] - NEARER:
            self._closest = away, len(self.frames)
        return away < THERE or (away < least and self._seconds(self._closest[1]) > WAITED)

    def _swing(self, errand: Errand, acted: Acted) -> None:
        """Doors are pushed by who goes through, and fall shut by themselves."""
        for number, thing in enumerate(self.things):
            if thing.handle is None:
                continue
            if errand.action == "open" and errand.thing == number and not self._through(errand, acted):
                self._open[number] = self._pushed(thing, acted, self._open[number])
                told = any(one.errand == self.errand and one.kind == "opened" for one in self.events)
                if abs(self._open[number]) > SWUNG and not told:
                    self._say("opened")
            else:
                self._open[number] *= 0.1 ** (1 / (FALLS * self.model.rate))
            self._move(number, thing.turned(self._open[number]))

    def _pushed(self, door: Thing, acted: Acted, angle: float) -> float:
        """How far a door is open, radians, that somebody goes through, who had opened it so far."""
        joints, thick = self._pushing
        return pushed(door.seen_from(self.side), acted.position[0], self._pose(acted, joints), thick, angle)

    def _through(self, errand: Errand, acted: Acted) -> bool:
        thing = self.things[errand.thing]
        beyond = (acted.position[0] - thing.position[:2]) @ thing.front
        begun = (self._began - thing.position[:2]) @ thing.front
        assert thing.handle is not None
        return bool(beyond * np.sign(begun) < -thing.handle.reach - THROUGH)

    def _move(self, number: int, thing: Thing) -> None:
        self.now = (*self.now[:number], thing, *self.now[number + 1 :])

    def _say(self, kind: str) -> None:
        self.events.append(Event(len(self.frames), kind, self.errand))

    def _next(self) -> None:
        self._begin(self.errand + 1)

    def _begin(self, errand: int) -> None:
        self.errand, self._since, self._stay, self._calm = errand, len(self.frames), 0, 0
        self._came = len(self.frames)
        self._lined, self._closest = False, (np.inf, len(self.frames))
        self._began = self.actors.position[0].copy()
        if not self.done:
            self.sides.append(self._nearest_side(self.errands[errand]))
            self._say("began")

    def _nearest_side(self, errand: Errand) -> int:
        """The side of an errand's thing that is nearest, of those where somebody can stand."""
        if errand.thing < 0 or errand.action not in SIDES:
            return 0
        thing = self.now[errand.thing]
        others = self._others(errand)

        def far(side: int) -> float:
            stand = thing.position[:2] + BEFORE["carry"] * thing.seen_from(side).front
            return float(np.linalg.norm(stand - self.actors.position[0])) + blocked(stand, others)

        return min(SIDES[errand.action], key=far)

    def _others(self, errand: Errand) -> list[Placed]:
        """What else is about, than what an errand is done with."""
        return [one.placed for number, one in enumerate(self.now) if number != errand.thing]

    def _last(self) -> bool:
        return self.errand == len(self.errands) - 1

    def _seconds(self, since: int) -> float:
        return (len(self.frames) - since) / self.model.rate


def check(errand: Errand, things: Sequence[Thing]) -> None:
    """Raises :class:`FootfallError` where an errand cannot be done."""
    needed = errand.action in ("sit", "carry", "open")
    if not needed:
        return
    if not 0 <= errand.thing < len(things):
        raise FootfallError(f"Nothing is chosen to {errand.action}: choose an object.")
    thing = things[errand.thing]
    if errand.action == "sit" and thing.found_seat is None:
        raise FootfallError(f"Nobody can sit on '{thing.name}': it has no level place of a seat's size and height.")
    if errand.action == "carry" and thing.found_grips is None:
        raise FootfallError(f"'{thing.name}' is too wide to be held between two hands.")
    if errand.action == "carry" and errand.position is None:
        raise FootfallError(f"It is not said where '{thing.name}' is to be put: choose a place for it.")
    if errand.action == "open" and thing.handle is None:
        raise FootfallError(f"'{thing.name}' has no handle: say where its handle and its hinge are.")
