// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diff/diffrows.h"

#include <QPlainTextEdit>

namespace ako {

// Read-only text of diff rows with their line numbers; colours follow the palette.
class DiffPane : public QPlainTextEdit
{
    Q_OBJECT

public:
    enum class Numbers { Old, New, Both };

    explicit DiffPane(Numbers numbers, QWidget *parent = nullptr);

    void setRows(const QList<DiffRow> &rows);
    const QList<DiffRow> &rows() const { return m_rows; }
    void showRow(int row);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Margin;
    void fill();
    int marginWidth() const;
    void placeMargin();
    void paintMargin(QPaintEvent *event);
    QString numberText(const DiffRow &row) const;

    Numbers m_numbers;
    QList<DiffRow> m_rows;
    int m_digits = 3;
    Margin *m_margin;
};

} // namespace ako
