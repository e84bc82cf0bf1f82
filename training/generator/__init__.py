"""Training of generative control models (Starke et al. 2020, section 6)."""
