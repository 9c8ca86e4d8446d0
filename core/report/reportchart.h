// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace ako {

// The speedups over the baseline as a picture that a web page holds: a glyph by outcome with its interval, the champion
// as a step line, the floor where it is known. What has no number stands on the lower edge, never at zero. Colours are
// those of the page's classes. Empty without a baseline.
QString chartSvg(const QList<IterationRecord> &records);
QString chartStyle(); // of those classes; follows the reader's light or dark

// The same as a file of its own. Empty without a baseline.
QByteArray chartSvgFile(const QList<IterationRecord> &records);

} // namespace ako
