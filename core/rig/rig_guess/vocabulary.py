"""What bones are called: words for the parts of a body, and words that make a bone something else."""

from typing import Final

SIDED_PART_WORDS: Final = {
    "shoulder": ("clavicle", "collar", "collarbone", "clav", "shoulder", "scapula", "shoulderblade", "肩"),
    "upper_arm": ("upperarm", "uparm", "armupper", "humerus", "shldr", "bicep", "arm", "腕"),
    "forearm": ("forearm", "lowerarm", "lowarm", "loarm", "armlower", "radius", "elbow", "ひじ"),
    "hand": ("hand", "wrist", "手首"),
    "thigh": ("thigh", "upperleg", "upleg", "legupper", "femur", "hip", "足"),
    "shin": ("shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "crus", "leg", "knee", "ひざ"),
    "foot": ("foot", "ankle", "paw", "hoof", "足首"),
    "toe": ("toe", "toes", "toebase", "ball", "つま先"),
}
"""A sided part's words, the clearest first, in lower case and without what separates them."""
CENTRAL_PART_WORDS: Final = {
    "hips": ("hips", "pelvis", "hip", "センター", "下半身"),
    "head": ("head", "skull", "頭"),
}
CHAIN_PART_WORDS: Final = {
    "spine": (
        *("spine", "chest", "upperchest", "torso", "abdomen", "waist", "thorax", "ribcage", "stomach", "belly"),
        *("lowerback", "midback", "upperback", "back", "chestlower", "chestupper", "abdomenlower", "abdomenupper"),
        *("lowerspine", "midspine", "upperspine", "spinelower", "spinemid", "spineupper", "body", "上半身"),
    ),
    "neck": ("neck", "lowerneck", "upperneck", "necklower", "neckupper", "首"),
    "tail": ("tail",),
}
JOINT_WORDS: Final = {"shoulder": "upper_arm", "hip": "thigh"}
"""Where elbows and knees are named, shoulders and hips are joints too, and not the bones before them."""


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOISE_WORDS: Final = _word_set(
    "mixamorig cc base bip biped valve j c x m b def org deform bn bone jnt joint sk skel bend stretch rig sec adj"
)
"""Words that say nothing about the part."""
EXCLUDING_WORDS: Final = _word_set(
    "ik fk ctrl ctl control target pole mch wgt vis tweak helper share corrective muscle twist roll end nub tip site "
    "thumb index middle mid ring pinky little finger fingers palm carpal metacarpal eye eyes jaw ear ears hair skirt "
    "breast bust pec weapon prop slot dummy heel pivot socket attach holder parent hold cape cloth tongue teeth face "
    "nose lip brow cheek lid mouth master handle spin rock follow switch properties offset meta"
)
"""Words that make a bone something else than the part that it names."""
FRONT_WORDS: Final = frozenset(("front", "fore"))
HIND_WORDS: Final = frozenset(("hind", "rear", "back"))
LEFT_WORDS: Final = frozenset(("l", "left", "lft", "lf", "左"))
RIGHT_WORDS: Final = frozenset(("r", "right", "rgt", "rt", "右"))
