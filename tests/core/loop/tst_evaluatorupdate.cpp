// SPDX-License-Identifier: GPL-3.0-or-later
// A program with another Python evaluator than the one a workspace was approved with: it is offered, taken by an answer
// and an approval, and the one before is kept.
#include "loop/opening.h"
#include "loop/preparing.h"
#include "support/scratchrepository.h"
#include "workspace/kernelbenchfolder.h"
#include "workspace/planbuilder.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using ako::test::ScratchRepository;

namespace {

const QByteArray model = R"(import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2
def get_inputs():
    return [torch.randn(4)]
def get_init_inputs():
    return []
)";
const QString scaffold = QStringLiteral(AKO_SOURCE_DIR "/scaffold");
const QString folder = QStringLiteral("bench/kernelbench/");

ResolvedPlan planOf(const ScratchRepository &repository, const Answers &answers = {})
{
    const Result<Inventory> inventory = takeInventory(repository.path());
    return inventory ? buildPlan(*inventory, {}, answers) : ResolvedPlan();
}

} // namespace

class TestEvaluatorUpdate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void isOfferedWhereItDiffers_data();
    void isOfferedWhereItDiffers();
    void needsAnApproval();
    void takesThePlace();

private:
    Answers taken() const { return {{QString::fromLatin1(planKey::evaluator), kernelBenchVersionOf(scaffold)}}; }
    std::unique_ptr<ScratchRepository> m_repository;
};

void TestEvaluatorUpdate::init()
{
    m_repository = std::make_unique<ScratchRepository>();
    m_repository->write(QStringLiteral("model.py"), model);
    m_repository->write(folder + QStringLiteral("x"), "");
    QCOMPARE(QProcess::execute(QStringLiteral("cp"), {QStringLiteral("-r"), scaffold + QLatin1Char('/') + folder,
                                                      m_repository->filePath(QStringLiteral("bench"))}),
             0);
    m_repository->remove(folder + QStringLiteral("x"));
}

void TestEvaluatorUpdate::isOfferedWhereItDiffers_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("isOffered");
    QTest::newRow("the same") << QString() << false;
    QTest::newRow("another module") << QStringLiteral("akobench/stats.py") << true;
    QTest::newRow("a module more") << QStringLiteral("akobench/older.py") << true;
    QTest::newRow("a text") << QStringLiteral("GUIDE.md") << false;
}

void TestEvaluatorUpdate::isOfferedWhereItDiffers()
{
    QFETCH(QString, file);
    QFETCH(bool, isOffered);
    if (!file.isEmpty())
        m_repository->write(folder + file, "# another version\n");
    const ResolvedPlan plan = planOf(*m_repository);
    QCOMPARE(int(plan.evaluator), int(EvaluatorKind::KernelBench));
    const PlanField *field = plan.field(QLatin1String(planKey::evaluator));
    QCOMPARE(field != nullptr, isOffered);
    QVERIFY(plan.newEvaluator.isEmpty());
    if (!isOffered)
        return;
    QVERIFY(!plan.hasOpenQuestions()); // it goes on with what it was approved with
    QVERIFY2(plan.toMarkdown().contains(QStringLiteral("--answer evaluator=") + kernelBenchVersionOf(scaffold)),
             qPrintable(plan.toMarkdown()));
    const ResolvedPlan updated = planOf(*m_repository, taken());
    QCOMPARE(updated.newEvaluator, kernelBenchVersionOf(scaffold));
    QVERIFY(updated.filesToWrite.contains(folder));
    const Result<ResolvedPlan> read = ResolvedPlan::fromJson(updated.toJson());
    QVERIFY(read && read->newEvaluator == updated.newEvaluator);
}

void TestEvaluatorUpdate::needsAnApproval()
{
    m_repository->write(folder + QStringLiteral("akobench/stats.py"), "# another version\n");
    const ResolvedPlan before = planOf(*m_repository);
    const ResolvedPlan update = planOf(*m_repository, taken());
    QVERIFY(measuresTheSame(before, before));
    QVERIFY(!measuresTheSame(before, update));
    QVERIFY(measuresTheSame(update, update)); // approved, and broken off before it was copied
    QVERIFY(measuresTheSame(update, before)); // approved and done: the row is gone
}

void TestEvaluatorUpdate::takesThePlace()
{
    const QString older = folder + QStringLiteral("akobench/older.py");
    m_repository->write(older, "# another version\n");
    const ResolvedPlan plan = planOf(*m_repository, taken());
    Session session;
    session.workspace = m_repository->path();
    session.scaffoldFolder = scaffold;
    QVERIFY(session.takeLock());
    for (int time = 0; time < 2; ++time) { // a preparation can be repeated
        const auto prepared = prepareScaffold(session, plan);
        QVERIFY2(prepared, qPrintable(prepared ? QString() : prepared.error().text()));
        QCOMPARE(kernelBenchVersion(m_repository->path()), kernelBenchVersionOf(scaffold));
        QVERIFY(!m_repository->exists(older));
    }
    const QStringList kept =
        QDir(m_repository->filePath(QStringLiteral(".ako"))).entryList({QStringLiteral("evaluator-*")});
    QCOMPARE(kept.size(), 1);
    QVERIFY(m_repository->exists(QStringLiteral(".ako/%1/akobench/older.py").arg(kept.first())));
    QVERIFY(!planOf(*m_repository, taken()).field(QLatin1String(planKey::evaluator)));
    QVERIFY(planOf(*m_repository, taken()).warnings.filter(QStringLiteral("was not used")).isEmpty());
}

QTEST_GUILESS_MAIN(TestEvaluatorUpdate)
#include "tst_evaluatorupdate.moc"
