// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t sizeLimit = std::uintmax_t(64) << 20;
constexpr std::size_t countLimit = 1000;
constexpr std::array unitExtensions{".cpp", ".cc", ".cxx", ".c++"};
constexpr std::array headerExtensions{".h", ".hpp", ".hh", ".hxx", ".cuh", ".inc", ".inl"};

template <typename List>
bool endsWithOneOf(const std::string &path, const List &extensions)
{
    const std::string extension = fs::path(path).extension().string();
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool isSource(const std::string &path)
{
    return isTranslationUnit(path) || isCudaUnit(path) || endsWithOneOf(path, headerExtensions);
}

// The text of a link may be any file of this machine; what is measured has to lie in the folder.
void refuseStrayLink(const fs::path &link, const fs::path &folder, Status onError)
{
    std::error_code error;
    const Status status = onError == Status::UsageError ? Status::CompileError : onError;
    const fs::path target = fs::canonical(link, error);
    if (error)
        throw Failure(status, link.string() + ": is a link that leads nowhere; put the file itself there.");
    const fs::path relative = target.lexically_relative(fs::canonical(folder, error));
    if (error || relative.empty() || *relative.begin() == "..")
        throw Failure(status, link.string() + ": is a link that leads out of " + folder.string() +
                                  "; put the file itself there.");
    // What lies behind it would not be found by the compiler, which gets a copy of the files.
    if (fs::is_directory(target, error))
        throw Failure(status, link.string() + ": is a link to a folder; put its files themselves there.");
}

// A link of any name may lead to a folder that sources are included from.
bool mustLeadInside(const fs::directory_entry &item, const std::string &relative)
{
    std::error_code error;
    return item.is_symlink(error) && (isSource(relative) || relative == "build.json" || item.is_directory(error));
}

} // namespace

std::string readFile(const std::string &path, Status onError)
{
    std::error_code error;
    if (!fs::exists(path, error))
        throw Failure(onError, path + ": there is no such file");
    if (!fs::is_regular_file(path, error))
        throw Failure(onError, path + ": is no regular file");
    if (fs::file_size(path, error) > sizeLimit)
        throw Failure(onError, path + ": is larger than 64 MiB");
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    if (!stream)
        throw Failure(onError, path + ": cannot be read: " + std::strerror(errno));
    return content.str();
}

bool isTranslationUnit(const std::string &path)
{
    return endsWithOneOf(path, unitExtensions);
}

bool isCudaUnit(const std::string &path)
{
    return endsWithOneOf(path, std::array{".cu"});
}

SourceList readSources(const std::string &path, Status onError)
{
    std::error_code error;
    if (!fs::is_directory(path, error))
        return {{fs::path(path).filename().string(), readFile(path, onError)}};
    SourceList sources;
    for (auto item = fs::recursive_directory_iterator(path, error);
         !error && item != fs::recursive_directory_iterator(); item.increment(error)) {
        const std::string relative = item->path().lexically_relative(path).string();
        std::error_code unknown;
        if (mustLeadInside(*item, relative))
            refuseStrayLink(item->path(), path, onError);
        if (item->is_regular_file(unknown) && isSource(relative))
            sources.emplace_back(relative, readFile(item->path().string(), onError));
        if (sources.size() > countLimit)
            throw Failure(onError, path + ": has more than 1000 source files");
    }
    if (error)
        throw Failure(onError, path + ": cannot be read: " + error.message());
    std::sort(sources.begin(), sources.end());
    if (std::none_of(sources.begin(), sources.end(),
                     [](const auto &source) { return isTranslationUnit(source.first) || isCudaUnit(source.first); }))
        throw Failure(onError, path + ": holds no source (.cpp, .cc, .cxx, .cu)");
    return sources;
}

std::string makeAbsolute(const std::string &path)
{
    std::error_code error;
    return fs::absolute(path, error).lexically_normal().string();
}

void makeFolders(const std::string &path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw Failure(Status::Infrastructure,
                      path + ": cannot be created: " + error.message() +
                          ". Choose another --build-dir, or set HOME or XDG_CACHE_HOME to a folder "
                          "that can be written.");
}

void writePlainFile(const std::string &path, const std::string &text)
{
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream)
        throw Failure(Status::Infrastructure,
                      path + ": cannot be written: " + std::strerror(errno) + ". Is the disk full?");
}

ScratchFolder::ScratchFolder(const std::string &parent)
{
    makeFolders(parent);
    m_path = parent + "/tmp-XXXXXX";
    if (!mkdtemp(m_path.data()))
        throw Failure(Status::Infrastructure, parent + ": no folder can be made in it: " + std::strerror(errno) +
                                                  ". Choose another --build-dir.");
}

ScratchFolder::~ScratchFolder()
{
    std::error_code error;
    fs::remove_all(m_path, error);
}

} // namespace ako::eval
