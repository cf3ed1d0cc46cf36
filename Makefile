# Two commands on a fresh machine: `make play` and `make test`. Both set everything up by themselves.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help setup play client web test lint types check audit bench soak coverage golden pictures lock clean

help:
	@echo "make play       set up and open the tables in your browser"
	@echo "make client     build the pages that the server shows"
	@echo "make test       set up and run every check"
	@echo "make audit      ask whether anything is known against what we depend on"
	@echo "make bench      measure, side by side with others"
	@echo "make soak       long lockstep games against the tests' own referee; the server killed a hundred times"
	@echo "make coverage   the rules uncompiled, line by line"
	@echo "make golden     write the golden games and the table of rules and tests anew"
	@echo "make pictures   take the documentation's pictures of the pages anew"
	@echo "make lock       choose newer versions of what we depend on"

setup: $(READY)

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Archipel needs Python 3.11 or newer: set PYTHON to one, as in make PYTHON=python3.12 test."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || \
		{ echo "Python's venv module is missing: install it (Debian: apt-get install python3-venv)."; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

play: client
	@$(BIN)/archipel warm
	@$(BIN)/archipel

client: setup
	$(BIN)/python web/hatch_build.py

web: setup
	$(BIN)/python web/hatch_build.py check lint test

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

check: client
	sh tests/machine.sh
	$(BIN)/archipel warm
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/browser
	@# Their games are played by real chance in a real browser: what failed must pass a second time, alone.
	$(BIN)/python -m pytest -n auto --dist worksteal tests/browser || \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none tests/browser

test: lint types check web

audit: setup
	@test -x .venv/audit/bin/pip-audit || { $(PYTHON) -m venv .venv/audit && \
		.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit; } >/dev/null 2>&1 || true
	$(BIN)/python -m tests.audit

bench: setup
	$(BIN)/archipel bench
	@cd bench/boardgame_io && npm install --silent --no-fund --no-audit >/dev/null 2>&1 || \
		echo "npm could not install boardgame.io: the table is measured alone."
	$(BIN)/python -m bench.table

soak: setup
	ARCHIPEL_LOCKSTEP_GAMES=$${ARCHIPEL_LOCKSTEP_GAMES:-2000} $(BIN)/python -m pytest -n auto tests/test_lockstep.py
	ARCHIPEL_KILLS=$${ARCHIPEL_KILLS:-100} $(BIN)/python -m pytest -s tests/table/test_crash.py

coverage: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest tests/core tests/games
	$(BIN)/coverage report --skip-covered

golden: setup
	$(BIN)/python -m tests.golden.make
	$(BIN)/python -m tests.rules_table
	$(BIN)/python -m archipel.table.protocol > docs/protocol.json
	$(BIN)/python -m archipel.table.openapi > docs/openapi.json
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python web/scripts/facts.py
	$(BIN)/python web/scripts/lessons.py
	$(BIN)/python web/scripts/pictures.py

pictures: client
	$(BIN)/python -m tests.browser.pictures
	$(BIN)/python web/scripts/icons.py

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --upgrade --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --output-file requirements.lock

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
