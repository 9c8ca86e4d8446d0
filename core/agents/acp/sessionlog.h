// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace ako::acp {

// What an agent tells of itself during a turn (session/update), as text for a person. Bounded, whatever comes; a kind
// of update that is not known is counted and left out. Nothing here decides anything: the loop judges solution/.
class SessionLog
{
public:
    SessionLog();
    void update(const nlohmann::json &update);
    void line(const QString &text); // one of ours

    // Whole lines of the transcript that are new since the last call; with `all` also one that has not ended.
    QString takeNew(bool all = false);

    // The agent's own message of this turn, its newest part where it is long.
    QString message() const { return m_message; }
    // A tool call as all that was told of it describes it, with what this says put over it. Made or changed by its id,
    // whichever comes first: its beginning, an update, or a request for a permission.
    nlohmann::json toolCall(const nlohmann::json &update);
    qint64 usedTokens() const { return m_usedTokens; }   // of the session's context, as the agent last said; 0: never
    qint64 spentTokens() const { return m_spentTokens; } // of this turn, where it tells with each of its answers
    QString cost() const { return m_cost; }              // "0.42 USD"; empty: never told
    int unknownUpdates() const { return m_unknown; }

private:
    void text(const nlohmann::json &update, char kind);
    void tool(const nlohmann::json &update);
    void plan(const nlohmann::json &update);
    void usage(const nlohmann::json &update);
    void write(const QString &text);
    bool takes(qsizetype count, qsizetype &left);

    QString m_new;
    qsizetype m_textLeft;  // characters of the agent's words that are still taken in this turn
    qsizetype m_linesLeft; // of lines
    QString m_message;
    QString m_lastMessageId;
    char m_lastKind = '\0'; // of the text that the last line belongs to: m(essage), t(hought); or 0
    QHash<QString, nlohmann::json> m_tools;
    QHash<QString, QString> m_toldOfTool; // the last line that was written of it
    qint64 m_usedTokens = 0;
    qint64 m_spentTokens = 0;
    QString m_cost;
    int m_unknown = 0;
};

// A number of tokens as an agent tells it; 0 where it is none.
qint64 boundedTokens(const nlohmann::json &number);

} // namespace ako::acp
