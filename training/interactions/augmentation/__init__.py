"""Object augmentation: objects replaced in windows of takes during training (NSM section 5.2)."""
