"""The chips, as CANN's operator lists tell them apart."""

from __future__ import annotations

__all__ = ["ALL", "DEFAULT", "SHARING_MEMORY", "family"]

ALL: tuple[str, ...] = ("910b", "910_93", "910", "310p", "310b")
DEFAULT = "910b"
# Those whose memory is the host's too: what must be known before an op runs can be read there wherever it lies.
SHARING_MEMORY = frozenset({"310b"})

# Beginnings of the names that `acl.get_soc_name()` gives; the first that fits decides.
_BEGINNINGS: tuple[tuple[str, str], ...] = (
    ("ascend910_93", "910_93"),
    ("ascend910b", "910b"),
    ("ascend910", "910"),
    ("ascend310p", "310p"),
    ("ascend310b", "310b"),
)


def family(soc_name: str) -> str:
    """The row of the operator tables for a chip.

    Parameters:
        soc_name: what `acl.get_soc_name()` gives, for instance `"Ascend910B1"`, or a family's own name.

    Raises:
        ValueError: no table for that chip.
    """
    name = soc_name.lower()
    if not name.startswith("ascend"):
        name = "ascend" + name
    for beginning, row in _BEGINNINGS:
        if name.startswith(beginning):
            return row
    raise ValueError(f"no operator table for the chip {soc_name!r}; there are tables for {', '.join(ALL)}")
