# One command each. Needs make and Python 3.11 or newer with venv; README.md shows the plain commands behind these.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help run test check bench lock clean

help:
	@echo "make run     set up and start the playground (PORT=8000, HOST=127.0.0.1)"
	@echo "make test    set up and run every test"
	@echo "make check   lint, format, types, imports, then make test"
	@echo "make bench   measure everything (PART=engine: one part), write docs/benchmark.json"
	@echo "make lock    resolve requirements*.in again into the locks (needs uv)"

run: $(VENV)/requirements.lock
	@exec $(BIN)/python -m playground.launcher

test: $(VENV)/requirements-dev.lock
	@$(BIN)/python -m tests.run

check: $(VENV)/requirements-dev.lock
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory test

bench: $(VENV)/requirements-dev.lock
	@$(BIN)/python -m tests.bench $(PART)

lock:
	uv pip compile --universal --generate-hashes --python-version 3.11 --custom-compile-command "make lock" $(LOCK_OPTIONS) -q requirements.in -o requirements.lock
	uv pip compile --universal --generate-hashes --python-version 3.11 --custom-compile-command "make lock" $(LOCK_OPTIONS) -q requirements-dev.in -o requirements-dev.lock

clean:
	rm -rf $(VENV) var staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# The copy of a lock inside the environment says that it is installed: a second start takes no time.
$(VENV)/requirements.lock: requirements.lock | $(BIN)/python
	@echo "Installing what the playground needs into $(VENV) (once, takes a minute)."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@cp requirements.lock $@

$(VENV)/requirements-dev.lock: requirements-dev.lock requirements.lock | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) (once, takes a minute)."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@cp requirements.lock $(VENV)/requirements.lock
	@cp requirements-dev.lock $@

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing. Install Python 3.11 or newer, on Debian: apt install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$($(PYTHON) --version) is too old: Python 3.11 or newer is needed. Name another one: make PYTHON=python3.11 run" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "This Python has no venv module. On Debian: apt install python3-venv" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
