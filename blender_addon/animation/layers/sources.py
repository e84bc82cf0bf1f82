"""The source of a bake, which identifies its next version."""

from dataclasses import dataclass
from typing import Literal

SourceKind = Literal["", "WALK", "SHOT", "RETARGET", "ADAPT"]


@dataclass(frozen=True, slots=True)
class BakeSource:
    """The source of a bake: a later bake with the same source is its next version, and replaces it.

    Attributes:
        kind: the kind of bake; empty in files older than sources.
        subject: full name of the object that distinguishes bakes of a kind, such as the path; empty for none.
    """

    kind: SourceKind = ""
    subject: str = ""
