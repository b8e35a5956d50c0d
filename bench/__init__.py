"""Measurements on real data, with peers in the same run. Each writes a record to results/."""
