#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What can only be seen on a GPU: cheats and their honest twins, the noise between identical kernels, wall times.
#   check.sh AKO_BENCH RESULTS_FOLDER [SECONDS_FOR_NOISE]
# AKO_PROGRAM=PATH of ako4all: the whole loop with the tuner on the examples, too.
# AKO_GPU_ONLY=REGEX takes only some of the cheats. Needs nvcc, an NVIDIA driver and python3 (for the summary). Leaves every result as JSON in RESULTS_FOLDER.
# Exit status: 0 all were judged as they should be. Figures of time never fail it.
set -uo pipefail
bench=$(readlink -f "$1")
mkdir -p "$2"
results=$(readlink -f "$2")
noise_seconds=${3:-300}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# stage NAME KIND: problem, reference and solution of a corpus folder
stage() {
    local from=$here/corpus/$1 base=$here/corpus/base folder=$work/$1-$2
    mkdir -p "$folder/solution"
    [ -f "$from/problem.json" ] && base=$from
    cp "$base/problem.json" "$base/reference.cu" "$folder/"
    cp "$from/$2.cu" "$folder/solution/kernel.cu"
    if [ -f "$from/build.json" ]; then cp "$from/build.json" "$folder/solution/"; fi
}

# run FOLDER LABEL [ARGUMENT...]: prints one line
run() {
    local folder=$1 label=$2 begin end
    shift 2
    begin=$(date +%s%N)
    (cd "$folder" && timeout 150 "$bench" --problem problem.json --solution solution --build-dir "$work/builds" \
        --json "$results/$label.json" "$@" >out.txt 2>err.txt)
    end=$(date +%s%N)
    printf '%-32s %6d ms  %s\n' "$label" $(((end - begin) / 1000000)) \
        "$(grep -hE '^(STATUS|RUNTIME|SPEEDUP|VS_BEST|MESSAGE):' "$folder/out.txt" | tr '\n' ' ' | cut -c1-190)"
}

# expect NAME KIND STATUS[|STATUS]... [ARGUMENT...]
expect() {
    local name=$1 kind=$2 wanted=$3 status
    shift 3
    [[ $name =~ ^(base|01-ahead.*)$ || $name =~ ${AKO_GPU_ONLY:-.} ]] || return 0
    stage "$name" "$kind"
    run "$work/$name-$kind" "$name-$kind" --signal --pairs 20 "$@"
    status=$(sed -n 's/^STATUS: //p' "$work/$name-$kind/out.txt")
    case "|$wanted|" in
    *"|$status|"*) ;;
    *) failures=$((failures + 1)) && echo "    FAIL: expected $wanted" && head -5 "$work/$name-$kind/err.txt" ;;
    esac
}

runtime_of() { sed -n 's/^RUNTIME: //p' "$work/$1/out.txt"; }

echo "== cheats and twins"
expect base twin OK
run "$work/base-twin" base-signal --signal
run "$work/base-twin" base-verdict --verdict
expect 01-side-stream cheat 'ESCAPED_WORK|INCORRECT'
expect 01-side-stream twin OK
expect 01-ahead-of-the-clock cheat OK
if ! awk -v a="$(runtime_of 01-ahead-of-the-clock-cheat)" -v b="$(runtime_of base-twin)" 'BEGIN { exit !(a > 0.9 * b) }'; then
    failures=$((failures + 1))
    echo "    FAIL: it gained time"
fi
expect 02-late-thread cheat 'INCORRECT|ESCAPED_WORK'
expect 02-late-thread twin OK
expect 07-batch-and-skip cheat INCORRECT
expect 08-empty-graph cheat INCORRECT
expect 08-empty-graph twin OK
expect 09-child-grid cheat OK # its time counts: a grid is not done before its children (seen on an H200)
expect 09-child-grid twin OK
expect 11-by-address cheat INCORRECT
expect 14-call-counter cheat INCORRECT
expect 18-empty cheat INCORRECT
expect 19-failed-launch cheat RUNTIME_ERROR
expect 19-failed-launch twin OK
expect 20-zero-inputs cheat INPUT_MUTATED
expect 23-nan cheat INCORRECT
expect 26-skip-last-row cheat INCORRECT
expect 31-half-precision cheat PRECISION
expect 31-half-precision twin OK
expect 34-read-behind cheat 'INCORRECT|GUARD_HIT'
expect 34-write-behind cheat GUARD_HIT
expect 39-forged-lines cheat CRASH_NO_REPORT
expect 41-memset-around cheat GUARD_HIT
expect 44-persisting-cache cheat LIMIT_CHANGED
expect 44-persisting-cache twin OK
expect 46-host-work cheat 'OK|SUSPICIOUS' # it waits in the call, so the stream is not held back and its time counts
expect 52-fault cheat RUNTIME_ERROR
expect 52-hang cheat TIMEOUT --timeout-run 3
expect 53-waiting-launcher twin OK # also: the device works after the hang

echo "== examples, and what a profiler sees of each"
for example in matmul rmsnorm softmax transpose; do
    cp -r "$here/../../resources/examples/$example-cuda" "$work/$example"
    mkdir -p "$work/$example/solution"
    cp "$work/$example/$example.cu" "$work/$example/solution/"
    run "$work/$example" "$example-verdict" --verdict
    grep -q '^STATUS: OK' "$work/$example/out.txt" || failures=$((failures + 1))
    run "$work/$example" "$example-profile" --profile
    grep -hE '^PROFILE' "$work/$example/out.txt" | cut -c1-160
done
mkdir -p "$work/softmax/wider"
sed 's/BLOCK = 128/BLOCK = 256/' "$work/softmax/softmax.cu" >"$work/softmax/wider/softmax.cu"
run "$work/softmax" softmax-against-wider --signal --champion wider

echo "== noise between identical kernels, and a kernel that is slower (for $noise_seconds s, at most 10 times)"
end=$(($(date +%s) + noise_seconds))
sizes="5us:1000000:1 15us:2000000:100 40us:2000000:400 1ms:2000000:12000"
for size in $sizes; do
    IFS=: read -r label count steps <<<"$size"
    mkdir -p "$work/$label/solution" "$work/$label/slower"
    sed "s/@N@/$count/;s/@STEPS@/$steps/" "$here/noise/problem.json.in" >"$work/$label/problem.json"
    cp "$here/noise/decay.cu" "$work/$label/"
    cp "$here/noise/decay.cu" "$work/$label/solution/"
    cp "$here/noise/decay.cu" "$work/$label/slower/"
    echo '{"flags": ["-O3", "-DEXTRA=20"]}' >"$work/$label/slower/build.json"
done
for round in 1 2 3 4 5 6 7 8 9 10; do
    for size in $sizes; do
        label=${size%%:*}
        [ "$(date +%s)" -lt "$end" ] || break 2
        run "$work/$label" "two-$label-$round" --aa --seeds 1
        if [ "$round" -le 3 ]; then run "$work/$label" "one-$label-$round" --aa --one-process --seeds 1; fi
        if [ "$label" = 1ms ]; then run "$work/$label" "slower-$label-$round" --signal --champion slower; fi
    done
done
if [ -n "${AKO_PROGRAM:-}" ]; then
    echo "== the loop with the tuner"
    for example in matmul rmsnorm softmax transpose; do
        begin=$(date +%s)
        "$AKO_PROGRAM" demo --headless --example "$example-cuda" --iterations 10 --into "$work/loop-$example" \
            --git-name test --git-email test@localhost >"$results/loop-$example.txt" 2>&1
        echo "$example-cuda: $(($(date +%s) - begin)) s"
        grep -E '^(baseline|iter-|final)' "$results/loop-$example.txt" | cut -c1-110
    done
fi
python3 "$here/summary.py" "$results"
cp "$work"/builds/probe-gpu-*.json "$results/probe.json" 2>/dev/null
echo "$failures judged wrongly"
[ "$failures" -eq 0 ]
