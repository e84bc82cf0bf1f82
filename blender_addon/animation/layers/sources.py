"""The source of a bake, by which its next version is known."""

from dataclasses import dataclass
from typing import Literal

SourceKind = Literal["", "WALK", "INTERACTIONS", "SHOT", "STRIKES", "DUEL", "DANCE", "ANSWER", "RETARGET", "ADAPT"]


@dataclass(frozen=True, slots=True)
class BakeSource:
    """The source of a bake: a later bake of the same source is its next version, and replaces it.

    Attributes:
        kind: the kind of bake; nothing in files that are older than sources.
        subject: the full name of the object by which bakes of a kind differ, such as the path; empty if none.
    """

    kind: SourceKind = ""
    subject: str = ""
