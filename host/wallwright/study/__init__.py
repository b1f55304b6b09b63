"""Studies of how well tables shuffle: many simulated walls, what is measured of each, what that shows, as a report.

NumPy, SciPy and Matplotlib come with the extra `study`; `cells`, `revealed`, `martingale` and the wash test need none.
"""
