#!/bin/sh
# Makes the environment the make targets work in.
# In: the folder to make. Out: a virtual environment of a Python >= 3.11, or a message that says what is missing.
set -eu
folder=$1
wanted='import sys; sys.exit(sys.version_info < (3, 11))'
found=

for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c "$wanted" >/dev/null 2>&1 || continue
    found=$candidate
    # Debian ships Python without ensurepip: go on looking for one that has it.
    "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1 || continue
    rm -rf "$folder"
    "$candidate" -m venv "$folder"
    exit 0
done

if [ -n "$found" ]; then
    echo "Python's venv module is missing. On Debian and Ubuntu: apt-get install python3-venv" >&2
else
    echo "No Python >= 3.11 found. On Debian 12 or later: apt-get install python3 python3-venv" >&2
    echo "If one is installed under another name: make PYTHON=/path/to/python3" >&2
fi
exit 1
