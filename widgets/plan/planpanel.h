// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ako {

class PlanRow;
class RunStore;

// The resolved plan, read from top to bottom: a row per field, warnings, hints, the files that approval will write,
// and Approve, which is enabled when nothing is open.
class PlanPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPanel(const RunStore &store, QWidget *parent = nullptr);

    QPushButton *approveButton() const { return m_approve; }
    QList<PlanRow *> rows() const { return m_rows; }
    PlanRow *row(const QString &key) const;
    void copyAsText() const;

Q_SIGNALS:
    void fieldEdited(const QString &key, const QString &value);
    void approveRequested();

private:
    void buildFrame();
    void rebuild();
    void addRows(QVBoxLayout *layout);
    void addMessages(QVBoxLayout *layout);
    void addHints(QVBoxLayout *layout);
    void addFiles(QVBoxLayout *layout);
    void updateApproval();
    QString whatApprovalWrites() const;
    bool awaitsApproval() const;
    bool isLocked() const; // the loop works by this plan
    void phaseChanged();

    const RunStore &m_store;
    QScrollArea *m_scroll;
    QList<PlanRow *> m_rows;
    QLabel *m_summary;
    QPushButton *m_approve;
    QToolButton *m_copy;
    bool m_filesShown = true;
    bool m_locked = false; // as the rows were built
};

} // namespace ako
