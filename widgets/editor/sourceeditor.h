// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QFileSystemWatcher;
class QLabel;
class QTimer;

namespace ako {

class CodeView;
class FindBar;
class MessageBar;

// One file of the workspace, edited. Follows the file on disk: silently while it has no edits, with a question in a bar
// when it has some. Locked while an agent works on it.
class SourceEditor : public QWidget
{
    Q_OBJECT

public:
    explicit SourceEditor(QWidget *parent = nullptr);
    ~SourceEditor() override;

    bool load(const QString &path);                          // false: cannot be read; the bar says why
    void startNew(const QString &path, const QString &text); // a file that is not there yet; saving makes it
    bool save();                                             // by a temporary file and a rename
    QString path() const { return m_path; }
    bool isDirty() const;
    void discardEdits(); // back to what is on disk
    void keepDraft();    // what is not saved, for the next session; also done by itself a moment after an edit
    void setLocked(bool locked, const QString &reason = {});

    CodeView *view() const { return m_view; }
    FindBar *findBar() const { return m_find; }
    MessageBar *bar() const { return m_bar; }
    void askForLine(); // go to line, in place

Q_SIGNALS:
    void dirtyChanged(bool dirty);
    void saved();

private:
    void setPath(const QString &path);
    void diskChanged();
    void offerChoices();
    void offerDraft();
    void takeUp(const QString &text);
    void showContent(const QByteArray &content);
    void updateReadOnly();

    QString m_path;
    QByteArray m_onDisk; // as last read or written here
    bool m_locked = false;
    bool m_unshowable = false; // what is on disk cannot be shown, so it must not be written over
    bool m_isNew = false;      // not on disk yet
    bool m_hasDraft = false;   // of an earlier session, to be offered
    MessageBar *m_bar;
    QLabel *m_note;
    CodeView *m_view;
    FindBar *m_find;
    QWidget *m_lineBar = nullptr;
    QFileSystemWatcher *m_watcher;
    QTimer *m_keep;   // a draft, a moment after the last key
    QTimer *m_settle; // several notifications of one save are one change
};

} // namespace ako
