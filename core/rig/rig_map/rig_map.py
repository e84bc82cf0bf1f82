"""Rig maps: an armature's bones by role, and the controls that an animator keys."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import FootfallError
from ...message import Message
from ...motion.roles import FINGER_ROLES, WEAPON_ROLES
from . import roles as rig_roles
from .bone_names import BoneNames

IK_ROLES = tuple(f"{part}.{side}" for part in ("foot", "hand", "front_foot") for side in rig_roles.SIDES)
"""Roles that can have IK controls."""


@dataclass(frozen=True, slots=True)
class IkFkSwitch:
    """A custom property of a pose bone that switches between IK and FK, and its value for each."""

    bone: str
    property: str
    ik: float
    fk: float


@dataclass(frozen=True, slots=True)
class ControlSetting:
    """A custom property of a pose bone, and the value that it must have for the controls to work."""

    bone: str
    property: str
    value: float


@dataclass(frozen=True, slots=True)
class TranslationBone:
    """A bone that moves the whole body, in a rig whose hips only rotate.

    Attributes:
        bone: name of the bone; it also rotates with the hips.
        joint: role of the joint that moves rigidly with this bone, such as the waist about which the hips rotate.
    """

    bone: str
    joint: str


@dataclass(frozen=True, slots=True)
class IkLimb:
    """The controls of a foot or a hand that is posed by IK.

    Attributes:
        control: the bone that positions the foot or hand.
        pole: the pole bone, at which the knee or elbow points.
        toe: the bone that rotates the toes in IK mode.
        switch: the property that switches between IK and FK.
        settings: further properties that must have certain values.
    """

    control: str
    pole: str | None = None
    toe: str | None = None
    switch: IkFkSwitch | None = None
    settings: tuple[ControlSetting, ...] = ()


@dataclass(frozen=True, eq=False)
class RigMap:
    """The bones of an armature by role, and their controls.

    Attributes:
        name: the map's name for the user.
        bones: deforming bone, with the visible motion, by role.
        controls: FK control that animators key, by role, if it is not the deforming bone itself.
        ik: IK controls by role, such as ``"foot.L"`` or ``"hand.R"``.
        translation_bone: bone that moves the body if the hips' control only rotates; ``None`` if that control can be
            moved.

    Raises:
        FootfallError: a role is unknown, or one bone has two roles.
    """

    name: str
    bones: Mapping[str, str]
    controls: Mapping[str, str] = field(default_factory=dict)
    ik: Mapping[str, IkLimb] = field(default_factory=dict)
    translation_bone: TranslationBone | None = None

    def __post_init__(self) -> None:
        where = Message("The bone map '{name}'", name=self.name)
        for role in (*self.bones, *self.controls):
            if not rig_roles.is_role(role):
                raise FootfallError(
                    "{bone_map} contains the unknown body part '{body_part}': remove it", bone_map=where, body_part=role
                )
        for role in self.ik:
            if role not in IK_ROLES:
                raise FootfallError(
                    "{bone_map} has IK controls for '{body_part}', but only {names} can have some",
                    bone_map=where,
                    body_part=role,
                    names=", ".join(IK_ROLES),
                )
        if self.translation_bone and self.translation_bone.joint not in self.bones:
            raise FootfallError(
                "{bone_map} has '{body_part}' on its translation control, but no bone for it: choose one",
                bone_map=where,
                body_part=self.translation_bone.joint,
            )
        for what, bones in ((Message("bone"), self.bones), (Message("control"), self.controls)):
            players: dict[str, str] = {}
            for role, bone in bones.items():
                if bone in players:
                    raise FootfallError(
                        "{bone_map} uses the {kind} '{bone}' for two body parts, {first} and {second}: clear "
                        "one of them",
                        bone_map=where,
                        kind=what,
                        bone=bone,
                        first=players[bone],
                        second=role,
                    )
                players[bone] = role

    def without_other_hand_bones(self, roles: Collection[str]) -> "RigMap":
        """Return the map without finger and weapon bones, except those with one of the given roles."""
        spared = {*WEAPON_ROLES.values(), *FINGER_ROLES} - set(roles)
        bones = {role: bone for role, bone in self.bones.items() if role not in spared}
        return self if bones == self.bones else replace(self, bones=bones)

    def control(self, role: str) -> str:
        """Return the name of the bone to key for a role: its control if it has one, otherwise the bone itself."""
        return self.controls.get(role, self.bones[role])

    def chain(self, part: str, side: str = "") -> tuple[str, ...]:
        """Return the bone names of a numbered chain such as ``spine``, from the hips outward; empty if unmapped."""
        return tuple(self.bones[role] for role in rig_roles.chain_roles(part, self.bones, side))


def match_share(rig_map: RigMap, names: Sequence[str]) -> float:
    """Return the share, 0 to 1, of a map's bones that are among an armature's bone names, with any prefix."""
    found = BoneNames(names).bind(tuple(rig_map.bones.values()))
    return len(found) / len(rig_map.bones) if rig_map.bones else 0.0


def bind_rig_map(rig_map: RigMap, names: Sequence[str]) -> RigMap:
    """Return the map with the bone names of an armature, whatever their prefix; bones that it lacks are omitted."""
    found = BoneNames(names).bind(tuple(rig_map.bones.values()), _auxiliary_bones(rig_map))
    bones = {role: found[bone] for role, bone in rig_map.bones.items() if bone in found}
    controls = {role: found[bone] for role, bone in rig_map.controls.items() if bone in found and role in bones}
    ik = {role: _bind_limb(limb, found.get) for role, limb in rig_map.ik.items() if limb.control in found}
    translation = rig_map.translation_bone
    if translation and translation.bone in found and translation.joint in bones:
        translation = replace(translation, bone=found[translation.bone])
    else:
        translation = None
    return RigMap(rig_map.name, bones, controls, ik, translation)


def _auxiliary_bones(rig_map: RigMap) -> tuple[str, ...]:
    """Return the bones that a map uses without a role: controls, poles and bones with switches."""
    names = list(rig_map.controls.values())
    names += [rig_map.translation_bone.bone] if rig_map.translation_bone else []
    for limb in rig_map.ik.values():
        names += [name for name in (limb.control, limb.pole, limb.toe) if name]
        names += [limb.switch.bone] if limb.switch else []
        names += [setting.bone for setting in limb.settings]
    return tuple(names)


def _bind_limb(limb: IkLimb, find: Callable[[str], str | None]) -> IkLimb:
    """Return a limb's controls with their bone names replaced with the armature's."""
    switch = limb.switch and find(limb.switch.bone)
    return IkLimb(
        find(limb.control) or limb.control,
        limb.pole and find(limb.pole),
        limb.toe and find(limb.toe),
        replace(limb.switch, bone=switch) if limb.switch and switch else None,
        tuple(replace(setting, bone=bone) for setting in limb.settings if (bone := find(setting.bone))),
    )
