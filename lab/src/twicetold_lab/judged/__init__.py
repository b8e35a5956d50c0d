"""Judged pairs: what people or models said of claims and fact-checks read side by side, and how answers fare by it."""
