// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringDecoder>

namespace ako {

// Takes the evaluator's progress lines ("AKO_PROGRESS <stage> <fraction>") out of a stream that comes in pieces. Text
// is handed on at once, also in the middle of a line; only what may still become a progress line is held back.
class OutputFilter
{
public:
    struct Progress
    {
        QString stage;
        double fraction = -1.0; // 0..1, negative: not known
        bool operator==(const Progress &) const = default;
    };

    // The text to show of this piece; progress lines found in it are added to takeProgress().
    QString feed(const QByteArray &bytes);
    QString finish(); // what was held back
    QList<Progress> takeProgress();

private:
    void takeLine(QByteArray &shown);
    bool mayBecomeProgress() const;

    QByteArray m_pending; // from the start of a line
    bool m_atLineStart = true;
    QList<Progress> m_progress;
    QStringDecoder m_decoder{QStringDecoder::Utf8};
};

} // namespace ako
