// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace ako::acp {

// Cuts a stream into lines, by bytes: a character that two reads share is whole again before anybody decodes it.
class LineFrames
{
public:
    explicit LineFrames(qsizetype longestBytes = 32LL * 1024 * 1024)
        : m_longest(longestBytes)
    {
    }

    // The lines that are whole now, without their ends (\n or \r\n). After a line that is too long there are no more.
    QList<QByteArray> append(const QByteArray &bytes);
    bool isTooLong() const { return m_tooLong; }
    qsizetype longestBytes() const { return m_longest; }

private:
    qsizetype m_longest;
    QByteArray m_begun;
    bool m_tooLong = false;
};

} // namespace ako::acp
