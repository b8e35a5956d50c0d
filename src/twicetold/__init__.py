"""Has this claim been fact-checked before? The values and the protocol; see `twicetold.collection` for the way in."""
