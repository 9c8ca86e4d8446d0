// SPDX-License-Identifier: GPL-3.0-or-later
// Why a run rests, in a sentence.
#include "models/phasetext.h"

#include <QTest>

using namespace ako;

class TestPhaseText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopped_data();
    void stopped();
};

void TestPhaseText::stopped_data()
{
    using Why = event::RunStopped::Why;
    QTest::addColumn<int>("why");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, Why why, const char *reason, const char *text) {
        QTest::newRow(name) << int(why) << QString::fromUtf8(reason) << QString::fromUtf8(text);
    };
    row("none", Why::Paused, "", "Paused.");
    row("said already", Why::Stopped, "stopped", "Stopped.");
    row("words", Why::CapReached, "the cap of 4 iterations in HINTS.md",
        "The iteration cap is reached. The cap of 4 iterations in HINTS.md");
    row("letters of another alphabet", Why::Paused, "über Nacht pausiert", "Paused. Über Nacht pausiert");
    row("a folder", Why::Paused, "solution/ is as you left it", "Paused. solution/ is as you left it");
    row("a file", Why::Failed, "problem.json is gone", "The run cannot go on. problem.json is gone");
    row("a path", Why::Failed, "/tmp/x cannot be written", "The run cannot go on. /tmp/x cannot be written");
}

void TestPhaseText::stopped()
{
    QFETCH(int, why);
    QFETCH(QString, reason);
    QFETCH(QString, text);
    QCOMPARE(stoppedText({event::RunStopped::Why(why), reason, 0}), text);
}

QTEST_GUILESS_MAIN(TestPhaseText)
#include "tst_phasetext.moc"
