// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diff/diffrows.h"
#include "diff/rowcolours.h"

#include <QPlainTextEdit>

class QTimer;

namespace ako {

// Read-only text of diff rows with their line numbers; colours follow the palette. A long one comes bit by bit, so that
// the window goes on meanwhile.
class DiffPane : public QPlainTextEdit
{
    Q_OBJECT

public:
    enum class Numbers { Old, New, Both };

    explicit DiffPane(Numbers numbers, QWidget *parent = nullptr);

    void setRows(const QList<DiffRow> &rows);
    const QList<DiffRow> &rows() const { return m_rows; }
    void showRow(int row);
    bool isComplete() const { return m_filled == m_rows.size(); }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Margin;
    void fill();
    void colourChunk();
    void fillUpTo(qsizetype row, int milliseconds);
    int marginWidth() const;
    void placeMargin();
    void paintMargin(QPaintEvent *event);
    QString numberText(const DiffRow &row) const;

    Numbers m_numbers;
    QList<DiffRow> m_rows;
    QList<QList<ColouredRange>> m_colours; // of the language, for the rows of the chunk that is being filled in
    QString m_file;                        // that the rows filled in last are of
    qsizetype m_filled = 0;                // rows that stand in the document
    QTimer *m_filler;
    int m_digits = 3;
    Margin *m_margin;
};

} // namespace ako
