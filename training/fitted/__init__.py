"""Controllers that are made of the samples themselves and not trained by gradients: how each family is fitted."""
