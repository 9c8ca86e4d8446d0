// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/committedrecords.h"

#include "history/trajectory.h"

#include <QRegularExpression>

#include <algorithm>

namespace ako {

QString labelOf(const CommitMark &mark)
{
    switch (mark.kind) {
    case IterationRecord::Kind::Baseline:
        return QStringLiteral("baseline");
    case IterationRecord::Kind::Final:
        return QStringLiteral("final");
    case IterationRecord::Kind::Iteration:
        break;
    }
    return QStringLiteral("iter-%1").arg(mark.number);
}

CommittedRecords::Folders CommittedRecords::foldersAt(const QString &commit, const QString &label) const
{
    // The last number is there where the name was taken already.
    static const QRegularExpression form(QStringLiteral("\\A(baseline|final|iter-\\d+)(-\\d+)?\\z"));
    Folders folders;
    const auto names = m_repository.foldersAt(commit, QStringLiteral("trajectory"));
    for (const QString &name : names.value_or(QStringList())) {
        if (!name.contains(label)) // spares the reading of thousands of times
            continue;
        const auto parsed = trajectoryName(name);
        const auto match = form.match(parsed ? parsed->label : QString());
        if (match.hasMatch())
            folders[match.captured(1)] << name;
    }
    return folders;
}

// The newest of that label: earlier ones are of benches that were made again.
std::optional<IterationRecord> CommittedRecords::findIn(const QString &commit, const QStringList &folders,
                                                        const CommitMark &mark) const
{
    for (auto name = folders.crbegin(); name != folders.crend(); ++name) {
        const QString folder = QStringLiteral("trajectory/") + *name;
        const auto bytes = m_repository.fileAt(commit, folder + QStringLiteral("/iteration.json"));
        const auto record = bytes ? recordIn(folder, *bytes) : Result<IterationRecord>(fail({}));
        if (record && record->kind == mark.kind && record->number == std::max(mark.number, 0))
            return *record;
    }
    return std::nullopt;
}

std::optional<IterationRecord> CommittedRecords::find(const CommitMark &mark, const CommitInfo &commit)
{
    const QString head = m_repository.headId();
    if (!m_atHead)
        m_atHead = foldersAt(head, {});
    const QString label = labelOf(mark);
    if (mark.kind == IterationRecord::Kind::Final) // later ones are beside it at HEAD
        return findIn(commit.id, foldersAt(commit.id, label).value(label), mark);
    auto record = findIn(head, m_atHead->value(label), mark);
    return record ? record : findIn(commit.id, foldersAt(commit.id, label).value(label), mark);
}

} // namespace ako
