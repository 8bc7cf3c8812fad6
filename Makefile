# `make book` and `make test` are all a newcomer needs; each sets up what it lacks.
PYTHON ?= python3
BIN := .venv/bin
BUILD := $(BIN)/jupyter-book build --all -W -n --keep-going -q .
export PATH := $(CURDIR)/$(BIN):$(PATH)

book: .venv/book             # build the site from the stored outputs, into _build/html
	@$(BIN)/python -m bookproof.settings
	@$(BIN)/python -m bookproof.lint
	@rm -rf _build/html
	@$(BUILD)

test: .venv/book .venv/test  # prove every output, number, link, figure and page
	@$(BIN)/python -m pytest

pdf: book .venv/test         # the chapter as one PDF, in the site and linked from it
	@$(BIN)/python -m bookproof.commands.pdf
	@$(BUILD)

lighthouse: book .venv/test  # Lighthouse's scores of every page, on a phone (needs Node 20)
	@$(BIN)/python -m bookproof.commands.lighthouse _build/html

serve: .venv/book            # the author's live preview
	@$(BIN)/jupyter-book config sphinx . > /dev/null
	@trap 'rm -f conf.py' EXIT INT TERM; PYTHONPATH=. $(BIN)/sphinx-autobuild --port 0 -q --ignore '_build/*' --ignore conf.py . _build/serve

outputs: .venv/book          # re-run the notebooks and store their outputs
	@$(BIN)/python -m bookproof.commands.outputs $(NOTEBOOKS)

versions:                    # run the notebooks over versions and processors
	@$(PYTHON) -m bookproof.commands.versions $(OPTIONS)

times: .venv/book .venv/test # measure checks and build against their floors
	@$(BIN)/python -m bookproof.commands.times

clean:                       # remove what was built
	rm -rf _build

.venv/book: requirements.txt constraints.txt
	@$(PYTHON) -m bookproof.commands.environment book

.venv/test: tests/requirements.txt .venv/book
	@$(PYTHON) -m bookproof.commands.environment test

.PHONY: book test pdf lighthouse serve outputs versions times clean
