"""How well mining works: questions with known evidence, the paper's pipeline beside ours, and the tables that compare them."""
