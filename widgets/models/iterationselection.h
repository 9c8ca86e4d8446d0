// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QObject>

namespace ako {

class RunStore;

// The one iteration that is looked at, shared by chart, timeline, details and diff. Kept by kind and number, so that
// it survives a reload of the history.
class IterationSelection : public QObject
{
    Q_OBJECT

public:
    explicit IterationSelection(const RunStore &store, QObject *parent = nullptr);

    int row() const;                       // index in RunStore::records(); -1: none
    const IterationRecord *record() const; // null: none
    void selectRow(int row);               // outside: none
    void selectIteration(int number);      // not the final entry
    void selectNext(int step);             // along the history, stopping at its ends

Q_SIGNALS:
    void changed();

private:
    void keepOrDrop();

    const RunStore &m_store;
    bool m_any = false;
    IterationRecord::Kind m_kind = IterationRecord::Kind::Iteration;
    int m_number = -1;
};

} // namespace ako
