"""Rigs of game characters: twist bones, fingers, ends, and special bones of games."""

from typing import Final

from .fingers import ALL, fingers
from .person import person
from .rig_type import RigType, bones

LEFT_RIGHT: Final = ("Left", "Right")

_MIXAMO: Final = (
    """
Hips - pelvis
Spine Hips trunk.1
Spine1 Spine trunk.4
Spine2 Spine1 trunk.7
Neck Spine2 neck.0
Head Neck head crown
HeadTop_End Head crown
{S}Shoulder Spine2 collar.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S middle.1.S
"""
    + fingers(
        "{S}Hand{finger}{joint}",
        [("Thumb", "thumb"), ("Index", "index"), ("Middle", "middle"), ("Ring", "ring"), ("Pinky", "pinky")],
        "{S}Hand",
        end=True,
    )
    + """
{S}UpLeg Hips hip.S
{S}Leg {S}UpLeg knee.S
{S}Foot {S}Leg ankle.S
{S}ToeBase {S}Foot ball.S toe.S
{S}Toe_End {S}ToeBase toe.S
"""
)


def _prefixed(text: str, prefix: str) -> str:
    lines = []
    for line in filter(None, text.splitlines()):
        name, parent, *points = line.split()
        lines.append(" ".join([prefix + name, parent if parent == "-" else prefix + parent, *points]))
    return "\n".join(lines)


def _unreal(spine: int, necks: int, twists: int) -> str:
    """Return a mannequin with the given spine and neck bones, and twist bones per limb."""
    lines = ["root - ground", "pelvis root pelvis"]
    trunk = ["pelvis", *(f"spine_{number + 1:02}" for number in range(spine))]
    lines += [f"{trunk[n + 1]} {trunk[n]} trunk.{1 + n * 6 // (spine - 1)}" for n in range(spine)]
    neck = [trunk[-1], *(f"neck_{number + 1:02}" for number in range(necks)), "head"]
    lines += [f"{neck[n + 1]} {neck[n]} neck.{n * 10 // necks}" for n in range(necks + 1)]
    lines[-1] += " crown"
    lines.append(
        f"""
clavicle_{{S}} {trunk[-1]} collar.S
upperarm_{{S}} clavicle_{{S}} shoulder.S
lowerarm_{{S}} upperarm_{{S}} elbow.S
hand_{{S}} lowerarm_{{S}} wrist.S middle.1.S
"""
        + fingers("{finger}_0{joint}_{S}", [(name, name) for name, _ in ALL[1:] + ALL[:1]], "hand_{S}")
        + """
thigh_{S} pelvis hip.S
calf_{S} thigh_{S} knee.S
foot_{S} calf_{S} ankle.S
ball_{S} foot_{S} ball.S toe.S
"""
    )
    for limb, start, end, shares in (
        ("upperarm", "shoulder", "elbow", (0.02, 0.5)),
        ("lowerarm", "elbow", "wrist", (0.66, 0.33)),
        ("thigh", "hip", "knee", (0.33, 0.66)),
        ("calf", "knee", "ankle", (0.66, 0.33)),
    ):
        for number in range(twists):
            lines.append(f"{limb}_twist_0{number + 1}_{{S}} {limb}_{{S}} {start}.S~{end}.S~{shares[number]}")
    lines.append(
        """
ik_foot_root root ground
ik_foot_{S} ik_foot_root ankle.S
ik_hand_root root ground
ik_hand_gun ik_hand_root wrist.R
ik_hand_{S} ik_hand_gun wrist.S
"""
    )
    return "\n".join(lines)


_VROID_HEAD: Final = """
J_Adj_{S}_FaceEye J_Bip_C_Head eye.S
J_Sec_Hair1_01 J_Bip_C_Head crown
J_Sec_Hair2_01 J_Sec_Hair1_01 crown~head~0.4
J_Sec_Hair3_01 J_Sec_Hair2_01 crown~head~0.8
J_Sec_Hair1_0{S} J_Bip_C_Head ear.S
J_Sec_Hair2_0{S} J_Sec_Hair1_0{S} hair.1.S
J_Sec_Hair3_0{S} J_Sec_Hair2_0{S} hair.2.S
J_Sec_Hair4_0{S} J_Sec_Hair3_0{S} hair.3.S hair.4.S
J_Sec_{S}_Bust1 J_Bip_C_UpperChest breast.S breast.tip.S
J_Sec_{S}_Bust2 J_Sec_{S}_Bust1 breast.tip.S
"""
_VROID: Final = (
    """
Root - ground pelvis
J_Bip_C_Hips Root pelvis trunk.1
J_Bip_C_Spine J_Bip_C_Hips trunk.1
J_Bip_C_Chest J_Bip_C_Spine trunk.4
J_Bip_C_UpperChest J_Bip_C_Chest trunk.7
J_Bip_C_Neck J_Bip_C_UpperChest neck.0
J_Bip_C_Head J_Bip_C_Neck head crown
"""
    + _VROID_HEAD
    + """
J_Bip_{S}_Shoulder J_Bip_C_UpperChest collar.S
J_Bip_{S}_UpperArm J_Bip_{S}_Shoulder shoulder.S
J_Bip_{S}_LowerArm J_Bip_{S}_UpperArm elbow.S
J_Bip_{S}_Hand J_Bip_{S}_LowerArm wrist.S middle.1.S
"""
    + fingers(
        "J_Bip_{S}_{finger}{joint}",
        [("Index", "index"), ("Little", "pinky"), ("Middle", "middle"), ("Ring", "ring"), ("Thumb", "thumb")],
        "J_Bip_{S}_Hand",
    )
    + """
J_Bip_{S}_UpperLeg J_Bip_C_Hips hip.S
J_Bip_{S}_LowerLeg J_Bip_{S}_UpperLeg knee.S
J_Bip_{S}_Foot J_Bip_{S}_LowerLeg ankle.S
J_Bip_{S}_ToeBase J_Bip_{S}_Foot ball.S toe.S
J_Sec_{S}_SkirtFront1_01 J_Bip_{S}_UpperLeg skirt.1.S
J_Sec_{S}_SkirtFront2_01 J_Sec_{S}_SkirtFront1_01 skirt.2.S
J_Sec_{S}_SkirtFront3_01 J_Sec_{S}_SkirtFront2_01 skirt.3.S
"""
)

_VRM: Final = (
    """
hips - pelvis trunk.1
spine hips trunk.1
chest spine trunk.4
upperChest chest trunk.7
neck upperChest neck.0
head neck head crown
jaw head jaw chin
{S}Eye head eye.S
{S}Shoulder upperChest collar.S
{S}UpperArm {S}Shoulder shoulder.S
{S}LowerArm {S}UpperArm elbow.S
{S}Hand {S}LowerArm wrist.S middle.1.S
"""
    + "\n".join(
        f"{{S}}{finger}{part} {above} {point}.{joint}.S"
        for finger, point in [("Thumb", "thumb"), ("Index", "index"), ("Middle", "middle"), ("Little", "pinky")]
        for joint, part, above in [
            (1, "Proximal", "{S}Hand"),
            (2, "Intermediate", f"{{S}}{finger}Proximal"),
            (3, "Distal", f"{{S}}{finger}Intermediate"),
        ]
    )
    + """
{S}UpperLeg hips hip.S
{S}LowerLeg {S}UpperLeg knee.S
{S}Foot {S}LowerLeg ankle.S
{S}Toes {S}Foot ball.S toe.S
"""
)

_CC_FACE: Final = """
CC_Base_FacialBone CC_Base_Head head
CC_Base_JawRoot CC_Base_FacialBone jaw chin
CC_Base_Tongue01 CC_Base_JawRoot jaw~chin~0.4
CC_Base_Tongue02 CC_Base_Tongue01 jaw~chin~0.6
CC_Base_Tongue03 CC_Base_Tongue02 jaw~chin~0.8
CC_Base_Teeth02 CC_Base_JawRoot jaw~chin~0.5
CC_Base_{S}_Eye CC_Base_FacialBone eye.S
CC_Base_UpperJaw CC_Base_FacialBone jaw~chin~0.3
CC_Base_Teeth01 CC_Base_UpperJaw jaw~chin~0.5
"""
_CCBASE: Final = (
    """
RL_BoneRoot - ground pelvis
CC_Base_Hip RL_BoneRoot pelvis
CC_Base_Pelvis CC_Base_Hip pelvis
CC_Base_{S}_Thigh CC_Base_Pelvis hip.S
CC_Base_{S}_Calf CC_Base_{S}_Thigh knee.S
CC_Base_{S}_Foot CC_Base_{S}_Calf ankle.S
CC_Base_{S}_ToeBaseShareBone CC_Base_{S}_Foot ball.S
CC_Base_{S}_ToeBase CC_Base_{S}_Foot ball.S
CC_Base_{S}_PinkyToe1 CC_Base_{S}_ToeBase ball.S~toe.S~0.4
CC_Base_{S}_MidToe1 CC_Base_{S}_ToeBase ball.S~toe.S~0.5
CC_Base_{S}_BigToe1 CC_Base_{S}_ToeBase ball.S~toe.S~0.6
CC_Base_{S}_CalfTwist01 CC_Base_{S}_Calf knee.S
CC_Base_{S}_CalfTwist02 CC_Base_{S}_CalfTwist01 knee.S~ankle.S~0.5
CC_Base_{S}_KneeShareBone CC_Base_{S}_Calf knee.S
CC_Base_{S}_ThighTwist01 CC_Base_{S}_Thigh hip.S
CC_Base_{S}_ThighTwist02 CC_Base_{S}_ThighTwist01 hip.S~knee.S~0.5
CC_Base_Waist CC_Base_Hip trunk.1
CC_Base_Spine01 CC_Base_Waist trunk.3
CC_Base_Spine02 CC_Base_Spine01 trunk.5
CC_Base_NeckTwist01 CC_Base_Spine02 neck.0
CC_Base_NeckTwist02 CC_Base_NeckTwist01 neck.5
CC_Base_Head CC_Base_NeckTwist02 head crown
"""
    + _CC_FACE
    + """
CC_Base_{S}_Clavicle CC_Base_Spine02 collar.S
CC_Base_{S}_Upperarm CC_Base_{S}_Clavicle shoulder.S
CC_Base_{S}_UpperarmTwist01 CC_Base_{S}_Upperarm shoulder.S
CC_Base_{S}_UpperarmTwist02 CC_Base_{S}_UpperarmTwist01 shoulder.S~elbow.S~0.5
CC_Base_{S}_Forearm CC_Base_{S}_Upperarm elbow.S
CC_Base_{S}_ForearmTwist01 CC_Base_{S}_Forearm elbow.S
CC_Base_{S}_ForearmTwist02 CC_Base_{S}_ForearmTwist01 elbow.S~wrist.S~0.5
CC_Base_{S}_ElbowShareBone CC_Base_{S}_Forearm elbow.S
CC_Base_{S}_Hand CC_Base_{S}_Forearm wrist.S
"""
    + fingers(
        "CC_Base_{S}_{finger}{joint}",
        [("Mid", "middle"), ("Index", "index"), ("Ring", "ring"), ("Pinky", "pinky"), ("Thumb", "thumb")],
        "CC_Base_{S}_Hand",
    )
    + """
CC_Base_{S}_RibsTwist CC_Base_Spine02 breast.S~trunk.6~0.3
CC_Base_{S}_Breast CC_Base_{S}_RibsTwist breast.S breast.tip.S
"""
)

_KAYKIT: Final = """
root - ground
hips root pelvis
spine hips trunk.2
chest spine trunk.6
upperarm.{S} chest shoulder.S
lowerarm.{S} upperarm.{S} elbow.S
wrist.{S} lowerarm.{S} wrist.S
hand.{S} wrist.{S} hand.S
handslot.{S} hand.{S} hand.S
head chest head crown
upperleg.{S} hips hip.S
lowerleg.{S} upperleg.{S} knee.S
foot.{S} lowerleg.{S} ankle.S
toes.{S} foot.{S} ball.S toe.S
kneeIK.{S} root knee.S
control-toe-roll.{S} root toe.S
control-heel-roll.{S} control-toe-roll.{S} heel.S
control-foot-roll.{S} control-heel-roll.{S} ball.S
heelIK.{S} control-foot-roll.{S} ankle.S
IK-foot.{S} control-heel-roll.{S} ankle.S
IK-toe.{S} control-toe-roll.{S} ball.S
elbowIK.{S} root elbow.S
handIK.{S} root wrist.S
"""

GAMES: Final = (
    RigType("Mixamo", "mixamo", bones(_prefixed(_MIXAMO, "mixamorig:"), LEFT_RIGHT), person),
    RigType("Mixamo, no prefix", "mixamo", bones(_MIXAMO, LEFT_RIGHT), person),
    RigType("Mixamo, mixamorig1_", "mixamo", bones(_prefixed(_MIXAMO, "mixamorig1_"), LEFT_RIGHT), person),
    RigType("Unreal, UE4", "unreal", bones(_unreal(3, 1, 1), ("l", "r")), person, sideways=True),
    RigType("Unreal, UE5", "unreal_ue5", bones(_unreal(5, 2, 2), ("l", "r")), person, sideways=True),
    RigType("Character Creator", "ccbase", bones(_CCBASE), person, sideways=True),
    RigType("KayKit", "kaykit", bones(_KAYKIT, ("l", "r")), person),
    RigType("VRoid", "vroid", bones(_VROID), person),
    RigType("VRM humanoid", "vrm", bones(_VRM, ("left", "right")), person),
)
