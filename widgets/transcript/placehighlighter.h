// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>

namespace ako {

// In an output, lines that speak of a place in a source look like what they are: something to be followed.
class PlaceHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit PlaceHighlighter(QTextDocument *document);

protected:
    void highlightBlock(const QString &text) override;
};

} // namespace ako
