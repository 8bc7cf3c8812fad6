# `make book` and `make test` are all a newcomer needs; each sets up what it lacks.
PYTHON ?= python3
BIN := .venv/bin
BUILD := $(BIN)/jupyter-book build --all -W -n --keep-going -q .
export PATH := $(CURDIR)/$(BIN):$(PATH)

book: .venv/book             # build the site from the stored outputs, into _build/html
	@$(BIN)/python _tools/settings.py
	@$(BIN)/python _tools/lint.py
	@rm -rf _build/html
	@$(BUILD)

test: .venv/book .venv/test  # prove every output, number, link, figure and page
	@$(BIN)/python -m pytest

faults: .venv/book .venv/test # plant faults in copies: the checks must catch each
	@$(BIN)/python tests/faults.py

pdf: book .venv/test         # the chapter as one PDF, in the site and linked from it
	@$(BIN)/python _tools/pdf.py
	@$(BUILD)

lighthouse: book .venv/test  # Lighthouse's scores of every page, on a phone (needs Node 20)
	@$(BIN)/python tests/lighthouse.py _build/html

serve: .venv/book            # the author's live preview
	@$(BIN)/jupyter-book config sphinx . > /dev/null
	@trap 'rm -f conf.py' EXIT INT TERM; PYTHONPATH=_ext $(BIN)/sphinx-autobuild --port 0 -q --ignore '_build/*' --ignore conf.py . _build/serve

outputs: .venv/book          # re-run the notebooks and store their outputs
	@$(BIN)/python _tools/outputs.py $(NOTEBOOKS)

versions:                    # run the notebooks over versions and processors
	@$(PYTHON) tests/versions.py $(OPTIONS)

times: .venv/book .venv/test # measure checks and build against their floors
	@$(BIN)/python tests/times.py

clean:                       # remove what was built
	rm -rf _build

.venv/book: requirements.txt constraints.txt
	@$(PYTHON) _tools/environment.py book

.venv/test: tests/requirements.txt .venv/book
	@$(PYTHON) _tools/environment.py test

.PHONY: book test faults pdf lighthouse serve outputs versions times clean
