// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/build.h"

#include "eval/compilerplaces.h"
#include "eval/cuda/toolkit.h"
#include "eval/hash.h"
#include "eval/machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buildsKept = 200;
constexpr const char *libraryName = "kernel.so", *stampName = "kernel.sha256", *logName = "kernel.log";

// The private folder's name means nothing to a reader of the log.
std::string withoutFolders(std::string log, const std::string &folder)
{
    for (const std::string &name : {folder + "/source/", folder + "/made/", folder + '/'}) {
        for (std::size_t at = log.find(name); at != std::string::npos; at = log.find(name, at))
            log.erase(at, name.size());
    }
    return log;
}

std::string firstError(const std::string &log)
{
    for (const char *word : {"undefined reference", "undefined symbol", "error: ", "Error: "}) {
        const std::size_t found = log.find(word);
        if (found == std::string::npos)
            continue;
        const std::size_t begin = log.rfind('\n', found) + 1;
        return log.substr(begin, log.find('\n', found) - begin);
    }
    return log.substr(0, log.find('\n'));
}

bool mentions(const std::string &log, std::initializer_list<const char *> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](const char *word) { return log.find(word) != std::string::npos; });
}

std::string sizeText(std::int64_t bytes)
{
    return bytes >> 20 > 0 ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes >> 10) + " KiB";
}

std::string whyNotWritten(const BuildRequest &request)
{
    const std::int64_t allowed = withinOwnLimit(RLIMIT_FSIZE, request.fileBytes);
    const std::string what = "what the compiler writes for it is larger than " + sizeText(allowed);
    if (allowed < request.fileBytes)
        return what + ", the limit on the size of files here (ulimit -f). Raise it; the evaluator allows " +
               sizeText(request.fileBytes) + '.';
    return what + ". Fill large tables when the program runs, not in an initialiser.";
}

std::string whyNoMemory(const BuildRequest &request)
{
    const std::int64_t allowed = withinOwnLimit(RLIMIT_AS, request.memoryBytes);
    const std::string limited = allowed < request.memoryBytes ? " by the limit on memory here (ulimit -v)" : "";
    return "the compiler ran out of memory (" + sizeText(allowed) + " are allowed" + limited +
           "). Use fewer template instances, smaller constant tables and less unrolling.";
}

// A path in a complaint: from a slash or two dots to the next quote, colon or blank.
std::string pathIn(const std::string &line)
{
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\'' && line[at - 1] != '"')
            continue;
        if (line[at] == '/' || line.compare(at, 3, "../") == 0)
            return line.substr(at, line.find_first_of("'\": ", at) - at);
    }
    return {};
}

bool saysMissing(const std::string &line)
{
    return mentions(line, {"Permission denied", "No such file", "file not found", "Could not find in"});
}

std::string whyNotBuilt(const ChildOutcome &outcome, const std::string &log, const BuildRequest &request,
                        const std::string &foreignFile)
{
    if (!foreignFile.empty())
        return "it asks for " + foreignFile +
               ", which is none of its own files. A kernel may use the sources in its folder and the system's headers.";
    if (mentions(log, {"File size limit exceeded", "File too large"}))
        return whyNotWritten(request);
    if (outcome.signal == SIGKILL ||
        mentions(log, {"out of memory", "virtual memory exhausted", "Cannot allocate memory", "std::bad_alloc",
                       "Killed signal terminated program"}))
        return whyNoMemory(request);
    const std::string error = firstError(log);
    return error.empty() ? "the compiler " + describeEnd(outcome) : error;
}

std::vector<std::string> cleanEnvironment(const std::string &temporary)
{
    return {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + temporary, "CCACHE_DISABLE=1"};
}

} // namespace

Compiler describeCompiler(const std::string &path)
{
    const ChildOutcome outcome = runChild({path, {"--version"}, cleanEnvironment("/tmp"), "/", 20});
    if (outcome.exitCode != 0)
        throw Failure(Status::NoCompiler,
                      path + ": is no working C++ compiler (--version " + describeEnd(outcome) + ")");
    return {path, outcome.output.substr(0, outcome.output.find('\n')), {}, {}};
}

Compiler findCompiler(const std::string &searchPath)
{
    std::error_code error;
    const fs::path current = fs::current_path(error);
    for (const char *name : {"g++", "clang++"}) {
        for (std::size_t begin = 0; begin <= searchPath.size();) {
            const std::size_t end = std::min(searchPath.find(':', begin), searchPath.size());
            const fs::path folder = searchPath.substr(begin, end - begin);
            begin = end + 1;
            // A program that lies where the work is done may be the kernel's own.
            if (!folder.is_absolute() || isBelow(folder.lexically_normal().string(), current.string()))
                continue;
            const std::string candidate = (folder / name).string();
            if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate, error))
                return describeCompiler(candidate);
        }
    }
    throw Failure(Status::NoCompiler,
                  "No C++ compiler was found on PATH (looked for g++ and clang++). "
                  "Install one (Debian, Ubuntu: sudo apt-get install g++) or name it with --compiler.");
}

std::string hashSources(const SourceList &sources)
{
    Sha256 hash;
    for (const auto &[path, content] : sources) {
        hash.updateField(path);
        hash.updateField(content);
    }
    return hash.hex();
}

std::string defaultBuildFolder()
{
    const char *cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache == '/')
        return std::string(cache) + "/ako4all/bench";
    const char *home = std::getenv("HOME");
    return std::string(home && *home == '/' ? home : "/tmp") + "/.cache/ako4all/bench";
}

BuildCache::BuildCache(const std::string &folder, Compiler compiler, int landlock)
    : m_folder(makeAbsolute(folder))
    , m_compiler(std::move(compiler))
    , m_landlock(landlock)
    , m_places(compilerPlaces(m_compiler.path, cleanEnvironment("/tmp")))
{
    if (m_compiler.isCuda()) {
        const std::vector<std::string> host = compilerPlaces(m_compiler.hostCompiler, cleanEnvironment("/tmp"));
        m_places.insert(m_places.end(), host.begin(), host.end());
    }
}

bool BuildCache::canRead(const std::string &path) const
{
    std::error_code error;
    const std::string real = fs::weakly_canonical(path, error).string();
    return m_landlock < 1 ||
           std::any_of(
               m_places.begin(), m_places.end(),
               [&](const std::string &place) { return isBelow(real, fs::weakly_canonical(place, error).string()); });
}

std::string BuildCache::foreignFile(const std::string &log) const
{
    std::istringstream lines(log);
    std::string line;
    while (std::getline(lines, line)) {
        const std::string path = saysMissing(line) ? pathIn(line) : std::string();
        if (!path.empty() && (path.front() == '.' || m_landlock < 1 || !canRead(path)))
            return path;
    }
    return {};
}

std::string BuildCache::keyOf(const BuildRequest &request) const
{
    Sha256 hash;
    hash.updateField("ako build 2");
    hash.updateField(m_landlock > 0 ? "confined" : "free");
    hash.updateField(m_compiler.path);
    hash.updateField(m_compiler.version);
    hash.updateField(m_compiler.hostCompiler + ' ' + m_compiler.architecture);
    hash.updateField(processorFeatures()); // what -march=native means here
    hash.updateField(hashSources(request.sources));
    for (const auto &[name, text] : request.shims) {
        hash.updateField(name);
        hash.updateField(text);
    }
    for (const std::string &flag : request.flags)
        hash.updateField(flag);
    return hash.hex().substr(0, 40);
}

// Sources lie in source/, where nothing is written; what is made, in made/.
ChildCommand BuildCache::commandFor(const BuildRequest &request, const std::string &folder) const
{
    const std::string source = folder + "/source", made = folder + "/made";
    makeFolders(source);
    makeFolders(made);
    ChildCommand command{m_compiler.path, {}, cleanEnvironment(made), source, request.timeoutSeconds};
    command.memoryBytes = request.memoryBytes;
    command.fileBytes = request.fileBytes;
    if (m_compiler.isCuda())
        prepareCudaCommand(m_compiler, made, command);
    else
        command.arguments = {"-std=c++20", "-shared", "-fPIC", "-Wl,--no-undefined", "-fno-diagnostics-color", "-Wall"};
    if (m_compiler.version.find("clang") != std::string::npos)
        command.arguments[4] = "-fno-color-diagnostics";
    command.arguments.insert(command.arguments.end(), request.flags.begin(), request.flags.end());
    command.arguments.insert(command.arguments.end(), {"-o", made + "/" + libraryName});
    for (const auto &[path, content] : request.sources) {
        const fs::path staged = fs::path(source) / path;
        makeFolders(staged.parent_path().string());
        writePlainFile(staged.string(), content);
        if (isTranslationUnit(path) || (m_compiler.isCuda() && isCudaUnit(path)))
            command.arguments.push_back("./" + path);
    }
    for (const auto &[name, text] : request.shims) {
        writePlainFile((fs::path(source) / name).string(), text);
        command.arguments.push_back(name);
    }
    return command;
}

std::string BuildCache::compile(const BuildRequest &request, const std::string &folder) const
{
    ChildCommand command = commandFor(request, folder);
    FileRules rules(m_landlock);
    for (const std::string &place : m_places)
        rules.allowReading(place);
    rules.allowWriting("/dev/null");
    rules.allowReading(folder + "/source");
    rules.allowWriting(folder + "/made");
    command.fileRules = rules.descriptor();
    const ChildOutcome outcome = runChild(command);
    const std::string log = withoutFolders(outcome.output, folder);
    if (outcome.timedOut)
        throw Failure(Status::Timeout,
                      "The " + request.label + " did not compile within " +
                          std::to_string(int(request.timeoutSeconds)) + " s.",
                      log);
    if (log.find("No space left on device") != std::string::npos)
        throw Failure(Status::Infrastructure,
                      m_folder + ": the disk is full; free some space or choose another --build-dir.", log);
    if (outcome.exitCode != 0)
        throw Failure(
            request.onError,
            "The " + request.label + " does not compile: " + whyNotBuilt(outcome, log, request, foreignFile(log)), log);
    return log;
}

Build BuildCache::build(const BuildRequest &request) const
{
    const std::string target = m_folder + "/" + keyOf(request);
    Build result{target + "/" + libraryName, hashSources(request.sources), {}, true};
    std::error_code error;
    if (fs::exists(target + "/" + stampName, error) && fs::exists(result.library, error) &&
        readFile(target + "/" + stampName, Status::Infrastructure) ==
            sha256Hex(readFile(result.library, Status::Infrastructure))) {
        if (m_compiler.isCuda() && fs::exists(target + "/" + logName, error)) // what each kernel uses stands there
            result.log = readFile(target + "/" + logName, Status::Infrastructure);
        return result;
    }
    fs::remove_all(target, error); // half of a build, or one that was changed since
    const ScratchFolder scratch(m_folder);
    result.log = compile(request, scratch.path());
    result.fromCache = false;
    const ScratchFolder finished(m_folder);
    fs::rename(scratch.path() + "/made/" + libraryName, finished.path() + "/" + libraryName, error);
    if (error)
        throw Failure(Status::Infrastructure, m_folder + ": the built library cannot be moved: " + error.message());
    writePlainFile(finished.path() + "/" + logName, result.log);
    writePlainFile(finished.path() + "/" + stampName,
                   sha256Hex(readFile(finished.path() + "/" + libraryName, Status::Infrastructure)));
    fs::rename(finished.path(), target, error);
    if (error && !fs::exists(result.library)) // another run may have finished the same build first
        throw Failure(Status::Infrastructure, target + ": cannot be made: " + error.message());
    prune();
    return result;
}

void BuildCache::prune() const
{
    std::vector<std::pair<fs::file_time_type, fs::path>> builds;
    std::error_code error;
    for (auto item = fs::directory_iterator(m_folder, error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        if (fs::exists(item->path() / stampName, error))
            builds.emplace_back(fs::last_write_time(item->path(), error), item->path());
    }
    if (builds.size() <= buildsKept)
        return;
    std::sort(builds.begin(), builds.end());
    for (std::size_t i = 0; i < builds.size() - buildsKept; ++i)
        fs::remove_all(builds[i].second, error);
}

} // namespace ako::eval
