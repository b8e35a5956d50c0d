"""Ends writers as a power cut would, at hundreds of random moments, and looks at what is left. See docs/faults.md."""
