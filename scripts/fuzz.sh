#!/usr/bin/env bash
# Run the fuzzers with new seeds for some minutes: scripts/fuzz.sh --minutes 30 [--start SEED]
# A failure says the seeds that it began with; the same --start finds it again.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=10
start=$(date +%s)
while (($#)); do
    case $1 in
        --minutes) minutes=$2 ;;
        --start) start=$2 ;;
        *) echo "usage: scripts/fuzz.sh [--minutes N] [--start SEED]" >&2; exit 2 ;;
    esac
    shift 2
done

count=200
end=$(($(date +%s) + 60 * minutes))
while (($(date +%s) < end)); do
    echo "seeds $start to $((start + count - 1))"
    BIDWRIGHT_FUZZ_START=$start BIDWRIGHT_FUZZ_COUNT=$count python -m pytest -q -x tests/fuzz
    start=$((start + count))
done
