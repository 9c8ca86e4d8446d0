// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

class QSyntaxHighlighter;
class QTimer;

namespace ako {

struct SourcePlace;

// Read-only text that grows. What arrives within a moment is shown at once, the oldest lines go when there are too
// many, an over-long line is cut: a bench that prints a gigabyte does not stop the window. Stays at the end while it
// is at the end. A line that names a place in a source leads there, by a click or by Enter.
class TextLog : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit TextLog(const QString &emptyText, QWidget *parent = nullptr);

    void append(const QString &text); // as it came; need not end with a line end
    void replaceAll(const QString &text);
    void empty();
    void flush(); // shows what is gathered now; of a large text its first part, the rest in later turns
    void setLeadsToSource(bool leads);

Q_SIGNALS:
    void placeChosen(const ako::SourcePlace &place);

protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    bool follow(const QString &line);

    QSyntaxHighlighter *m_places = nullptr; // only where it leads to sources
    QString m_pending;
    QTimer *m_gather;
    qsizetype m_lineLength = 0;
};

} // namespace ako
