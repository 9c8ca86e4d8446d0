// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace ako::llm {

struct ServerEvent
{
    QByteArray type; // "message" where none was given
    QByteArray data; // its lines joined
};

// Cuts a stream of server-sent events (text/event-stream) by bytes, so that a character which two packets share is
// whole again. Lines may end with \n, \r\n or \r; comments and unknown fields are left out. An event that has not ended
// with an empty line is none.
class SseReader
{
public:
    explicit SseReader(qsizetype longestBytes = 16LL * 1024 * 1024)
        : m_longest(longestBytes)
    {
    }

    QList<ServerEvent> append(const QByteArray &bytes);
    bool isTooLong() const { return m_tooLong; } // an event over the limit; there are no more

private:
    void takeLine(const QByteArray &line, QList<ServerEvent> &events);

    qsizetype m_longest;
    QByteArray m_begun; // a line
    QByteArray m_type;
    QByteArray m_data;
    bool m_hasData = false;
    bool m_afterReturn = false; // a \n that follows belongs to it
    bool m_tooLong = false;
};

} // namespace ako::llm
