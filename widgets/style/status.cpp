// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/status.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPixmap>

#include <cmath>

namespace ako {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("ako::Status", text);
}

QPainterPath trianglePath(bool pointsDown)
{
    const qreal tip = pointsDown ? 0.45 : -0.45;
    QPainterPath path;
    path.moveTo(-0.48, -tip * 0.85);
    path.lineTo(0.48, -tip * 0.85);
    path.lineTo(0, tip);
    path.closeSubpath();
    return path;
}

QPainterPath crossPath()
{
    QPainterPath path;
    path.moveTo(-0.38, -0.38);
    path.lineTo(0.38, 0.38);
    path.moveTo(0.38, -0.38);
    path.lineTo(-0.38, 0.38);
    return path;
}

QPainterPath warningPath()
{
    QPainterPath path = trianglePath(false);
    path.moveTo(0, -0.14);
    path.lineTo(0, 0.12);
    path.moveTo(0, 0.24);
    path.lineTo(0, 0.26);
    return path;
}

QPainterPath diamondPath()
{
    QPainterPath path;
    path.addPolygon(QPolygonF({{0, -0.48}, {0.48, 0}, {0, 0.48}, {-0.48, 0}}));
    path.closeSubpath();
    return path;
}

QPainterPath starPath()
{
    constexpr int points = 5;
    constexpr qreal outer = 0.52, inner = 0.22;
    QPolygonF star;
    for (int corner = 0; corner < 2 * points; ++corner) {
        const qreal angle = M_PI * corner / points - M_PI / 2;
        const qreal radius = corner % 2 == 0 ? outer : inner;
        star << QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    QPainterPath path;
    path.addPolygon(star);
    path.closeSubpath();
    return path;
}

QPainterPath discPath()
{
    QPainterPath path;
    path.addEllipse(QPointF(0, 0), 0.42, 0.42);
    return path;
}

} // namespace

Tone toneOf(const IterationRecord &record)
{
    if (record.bench.state == ResultState::Quarantined)
        return Tone::Quarantined;
    if (record.kind == IterationRecord::Kind::Final && record.status != IterationStatus::Failed)
        return Tone::Final;
    switch (record.status) {
    case IterationStatus::Baseline:
        return Tone::Baseline;
    case IterationStatus::Improved:
        return Tone::Improved;
    case IterationStatus::NoChange:
        return Tone::NoChange;
    case IterationStatus::Regression:
        return Tone::Regression;
    case IterationStatus::Failed:
        return Tone::Failed;
    }
    return Tone::Failed;
}

bool isProvisional(const IterationRecord &record)
{
    const bool isOwnVerdict = record.bench.mode == BenchMode::Custom; // there is none but a person's own bench
    return record.bench.state == ResultState::Provisional && record.status != IterationStatus::Failed && !isOwnVerdict;
}

QString statusText(const IterationRecord &record)
{
    if (record.bench.state == ResultState::Quarantined)
        return translated("quarantined");
    switch (record.status) {
    case IterationStatus::Baseline:
        return translated("baseline");
    case IterationStatus::Improved:
        return translated("improved");
    case IterationStatus::NoChange:
        return translated("no change");
    case IterationStatus::Regression:
        return translated("regression");
    case IterationStatus::Failed:
        break;
    }
    return translated("failed");
}

QString nameOf(const IterationRecord &record)
{
    if (record.kind == IterationRecord::Kind::Baseline)
        return translated("baseline");
    return record.kind == IterationRecord::Kind::Final ? translated("final") : QString::number(record.number);
}

QString longNameOf(const IterationRecord &record)
{
    if (record.kind == IterationRecord::Kind::Baseline)
        return translated("Baseline");
    if (record.kind == IterationRecord::Kind::Final && record.number == 0)
        return translated("Final (the baseline)");
    const QString name =
        record.kind == IterationRecord::Kind::Final ? translated("Final (iteration %1)") : translated("Iteration %1");
    return name.arg(record.number);
}

QPainterPath glyphPath(Tone tone)
{
    switch (tone) {
    case Tone::Regression:
        return trianglePath(true);
    case Tone::Failed:
        return crossPath();
    case Tone::Quarantined:
        return warningPath();
    case Tone::Baseline:
        return diamondPath();
    case Tone::Final:
        return starPath();
    default:
        return discPath();
    }
}

bool glyphIsFilled(Tone tone)
{
    return tone == Tone::Improved || tone == Tone::Baseline || tone == Tone::Final;
}

QPen provisionalPen(QPen pen)
{
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({1.2, 0.9});
    return pen;
}

void paintGlyph(QPainter *painter, const QRectF &box, Tone tone, const QColor &colour, bool provisional)
{
    const qreal side = qMin(box.width(), box.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(box.center());
    painter->scale(side, side);
    QPen pen(colour, (tone == Tone::Failed ? 2.0 : 1.5) / side);
    pen.setCapStyle(Qt::RoundCap);
    if (provisional)
        pen = provisionalPen(pen);
    painter->setPen(pen);
    painter->setBrush(glyphIsFilled(tone) && !provisional ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter->drawPath(glyphPath(tone));
    painter->restore();
}

QIcon glyphIcon(Tone tone, const QPalette &palette)
{
    QPixmap pixmap(32, 32);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintGlyph(&painter, QRectF(2, 2, 12, 12), tone, toneColour(tone, palette));
    return QIcon(pixmap);
}

} // namespace ako
