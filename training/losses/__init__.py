"""Training stages, their losses and the learning-rate schedule."""
