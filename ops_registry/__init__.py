"""Facts about CANN operators, and the lowering of array-API functions onto them.

This package is the ground floor: it imports NumPy and the standard library only, holds no device state,
and every result depends on its arguments alone.
"""
