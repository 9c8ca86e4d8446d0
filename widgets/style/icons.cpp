// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/icons.h"

#include <QBuffer>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QImageReader>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>

// Outside of any namespace, as Q_INIT_RESOURCE asks for.
static void initialiseResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace ako {

namespace {

QByteArray svgSource(const QString &name)
{
    initialiseResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap renderSvg(QByteArray svg, const QSize &size, const QColor &colour)
{
    svg.replace("currentColor", colour.name().toLatin1());
    QBuffer buffer(&svg);
    QImageReader reader(&buffer, "svg");
    reader.setScaledSize(size);
    return QPixmap::fromImage(reader.read());
}

QColor colourFor(QIcon::Mode mode)
{
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled)
        return palette.color(QPalette::Disabled, QPalette::ButtonText);
    if (mode == QIcon::Selected)
        return palette.color(QPalette::Active, QPalette::HighlightedText);
    return palette.color(QPalette::Active, QPalette::ButtonText);
}

class PaletteIconEngine : public QIconEngine
{
public:
    PaletteIconEngine(QString name, QByteArray svg)
        : m_name(std::move(name))
        , m_svg(std::move(svg))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap drawn = pixmap(rect.size() * ratio, mode, state);
        drawn.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect, drawn);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        const QColor colour = colourFor(mode);
        const QString key =
            QStringLiteral("ako/%1/%2x%3/%4").arg(m_name).arg(size.width()).arg(size.height()).arg(colour.name());
        QPixmap found;
        if (!QPixmapCache::find(key, &found)) {
            found = renderSvg(m_svg, size, colour);
            QPixmapCache::insert(key, found);
        }
        return found;
    }

    QIconEngine *clone() const override { return new PaletteIconEngine(*this); }

private:
    QString m_name;
    QByteArray m_svg;
};

} // namespace

QIcon icon(const QString &name)
{
    QByteArray svg = svgSource(name);
    return svg.isEmpty() ? QIcon() : QIcon(new PaletteIconEngine(name, std::move(svg)));
}

QIcon applicationIcon()
{
    QIcon result;
    const QByteArray svg = svgSource(QStringLiteral("ako4all"));
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        result.addPixmap(renderSvg(svg, QSize(size, size), Qt::black));
    return result;
}

} // namespace ako
