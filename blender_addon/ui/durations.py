"""Durations as text."""


def format_duration(seconds: float) -> str:
    """Return a duration as text, such as ``1 h 5 min``, ``4 min`` or ``20 s``."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
