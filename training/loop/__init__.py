"""The training loop: session, trainer, checkpoints, model selection, roll-outs and reports."""
