#!/bin/sh
# Writes requirements/*.txt anew from pyproject.toml: one resolution, cut into parts, with hashes, without addresses.
# In: the uv command as the first argument. Out: the lock files.
set -eu
uv=$1
whole=$(mktemp)
trap 'rm -f "$whole"' EXIT

# fewest: one version of a package for every Python, so that types and figures are the same everywhere.
compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest \
        --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml "$@"
}

compile --extra e5 --extra dev --extra docs --extra bench --output-file "$whole"
# hatchling goes into every part: the editable install builds with it, without fetching anything.
build=$(mktemp)
trap 'rm -f "$whole" "$build"' EXIT
echo hatchling >"$build"
# The better embedding model stands beside the default one wherever `make` sets up.
compile "$build" --extra e5 --constraint "$whole" --output-file requirements/core.txt
compile "$build" --extra dev --constraint "$whole" --output-file requirements/dev.txt
compile "$build" --extra docs --constraint "$whole" --output-file requirements/docs.txt
compile "$build" --extra bench --constraint "$whole" --output-file requirements/bench.txt
# What the image of Dockerfile holds: the server, and what it is built with.
compile "$build" --extra serve --extra postgres --extra team --constraint "$whole" --output-file requirements/image.txt
# What `make deploy` checks the files of deployment with, in an environment of its own.
"$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --group deploy --output-file requirements/deploy.txt
# What `make dist` needs beside the package, in an environment of its own.
"$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --group dist --output-file requirements/dist.txt
# The frameworks of the adapters live in environments of their own; CrewAI's and the others' exclude one another.
compile --extra langgraph --extra anthropic --extra adk --extra llama-index --extra openai-agents --extra pydantic-ai \
    --extra agent-framework --group adapters \
    --output-file requirements/adapters.txt
compile --extra crewai --group crewai --output-file requirements/crewai.txt
# The server for tests, and its driver, beside what the tests need.
"$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --group server --constraint requirements/dev.txt \
    --output-file requirements/server.txt
# The peers live in an environment of their own and owe ours nothing.
"$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --group peers --output-file requirements/peers.txt
# A language model to try the port with: these two alone, nothing of what they would like beside them.
"$uv" pip compile --quiet --universal --python-version 3.11 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --no-deps --group language-model \
    --output-file requirements/language-model.txt
# Agent Zero's own versions of what it needs, and the core beside them.
"$uv" pip compile --quiet --universal --python-version 3.12 --upgrade --fork-strategy fewest --generate-hashes \
    --no-header --no-annotate --no-emit-index-url pyproject.toml --group agent-zero \
    --output-file requirements/agent-zero.txt
if grep -nEi 'https?://|^torch|--(index|find)' requirements/*.txt; then
    echo "lock: an address, or torch, got into a lock file (lines above)" >&2
    exit 1
fi
