// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"
#include "style/palette.h"

#include <QIcon>
#include <QPainterPath>
#include <QPen>
#include <QString>

namespace ako {

// How an iteration's outcome looks and is called, the same in chart, timeline and details.

Tone toneOf(const IterationRecord &record);        // Quarantined stands before Failed, and both before Final
bool isProvisional(const IterationRecord &record); // ranked by a signal only; a failure is a fact
QString statusText(const IterationRecord &record);
QString nameOf(const IterationRecord &record);     // "baseline", "7", "final"
QString longNameOf(const IterationRecord &record); // "Baseline", "Iteration 7", "Final (iteration 4)"

// The glyph's outline within a box of side 1 around the origin, and whether it is filled.
QPainterPath glyphPath(Tone tone);
bool glyphIsFilled(Tone tone);
QPen provisionalPen(QPen pen); // dotted, fine enough for a glyph
void paintGlyph(QPainter *painter, const QRectF &box, Tone tone, const QColor &colour, bool provisional = false);
QIcon glyphIcon(Tone tone, const QPalette &palette);

} // namespace ako
