"""What the documents say is so."""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path

import pytest

import ascendtensor as at
from ops_registry.lowerings import LOWERINGS
from ops_registry.prototype import PROTOTYPES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_readmes_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    match = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert match is not None
    code = match.group(1)
    assert len([line for line in code.splitlines() if line]) <= 11
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    promised = re.search(r"now it waits: (.*)", code)
    assert promised is not None
    assert printed.splitlines()[0] == promised.group(1)
    assert "('ReduceMean', 1)" in printed


def exists(name: str) -> bool:
    """Whether the library has something of a name, which may have dots."""
    try:
        attrgetter(name)(at)
    except AttributeError:
        return False
    return True


def test_the_readme_names_functions_that_exist() -> None:
    table = README[README.index("| part of the standard") : README.index("Defaults are")]
    table = "\n".join(line for line in table.splitlines() if line.startswith("|"))
    named = [name for cell in re.findall(r"`([^`]*)`", table) for name in cell.split() if "*" not in name]
    missing = [name for name in named if not exists(name) and name != "newaxis"]
    assert len(named) > 40
    assert missing == []


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_the_readmes_commands_are_in_the_makefile(command: str) -> None:
    assert command in README
    assert re.search(rf"^{command.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("variable", sorted(set(re.findall(r"`(ASCENDTENSOR_\w+)`", README))))
def test_the_readmes_variables_are_read_by_the_code(variable: str) -> None:
    sources = "".join(path.read_text() for path in (ROOT / "ascendtensor").rglob("*.py"))
    assert variable in sources


def test_the_guide_shows_the_declaration_that_is_in_the_tree() -> None:
    shown = re.search(r"```python\n(declare\(\n    \"Log1p\".*?\n\))\n```", CONTRIBUTING, re.DOTALL)
    assert shown is not None
    assert shown.group(1) in (ROOT / "ops_registry" / "prototypes" / "transcendental.py").read_text()
    assert "Log1p" in PROTOTYPES
    assert "log1p" in LOWERINGS
    assert '"log1p": (FLOATING, "Log1p"),' in (ROOT / "ops_registry" / "lowerings" / "elementwise.py").read_text()


def test_the_architecture_names_every_module_of_the_upper_layers() -> None:
    for folder in ("ascendtensor/runtime", "ascendtensor", "ops_registry"):
        for path in (ROOT / folder).glob("*.py"):
            if path.stem != "__init__":
                assert re.search(rf"`{path.stem}[`/]", ARCHITECTURE), f"{folder}/{path.name} is not described"
