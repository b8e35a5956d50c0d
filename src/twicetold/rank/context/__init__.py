"""Claims in their context: the lines around them, who speaks, and what that speaker was checked for before."""
