"""Strikes at targets: strike orders, roll-outs of attacks, exact hits, and fights from approach to retreat."""
