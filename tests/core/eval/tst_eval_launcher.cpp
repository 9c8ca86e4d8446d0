// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/launcher.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace ako::eval;

namespace {

const char *const problemText = R"({
 "schema": "ako.problem/1", "name": "scale", "device": "cuda",
 "axes": {"rows": {"type": "var"}, "cols": {"type": "var"}, "half": {"type": "expr", "expression": "cols / 2"},
          "eight": {"type": "const", "value": 8}},
 "inputs": {"x": {"shape": ["rows", "cols"], "dtype": "float32"}}, "scalars": {"factor": {"dtype": "float32"}},
 "outputs": {"y": {"shape": ["rows", "cols"], "dtype": "float32"}},
 "entry": {"symbol": "scale_run", "args": ["x", "y", "rows", "cols", "factor", "@stream"]},
 "reference": {"source": "reference.cu"}, "workloads": [{"id": "main", "axes": {"rows": 8, "cols": 8}, "scalars": {"factor": 2}}]
})";

const char *const flat = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < rows * cols) y[i] = factor * x[i];";

QString kernel(const char *parameters, const char *body)
{
    return QStringLiteral("namespace {\n__global__ void scale(%1)\n{\n    %2\n}\n}\n")
        .arg(QString::fromLatin1(parameters), QString::fromLatin1(body));
}

} // namespace

class TestEvalLauncher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void generates_data();
    void generates();
    void isAddedByTheCommand();
};

void TestEvalLauncher::generates_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("launch"); // what has to stand in it
    QTest::addColumn<QString>("reason"); // or why there is none
    const auto made = [](const char *name, const QString &source, const char *launch,
                         const char *shape = "\"rows\", \"cols\"") {
        QTest::newRow(name) << source << QString::fromLatin1(shape) << QString::fromLatin1(launch) << QString();
    };
    const auto none = [](const char *name, const QString &source, const char *reason,
                         const char *shape = "\"rows\", \"cols\"") {
        QTest::newRow(name) << source << QString::fromLatin1(shape) << QString() << QString::fromLatin1(reason);
    };
    const char *const all = "const float *x, float *y, int rows, int cols, float factor";
    made("a thread for each element", kernel(all, flat),
         "scale<<<unsigned((rows * cols + 255) / 256), 256, 0, stream>>>(x, y, static_cast<int>(rows), "
         "static_cast<int>(cols), factor);");
    made("a block for each row",
         kernel(all, "for (int c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = factor;"),
         "scale<<<unsigned(rows), 256, 0, stream>>>(");
    made("two dimensions",
         kernel(all, "int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"),
         "scale<<<dim3(unsigned((cols + 15) / 16), unsigned((rows + 15) / 16)), dim3(16, 16), 0, stream>>>(");
    made("another order", kernel("long cols, float *__restrict__ y, const float *__restrict__ x", flat),
         "(static_cast<long>(cols), y, x);");
    made(
        "launch bounds",
        QStringLiteral("__global__ void __launch_bounds__(256) scale(float *y)\n{ y[blockIdx.x * blockDim.x] = 0; }\n"),
        ">>>(y);");
    made("a comment with another", QStringLiteral("// __global__ void old(float *z) { }\n") + kernel(all, flat),
         "scale<<<");
    made("one of two",
         QStringLiteral("__global__ void other(float *z) { z[blockIdx.x * blockDim.x] = 0; }\n") + kernel(all, flat),
         "scale<<<");
    made("an expression", kernel(all, flat), "unsigned(((cols / 2) * 8 + 255) / 256)", "\"half\", \"eight\"");
    made("a whole division", kernel(all, flat), "unsigned(((cols / 3) + 255) / 256)", "\"cols // 3\"");
    made("const sizes", kernel("float *y, const int rows", flat), "static_cast<int>(rows)");
    none("no kernel", QStringLiteral("void scale() {}\n"), "no __global__ function");
    none("a declaration only", QStringLiteral("__global__ void scale(float *y);\n"), "no __global__ function");
    none("other names", kernel("const float *in, float *out, int n", flat), "named as arguments");
    none("a number for a tensor", kernel("float x, float *y", flat), "named as arguments");
    none("a template",
         QStringLiteral("template <typename T>\n") +
             QStringLiteral("__global__ void scale(T *y) { y[blockIdx.x * blockDim.x] = 0; }\n"),
         "named as arguments");
    none("two that fit",
         kernel(all, flat) + QStringLiteral("__global__ void again(float *y) { y[blockIdx.x * blockDim.x] = 0; }\n"),
         "several kernels");
    none("three dimensions", kernel(all, "y[blockIdx.z] = blockIdx.x;"), "three dimensions");
    none("only threads", kernel(all, "y[threadIdx.x] = 0;"), "blockIdx.x");
    none("a size by min()", kernel(all, flat), "min()", "\"min(rows, cols)\"");
    none("the entry's own name",
         QStringLiteral("__global__ void scale_run(float *y) { y[blockIdx.x * blockDim.x] = 0; }\n"),
         "give the kernel another");
    none("there is one", kernel(all, flat) + QStringLiteral("extern \"C\" void scale_run();\n"), "already");
    none("cut off", QStringLiteral("__global__ void scale(float *y"), "no __global__ function");
}

void TestEvalLauncher::generates()
{
    QFETCH(QString, source);
    QFETCH(QString, shape);
    QFETCH(QString, launch);
    QFETCH(QString, reason);
    QString text = QString::fromLatin1(problemText);
    text.replace(QStringLiteral(R"("outputs": {"y": {"shape": ["rows", "cols"])"),
                 QStringLiteral(R"("outputs": {"y": {"shape": [%1])").arg(shape));
    const Problem problem = parseProblem(text.toStdString(), "problem.json");
    const GeneratedLauncher launcher = launcherFor(problem, {{"k.cu", source.toStdString()}});
    QCOMPARE(launcher.text.empty(), launch.isEmpty());
    QVERIFY2(launcher.text.find(launch.toStdString()) != std::string::npos, launcher.text.c_str());
    QVERIFY2(launcher.reason.find(reason.toStdString()) != std::string::npos, launcher.reason.c_str());
    if (!launch.isEmpty())
        QVERIFY(
            launcher.text.find("extern \"C\" void scale_run(const float *x, float *y, std::int64_t rows, std::int64_t "
                               "cols, float factor, cudaStream_t stream)") != std::string::npos);
}

void TestEvalLauncher::isAddedByTheCommand()
{
    const QTemporaryDir folder;
    const auto write = [&](const char *name, const QByteArray &text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("problem.json", problemText);
    write("k.cu", kernel("const float *x, float *y, int rows, int cols, float factor", flat).toUtf8());
    QString output;
    const auto run = [&] {
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                      {QStringLiteral("--problem"), QStringLiteral("problem.json"), QStringLiteral("--solution"),
                       QStringLiteral("k.cu"), QStringLiteral("--add-launcher")});
        if (!process.waitForFinished(30000))
            return -1;
        output = QString::fromUtf8(process.readAll());
        return process.exitCode();
    };
    QCOMPARE(run(), 0);
    QVERIFY2(output.contains(QStringLiteral("Added to k.cu")), qPrintable(output));
    QFile file(folder.filePath(QStringLiteral("k.cu")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("scale<<<"));
    QCOMPARE(run(), 2); // it has one now
    QVERIFY2(output.contains(QStringLiteral("already")), qPrintable(output));
}

QTEST_APPLESS_MAIN(TestEvalLauncher)
#include "tst_eval_launcher.moc"
