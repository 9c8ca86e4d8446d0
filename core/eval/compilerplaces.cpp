// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/compilerplaces.h"

#include "eval/childrun.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

constexpr std::array systemPlaces{"/usr",
                                  "/bin",
                                  "/sbin",
                                  "/lib",
                                  "/lib32",
                                  "/lib64",
                                  "/libx32",
                                  "/nix/store",
                                  "/gnu/store",
                                  "/etc/alternatives",
                                  "/etc/env.d", // where Gentoo's g++ looks for the real one
                                  "/etc/ld.so.cache",
                                  "/etc/ld.so.conf",
                                  "/etc/ld.so.conf.d",
                                  "/proc/cpuinfo", // for -march=native
                                  "/sys/devices/system/cpu",
                                  "/dev/null",
                                  "/dev/urandom"};

std::string canonicalOf(const std::string &path)
{
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    return error ? std::string() : canonical.string();
}

bool isSystems(const std::string &path)
{
    return std::any_of(systemPlaces.begin(), systemPlaces.end(), [&](const char *place) {
        const std::string canonical = canonicalOf(place);
        return !canonical.empty() && isBelow(path, canonical);
    });
}

// A folder so far up that it holds what is none of a compiler's.
bool isTooWide(const std::string &folder)
{
    const char *home = std::getenv("HOME");
    return folder == "/" || folder == "/tmp" || folder == "/home" || fs::path(folder).parent_path() == "/home" ||
           (home && isBelow(canonicalOf(home), folder));
}

void addPlace(std::vector<std::string> &places, const std::string &path)
{
    const std::string folder = canonicalOf(path);
    if (!folder.empty() && !isSystems(folder) && !isTooWide(folder) &&
        std::find(places.begin(), places.end(), folder) == places.end())
        places.push_back(folder);
}

// "install: /opt/gcc/lib/…", "programs: =/opt/gcc/libexec/…:/opt/gcc/…", "libraries: =…"
void addSearchFolders(std::vector<std::string> &places, const std::string &output)
{
    std::istringstream lines(output);
    std::string line;
    while (std::getline(lines, line)) {
        const std::size_t begin = line.find(": ");
        if (begin == std::string::npos)
            continue;
        std::istringstream folders(line.substr(line[begin + 2] == '=' ? begin + 3 : begin + 2));
        std::string folder;
        while (std::getline(folders, folder, ':'))
            addPlace(places, folder);
    }
}

} // namespace

bool isBelow(const std::string &path, const std::string &folder)
{
    const fs::path relative = fs::path(path).lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

std::vector<std::string> compilerPlaces(const std::string &compiler, const std::vector<std::string> &environment)
{
    std::vector<std::string> places(systemPlaces.begin(), systemPlaces.end());
    const std::string real = canonicalOf(compiler);
    if (real.empty() || isSystems(real))
        return places;
    const fs::path folder = fs::path(real).parent_path();
    places.push_back(real); // a single file, wherever it lies
    addPlace(places, folder.string());
    if (folder.filename() == "bin") // its headers lie beside it
        addPlace(places, folder.parent_path().string());
    addSearchFolders(places, runChild({compiler, {"-print-search-dirs"}, environment, "/", 20}).output);
    return places;
}

} // namespace ako::eval
