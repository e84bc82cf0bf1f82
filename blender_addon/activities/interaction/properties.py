"""A character's beats, stored with its armature: each with its object, target and time."""

from typing import Final

import bpy

from ....core.actions import ACTION_TABLE, actions_that
from ....core.control.pair.relation import TUNING as RELATION_TUNING
from ....core.control.shot.ball_pass import BALL_PASS
from ...ui.overridable import OVERRIDABLE, choice, flag, integer, number, pointer, text
from ...ui.translations import CONTEXT
from ..walk.hands import HANDS

INTERACTION_TYPES: Final = tuple(
    (name, one.task.title, one.task.description, one.task.icon, one.task.number)
    for name, one in ACTION_TABLE.items()
    if one.task
)
STRIKE: Final = "strike"
ACT: Final = "act"
FOLLOW, FACE, CIRCLE, DEFEND, FIGHT, DANCE = "follow", "face", "circle", "defend", "fight", "dance"
ANSWERS_TO_PARTNER: Final = (FOLLOW, FACE, CIRCLE, DEFEND)
PASS_BALL: Final = "pass_ball"
MEETINGS: Final = (FIGHT, DANCE, PASS_BALL)
TYPES_WITH_PARTNER: Final = (*ANSWERS_TO_PARTNER, *MEETINGS)
DRIBBLE: Final = "dribble"
PICK_UP_BALL: Final = "pick_up_ball"
PUT_DOWN_BALL: Final = "put_down_ball"
SHOOT: Final = "shoot"
BALL_ACTIONS: Final = {PICK_UP_BALL: "pick_up", PUT_DOWN_BALL: "put_down", SHOOT: "shoot"}
"""Actions with a ball in place, by types of beats."""
TYPES_WITH_BALL: Final = (DRIBBLE, *BALL_ACTIONS)
WITHOUT_INTERACTION: Final = (STRIKE, ACT, *TYPES_WITH_PARTNER, *TYPES_WITH_BALL)
"""Types of beats that the interaction controller has no part in."""
TASK_TYPES: Final = (
    *INTERACTION_TYPES,
    (ACT, "Act", "Play an action of this or another armature, from standing to standing", "ACTION", 112),
    (STRIKE, "Strike", "Strike the target with a hand or foot, then return to standing", "MOD_INSTANCE", 100),
    (
        FOLLOW,
        "Follow",
        "Follow in the partner's footsteps until the partner's shot ends or the partner waits",
        "CON_FOLLOWPATH",
        101,
    ),
    (
        FACE,
        "Face to Face",
        "Stay in front of the partner, until the partner's shot ends or the partner waits",
        "CON_TRACKTO",
        102,
    ),
    (
        CIRCLE,
        "Circle",
        "Walk around the partner, and face it, until the partner's shot ends or the partner waits",
        "FILE_REFRESH",
        109,
    ),
    (
        DEFEND,
        "Defend",
        "Stay between partner and target until the partner's shot ends or the partner waits",
        "FAKE_USER_ON",
        110,
    ),
    (
        FIGHT,
        "Fight",
        "Fight the partner. The partner's shot needs a Fight beat with this character, too",
        "MOD_EXPLODE",
        103,
    ),
    (
        DANCE,
        "Dance",
        "Dance with the partner. The partner's shot needs a Dance beat with this character, too",
        "PLAY_SOUND",
        104,
    ),
    (
        PASS_BALL,
        "Pass Ball",
        "Throw the ball to the partner or, without an object, catch it; both shots need this beat",
        "EXPORT",
        111,
    ),
    (PICK_UP_BALL, "Pick Up Ball", "Walk to a ball on the ground, pick it up and hold it", "TRIA_UP", 105),
    (DRIBBLE, "Dribble", "Dribble a ball along a path, or to a target", "SPHERE", 106),
    (SHOOT, "Shoot Ball", "Shoot a ball at the target, such as the center of a hoop", "ANCHOR_TOP", 107),
    (PUT_DOWN_BALL, "Put Down Ball", "Put a ball down on the ground, at the target or in place", "TRIA_DOWN", 108),
)
"""Types of beats: identifier, title, description, icon and number."""
TASK_TITLES: Final = {name: title for name, title, *_ in TASK_TYPES}
EFFECTOR_ITEMS: Final = (
    ("HAND_R", "Right Hand", "Strike with the right hand, or with the weapon in it", "TRIA_RIGHT", 0),
    ("HAND_L", "Left Hand", "Strike with the left hand, or with the weapon in it", "TRIA_LEFT", 1),
    ("FOOT_R", "Right Foot", "Kick with the right foot", "TRIA_DOWN", 2),
    ("FOOT_L", "Left Foot", "Kick with the left foot", "TRIA_DOWN", 3),
)
"""End effectors as items of a drop-down list."""
PART_ITEMS: Final = (
    ("head", "Head", "Strike the head"),
    ("chest", "Chest", "Strike the chest"),
    ("hips", "Hips", "Strike the hips"),
    ("upper_arm.L", "Left Upper Arm", "Strike the left upper arm"),
    ("upper_arm.R", "Right Upper Arm", "Strike the right upper arm"),
    ("forearm.L", "Left Forearm", "Strike the left forearm"),
    ("forearm.R", "Right Forearm", "Strike the right forearm"),
    ("thigh.L", "Left Thigh", "Strike the left thigh"),
    ("thigh.R", "Right Thigh", "Strike the right thigh"),
    ("shin.L", "Left Shin", "Strike the left shin"),
    ("shin.R", "Right Shin", "Strike the right shin"),
)
SIDE_ITEMS: Final = (
    ("straight", "Any Side", "Strike from the side from which the controller strikes best"),
    ("left", "From Left", "Strike from the striker's left"),
    ("right", "From Right", "Strike from the striker's right"),
    ("above", "From Above", "Strike downward"),
    ("below", "From Below", "Strike upward"),
)
ANSWER_ITEMS: Final = (
    ("hit", "Is Hit", "The struck character is hit and pushed", "TRIA_LEFT", 0),
    ("parry", "Parries", "The struck character blocks the strike with the nearer hand, or with the weapon", "X", 1),
    ("dodge", "Dodges", "The struck character dodges the strike", "TRACKING_FORWARDS", 2),
)
EFFECTOR_ROLES: Final = {"HAND_R": "hand.R", "HAND_L": "hand.L", "FOOT_R": "foot.R", "FOOT_L": "foot.L"}
TYPES_WITH_OBJECT: Final = actions_that(lambda one: one.takes("object"))
TYPES_WITH_TARGET: Final = (*actions_that(lambda one: one.takes("target")), STRIKE, DEFEND, DRIBBLE, SHOOT)
WALK_SPEEDS_M_S: Final = {"walk": 1.2, "run": 3.0}
"""Usual speed of each type of walk."""
PLACE_ITEMS: Final = (
    ("ORIGIN", "Origin", "Strike the origin of the target object"),
    ("VERTEX", "Vertex", "Strike a vertex of the target mesh, chosen by its index"),
    ("SURFACE", "Surface Point", "Strike the point of the target's surface that was picked in the viewport"),
)
"""Places of a mesh that can be struck."""
TYPES_WITH_DURATION: Final = (*actions_that(lambda one: one.takes("duration")), DANCE)


def _is_mesh(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


def _is_other_armature(owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE" and candidate != owner.id_data


class FOOTFALL_PG_interaction_task(bpy.types.PropertyGroup):
    """One beat."""

    type: choice(
        "Type", "Activity of the character in this beat", TASK_TYPES, default="sit", translation_context=CONTEXT
    )
    object: pointer(
        bpy.types.Object,
        "Object",
        "Mesh to sit on, lean on, carry, push or open, or the ball to play with",
        poll=_is_mesh,
    )
    target: pointer(
        bpy.types.Object,
        "Target",
        "Path to walk along, or an empty or object to go to. Its +Y axis sets the facing",
    )
    effector: choice("Strikes With", "Hand or foot that strikes the target", EFFECTOR_ITEMS)
    weapon: pointer(
        bpy.types.Object,
        "Weapon",
        "Object in the hand to strike with. The vertex farthest from the hand hits the target",
        poll=_is_mesh,
    )
    both_hands: flag("Both Hands", "Cut with a weapon held in both hands")
    bone: text("Bone", "Bone of the other character that the strike hits")
    place: choice("Place", "Kind of point on the target that the strike hits", PLACE_ITEMS)
    vertex: integer("Vertex", "Index of the vertex to strike", low=0)
    corners: bpy.props.IntVectorProperty(
        override=OVERRIDABLE, description="Vertices of the triangle that contains the surface point to strike", size=3
    )
    shares: bpy.props.FloatVectorProperty(
        override=OVERRIDABLE,
        description="Weights of the three vertices of the triangle at the surface point to strike",
        size=3,
        default=(1.0, 0.0, 0.0),
    )
    action: pointer(bpy.types.Action, "Action", "Motion to play, of this armature or of the other one")
    actor: pointer(
        bpy.types.Object,
        "Armature",
        "Other armature whose action is played. Leave empty for an action of this one",
        poll=_is_other_armature,
    )
    has_range: flag("Range", "Play only some frames of the action")
    range_start: integer("First Frame", "First frame of the action to play", 1)
    range_end: integer("Last Frame", "Last frame of the action to play", 100)
    partner: pointer(bpy.types.Object, "Partner", "Armature of the other character", poll=_is_other_armature)
    distance: number(
        "Distance", "Distance to keep from the partner", 1.2, *RELATION_TUNING.distance_range, unit="LENGTH"
    )
    pass_distance: number(
        "Distance",
        "Distance between the two characters when the ball is thrown",
        3.5,
        *BALL_PASS.distances,
        unit="LENGTH",
    )
    circle_speed: number(
        "Circle Speed",
        "Speed of circling the partner, counterclockwise from above. Negative values go clockwise",
        0.6,
        -1.2,
        1.2,
        unit="VELOCITY",
    )
    attacks: flag("Attacks", "Strike the partner once. If off, only react to the partner's attacks", default=True)
    part: choice("Part", "Body part of the partner that the strike hits", PART_ITEMS)
    side: choice("Strike From", "Direction from which the strike comes", SIDE_ITEMS)
    answer: choice("Reaction", "Reaction of the struck partner", ANSWER_ITEMS, translation_context=CONTEXT)
    leads: flag("Leads", "Lead the dance. If both or neither lead, the first character in alphabetical order does")
    hand: choice("Hand", "Hand that dribbles the ball", HANDS)
    speed: number(
        "Speed",
        "Speed of a walk or a dance along a path. 0 is the usual speed",
        low=0.0,
        soft_max=5.0,
        unit="VELOCITY",
    )
    style: text("Style", "Style of the controller, such as crouch. Leave empty for plain walking and running")
    duration: number(
        "Duration",
        "Duration of waiting, sitting, lying or leaning",
        3.0,
        low=0.0,
        soft_max=30.0,
        unit="TIME_ABSOLUTE",
    )
    has_start: flag("Start", "Begin the beat at a frame or marker. The previous beat lasts until this one begins")
    start_frame: integer("Start", "Frame at which the beat begins", 1)
    start_marker: text("Start Marker", "Timeline marker at which the beat begins, instead of the frame")
    has_end: flag("End", "End the beat at a frame or marker: a walk arrives, a pause ends or a strike lands there")
    end_frame: integer("End", "Frame at which the beat ends", 100)
    end_marker: text("End Marker", "Timeline marker at which the beat ends, instead of the frame")
    first_frame: integer(default=0)
    last_frame: integer(default=0)
    is_skipped: flag()


class FOOTFALL_UL_interaction_tasks(bpy.types.UIList):
    """The beats, in order."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one beat."""
        row = layout.row(align=True)
        picture = next(picture for action, _, _, picture, _ in TASK_TYPES if action == item.type)
        row.prop(item, "type", text="", icon=picture, emboss=False)
        if item.type == ACT:
            row.prop(item, "action", text="")
        elif item.type in TYPES_WITH_PARTNER:
            row.prop(item, "partner", text="")
        elif item.type in (*TYPES_WITH_OBJECT, *TYPES_WITH_BALL):
            row.prop(item, "object", text="")
        elif item.type in TYPES_WITH_TARGET:
            row.prop(item, "target", text="")
        if item.type in TYPES_WITH_DURATION:
            row.prop(item, "duration", text="")


CLASSES = (FOOTFALL_PG_interaction_task, FOOTFALL_UL_interaction_tasks)
