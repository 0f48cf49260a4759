#!/usr/bin/env bash
# Run every check: format, lint, types, tests, and the wheel outside the checkout.
# Expects the development environment first on PATH (`make test` puts it there).
set -euo pipefail
cd "$(dirname "$0")/.."

# Tests start many processes; without bytecode each of them compiles all that it imports.
unset PYTHONDONTWRITEBYTECODE

step() { printf '\n== %s\n' "$*"; }

step "format and lint"
ruff format --check .
ruff check .

# Caches of gigabytes are not taken apart at the end, which would take a minute.
tests() {
    python -c '
import atexit, os, sys
import pytest
status = pytest.main(sys.argv[1:])
atexit._run_exitfuncs()
sys.stdout.flush()
os._exit(status)
' -q --durations=12 --durations-min=5 "$@"
}

# What is compiled or bid once need not be again: all tests share a cache that is new, unless the
# caller has one for them.
caches=
if [[ -z ${BIDWRIGHT_CACHE:-} ]]; then
    caches=$(mktemp -d)
    export BIDWRIGHT_CACHE=$caches
fi

# Two processes at a time, since a check uses one processor as a rule. One has the tests that read
# whole systems, which it compiles and bids once for all of them, its examples first; the other has
# types and all other tests.
whole=(tests/test_examples.py tests/cli tests/systems tests/authoring tests/test_walkthroughs.py)
whole+=(tests/kb tests/runtime)
log=$(mktemp)
tests -p no:cacheprovider "${whole[@]}" >"$log" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null || true; rm -rf "$log" "$caches"' EXIT

step "types"
mypy

step "tests"
others=0
tests "${whole[@]/#/--ignore=}" || others=$?
first=0
wait "$beside" || first=$?
cat "$log"
rm "$log"
trap 'rm -rf "$caches"' EXIT
((first == 0 && others == 0)) || exit 1

step "wheel"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$caches"' EXIT
rm -rf build # stale modules in it would be packed again
python -m build --wheel --no-isolation --outdir "$scratch" . >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log"; exit 1; }
rm -rf build

# The wheel itself is installed into a new environment; its dependencies are borrowed from
# the development environment by a path file. Path files inside the borrowed folder are not
# read, so the editable install there stays out of sight and nothing is downloaded.
python -m venv --without-pip "$scratch/venv"
python -m pip --disable-pip-version-check --quiet --python "$scratch/venv/bin/python" \
    install --no-deps --no-index "$scratch"/*.whl
purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
python -c "$purelib" >"$("$scratch/venv/bin/python" -c "$purelib")/borrowed.pth"

cd "$scratch"
venv/bin/python -c '
import sys
import bidwright
if not bidwright.__file__.startswith(sys.prefix):
    sys.exit(f"tested the wrong copy: {bidwright.__file__}")
'
venv/bin/bidwright --version
venv/bin/bidwright explain 1NT
