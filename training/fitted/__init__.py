"""Network families whose controllers are fitted to samples instead of trained step by step."""
