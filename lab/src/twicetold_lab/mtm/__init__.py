"""The experiments of MTM (Sheng et al. 2021): candidates, baselines of Table 2, ablations of Table 3, key sentences of section 4.7."""
