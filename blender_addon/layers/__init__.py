"""Where a bake goes: into an action of its own, an NLA strip, or a range of frames of an action; and back."""
