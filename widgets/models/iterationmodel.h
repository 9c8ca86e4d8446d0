// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QAbstractTableModel>

namespace ako {

class RunStore;

// The iterations of a run, a row each in the order of the history: baseline, 1, 2 ..., final. Reads RunStore only.
class IterationModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Status, Iteration, Title, Runtime, Speedup, Duration, ColumnCount };
    enum Role {
        NumberRole = Qt::UserRole + 1, // int: the iteration's number
        ToneRole,                      // int: ako::Tone
        ProvisionalRole,               // bool: ranked by a signal only
        TrustRole,                     // "provisional", "confirmed", "quarantined ...", "invalid" or empty
        ChampionRole,                  // bool: the present champion
        ReasonRole,                    // why it has its status
        HintsRole,                     // what changed in HINTS.md and was first seen by it; empty if nothing
        FilterRole,                    // all text of the row, for searching
    };

    explicit IterationModel(const RunStore &store, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    const IterationRecord *recordAt(int row) const; // null outside

private:
    QString display(const IterationRecord &record, int column) const;
    QString accessibleText(const IterationRecord &record, int column) const;
    QVariant decoration(const IterationRecord &record, int column) const;
    QVariant custom(const IterationRecord &record, int role) const;
    QString hintsFirstSeenBy(const IterationRecord &record) const;
    void reset();
    void insert(int index);
    void changeAll();

    const RunStore &m_store;
    int m_rows = 0; // as announced; the store has its new record before it says so
};

} // namespace ako
