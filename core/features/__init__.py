"""Network inputs and outputs as named layouts, and their computation from labeled clips."""
