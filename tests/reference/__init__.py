"""A second reading of the Sichuan rules, written from the clauses alone, for the engine to be compared with.

Everything here is brute force and shares no code, no table and no encoding with `wallwright.rules`: tiles are numbers
like 25 (five of the second suit), readings are found by trying, the wall is a square of stacks with coordinates.
Clause names (`SBR-6.4`) point to `docs/rules.md`.
"""
