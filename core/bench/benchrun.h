// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"
#include "bench/resultparser.h"
#include "process/childprocess.h"

#include <QMap>
#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace ako {

// One call of scripts/bench.sh.
struct BenchRequest
{
    QString workspace;     // absolute
    QString label;         // baseline, iter-3, iter-3-verdict, final
    QStringList arguments; // after the label, for a built-in evaluator: --signal --champion .ako/champion
    // Workspace-relative folder the script is to use; empty: a new name from the label and the clock.
    QString trajectory;
    QMap<QString, QString> environment; // added to this application's
    BenchMode mode = BenchMode::Signal;
    CustomReading reading;
    int timeoutMilliseconds = 0; // 0: none
    qint64 outputLimitBytes = 8LL * 1024 * 1024;
};

// Runs it and reports exactly once. A user's stop, a time-out, a crash and a failed start all come as finished() with
// a failed result that says so; what the bench left behind is in trajectory() in each case.
class BenchRun : public QObject
{
    Q_OBJECT

public:
    explicit BenchRun(BenchRequest request, QObject *parent = nullptr);
    ~BenchRun() override;

    void start();
    void stop(); // ends the bench's process group in stages; finished() follows
    bool isRunning() const;
    QString trajectory() const; // workspace-relative; what the script used once finished

Q_SIGNALS:
    void progressChanged(const QString &stage, double fraction); // 0..1, negative: not known
    void outputAppended(const QString &text);                    // without the progress lines
    void finished(const ako::BenchResult &result, const ako::ProcessEnd &end);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace ako
