// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/lineframes.h"

namespace ako::acp {

QList<QByteArray> LineFrames::append(const QByteArray &bytes)
{
    QList<QByteArray> lines;
    qsizetype from = 0;
    while (!m_tooLong && from < bytes.size()) {
        const qsizetype end = bytes.indexOf('\n', from); // what was begun is not searched again
        const qsizetype count = (end < 0 ? bytes.size() : end) - from;
        m_tooLong = m_begun.size() + count > m_longest;
        if (m_tooLong)
            break;
        m_begun.append(bytes.constData() + from, count);
        if (end < 0)
            break;
        if (m_begun.endsWith('\r'))
            m_begun.chop(1);
        lines.append(m_begun);
        m_begun = QByteArray();
        from = end + 1;
    }
    if (m_tooLong)
        m_begun = QByteArray();
    return lines;
}

} // namespace ako::acp
