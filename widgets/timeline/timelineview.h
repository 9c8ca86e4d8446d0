// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QStackedLayout;
class QToolButton;
class QVBoxLayout;

namespace ako {

class IterationDelegate;
class IterationFilter;
class IterationModel;
class IterationSelection;

// The iterations, newest first, with a filter. Shares its selection with the chart; a second one chosen with Ctrl is
// for comparing.
class TimelineView : public QWidget
{
    Q_OBJECT

public:
    TimelineView(IterationModel &model, IterationSelection &selection, QWidget *parent = nullptr);

    void setHeader(QWidget *header); // above the list
    bool isCompact() const;
    void setCompact(bool compact); // a line for each

    void setIterationActions(const QList<QAction *> &actions); // the context menu; a null is a separator
    QListView *list() const { return m_list; }
    QLineEdit *filter() const { return m_text; }
    QComboBox *outcomes() const { return m_outcome; }

Q_SIGNALS:
    void compactChanged(bool compact);
    void twoChosen(int older, int newer); // rows of the history: both were selected by hand

private:
    void buildFilter();
    void buildList();
    void followSelection();
    void offerTwo();
    void updateEmptyState();
    void changeFilter(const std::function<void()> &change);
    void showMenu(const QPoint &position);

    IterationModel &m_model;
    IterationSelection &m_selection;
    IterationFilter *m_filter;
    QLineEdit *m_text;
    QComboBox *m_outcome;
    QListView *m_list;
    IterationDelegate *m_delegate;
    QToolButton *m_compact;
    QVBoxLayout *m_layout = nullptr;
    QLabel *m_empty;
    QStackedLayout *m_stack = nullptr;
    QList<QAction *> m_actions;
    bool m_following = false; // the list changes by itself
    bool m_choosing = false;  // by a person
};

} // namespace ako
