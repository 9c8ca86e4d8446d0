// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace ako {

// Keeps at most `limit` bytes of a stream: its first quarter and its last three quarters, because a bench says what
// it does first and what came out last. The rest is counted.
class BoundedBytes
{
public:
    explicit BoundedBytes(qint64 limit);

    void append(const QByteArray &bytes);

    qint64 droppedBytes() const;
    // What was kept; where something was dropped, a line in between says how much.
    QByteArray content() const;

private:
    qsizetype m_headLimit;
    qsizetype m_tailLimit;
    QByteArray m_head;
    QByteArray m_tail; // cut only when twice too long, so that a byte is moved once on average
    qint64 m_cutBytes = 0;
};

} // namespace ako
