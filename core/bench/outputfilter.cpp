// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/outputfilter.h"

#include <cmath>
#include <utility>

namespace ako {

namespace {

constexpr QByteArrayView marker = "AKO_PROGRESS ";
constexpr qsizetype longestProgressLine = 512;

std::optional<OutputFilter::Progress> progressIn(const QByteArray &line)
{
    if (!line.startsWith(marker))
        return std::nullopt;
    const QList<QByteArray> words = line.mid(marker.size()).simplified().split(' ');
    OutputFilter::Progress progress;
    progress.stage = QString::fromUtf8(words.first());
    bool ok = false;
    const double fraction = words.size() > 1 ? words.at(1).toDouble(&ok) : -1.0;
    if (ok && std::isfinite(fraction) && fraction >= 0.0)
        progress.fraction = std::min(fraction, 1.0);
    return progress;
}

} // namespace

QString OutputFilter::feed(const QByteArray &bytes)
{
    QByteArray shown;
    qsizetype begin = 0;
    while (begin < bytes.size()) {
        const qsizetype newline = bytes.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? bytes.size() : newline + 1;
        const QByteArrayView piece = QByteArrayView(bytes).sliced(begin, end - begin);
        begin = end;
        if (!m_atLineStart)
            shown += piece;
        else
            m_pending += piece;
        if (newline >= 0) {
            takeLine(shown);
            m_atLineStart = true;
        } else if (m_atLineStart && !mayBecomeProgress()) {
            shown += std::exchange(m_pending, {});
            m_atLineStart = false;
        }
    }
    return m_decoder(shown);
}

void OutputFilter::takeLine(QByteArray &shown)
{
    if (const auto progress = progressIn(m_pending))
        m_progress << *progress;
    else
        shown += m_pending;
    m_pending.clear();
}

bool OutputFilter::mayBecomeProgress() const
{
    if (m_pending.size() > longestProgressLine)
        return false;
    return m_pending.size() < marker.size() ? marker.startsWith(m_pending) : m_pending.startsWith(marker);
}

QString OutputFilter::finish()
{
    QByteArray shown;
    takeLine(shown);
    m_atLineStart = true;
    return m_decoder(shown);
}

QList<OutputFilter::Progress> OutputFilter::takeProgress()
{
    return std::exchange(m_progress, {});
}

} // namespace ako
