# `make test` runs the tests but the long ones; `make demo` shows the program at work.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: all demo test test-changed test-all lint fmt clean
all: $(STAMP)

# One environment, rebuilt when the lists of dependencies change. The self-link
# lets type checkers find the package whose root is this folder. The pip that comes with Python
# 3.11 takes three times as long to choose among files as a current one.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt -e '.[dev]'
	mkdir -p .typing && ln -sfn .. .typing/bidwright
	touch $@

demo: $(STAMP)
	$(BIN)/bidwright explain --pbn examples/demo.pbn --board 1
	$(BIN)/bidwright bid KQ4.AQ8.K9873.K2 "1S (P)"

# Minutes; the long tests take several times as long. Those that the change touches
# run for LIMIT seconds at most.
LIMIT ?= 360

test: $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" scripts/check.sh

test-changed: $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" scripts/check.sh --changed $(LIMIT)

test-all: $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" scripts/check.sh --all

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fmt: $(STAMP)
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .typing build dist *.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
