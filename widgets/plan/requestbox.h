// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPlainTextEdit;
class QTimer;

namespace ako {

// What the person asks for, in their own words, while the plan waits for approval. The plan is read anew a moment
// after the last key.
class RequestBox : public QWidget
{
    Q_OBJECT

public:
    explicit RequestBox(QWidget *parent = nullptr);

    void setRequest(const QString &text); // as the plan has it; what is being written stays
    QString request() const;              // as it stands in the box
    QPlainTextEdit *text() const { return m_text; }

Q_SIGNALS:
    void edited(const QString &text);

private:
    void submit();

    QPlainTextEdit *m_text;
    QTimer *m_typing;
    QString m_submitted;
};

} // namespace ako
