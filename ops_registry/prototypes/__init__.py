"""The declarations of op types, by what they do. Importing this package fills `PROTOTYPES`."""

from . import creation, elementwise, linear_algebra, movement, reduction

__all__ = ["creation", "elementwise", "linear_algebra", "movement", "reduction"]
