"""The weights that twicetold ships: one folder for each model, with its card and checksums. `twicetold.models` finds and checks them."""
