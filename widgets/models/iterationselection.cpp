// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/iterationselection.h"

#include "history/runstore.h"

namespace ako {

IterationSelection::IterationSelection(const RunStore &store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    connect(&store, &RunStore::recordsReset, this, &IterationSelection::keepOrDrop);
}

int IterationSelection::row() const
{
    if (!m_any)
        return -1;
    const QList<IterationRecord> &records = m_store.records();
    for (int row = 0; row < records.size(); ++row) {
        if (records.at(row).kind == m_kind && records.at(row).number == m_number)
            return row;
    }
    return -1;
}

const IterationRecord *IterationSelection::record() const
{
    const int index = row();
    return index < 0 ? nullptr : &m_store.records().at(index);
}

void IterationSelection::selectRow(int index)
{
    if (index == row())
        return;
    m_any = index >= 0 && index < m_store.records().size();
    if (m_any) {
        m_kind = m_store.records().at(index).kind;
        m_number = m_store.records().at(index).number;
    }
    Q_EMIT changed();
}

void IterationSelection::selectIteration(int number)
{
    const QList<IterationRecord> &records = m_store.records();
    for (int index = 0; index < records.size(); ++index) {
        if (records.at(index).number == number && records.at(index).kind != IterationRecord::Kind::Final)
            return selectRow(index);
    }
}

void IterationSelection::selectNext(int step)
{
    const int count = int(m_store.records().size());
    if (count == 0)
        return;
    const int from = row();
    selectRow(from < 0 ? count - 1 : qBound(0, from + step, count - 1));
}

void IterationSelection::keepOrDrop()
{
    m_any = m_any && row() >= 0;
    Q_EMIT changed();
}

} // namespace ako
