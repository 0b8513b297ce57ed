# make env      set up .venv once; does nothing when it is up to date. TORCH=cpu takes torch without the NVIDIA wheels
# make tables   every table at scale demo, printed at the end
# make readme   the same, then the table in README.md is replaced by the new one
# make test     all tests, on WORKERS=2 processes; those on a real SLURM only with DEMIX_TEST_SLURM=1, which brings one up on this host
# make render-env  set up .venv-render, in which 3DIdent is rendered; needs Python 3.11. The workflow does it by itself
# make lint     code style, types, rule style
PYTHON ?= python3
TORCH ?= default
CORES ?= all
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
CPU_INDEX := https://download.pytorch.org/whl/cpu

.PHONY: env render-env tables readme test lint format lock clean-env

env: $(VENV)/.ready

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $$($(PYTHON) --version) was found. Name another one: make env PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "The venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(filter cpu,$(TORCH)),--extra-index-url $(CPU_INDEX)) -r $(if $(filter cpu,$(TORCH)),$(VENV)/requirements-cpu.txt,requirements.lock)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

ifeq ($(TORCH),cpu)
$(VENV)/.ready: $(VENV)/requirements-cpu.txt
$(VENV)/requirements-cpu.txt: requirements.lock
	@mkdir -p $(VENV)
	@sed -E 's/^(torch|torchvision)==([0-9.]+).*/\1==\2+cpu/' $< > $@
endif

render-env: env
	$(BIN)/python -m demix.obtain_data --spec '{"kind": "renderer"}'

tables: env
	$(BIN)/snakemake --cores $(CORES) all_tables
	@$(BIN)/python -m demix.show

readme: tables
	$(BIN)/python -m demix.show --into README.md

test: env
	$(BIN)/python -m pytest --numprocesses $(WORKERS)

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/snakemake --lint

format: env
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile rules

# The exact versions that `make env` installs, from the ranges in pyproject.toml. NVIDIA's wheels are left to torch.
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet '.[workflow,dev]'
	{ grep '^#' requirements.lock; $(VENV)-lock/bin/python -m pip freeze --exclude demix | grep -Eiv '^(nvidia|cuda|triton)'; } > requirements.new
	mv requirements.new requirements.lock
	rm -r $(VENV)-lock

clean-env:
	rm -rf $(VENV) $(VENV)-render
