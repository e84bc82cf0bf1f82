"""Words in bone names: for body parts, for sides, and for bones that are not body parts."""

from typing import Final

SIDED_PART_WORDS: Final = {
    "shoulder": ("clavicle", "collar", "collarbone", "clav", "shoulder", "scapula", "shoulderblade", "肩"),
    "upper_arm": ("upperarm", "uparm", "armupper", "humerus", "shldr", "bicep", "arm", "腕"),
    "forearm": ("forearm", "lowerarm", "lowarm", "loarm", "armlower", "radius", "elbow", "ひじ"),
    "hand": ("hand", "wrist", "手首"),
    "thigh": ("thigh", "upperleg", "upleg", "legupper", "femur", "hip", "足"),
    "shin": ("shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "crus", "leg", "knee", "ひざ"),
    "foot": ("foot", "ankle", "paw", "hoof", "足首"),
    "toe": ("toe", "toes", "toebase", "ball", "足先ex", "足先", "つま先"),
}
"""Words for each body part that has a side, the clearest first, in lower case and without separators."""
CENTRAL_PART_WORDS: Final = {
    "hips": ("hips", "pelvis", "hip", "下半身", "lowerbody", "センター"),
    "head": ("head", "skull", "頭"),
}
"""Words for each body part without a side, the clearest first."""
CHAIN_PART_WORDS: Final = {
    "spine": (
        *("spine", "chest", "upperchest", "torso", "abdomen", "waist", "thorax", "ribcage", "stomach", "belly"),
        *("lowerback", "midback", "upperback", "back", "chestlower", "chestupper", "abdomenlower", "abdomenupper"),
        *(
            "lowerspine",
            "midspine",
            "upperspine",
            "spinelower",
            "spinemid",
            "spineupper",
            "body",
            "上半身",
            "upperbody",
        ),
    ),
    "neck": ("neck", "lowerneck", "upperneck", "necklower", "neckupper", "首"),
    "tail": ("tail",),
}
"""Words for each body part that may have several bones, the clearest first."""
CENTER_WORDS: Final = frozenset(("センター",))
"""Words for the hips; if another bone is named hips, they mean instead a bone that moves the whole body."""
JOINT_WORDS: Final = {"shoulder": "upper_arm", "hip": "thigh"}
"""In armatures that name elbows and knees, words that mean a joint, with the part whose bone starts at it."""


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOISE_WORDS: Final = _word_set(
    "mixamorig cc base bip biped valve j c x m b def org deform bn bone jnt joint sk skel bend stretch rig sec adj"
)
"""Words without meaning for the part."""
EXCLUDING_WORDS: Final = _word_set(
    "ik fk ctrl ctl control target pole mch wgt vis tweak helper share corrective muscle twist roll end nub tip site "
    "thumb index middle mid ring pinky little finger fingers palm carpal metacarpal eye eyes jaw ear ears hair skirt "
    "breast bust pec weapon prop slot dummy heel pivot socket attach holder parent hold cape cloth tongue teeth face "
    "nose lip brow cheek lid mouth master handle spin rock follow switch properties offset meta"
)
"""Words that exclude a bone, such as those for controls."""
FRONT_WORDS: Final = frozenset(("front", "fore"))
"""Words for the front legs."""
HIND_WORDS: Final = frozenset(("hind", "rear", "back"))
"""Words for the hind legs."""
LEFT_WORDS: Final = frozenset(("l", "left", "lft", "lf", "左"))
"""Words for the left side."""
RIGHT_WORDS: Final = frozenset(("r", "right", "rgt", "rt", "右"))
"""Words for the right side."""
