#!/usr/bin/env bash
# Runs the bench once and keeps what came of it.
#
#   bash scripts/bench.sh LABEL [ARGUMENTS FOR THE BENCH...]
#
# From any working directory. The output goes to the terminal and to _bench_output.txt. solution/, output.txt and,
# where the bench writes one to $AKO_RESULT_JSON, result.json are kept in trajectory/<time>_LABEL/, also when the bench
# fails or is interrupted. The exit status is the bench's own; 130 interrupted; 2 wrong call; 8 nothing could be kept.
#
# This template becomes scripts/bench.sh when the workspace is prepared. It may be edited before that.

# --- what this machine needs: conda, PATH, a CUDA toolkit ---
{{ENVIRONMENT}}
# ---

set -u
shopt -s globasciiranges

say() { printf 'bench.sh: %s\n' "$*" >&2; }

bench_command() {
{{BENCH_COMMAND}}
}

label=${1:-manual}
case $label in
[.-]* | *[!A-Za-z0-9._-]*)
    say "'$label' is not a label: use letters, digits, dots, dashes and underscores, as in: bash scripts/bench.sh my-try"
    exit 2
    ;;
esac
if [ "${#label}" -gt 64 ]; then
    say "the label is longer than 64 characters"
    exit 2
fi
[ $# -gt 0 ] && shift

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P) && cd -- "$root" || exit 8

# --- a folder of our own; mkdir is what claims it ---
wanted=${AKO_TRAJECTORY:-trajectory/$(date +%Y%m%d-%H%M%S)_$label}
case $wanted in
trajectory/*/* | trajectory/ | trajectory/.*) wanted=invalid ;;
trajectory/*) ;;
*) wanted=invalid ;;
esac
if [ "$wanted" = invalid ]; then
    say "AKO_TRAJECTORY has to name a folder directly below trajectory/, not '$AKO_TRAJECTORY'"
    exit 2
fi
if [ -L trajectory ]; then
    say "trajectory is a link: nothing is written through it. Replace it by a folder of the workspace."
    exit 8
fi
mkdir -p trajectory || exit 8
folder=$wanted
suffix=2
until mkdir -- "$folder" 2>/dev/null; do
    if [ ! -e "$folder" ] || [ "$suffix" -gt 1000 ]; then
        say "cannot make $folder: is the disk full or the workspace read-only?"
        exit 8
    fi
    folder=$wanted-$suffix
    suffix=$((suffix + 1))
done

kept=yes
# The snapshot is taken first: it is what is about to be measured, whatever happens to this process later.
if [ -d solution ]; then
    cp -RP -- solution "$folder/solution" || kept=no
else
    say "there is no solution/ in $root"
fi

export AKO_LABEL=$label
export AKO_RESULT_JSON=$root/$folder/result.json
limit_kilobytes=8192 # of output kept on disk; the terminal gets all of it

is_full() { [ "$(wc -c <"$1")" -eq $((limit_kilobytes * 1024)) ]; }

# The files stop growing at the limit; the terminal is behind a pipe, so that the limit is not its own. The bench never
# blocks or breaks: what nobody takes any more is drained.
keep_output() {
    trap '' INT TERM HUP XFSZ
    (
        ulimit -S -f "$limit_kilobytes"
        exec tee -p -- _bench_output.txt "$folder/output.txt" 2>/dev/null
    ) | {
        cat 2>/dev/null
        cat >/dev/null
    }
    [ "${PIPESTATUS[0]}" -eq 0 ] || { is_full _bench_output.txt && is_full "$folder/output.txt"; } 2>/dev/null
}

# Parents first: a shell that is told after its child has been would still run its next command.
descendants() {
    local child
    for child in $(cat "/proc/$1/task"/*/children 2>/dev/null || ps -o pid= --ppid "$1" 2>/dev/null); do
        printf '%s\n' "$child"
        descendants "$child"
    done
}

interrupts=0
bench=
# Passes the signal on to everything the bench started; insisting makes it stronger. From a terminal the bench gets
# it too: it is given a moment, so that it is not told twice.
interrupt() {
    local signal=$1
    interrupts=$((interrupts + 1))
    [ "$interrupts" -eq 2 ] && signal=TERM
    [ "$interrupts" -gt 2 ] && signal=KILL
    [ -n "$bench" ] || return
    sleep 0.2
    kill -0 "$bench" 2>/dev/null || return
    # shellcheck disable=SC2046
    kill -s "$signal" "$bench" $(descendants "$bench") 2>/dev/null
}
trap 'interrupt INT' INT
trap 'interrupt TERM' TERM HUP

rm -f -- _bench_output.txt # never through a link
exec 3> >(keep_output)
keeper=$!
# A background job of a script ignores SIGINT unless it asks for it again.
(
    trap - INT TERM HUP
    bench_command "$@"
) >&3 2>&1 3>&- &
bench=$!
exec 3>&-
[ "$interrupts" -gt 0 ] && interrupt TERM # it came while we were starting

while :; do
    wait "$bench"
    status=$?
    kill -0 "$bench" 2>/dev/null || break
done

# The output ends when its last writer does; a process that the bench left behind must not hold us for ever.
patience=150
while kill -0 "$keeper" 2>/dev/null && [ "$patience" -gt 0 ]; do
    sleep 0.02
    patience=$((patience - 1))
done
if [ "$patience" -eq 0 ]; then
    say "the bench left a process behind that still writes"
    # shellcheck disable=SC2046
    kill -s KILL $(descendants "$keeper") "$keeper" 2>/dev/null
fi
wait "$keeper" || kept=no

# Lines for the program that called, not for a reader.
if [ -n "${AKO_PROGRESS:-}" ] && [ "$kept" = yes ]; then
    LC_ALL=C sed -i '/^AKO_PROGRESS /d' _bench_output.txt "$folder/output.txt" 2>/dev/null
fi

if [ "$kept" = no ]; then
    say "not everything could be kept in $folder: is the disk full?"
    [ "$status" -eq 0 ] && status=8
fi
[ "$interrupts" -gt 0 ] && status=130
printf 'Trajectory saved to: %s\n' "$folder" >&2
exit "$status"
