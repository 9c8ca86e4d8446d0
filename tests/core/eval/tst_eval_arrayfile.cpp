// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays from files: what NumPy writes and what is made by hand is read bit for bit; anything else is refused by name.
#include "eval/arrayfile.h"
#include "eval/inputs.h"
#include "eval/status.h"
#include "eval/storedinputs.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace ako::eval;

namespace {

template <typename T>
QByteArray bytesOf(const std::vector<T> &values)
{
    return {reinterpret_cast<const char *>(values.data()), qsizetype(values.size() * sizeof(T))};
}

QByteArray numpy(const QByteArray &dictionary, const QByteArray &data, char version = 1)
{
    QByteArray header = dictionary + '\n';
    QByteArray length(version == 1 ? 2 : 4, '\0');
    const auto size = quint32(header.size());
    std::memcpy(length.data(), &size, size_t(length.size()));
    return QByteArray("\x93NUMPY", 6) + version + '\0' + length + header + data;
}

QByteArray safetensors(const QByteArray &header, const QByteArray &data)
{
    const auto size = quint64(header.size());
    return QByteArray(reinterpret_cast<const char *>(&size), 8) + header + data;
}

QByteArray plain(const QByteArray &type, const QByteArray &shape, const char *order = "False")
{
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

} // namespace

class TestEvalArrayFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void reads_data();
    void reads();
    void readsWhatNumpyWrites_data();
    void readsWhatNumpyWrites();
    void refuses_data();
    void refuses();
    void holdsThemSealedAndMakesThemFresh();
    void areMeasuredWith_data();
    void areMeasuredWith();
    void areRefusedUnread_data();
    void areRefusedUnread();

private:
    std::string put(const char *name, const QByteArray &content)
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            return {};
        return file.fileName().toStdString();
    }
    std::pair<int, QByteArray> bench(const QByteArray &body, const QByteArray &reference, const QByteArray &n,
                                     const QByteArray &input, const char *mode);

    QTemporaryDir m_folder;
    QString m_python; // one that has NumPy; may be empty
};

void TestEvalArrayFile::initTestCase()
{
    for (const char *name : {"python3", "/usr/bin/python3"}) {
        QProcess python;
        python.start(QLatin1String(name), {QStringLiteral("-c"), QStringLiteral("import numpy")});
        if (m_python.isEmpty() && python.waitForFinished() && python.exitCode() == 0)
            m_python = QLatin1String(name);
    }
}

void TestEvalArrayFile::reads_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *what, const char *name, const QByteArray &content, const char *key, DType dtype,
                        const QByteArray &expected) {
        QTest::newRow(what) << QByteArray(name) << content << QByteArray(key) << int(dtype) << expected;
    };
    const QByteArray floats = bytesOf<float>({1, -2, 3.5F, 0, 1e-40F, 6});
    const QByteArray halves = bytesOf<quint16>({1, 2, 3, 4, 5, 0xffff});
    const QByteArray small("\1\2\3\4\5\6", 6);
    row("version 1", "a.npy", numpy(plain("<f4", "(2, 3)"), floats), "", DType::Float32, floats);
    row("version 2", "a.npy", numpy(plain("<f4", "(2, 3)"), floats, 2), "", DType::Float32, floats);
    row("no spaces", "a.npy", numpy("{'shape':(2,3),'fortran_order':False,'descr':'<f4'}", floats), "", DType::Float32,
        floats);
    row("bfloat16 of ml_dtypes", "a.npy", numpy(plain("<V2", "(2, 3)"), halves), "", DType::BFloat16, halves);
    row("float8 as bytes", "a.npy", numpy(plain("|u1", "(2, 3)"), small), "", DType::Float8E4M3, small);
    row("raw", "a.bin", floats, "", DType::Float32, floats);
    const QByteArray two =
        R"({"__metadata__": {"format": "pt"}, "x": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [24, 36]},
 "y": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}})";
    row("second tensor", "a.safetensors", safetensors(two, floats + halves), "x", DType::BFloat16, halves);
    row("first tensor", "a.safetensors", safetensors(two, floats + halves), "y", DType::Float32, floats);
    row("only tensor", "a.safetensors",
        safetensors(R"({"x": {"dtype": "F8_E5M2", "shape": [2, 3], "data_offsets": [0, 6]}})", small), "",
        DType::Float8E5M2, small);
}

void TestEvalArrayFile::reads()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, key);
    QFETCH(const int, dtype);
    QFETCH(const QByteArray, expected);
    const ArrayFile file{put(name.constData(), content), key.toStdString(), DType(dtype), {2, 3}};
    QByteArray data(qsizetype(file.bytes()), '\x55');
    readArray(file, reinterpret_cast<unsigned char *>(data.data()));
    QCOMPARE(data, expected);
}

void TestEvalArrayFile::readsWhatNumpyWrites_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    QTest::newRow("save") << "np.save('a.npy', x)" << "a.npy" << "";
    QTest::newRow("savez") << "np.savez('a.npz', x=x, other=x + 1)" << "a.npz" << "x";
    QTest::newRow("savez_compressed") << "np.savez_compressed('a.npz', other=x[1:], x=x)" << "a.npz" << "x";
    QTest::newRow("the only one") << "np.savez_compressed('a.npz', x)" << "a.npz" << "";
    QTest::newRow("tofile") << "x.tofile('a.bin')" << "a.bin" << "";
}

void TestEvalArrayFile::readsWhatNumpyWrites()
{
    if (m_python.isEmpty())
        QSKIP("There is no Python with NumPy.");
    QFETCH(const QString, call);
    QFETCH(const QString, name);
    QFETCH(const QString, key);
    struct Type
    {
        DType dtype;
        const char *name;
    };
    for (const Type &type : {Type{DType::Float64, "float64"},
                             {DType::Float32, "float32"},
                             {DType::Float16, "float16"},
                             {DType::Int64, "int64"},
                             {DType::Int32, "int32"},
                             {DType::Int16, "int16"},
                             {DType::Int8, "int8"},
                             {DType::UInt8, "uint8"},
                             {DType::Bool, "bool"}}) {
        QProcess python;
        python.setWorkingDirectory(m_folder.path());
        python.start(m_python,
                     {QStringLiteral("-c"),
                      QStringLiteral(
                          "import numpy as np\nx = (np.arange(21000).reshape(3, 7, 1000) % 97 - 40).astype('%1')\n%2\n"
                          "open('raw', 'wb').write(x.tobytes())")
                          .arg(QLatin1String(type.name), call)});
        QVERIFY2(python.waitForFinished() && python.exitCode() == 0, python.readAllStandardError().constData());
        const ArrayFile file{m_folder.filePath(name).toStdString(), key.toStdString(), type.dtype, {3, 7, 1000}};
        QByteArray data(qsizetype(file.bytes()), '\x55');
        readArray(file, reinterpret_cast<unsigned char *>(data.data()));
        QFile raw(m_folder.filePath(QStringLiteral("raw")));
        QVERIFY(raw.open(QIODevice::ReadOnly));
        QVERIFY2(data == raw.readAll(), type.name);
    }
}

void TestEvalArrayFile::refuses_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *what, const char *name, const QByteArray &content, const char *words,
                        const char *key = "") {
        QTest::newRow(what) << QByteArray(name) << content << QByteArray(key) << QByteArray(words);
    };
    const QByteArray floats = bytesOf<float>({1, 2, 3, 4, 5, 6});
    row("empty", "a.npy", {}, "ends too early");
    row("not an array", "a.npy", "0123456789", "is no .npy array");
    row("header too long", "a.npy", numpy(plain("<f4", "(2, 3)"), floats).left(9) + "\xff", "ends too early");
    row("header of 4 GB", "a.npy", QByteArray("\x93NUMPY\2\0\xff\xff\xff\xff", 12) + floats,
        "has a header that is not NumPy's");
    row("no shape", "a.npy", numpy("{'descr': '<f4', 'fortran_order': False}", floats), "has no shape in its header");
    row("open shape", "a.npy", numpy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", floats),
        "is not NumPy's");
    row("huge extent", "a.npy", numpy(plain("<f4", "(99999999999999999999, 3)"), floats), "is not NumPy's");
    row("negative extent", "a.npy", numpy(plain("<f4", "(-2, 3)"), floats), "is not NumPy's");
    row("other shape", "a.npy", numpy(plain("<f4", "(3, 2)"), floats),
        "has the shape [3, 2], and the problem says [2, 3]");
    row("flat", "a.npy", numpy(plain("<f4", "(6,)"), floats), "has the shape [6]");
    row("other type", "a.npy", numpy(plain("<f8", "(2, 3)"), floats + floats), "holds elements of type \"<f8\"");
    row("big-endian", "a.npy", numpy(plain(">f4", "(2, 3)"), floats), "big-endian");
    row("by columns", "a.npy", numpy(plain("<f4", "(2, 3)", "True"), floats), "ascontiguousarray");
    row("Python objects", "a.npy", numpy(plain("|O", "(2, 3)"), "cos\nsystem\n(S'id'\ntR."), "never loaded");
    row("structured", "a.npy", numpy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", floats),
        "holds elements of type");
    row("too short", "a.npy", numpy(plain("<f4", "(2, 3)"), floats.left(23)), "ends too early");
    row("too long", "a.npy", numpy(plain("<f4", "(2, 3)"), floats + "x"), "longer than its header says");
    row("raw, too short", "a.bin", floats.left(20), "has 20 bytes, and [2, 3] of float32 are 24");
    row("no archive", "a.npz", "no zip", "is no .npz archive");
    row("no tensors", "a.safetensors", "short", "ends too early");
    row("header beyond the end", "a.safetensors", QByteArray("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10),
        "is no .safetensors file");
    row("broken header", "a.safetensors", safetensors("{\"x\": ", floats), "is no .safetensors file");
    row("header of another kind", "a.safetensors", safetensors("[1, 2]", floats), "is no .safetensors file");
    row("several", "a.safetensors",
        safetensors(R"({"x": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "y": {}})", floats),
        "holds 2 tensors");
    const QByteArray one = R"({"x": {"dtype": "F32", "shape": [2, 3], "data_offsets": %1}})";
    row("no such tensor", "a.safetensors", safetensors(QByteArray(one).replace("%1", "[0, 24]"), floats),
        "has no tensor \"z\"; it holds \"x\"", "z");
    row("metadata is none", "a.safetensors", safetensors(QByteArray(one).replace("%1", "[0, 24]"), floats),
        "has no tensor", "__metadata__");
    row("beyond the end", "a.safetensors", safetensors(QByteArray(one).replace("%1", "[4, 28]"), floats),
        "ends too early");
    row("offset of 2^63", "a.safetensors",
        safetensors(QByteArray(one).replace("%1", "[9223372036854775784, 9223372036854775808]"), floats),
        "ends too early");
    row("backwards", "a.safetensors", safetensors(QByteArray(one).replace("%1", "[24, 0]"), floats), "another size");
    row("offsets of text", "a.safetensors", safetensors(QByteArray(one).replace("%1", "\"0\""), floats),
        "is not that of .safetensors");
}

void TestEvalArrayFile::refuses()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, words);
    const ArrayFile file{put(name.constData(), content), key.toStdString(), DType::Float32, {2, 3}};
    QByteArray data(qsizetype(file.bytes()), '\0');
    try {
        readArray(file, reinterpret_cast<unsigned char *>(data.data()));
        QFAIL("It was read.");
    } catch (const Failure &failure) {
        QCOMPARE(failure.status(), Status::ProblemError);
        const QByteArray message = failure.what();
        QVERIFY2(message.contains(words) && message.contains(name), message.constData());
    }
}

void TestEvalArrayFile::holdsThemSealedAndMakesThemFresh()
{
    std::vector<float> values(64);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i) - 8;
    const std::vector<qint32> indices{3, 1, 4, 1, 5, 9, 2, 6};
    put("x.bin", bytesOf(values));
    put("i.npy", numpy(plain("<i4", "(8,)"), bytesOf(indices)));
    Problem problem = parseProblem(
        R"({"schema": "ako.problem/1", "name": "p", "axes": {"n": {"type": "var"}},
 "inputs": {"x": {"shape": ["n", 8], "dtype": "float32"}, "i": {"shape": ["n"], "dtype": "int32"}},
 "outputs": {"y": {"shape": ["n"], "dtype": "float32"}}, "entry": {"symbol": "f", "args": ["x", "i", "y", "n"]},
 "workloads": [{"id": "a", "axes": {"n": 8}, "inputs": {"x": {"type": "file", "path": "x.bin"}, "i": {"type": "file", "path": "i.npy"}}},
  {"id": "b", "axes": {"n": 8}, "inputs": {"x": {"type": "file", "path": "x.bin", "fresh": "rows"}, "i": {"type": "file", "path": "i.npy", "fresh": "rows"}}}]})",
        m_folder.filePath(QStringLiteral("problem.json")).toStdString());
    const StoredInputs stored(problem);
    QCOMPARE(stored.bytes(), std::size_t(2 * 4096)); // each file once
    QVERIFY(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, stored.descriptor(), 0) == MAP_FAILED);
    QVERIFY(ftruncate(stored.descriptor(), 0) != 0);
    QVERIFY(pwrite(stored.descriptor(), "x", 1, 0) < 0);
    mapStoredInputs(stored.descriptor(), stored.bytes());
    QVERIFY(!storedInput(stored.bytes(), 1) && !storedInput(0, stored.bytes() + 1) && storedInput(4096, 4096));

    const auto drawn = [&]<typename T>(std::vector<T> data, int workload, const char *name, InputKey key,
                                       std::size_t row) {
        const auto &rule = problem.workloads[std::size_t(workload)].inputs.at(name);
        fillInput({problem.tensor(name)->dtype, data.size(), row, rule, key, {}}, data.data());
        return data;
    };
    const std::vector<float> one = drawn(values, 0, "x", 1, 8), same = drawn(values, 0, "x", 1, 8),
                             other = drawn(values, 0, "x", 2, 8);
    QCOMPARE(one, same);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        changed += one[i] != other[i];
        QVERIFY2(std::abs(one[i]) >= 0.7499F * std::abs(values[i]) &&
                     std::abs(one[i]) <= 1.2501F * std::abs(values[i]) && (one[i] < 0) == (values[i] < 0),
                 qPrintable(QString::number(one[i])));
    }
    QVERIFY(changed > values.size() / 2);
    QCOMPARE(drawn(indices, 0, "i", 1, 8), indices);
    // In a circle: every row is still there, and of 40 keys not all leave them where they were.
    bool moved = false;
    for (InputKey key = 1; key <= 40; ++key) {
        std::vector<float> rows = drawn(values, 1, "x", key, 8);
        const auto begin = std::find(rows.begin(), rows.end(), values.front());
        QVERIFY(begin != rows.end() && (begin - rows.begin()) % 8 == 0);
        moved = moved || begin != rows.begin();
        std::rotate(rows.begin(), begin, rows.end());
        QCOMPARE(rows, values);
    }
    QVERIFY(moved);
}

void TestEvalArrayFile::areMeasuredWith_data()
{
    QTest::addColumn<QByteArray>("fresh");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("reference");
    QTest::addColumn<qsizetype>("elements"); // of the file
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("words");
    const QByteArray honest = "for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;";
    // Gives the first answer that it was asked for at this place for ever.
    const QByteArray keeping =
        "static float kept[40000]; static bool has; if (!has) { " + honest +
        " std::memcpy(kept, y, sizeof kept); has = true; } else std::memcpy(y, kept, sizeof kept);";
    const QByteArray slow =
        "for (std::int64_t i = 0; i < n; ++i) { float a = x[i]; for (int k = 0; k < 500; ++k) a = a * "
        "0.999f + 0.5f; y[i] = a; }";
    // Knows inputs again by their two ends.
    const QByteArray keepingLong =
        "static float kept[40000], first, last; static bool has; if (has && x[0] == first && "
        "x[n - 1] == last) std::memcpy(y, kept, sizeof kept); else { " +
        slow + " std::memcpy(kept, y, sizeof kept); first = x[0]; last = x[n - 1]; has = true; }";
    QTest::newRow("honest") << QByteArray("jitter") << honest << honest << qsizetype(40000) << 0 << QByteArray();
    QTest::newRow("honest, by rows") << QByteArray("rows") << honest << honest << qsizetype(40000) << 0 << QByteArray();
    QTest::newRow("always the same") << QByteArray("none") << honest << honest << qsizetype(40000) << 0
                                     << QByteArray("SAME_INPUTS");
    QTest::newRow("keeps its answer") << QByteArray("jitter") << keeping << honest << qsizetype(40000) << 1
                                      << QByteArray("INCORRECT");
    QTest::newRow("keeps one that is always the same")
        << QByteArray("none") << keepingLong << slow << qsizetype(40000) << 6 << QByteArray("SUSPICIOUS_10X");
    QTest::newRow("keeps it, by rows") << QByteArray("rows") << keeping << honest << qsizetype(40000) << 1
                                       << QByteArray("INCORRECT");
    QTest::newRow("another size") << QByteArray("jitter") << honest << honest << qsizetype(39999) << 2
                                  << QByteArray("has 159996 bytes");
    QTest::newRow("no file") << QByteArray("jitter") << honest << honest << qsizetype(-1) << 2
                             << QByteArray("cannot be read: No such file");
}

// ako-bench on solution.cpp, "twice" of n elements of the file; its exit status, or -1, and all that it said.
std::pair<int, QByteArray> TestEvalArrayFile::bench(const QByteArray &body, const QByteArray &reference,
                                                    const QByteArray &n, const QByteArray &input, const char *mode)
{
    const QByteArray head =
        "#include <cstdint>\n#include <cstring>\nextern \"C\" void twice(const float *x, float *y, std::int64_t n) {";
    put("solution.cpp", head + body + "}\n");
    put("reference.cpp", head + reference + "}\n");
    put("problem.json", R"({"schema": "ako.problem/1", "name": "twice", "axes": {"n": {"type": "var"}},
 "inputs": {"x": {"shape": ["n"], "dtype": "float32"}}, "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
 "entry": {"symbol": "twice", "args": ["x", "y", "n"]}, "reference": {"source": "reference.cpp"}, "selftest_skip": ["other_seed"],
 "workloads": [{"id": "main", "axes": {"n": )" +
                            n + R"(}, "inputs": {"x": )" + input + "}}]}");
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                  {QStringLiteral("--problem"), QStringLiteral("problem.json"), QStringLiteral("--solution"),
                   QStringLiteral("solution.cpp"), QStringLiteral("--build-dir"),
                   m_folder.filePath(QStringLiteral("build")), QLatin1String(mode), QStringLiteral("--json"),
                   QStringLiteral("result.json")});
    if (!process.waitForFinished(120000))
        return {-1, "it hangs"};
    QFile report(m_folder.filePath(QStringLiteral("result.json")));
    const QByteArray result = report.open(QIODevice::ReadOnly) ? report.readAll() : QByteArray();
    return {process.exitCode(), process.readAll() + result};
}

void TestEvalArrayFile::areMeasuredWith()
{
    QFETCH(const QByteArray, fresh);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, reference);
    QFETCH(const qsizetype, elements);
    QFETCH(const int, exitCode);
    QFETCH(const QByteArray, words);
    QFile::remove(m_folder.filePath(QStringLiteral("x.bin")));
    if (elements >= 0) {
        std::vector<float> values(static_cast<std::size_t>(elements));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(float(i));
        QVERIFY(!put("x.bin", bytesOf(values)).empty());
    }
    const auto [status, said] =
        bench(body, reference, "40000", R"({"type": "file", "path": "x.bin", "fresh": ")" + fresh + R"("})",
              words == "SUSPICIOUS_10X" ? "--verdict" : "--signal"); // the one over the reference
    QVERIFY2(status == exitCode, said.constData());
    QVERIFY2(said.contains(words), said.constData());
}

void TestEvalArrayFile::areRefusedUnread_data()
{
    QTest::addColumn<QByteArray>("n");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("words");
    for (const char *name : {"pipe.npy", "pipe.npz", "pipe.bin", "pipe.safetensors"})
        QTest::newRow(name) << QByteArray("16") << QByteArray(name) << 2 << QByteArray("is no regular file");
    QTest::newRow("more than memory") << QByteArray("16000000000") << QByteArray("x.bin") << 8
                                      << QByteArray("The largest workload needs about");
}

void TestEvalArrayFile::areRefusedUnread()
{
    QFETCH(const QByteArray, n);
    QFETCH(const QByteArray, name);
    QFETCH(const int, exitCode);
    QFETCH(const QByteArray, words);
    const QString path = m_folder.filePath(QString::fromLatin1(name));
    if (name.startsWith("pipe"))
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    else
        QVERIFY(!put("x.bin", QByteArray(64, '\0')).empty());
    const QByteArray key = name.endsWith("npz") || name.endsWith("safetensors") ? R"(, "key": "x")" : "";
    const QByteArray body = "for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;";
    const auto [status, said] =
        bench(body, body, n, R"({"type": "file", "path": ")" + name + R"(")" + key + "}", "--signal");
    QVERIFY2(status == exitCode, said.constData());
    QVERIFY2(said.contains(words), said.constData());
}

QTEST_GUILESS_MAIN(TestEvalArrayFile)
#include "tst_eval_arrayfile.moc"
