// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <expected>
#include <utility>

namespace ako {

// What went wrong, naming the object it happened to, and what a person can do about it (may be empty).
struct Error
{
    QString message;
    QString remedy;

    // Message and remedy as one text for a log or a terminal.
    QString text() const { return remedy.isEmpty() ? message : message + QLatin1Char('\n') + remedy; }
};

template <typename T = void>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(QString message, QString remedy = {})
{
    return std::unexpected<Error>(Error{std::move(message), std::move(remedy)});
}

} // namespace ako
