"""The actions of characters: one table that labels, controllers, interaction tasks and training share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from .message import Message

Color = tuple[float, float, float, float]

LOCOMOTION_ACTIONS: Final = ("idle", "walk", "run")
"""Actions without an object; the others are interactions."""
LABEL_ACTIONS: Final = (
    *LOCOMOTION_ACTIONS,
    *("sit", "open", "carry", "climb", "strike", "lie", "push", "sit_ground", "lean"),
)
"""Actions with a label column, in the order of label files; new actions are appended."""
CONTROLLER_ACTIONS: Final = (
    *LOCOMOTION_ACTIONS,
    *("sit", "open", "carry", "climb", "lie", "push", "mount", "sit_ground", "lean"),
)
"""Actions that interaction controllers perform; two may be active at once, for example *carry* and *walk*.

A controller knows only the actions that existed when it was trained, so new ones are appended. *Climb* labels slopes
and stairs that are walked; *mount* is climbing an object, with a beginning and an end.
"""


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A type of interaction task in the animator's menu, such as *Sit On*.

    Attributes:
        title, description, icon: name, tooltip and Blender icon of its menu item.
        number: integer by which .blend files store the type.
        fields: settings of such a task in a scene file; ``object`` and ``target`` are required if listed.
    """

    title: str
    description: str
    icon: str
    number: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """Properties of one action, such as *sit*.

    Attributes:
        name: identifier in labels and files.
        title: title of its label; empty for the capitalized name.
        phrase: verb phrase for messages, such as "sit down"; empty for the name.
        colors: colors of its label on dark and on light backgrounds; ``None`` without a label, or for a gait's colors.
        task: the interaction task that requests it; ``None`` if no task does.
        object_kind: kind of object that it needs, see :mod:`.scene.interaction_object`; empty for none.
        is_goal: whether it can be commanded, and thus is a goal of labels and of controllers.
        rests: whether the hips come to rest on a seat or on the ground.
        grips: whether both hands hold the object from the start of the action.
        lifts_feet: whether both feet may leave the ground.
        waits: whether a character can stand waiting at the place of the action before starting it.
        transitions: names of its start and end transitions; a single name if the whole action is one transition.
        min_label_s: shortest label segment of the action, and shortest gap between two, seconds.
        motion: name of the controller action that performs it; empty if it is the action's own name.
        needs_clips: whether its training takes are made from captured clips rather than synthesized.
        take_share: share of its takes among all training takes, 0 to 1.
    """

    name: str
    title: str = ""
    phrase: str = ""
    colors: tuple[Color, Color] | None = None
    task: TaskInfo | None = None
    object_kind: str = ""
    is_goal: bool = True
    rests: bool = False
    grips: bool = False
    lifts_feet: bool = False
    waits: bool = False
    transitions: tuple[str, ...] = ()
    min_label_s: float = 0.5
    motion: str = ""
    needs_clips: bool = False
    take_share: float = 0.0

    def takes(self, field: str) -> bool:
        """Return whether the interaction task of the action has a setting of this name."""
        return self.task is not None and field in self.task.fields

    @property
    def stays(self) -> bool:
        """True if the action lasts as long as the setting *duration* of its task says, as sitting does."""
        return self.name not in LOCOMOTION_ACTIONS and self.takes("duration")


ACTION_TABLE: Final[Mapping[str, ActionInfo]] = {
    one.name: one
    for one in (
        ActionInfo(
            "walk",
            task=TaskInfo(
                "Walk To",
                "Walk along a path, or to an empty or object",
                "TRACKING_FORWARDS",
                0,
                ("target", "direction", "duration"),
            ),
        ),
        ActionInfo(
            "run",
            task=TaskInfo(
                "Run To", "Run along a path, or to an empty or object", "FF", 1, ("target", "direction", "duration")
            ),
        ),
        ActionInfo(
            "sit",
            colors=((0.20, 0.44, 0.58, 1.0), (0.52, 0.74, 0.86, 1.0)),
            task=TaskInfo(
                "Sit On",
                "Walk to an object, sit down and stay. The next beat starts with getting up",
                "ALIGN_BOTTOM",
                2,
                ("object", "duration"),
            ),
            object_kind="seat",
            rests=True,
            lifts_feet=True,
            waits=True,
            transitions=("sit", "stand up"),
            needs_clips=True,
        ),
        ActionInfo(
            "lie",
            colors=((0.22, 0.34, 0.62, 1.0), (0.58, 0.68, 0.92, 1.0)),
            task=TaskInfo(
                "Lie Down",
                "Walk to a target, lie down, stay and get up",
                "TRIA_DOWN_BAR",
                6,
                ("target", "direction", "duration"),
            ),
            rests=True,
            lifts_feet=True,
            waits=True,
            transitions=("lie", "stand up"),
            needs_clips=True,
            take_share=0.06,
        ),
        ActionInfo(
            "sit_ground",
            title="Sit on Ground",
            phrase=Message("sit on the ground"),
            colors=((0.16, 0.48, 0.50, 1.0), (0.50, 0.80, 0.80, 1.0)),
            task=TaskInfo(
                "Sit on Ground",
                "Walk to a target, sit down on the ground, stay and get up",
                "TRIA_DOWN",
                8,
                ("target", "direction", "duration"),
            ),
            rests=True,
            lifts_feet=True,
            waits=True,
            transitions=("sit", "stand up"),
            needs_clips=True,
            take_share=0.06,
        ),
        ActionInfo(
            "carry",
            colors=((0.34, 0.42, 0.30, 1.0), (0.66, 0.75, 0.60, 1.0)),
            task=TaskInfo(
                "Carry",
                "Pick up an object, carry it to the target and put it down",
                "PACKAGE",
                3,
                ("object", "target", "direction"),
            ),
            object_kind="box",
            grips=True,
            waits=True,
            transitions=("pick up", "put down"),
            min_label_s=0.4,
            needs_clips=True,
            take_share=0.32,
        ),
        ActionInfo(
            "pick_up",
            phrase=Message("pick up an object"),
            task=TaskInfo(
                "Pick Up",
                "Pick up an object and hold it. The next beat starts with putting the object back",
                "TRIA_UP",
                10,
                ("object", "duration"),
            ),
            object_kind="box",
            is_goal=False,
            motion="carry",
        ),
        ActionInfo(
            "lean",
            phrase=Message("lean on an object"),
            colors=((0.46, 0.36, 0.20, 1.0), (0.80, 0.68, 0.52, 1.0)),
            task=TaskInfo(
                "Lean On",
                "Walk to a table, a rail or a wall, lean on it with both hands and stay",
                "TRIA_RIGHT_BAR",
                9,
                ("object", "duration"),
            ),
            object_kind="surface",
            grips=True,
            waits=True,
            take_share=0.06,
        ),
        ActionInfo(
            "push",
            colors=((0.56, 0.44, 0.16, 1.0), (0.88, 0.76, 0.46, 1.0)),
            task=TaskInfo(
                "Push",
                "Push an object along the floor to the target",
                "FORWARD",
                7,
                ("object", "target"),
            ),
            object_kind="box",
            grips=True,
            waits=True,
            take_share=0.06,
        ),
        ActionInfo(
            "open",
            colors=((0.50, 0.40, 0.26, 1.0), (0.82, 0.72, 0.55, 1.0)),
            task=TaskInfo("Open Door", "Open a door, walk through and let it close", "MOD_PHYSICS", 4, ("object",)),
            object_kind="door",
            transitions=("open",),
            min_label_s=0.35,
            take_share=0.14,
        ),
        ActionInfo("idle", task=TaskInfo("Wait", "Stand still for the duration", "PAUSE", 5, ("duration",))),
        ActionInfo(
            "climb",
            colors=((0.50, 0.30, 0.50, 1.0), (0.82, 0.62, 0.82, 1.0)),
            is_goal=False,
            lifts_feet=True,
            min_label_s=0.8,
            needs_clips=True,
            take_share=0.08,
        ),
        ActionInfo("mount"),
        ActionInfo(
            "strike", title="Attack", colors=((0.66, 0.22, 0.22, 1.0), (0.92, 0.55, 0.52, 1.0)), transitions=("strike",)
        ),
    )
}
"""All actions by name, in the order of menus.

The label *strike* has the title *Attack*: *Strike* would read as a foot strike.
"""


def motion_of(action: str) -> str:
    """Return the name of the controller's action that performs an action; an unknown name is returned unchanged."""
    info = ACTION_TABLE.get(action)
    return (info and info.motion) or action


def actions_that(fits: Callable[[ActionInfo], bool]) -> tuple[str, ...]:
    """Return the names of the actions for which ``fits`` returns true, in the order of :data:`ACTION_TABLE`."""
    return tuple(name for name, one in ACTION_TABLE.items() if fits(one))
