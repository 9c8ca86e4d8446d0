// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;

namespace ako {

struct PlanField;
class RunStore;

// Who proposes the next change. The choice is remembered and offered to the next new workspace; one that has an agent
// already keeps it.
class AgentChooser : public QWidget
{
    Q_OBJECT

public:
    explicit AgentChooser(const RunStore &store, QWidget *parent = nullptr);
    QComboBox *box() const { return m_box; }

Q_SIGNALS:
    void agentChosen(const QString &agent); // by a person, or as remembered

private:
    void refresh();
    void show(const PlanField &field);
    void offerRemembered();

    const RunStore &m_store;
    QComboBox *m_box;
    QString m_offeredTo; // the workspace
};

} // namespace ako
