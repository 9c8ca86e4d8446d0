# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/run.sh and tests/run.sh, in the source tree's root: what they share.

ako_packages=(g++ cmake ninja-build pkg-config git ca-certificates
    qt6-base-dev libqt6svg6 libgl-dev libqscintilla2-qt6-dev libqcustomplot-dev
    libgit2-dev nlohmann-json3-dev libminizip-dev zlib1g-dev ccache fonts-dejavu-core)
ako_test_packages=(xvfb xauth desktop-file-utils appstream libgl1-mesa-dri bubblewrap)
# Taken where the distribution has it (Ubuntu 24.04 has not): the Python evaluator's tests need a Python with torch.
ako_optional_packages=(python3-torch qtkeychain-qt6-dev)
ako_style_packages=(clang-format-19)
ako_tidy_packages=(clang-tidy-19)
# Clang builds with the address sanitizer in half the time that g++ takes, and its warnings are others. Its thread sanitizer
# fails by itself where Qt starts a process.
ako_sanitizer_packages=(clang-19 libclang-rt-19-dev)

ako_say() { printf '\n== %s\n' "$*"; }

# ako_as_root COMMAND...: with sudo where this is not root.
ako_as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "Packages are missing and there is no sudo here. As root: $*" >&2
        return 1
    fi
}

# ako_missing PACKAGE...: those that are not installed; a name may also be provided by another package (libqt6svg6t64).
ako_missing() {
    local installed package
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null | grep '^installed ' || true)
    for package in "$@"; do
        grep -qE "[ ,]${package//+/\\+}([ ,(]|\$)" <<<"$installed" || echo "$package"
    done
}

ako_apt_install() {
    ako_say "Installing $*"
    ako_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# ako_install [PACKAGE...]: installs the packages that are missing.
ako_install() {
    command -v dpkg-query >/dev/null || {
        echo "This is not a Debian or Ubuntu system. Install: ${ako_packages[*]} $*, then run again." >&2
        return 1
    }
    local missing
    mapfile -t missing < <(ako_missing "${ako_packages[@]}" "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    ako_as_root apt-get update -qq
    ako_apt_install "${missing[@]}"
}

# ako_install_optional PACKAGE...: the same for those that this distribution offers; says which it does not.
ako_install_optional() {
    local package missing
    mapfile -t missing < <(ako_missing "$@")
    [ ${#missing[@]} = 0 ] || compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null || ako_as_root apt-get update -qq
    for package in "${missing[@]}"; do
        if [[ $(apt-cache policy "$package") == *'Candidate: '[^\(]* ]]; then # no pipe: one that grep closes early fails
            ako_apt_install "$package"
        else
            ako_say "$package is not in this distribution: the tests that need it are left out"
        fi
    done
}

# ako_install_agents: coding agents and a mock of their models, for the tests that drive a real one; pinned, as agents change
# weekly. Left out, with a line that says so, where npm or a node that the mock can run on is not there.
ako_install_agents() {
    local packages=(opencode-linux-x64@1.18.33 @qwen-code/qwen-code@0.15.10 @copilotkit/aimock@1.43.0) node_major=0
    [ "$(cat build/agents/installed 2>/dev/null)" != "${packages[*]}" ] || return 0
    ! command -v node >/dev/null || node_major=$(node -p 'process.versions.node.split(".")[0]')
    if ! command -v npm >/dev/null || [ "$node_major" -lt 20 ] || [ "$(uname -m)" != x86_64 ]; then
        ako_say "No npm with node 20 or newer on x86-64: the tests with a real coding agent are left out"
        return 0
    fi
    ako_say "Installing ${packages[*]} in build/agents"
    mkdir -p build/agents
    if npm install --prefix build/agents --no-audit --no-fund --loglevel error "${packages[@]}"; then
        echo "${packages[*]}" >build/agents/installed
    else
        ako_say "npm could not install them: the tests with a real coding agent are left out"
    fi
}

# ako_build PRESET [TARGET...]: configures once and builds; a build that is up to date takes no time.
ako_build() {
    local preset=$1
    shift
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    if [ ! -f "build/$preset/build.ninja" ]; then
        ako_say "Configuring $preset"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
            cat "build-$preset.log" >&2
            rm -f "build-$preset.log"
            return 1
        }
        rm -f "build-$preset.log"
    fi
    local targets=()
    [ $# = 0 ] || targets=(--target "$@")
    local work
    work=$(cmake --build "build/$preset" "${targets[@]}" -- -n 2>/dev/null) # whole: a pipe that grep closes early fails
    if [[ $work != *'no work to do'* ]]; then
        ako_say "Building $preset ${*:-everything}"
        if [ -t 1 ]; then
            cmake --build "build/$preset" "${targets[@]}"
        else
            cmake --build "build/$preset" "${targets[@]}" 2>&1 | ako_tenths
        fi
    fi
}

# ako_tenths: of ninja's lines, one for each tenth of the work; all that is not one of its steps.
ako_tenths() {
    local line tenth last=0
    while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            [ "${BASH_REMATCH[2]}" -ge 10 ] || continue # a look whether there is work
            tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
            [ "$tenth" = "$last" ] || echo "   ${tenth}0 %"
            last=$tenth
        elif [[ $line != 'ninja: Entering'* ]]; then
            printf '%s\n' "$line"
        fi
    done
}
