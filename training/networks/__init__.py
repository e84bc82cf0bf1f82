"""The torch networks that are trained; their twins for inference are in ``core.models``."""
