"""Refinement of recorded interactions: exact contacts by inverse kinematics, and depenetration."""
