// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/llm/ssereader.h"

#include <utility>

namespace ako::llm {

QList<ServerEvent> SseReader::append(const QByteArray &bytes)
{
    QList<ServerEvent> events;
    for (qsizetype at = 0; at < bytes.size() && !m_tooLong; ++at) {
        const char byte = bytes.at(at);
        if (std::exchange(m_afterReturn, false) && byte == '\n')
            continue;
        if (byte != '\n' && byte != '\r') {
            m_begun.append(byte);
            m_tooLong = m_begun.size() + m_data.size() > m_longest;
            continue;
        }
        m_afterReturn = byte == '\r';
        takeLine(std::exchange(m_begun, {}), events);
    }
    return events;
}

void SseReader::takeLine(const QByteArray &line, QList<ServerEvent> &events)
{
    if (line.isEmpty()) {
        const QByteArray type = std::exchange(m_type, {});
        const QByteArray data = std::exchange(m_data, {});
        if (std::exchange(m_hasData, false))
            events << ServerEvent{type.isEmpty() ? QByteArrayLiteral("message") : type, data};
        return;
    }
    const qsizetype colon = line.indexOf(':');
    const QByteArray field = colon < 0 ? line : line.left(colon);
    QByteArray value = colon < 0 ? QByteArray() : line.mid(colon + 1);
    if (value.startsWith(' '))
        value.remove(0, 1);
    if (field == "event") {
        m_type = value;
    } else if (field == "data") {
        if (std::exchange(m_hasData, true))
            m_data.append('\n');
        m_data.append(value);
    }
}

} // namespace ako::llm
