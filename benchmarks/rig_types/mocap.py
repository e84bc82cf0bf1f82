"""Skeletons of motion capture: few bones, mostly from BVH files, with end sites that are not bones."""

from typing import Final

from .person import person
from .rig_type import RigType, bones

LEFT_RIGHT: Final = ("Left", "Right")

_SPINE_TO_HEAD: Final = """
Hips - pelvis trunk.1
Spine Hips trunk.1
Spine1 Spine trunk.4
Spine2 Spine1 trunk.7
Neck Spine2 neck.0
Head Neck head crown
"""
_ARMS: Final = """
{S}Shoulder Spine2 collar.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S hand.S
"""
_LEGS: Final = """
{S}UpLeg Hips hip.S
{S}Leg {S}UpLeg knee.S
{S}Foot {S}Leg ankle.S
{S}ToeBase {S}Foot ball.S toe.S
"""

CMU_BVH: Final = """
Hips - pelvis trunk.1
LHipJoint Hips pelvis
LeftUpLeg LHipJoint hip.L
LeftLeg LeftUpLeg knee.L
LeftFoot LeftLeg ankle.L
LeftToeBase LeftFoot ball.L toe.L
RHipJoint Hips pelvis
RightUpLeg RHipJoint hip.R
RightLeg RightUpLeg knee.R
RightFoot RightLeg ankle.R
RightToeBase RightFoot ball.R toe.R
LowerBack Hips pelvis trunk.3
Spine LowerBack trunk.3
Spine1 Spine trunk.6
Neck Spine1 neck.0 neck.5
Neck1 Neck neck.5
Head Neck1 head crown
{S}Shoulder Spine1 neck.0 shoulder.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S
{S}FingerBase {S}Hand wrist.S middle.1.S
{S}HandIndex1 {S}FingerBase middle.1.S middle.3.S
LThumb LeftHand wrist.L thumb.2.L
RThumb RightHand wrist.R thumb.2.R
"""

CMU_ASF: Final = """
hips - pelvis trunk.1
{S}hipjoint hips pelvis
{S}femur {S}hipjoint hip.S
{S}tibia {S}femur knee.S
{S}foot {S}tibia ankle.S
{S}toes {S}foot ball.S toe.S
lowerback hips pelvis trunk.3
upperback lowerback trunk.3
thorax upperback trunk.6
lowerneck thorax neck.0
upperneck lowerneck neck.5
head upperneck head crown
{S}clavicle thorax neck.0
{S}humerus {S}clavicle shoulder.S
{S}radius {S}humerus elbow.S
{S}wrist {S}radius elbow.S~wrist.S~0.66
{S}hand {S}wrist wrist.S
{S}fingers {S}hand middle.1.S middle.3.S
{S}thumb {S}wrist wrist.S thumb.2.S
"""

CMU_3DSMAX: Final = """
Hips - pelvis trunk.1
LHipJoint Hips pelvis
LeftHip LHipJoint hip.L
LeftKnee LeftHip knee.L
LeftAnkle LeftKnee ankle.L
LeftToe LeftAnkle ball.L toe.L
RHipJoint Hips pelvis
RightHip RHipJoint hip.R
RightKnee RightHip knee.R
RightAnkle RightKnee ankle.R
RightToe RightAnkle ball.R toe.R
lowerback Hips pelvis trunk.3
Chest lowerback trunk.3
Chest2 Chest trunk.6
lowerneck Chest2 neck.0
Neck lowerneck neck.5
Head Neck head crown
{S}Collar Chest2 neck.0
{S}Shoulder {S}Collar shoulder.S
{S}Elbow {S}Shoulder elbow.S
{S}Wrist {S}Elbow wrist.S
lhand LeftWrist wrist.L middle.1.L
LFingers lhand middle.1.L middle.3.L
LThumb LeftWrist wrist.L thumb.2.L
rhand RightWrist wrist.R middle.1.R
RFingers rhand middle.1.R middle.3.R
RThumb RightWrist wrist.R thumb.2.R
"""

CMU_DAZ: Final = """
hip - pelvis trunk.2
abdomen hip trunk.2
chest abdomen trunk.5
neck chest neck.0
head neck head crown
leftEye head eye.L eye.L~ear.L~-0.3
rightEye head eye.R eye.R~ear.R~-0.3
{S}Collar chest collar.S
{S}Shldr {S}Collar shoulder.S
{S}ForeArm {S}Shldr elbow.S
{S}Hand {S}ForeArm wrist.S
{S}Thumb1 {S}Hand thumb.1.S
{S}Thumb2 {S}Thumb1 thumb.2.S thumb.4.S
{S}Index1 {S}Hand index.1.S
{S}Index2 {S}Index1 index.2.S index.4.S
{S}Mid1 {S}Hand middle.1.S
{S}Mid2 {S}Mid1 middle.2.S middle.4.S
{S}Ring1 {S}Hand ring.1.S
{S}Ring2 {S}Ring1 ring.2.S ring.4.S
{S}Pinky1 {S}Hand pinky.1.S
{S}Pinky2 {S}Pinky1 pinky.2.S pinky.4.S
{S}Buttock hip pelvis~hip.S~0.3
{S}Thigh {S}Buttock hip.S
{S}Shin {S}Thigh knee.S
{S}Foot {S}Shin ankle.S toe.S
"""

ACCAD: Final = (
    """
Hips - pelvis trunk.1
ToSpine Hips trunk.1
Spine ToSpine trunk.3
Spine1 Spine trunk.6
Neck Spine1 neck.0
Head Neck head crown
{S}Shoulder Spine1 collar.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S middle.4.S
"""
    + _LEGS
)

ANIMATED_DRAWINGS: Final = (
    """
Hips - pelvis trunk.1
Spine Hips trunk.1
Spine1 Spine trunk.3
Spine2 Spine1 trunk.5
Spine3 Spine2 trunk.7
Neck Spine3 neck.0
Head Neck head crown
{S}Shoulder Spine3 collar.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S middle.1.S
{S}HandEnd {S}Hand middle.1.S middle.3.S
{S}HandThumb1 {S}Hand thumb.1.S thumb.3.S
"""
    + _LEGS
)

DEEPMIMIC: Final = """
root - pelvis trunk.3
chest root trunk.4
neck chest neck.0 head
{S}_shoulder chest shoulder.S
{S}_elbow {S}_shoulder elbow.S
{S}_wrist {S}_elbow wrist.S hand.S
{S}_hip root hip.S
{S}_knee {S}_hip knee.S
{S}_ankle {S}_knee ankle.S ball.S
"""

LAFAN1: Final = _SPINE_TO_HEAD + _ARMS + _LEGS.replace("ToeBase", "Toe")

XSENS: Final = """
Pelvis - pelvis trunk.1
L5 Pelvis trunk.1
L3 L5 trunk.3
T12 L3 trunk.5
T8 T12 trunk.7
Neck T8 neck.0
Head Neck head crown
{S}Shoulder T8 collar.S
{S}UpperArm {S}Shoulder shoulder.S
{S}ForeArm {S}UpperArm elbow.S
{S}Hand {S}ForeArm wrist.S middle.3.S
{S}UpperLeg Pelvis hip.S
{S}LowerLeg {S}UpperLeg knee.S
{S}Foot {S}LowerLeg ankle.S
{S}Toe {S}Foot ball.S toe.S
"""

XSENS_BVH: Final = """
Hips - pelvis trunk.1
Chest Hips trunk.1
Chest2 Chest trunk.3
Chest3 Chest2 trunk.5
Chest4 Chest3 trunk.7
Neck Chest4 neck.0
Head Neck head crown
{S}Collar Chest4 collar.S
{S}Shoulder {S}Collar shoulder.S
{S}Elbow {S}Shoulder elbow.S
{S}Wrist {S}Elbow wrist.S middle.3.S
{S}Hip Hips hip.S
{S}Knee {S}Hip knee.S
{S}Ankle {S}Knee ankle.S
{S}Toe {S}Ankle ball.S toe.S
"""

BANDAI_NAMCO: Final = """
joint_Root - ground pelvis
Hips joint_Root pelvis trunk.2
Spine Hips trunk.2
Chest Spine trunk.5
Neck Chest neck.0
Head Neck head crown
Shoulder_{S} Chest collar.S
UpperArm_{S} Shoulder_{S} shoulder.S
LowerArm_{S} UpperArm_{S} elbow.S
Hand_{S} LowerArm_{S} wrist.S hand.S
UpperLeg_{S} Hips hip.S
LowerLeg_{S} UpperLeg_{S} knee.S
Foot_{S} LowerLeg_{S} ankle.S
Toes_{S} Foot_{S} ball.S toe.S
"""

MOCAP: Final = (
    RigType("CMU, BVH of cgspeed", "cmu_bvh", bones(CMU_BVH, LEFT_RIGHT), person),
    RigType("CMU, ASF/AMC", "cmu_asf", bones(CMU_ASF, ("l", "r")), person),
    RigType("CMU, BVH for 3ds Max", "cmu_3dsmax", bones(CMU_3DSMAX, LEFT_RIGHT), person),
    RigType("CMU, BVH for Daz", "cmu_daz", bones(CMU_DAZ, ("l", "r")), person),
    RigType("ACCAD", "accad", bones(ACCAD, LEFT_RIGHT), person),
    RigType("Animated Drawings", "animated_drawings", bones(ANIMATED_DRAWINGS, LEFT_RIGHT), person),
    RigType("DeepMimic", "deepmimic", bones(DEEPMIMIC, ("left", "right")), person),
    RigType("LaFAN1", "lafan1", bones(LAFAN1, LEFT_RIGHT), person),
    RigType("Xsens MVN", "xsens", bones(XSENS, LEFT_RIGHT), person),
    RigType("Xsens MVN, BVH", "xsens_bvh", bones(XSENS_BVH, LEFT_RIGHT), person),
    RigType("Bandai Namco", "bandai_namco", bones(BANDAI_NAMCO), person),
)
