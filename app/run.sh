#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs ako4all: with no arguments the demo on a built-in example, in a window
# where there is a display. Other arguments go to ako4all (bash app/run.sh doctor).
#   --headless     without a window, also where there is a display
#   --build-only   install and build, then stop
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/setup.sh

headless=no build_only=no
arguments=()
for argument in "$@"; do
    case $argument in
    --headless) headless=yes ;;
    --build-only) build_only=yes ;;
    *) arguments+=("$argument") ;;
    esac
done
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then headless=yes; fi

ako_install
ako_build dev ako4all ako-bench
[ $build_only = no ] || exit 0

program=$PWD/build/dev/app/ako4all
cd "$caller"
if [ $headless = yes ]; then
    case ${arguments[0]:-demo} in
    demo) exec "$program" demo --headless "${arguments[@]:1}" ;;
    esac
fi
[ ${#arguments[@]} -gt 0 ] || arguments=(demo)
exec "$program" "${arguments[@]}"
