// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <optional>

class QTextDocument;
class QUrl;

namespace ako {

// In the rendered ITERATIONS.md every row of the summary and every heading of an entry leads to its iteration.
void linkIterations(QTextDocument &document, const QColor &linkColour);
std::optional<int> iterationOf(const QUrl &link);                               // of such a link, or "#iteration-7"
std::optional<int> placeOfIteration(const QTextDocument &document, int number); // a cursor position; its entry

} // namespace ako
