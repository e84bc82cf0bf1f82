"""Takes: the same walk several times, by seeds or controllers, of which one is chosen."""
