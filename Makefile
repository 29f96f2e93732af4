# Everything runs in an environment of its own below .venv; PYTHON says which Python makes it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-all lint clean

demo: $(VENV)/examples
	$(BIN)/python examples/digits.py

test: $(VENV)/test
	$(BIN)/python -m pytest -q -n 2 -m "not long" tests

test-all: $(VENV)/test
	$(BIN)/python -m pytest -q -n 2 tests

lint: $(VENV)/lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

$(VENV)/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'ascendtensor needs Python 3.11 or newer: make PYTHON=python3.12 ...')"
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/examples $(VENV)/test $(VENV)/lint: $(VENV)/%: pyproject.toml | $(VENV)/python
	$(PIP) --editable '.[$*]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis digits.png
