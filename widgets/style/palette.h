// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace ako {

// What a colour means. Every colour beyond the palette's own is asked for here, so that both palettes stay legible
// and told apart by colour-blind eyes (after Okabe and Ito); shape always comes first.
enum class Tone {
    Baseline,
    Improved,
    NoChange,
    Regression,
    Failed,
    Quarantined,
    Final,
    Champion,
    Reference,
    Floor,
    Warning,
    Error,
    AddedBackground,
    AddedText,
    RemovedBackground,
    RemovedText,
    ChangedAdded, // the words that differ within an added line
    ChangedRemoved,
    OpenBackground, // a plan row that needs an answer
    Keyword,
    Type,
    String,
    Number,
    Comment,
    Preprocessor,
};

bool isDark(const QPalette &palette);
QColor toneColour(Tone tone, const QPalette &palette);
QColor mutedText(const QPalette &palette); // secondary text, at least 4.5:1 on the base colour
QColor separator(const QPalette &palette);

enum class Appearance { System, Light, Dark };
QPalette paletteFor(Appearance appearance); // System: the one the application started with
void applyAppearance(Appearance appearance);

} // namespace ako
