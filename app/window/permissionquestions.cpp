// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/permissionquestions.h"

#include "history/runstore.h"
#include "style/messagebar.h"

#include <QApplication>
#include <QWidget>

#include <utility>

namespace ako {

namespace {

// An agent's word that has no end would make the window as wide as it is: it may be broken anywhere.
QString breakable(const QString &text)
{
    constexpr int longestWord = 60;
    QString result;
    int length = 0;
    for (const QChar c : text) {
        length = c.isSpace() ? 0 : length + 1;
        if (length > longestWord && !c.isLowSurrogate() && !c.isMark()) {
            result += QChar(0x200b); // a space without width
            length = 1;
        }
        result += c;
    }
    return result;
}

} // namespace

PermissionQuestions::PermissionQuestions(const RunStore &store, MessageBar &bar, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_bar(bar)
{
    connect(&store, &RunStore::questionsChanged, this, &PermissionQuestions::show);
    connect(&bar, &MessageBar::dismissed, this, [this] { answer(PermissionChoice::Deny); });
}

void PermissionQuestions::show()
{
    const QList<PermissionQuestion> &waiting = m_store.questions();
    const bool isUnderWay = !waiting.isEmpty() && waiting.constFirst().number == m_answered;
    if (waiting.isEmpty() || isUnderWay) {
        m_shown = 0;
        m_bar.hide();
        return;
    }
    const PermissionQuestion &first = waiting.constFirst();
    const bool isNew = std::exchange(m_shown, first.number) != first.number;
    const qsizetype others = waiting.size() - 1;
    const QString more = others == 0   ? QString()
                         : others == 1 ? QLatin1Char(' ') + tr("One more question waits.")
                                       : QLatin1Char(' ') + tr("%1 more questions wait.").arg(others);
    m_bar.showMessage(Severity::Warning, breakable(sentence(first)),
                      tr("It waits for your answer; its time stands still meanwhile.") + more);
    m_bar.addChoice(tr("Allow once"), [this] { answer(PermissionChoice::Once); });
    m_bar.addChoice(tr("Allow all of this kind for this run"), [this] { answer(PermissionChoice::ForThisRun); });
    m_bar.addChoice(tr("Deny"), [this] { answer(PermissionChoice::Deny); });
    if (isNew)
        QApplication::alert(m_bar.window());
}

void PermissionQuestions::answer(PermissionChoice choice)
{
    if (m_shown == 0)
        return;
    m_answered = std::exchange(m_shown, 0);
    Q_EMIT answered(m_answered, choice);
}

} // namespace ako
