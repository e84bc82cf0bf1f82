"""Settings, run configurations, provenance and check-summed files."""
