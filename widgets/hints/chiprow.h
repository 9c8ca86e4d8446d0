// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace ako {

// Short texts, each on its own rounded ground: what the program recognised and keeps.
class ChipRow : public QWidget
{
    Q_OBJECT

public:
    explicit ChipRow(QWidget *parent = nullptr);
    void setTexts(const QStringList &texts);
    QStringList texts() const { return m_texts; }

private:
    QStringList m_texts;
};

} // namespace ako
