"""Training devices, and groups of processes that train together."""
