// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

class QTimer;

namespace ako {

// Read-only text that grows. What arrives within a moment is shown at once, the oldest lines go when there are too
// many, an over-long line is cut: a bench that prints a gigabyte does not stop the window. Stays at the end while it
// is at the end.
class TextLog : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit TextLog(const QString &emptyText, QWidget *parent = nullptr);

    void append(const QString &text); // as it came; need not end with a line end
    void replaceAll(const QString &text);
    void empty();
    void flush(); // shows what is gathered now

private:
    QString m_pending;
    QTimer *m_gather;
    qsizetype m_lineLength = 0;
};

} // namespace ako
