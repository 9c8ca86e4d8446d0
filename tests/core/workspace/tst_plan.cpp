// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "workspace/planbuilder.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

using namespace ako;

namespace {

const QByteArray torchModel = R"(import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2
def get_inputs():
    return [torch.randn(4)]
def get_init_inputs():
    return []
)";

QString fieldValue(const ResolvedPlan &plan, const char *key)
{
    const PlanField *field = plan.field(QLatin1String(key));
    return field ? field->value : QStringLiteral("missing");
}

QString question(const ResolvedPlan &plan, const char *key)
{
    return plan.field(QLatin1String(key))->question;
}

QString problem(const ResolvedPlan &plan, const char *key)
{
    return plan.field(QLatin1String(key))->problem;
}

ResolvedPlan planOf(const QString &root, const QString &request = {}, const Answers &answers = {})
{
    const Result<Inventory> inventory = takeInventory(root);
    return inventory ? buildPlan(*inventory, request, answers) : ResolvedPlan();
}

} // namespace

class PlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layouts_data();
    void layouts();
    void examplesAreReady_data();
    void examplesAreReady();
    void goldenText();
    void goldenTextWithQuestion();
    void ownFilesAreNoKnowledge();
    void jsonRoundTrip();
    void inventoryAndPlanWriteNothing();
    void answersResolveAndAreChecked();
    void requestAndHintsBuildItAnew();
    void unknownAnswerKeyIsRefused();
    void filesToWriteAreExact();
    void dependenciesGoWithTheKernel();
    void whatAPythonKernelImportsGoesWithIt();
    void aDefinitionGivesTheFirstKernel();
    void resumedRunKeepsItsBranch();
    void knowledgeAndHints();
    void followedFile();
    void impossibleCapsHoldItUp_data();
    void impossibleCapsHoldItUp();
    void agentThatCanChangeTheKernel_data();
    void agentThatCanChangeTheKernel();
    void limits_data();
    void limits();
    void modelByHttp_data();
    void modelByHttp();
    void agentOfItsOwn_data();
    void agentOfItsOwn();
    void manyFiles();
    void branchNames_data();
    void branchNames();
};

void PlanTest::layouts_data()
{
    QTest::addColumn<Layout>("layout");
    QTest::addColumn<QString>("request");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("bench");
    QTest::addColumn<QString>("openText"); // part of the first question or problem; empty: the plan is ready

    const Layout native{{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("fast.cpp"), kernelSource()}};
    const auto with = [](Layout layout, const Layout &more) {
        layout.insert(more);
        return layout;
    };
    const QString nativeMode = QStringLiteral("default (native)");
    const QString pythonMode = QStringLiteral("default (KernelBench)");
    const QString fast = QStringLiteral("fast.cpp");
    const QString ref = QStringLiteral("ref.cpp");
    const QString none = QStringLiteral("none");

    QTest::newRow("native") << native << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("native in a subfolder under other names")
        << Layout{{QStringLiteral("Übung 1/task.json"), problemJson()},
                  {QStringLiteral("Übung 1/ref.cpp"), kernelSource()},
                  {QStringLiteral("Übung 1/my kernel.cc"), kernelSource()}}
        << QString() << QStringLiteral("Übung 1/my kernel.cc") << QStringLiteral("Übung 1/ref.cpp") << nativeMode
        << QString();
    QTest::newRow("CRLF and a byte order mark")
        << with(native, {{fast, "\xEF\xBB\xBF" + kernelSource().replace("\n", "\r\n")}}) << QString() << fast << ref
        << nativeMode << QString();
    QTest::newRow("entry only in a comment or a string is none")
        << with(native, {{QStringLiteral("notes.cpp"),
                          "// void scale_run(float *x) {}\nconst char *s = \"void scale_run() {\";\n"}})
        << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("a test that calls the entry is no kernel")
        << with(native,
                {{QStringLiteral("test.cpp"),
                  "extern \"C\" void scale_run(const float*, float*, long);\nint main() { scale_run(0, 0, 0); }\n"}})
        << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("a static function of that name is none")
        << with(native, {{QStringLiteral("other.cpp"), "static void scale_run(float *x) { *x = 1; }\n"}}) << QString()
        << fast << ref << nativeMode << QString();
    QTest::newRow("two kernels") << with(native, {{QStringLiteral("faster.cpp"), kernelSource()}}) << QString()
                                 << QString() << ref << nativeMode
                                 << QStringLiteral("2 files could be the kernel: fast.cpp, faster.cpp");
    QTest::newRow("two kernels, one named in the request")
        << with(native, {{QStringLiteral("faster.cpp"), kernelSource()}})
        << QStringLiteral("Optimise ./faster.cpp please") << QStringLiteral("faster.cpp") << ref << nativeMode
        << QString();
    QTest::newRow("copies in skipped folders do not count")
        << with(native, {{QStringLiteral("build/fast.cpp"), kernelSource()},
                         {QStringLiteral("solution/fast.cpp"), kernelSource()},
                         {QStringLiteral("trajectory/20260101-000000_iter-1/solution/fast.cpp"), kernelSource()},
                         {QStringLiteral("node_modules/x/fast.cpp"), kernelSource()},
                         {QStringLiteral("env/pyvenv.cfg"), ""},
                         {QStringLiteral("env/fast.cpp"), kernelSource()}})
        << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("links do not lead outside or count twice")
        << with(native, {{QStringLiteral("loop -> ."), {}},
                         {QStringLiteral("etc -> /etc"), {}},
                         {QStringLiteral("also.cpp -> fast.cpp"), {}}})
        << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("no reference named") << Layout{{QStringLiteral("problem.json"),
                                                   problemJson().replace("\"reference\": {\"source\": \"ref.cpp\"},",
                                                                         "")},
                                                  {fast, kernelSource()}}
                                        << QString() << fast << none << nativeMode << QString();
    QTest::newRow("reference is missing")
        << Layout{{QStringLiteral("problem.json"), problemJson()}, {fast, kernelSource()}} << QString() << fast << ref
        << nativeMode << QStringLiteral("ref.cpp, which problem.json names as the reference in line 6, does not exist");
    QTest::newRow("only the reference") << Layout{{QStringLiteral("problem.json"), problemJson()},
                                                  {ref, kernelSource()}}
                                        << QString() << ref << ref << nativeMode << QString();
    QTest::newRow("entry nowhere") << Layout{{QStringLiteral("problem.json"), problemJson()},
                                             {ref, "int x;\n"},
                                             {fast, "int y;\n"}}
                                   << QString() << QString() << ref << nativeMode
                                   << QStringLiteral("No file of the workspace defines scale_run()");
    QTest::newRow("broken problem") << with(native, {{QStringLiteral("problem.json"),
                                                      "{\"schema\": \"ako.problem/1\",\n  \"name\": oops}\n"}})
                                    << QString() << QString() << none << nativeMode
                                    << QStringLiteral("problem.json:2:");
    QTest::newRow("unknown key in the problem")
        << with(native, {{QStringLiteral("problem.json"), problemJson("\"colour\": 1,")}}) << QString() << fast << ref
        << nativeMode << QStringLiteral("colour");
    QTest::newRow("a kernel in C")
        << with(Layout{{QStringLiteral("problem.json"), problemJson()}, {ref, kernelSource()}},
                {{QStringLiteral("k.c"), "void scale_run(const float *x, float *y, long n) {}\n"}})
        << QString() << QStringLiteral("k.c") << ref << nativeMode << QStringLiteral("k.c is no C++ source");
    QTest::newRow("device not said, several reference files")
        << with(native, {{QStringLiteral("problem.json"), problemJson()
                                                              .replace("\"device\": \"cpu\",", "")
                                                              .replace("\"ref.cpp\"", "[\"ref.cpp\", \"more.cpp\"]")},
                         {QStringLiteral("more.cpp"), kernelSource()}})
        << QString() << fast << QStringLiteral("ref.cpp, more.cpp") << nativeMode << QString();
    QTest::newRow("CUDA problem") << with(native, {{QStringLiteral("problem.json"),
                                                    problemJson().replace("\"cpu\"", "\"cuda\"")}})
                                  << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("two problems")
        << Layout{{QStringLiteral("a/problem.json"), problemJson()}, {QStringLiteral("a/ref.cpp"), kernelSource()},
                  {QStringLiteral("a/k.cpp"), kernelSource()},       {QStringLiteral("b/problem.json"), problemJson()},
                  {QStringLiteral("b/ref.cpp"), kernelSource()},     {QStringLiteral("b/k.cpp"), kernelSource()}}
        << QString() << QString() << none << QString() << QStringLiteral("Several problem files are here");
    QTest::newRow("raw C++") << Layout{{fast, kernelSource()}} << QString() << fast << none << nativeMode
                             << QStringLiteral("its shapes appear nowhere");
    QTest::newRow("raw C++ with a bench script")
        << Layout{{fast, kernelSource()},
                  {QStringLiteral("bench.sh"), "g++ solution/fast.cpp main.cpp && time ./a.out\n"}}
        << QString() << fast << none << QStringLiteral("custom: bench.sh") << QString();
    QTest::newRow("a bench target") << Layout{{fast, kernelSource()},
                                              {QStringLiteral("Makefile"),
                                               "all:\n\ttrue\nbench: all\n\t./run solution/fast.cpp\n"}}
                                    << QString() << fast << none << QStringLiteral("custom: Makefile") << QString();
    QTest::newRow("a problem counts before a script") << with(native, {{QStringLiteral("bench.sh"), "time ./a.out\n"}})
                                                      << QString() << fast << ref << nativeMode << QString();
    QTest::newRow("KernelBench") << Layout{{QStringLiteral("anything.py"), torchModel}} << QString()
                                 << QStringLiteral("anything.py") << none << pythonMode << QString();
    QTest::newRow("KernelBench, the reference beside it")
        << Layout{{QStringLiteral("given.py"), torchModel},
                  {QStringLiteral("mine.py"), "import torch\nclass ModelNew(torch.nn.Module):\n    pass\n"}}
        << QString() << QStringLiteral("mine.py") << QStringLiteral("given.py") << pythonMode << QString();
    QTest::newRow("Triton")
        << Layout{{QStringLiteral("k.py"),
                   "import triton\nimport triton.language as tl\n@triton.jit\ndef k(x):\n    pass\n"}}
        << QString() << QStringLiteral("k.py") << none << pythonMode << QStringLiteral("k.py has no get_inputs()");
    QTest::newRow("Triton in a string only")
        << Layout{{QStringLiteral("k.py"), "x = '''\nimport triton\n@triton.jit\n'''\n"}} << QString() << QString()
        << none << nativeMode << QStringLiteral("No kernel was found");
    QTest::newRow("TileLang")
        << Layout{{QStringLiteral("k.py"),
                   "import tilelang\nimport tilelang.language as T\n@T.prim_func\ndef k(x):\n    pass\n"}}
        << QString() << QStringLiteral("k.py") << none << pythonMode << QStringLiteral("k.py has no get_inputs()");
    QTest::newRow("SOL-ExecBench") << Layout{{QStringLiteral("definition.json"), "{\"name\": \"x\", \"axes\": {}}"},
                                             {QStringLiteral("workload.jsonl"), "{}\n"}}
                                   << QString() << QStringLiteral("definition.json")
                                   << QStringLiteral("definition.json") << pythonMode << QString();
    QTest::newRow("SOL-ExecBench with a kernel")
        << Layout{{QStringLiteral("p/definition.json"), "{\"name\": \"x\", \"axes\": {}}"},
                  {QStringLiteral("p/workload.jsonl"), "{}\n"},
                  {QStringLiteral("p/fast.py"), "import torch\ndef run(x):\n    return x\n"},
                  {QStringLiteral("p/tool.py"), "import torch\ndef help(x):\n    return x\n"}}
        << QString() << QStringLiteral("p/fast.py") << QStringLiteral("p/definition.json") << pythonMode << QString();
    QTest::newRow("empty") << Layout{{QStringLiteral("a.log"), "x"}} << QString() << QString() << none << nativeMode
                           << QStringLiteral("No kernel was found");
    QTest::newRow("kernel.py that is none") << Layout{{QStringLiteral("kernel.py"), "print('hello')\n"}} << QString()
                                            << QString() << none << nativeMode << QStringLiteral("No kernel was found");
    QTest::newRow("binary under a source's name")
        << with(native, {{QStringLiteral("x.cpp"), QByteArray("void scale_run(float *x) {\0}", 28)}}) << QString()
        << fast << ref << nativeMode << QString();
    QTest::newRow("invalid UTF-8") << with(native, {{QStringLiteral("x.cpp"), "// \xff\xfe\nint z = '\xe9';\n"}})
                                   << QString() << fast << ref << nativeMode << QString();
}

void PlanTest::layouts()
{
    QFETCH(Layout, layout);
    QFETCH(QString, request);
    QFETCH(QString, openText);
    QTemporaryDir folder;
    lay(folder.path(), layout);
    const ResolvedPlan plan = planOf(folder.path(), request);
    QTEST(fieldValue(plan, planKey::kernel), "kernel");
    QTEST(fieldValue(plan, planKey::reference), "reference");
    QTEST(fieldValue(plan, planKey::benchMode), "bench");
    QCOMPARE(plan.hasOpenQuestions(), !openText.isEmpty());
    QVERIFY2(openText.isEmpty() || plan.toMarkdown().contains(openText), qPrintable(plan.toMarkdown()));
}

void PlanTest::examplesAreReady_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kernel");
    for (const char *name : {"matmul", "softmax", "stencil"})
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(name) + QStringLiteral(".cpp");
    for (const char *name : {"matmul", "rmsnorm", "softmax", "transpose"})
        QTest::newRow(qPrintable(QString::fromLatin1(name) + QStringLiteral("-cuda")))
            << QString::fromLatin1(name) + QStringLiteral("-cuda") << QString::fromLatin1(name) + QStringLiteral(".cu");
}

void PlanTest::examplesAreReady()
{
    QFETCH(QString, name);
    QFETCH(QString, kernel);
    const ResolvedPlan plan = planOf(QStringLiteral(AKO_SOURCE_DIR "/resources/examples/") + name);
    QVERIFY2(!plan.hasOpenQuestions(), qPrintable(plan.toMarkdown()));
    QCOMPARE(plan.kernelFiles, QStringList{kernel});
    QCOMPARE(plan.referenceFile, QStringLiteral("reference.") + kernel.section(u'.', -1));
    QCOMPARE(plan.knowledgeFiles, QStringList{QStringLiteral("knowledge/notes.md")});
    QVERIFY(!plan.scaffoldToCopy.contains(QStringLiteral("HINTS.md")));
    QVERIFY(plan.warnings.isEmpty());
}

void PlanTest::goldenText()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("fast.cpp"), kernelSource()},
                        {QStringLiteral("knowledge/a.md"), "x"},
                        {QStringLiteral("knowledge/b.md"), "x"},
                        {QStringLiteral("HINTS.md"), ""}});
    const ResolvedPlan plan =
        planOf(folder.path(), QStringLiteral("Optimise fast.cpp. Stop after 20 iterations. Think of SIMD."));
    const QString expected = QStringLiteral(R"(**📋 Resolved Plan**

- **Workspace** — `%1`
- **Kernel** — `fast.cpp`
- **Reference** — `ref.cpp`
- **Input data** — `problem.json`
- **Knowledge** — `knowledge/`
- **Bench mode** — default (native)
- **Scaffold to copy** — `bench-wrapper.sh`, `ITERATIONS.md`, `.gitignore`
- **Agent** — tuner
- **Iteration cap** — 20
- **Primary metric** — runtime in ms, lower is better
- **Hints to be merged** — "Stop after 20 iterations" (from your request); "Think of SIMD" (from your request)
  - understood: cap: 20 iterations (from your request)
  - for the agent, word for word: “Think of SIMD” (from your request)
  - the tuner follows what is understood and nothing else
)")
                                 .arg(QFileInfo(folder.path()).canonicalFilePath());
    QCOMPARE(plan.toMarkdown(), expected);
}

void PlanTest::goldenTextWithQuestion()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("k.cpp"), kernelSource()},
                        {QStringLiteral(".gitignore"), ""},
                        {QStringLiteral("HINTS.md"), ""},
                        {QStringLiteral("ITERATIONS.md"), ""},
                        {QStringLiteral("bench-wrapper.sh -> nowhere"), {}}});
    const QString text = planOf(folder.path()).toMarkdown();
    QVERIFY(text.contains(QStringLiteral("- **Reference** — none — will use original kernel\n")));
    QVERIFY(text.contains(QStringLiteral("- **Scaffold to copy** — none — already present\n")));
    QVERIFY(text.contains(
        QStringLiteral("- **Input data** — none\n  - **Question (input):** There is no problem.json for k.cpp")));
    QVERIFY(text.contains(QStringLiteral("- **Hints to be merged** — none\n")));
}

// What a run writes must not come back as knowledge when its workspace is opened again.
void PlanTest::ownFilesAreNoKnowledge()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()},
                        {QStringLiteral("notes.md"), "tiles"},
                        {QStringLiteral("HINTS.md"), "- x"},
                        {QStringLiteral("ITERATIONS.md"), "# Iteration Log"},
                        {QStringLiteral("_bench_output.txt"), "COMPILED: True"}});
    QCOMPARE(planOf(folder.path()).knowledgeFiles, QStringList{QStringLiteral("notes.md")});
}

void PlanTest::jsonRoundTrip()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("a.cpp"), kernelSource()},
                        {QStringLiteral("b.cpp"), kernelSource()}});
    const ResolvedPlan plan = planOf(folder.path(), QStringLiteral("stop after two hours; größer ist besser"));
    const Result<ResolvedPlan> again = ResolvedPlan::fromJson(plan.toJson());
    QVERIFY(again);
    QCOMPARE(again->toJson().dump(), plan.toJson().dump());
    QCOMPARE(again->toMarkdown(), plan.toMarkdown());
    QCOMPARE(again->timeCapSeconds, 7200);
    QVERIFY(!ResolvedPlan::fromJson(nlohmann::json::array()));
}

void PlanTest::inventoryAndPlanWriteNothing()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("a.cpp"), kernelSource()},
                        {QStringLiteral("bench.sh"), "touch ran; time ./x\n"},
                        {QStringLiteral("sub/conftest.py"), "open('ran', 'w')\n"},
                        {QStringLiteral("rules.md"), "- be quick\n"}});
    const QStringList before = treeState(folder.path());
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    PlanBuilder builder(*inventory, QStringLiteral("follow rules.md"), {});
    QVERIFY(builder.setAnswer(QStringLiteral("bench-mode"), QStringLiteral("custom: bench.sh")));
    QCOMPARE(builder.plan().benchCommand, QStringLiteral("bash bench.sh"));
    QVERIFY(!builder.plan().toMarkdown().isEmpty());
    QCOMPARE(treeState(folder.path()), before);
}

void PlanTest::answersResolveAndAreChecked()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("a.cpp"), kernelSource()},
                        {QStringLiteral("b.cpp"), kernelSource()},
                        {QStringLiteral("c.cpp"), "void other(float *x) { *x = 0; }\n"}});
    PlanBuilder builder(*takeInventory(folder.path()), {}, {});
    QVERIFY(!question(builder.plan(), planKey::kernel).isEmpty());
    QCOMPARE(builder.plan().field(QLatin1String(planKey::kernel))->candidates,
             QStringList({QStringLiteral("a.cpp"), QStringLiteral("b.cpp")}));

    QVERIFY(builder.setAnswer(QStringLiteral("kernel"), QStringLiteral("b.cpp")));
    QVERIFY(!builder.plan().hasOpenQuestions());
    QCOMPARE(builder.plan().kernelFiles, QStringList{QStringLiteral("b.cpp")});

    QVERIFY(builder.setAnswer(QStringLiteral("kernel"), QStringLiteral("c.cpp")));
    QVERIFY(problem(builder.plan(), planKey::kernel)
                .contains(
                    QStringLiteral("c.cpp does not define scale_run(), the entry that problem.json names in line 5")));
    QVERIFY(builder.setAnswer(QStringLiteral("kernel"), QStringLiteral("d.cpp")));
    QVERIFY(problem(builder.plan(), planKey::kernel).contains(QStringLiteral("d.cpp is not a file")));
    QVERIFY(builder.setAnswer(QStringLiteral("kernel"), {}));
    QVERIFY(!question(builder.plan(), planKey::kernel).isEmpty());

    QVERIFY(builder.setAnswer(QStringLiteral("iterations"), QStringLiteral("7")));
    QCOMPARE(builder.plan().iterationCap, 7);
    QVERIFY(builder.setAnswer(QStringLiteral("iterations"), QStringLiteral("some")));
    QVERIFY(problem(builder.plan(), planKey::iterationCap).contains(QStringLiteral("some")));
    QVERIFY(builder.setAnswer(QStringLiteral("agent"), QStringLiteral("oracle")));
    QVERIFY(problem(builder.plan(), planKey::agent).contains(QStringLiteral("tuner, user")));
    QVERIFY(builder.setAnswer(QStringLiteral("bench-mode"), QStringLiteral("native: none.json")));
    QVERIFY(!problem(builder.plan(), planKey::benchMode).isEmpty());
}

void PlanTest::requestAndHintsBuildItAnew()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("a.cpp"), kernelSource()}});
    PlanBuilder builder(*takeInventory(folder.path()), {}, {});
    const auto before = treeState(folder.path());
    QVERIFY(builder.setAnswer(QLatin1String(planKey::request), QStringLiteral("stop after 9 iterations")));
    QCOMPARE(builder.plan().request, QStringLiteral("stop after 9 iterations"));
    QCOMPARE(builder.plan().iterationCap, 9);
    QCOMPARE(builder.plan().hints.size(), 1);
    QVERIFY(builder.setAnswer(QLatin1String(planKey::hintsText), QStringLiteral("- Stop after 9 iterations.\n")));
    QCOMPARE(builder.plan().hints.size(), 0); // it stands there already
    QVERIFY(builder.setAnswer(QLatin1String(planKey::request), {}));
    QCOMPARE(builder.plan().iterationCap, 9);
    QVERIFY(builder.setAnswer(QLatin1String(planKey::hintsText), {}));
    QCOMPARE(builder.plan().iterationCap, 0);
    QVERIFY(builder.answers().isEmpty());
    QCOMPARE(treeState(folder.path()), before);
}

void PlanTest::unknownAnswerKeyIsRefused()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a.cpp"), kernelSource()}});
    PlanBuilder builder(*takeInventory(folder.path()), {}, {});
    const Result<void> unknown = builder.setAnswer(QStringLiteral("kernle"), QStringLiteral("a.cpp"));
    QVERIFY(!unknown);
    QVERIFY(unknown.error().text().contains(QStringLiteral("kernle")));
    QVERIFY(unknown.error().remedy.contains(QStringLiteral("kernel")));
    QVERIFY(!builder.setAnswer(QStringLiteral("workspace"), QStringLiteral("/")));
    const ResolvedPlan plan = planOf(folder.path(), {}, {{QStringLiteral("kernle"), QStringLiteral("a.cpp")}});
    QCOMPARE(plan.warnings.size(), 1);
}

void PlanTest::filesToWriteAreExact()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("src/problem.json"), problemJson()},
                        {QStringLiteral("src/ref.cpp"), kernelSource()},
                        {QStringLiteral("src/k.cpp"), "#include \"deep/t.h\"\n" + kernelSource()},
                        {QStringLiteral("src/deep/t.h"), ""},
                        {QStringLiteral("HINTS.md"), "- x\n"},
                        {QStringLiteral(".gitignore"), ""}});
    const ResolvedPlan plan = planOf(folder.path(), QStringLiteral("do not use AVX"));
    QCOMPARE(plan.kernelRoot, QStringLiteral("src"));
    const QStringList expected{QStringLiteral(".ako/"),
                               QStringLiteral(".git/"),
                               QStringLiteral("HINTS.md"),
                               QStringLiteral("ITERATIONS.md"),
                               QStringLiteral("_bench_output.txt"),
                               QStringLiteral("bench-wrapper.sh"),
                               QStringLiteral("scripts/bench.sh"),
                               QStringLiteral("solution/deep/t.h"),
                               QStringLiteral("solution/k.cpp"),
                               QStringLiteral("trajectory/")};
    QCOMPARE(plan.filesToWrite, expected);
}

void PlanTest::dependenciesGoWithTheKernel()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("src/k.cpp"),
                         "#include \"../inc/tile.h\"\n#include \"missing.h\"\nvoid tile(float *y);\nextern \"C\" void "
                         "scale_run(const float *x, float *y, long n) { tile(y); }\n"},
                        {QStringLiteral("inc/tile.h"), "// #include \"no.h\"\n#include \"more.h\"\n"},
                        {QStringLiteral("inc/more.h"), ""},
                        {QStringLiteral("inc/no.h"), ""},
                        {QStringLiteral("src/tile.cpp"), "void tile(float *y) { *y = 1; }\n"},
                        {QStringLiteral("src/main.cpp"), "void tile(float *) {}\nint main() {}\n"},
                        {QStringLiteral("include/missing.h"), ""}});
    const ResolvedPlan plan = planOf(folder.path());
    QCOMPARE(plan.kernelFiles, QStringList({QStringLiteral("src/k.cpp"), QStringLiteral("inc/more.h"),
                                            QStringLiteral("inc/tile.h"), QStringLiteral("src/tile.cpp")}));
    QCOMPARE(plan.kernelRoot, QString());
    QCOMPARE(plan.warnings.size(), 1);
    QVERIFY(plan.warnings.first().contains(
        QStringLiteral("src/k.cpp:2 includes \"missing.h\", which lies at include/missing.h")));
}

void PlanTest::whatAPythonKernelImportsGoesWithIt()
{
    const QByteArray model = "import torch\nclass Model(torch.nn.Module):\n    pass\n";
    QTemporaryDir folder;
    lay(folder.path(),
        {{QStringLiteral("given.py"), model + "from shapes import N\ndef get_inputs():\n    return []\n"},
         {QStringLiteral("shapes.py"), "N = 1\n"},
         {QStringLiteral("k/mine.py"),
          "import torch\nimport numpy as np, parts\nfrom pack.inner import (a,\n    b)\n"
          "class ModelNew(torch.nn.Module):\n    pass\nSOURCES = ['csrc/twice.cu', \"gone.cu\"]\n"},
         {QStringLiteral("k/parts.py"), "from more import x\n"},
         {QStringLiteral("k/more.py"), "x = 1\n"},
         {QStringLiteral("k/pack/__init__.py"), "from . import side\n"},
         {QStringLiteral("k/pack/inner.py"), "from .side import c\n"},
         {QStringLiteral("k/pack/side.py"), "c = 1\n"},
         {QStringLiteral("k/csrc/twice.cu"), "#include \"twice.cuh\"\n__global__ void twice() {}\n"},
         {QStringLiteral("k/csrc/twice.cuh"), "#pragma once\n"},
         {QStringLiteral("k/other.py"), "x = 1\n"}});
    const ResolvedPlan plan = planOf(folder.path());
    QCOMPARE(plan.kernelFiles, QStringList({QStringLiteral("k/mine.py"), QStringLiteral("k/csrc/twice.cu"),
                                            QStringLiteral("k/csrc/twice.cuh"), QStringLiteral("k/more.py"),
                                            QStringLiteral("k/pack/__init__.py"), QStringLiteral("k/pack/inner.py"),
                                            QStringLiteral("k/pack/side.py"), QStringLiteral("k/parts.py")}));
    QCOMPARE(plan.kernelRoot, QStringLiteral("k"));
    QCOMPARE(plan.referenceFiles, QStringList({QStringLiteral("given.py"), QStringLiteral("shapes.py")}));
    QVERIFY(plan.filesToWrite.contains(QStringLiteral("solution/pack/inner.py")));
}

void PlanTest::aDefinitionGivesTheFirstKernel()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("rows/definition.json"), "{\"name\": \"x\", \"axes\": {}}"},
                        {QStringLiteral("rows/workload.jsonl"), "{}\n"}});
    const ResolvedPlan plan = planOf(folder.path());
    QVERIFY(plan.filesToWrite.contains(QStringLiteral("solution/solution.py")));
    QCOMPARE(plan.kernelName, QStringLiteral("rows"));
    QCOMPARE(plan.referenceFiles,
             QStringList({QStringLiteral("rows/definition.json"), QStringLiteral("rows/workload.jsonl")}));
}

void PlanTest::resumedRunKeepsItsBranch()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}});
    QVERIFY(!planOf(folder.path()).resumed);
    QCOMPARE(planOf(folder.path()).kernelName, QStringLiteral("scale"));
    lay(folder.path(), {{QStringLiteral("solution/k.cpp"), kernelSource()},
                        {QStringLiteral("trajectory/20260101-120000_baseline/output.txt"), "x"},
                        {QStringLiteral(".git/HEAD"), "ref: refs/heads/opt/older-name\n"}});
    const ResolvedPlan plan = planOf(folder.path());
    QVERIFY(plan.resumed);
    QCOMPARE(plan.kernelName, QStringLiteral("older-name"));
    QVERIFY(!plan.filesToWrite.contains(QStringLiteral(".git/")));
}

void PlanTest::knowledgeAndHints()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()},
                        {QStringLiteral("knowledge/a.md"), "x"},
                        {QStringLiteral("paper.pdf"), "%PDF"},
                        {QStringLiteral("LICENSE.md"), "x"},
                        {QStringLiteral("data/points.txt"), "1 2 3"},
                        {QStringLiteral("HINTS.md"), "- At most 9 iterations\n- Keep it simple.\n"}});
    const ResolvedPlan plan = planOf(folder.path(), QStringLiteral("keep it simple"));
    QCOMPARE(plan.knowledgeFiles, QStringList({QStringLiteral("paper.pdf"), QStringLiteral("knowledge/a.md")}));
    QVERIFY(plan.hints.isEmpty());
    QCOMPARE(plan.iterationCap, 9);
    QCOMPARE(planOf(folder.path(), QStringLiteral("stop after 12 iterations")).iterationCap, 12);
    QCOMPARE(fieldValue(planOf(folder.path(), {}, {{QStringLiteral("knowledge"), QStringLiteral("none")}}),
                        planKey::knowledge),
             QStringLiteral("none"));
}

void PlanTest::followedFile()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()},
                        {QStringLiteral("docs/rules.md"), "# Rules\n\n- no ncu\n- Use float only\n"}});
    const ResolvedPlan plan = planOf(folder.path(), QStringLiteral("Make k.cpp faster and follow docs/rules.md"));
    QCOMPARE(plan.hints.size(), 2);
    QCOMPARE(plan.hints[0].origin, QStringLiteral("from docs/rules.md: 3"));
    QCOMPARE(plan.hints[0].recognised, QStringLiteral("no profiler"));
    QCOMPARE(plan.hints[1].text, QStringLiteral("Use float only"));
    QVERIFY(!plan.knowledgeFiles.contains(QStringLiteral("docs/rules.md")));
    QVERIFY(problem(planOf(folder.path(), QStringLiteral("follow nothing.md")), planKey::hints)
                .contains(QStringLiteral("nothing.md")));
}

void PlanTest::impossibleCapsHoldItUp_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<QByteArray>("hints");
    QTest::addColumn<QString>("answer"); // to the row of the cap
    QTest::addColumn<bool>("resumed");
    QTest::addColumn<QString>("problem"); // empty: none
    QTest::addColumn<bool>("warns");
    const QString zero = QStringLiteral("stop after 0 iterations");
    const QByteArray standing = "- stop after 0 iterations\n";
    QTest::newRow("in the request") << zero << QByteArray() << "" << false << "stop after 0 iterations" << false;
    QTest::newRow("in HINTS.md") << "" << standing << "" << false << "stop after 0 iterations" << false;
    QTest::newRow("answered with none") << zero << QByteArray() << "none" << false << "" << false;
    QTest::newRow("answered with another") << zero << standing << "7" << false << "" << false;
    QTest::newRow("in HINTS.md of a run") << "" << standing << "" << true << "" << true;
    QTest::newRow("asked for in a run") << "at most -2 iterations" << QByteArray() << "" << true << "-2" << false;
    for (const char *answer : {"0", "-3", "1.5", "9999999", "99999999999999999999", "at most 0 iterations", "lots"})
        QTest::addRow("the answer %s", answer) << "" << QByteArray() << answer << false << "is no cap" << false;
    for (const char *answer : {"1", "1000000", "2 hours", "3 iterations", "none"})
        QTest::addRow("the answer %s", answer) << "" << QByteArray() << answer << false << "" << false;
}

void PlanTest::impossibleCapsHoldItUp()
{
    QFETCH(QString, request);
    QFETCH(QByteArray, hints);
    QFETCH(QString, answer);
    QFETCH(bool, resumed);
    QFETCH(QString, problem);
    QFETCH(bool, warns);
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()},
                        {QStringLiteral("HINTS.md"), hints}});
    if (resumed)
        lay(folder.path(), {{QStringLiteral(".ako/approval.json"), "{}"}});
    const Answers answers = answer.isEmpty() ? Answers() : Answers{{QLatin1String(planKey::iterationCap), answer}};
    const ResolvedPlan plan = planOf(folder.path(), request, answers);
    const QString found = ::problem(plan, planKey::iterationCap);
    QCOMPARE(found.isEmpty(), problem.isEmpty());
    QVERIFY2(found.contains(problem), qPrintable(found));
    QCOMPARE(plan.hasOpenQuestions(), !problem.isEmpty());
    QCOMPARE(!plan.warnings.isEmpty(), warns);
}

void PlanTest::agentThatCanChangeTheKernel_data()
{
    QTest::addColumn<Layout>("layout");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QString>("note"); // part of it; empty: none
    QTest::addColumn<bool>("refused");
    const Layout native{{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}};
    const Layout module{{QStringLiteral("model.py"), torchModel}};
    const Layout triton{{QStringLiteral("mine.py"), "import triton\n\n@triton.jit\ndef kernel(x): pass\n\n\n"
                                                    "class ModelNew:\n    pass\n"},
                        {QStringLiteral("ref.py"), torchModel}};
    const Layout script{{QStringLiteral("kernel.py"), torchModel},
                        {QStringLiteral("bench.sh"), "#!/bin/sh\necho RUNTIME: 1\npython3 solution/kernel.py\n"}};
    const QString only = QStringLiteral("the tuner changes C++ and CUDA sources only");
    QTest::newRow("C++") << native << "" << "tuner" << "" << false;
    QTest::newRow("C++, by hand") << native << "user" << "user" << "" << false;
    QTest::newRow("a KernelBench file") << module << "" << "user" << only << false;
    QTest::newRow("a KernelBench file, the tuner") << module << "tuner" << "tuner" << "" << true;
    QTest::newRow("Triton") << triton << "" << "user" << only << false;
    QTest::newRow("Triton, the tuner") << triton << "tuner" << "tuner" << "" << true;
    QTest::newRow("Python under a script") << script << "" << "user" << only << false;
    QTest::newRow("Python under a script, the tuner") << script << "tuner" << "tuner" << "" << true;
}

void PlanTest::agentThatCanChangeTheKernel()
{
    QFETCH(Layout, layout);
    QFETCH(QString, answer);
    QFETCH(QString, agent);
    QFETCH(QString, note);
    QFETCH(bool, refused);
    QTemporaryDir folder;
    lay(folder.path(), layout);
    const Answers answers = answer.isEmpty() ? Answers() : Answers{{QLatin1String(planKey::agent), answer}};
    const ResolvedPlan plan = planOf(folder.path(), {}, answers);
    const PlanField *field = plan.field(QLatin1String(planKey::agent));
    QVERIFY(field);
    QCOMPARE(plan.agent, agent);
    QCOMPARE(field->notes.join(QLatin1Char('\n')).contains(note) && !field->notes.isEmpty(), !note.isEmpty());
    QCOMPARE(field->problem.contains(QLatin1String("Choose user")), refused);
    QVERIFY(!refused || plan.hasOpenQuestions());
    QCOMPARE(plan.toMarkdown().contains(note), true); // also without --verbose
}

void PlanTest::agentOfItsOwn_data()
{
    QTest::addColumn<Answers>("answers");
    QTest::addColumn<QString>("problem"); // of any row; empty: none
    QTest::addColumn<bool>("confined");
    QTest::addColumn<bool>("allows");
    const auto row = [](const char *name, const Answers &more, const char *problem, bool confined = true,
                        bool allows = false) {
        Answers answers{{QLatin1String(planKey::agent), QLatin1String(commandAgent)},
                        {QLatin1String(planKey::agentCommand), QStringLiteral("\"/bin/sh\" -c 'x y'")}};
        answers.insert(more);
        QTest::newRow(name) << answers << QString::fromLatin1(problem) << confined << allows;
    };
    const QString isolation = QLatin1String(planKey::isolation);
    const QString permissions = QLatin1String(planKey::permissions);
    row("as usual", {}, "");
    row("no such program", {{QLatin1String(planKey::agentCommand), QStringLiteral("no-such-program-anywhere")}},
        "was not found on PATH");
    row("a quote without an end", {{QLatin1String(planKey::agentCommand), QStringLiteral("sh 'x")}}, "does not end");
    row("no command", {{QLatin1String(planKey::agentCommand), QString()}}, "--agent-command");
    row("a program of the workspace", {{QLatin1String(planKey::agentCommand), QStringLiteral("./k.cpp")}},
        "neither an absolute path");
    row("not confined", {{isolation, QStringLiteral("none")}}, "", false);
    row("confined by a word", {{isolation, QStringLiteral("docker")}}, "is no isolation");
    row("may run commands", {{permissions, QStringLiteral("allow")}}, "", true, true);
    row("a person is asked", {{permissions, QStringLiteral("ask")}}, "");
    row("by kind", {{permissions, QStringLiteral("commands=allow, network=ask")}}, "", true, true);
    row("only one kind", {{permissions, QStringLiteral("network=ask")}}, "");
    row("a kind that is none", {{permissions, QStringLiteral("edits=allow")}}, "is no answer");
    row("a kind without a rule", {{permissions, QStringLiteral("commands, network=ask")}}, "is no answer");
    row("may do anything", {{permissions, QStringLiteral("everything")}}, "is no answer");
}

void PlanTest::agentOfItsOwn()
{
    QFETCH(Answers, answers);
    QFETCH(QString, problem);
    QFETCH(bool, confined);
    QFETCH(bool, allows);
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}});
    const ResolvedPlan plan = planOf(folder.path(), {}, answers);
    QStringList problems;
    for (const PlanField &field : plan.fields)
        problems << field.problem;
    const QString told = problems.join(QLatin1Char(' ')).trimmed();
    QVERIFY2(problem.isEmpty() ? told.isEmpty() : told.contains(problem), qPrintable(told));
    const AgentSettings settings = agentSettingsOf(plan);
    QCOMPARE(settings.confined, confined);
    QCOMPARE(settings.permissions.commands == Permissions::Allow, allows);
    // Only for this call: what lies in a workspace starts nothing and takes no confinement away.
    QVERIFY(saveAnswers(folder.path(), answers));
    const auto kept = loadAnswers(folder.path());
    QVERIFY(kept);
    QCOMPARE(kept->keys(), QStringList{QLatin1String(planKey::agent)});
    writeFile(folder.filePath(QStringLiteral(".ako/answers.json")),
              "{\"isolation\": \"none\", \"agent\": \"command\"}");
    QCOMPARE(loadAnswers(folder.path())->keys(), QStringList{QLatin1String(planKey::agent)});
}

void PlanTest::limits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("seconds");    // 0: it is no time
    QTest::addColumn<qint64>("tokens");  // below 0: no number of them
    QTest::addColumn<double>("dollars"); // below 0: no amount of them
    const auto row = [](const char *text, int seconds, qint64 tokens, double dollars = -1) {
        QTest::newRow(text) << QString::fromLatin1(text) << seconds << tokens << dollars;
    };
    row("20", 1200, 20, 20);
    row("$2.50", 0, -1, 2.5);
    row("5 USD", 0, -1, 5);
    row("0.00", 0, -1);
    row("5 EUR", 0, -1);
    row("20 minutes", 1200, -1);
    row("1 minute", 60, -1);
    row("90 s", 90, -1);
    row("2 hours", 7200, -1);
    row("24h", 86400, -1);
    row("25h", 0, -1);
    row("0", 0, -1);
    row("-5", 0, -1);
    row("1.5 h", 0, -1);
    row("200k", 0, 200'000);
    row("2M", 120, 2'000'000);
    row("500 tokens", 0, 500);
    row("none", 0, 0, 0);
    row("", 0, -1);
    row("99999999999999999999", 0, -1);
}

void PlanTest::limits()
{
    QFETCH(QString, text);
    QFETCH(int, seconds);
    QFETCH(qint64, tokens);
    QFETCH(double, dollars);
    QCOMPARE(secondsOf(text).value_or(0), seconds);
    QCOMPARE(tokensOf(text).value_or(-1), tokens);
    QCOMPARE(dollarsOf(text).value_or(-1), dollars);
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("k.cpp"), kernelSource()}});
    const ResolvedPlan plan = planOf(folder.path(), {},
                                     {{QLatin1String(planKey::agent), QLatin1String(commandAgent)},
                                      {QLatin1String(planKey::turnLimit), text},
                                      {QLatin1String(planKey::tokenBudget), text},
                                      {QLatin1String(planKey::costBudget), text}});
    QCOMPARE(plan.field(QLatin1String(planKey::turnLimit))->problem.isEmpty(), seconds > 0 || text.isEmpty());
    QCOMPARE(plan.field(QLatin1String(planKey::tokenBudget))->problem.isEmpty(), tokens >= 0 || text.isEmpty());
    QCOMPARE(agentSettingsOf(plan).turnSeconds, seconds > 0 ? seconds : AgentSettings().turnSeconds);
    QCOMPARE(plan.field(QLatin1String(planKey::costBudget))->problem.isEmpty(), dollars >= 0 || text.isEmpty());
    QCOMPARE(agentSettingsOf(plan).tokenBudget, tokens > 0 ? tokens : 0);
    QCOMPARE(agentSettingsOf(plan).costBudget, dollars > 0 ? dollars : 0);
}

void PlanTest::modelByHttp_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("told"); // a problem, a question or a note of one of its rows
    QTest::addColumn<bool>("isOpen");
    QTest::addColumn<QString>("used"); // as its server
    const auto row = [](const char *name, const char *agent, const char *model, const char *server, const char *told,
                        bool isOpen, const char *used) {
        QTest::newRow(name) << QString::fromLatin1(agent) << QString::fromLatin1(model) << QString::fromLatin1(server)
                            << QString::fromLatin1(told) << isOpen << QString::fromLatin1(used);
    };
    row("anthropic", "anthropic", "m", "", "your kernel is sent to api.anthropic.com", false,
        "https://api.anthropic.com");
    row("no model", "anthropic", "", "", "Which model", true, "https://api.anthropic.com");
    row("no server", "openai", "m", "", "Which server", true, "");
    row("a local server", "openai", "m", "http://127.0.0.1:8080/v1", "OPENAI_API_KEY is not set", false,
        "http://127.0.0.1:8080/v1");
    row("elsewhere", "openai", "m", "https://api.openai.com/v1", "your kernel is sent to api.openai.com", false,
        "https://api.openai.com/v1");
    row("not encrypted", "openai", "m", "http://example.org/v1", "not encrypted", false, "http://example.org/v1");
    row("no address", "openai", "m", "localhost:8080", "no address of a server", true, "localhost:8080");
    row("a file", "openai", "m", "file:///etc", "no address of a server", true, "file:///etc");
    row("a key in it", "openai", "m", "https://me:key@example.org/v1", "holds no name and no key", true,
        "https://me:key@example.org/v1");
}

void PlanTest::modelByHttp()
{
    QFETCH(QString, agent);
    QFETCH(QString, model);
    QFETCH(QString, server);
    QFETCH(QString, told);
    QFETCH(bool, isOpen);
    QFETCH(QString, used);
    for (const char *variable : {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"})
        qunsetenv(variable);
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}});
    const Answers answers{{QLatin1String(planKey::agent), agent},
                          {QLatin1String(planKey::model), model},
                          {QLatin1String(planKey::baseUrl), server}};
    const ResolvedPlan plan = planOf(folder.path(), {}, answers);
    QStringList words;
    for (const PlanField &field : plan.fields)
        words << field.problem << field.question << field.notes;
    QVERIFY2(words.join(QLatin1Char('\n')).contains(told), qPrintable(words.join(QLatin1Char('\n'))));
    QCOMPARE(plan.hasOpenQuestions(), isOpen);
    QCOMPARE(agentSettingsOf(plan).model, model);
    QCOMPARE(agentSettingsOf(plan).baseUrl, used);
    // Where a key is sent is for this call only: what lies in a workspace sends none.
    QVERIFY(saveAnswers(folder.path(), answers));
    QVERIFY(!loadAnswers(folder.path())->contains(QLatin1String(planKey::baseUrl)));
    // What was remembered for it is nothing to be told of when another agent works.
    const QLatin1String unused("was not used");
    const Answers another{{QLatin1String(planKey::agent), QStringLiteral("user")},
                          {QLatin1String(planKey::model), QStringLiteral("m")},
                          {QLatin1String(planKey::tokenBudget), QStringLiteral("200k")}};
    const auto warnings = [&](const Answers &given) {
        return planOf(folder.path(), {}, given).warnings.join(QLatin1Char('\n'));
    };
    QVERIFY2(!warnings(another).contains(unused), qPrintable(warnings(another)));
    QVERIFY(warnings({{QStringLiteral("colour"), QStringLiteral("red")}}).contains(unused));
    writeFile(folder.filePath(QStringLiteral(".ako/answers.json")), "{\"base-url\": \"https://evil.example\"}");
    QVERIFY(loadAnswers(folder.path())->isEmpty());
}

// Not a timing test: many files and a big one are met with the same answer, and how long it took is told.
void PlanTest::manyFiles()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}});
    for (int i = 0; i < 5000; ++i)
        writeFile(QStringLiteral("%1/data/%2/%3.%4")
                      .arg(folder.path())
                      .arg(i / 100)
                      .arg(i)
                      .arg(i % 2 ? QStringLiteral("txt2") : QStringLiteral("h")),
                  "int x;\n");
    QFile huge(folder.filePath(QStringLiteral("huge.cpp")));
    QVERIFY(huge.open(QIODevice::WriteOnly));
    QVERIFY(huge.resize(8LL * 1024 * 1024));
    QElapsedTimer timer;
    timer.start();
    const ResolvedPlan plan = planOf(folder.path());
    qInfo("5000 files: %lld ms", static_cast<long long>(timer.elapsed()));
    QCOMPARE(fieldValue(plan, planKey::kernel), QStringLiteral("k.cpp"));
}

void PlanTest::branchNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << "row_softmax" << "row_softmax";
    QTest::newRow("spaces") << "My Kernel  (v2)" << "my-kernel-v2";
    QTest::newRow("dots") << "..a..b..lock." << "a.b-lock";
    QTest::newRow("lock") << "a.lock" << "a-lock";
    QTest::newRow("umlaut") << QStringLiteral("Größe") << "gro-e";
    QTest::newRow("other script") << QStringLiteral("行列") << "kernel";
    QTest::newRow("git's own") << "@{-1}~^:?*[\\" << "1";
}

void PlanTest::branchNames()
{
    QFETCH(QString, text);
    QTEST(branchComponent(text), "name");
}

QTEST_GUILESS_MAIN(PlanTest)
#include "tst_plan.moc"
