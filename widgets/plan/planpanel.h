// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QScrollArea>
#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace ako {

class PlanRow;
class RequestBox;
class RunStore;

// The resolved plan, read from top to bottom: a row per field, warnings, hints, the files that approval will write,
// and Approve, which is enabled when nothing is open.
class PlanPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPanel(const RunStore &store, QWidget *parent = nullptr);

    RequestBox *request() const { return m_request; }
    QPushButton *approveButton() const { return m_approve; }
    void settle(); // the rows follow the plan a moment later; this shows now what waits
    QList<PlanRow *> rows();
    PlanRow *row(const QString &key);
    PlanRow *openRow(); // what is to be seen to first: a problem, else a question; null if none
    void goToOpenRow(); // shows it and gives it the keyboard
    void copyAsText() const;
    void setReloadAction(QAction *action);

Q_SIGNALS:
    void fieldEdited(const QString &key, const QString &value);
    void approveRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void buildFrame();
    void planChanged();
    void rebuild();
    QHash<QString, QString> takeDrafts() const;
    void bringBack(const QHash<QString, QString> &drafts);
    void addRequest(QVBoxLayout *layout);
    void addRows(QVBoxLayout *layout);
    void addMessages(QVBoxLayout *layout);
    void addHints(QVBoxLayout *layout);
    void addFiles(QVBoxLayout *layout);
    void addExpander(QVBoxLayout *layout, const QString &title, const QString &text, bool PlanPanel::*shown);
    void updateApproval();
    QString whatApprovalWrites() const;
    bool awaitsApproval() const;
    bool isLocked() const; // the loop works by this plan
    void phaseChanged();

    const RunStore &m_store;
    RequestBox *m_request;
    QTimer *m_waiting; // making the rows takes some milliseconds: once for all changes, in a turn of its own
    QScrollArea *m_scroll;
    QList<PlanRow *> m_rows;
    QLabel *m_summary;
    QPushButton *m_approve;
    QToolButton *m_reload;
    QToolButton *m_copy;
    bool m_filesShown = true;
    bool m_draftShown = true;
    bool m_locked = false; // as the rows were built
};

} // namespace ako
