"""Actions: what a character does (NSM section 5)."""

from typing import Final

NAMES: Final = ("idle", "walk", "run", "sit", "open", "carry", "climb", "strike")
