// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reportchart.h"

#include "report/headroom.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ako {

namespace {

constexpr double width = 860, height = 320;
constexpr double left = 56, right = 16, top = 16, bottom = 56;

QString text(const char *source)
{
    return QCoreApplication::translate("Report", source);
}

QString number(double value)
{
    return QString::number(value, 'f', 1);
}

struct Point
{
    double x = 0;
    std::optional<Interval> value; // over the baseline
    const IterationRecord *record = nullptr;
};

std::optional<Interval> valueOf(const IterationRecord &record)
{
    if (record.status == IterationStatus::Failed || record.bench.state == ResultState::Quarantined)
        return std::nullopt;
    if (record.kind == IterationRecord::Kind::Baseline)
        return Interval{1, 1, 1};
    return record.speedupOverBaseline;
}

QList<Point> pointsOf(const QList<IterationRecord> &records)
{
    QList<Point> points;
    for (const IterationRecord &record : records)
        points << Point{double(points.size()), valueOf(record), &record};
    return points;
}

class Drawing
{
public:
    Drawing(const QList<Point> &points, std::optional<double> floor)
        : m_last(std::max(1.0, double(points.size() - 1)))
    {
        for (const Point &point : points) {
            if (point.value)
                m_high = std::max(m_high, point.value->estimate);
            if (point.value)
                m_low = std::min(m_low, point.value->estimate);
        }
        if (floor && *floor < m_high * 1.5)
            m_high = std::max(m_high, *floor);
        const double room = std::max(m_high - m_low, 0.2) * 0.12;
        m_low -= room;
        m_high += room;
    }

    double x(double value) const { return left + 12 + (width - left - right - 24) * value / m_last; }
    double y(double value) const
    {
        const double share = (std::clamp(value, m_low, m_high) - m_low) / (m_high - m_low);
        return height - bottom - share * (height - bottom - top);
    }
    double edge() const { return height - bottom + 14; } // where those without a number stand
    bool shows(double value) const { return value > m_low && value < m_high; }

    void line(const char *kind, double x1, double y1, double x2, double y2)
    {
        m_body += QStringLiteral("<line class=\"%1\" x1=\"%2\" y1=\"%3\" x2=\"%4\" y2=\"%5\"/>\n")
                      .arg(QLatin1String(kind), number(x1), number(y1), number(x2), number(y2));
    }
    void words(const char *kind, double x, double y, const QString &said, const char *anchor = "start")
    {
        m_body += QStringLiteral("<text class=\"%1\" x=\"%2\" y=\"%3\" text-anchor=\"%4\">%5</text>\n")
                      .arg(QLatin1String(kind), number(x), number(y), QLatin1String(anchor), said.toHtmlEscaped());
    }
    void path(const char *kind, const QString &d, const QString &title = {})
    {
        m_body += QStringLiteral("<path class=\"%1\" d=\"%2\"><title>%3</title></path>\n")
                      .arg(QLatin1String(kind), d, title.toHtmlEscaped());
    }
    double low() const { return m_low; }
    double high() const { return m_high; }
    QString svg() const
    {
        return QStringLiteral("<svg viewBox=\"0 0 %1 %2\" role=\"img\" aria-label=\"%3\">\n%4</svg>\n")
            .arg(int(width))
            .arg(int(height))
            .arg(text("Speedup over the baseline by iteration"), m_body);
    }

private:
    double m_last;
    double m_low = 1, m_high = 1;
    QString m_body;
};

const char *classOf(const IterationRecord &record)
{
    if (record.bench.state == ResultState::Quarantined)
        return "quarantined";
    switch (record.status) {
    case IterationStatus::Baseline:
    case IterationStatus::Improved:
        return "improved";
    case IterationStatus::Regression:
        return "regression";
    case IterationStatus::Failed:
        return "failed";
    default:
        return "nochange";
    }
}

// Shape before colour: disc, ring, triangle, cross, warning.
QString glyph(const IterationRecord &record, double x, double y)
{
    const auto at = [x, y](double dx, double dy) { return number(x + dx) + QLatin1Char(' ') + number(y + dy); };
    if (record.bench.state == ResultState::Quarantined)
        return QStringLiteral("M%1L%2L%3ZM%4L%5").arg(at(0, -6), at(6, 5), at(-6, 5), at(0, -2), at(0, 2));
    if (record.status == IterationStatus::Failed)
        return QStringLiteral("M%1L%2M%3L%4").arg(at(-4, -4), at(4, 4), at(-4, 4), at(4, -4));
    if (record.status == IterationStatus::Regression)
        return QStringLiteral("M%1L%2L%3Z").arg(at(-5, -4), at(5, -4), at(0, 5));
    return QStringLiteral("M%1a5 5 0 1 0 10 0a5 5 0 1 0 -10 0").arg(at(-5, 0));
}

void drawAxes(Drawing &drawing, qsizetype count)
{
    const double span = drawing.high() - drawing.low();
    const double magnitude = std::pow(10.0, std::floor(std::log10(span / 4)));
    const double rough = span / 4 / magnitude;
    const double step = magnitude * (rough < 1.5 ? 1 : rough < 3.5 ? 2 : rough < 7.5 ? 5 : 10);
    const int decimals = std::max(0, int(std::ceil(-std::log10(step) - 1e-9)));
    for (double tick = std::ceil(drawing.low() / step) * step; tick < drawing.high(); tick += step) {
        drawing.line("grid", left, drawing.y(tick), width - right, drawing.y(tick));
        drawing.words("tick", left - 8, drawing.y(tick) + 4, QString::number(tick, 'f', decimals) + QLatin1Char('x'),
                      "end");
    }
    drawing.words("tick", drawing.x(0), height - 8, QStringLiteral("0"), "middle");
    if (count > 1)
        drawing.words("tick", drawing.x(double(count - 1)), height - 8, QString::number(count - 1), "middle");
    drawing.words("tick", (left + width - right) / 2, height - 8, text("entries of the history, in order"), "middle");
}

void drawChampion(Drawing &drawing, const QList<Point> &points)
{
    QString d;
    for (const Point &point : points) {
        if (!point.value || !point.record->becameChampion)
            continue;
        const QString x = number(drawing.x(point.x));
        const QString y = number(drawing.y(point.value->estimate));
        d += d.isEmpty() ? QStringLiteral("M%1 %2").arg(x, y) : QStringLiteral("H%1V%2").arg(x, y);
    }
    if (!d.isEmpty())
        drawing.path("champion", d + QStringLiteral("H%1").arg(number(width - right)), text("champion"));
}

void drawPoints(Drawing &drawing, const QList<Point> &points)
{
    for (const Point &point : points) {
        const double x = drawing.x(point.x);
        const double y = point.value ? drawing.y(point.value->estimate) : drawing.edge();
        const char *kind = classOf(*point.record);
        if (point.value && point.value->high > point.value->low)
            drawing.line(kind, x, drawing.y(point.value->low), x, drawing.y(point.value->high));
        drawing.path(kind, glyph(*point.record, x, y),
                     point.record->label + QStringLiteral(": ") + point.record->title);
    }
}

} // namespace

QString chartStyle()
{
    return QStringLiteral(R"(
:root { --ink: #1b1d21; --soft: #5b616b; --line: #d6d9de; --paper: #ffffff; --improved: #0072b2; --regression: #b35900;
  --failed: #8a1c1c; --quarantined: #8f5b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a2a9b4; --line: #3a3f47; --paper: #1c1f24;
  --improved: #56b4e9; --regression: #e69f00; --failed: #f08a80; --quarantined: #f0c050; } }
.tick { font: 12px system-ui, sans-serif; fill: var(--soft); } .grid { stroke: var(--line); stroke-dasharray: 1 3; }
.baseline { stroke: var(--soft); stroke-dasharray: 6 4; } .floor { stroke: var(--quarantined); stroke-dasharray: 2 3; }
path, line { stroke-width: 1.5; fill: none; } .champion { stroke: var(--ink); stroke-width: 2.5; }
path.improved { fill: var(--improved); } path.nochange { fill: var(--paper); } .improved { stroke: var(--improved); }
.nochange { stroke: var(--soft); } .regression { stroke: var(--regression); } .failed { stroke: var(--failed); }
.quarantined { stroke: var(--quarantined); }
)");
}

QByteArray chartSvgFile(const QList<IterationRecord> &records)
{
    QString svg = chartSvg(records);
    const QString open = QStringLiteral("<svg ");
    if (!svg.startsWith(open))
        return {};
    svg.insert(open.size(), QStringLiteral("xmlns=\"http://www.w3.org/2000/svg\" "));
    svg.insert(svg.indexOf(QLatin1Char('\n')) + 1,
               QStringLiteral("<style>%1</style>\n<rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>\n")
                   .arg(chartStyle()));
    return svg.toUtf8();
}

QString chartSvg(const QList<IterationRecord> &records)
{
    const auto baseline = std::ranges::find(records, IterationRecord::Kind::Baseline, &IterationRecord::kind);
    if (baseline == records.cend())
        return {};
    const QList<Point> points = pointsOf(records);
    const std::optional<double> floor = floorOverBaseline(*baseline);
    Drawing drawing(points, floor);
    drawAxes(drawing, points.size());
    drawing.line("baseline", left, drawing.y(1), width - right, drawing.y(1));
    if (floor && drawing.shows(*floor)) {
        drawing.line("floor", left, drawing.y(*floor), width - right, drawing.y(*floor));
        drawing.words("tick", width - right, drawing.y(*floor) - 4, text("physical floor"), "end");
    }
    drawChampion(drawing, points);
    drawPoints(drawing, points);
    return drawing.svg();
}

} // namespace ako
