// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/iterationmodel.h"

#include "bench/numbers.h"
#include "history/runstore.h"
#include "models/measurementtext.h"
#include "style/status.h"

#include <QGuiApplication>

namespace ako {

IterationModel::IterationModel(const RunStore &store, QObject *parent)
    : QAbstractTableModel(parent)
    , m_store(store)
    , m_rows(int(store.records().size()))
{
    connect(&store, &RunStore::recordsReset, this, &IterationModel::reset);
    connect(&store, &RunStore::recordInserted, this, &IterationModel::insert);
    connect(&store, &RunStore::recordChanged, this,
            [this](int row) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); });
    connect(&store, &RunStore::championChanged, this, &IterationModel::changeAll);
    connect(&store, &RunStore::hintsSeen, this, &IterationModel::changeAll);
}

int IterationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int IterationModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const IterationRecord *IterationModel::recordAt(int row) const
{
    return row >= 0 && row < m_store.records().size() ? &m_store.records().at(row) : nullptr;
}

QVariant IterationModel::data(const QModelIndex &index, int role) const
{
    const IterationRecord *record = recordAt(index.row());
    if (!index.isValid() || record == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return display(*record, index.column());
    case Qt::ToolTipRole:
        return measurementText(*record);
    case Qt::AccessibleTextRole:
        return accessibleText(*record, index.column());
    case Qt::DecorationRole:
        return decoration(*record, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(index.column() >= Runtime ? Qt::AlignRight | Qt::AlignVCenter
                                                  : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return custom(*record, role);
    }
}

QVariant IterationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Status:
        return tr("Status");
    case Iteration:
        return tr("Iteration");
    case Title:
        return tr("Title");
    case Runtime:
        return tr("Runtime");
    case Speedup:
        return tr("Speedup");
    case Duration:
        return tr("Duration");
    default:
        return {};
    }
}

QString IterationModel::display(const IterationRecord &record, int column) const
{
    switch (column) {
    case Status:
        return statusText(record);
    case Iteration:
        return nameOf(record);
    case Title:
        return record.title;
    case Runtime:
        return record.bench.solution ? runtimeText(record.bench.solution->median) : QStringLiteral("–");
    case Speedup:
        if (!record.speedupOverBaseline)
            return QStringLiteral("–");
        // As in ITERATIONS.md: a product of steps, not measured beside the baseline.
        return (isOverBaselineChained(record) ? QStringLiteral("≈") : QString()) +
               speedupWithError(*record.speedupOverBaseline);
    case Duration:
        return durationText(record.agentMilliseconds + record.benchMilliseconds);
    default:
        return {};
    }
}

QString IterationModel::accessibleText(const IterationRecord &record, int column) const
{
    if (column != Title)
        return display(record, column);
    const QString speedup = record.speedupOverBaseline ? tr("%1 over the baseline").arg(display(record, Speedup))
                                                       : tr("no speedup: %1").arg(record.statusReason);
    QStringList state{statusText(record)};
    if (const QString trust = trustText(record); !trust.isEmpty() && !trust.startsWith(state.first()))
        state << trust;
    return tr("%1, %2: %3, %4").arg(longNameOf(record), record.title, state.join(QStringLiteral(", ")), speedup);
}

QVariant IterationModel::decoration(const IterationRecord &record, int column) const
{
    return column == Status ? QVariant(glyphIcon(toneOf(record), QGuiApplication::palette())) : QVariant();
}

QVariant IterationModel::custom(const IterationRecord &record, int role) const
{
    switch (role) {
    case NumberRole:
        return record.number;
    case ToneRole:
        return int(toneOf(record));
    case ProvisionalRole:
        return isProvisional(record);
    case TrustRole:
        return trustText(record);
    case ChampionRole:
        return record.kind != IterationRecord::Kind::Final && record.number == m_store.champion();
    case ReasonRole:
        return record.statusReason;
    case HintsRole:
        return hintsFirstSeenBy(record);
    case FilterRole:
        return QStringList{nameOf(record),      record.title,      statusText(record), trustText(record),
                           record.statusReason, record.hypothesis, record.agent,       record.note}
            .join(QLatin1Char('\n'));
    default:
        return {};
    }
}

QString IterationModel::hintsFirstSeenBy(const IterationRecord &record) const
{
    QStringList lines;
    for (const event::HintsSeen &seen : m_store.hintMarks()) {
        if (record.kind != IterationRecord::Kind::Iteration || seen.firstIteration != record.number)
            continue;
        for (const QString &added : seen.added)
            lines << QLatin1String("+ ") + added;
        for (const QString &removed : seen.removed)
            lines << QStringLiteral("− ") + removed;
    }
    return lines.join(QLatin1Char('\n'));
}

void IterationModel::reset()
{
    beginResetModel();
    m_rows = int(m_store.records().size());
    endResetModel();
}

void IterationModel::insert(int index)
{
    beginInsertRows({}, index, index);
    ++m_rows;
    endInsertRows();
}

void IterationModel::changeAll()
{
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

} // namespace ako
