#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test; the last lines are ctest's summary.
#   (nothing)      the whole suite, in a real X server
#   --sanitizers   the suite under ASan and UBSan, then loop and process tests under TSan
#   --perf         the benchmarks: prints figures, judges none
#   --gpu          the tests that need an NVIDIA GPU, and its figures; results stay in build/gpu-results
#   --style        clang-format, desktop and metainfo files, and the build without a window with its tests; where CI is set, the
#                  whole suite begins with it
#   --tidy         clang-tidy over the program (slow)
#   -R REGEX       only the tests whose name matches (any ctest argument is passed on)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/setup.sh

mode=suite
ctest_arguments=()
for argument in "$@"; do
    case $argument in
    --sanitizers | --perf | --gpu | --style | --tidy) mode=${argument#--} ;;
    *) ctest_arguments+=("$argument") ;;
    esac
done
preset=dev
[ -z "${CI:-}" ] || preset=ci

# run_tests PRESET [CTEST ARGUMENT...]: under a real X server of its own, so that window tests meet real windows. Side by
# side run only tests whose outcome does not hang on time (tests/CMakeLists.txt).
run_tests() {
    local tested=$1
    shift
    xvfb-run -a -s "-screen 0 1920x1080x24" \
        ctest --test-dir "build/$tested" --output-on-failure --no-tests=error -j "$(nproc)" "$@" "${ctest_arguments[@]}"
}

check_style() {
    ako_say "clang-format"
    git ls-files '*.cpp' '*.h' 'core/*.cu' 'core/*.cuh' | grep -Ev '^(resources/examples|tests/exploits/corpus)/' |
        xargs clang-format-19 --dry-run --Werror
    ako_say "desktop and metainfo files"
    desktop-file-validate resources/io.github.ako4all.desktop
    appstreamcli validate --no-net resources/io.github.ako4all.metainfo.xml
}

# What the build without a window shares with the other one is tested there.
check_headless() {
    local tests=(tst_commandline tst_invocation tst_eventprinter tst_examples tst_problemhelp)
    ako_build headless ako4all ako-bench "${tests[@]}"
    ctest --test-dir build/headless --output-on-failure --no-tests=error -R "^($(IFS='|' && echo "${tests[*]}"))\$"
}

check_tidy() {
    ako_build "$preset"
    ako_say "clang-tidy"
    git ls-files 'core/*.cpp' 'widgets/*.cpp' 'app/*.cpp' |
        xargs -n 4 -P "$(nproc)" clang-tidy-19 -p "build/$preset" --quiet --warnings-as-errors='*' 2>&1 |
        { grep -v 'warnings generated\|Suppressed\|Use -header-filter' || true; }
}

case $mode in
suite)
    ako_install "${ako_test_packages[@]}"
    ako_install_optional "${ako_optional_packages[@]}"
    ako_install_agents
    ako_build "$preset"
    if [ -n "${CI:-}" ] && [ ${#ctest_arguments[@]} = 0 ]; then
        ako_install "${ako_style_packages[@]}"
        check_style
        check_headless
    fi
    run_tests "$preset"
    ;;
sanitizers)
    ako_install "${ako_test_packages[@]}" "${ako_sanitizer_packages[@]}"
    export ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
    export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
    export QTEST_FUNCTION_TIMEOUT=1200000 # a test's function may take long here
    export TSAN_OPTIONS=halt_on_error=1:suppressions=$PWD/tests/tsan.supp
    ako_build asan
    run_tests asan
    ako_build tsan thread_tests
    run_tests tsan -L threads
    ;;
perf)
    ako_install "${ako_test_packages[@]}"
    ako_build "$preset"
    run_tests "$preset" -C perf -L perf --verbose
    ;;
gpu)
    ako_build "$preset" ako-bench ako4all
    AKO_PROGRAM=$PWD/build/$preset/app/ako4all tests/gpu/check.sh "build/$preset/app/bench/ako-bench" "build/gpu-results"
    ;;
style)
    ako_install "${ako_test_packages[@]}" "${ako_style_packages[@]}"
    check_style
    check_headless
    ;;
tidy)
    ako_install "${ako_test_packages[@]}" "${ako_tidy_packages[@]}"
    check_tidy
    ;;
esac
