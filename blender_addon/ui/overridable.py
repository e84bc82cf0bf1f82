"""The properties of :mod:`.plain`, but editable on library overrides."""

from functools import partial
from typing import Final

from . import plain

OVERRIDABLE: Final = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST: Final = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}

flag: Final = partial(plain.flag, override=OVERRIDABLE)
integer: Final = partial(plain.integer, override=OVERRIDABLE)
number: Final = partial(plain.number, override=OVERRIDABLE)
share: Final = partial(plain.share, override=OVERRIDABLE)
text: Final = partial(plain.text, override=OVERRIDABLE)
choice: Final = partial(plain.choice, override=OVERRIDABLE)
pointer: Final = partial(plain.pointer, override=OVERRIDABLE)
collection: Final = partial(plain.collection, override=OVERRIDABLE_LIST)
