"""A walk along a path: plan, roll-out, and post-processing."""
