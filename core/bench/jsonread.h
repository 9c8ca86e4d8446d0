// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

// Reading of JSON that may be anything: a missing or mistyped value is simply absent. Nothing here throws.
namespace ako::jsonread {

inline const nlohmann::json &at(const nlohmann::json &object, const char *key)
{
    static const nlohmann::json absent;
    if (!object.is_object())
        return absent;
    const auto found = object.find(key);
    return found == object.end() ? absent : *found;
}

inline std::optional<double> number(const nlohmann::json &value)
{
    if (!value.is_number())
        return std::nullopt;
    const double result = value.get<double>();
    return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

inline std::optional<double> number(const nlohmann::json &object, const char *key)
{
    return number(at(object, key));
}

inline int integer(const nlohmann::json &object, const char *key, int fallback)
{
    const auto value = number(object, key);
    return value && std::abs(*value) < 2e9 ? int(*value) : fallback;
}

inline qint64 bigInteger(const nlohmann::json &object, const char *key)
{
    const auto value = number(object, key);
    return value && std::abs(*value) < 9e15 ? qint64(*value) : 0;
}

inline bool boolean(const nlohmann::json &object, const char *key, bool fallback = false)
{
    const nlohmann::json &value = at(object, key);
    return value.is_boolean() ? value.get<bool>() : fallback;
}

inline QString string(const nlohmann::json &value)
{
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string &>()) : QString();
}

inline QString string(const nlohmann::json &object, const char *key)
{
    return string(at(object, key));
}

inline QStringList strings(const nlohmann::json &object, const char *key)
{
    QStringList result;
    const nlohmann::json &array = at(object, key);
    if (array.is_array()) {
        for (const nlohmann::json &item : array) {
            if (item.is_string())
                result << string(item);
        }
    }
    return result;
}

inline nlohmann::json array(const QStringList &list)
{
    nlohmann::json result = nlohmann::json::array();
    for (const QString &item : list)
        result.push_back(item.toStdString());
    return result;
}

// Non-throwing; discarded() when the text is not JSON.
inline nlohmann::json parse(const QByteArray &text)
{
    return nlohmann::json::parse(text.constBegin(), text.constEnd(), nullptr, false);
}

// Bytes of a value; text that is not UTF-8 is replaced, never thrown over.
inline QByteArray dump(const nlohmann::json &value, int indent = -1)
{
    return QByteArray::fromStdString(value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace ako::jsonread
