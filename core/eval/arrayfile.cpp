// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/arrayfile.h"

#include "eval/boundedtext.h"
#include "eval/files.h"
#include "eval/status.h"

#include <minizip/unzip.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

namespace ako::eval {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t headerLimit = std::size_t(16) << 20; // bytes
constexpr std::size_t namesShown = 8, nameBytes = 256;

[[noreturn]] void fail(const ArrayFile &file, const std::string &reason)
{
    throw Failure(Status::ProblemError, file.path + ": " + reason);
}

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "[";
    for (const std::int64_t extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + ']';
}

void checkShape(const ArrayFile &file, const std::vector<std::int64_t> &shape)
{
    if (shape != file.shape)
        fail(file, "has the shape " + shapeText(shape) + ", and the problem says " + shapeText(file.shape) + '.');
}

void checkType(const ArrayFile &file, const std::string &type, const std::vector<std::string> &accepted)
{
    if (std::find(accepted.begin(), accepted.end(), type) == accepted.end())
        fail(file, "holds elements of type " + inQuotes(type) + ", and the problem says " +
                       std::string(dtypeName(file.dtype)) + " (" + accepted.front() + ").");
}

// Where bytes come from, in order; a file's end in the middle is a failure.
class ByteSource
{
public:
    ByteSource() = default;
    ByteSource(const ByteSource &) = delete;
    ByteSource &operator=(const ByteSource &) = delete;
    virtual ~ByteSource() = default;
    virtual void read(void *data, std::size_t size) = 0;
    virtual bool atEnd() = 0;
};

class PlainFile final : public ByteSource
{
public:
    explicit PlainFile(const ArrayFile &file)
        : m_file(file)
        , m_descriptor(open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
        struct stat status = {};
        if (m_descriptor < 0)
            fail(file, std::string("cannot be read: ") + std::strerror(errno) + '.');
        if (fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
            close(m_descriptor);
            fail(file, "is no regular file.");
        }
        m_left = std::size_t(status.st_size);
    }
    ~PlainFile() override { close(m_descriptor); }

    std::size_t left() const { return m_left; }
    void skip(std::size_t size)
    {
        if (size > m_left || lseek(m_descriptor, off_t(size), SEEK_CUR) < 0)
            fail(m_file, "ends too early.");
        m_left -= size;
    }
    void read(void *data, std::size_t size) override
    {
        if (size > m_left)
            fail(m_file, "ends too early.");
        m_left -= size;
        for (char *place = static_cast<char *>(data); size > 0;) {
            const ssize_t count = ::read(m_descriptor, place, std::min<std::size_t>(size, std::size_t(1) << 30));
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                fail(m_file,
                     count < 0 ? std::string("cannot be read: ") + std::strerror(errno) + '.' : "ends too early.");
            place += count;
            size -= std::size_t(count);
        }
    }
    bool atEnd() override { return m_left == 0; }

private:
    const ArrayFile &m_file;
    int m_descriptor;
    std::size_t m_left = 0;
};

// One member of an .npz file, which is a zip archive.
class ZippedArray final : public ByteSource
{
public:
    explicit ZippedArray(const ArrayFile &file)
        : m_file(file)
        , m_archive(nullptr, unzClose)
    {
        const PlainFile regular(file); // a pipe would be waited for
        m_archive.reset(unzOpen64(file.path.c_str()));
        if (!m_archive)
            fail(file, "is no .npz archive, or cannot be read.");
        const std::vector<std::string> names = memberNames();
        std::string name = file.key + ".npy";
        if (file.key.empty() && names.size() == 1)
            name = names.front();
        else if (file.key.empty())
            fail(file,
                 "holds " + std::to_string(names.size()) + " arrays; name one with \"key\": " + listed(names) + '.');
        if (std::find(names.begin(), names.end(), name) == names.end())
            fail(file, "has no array " + inQuotes(file.key) + "; it holds " + listed(names) + '.');
        if (unzLocateFile(m_archive.get(), name.c_str(), 1) != UNZ_OK || unzOpenCurrentFile(m_archive.get()) != UNZ_OK)
            fail(file, "is damaged, or packed in a way that is not known.");
    }

    void read(void *data, std::size_t size) override
    {
        for (char *place = static_cast<char *>(data); size > 0;) {
            const auto part = unsigned(std::min<std::size_t>(size, std::size_t(1) << 30));
            const int count = unzReadCurrentFile(m_archive.get(), place, part);
            if (count <= 0)
                fail(m_file, count < 0 ? "is damaged." : "ends too early.");
            place += count;
            size -= std::size_t(count);
        }
    }
    bool atEnd() override
    {
        char one = 0;
        // At the end the archive's own checksum is compared.
        return unzReadCurrentFile(m_archive.get(), &one, 1) == 0 && unzCloseCurrentFile(m_archive.get()) == UNZ_OK;
    }

private:
    std::vector<std::string> memberNames() const
    {
        std::vector<std::string> names;
        for (int state = unzGoToFirstFile(m_archive.get()); state == UNZ_OK; state = unzGoToNextFile(m_archive.get())) {
            std::array<char, nameBytes> name{};
            if (unzGetCurrentFileInfo64(m_archive.get(), nullptr, name.data(), name.size() - 1, nullptr, 0, nullptr,
                                        0) == UNZ_OK)
                names.emplace_back(name.data());
        }
        return names;
    }
    static std::string listed(const std::vector<std::string> &names)
    {
        std::string text;
        for (std::size_t i = 0; i < std::min(names.size(), namesShown); ++i)
            text += (i > 0 ? ", " : "") + inQuotes(names[i].substr(0, names[i].rfind(".npy")));
        return names.empty() ? "nothing" : text + (names.size() > namesShown ? " and others" : "");
    }

    const ArrayFile &m_file;
    std::unique_ptr<void, int (*)(void *)> m_archive;
};

std::vector<std::string> numpyNames(DType type)
{
    switch (type) {
    case DType::Float64:
        return {"<f8"};
    case DType::Float32:
        return {"<f4"};
    case DType::Int64:
        return {"<i8"};
    case DType::Int32:
        return {"<i4"};
    case DType::Int16:
        return {"<i2"};
    case DType::Int8:
        return {"|i1"};
    case DType::UInt8:
        return {"|u1"};
    case DType::Bool:
        return {"|b1"};
    case DType::Float16:
        return {"<f2"};
    case DType::BFloat16: // NumPy has none: as ml_dtypes leaves it, or as whole numbers of its size
        return {"|V2", "<V2", "<u2"};
    case DType::Float8E4M3:
    case DType::Float8E5M2:
        return {"|V1", "<V1", "|u1"};
    }
    return {};
}

// What stands behind 'name': in the header, which is a Python dictionary of literals.
std::string headerValue(const ArrayFile &file, const std::string &header, const std::string &name)
{
    const std::size_t at = header.find('\'' + name + "':");
    if (at == std::string::npos)
        fail(file, "has no " + name + " in its header.");
    const std::size_t begin = header.find_first_not_of(' ', at + name.size() + 3);
    if (begin == std::string::npos)
        fail(file, "has a header that is not NumPy's.");
    const char opening = header[begin];
    const std::size_t end = header.find(opening == '(' ? ')' : opening == '\'' ? '\'' : ',', begin + 1);
    if (end == std::string::npos)
        fail(file, "has a header that is not NumPy's.");
    const bool isEnclosed = opening == '(' || opening == '\'';
    return header.substr(begin + (isEnclosed ? 1 : 0), end - begin - (isEnclosed ? 1 : 0));
}

std::vector<std::int64_t> shapeIn(const ArrayFile &file, const std::string &text)
{
    std::vector<std::int64_t> shape;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find(',', at), text.size());
        std::string number = text.substr(at, end - at);
        std::erase(number, ' ');
        at = end + 1;
        if (number.empty())
            continue;
        if (number.size() > 18 ||
            !std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); }))
            fail(file, "has a header that is not NumPy's.");
        shape.push_back(std::stoll(number));
    }
    return shape;
}

// The .npy form, versions 1 to 3 (numpy.lib.format).
void readNumpy(const ArrayFile &file, ByteSource &source, unsigned char *data)
{
    std::array<unsigned char, 8> magic{};
    source.read(magic.data(), magic.size());
    if (std::memcmp(magic.data(), "\x93NUMPY", 6) != 0 || magic[6] < 1 || magic[6] > 3)
        fail(file, "is no .npy array.");
    std::size_t length = 0;
    source.read(&length, magic[6] == 1 ? 2 : 4);
    if (length > headerLimit)
        fail(file, "has a header that is not NumPy's.");
    std::string header(length, '\0');
    source.read(header.data(), length);
    const std::string type = headerValue(file, header, "descr");
    if (type.find('O') != std::string::npos)
        fail(file, "holds Python objects, which are never loaded. Save plain numbers.");
    if (type.starts_with('>'))
        fail(file, "holds big-endian numbers. Save array.astype(array.dtype.newbyteorder('<')).");
    checkType(file, type, numpyNames(file.dtype));
    checkShape(file, shapeIn(file, headerValue(file, header, "shape")));
    if (file.shape.size() > 1 && headerValue(file, header, "fortran_order") == "True")
        fail(file, "is stored column by column. Save numpy.ascontiguousarray(array).");
    source.read(data, file.bytes());
    if (!source.atEnd())
        fail(file, "is damaged, or longer than its header says.");
}

std::string safetensorsName(DType type)
{
    switch (type) {
    case DType::Float64:
        return "F64";
    case DType::Float32:
        return "F32";
    case DType::Int64:
        return "I64";
    case DType::Int32:
        return "I32";
    case DType::Int16:
        return "I16";
    case DType::Int8:
        return "I8";
    case DType::UInt8:
        return "U8";
    case DType::Bool:
        return "BOOL";
    case DType::Float16:
        return "F16";
    case DType::BFloat16:
        return "BF16";
    case DType::Float8E4M3:
        return "F8_E4M3";
    case DType::Float8E5M2:
        return "F8_E5M2";
    }
    return {};
}

// Length of the header (8 bytes), header (JSON), data; huggingface/safetensors, "Format".
void readSafetensors(const ArrayFile &file, unsigned char *data)
{
    PlainFile source(file);
    std::uint64_t length = 0;
    source.read(&length, sizeof length);
    if (length > std::min(headerLimit, source.left()))
        fail(file, "is no .safetensors file.");
    std::string text(length, '\0');
    source.read(text.data(), length);
    const nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
    if (!header.is_object())
        fail(file, "is no .safetensors file.");
    std::vector<std::string> names;
    for (const auto &member : header.items()) {
        if (member.key() != "__metadata__")
            names.push_back(member.key());
    }
    std::string all;
    for (std::size_t i = 0; i < std::min(names.size(), namesShown); ++i)
        all += (i > 0 ? ", " : "") + inQuotes(names[i]);
    if (names.size() > namesShown)
        all += " and others";
    if (file.key.empty() && names.size() != 1)
        fail(file, "holds " + std::to_string(names.size()) + " tensors; name one with \"key\": " + all + '.');
    const std::string key = file.key.empty() ? names.front() : file.key;
    if (key == "__metadata__" || !header.contains(key))
        fail(file, "has no tensor " + inQuotes(key) + "; it holds " + all + '.');
    try {
        const nlohmann::json &tensor = header.at(key);
        checkType(file, tensor.at("dtype"), {safetensorsName(file.dtype)});
        checkShape(file, tensor.at("shape"));
        const std::vector<std::uint64_t> offsets = tensor.at("data_offsets");
        if (offsets.size() != 2 || offsets[1] < offsets[0] || offsets[1] - offsets[0] != file.bytes())
            fail(file, "says that " + inQuotes(key) + " has another size than its shape.");
        source.skip(offsets[0]);
    } catch (const nlohmann::json::exception &) {
        fail(file, "has a header that is not that of .safetensors.");
    }
    source.read(data, file.bytes());
}

void readRaw(const ArrayFile &file, unsigned char *data)
{
    PlainFile source(file);
    if (source.left() != file.bytes())
        fail(file, "has " + std::to_string(source.left()) + " bytes, and " + shapeText(file.shape) + " of " +
                       std::string(dtypeName(file.dtype)) + " are " + std::to_string(file.bytes()) + '.');
    source.read(data, file.bytes());
}

} // namespace

std::size_t ArrayFile::bytes() const
{
    return std::accumulate(shape.begin(), shape.end(), sizeOf(dtype),
                           [](std::size_t size, std::int64_t extent) { return size * std::size_t(extent); });
}

bool isArrayFileName(const std::string &path)
{
    return path.ends_with(".npy") || path.ends_with(".npz") || path.ends_with(".safetensors") || path.ends_with(".bin");
}

void readArray(const ArrayFile &file, unsigned char *data)
{
    if (file.path.ends_with(".npz")) {
        ZippedArray source(file);
        readNumpy(file, source, data);
    } else if (file.path.ends_with(".npy")) {
        PlainFile source(file);
        readNumpy(file, source, data);
    } else if (file.path.ends_with(".safetensors")) {
        readSafetensors(file, data);
    } else {
        readRaw(file, data);
    }
    if (file.dtype == DType::Bool &&
        std::any_of(data, data + file.bytes(), [](unsigned char byte) { return byte > 1; }))
        fail(file, "holds bytes other than 0 and 1, which are no bool.");
}

} // namespace ako::eval
