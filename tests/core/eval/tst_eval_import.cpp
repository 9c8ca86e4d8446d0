// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/importproblem.h"
#include "eval/status.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace ako::eval;

namespace {

const QByteArray definition = R"({
 "name": "rmsnorm_h4096", "op_type": "rmsnorm", "description": "RMSNorm",
 "axes": {"batch_size": {"type": "var"}, "hidden_size": {"type": "const", "value": 4096}},
 "constraints": ["batch_size > 0"],
 "inputs": {"hidden_states": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"},
            "weight": {"shape": ["4096"], "dtype": "bfloat16"}, "eps": {"shape": null, "dtype": "float32"}},
 "outputs": {"output": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"}},
 "reference": "def run(hidden_states, weight, eps):\n    return hidden_states\n"
})";

const QByteArray wrapped = R"({"definition": "rmsnorm_h4096", "workload": {"uuid": "a", "axes": {"batch_size": 7},
 "inputs": {"hidden_states": {"type": "random"}, "weight": {"type": "random"}, "eps": {"type": "scalar", "value": 1e-6}}},
 "solution": null, "evaluation": null})";

QByteArray oneLine(QByteArray text)
{
    return text.replace('\n', ' ') + '\n';
}

QString said(const ImportedProblem &imported)
{
    QString text;
    for (const std::string &sentence : imported.leftOut)
        text += QString::fromStdString(sentence) + u'\n';
    return text;
}

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestEvalImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void carriesOver();
    void changedDefinitions_data();
    void changedDefinitions();
    void changedWorkloads_data();
    void changedWorkloads();
    void takesFilesThatAreThere();
    void takesSome();
    void fromTheCommandLine();
    void measuresWhatItImported();
};

void TestEvalImport::carriesOver()
{
    const ImportedProblem imported = importProblem(definition.toStdString(), oneLine(wrapped).toStdString(), true);
    const Problem problem = parseProblem(imported.text, "problem.json");
    QVERIFY(problem.onGpu);
    QCOMPARE(problem.name, std::string("rmsnorm_h4096"));
    QCOMPARE(problem.arguments, (std::vector<std::string>{"hidden_states", "weight", "eps", "output", "batch_size",
                                                          "hidden_size", "@stream"}));
    QCOMPARE(problem.workloads.size(), 1U);
    QCOMPARE(problem.workloads[0].axes.at("batch_size"), 7);
    QCOMPARE(problem.workloads[0].axes.at("hidden_size"), 4096);
    QCOMPARE(problem.workloads[0].scalars.at("eps"), 1e-6);
    QCOMPARE(elementsOf(*problem.tensor("weight"), problem.workloads[0].axes), 4096);
    QVERIFY(!problem.reference);
    QCOMPARE(
        QString::fromStdString(imported.declaration),
        QStringLiteral("extern \"C\" void rmsnorm_h4096_run(const __nv_bfloat16 *hidden_states, const __nv_bfloat16 "
                       "*weight, float eps, __nv_bfloat16 *output, std::int64_t batch_size, std::int64_t "
                       "hidden_size, cudaStream_t stream)"));
    for (const char *words : {"reference is Python", "bench/kernelbench/bench.py", "Constraints"})
        QVERIFY2(said(imported).contains(QLatin1String(words)), qPrintable(said(imported)));
}

void TestEvalImport::changedDefinitions_data()
{
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<QByteArray>("with");
    QTest::addColumn<bool>("onGpu");
    QTest::addColumn<QString>("words"); // of the refusal, or of the notes
    QTest::addColumn<bool>("works");
    const QByteArray bf = "\"dtype\": \"bfloat16\"", hidden = R"("hidden_size": {"type": "const", "value": 4096})";
    QTest::newRow("an expression") << hidden << QByteArray(R"("hidden_size": {"type": "expr", "expression": "4096"})")
                                   << true << QString() << true;
    QTest::newRow("an odd expression") << hidden
                                       << QByteArray(R"("hidden_size": {"type": "expr", "expression": "2**12"})")
                                       << true << QStringLiteral("hidden_size") << false;
    QTest::newRow("an unknown axis") << hidden << QByteArray(R"("hidden_size": {"type": "dynamic"})") << true
                                     << QStringLiteral("/axes/hidden_size/type") << false;
    QTest::newRow("a small type on the CPU")
        << QByteArray() << QByteArray() << false << QStringLiteral("GPU only") << false;
    QTest::newRow("large types on the CPU") << bf << QByteArray("\"dtype\": \"float32\"") << false << QString() << true;
    QTest::newRow("a type of 4 bits") << bf << QByteArray("\"dtype\": \"float4_e2m1\"") << true
                                      << QStringLiteral("bench/kernelbench") << false;
    QTest::newRow("no outputs") << QByteArray("\"outputs\"") << QByteArray("\"results\"") << true
                                << QStringLiteral("outputs") << false;
    QTest::newRow("a number as output") << QByteArray(R"("output": {"shape": ["batch_size", "hidden_size"])")
                                        << QByteArray(R"("output": {"shape": null)") << true
                                        << QStringLiteral("output[0]") << true;
    QTest::newRow("a name that is none in C") << QByteArray("\"name\": \"rmsnorm_h4096\"")
                                              << QByteArray("\"name\": \"8x rms-norm\"") << true << QString() << true;
    QTest::newRow("broken") << QByteArray("\"axes\":") << QByteArray("\"axes\"") << true << QStringLiteral("line")
                            << false;
}

void TestEvalImport::changedDefinitions()
{
    QFETCH(QByteArray, what);
    QFETCH(QByteArray, with);
    QFETCH(bool, onGpu);
    QFETCH(QString, words);
    QFETCH(bool, works);
    QByteArray text = definition;
    if (!what.isEmpty()) {
        QVERIFY(text.contains(what));
        text.replace(what, with);
    }
    try {
        const ImportedProblem imported = importProblem(text.toStdString(), oneLine(wrapped).toStdString(), onGpu);
        QVERIFY(works);
        QVERIFY2(said(imported).contains(words), qPrintable(said(imported)));
        parseProblem(imported.text, "problem.json");
    } catch (const Failure &failure) {
        QVERIFY2(!works, failure.what());
        QVERIFY2(QString::fromUtf8(failure.what()).contains(words), failure.what());
    }
}

void TestEvalImport::changedWorkloads_data()
{
    QTest::addColumn<QByteArray>("workloads");
    QTest::addColumn<int>("count"); // that are left; 0: it is refused
    QTest::addColumn<QString>("words");
    const QByteArray good = oneLine(wrapped);
    const auto changed = [&good](const QByteArray &what, const QByteArray &with) {
        return QByteArray(good).replace(what, with);
    };
    const QByteArray random = R"("weight": {"type": "random"})";
    const QByteArray file = R"("weight": {"type": "safetensors", "path": "x.safetensors", "tensor_key": "w"})";
    QTest::newRow("not wrapped") << oneLine(R"({"axes": {"batch_size": 3}, "inputs": {"hidden_states":
        {"type": "random"}, "weight": {"type": "random"}, "eps": {"type": "scalar", "value": 1}}})")
                                 << 1 << QString();
    QTest::newRow("empty lines") << "\n" + good + "\n\n" + good << 2 << QString();
    QTest::newRow("one from a file") << good + changed(random, file) << 1
                                     << QStringLiteral("file of its input weight is not in the folder");
    QTest::newRow("all from files") << changed(random, file) << 0 << QStringLiteral("bench/kernelbench");
    QTest::newRow("made by Python") << good + changed(random, R"("weight": {"type": "custom"})") << 1
                                    << QStringLiteral("Python code");
    QTest::newRow("a number without a value")
        << changed(R"({"type": "scalar", "value": 1e-6})", R"({"type": "random"})") << 0
        << QStringLiteral("has no value");
    QTest::newRow("an axis is missing") << changed(R"("axes": {"batch_size": 7})", R"("axes": {})") << 0
                                        << QStringLiteral("batch_size");
    QTest::newRow("broken in a line") << good + "{\n" << 0 << QStringLiteral("line 2");
    QTest::newRow("none") << QByteArray() << 0 << QStringLiteral("no workload");
    QTest::newRow("a list") << QByteArray("[1]\n") << 0 << QStringLiteral("line 1");
    QTest::newRow("a tolerance") << changed(R"("uuid": "a")",
                                            R"("uuid": "a", "tolerance": {"max_atol": 0.5, "max_rtol": 0.25})")
                                 << 1 << QString();
}

void TestEvalImport::changedWorkloads()
{
    QFETCH(QByteArray, workloads);
    QFETCH(int, count);
    QFETCH(QString, words);
    try {
        const ImportedProblem imported = importProblem(definition.toStdString(), workloads.toStdString(), true);
        const Problem problem = parseProblem(imported.text, "problem.json");
        QCOMPARE(int(problem.workloads.size()), count);
        QVERIFY2(said(imported).contains(words), qPrintable(said(imported)));
        if (workloads.contains("max_atol"))
            QCOMPARE(problem.workloads[0].tolerance.atol.value(), 0.5);
    } catch (const Failure &failure) {
        QVERIFY2(count == 0, failure.what());
        QVERIFY2(QString::fromUtf8(failure.what()).contains(words), failure.what());
    }
}

void TestEvalImport::takesFilesThatAreThere()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("blob/w")));
    QFile file(folder.filePath(QStringLiteral("blob/w/x.safetensors")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto with = [](const char *path) {
        return oneLine(wrapped).replace(R"("weight": {"type": "random"})",
                                        QByteArray(R"("weight": {"type": "safetensors", "path": ")") + path +
                                            R"(", "tensor_key": "w"})");
    };
    const QByteArray lines = with("./blob/w/x.safetensors") + with("blob/w/none.safetensors") +
                             with("../x.safetensors") + with("/etc/passwd");
    const ImportedProblem imported =
        importProblem(definition.toStdString(), lines.toStdString(), true, folder.path().toStdString());
    const Problem problem = parseProblem(imported.text, "problem.json");
    QCOMPARE(problem.workloads.size(), std::size_t(1));
    const InputRule &rule = problem.workloads[0].inputs.at("weight");
    QCOMPARE(rule.distribution, Distribution::Stored);
    QCOMPARE(rule.file, std::string("blob/w/x.safetensors"));
    QCOMPARE(rule.key, std::string("w"));
    QVERIFY2(said(imported).contains(QLatin1String("Workload 2, 3, 4: the .safetensors file")),
             qPrintable(said(imported)));
}

void TestEvalImport::takesSome()
{
    QByteArray many;
    for (int i = 1; i <= 40; ++i)
        many += oneLine(QByteArray(wrapped).replace("\"batch_size\": 7", "\"batch_size\": " + QByteArray::number(i)));
    const ImportedProblem imported = importProblem(definition.toStdString(), many.toStdString(), true);
    const Problem problem = parseProblem(imported.text, "problem.json");
    QCOMPARE(problem.workloads.size(), 16U);
    QCOMPARE(std::count_if(problem.workloads.begin(), problem.workloads.end(),
                           [](const Workload &workload) { return workload.timed; }),
             4);
    QVERIFY(said(imported).contains(QStringLiteral("24 more workloads")));
}

void TestEvalImport::fromTheCommandLine()
{
    const QTemporaryDir folder;
    const auto run = [](const QStringList &arguments, QString &output) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                      QStringList(QStringLiteral("import")) + arguments);
        if (!process.waitForFinished(30000))
            return -1;
        output = QString::fromUtf8(process.readAll());
        return process.exitCode();
    };
    QString output;
    QCOMPARE(run({}, output), 2);
    QVERIFY(output.contains(QStringLiteral("Usage")));
    QCOMPARE(run({folder.path()}, output), 2);
    QVERIFY2(output.contains(QStringLiteral("definition.json")), qPrintable(output));
    write(folder.filePath(QStringLiteral("definition.json")), definition);
    write(folder.filePath(QStringLiteral("workload.jsonl")), oneLine(wrapped));
    QCOMPARE(run({folder.path(), QStringLiteral("--device"), QStringLiteral("tpu")}, output), 2);
    QCOMPARE(run({folder.path()}, output), 0);
    QVERIFY2(output.contains(QStringLiteral("rmsnorm_h4096_run(")), qPrintable(output));
    QVERIFY(output.contains(QStringLiteral("Not carried over: ")));
    readProblem(folder.filePath(QStringLiteral("problem.json")).toStdString());
    QCOMPARE(run({folder.path()}, output), 2); // nothing is overwritten
    QVERIFY(output.contains(QStringLiteral("--output")));
}

// On the CPU, from the two files to a judged kernel.
void TestEvalImport::measuresWhatItImported()
{
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("definition.json")), R"({"name": "scale", "axes": {"n": {"type": "var"}},
 "inputs": {"x": {"shape": ["n"], "dtype": "float32"}, "factor": {"shape": null, "dtype": "float32"}},
 "outputs": {"y": {"shape": ["n"], "dtype": "float32"}}, "reference": "def run(x, factor): return x * factor"})");
    write(folder.filePath(QStringLiteral("workload.jsonl")),
          R"({"axes": {"n": 30000}, "inputs": {"x": {"type": "random"}, "factor": {"type": "scalar", "value": 3}}})");
    write(folder.filePath(QStringLiteral("kernel.cpp")),
          "#include <cstdint>\nextern \"C\" void scale_run(const float *x, float factor, float *y, std::int64_t n)\n"
          "{\n    for (std::int64_t i = 0; i < n; ++i)\n        y[i] = factor * x[i];\n}\n");
    QCOMPARE(runImport({folder.path().toStdString(), "--device", "cpu"}), 0);
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                  {QStringLiteral("--problem"), QStringLiteral("problem.json"), QStringLiteral("--solution"),
                   QStringLiteral("kernel.cpp"), QStringLiteral("--reference"), QStringLiteral("kernel.cpp"),
                   QStringLiteral("--build-dir"), folder.filePath(QStringLiteral("builds")),
                   QStringLiteral("--signal")});
    QVERIFY(process.waitForFinished(120000));
    const QString output = QString::fromUtf8(process.readAll());
    QVERIFY2(output.contains(QStringLiteral("CORRECT: True")), qPrintable(output));
}

QTEST_APPLESS_MAIN(TestEvalImport)
#include "tst_eval_import.moc"
