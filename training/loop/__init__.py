"""The training loop: batches, steps, evaluation, checkpoints, reports and export."""
