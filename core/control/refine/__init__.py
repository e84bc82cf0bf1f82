"""Refinement of interactions: contacts by inverse kinematics, and depenetration."""
