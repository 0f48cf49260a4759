#!/usr/bin/env bash
# Train one set of weights for several systems, and measure them, in minutes that are given:
#   scripts/league.sh --deals solved.npz --systems FILE --out FOLDER [--size large] [--jobs 16]
#       [--auctions 40000] [--steps 6000] [--minutes 12 | --rounds 500] [--boards 2000] [--width 1024] [--evaluation 2000]
# FILE has a system a line, values of parameters as in 'sayc(notrump = 12..14)'. The steps are a corpus, imitation,
# self-play for so many minutes, held to the imitation, and matches. Given again, it goes on.
# FOLDER/policy.safetensors are the weights, FOLDER/measured.txt what was printed.
set -euo pipefail

usage() { sed -n '3,4s/^# *//p' "$0" >&2; exit 2; }
deals='' systems='' out='' size=small jobs=1 auctions=4000 steps=6000 minutes=30 rounds='' boards=2000
width='' evaluation=2000
while (($# > 1)); do
    case $1 in
        --deals | --systems | --out | --size | --jobs | --auctions | --steps | --minutes | --rounds | \
            --boards | --width | --evaluation)
            printf -v "${1#--}" %s "$2" ;;
        *) usage ;;
    esac
    shift 2
done
[[ $# -eq 0 && -n $deals && -n $systems && -n $out ]] || usage
mkdir -p "$out"
wide=()
[[ -z $width ]] || wide=(--set "width=$width")
mapfile -t all <"$systems"
first=${all[0]}
played=()
for each in "${all[@]}"; do played+=(--system "$each"); done

[[ -f $out/corpus.done ]] || bidwright train data "${played[@]}" -n "$auctions" --echoes 15 \
    --jobs "$jobs" -o "$out/corpus.npz"
touch "$out/corpus.done"
bidwright train sl --config "sl_league_$size" --data "$out/corpus.npz" "${wide[@]}" \
    --set "steps=$steps" --out "$out/sl"

play() { # ROUNDS FOLDER
    bidwright train rl --config "league_$size" --policy "$out/sl/policy.safetensors" --deals "$deals" \
        "${wide[@]}" --set "evaluation_deals=$evaluation" \
        --set "systems=[$(printf '"%s", ' "${all[@]}")]" --set "evaluate_every=$1" \
        --set "iterations=$1" --out "$2"
}
# As many rounds as fit: twelve are timed, of which the first two also open files.
[[ -z $rounds ]] || echo "$rounds" >"$out/rounds"
if [[ ! -f $out/rounds ]]; then
    rm -rf "$out/timed"
    play 2 "$out/timed/two"
    begun=$(date +%s%N)
    play 12 "$out/timed/twelve"
    echo $((minutes * 60 * 10 * 1000000000 / ($(date +%s%N) - begun) + 1)) >"$out/rounds"
fi
play "$(cat "$out/rounds")" "$out/rl"
cp "$out/rl/policy.safetensors" "$out/policy.safetensors"

for each in "policy:sayc" "rules:$first"; do
    bidwright match "policy:$out/policy.safetensors,system=$first" "$each" --boards "$boards" \
        --seed 2411 --jobs "$jobs" --out "$out/against_${each%%:*}.jsonl"
done | tee "$out/measured.txt"
