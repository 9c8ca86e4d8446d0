// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/palette.h"

#include <QApplication>

namespace ako {

namespace {

struct Pair
{
    const char *light;
    const char *dark;
};

Pair pairOf(Tone tone)
{
    switch (tone) {
    case Tone::Baseline:
        return {"#5b6570", "#a9b3bd"};
    case Tone::Improved:
        return {"#00795a", "#2fc79a"};
    case Tone::NoChange:
        return {"#4d6b8a", "#8fb2d6"};
    case Tone::Regression:
        return {"#b35900", "#f0a04b"};
    case Tone::Failed:
        return {"#b3266b", "#f07ab0"};
    case Tone::Quarantined:
        return {"#8a6d00", "#e8c547"};
    case Tone::Final:
    case Tone::Champion:
        return {"#0067a8", "#56b4e9"};
    case Tone::Reference:
        return {"#7a5aa6", "#b79ae0"};
    case Tone::Floor:
        return {"#8a8f95", "#7d858d"};
    case Tone::Warning:
        return {"#8a6d00", "#e8c547"};
    case Tone::Error:
        return {"#b3261e", "#ff8a80"};
    case Tone::AddedBackground:
        return {"#e2f4ec", "#15382c"};
    case Tone::AddedText:
        return {"#00543f", "#9fe8cc"};
    case Tone::RemovedBackground:
        return {"#fbe6ee", "#44202f"};
    case Tone::RemovedText:
        return {"#7d1a4b", "#ffc0da"};
    case Tone::ChangedAdded:
        return {"#b4e3cf", "#22674f"};
    case Tone::ChangedRemoved:
        return {"#f3bfd4", "#7d3455"};
    case Tone::OpenBackground:
        return {"#fdf3d3", "#3d3413"};
    case Tone::Keyword:
        return {"#0057ae", "#6fb3ff"};
    case Tone::Type:
        return {"#00697a", "#5fd0dd"};
    case Tone::String:
        return {"#9a3b00", "#f0a878"};
    case Tone::Number:
        return {"#7a3fa0", "#c9a0f0"};
    case Tone::Comment:
        return {"#5f6b66", "#98a59f"};
    case Tone::Preprocessor:
        return {"#8a3b62", "#e39ac0"};
    }
    return {"#000000", "#ffffff"};
}

QColor blended(const QColor &over, const QColor &under, double share)
{
    return QColor::fromRgbF(float(over.redF() * share + under.redF() * (1 - share)),
                            float(over.greenF() * share + under.greenF() * (1 - share)),
                            float(over.blueF() * share + under.blueF() * (1 - share)));
}

struct Base
{
    const char *window, *base, *alternate, *text, *button, *highlight, *disabled, *link;
};

QPalette paletteFrom(const Base &base)
{
    const auto colour = [](const char *name) { return QColor(QLatin1String(name)); };
    QPalette palette(colour(base.button), colour(base.window));
    palette.setColor(QPalette::Base, colour(base.base));
    palette.setColor(QPalette::AlternateBase, colour(base.alternate));
    palette.setColor(QPalette::ToolTipBase, colour(base.alternate));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, colour(base.text));
        palette.setColor(QPalette::Disabled, role, colour(base.disabled));
    }
    palette.setColor(QPalette::PlaceholderText, colour(base.disabled));
    palette.setColor(QPalette::Highlight, colour(base.highlight));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, colour(base.link));
    return palette;
}

const QPalette &systemPalette()
{
    static const QPalette palette = QGuiApplication::palette();
    return palette;
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Base).lightnessF() < palette.color(QPalette::Text).lightnessF();
}

QColor toneColour(Tone tone, const QPalette &palette)
{
    const Pair pair = pairOf(tone);
    return QColor(QLatin1String(isDark(palette) ? pair.dark : pair.light));
}

QColor mutedText(const QPalette &palette)
{
    return blended(palette.color(QPalette::Active, QPalette::Text), palette.color(QPalette::Active, QPalette::Base),
                   0.68);
}

QColor separator(const QPalette &palette)
{
    return blended(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.16);
}

QPalette paletteFor(Appearance appearance)
{
    const QPalette &system = systemPalette();
    if (appearance == Appearance::Light)
        return paletteFrom({"#f3f4f5", "#ffffff", "#f7f8f9", "#1b1f23", "#eceeef", "#1a6fb5", "#767d84", "#0b61a4"});
    if (appearance == Appearance::Dark)
        return paletteFrom({"#24282c", "#1b1e21", "#22262a", "#e4e7ea", "#2f3439", "#2a6ea8", "#858d95", "#7cc0f5"});
    return system;
}

void applyAppearance(Appearance appearance)
{
    QApplication::setPalette(paletteFor(appearance));
}

} // namespace ako
