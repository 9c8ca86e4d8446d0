// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace ako {

// Asks, in place, what the person's own edit is called before it is benched as the next iteration.
class BenchEditBar : public QWidget
{
    Q_OBJECT

public:
    explicit BenchEditBar(QWidget *parent = nullptr);
    void open();
    QLineEdit *title() const { return m_title; }
    QLineEdit *hypothesis() const { return m_hypothesis; }
    QPushButton *benchButton() const { return m_bench; }

Q_SIGNALS:
    void benchRequested(const QString &title, const QString &hypothesis);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void submit();

    QLineEdit *m_title;
    QLineEdit *m_hypothesis;
    QPushButton *m_bench;
};

} // namespace ako
