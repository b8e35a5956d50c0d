"""Millions of broken inputs for every parser of what others wrote: each reads them or refuses them with an error of ours. `make fuzz`."""
