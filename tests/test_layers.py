"""The arrows between the layers: an import runs downwards only, and only the runtime calls `acl`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("ops_registry", "ascendtensor")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# layer -> what its modules may import beside the standard library and their own layer.
ALLOWED: dict[str, set[str]] = {
    "ops_registry": {"numpy"},
    "ascendtensor.embedded": {"numpy", "ml_dtypes", "ops_registry"},
    "ascendtensor.runtime": {"numpy", "ml_dtypes", "ops_registry", "ascendtensor.embedded"},
    "ascendtensor": {"numpy", "ml_dtypes", "ops_registry", "ascendtensor.runtime"},
}


# module -> the packages that it imports where a user asks for what needs them.
OPTIONAL: dict[str, set[str]] = {"ascendtensor.saving": {"safetensors"}}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str:
    """The layer that a module belongs to, or the foreign package's name."""
    return next(
        (layer for layer in sorted(ALLOWED, reverse=True) if module.startswith(layer)), module.partition(".")[0]
    )


def _nodes_that_run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING`, which are for the type checker alone."""
    yield tree
    if isinstance(tree, ast.If) and isinstance(tree.test, ast.Name) and tree.test.id == "TYPE_CHECKING":
        return
    for child in ast.iter_child_nodes(tree):
        yield from _nodes_that_run(child)


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, wherever in it, relative ones resolved."""
    package = name_of(path).split(".") if path.name == "__init__.py" else name_of(path).split(".")[:-1]
    for node in _nodes_that_run(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                submodule = f"{origin}.{alias.name}"
                yield submodule if any(name_of(module) == submodule for module in MODULES) else origin


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_its_own_layer_and_those_below(path: Path) -> None:
    own = layer_of(name_of(path))
    allowed = ALLOWED[own] | OPTIONAL.get(name_of(path), set())
    for imported in imports(path):
        layer = layer_of(imported)
        if layer not in sys.stdlib_module_names:
            assert layer == own or layer in allowed, f"{name_of(path)} imports {imported}"


def test_no_module_imports_itself_in_a_circle() -> None:
    names = {name_of(path) for path in MODULES}
    graph = {name_of(path): {module for module in imports(path) if module in names} for path in MODULES}
    # A package's own text only gathers its modules; they may import each other through it in no other way.
    order = list(TopologicalSorter(graph).static_order())
    assert set(order) == names


@pytest.mark.parametrize(
    "path", [path for path in MODULES if layer_of(name_of(path)) in ("ascendtensor", "ops_registry")], ids=name_of
)
def test_nobody_outside_the_runtime_names_acl(path: Path) -> None:
    tree = ast.parse(path.read_text())
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    named |= {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import) for alias in node.names
    }
    assert "acl" not in named


def test_the_walk_would_see_an_upward_import() -> None:
    assert {"ops_registry.lowerings.registry"} <= set(imports(ROOT / "ops_registry" / "lowerings" / "__init__.py"))
    assert "ascendtensor.runtime.stream" in set(imports(ROOT / "ascendtensor" / "npu.py"))
    assert layer_of("ascendtensor.tensor") not in ALLOWED["ops_registry"]
    assert layer_of("ascendtensor.embedded.codes") == "ascendtensor.embedded"
