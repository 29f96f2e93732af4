"""Findings: what is not as a list has it, told once for all chips that it holds on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .. import soc

__all__ = ["Findings", "rows_as_text"]

_MOST_ROWS = 4


@dataclass
class Findings:
    """Collects findings in the order in which they come."""

    _chips: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, subject: str, what: str, chip: str | None = None) -> None:
        """What is wrong with a subject, on a chip or on all of them."""
        chips = self._chips.setdefault((subject, what), [])
        if chip is not None and chip not in chips:
            chips.append(chip)

    def __len__(self) -> int:
        return len(self._chips)

    def lines(self) -> Iterator[str]:
        """The findings as text."""
        for (subject, what), chips in self._chips.items():
            where = f" ({', '.join(chips)})" if chips and set(chips) != set(soc.ALL) else ""
            yield f"{subject}: {what}{where}"


def rows_as_text(rows: Iterable[tuple[str | None, ...]]) -> str:
    """Dtype rows as the declarations write them; a long list ends with how many more there are."""
    told = sorted("/".join(cell or "-" for cell in row) for row in rows)
    more = f" and {len(told) - _MOST_ROWS} more" if len(told) > _MOST_ROWS else ""
    return ", ".join(told[:_MOST_ROWS]) + more
