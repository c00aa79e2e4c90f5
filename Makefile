# Two commands: `make demo` shows errata at work, `make test` runs the tests. Both set everything up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(shell find src -name '*.pyx' -o -path '*/kernels/*.[ch]')
# Packages of models in this repository; there may be none.
MODELS := $(wildcard models/*/pyproject.toml models/*/src/*/*/errata.json)
INSTALL_MODELS = $(if $(MODELS),$(BIN)/python -m pip install -q --no-deps $(dir $(filter %/pyproject.toml,$(MODELS))))

.PHONY: demo test check bench docs clean

demo: $(VENV)/.demo
	$(BIN)/python examples/demo.py

# Many tests start errata afresh: what Python has compiled is kept, whatever the environment says.
test: $(VENV)/.test
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks.speed

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "site/index.html (with search: $(BIN)/python -m http.server --directory site)"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U pip

$(VENV)/.demo: $(BIN)/python pyproject.toml setup.py constraints.txt $(KERNELS) $(MODELS)
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	$(INSTALL_MODELS)
	touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml setup.py constraints.txt $(KERNELS) $(MODELS)
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test]'
	$(INSTALL_MODELS)
	-command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix $(VENV)/node gramma@1.6.0
	-{ command -v chromium && ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || [ "$$(id -u)" != 0 ] || \
	  { apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium postgresql >/dev/null; }
	touch $@

$(VENV)/.check: $(VENV)/.test
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test,check]'
	touch $@

$(VENV)/.bench: $(VENV)/.test
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test,bench]'
	touch $@

$(VENV)/.docs: $(BIN)/python pyproject.toml setup.py constraints.txt $(KERNELS)
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[docs]'
	touch $@

clean:
	rm -rf build dist site src/*.egg-info $(VENV)/.demo $(VENV)/.test $(VENV)/.check $(VENV)/.bench $(VENV)/.docs
