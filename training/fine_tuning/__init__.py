"""Fine-tuning of a controller: styles, rehearsal and pseudo-rehearsal."""
