// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/boundedbytes.h"

#include <algorithm>

namespace ako {

BoundedBytes::BoundedBytes(qint64 limit)
    : m_headLimit(std::max<qint64>(limit, 0) / 4)
    , m_tailLimit(std::max<qint64>(limit, 0) - m_headLimit)
{
}

void BoundedBytes::append(const QByteArray &bytes)
{
    const qsizetype toHead = std::min(bytes.size(), m_headLimit - m_head.size());
    m_head.append(bytes.constData(), toHead);
    m_tail.append(bytes.constData() + toHead, bytes.size() - toHead);
    if (m_tail.size() > 2 * m_tailLimit + 4096) {
        const qsizetype cut = m_tail.size() - m_tailLimit;
        m_tail.remove(0, cut);
        m_cutBytes += cut;
    }
}

qint64 BoundedBytes::droppedBytes() const
{
    return m_cutBytes + std::max<qint64>(0, m_tail.size() - m_tailLimit);
}

QByteArray BoundedBytes::content() const
{
    const qint64 dropped = droppedBytes();
    if (dropped == 0)
        return m_head + m_tail;
    return m_head + "\n[... " + QByteArray::number(dropped) + " bytes left out ...]\n" + m_tail.right(m_tailLimit);
}

} // namespace ako
