"""Hong Kong Old Style, and the modern game: hands, faan, payments, deals. Clauses are named `HKO-x.y`."""
