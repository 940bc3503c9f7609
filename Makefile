# make run and make test each work alone on a fresh clone; both install what they need into .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SYSTEM_READY := .venv/.system-ready

.PHONY: setup run test test-system check lint bench accuracy eval screenshots clean

setup: $(READY)

# torch first and alone: the CPU build, 200 MB instead of several GB of CUDA. Where the plain index has only
# the CUDA build, PyTorch's own index for CPU builds has "+cpu".
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python scripts/install_torch.py
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	$(BIN)/python -m knowledge list >/dev/null  # builds the index of the articles
	touch $(READY)

$(SYSTEM_READY): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,system]"
	touch $(SYSTEM_READY)

run: $(READY)
	$(BIN)/python app.py

test: $(READY)
	$(BIN)/python -m pytest -m "not system"

# The browser (Debian's chromium) must be there; .ci/run installs it.
test-system: $(SYSTEM_READY)
	$(BIN)/python -m pytest -m system

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

check: lint test

bench: $(READY)
	$(BIN)/python scripts/bench.py

screenshots: $(SYSTEM_READY)
	$(BIN)/python scripts/screenshots.py

clean:
	rm -rf .venv
