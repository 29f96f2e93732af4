"""Benchmarks: what operations cost, as ratios to NumPy in the same process. Run `python -m benchmarks`."""
