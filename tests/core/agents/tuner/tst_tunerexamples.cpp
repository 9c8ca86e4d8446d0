// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/catalogue.h"

#include <QDir>
#include <QFile>
#include <QLibrary>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>

using namespace ako::tuner;

// Every change of the catalogue, applied to every example, compiles and computes the same numbers. All variants of an
// example are put into one translation unit, each in a namespace of its own, so that this takes one compilation.
class TestTunerExamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyChangeKeepsTheResult_data();
    void everyChangeKeepsTheResult();
    void changesOnTopOfEachOther_data();
    void changesOnTopOfEachOther();
    void cudaExamples_data();
    void cudaExamples();
};

namespace {

using Size = std::int64_t;
using Numbers = std::vector<double>;
using Runner = Numbers (*)(QFunctionPointer);

template <typename T>
std::vector<T> randomNumbers(Size count)
{
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> distribution(-2.0, 2.0);
    std::vector<T> result(static_cast<std::size_t>(count));
    for (T &each : result)
        each = static_cast<T>(distribution(generator));
    return result;
}

template <typename T>
Numbers widened(const std::vector<T> &values)
{
    return Numbers(values.begin(), values.end());
}

Numbers runMatmul(QFunctionPointer function)
{
    using Entry = void (*)(const float *, const float *, float *, Size, Size, Size);
    const Size m = 37, n = 101, k = 59;
    const auto a = randomNumbers<float>(m * k), b = randomNumbers<float>(k * n);
    std::vector<float> c(static_cast<std::size_t>(m * n), NAN);
    reinterpret_cast<Entry>(function)(a.data(), b.data(), c.data(), m, n, k);
    return widened(c);
}

Numbers runSoftmax(QFunctionPointer function)
{
    using Entry = void (*)(const double *, double *, Size, Size, double);
    const Size rows = 19, cols = 211;
    const auto x = randomNumbers<double>(rows * cols);
    Numbers y(static_cast<std::size_t>(rows * cols), NAN);
    reinterpret_cast<Entry>(function)(x.data(), y.data(), rows, cols, 0.5);
    return y;
}

Numbers runStencil(QFunctionPointer function)
{
    using Entry = void (*)(const float *, const float *, float *, Size, Size);
    const Size height = 37, width = 101;
    const auto in = randomNumbers<float>((height + 4) * (width + 4)), weights = randomNumbers<float>(25);
    std::vector<float> out(static_cast<std::size_t>(height * width), NAN);
    reinterpret_cast<Entry>(function)(in.data(), weights.data(), out.data(), height, width);
    return widened(out);
}

std::string read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Situation situationOf(const QString &example)
{
    const QDir folder(QStringLiteral(AKO_SOURCE_DIR "/resources/examples/") + example);
    Situation situation;
    situation.files[example.toStdString() + ".cpp"] = read(folder.filePath(example + QStringLiteral(".cpp")));
    situation.contract = parseContract(read(folder.filePath(QStringLiteral("problem.json"))));
    situation.machine.cores = 4;
    situation.machine.vectorBytes = 64;
    return situation;
}

// A source that holds all variants; the entry of the one at index i is named <entry>_<i>.
QByteArray unitOf(const QDir &folder, const std::string &entry, const std::vector<std::string> &variants)
{
    QByteArray unit("#include <algorithm>\n#include <cmath>\n#include <cstdint>\n");
    const QByteArray symbol = QByteArray::fromStdString(entry);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const QByteArray number = QByteArray::number(static_cast<qulonglong>(i));
        QFile file(folder.filePath(QStringLiteral("v%1.cpp").arg(i)));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(variants[i]));
        unit += "#undef TILE_X\n#undef TILE_Y\n#define " + symbol + " " + symbol + "_" + number + "\nnamespace v" +
                number + " {\n#include \"v" + number + ".cpp\"\n}\n#undef " + symbol + "\n";
    }
    return unit;
}

// Builds the variants and compares each with the first; the answer is empty when all are well.
QString compare(const std::string &entry, const std::vector<std::string> &variants, const QStringList &flags,
                Runner run)
{
    QTemporaryDir folder;
    QFile unit(folder.filePath(QStringLiteral("all.cpp")));
    if (!unit.open(QIODevice::WriteOnly))
        return QStringLiteral("no temporary file");
    unit.write(unitOf(QDir(folder.path()), entry, variants));
    unit.close();
    const QString library = folder.filePath(QStringLiteral("all.so"));
    QProcess compiler;
    compiler.setProcessChannelMode(QProcess::MergedChannels);
    compiler.start(QStringLiteral("g++"),
                   QStringList{QStringLiteral("-shared"), QStringLiteral("-fPIC"), QStringLiteral("-Wall"),
                               QStringLiteral("-Wextra"), QStringLiteral("-Werror"), QStringLiteral("-o"), library,
                               unit.fileName()} +
                       flags);
    if (!compiler.waitForFinished(120000) || compiler.exitCode() != 0)
        return QString::fromUtf8(compiler.readAll());
    QLibrary loaded(library);
    Numbers expected;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const QFunctionPointer function = loaded.resolve((entry + "_" + std::to_string(i)).c_str());
        if (!function)
            return loaded.errorString();
        const Numbers found = run(function);
        expected = i == 0 ? found : expected;
        for (std::size_t j = 0; j < found.size(); ++j) {
            if (!(std::abs(found[j] - expected[j]) <= 1e-4 * (1.0 + std::abs(expected[j]))))
                return QStringLiteral("element %1: %2 instead of %3\n").arg(j).arg(found[j]).arg(expected[j]) +
                       QString::fromStdString(variants[i]);
        }
    }
    return {};
}

// What clang objects to in sources for CUDA; nothing where there is none.
QString clangSays(const std::vector<std::string> &variants)
{
    QString program = QStandardPaths::findExecutable(QStringLiteral("clang++"));
    if (program.isEmpty())
        program = QStandardPaths::findExecutable(QStringLiteral("clang++-19"));
    if (program.isEmpty())
        return {};
    QTemporaryDir folder;
    QStringList arguments{QStringLiteral("-x"),
                          QStringLiteral("cuda"),
                          QStringLiteral("--cuda-host-only"),
                          QStringLiteral("-nocudainc"),
                          QStringLiteral("-nocudalib"),
                          QStringLiteral("-std=c++20"),
                          QStringLiteral("-Werror"),
                          QStringLiteral("-Wno-unknown-cuda-version"),
                          QStringLiteral("-fsyntax-only"),
                          QStringLiteral("-I" AKO_SOURCE_DIR "/tests/support/cudasyntax")};
    for (std::size_t i = 0; i < variants.size(); ++i) {
        QFile file(folder.filePath(QStringLiteral("v%1.cu").arg(i)));
        if (!file.open(QIODevice::WriteOnly))
            return QStringLiteral("no temporary file");
        file.write(QByteArray::fromStdString(variants[i]));
        arguments << file.fileName();
    }
    QProcess clang;
    clang.setProcessChannelMode(QProcess::MergedChannels);
    clang.start(program, arguments);
    if (!clang.waitForFinished(120000))
        return QStringLiteral("clang does not end");
    return clang.exitCode() == 0 ? QString() : QString::fromUtf8(clang.readAll());
}

void addExamples()
{
    QTest::addColumn<Runner>("runner");
    QTest::newRow("matmul") << &runMatmul;
    QTest::newRow("softmax") << &runSoftmax;
    QTest::newRow("stencil") << &runStencil;
}

} // namespace

void TestTunerExamples::initTestCase()
{
    if (QStandardPaths::findExecutable(QStringLiteral("g++")).isEmpty())
        QSKIP("needs g++");
}

void TestTunerExamples::everyChangeKeepsTheResult_data()
{
    addExamples();
}

void TestTunerExamples::everyChangeKeepsTheResult()
{
    QFETCH(Runner, runner);
    const QString example = QString::fromUtf8(QTest::currentDataTag());
    const Situation situation = situationOf(example);
    const std::string path = example.toStdString() + ".cpp";
    std::vector<std::string> variants{situation.files.at(path)};
    std::set<std::string> directions;
    for (const Change &change : Catalogue(situation).inFile(path)) {
        QVERIFY(change.files.contains(path));
        variants.push_back(change.files.at(path));
        directions.insert(change.direction);
    }
    QVERIFY(variants.size() > 8);
    QVERIFY(directions.contains("threads"));
    const QString problem =
        compare(situation.contract.entry, variants, {QStringLiteral("-O1"), QStringLiteral("-fopenmp")}, runner);
    QVERIFY2(problem.isEmpty(), qPrintable(problem.left(4000)));
}

void TestTunerExamples::changesOnTopOfEachOther_data()
{
    addExamples();
}

// One change of each direction after the other, as a run of improvements would, with all flags at the end.
void TestTunerExamples::changesOnTopOfEachOther()
{
    QFETCH(Runner, runner);
    const QString example = QString::fromUtf8(QTest::currentDataTag());
    Situation situation = situationOf(example);
    const std::string path = example.toStdString() + ".cpp";
    std::vector<std::string> variants{situation.files.at(path)};
    std::set<std::string> done;
    for (bool found = true; found;) {
        found = false;
        for (const Change &change : Catalogue(situation).inFile(path)) {
            if (!done.insert(change.direction).second)
                continue;
            for (const auto &[name, text] : change.files)
                situation.files[name] = text;
            variants.push_back(situation.files.at(path));
            found = true;
            break;
        }
    }
    QVERIFY(done.size() >= 5);
    QStringList flags{QStringLiteral("-O3")};
    for (const FlagIdea &idea : flagIdeas()) {
        for (const std::string &flag : idea.flags) {
            if (flag != "-fno-tree-vectorize")
                flags.append(QString::fromStdString(flag));
        }
    }
    flags.append(QStringLiteral("-fopenmp"));
    const QString problem = compare(situation.contract.entry, variants, flags, runner);
    QVERIFY2(problem.isEmpty(), qPrintable(problem.left(4000)));
}

void TestTunerExamples::cudaExamples_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"matmul", "rmsnorm", "softmax", "transpose"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

// Whether the variants are right is seen on a GPU (tests/gpu); here, that there is something to try in each, and that
// clang, where there is one, takes every single change and all of them on top of each other for CUDA.
void TestTunerExamples::cudaExamples()
{
    QFETCH(QString, name);
    const QDir folder(QStringLiteral(AKO_SOURCE_DIR "/resources/examples/%1-cuda").arg(name));
    Situation situation;
    const std::string path = name.toStdString() + ".cu";
    situation.files[path] = read(folder.filePath(name + QStringLiteral(".cu")));
    situation.contract = parseContract(read(folder.filePath(QStringLiteral("problem.json"))));
    situation.restrictions = parseRestrictions(read(folder.filePath(QStringLiteral("HINTS.md"))));
    QVERIFY(situation.contract.onGpu);
    std::vector<std::string> variants{situation.files.at(path)};
    std::set<std::string> directions;
    for (const Change &change : Catalogue(situation).inFile(path)) {
        QVERIFY(change.files.at(path) != situation.files.at(path));
        directions.insert(change.direction.substr(0, change.direction.find(':')));
        if (change.direction.rfind("constant", 0) != 0) // sizes may not go together, which their static_assert says
            variants.push_back(change.files.at(path));
    }
    for (const char *direction : {"launch-bounds", "restrict", "constant", "unroll"})
        QVERIFY2(directions.contains(direction), direction);
    std::set<std::string> done;
    for (bool found = true; found;) {
        found = false;
        for (const Change &change : Catalogue(situation).inFile(path)) {
            if (change.direction.rfind("constant", 0) == 0 || !done.insert(change.key).second)
                continue;
            situation.files[path] = change.files.at(path);
            variants.push_back(situation.files.at(path));
            found = true;
            break;
        }
    }
    const QString problem = clangSays(variants);
    QVERIFY2(problem.isEmpty(), qPrintable(problem.left(4000)));
}

QTEST_GUILESS_MAIN(TestTunerExamples)
#include "tst_tunerexamples.moc"
