"""Fine-tuning: further training of a base controller on new clips."""
