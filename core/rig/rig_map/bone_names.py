"""Lookup of bones by name with any importer's prefix: ``mixamorig:Hips``, ``mixamorig1:Hips``, ``Hips``."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

NAMESPACE_PATTERN: Final = re.compile(r"^.*[:|]")
"""The namespace of a bone's name."""
MIN_EXACT_MATCH_SHARE: Final = 0.5
"""Share of a map's bones found by exact name below which another prefix is tried."""


class BoneNames:
    """The bone names of an armature, in which the bone names of a rig map are looked up despite other prefixes."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @cached_property
    def _by_plain_name(self) -> dict[str, str]:
        """Full bone names by name without namespace; if several are equal, the first."""
        return {strip_namespace(name): name for name in reversed(self.names)}

    def bind(self, bones: Sequence[str], others: Iterable[str] = ()) -> dict[str, str]:
        """Return the armature's bone name for each bone name of a map; bones missing in the armature are omitted.

        Args:
            bones: names in the map, by which the prefixes of map and armature are determined.
            others: further bone names in the map, such as those of controls, which have no say in the prefixes.
        """
        everything = {*bones, *others}
        exact = self._match_names(everything, "", "")
        best, most = exact, sum(bone in exact for bone in set(bones))
        if most < MIN_EXACT_MATCH_SHARE * len(set(bones)):
            for own in {"", common_prefix(bones)}:
                found = self._match_names(everything, own, self._likeliest_prefix(bones, own))
                count = sum(bone in found for bone in set(bones))
                if count > most:
                    best, most = found, count
        return best

    def _match_names(self, bones: Iterable[str], map_prefix: str, prefix: str) -> dict[str, str]:
        """Return the bones found in the armature after replacing the map's own prefix with ``prefix``."""
        candidates = {bone: prefix + strip_namespace(bone).removeprefix(map_prefix) for bone in bones}
        return {bone: self._by_plain_name[name] for bone, name in candidates.items() if name in self._by_plain_name}

    def _likeliest_prefix(self, bones: Sequence[str], map_prefix: str) -> str:
        """Return the prefix with which most of the map's bones occur in the armature."""
        endings = {strip_namespace(bone).removeprefix(map_prefix) for bone in bones} - {""}
        prefixes = Counter(
            name[: len(name) - len(ending)]
            for name in self._by_plain_name
            for ending in endings
            if name.endswith(ending)
        )
        return min(prefixes, key=lambda prefix: (-prefixes[prefix], len(prefix), prefix), default="")


def strip_namespace(name: str) -> str:
    """Return a bone's name without its namespace: ``Hips`` for ``mixamorig:Hips``."""
    return NAMESPACE_PATTERN.sub("", name) or name


def common_prefix(names: Sequence[str]) -> str:
    """Return the common start of several names, up to its last separator, such as ``CC_Base_``."""
    plain = set(map(strip_namespace, names))
    if len(plain) < 2:
        return ""
    first, last = min(plain), max(plain)
    length = next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return re.sub(r"[A-Za-z0-9]+$", "", first[:length])
