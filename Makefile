# `make book` and `make test` are all a newcomer needs; each sets up what it lacks.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python -m bookproof.commands
export PATH := $(CURDIR)/$(BIN):$(PATH)
export LC_ALL := C.UTF-8
unexport PYTHONPATH PYTHONSTARTUP MATPLOTLIBRC

book: .venv/book             # build the site from the stored outputs, into _build/html
	@$(RUN).book

check: .venv/book .venv/test # the author's: settings, lint, the notebooks that changed, the build
	@$(RUN).check $(NOTEBOOKS)

test: .venv/book .venv/test  # prove every output, number, link, figure and page
	@$(BIN)/python -m pytest

outputs: .venv/book          # re-run the notebooks and store their outputs
	@$(RUN).outputs $(NOTEBOOKS)

serve: .venv/book            # the author's live preview
	@$(BIN)/jupyter-book config sphinx . > /dev/null
	@trap 'rm -f conf.py' EXIT INT TERM; PYTHONPATH=. PYTHONUNBUFFERED=1 $(BIN)/sphinx-autobuild --port 0 -q --ignore '_build/*' --ignore conf.py . _build/serve

pdf: book .venv/test         # both parts as one PDF, in the site and linked from it
	@$(RUN).pdf

upgrade: .venv/book .venv/test # another version of a package: make upgrade PACKAGE=torch VERSION=2.14.1
	@$(RUN).upgrade $(PACKAGE) $(VERSION)

versions:                    # run the notebooks over versions and processors
	@$(PYTHON) -m bookproof.commands.versions $(ROWS)

lighthouse: book             # Lighthouse's scores of every page, on a phone (needs Node 20 and Chrome)
	@npx --yes @lhci/cli@0.15.1 autorun

clean:                       # remove what was built
	rm -rf _build

.venv/book: requirements.txt constraints.txt
	@$(PYTHON) -m bookproof.commands.environment book

.venv/test: tests/requirements.txt .venv/book
	@$(PYTHON) -m bookproof.commands.environment test

.PHONY: book check test outputs serve pdf upgrade versions lighthouse clean
