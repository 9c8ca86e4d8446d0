// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/workmodelprofiler.h"

#include <QTest>

using namespace ako;

class TestWorkModelProfiler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatItHas();
    void saysWhenItHasNothing();
};

void TestWorkModelProfiler::saysWhatItHas()
{
    IterationRecord record;
    WorkloadResult timed{QStringLiteral("main"), 1.0, Timing{4.0, 4.0, 4.0, 4.0}, {}, {}, {}, {}, 0.5, 2.0};
    WorkloadResult untimed{QStringLiteral("odd"), 1.0, {}, {}, {}, {}, {}, 0.5, 2.0};
    record.bench.workloads = {timed, untimed};
    const ProfileReport report = WorkModelProfiler().profile(record);
    QCOMPARE(int(report.level), int(ProfileLevel::WorkModel));
    QCOMPARE(report.figures.size(), 1);
    QCOMPARE(*report.figures.first().practical, 2.0);
    QVERIFY(report.summary.contains(QStringLiteral("50 %")));
    QVERIFY(report.summary.contains(QStringLiteral("work model")));
}

void TestWorkModelProfiler::saysWhenItHasNothing()
{
    const ProfileReport report = WorkModelProfiler().profile(IterationRecord{});
    QCOMPARE(int(report.level), int(ProfileLevel::None));
    QVERIFY(report.figures.isEmpty());
    QVERIFY(!report.summary.isEmpty());
}

QTEST_GUILESS_MAIN(TestWorkModelProfiler)
#include "tst_workmodelprofiler.moc"
