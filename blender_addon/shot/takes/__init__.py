"""Takes: versions of a walk with different seeds or controllers, of which one is chosen."""
