"""Fine-tuning: continuing the training of a controller on new clips."""
