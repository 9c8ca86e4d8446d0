// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/controller.h"

#include "base/installation.h"
#include "loop/thread.h"

namespace ako {

LoopController::LoopController(QObject *parent)
    : QObject(parent)
    , m_thread(std::make_unique<LoopThread>(standardPorts))
{
    connect(m_thread.get(), &LoopThread::happened, this, &LoopController::happened);
    setOptions({});
}

LoopController::~LoopController()
{
    m_thread.reset(); // while there still is somebody for its last signals to come from
}

void LoopController::setOptions(const Options &options)
{
    LoopEngine::Settings settings{options.benchProgram, options.scaffoldFolder, options.readOnly, options.withPlan,
                                  options.watchesPlan};
    if (settings.benchProgram.isEmpty())
        settings.benchProgram = installation::program(QStringLiteral("ako-bench"));
    m_thread->post([settings](LoopEngine &engine) { engine.setSettings(settings); });
}

void LoopController::setIdentity(const QString &name, const QString &email)
{
    m_thread->post([identity = Identity{name, email}](LoopEngine &engine) { engine.setIdentity(identity); });
}

namespace {

void send(LoopThread &thread, LoopEvent intent)
{
    thread.post([intent = std::move(intent)](LoopEngine &engine) { engine.handle(intent); });
}

} // namespace

void LoopController::openWorkspace(const QString &path, const QString &request)
{
    m_thread->post(
        [path, request](LoopEngine &engine) { engine.handle(intent::Open{path, request, engine.isReadOnly()}); });
}

void LoopController::closeWorkspace()
{
    send(*m_thread, intent::Close{});
}

void LoopController::setPlanField(const QString &key, const QString &value)
{
    send(*m_thread, intent::ChangePlan{key, value});
}

void LoopController::reloadPlan()
{
    send(*m_thread, intent::Reload{});
}

void LoopController::approve()
{
    send(*m_thread, intent::Approve{});
}

void LoopController::run()
{
    send(*m_thread, intent::Run{});
}

void LoopController::pause()
{
    send(*m_thread, intent::Pause{});
}

void LoopController::step()
{
    send(*m_thread, intent::Step{});
}

void LoopController::stop()
{
    send(*m_thread, intent::Stop{});
}

void LoopController::finish()
{
    send(*m_thread, intent::Finish{});
}

void LoopController::benchEdit(const QString &title, const QString &hypothesis, const QString &changes)
{
    send(*m_thread, intent::BenchEdit{title, hypothesis, changes});
}

void LoopController::restore(int iteration)
{
    send(*m_thread, intent::Restore{iteration});
}

void LoopController::revert(int iteration)
{
    send(*m_thread, intent::Revert{iteration});
}

void LoopController::continueFrom(int iteration)
{
    send(*m_thread, intent::ContinueFrom{iteration});
}

void LoopController::measureAgain(int iteration, bool againstBaseline)
{
    send(*m_thread, intent::MeasureAgain{iteration, againstBaseline});
}

void LoopController::annotate(int iteration, const QString &note)
{
    send(*m_thread, intent::Annotate{iteration, note, std::nullopt});
}

void LoopController::decideQuarantine(int iteration, bool accepted, const QString &reason)
{
    send(*m_thread, intent::Annotate{iteration, reason, accepted});
}

void LoopController::answerPermission(quint64 number, PermissionChoice choice)
{
    m_thread->post([number, choice](LoopEngine &engine) { engine.answerPermission(number, choice); });
}

void LoopController::requestDiff(int fromIteration, int toIteration, quint64 token, bool wholeFiles)
{
    m_thread->post([this, thread = m_thread.get(), fromIteration, toIteration, token, wholeFiles](LoopEngine &engine) {
        thread->reply([this, token, diff = engine.diff(fromIteration, toIteration, wholeFiles)] {
            Q_EMIT diffReady(token, diff.value_or(Diff{}), diff ? QString() : diff.error().text());
        });
    });
}

void LoopController::requestFile(int iteration, const QString &path, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), iteration, path, token](LoopEngine &engine) {
        thread->reply([this, token, file = engine.file(iteration, path)] {
            Q_EMIT fileReady(token, file.value_or(QByteArray{}), file ? QString() : file.error().text());
        });
    });
}

void LoopController::requestNumbers(int iteration, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), iteration, token](LoopEngine &engine) {
        thread->reply([this, token, numbers = engine.moved(iteration)] {
            Q_EMIT numbersReady(token, numbers.value_or(QList<MovedNumber>()),
                                numbers ? QString() : numbers.error().text());
        });
    });
}

void LoopController::requestReport(quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), token](LoopEngine &engine) {
        thread->reply([this, token, report = engine.report()] {
            Q_EMIT reportReady(token, report.value_or(RunReport{}), report ? QString() : report.error().text());
        });
    });
}

void LoopController::requestSourceChange(bool write, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), write, token](LoopEngine &engine) {
        thread->reply([this, token, change = write ? engine.writeSourceChange() : engine.lookAtSourceChange()] {
            const SourceChange known = change.value_or(SourceChange{});
            Q_EMIT sourceChangeReady(token, known.diff, known.paths(), known.advice.join(QLatin1Char('\n')),
                                     change ? QString() : change.error().text(), known.patch);
        });
    });
}

void LoopController::requestHarness(bool restore, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), restore, token](LoopEngine &engine) {
        if (!restore) {
            thread->reply([this, token, change = engine.lookAtHarness()] {
                Q_EMIT harnessReady(token, change.value_or(HarnessChange{}), {},
                                    change ? QString() : change.error().text());
            });
            return;
        }
        thread->reply([this, token, kept = engine.putHarnessBack()] {
            Q_EMIT harnessReady(token, {}, kept.value_or(QString()), kept ? QString() : kept.error().text());
        });
    });
}

void LoopController::requestKeptEdit(bool take, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), take, token](LoopEngine &engine) {
        if (take) {
            const auto done = engine.takeKeptEdit();
            thread->reply([this, token, error = done ? QString() : done.error().text()] {
                Q_EMIT keptEditReady(token, {}, error);
            });
            return;
        }
        thread->reply([this, token, edit = engine.keptEdit()] {
            Q_EMIT keptEditReady(token, edit.value_or(KeptEdit{}), edit ? QString() : edit.error().text());
        });
    });
}

void LoopController::requestTranscript(const QString &trajectory, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), trajectory, token](LoopEngine &engine) {
        thread->reply([this, token, text = engine.transcript(trajectory)] { Q_EMIT transcriptReady(token, text); });
    });
}

void LoopController::requestBenchOutput(const QString &trajectory, quint64 token)
{
    m_thread->post([this, thread = m_thread.get(), trajectory, token](LoopEngine &engine) {
        thread->reply([this, token, output = engine.benchOutput(trajectory)] {
            Q_EMIT benchOutputReady(token, output.value_or(QString{}), output ? QString() : output.error().text());
        });
    });
}

} // namespace ako
