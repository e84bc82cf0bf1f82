"""Retargeting: transfer of motion from one skeleton to another."""
