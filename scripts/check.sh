#!/usr/bin/env bash
# Run the checks: format, lint, types, tests, and the wheel outside the checkout.
#
#   check.sh              all but the long tests: marked `system`, `lab` or `slow` (make test)
#   check.sh --changed S  the long tests that a change touches, for S seconds at most
#   check.sh --all        the checks, all long tests, and the source distribution (make test-all)
#   check.sh --wheel      the wheel alone; check.sh --sdist: the source distribution alone
#
# With $BIDWRIGHT_PACKED, such as `sayc`, a wheel has those systems compiled; all of them without.
#
# Expects the development environment first on PATH (make puts it there).
set -euo pipefail
cd "$(dirname "$0")/.."

# Tests start many processes; without bytecode each of them compiles all that it imports.
unset PYTHONDONTWRITEBYTECODE

step() { printf '\n== %s\n' "$*"; }

# What is compiled, bid or proved once need not be again, in the next run either.
BIDWRIGHT_CACHE=$(scripts/changed.py --cache-folder)
export BIDWRIGHT_CACHE

if [[ ${1:-} == --changed ]]; then
    step "long tests that the change touches"
    exec scripts/changed.py --seconds "$2"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Build a wheel or a source distribution into the scratch folder. What an earlier build left would be
# packed again.
build() {
    rm -rf build
    python -m build "--$1" --no-isolation --outdir "$scratch" . >"$scratch/build.log" 2>&1 ||
        { cat "$scratch/build.log"; return 1; }
    rm -rf build
}

# The wheel itself is installed into a new environment; its dependencies are borrowed from
# the development environment by a path file. Path files inside the borrowed folder are not
# read, so the editable install there stays out of sight and nothing is downloaded.
check_wheel() {
    build wheel
    python -m venv --without-pip "$scratch/venv"
    python -m pip --disable-pip-version-check --quiet --python "$scratch/venv/bin/python" \
        install --no-deps --no-index "$scratch"/*.whl
    local purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
    python -c "$purelib" >"$("$scratch/venv/bin/python" -c "$purelib")/borrowed.pth"
    cd "$scratch"
    venv/bin/python -c '
import sys
import bidwright
if not bidwright.__file__.startswith(sys.prefix):
    sys.exit(f"tested the wrong copy: {bidwright.__file__}")
'
    venv/bin/bidwright --version
    export BIDWRIGHT_CACHE=$scratch/cache
    venv/bin/bidwright explain 1NT
    venv/bin/bidwright check sayc
    [[ -z $(find cache -name '*.entry' 2>/dev/null) ]] ||
        { echo "not all of sayc was packed:" cache/*; return 1; }
    [[ -z ${BIDWRIGHT_PACKED:-} ]] || return 0
    # Of texts that were changed nothing is used that was made of others.
    echo '# changed' >>"$(find venv -path '*/systems/sayc/system.bid')"
    venv/bin/bidwright explain 1NT >explained
    compgen -G 'cache/rules_sayc.*.entry' >/dev/null ||
        { echo "what was packed is used for other texts"; return 1; }
}

# Some tests of each floor run in the source distribution, with its own modules.
check_sdist() {
    build sdist
    tar -xzf "$scratch"/*.tar.gz -C "$scratch"
    cd "$scratch"/bidwright-*/
    mkdir .typing && ln -s .. .typing/bidwright
    export PYTHONPATH=$PWD/.typing
    python -c '
import os, sys
import bidwright
if not os.path.samefile(os.path.dirname(bidwright.__file__), os.getcwd()):
    sys.exit(f"tested the wrong copy: {bidwright.__file__}")
'
    python -m pytest -q -p no:cacheprovider -m "not slow and not system" \
        tests/test_packaging.py tests/test_links.py tests/bridge tests/kb/logic tests/cli/test_fmt.py
}

case ${1:-} in
--wheel) check_wheel; exit ;;
--sdist) check_sdist; exit ;;
esac

# SAYC and the loops that draw deals, of one hand unknown and of two, are compiled at first, by two
# processes: each of several workers would compile them if they were not there, half a minute each.
step "what all tests use is compiled"
python -m bidwright explain "1S P 2S" --deals 3 --system tests/systems/mini.bid >/dev/null &
drawing=$!

step "format and lint"
ruff format --check .
ruff check .
python -m bidwright explain 1NT >/dev/null
wait "$drawing"
python -m bidwright sample 1NT -n 3 >/dev/null

# Beside the tests the wheel is built, and tests find in the cache what it made of SAYC; types are
# checked. To pack all ten systems takes minutes.
[[ ${1:-} == --all ]] || export BIDWRIGHT_PACKED=sayc
(step "wheel" && scripts/check.sh --wheel && step "types" && mypy) >"$scratch/beside.log" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null || true; rm -rf "$scratch"' EXIT

step "tests"
processes=$(($(nproc) < 8 ? $(nproc) : 8))
tests=0
BIDWRIGHT_TESTS_LEAVE=1 python -m pytest -q -n "$processes" --dist loadfile \
    -m "not slow and not system and not lab" --durations=12 --durations-min=3 || tests=$?
others=0
wait "$beside" || others=$?
trap 'rm -rf "$scratch"' EXIT
cat "$scratch/beside.log"
((tests == 0 && others == 0)) || exit 1

if [[ ${1:-} == --all ]]; then
    step "long tests"
    scripts/changed.py --all
    step "source distribution"
    scripts/check.sh --sdist
fi
