"""The bones that a bake keys, and the joint of the body for each of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from ....core.rig.rig_map import ControlSetting, IkLimb, RigMap
from ....core.rig.rig_map import roles as rig_roles

LimbMode = Literal["FK", "IK"]

LIMB_CHAINS: Final = {
    "foot": ("thigh", "shin", "foot"),
    "hand": ("upper_arm", "forearm", "hand"),
    "front_foot": ("front_thigh", "front_shin", "front_foot"),
}
TOE_PARTS: Final = {"foot": "toe", "front_foot": "front_toe"}


@dataclass(frozen=True, slots=True)
class Control:
    """A bone that is keyed.

    Attributes:
        bone: name of the bone.
        role: role of the body part that the bone rotates with.
        pivot_role: role of the joint that is fixed relative to the bone: ``role``, except for a bone that moves the
            whole body.
        keys_location: whether the location of the bone is keyed.
        keys_rotation: whether the rotation of the bone is keyed.
    """

    bone: str
    role: str
    pivot_role: str
    keys_location: bool = False
    keys_rotation: bool = True


@dataclass(frozen=True, slots=True)
class Pole:
    """The pole of a limb: a bone that the knee or elbow points at.

    Attributes:
        bone: name of the bone.
        upper, middle, end: the roles of the limb, such as thigh, shin and foot.
    """

    bone: str
    upper: str
    middle: str
    end: str

    @property
    def control(self) -> Control:
        """The control for keying the pole."""
        return Control(self.bone, self.middle, self.middle, keys_location=True, keys_rotation=False)


@dataclass(frozen=True, slots=True)
class ControlPlan:
    """The controls to key on a rig.

    Attributes:
        controls: bones that move with a part of the body, from the one that moves the whole body outward.
        poles: poles that knees and elbows point at.
        ik_settings: values of custom properties that switch limbs to FK or IK and make the controls work.
        poleless_limbs: ends, such as ``foot.L``, of IK limbs without a pole.
    """

    controls: tuple[Control, ...]
    poles: tuple[Pole, ...]
    ik_settings: tuple[ControlSetting, ...]
    poleless_limbs: tuple[str, ...] = ()

    @property
    def ik_middle_roles(self) -> frozenset[str]:
        """Roles of the knees and elbows that IK bends."""
        ends = [rig_roles.split_role(end) for end in self.poleless_limbs]
        others = [rig_roles.join_role(LIMB_CHAINS[part][1], 1, side) for part, _, side in ends]
        return frozenset((*others, *(pole.middle for pole in self.poles)))

    @property
    def all_controls(self) -> tuple[Control, ...]:
        """All controls to key, with the poles last."""
        return (*self.controls, *(pole.control for pole in self.poles))


def plan_controls(rig_map: RigMap, joints: Collection[str], limb_mode: LimbMode) -> ControlPlan:
    """Plan which bones to key so that the roles in ``joints`` move.

    Limbs without IK controls are always keyed by FK. So are limbs whose IK and FK controls are the same bone; for
    these, only the switch is set.
    """
    controls: list[Control] = []
    poles: list[Pole] = []
    settings: list[ControlSetting] = []
    unled: list[str] = []
    replaced: set[str] = set()
    for role in rig_roles.sort_roles(rig_map.ik):
        limb = rig_map.ik[role]
        part, _, side = rig_roles.split_role(role)
        chain = tuple(rig_roles.join_role(name, 1, side) for name in LIMB_CHAINS[part])
        if not all(name in joints for name in chain):
            continue
        if limb_mode == "FK" or limb.control == rig_map.control(role):
            settings += _ik_settings(limb, False)
            continue
        toe = rig_roles.join_role(TOE_PARTS.get(part, ""), 1, side)
        replaced.update(chain)
        controls.append(Control(limb.control, role, role, keys_location=True))
        if limb.toe and toe in joints:
            replaced.add(toe)
            controls.append(Control(limb.toe, toe, toe))
        if limb.pole:
            poles.append(Pole(limb.pole, *chain))
        else:
            unled.append(role)
        settings += _ik_settings(limb, True)
    carrier = rig_map.translation_bone
    if carrier and (carrier.joint not in joints or carrier.bone == rig_map.control("hips")):
        carrier = None
    for role in rig_roles.sort_roles(rig_map.bones):
        if role in joints and role not in replaced:
            controls.append(
                Control(rig_map.control(role), role, role, keys_location=role == "hips" and carrier is None)
            )
    order = {role: place for place, role in enumerate(rig_roles.sort_roles({control.role for control in controls}))}
    controls.sort(key=lambda control: order[control.role])
    if carrier:
        controls.insert(0, Control(carrier.bone, "hips", carrier.joint, keys_location=True))
    return ControlPlan(tuple(controls), tuple(poles), tuple(settings), tuple(unled))


def _ik_settings(limb: IkLimb, use_ik: bool) -> list[ControlSetting]:
    switch = limb.switch
    chosen = [ControlSetting(switch.bone, switch.property, switch.ik if use_ik else switch.fk)] if switch else []
    return [*chosen, *(limb.settings if use_ik else ())]
