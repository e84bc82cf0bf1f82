"""Animation rigs: deform bones, their carriers, and the controls that move them."""

from typing import Final

from .fingers import ALL, fingers
from .person import person
from .rig_type import RigType, bones

RIGIFY_FINGERS: Final = (("f_index", "index"), ("f_middle", "middle"), ("f_ring", "ring"), ("f_pinky", "pinky"))

METARIG: Final = (
    """
spine - pelvis trunk.2
spine.001 spine trunk.2
spine.002 spine.001 trunk.5
spine.003 spine.002 trunk.7
spine.004 spine.003 neck.0
spine.005 spine.004 neck.5
spine.006 spine.005 neck.10 crown
face spine.006 head head~crown~0.5
nose face head~chin~0.5
jaw face jaw chin
ear.{S} face ear.S ear.S~crown~0.2
eye.{S} face eye.S
lip.T.{S} face head~chin~0.9
shoulder.{S} spine.003 collar.S shoulder.S
upper_arm.{S} shoulder.{S} shoulder.S
forearm.{S} upper_arm.{S} elbow.S
hand.{S} forearm.{S} wrist.S middle.1.S
"""
    + "\n".join(
        f"palm.0{place}.{{S}} hand.{{S}} {finger}.0.S\n"
        + fingers(f"{name}.0{{joint}}.{{S}}", [(name, finger)], f"palm.0{place}.{{S}}")
        for place, (name, finger) in enumerate(RIGIFY_FINGERS, start=1)
    )
    + "\n"
    + fingers("thumb.0{joint}.{S}", [("thumb", "thumb")], "palm.01.{S}")
    + """
breast.{S} spine.003 breast.S breast.tip.S
pelvis.{S} spine pelvis pelvis.side.S
thigh.{S} spine hip.S
shin.{S} thigh.{S} knee.S
foot.{S} shin.{S} ankle.S ball.S
toe.{S} foot.{S} ball.S toe.S
heel.02.{S} foot.{S} heel.in.S heel.out.S
"""
)


def _rigify_limb(parts: tuple[tuple[str, str], ...], above: str, end: str, foot: bool) -> str:
    """Return the bones of a generated limb: deform bones in halves, ORG, tweaks, FK, IK, and those in between."""
    lines: list[str] = []
    first, first_at = parts[0]
    deform, org, fk = above, above, f"MCH-{first}_parent.{{S}}"
    lines += [f"!{first}_parent.{{S}} {above} {first_at}", f"!MCH-{first}_parent.{{S}} {above} {first_at}"]
    for place, (part, at) in enumerate(parts):
        after = parts[place + 1][1] if place + 1 < len(parts) else end
        lines.append(f"!ORG-{part}.{{S}} {org} {at} {after}")
        org = f"ORG-{part}.{{S}}"
        lines += [f"!MCH-{part}_tweak.{{S}} {org} {at}", f"!{part}_tweak.{{S}} MCH-{part}_tweak.{{S}} {at}"]
        fk_parent = fk
        if place >= 2:
            lines.append(f"!MCH-{part}_fk.{{S}} {fk} {at} {after}")
            fk_parent = f"MCH-{part}_fk.{{S}}"
        lines.append(f"!{part}_fk.{{S}} {fk_parent} {at} {after}")
        fk = f"{part}_fk.{{S}}"
        if place < 2:
            middle = f"{at}~{after}~0.5"
            lines.append(f"DEF-{part}.{{S}} {deform} {at} {middle}")
            lines.append(f"DEF-{part}.{{S}}.001 DEF-{part}.{{S}} {middle} {after}")
            lines.append(f"!{part}_tweak.{{S}}.001 {org} {middle}")
            deform = f"DEF-{part}.{{S}}.001"
        else:
            lines.append(f"DEF-{part}.{{S}} {deform} {at} {after}")
            deform = f"DEF-{part}.{{S}}"
    last, last_at = ("foot", "ankle.S") if foot else ("hand", "wrist.S")
    second, second_at = parts[1]
    pole = f"{first_at}~{second_at}~1.0"
    lines += [
        f"!{first}_ik.{{S}} MCH-{first}_parent.{{S}} {first_at} {second_at}",
        f"!MCH-{second}_ik.{{S}} {first}_ik.{{S}} {second_at} {last_at}",
        f"!MCH-{last}_ik.parent.{{S}} - {last_at}",
        f"!{last}_ik.{{S}} MCH-{last}_ik.parent.{{S}} {last_at} {end}",
        f"!MCH-{first}_ik_target.{{S}} {last}_ik.{{S}} {last_at}",
        f"!MCH-{first}_ik_target.parent.{{S}} - {pole}",
        f"!{first}_ik_target.{{S}} MCH-{first}_ik_target.parent.{{S}} {pole}",
        f"!VIS_{first}_ik_pole.{{S}} root {second_at} {pole}",
    ]
    if foot:
        lines += [
            "!foot_spin_ik.{S} foot_ik.{S} ball.S",
            "!foot_heel_ik.{S} foot_spin_ik.{S} ankle.S ball.S",
            "!MCH-heel.02_rock1.{S} foot_spin_ik.{S} heel.out.S",
            "!MCH-foot_roll.{S} MCH-heel.02_rock1.{S} ankle.S heel.S",
            "!MCH-toe_ik_parent.{S} MCH-foot_roll.{S} ball.S toe.S",
            "!toe_ik.{S} MCH-toe_ik_parent.{S} ball.S toe.S",
            "!ORG-heel.02.{S} ORG-foot.{S} heel.in.S heel.out.S",
        ]
    return "\n".join(lines)


def _rigify_fingers() -> str:
    lines: list[str] = []
    for place, (name, finger) in enumerate((*RIGIFY_FINGERS, ("thumb", "thumb")), start=1):
        palm = f"palm.0{min(place, 4) if name != 'thumb' else 1}.{{S}}"
        if name != "thumb":
            lines.append(f"!ORG-{palm} ORG-hand.{{S}} {finger}.0.S {finger}.1.S")
            lines.append(f"DEF-{palm} ORG-{palm} {finger}.0.S {finger}.1.S")
        deform = org = f"ORG-{palm}"
        for joint in (1, 2, 3):
            points = f"{finger}.{joint}.S {finger}.{joint + 1}.S"
            bone = f"{name}.0{joint}.{{S}}"
            lines += [f"!ORG-{bone} {org} {points}", f"DEF-{bone} {deform} {points}", f"!{bone} ORG-{palm} {points}"]
            deform, org = f"DEF-{bone}", f"ORG-{bone}"
    return "\n".join(lines)


_SPINE: Final = (
    ("spine", "pelvis", "trunk.2"),
    ("spine.001", "trunk.2", "trunk.5"),
    ("spine.002", "trunk.5", "trunk.7"),
    ("spine.003", "trunk.7", "neck.0"),
    ("spine.004", "neck.0", "neck.5"),
    ("spine.005", "neck.5", "neck.10"),
    ("spine.006", "neck.10", "crown"),
)
_RIGIFY: Final = "\n".join(
    [
        "!root - ground ground~pelvis~0.2",
        *(
            f"DEF-{name} {f'DEF-{_SPINE[place - 1][0]}' if place else 'root'} {head} {tail}"
            for place, (name, head, tail) in enumerate(_SPINE)
        ),
        """
!MCH-torso.parent - trunk.2
!torso MCH-torso.parent trunk.2
!hips torso trunk.5
!chest torso trunk.5
!spine_fk.001 torso trunk.2 trunk.5
!spine_fk spine_fk.001 trunk.2 pelvis
!tweak_spine spine_fk pelvis trunk.2
!ORG-spine tweak_spine pelvis trunk.2
!tweak_spine.001 spine_fk trunk.2 trunk.5
!ORG-spine.001 tweak_spine.001 trunk.2 trunk.5
!spine_fk.002 torso trunk.5 trunk.7
!tweak_spine.002 spine_fk.002 trunk.5 trunk.7
!ORG-spine.002 tweak_spine.002 trunk.5 trunk.7
!spine_fk.003 spine_fk.002 trunk.7 neck.0
!tweak_spine.003 spine_fk.003 trunk.7 neck.0
!ORG-spine.003 tweak_spine.003 trunk.7 neck.0
!ORG-spine.004 spine_fk.003 neck.0 neck.5
!ORG-spine.005 ORG-spine.004 neck.5 neck.10
!ORG-spine.006 ORG-spine.005 neck.10 crown
!MCH-ROT-neck spine_fk.003 neck.0
!neck MCH-ROT-neck neck.0 neck.10
!MCH-ROT-head neck neck.10
!head MCH-ROT-head neck.10 crown
!tweak_spine.004 neck neck.0 neck.5
!tweak_spine.005 neck neck.5 neck.10
!ORG-face ORG-spine.006 head head~crown~0.5
!ORG-jaw ORG-face jaw chin
DEF-jaw ORG-jaw jaw chin
!ORG-ear.{S} ORG-face ear.S ear.S~crown~0.2
DEF-ear.{S} ORG-ear.{S} ear.S ear.S~crown~0.2
!ORG-lip.T.{S} ORG-face head~chin~0.9
DEF-lip.T.{S} ORG-lip.T.{S} head~chin~0.9
!ORG-pelvis.{S} ORG-spine pelvis pelvis.side.S
DEF-pelvis.{S} ORG-pelvis.{S} pelvis pelvis.side.S
!ORG-breast.{S} ORG-spine.003 breast.S breast.tip.S
DEF-breast.{S} ORG-breast.{S} breast.S breast.tip.S
!breast.{S} ORG-spine.003 breast.S breast.tip.S
!ORG-shoulder.{S} ORG-spine.003 collar.S shoulder.S
DEF-shoulder.{S} ORG-shoulder.{S} collar.S shoulder.S
!shoulder.{S} ORG-spine.003 collar.S shoulder.S
""",
        _rigify_limb(
            (("upper_arm", "shoulder.S"), ("forearm", "elbow.S"), ("hand", "wrist.S")),
            "ORG-shoulder.{S}",
            "middle.1.S",
            foot=False,
        ),
        _rigify_fingers(),
        _rigify_limb(
            (("thigh", "hip.S"), ("shin", "knee.S"), ("foot", "ankle.S"), ("toe", "ball.S")),
            "ORG-spine",
            "toe.S",
            foot=True,
        ),
    ]
)


def _deformers(body: str, limbs: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return Rigify's deform bones, which coincide with its ORG bones and move with them."""
    roles = {"hips": f"{body}spine", "head": f"{body}spine.006"}
    roles |= {"spine": f"{body}spine.001", "spine_2": f"{body}spine.002", "spine_3": f"{body}spine.003"}
    roles |= {"neck": f"{body}spine.004", "neck_2": f"{body}spine.005"}
    roles |= {f"{limb}.{side}": f"{body}{limb}.{side}" for limb in limbs for side in "LR"}
    return {role: (bone,) for role, bone in roles.items()}


_ARP_SPINE: Final = """
!c_pos - ground
!c_traj c_pos ground
!c_root_master.x c_traj pelvis trunk.1
!c_root.x c_root_master.x pelvis trunk.2
root.x c_root.x pelvis trunk.2
!c_spine_01.x c_root_master.x trunk.2 trunk.4
spine_01.x c_spine_01.x trunk.2 trunk.4
!c_spine_02.x c_spine_01.x trunk.4 trunk.7
spine_02.x c_spine_02.x trunk.4 trunk.7
!c_spine_03.x c_spine_02.x trunk.7 neck.0
spine_03.x c_spine_03.x trunk.7 neck.0
!c_neck.x spine_03.x neck.0 neck.10
neck.x c_neck.x neck.0 neck.10
!c_head.x neck.x head crown
head.x c_head.x head crown
c_jawbone.x head.x jaw chin
c_eye.{S} head.x eye.S
!c_shoulder.{S} spine_03.x collar.S shoulder.S
shoulder.{S} c_shoulder.{S} collar.S shoulder.S
"""


def _arp_limb(upper: str, lower: str, end: str, points: tuple[str, str, str, str], above: str) -> str:
    """Return Auto-Rig Pro's limb: whole bones that follow IK or FK, and half bones that deform the mesh."""
    hip, knee, ankle, tip = points
    twist = f"{upper}_twist.{{S}}" if upper == "thigh" else "c_arm_twist_offset.{S}"
    pole = "c_leg_pole.{S}" if upper == "thigh" else "c_arms_pole.{S}"
    return f"""
!c_{upper}_fk.{{S}} {above} {hip} {knee}
!c_{lower}_fk.{{S}} c_{upper}_fk.{{S}} {knee} {ankle}
!c_{end}_fk.{{S}} c_{lower}_fk.{{S}} {ankle} {tip}
!c_{upper}_ik.{{S}} {above} {hip} {knee}
!{lower}_ik.{{S}} c_{upper}_ik.{{S}} {knee} {ankle}
!c_{end}_ik.{{S}} c_traj {ankle} {tip}
!{pole} c_traj {hip}~{knee}~1.3
!{upper}.{{S}} {above} {hip} {knee}
!{lower}.{{S}} {upper}.{{S}} {knee} {ankle}
!c_stretch_{upper}.{{S}} {upper}.{{S}} {knee}
{twist} {above} {hip} {hip}~{knee}~0.5
{upper}_stretch.{{S}} c_traj {hip}~{knee}~0.5 {knee}
{lower}_stretch.{{S}} c_traj {knee} {knee}~{ankle}~0.5
{lower}_twist.{{S}} {lower}_stretch.{{S}} {knee}~{ankle}~0.5 {ankle}
{end}.{{S}} {lower}.{{S}} {ankle} {tip}
"""


_ARP: Final = (
    _ARP_SPINE
    + _arp_limb("arm", "forearm", "hand", ("shoulder.S", "elbow.S", "wrist.S", "middle.1.S"), "shoulder.{S}")
    + fingers("c_{finger}{joint}.{S}", ALL, "hand.{S}")
    + _arp_limb("thigh", "leg", "foot", ("hip.S", "knee.S", "ankle.S", "ball.S"), "root.x")
    + """
!c_toes_fk.{S} c_foot_fk.{S} ball.S toe.S
!c_toes_ik.{S} c_foot_ik.{S} ball.S toe.S
toes_01.{S} foot.{S} ball.S toe.S
"""
)

ARP_EXPORT: Final = (
    """
root.x - pelvis trunk.2
spine_01.x root.x trunk.2
spine_02.x spine_01.x trunk.4
spine_03.x spine_02.x trunk.7
neck.x spine_03.x neck.0
head.x neck.x head crown
c_jawbone.x head.x jaw chin
shoulder.{S} spine_03.x collar.S
c_arm_twist_offset.{S} shoulder.{S} shoulder.S
arm_stretch.{S} c_arm_twist_offset.{S} shoulder.S~elbow.S~0.5
forearm_stretch.{S} arm_stretch.{S} elbow.S
forearm_twist.{S} forearm_stretch.{S} elbow.S~wrist.S~0.5
hand.{S} forearm_twist.{S} wrist.S middle.1.S
"""
    + fingers("c_{finger}{joint}.{S}", ALL, "hand.{S}")
    + """
thigh_twist.{S} root.x hip.S
thigh_stretch.{S} thigh_twist.{S} hip.S~knee.S~0.5
leg_stretch.{S} thigh_stretch.{S} knee.S
leg_twist.{S} leg_stretch.{S} knee.S~ankle.S~0.5
foot.{S} leg_twist.{S} ankle.S
toes_01.{S} foot.{S} ball.S toe.S
"""
)
ARP_HUMANOID: Final = (
    """
root.x - pelvis trunk.2
spine_01.x root.x trunk.2
spine_02.x spine_01.x trunk.4
spine_03.x spine_02.x trunk.7
neck.x spine_03.x neck.0
head.x neck.x head crown
shoulder.{S} spine_03.x collar.S
arm_stretch.{S} shoulder.{S} shoulder.S
arm_twist.{S} arm_stretch.{S} shoulder.S~elbow.S~0.02
forearm_stretch.{S} arm_stretch.{S} elbow.S
forearm_twist.{S} forearm_stretch.{S} elbow.S~wrist.S~0.5
hand.{S} forearm_stretch.{S} wrist.S middle.1.S
"""
    + fingers("{finger}{joint}.{S}", ALL, "hand.{S}")
    + """
thigh_stretch.{S} root.x hip.S
thigh_twist.{S} thigh_stretch.{S} hip.S~knee.S~0.02
leg_stretch.{S} thigh_stretch.{S} knee.S
leg_twist.{S} leg_stretch.{S} knee.S~ankle.S~0.5
foot.{S} leg_stretch.{S} ankle.S
toes_01.{S} foot.{S} ball.S toe.S
"""
)

_LIMBS: Final = ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
_HALVES: Final = {
    "upper_arm": "c_arm_twist_offset",
    "forearm": "forearm_stretch",
    "thigh": "thigh_twist",
    "shin": "leg_stretch",
}

CONTROL_RIGS: Final = (
    RigType("Rigify metarig", "rigify_metarig", bones(METARIG), person),
    RigType("Rigify", "rigify", bones(_RIGIFY), person, equals=_deformers("DEF-", _LIMBS)),
    RigType(
        "Auto-Rig Pro",
        "auto_rig_pro",
        bones(_ARP, ("l", "r")),
        person,
        equals={f"{limb}.{side}": (f"{bone}.{side.lower()}",) for limb, bone in _HALVES.items() for side in "LR"},
    ),
    RigType("Auto-Rig Pro, exported", "auto_rig_pro_export", bones(ARP_EXPORT, ("l", "r")), person),
    RigType("Auto-Rig Pro, humanoid", "auto_rig_pro_humanoid", bones(ARP_HUMANOID, ("l", "r")), person),
)
