"""The style sheet of docs/developing/README.md, as far as a test can hold it."""

import re
from typing import Final

LONGEST_DESCRIPTION: Final = 90
SMALL_WORDS: Final = {
    "a",
    "an",
    "the",
    "and",
    "or",
    "of",
    "in",
    "on",
    "to",
    "by",
    "from",
    "with",
    "at",
    "if",
    "as",
    "for",
}
FORBIDDEN_WORDS: Final = re.compile(
    r"(?<!{)\b(who|whom|whoever|somebody|someone|nobody|anybody|anew|besides|thereby|shall|even so|one's|is told|tells"
    r"|labell(ing|ed|er)|metres?|colour\w*|centre\w*|kerbs?|learnt|practis\w+|backwards|forwards|cancelled|towards)\b"
    r"|(?<![Tt]here )\bis no\b(?! longer)",
    re.IGNORECASE,
)
OLD_LABELS: Final = {
    "Direct", "Along the Path", "Cue", "Add Cue", "Marks", "Mark", "Errands", "Bake Errands", "Bake Together",
    "Bake Again", "Bring Motion Here", "After the Bake", "Guess Rig", "Guess Again", "Calibrate By",
    "Take Pose Again", "Show Doubts", "Few Keys", "Face Aside", "Told In", "Objects in Clips", "Augment",
    "Look What Is in It", "What Is in It", "Is Right", "Label Actions", "Paint Contact", "Erase Contact",
    "Tag for Walks", "Bake Into", "Limbs", "IK Where There Is", "Frames of This Action", "Speed by Radius",
    "Starts At", "Carried By", "Go Through", "Captured On", "Made With", "Make Environment", "Doctor",
    "Stop and Keep", "Make Patches",
}  # fmt: skip
"""Labels of one concept that the interface has under another name."""
