// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/jsonreader.h"

#include "eval/boundedtext.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace ako::eval {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t longestReason = 400, longestPlace = 300;

std::string lineAndColumn(const std::string &text, std::size_t byte)
{
    const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
    const std::size_t lineBegin = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = lineBegin == std::string::npos ? end + 1 : end - lineBegin;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// nlohmann's text repeats the position in its own words; keep what follows it.
std::string reasonOf(const std::string &what)
{
    const std::size_t found = what.find("syntax error");
    return shortened(found == std::string::npos ? what : what.substr(found), longestReason);
}

std::string escapedToken(std::string_view key)
{
    std::string token;
    for (const char character : key)
        token += character == '~'   ? std::string("~0")
                 : character == '/' ? std::string("~1")
                                    : std::string(1, character);
    return token;
}

std::string listed(std::initializer_list<std::string_view> keys)
{
    std::string text;
    for (const std::string_view key : keys)
        text += (text.empty() ? "" : ", ") + std::string(key);
    return text;
}

} // namespace

ordered_json parseStrictJson(const std::string &text, const std::string &path)
{
    std::vector<std::set<std::string>> keys;
    std::string duplicate;
    const auto watch = [&](int, ordered_json::parse_event_t event, ordered_json &parsed) {
        if (event == ordered_json::parse_event_t::object_start)
            keys.emplace_back();
        else if (event == ordered_json::parse_event_t::object_end)
            keys.pop_back();
        else if (event == ordered_json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second &&
                 duplicate.empty())
            duplicate = parsed.get<std::string>();
        return true;
    };
    ordered_json value;
    try {
        value = ordered_json::parse(text, watch);
    } catch (const ordered_json::parse_error &error) {
        throw Failure(Status::ProblemError,
                      path + ": " + lineAndColumn(text, error.byte) + ": broken JSON: " + reasonOf(error.what()));
    } catch (const ordered_json::exception &error) { // a number that no double holds
        throw Failure(Status::ProblemError, path + ": broken JSON: " + reasonOf(error.what()));
    }
    if (!duplicate.empty())
        throw Failure(Status::ProblemError, path + ": the key " + inQuotes(duplicate) + " stands twice in one object");
    return value;
}

JsonReader::JsonReader(const ordered_json &value, std::string path, std::string place)
    : m_value(&value)
    , m_path(std::move(path))
    , m_place(std::move(place))
{
}

void JsonReader::fail(const std::string &reason, Status status) const
{
    throw Failure(status, m_path + ": " + (m_place.empty() ? "/" : shortened(m_place, longestPlace)) + ": " +
                              shortened(reason, longestReason));
}

void JsonReader::requireObject() const
{
    if (!m_value->is_object())
        fail("expected an object");
}

void JsonReader::allowOnly(std::initializer_list<std::string_view> keys) const
{
    for (const auto &[key, reader] : members()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            reader.fail("unknown key " + inQuotes(key) + "; known here: " + listed(keys));
    }
}

void JsonReader::allowAtMost(std::size_t count, const char *what) const
{
    if (m_value->size() > count)
        fail("has " + std::to_string(m_value->size()) + " " + what + "; at most " + std::to_string(count) +
             " are allowed");
}

JsonReader JsonReader::at(std::string_view key) const
{
    requireObject();
    const auto found = m_value->find(key);
    if (found == m_value->end())
        fail("the key \"" + std::string(key) + "\" is missing");
    return {*found, m_path, m_place + '/' + escapedToken(key)};
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const
{
    requireObject();
    return has(key) ? std::optional(at(key)) : std::nullopt;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const
{
    requireObject();
    std::vector<std::pair<std::string, JsonReader>> result;
    for (const auto &[key, value] : m_value->items())
        result.emplace_back(key, JsonReader(value, m_path, m_place + '/' + escapedToken(key)));
    return result;
}

std::vector<JsonReader> JsonReader::elements() const
{
    if (!m_value->is_array())
        fail("expected an array");
    std::vector<JsonReader> result;
    for (std::size_t i = 0; i < m_value->size(); ++i)
        result.emplace_back((*m_value)[i], m_path, m_place + '/' + std::to_string(i));
    return result;
}

std::string JsonReader::string() const
{
    if (!m_value->is_string())
        fail("expected a string");
    return m_value->get<std::string>();
}

std::string JsonReader::printable() const
{
    const std::string text = string();
    if (text.empty() || text.size() > 200 ||
        std::any_of(text.begin(), text.end(), [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }))
        fail("expected a name of 1 to 200 bytes without control characters");
    return text;
}

double JsonReader::number() const
{
    if (!m_value->is_number())
        fail("expected a number");
    return m_value->get<double>();
}

double JsonReader::nonNegative() const
{
    if (!(number() >= 0))
        fail("expected a number of at least 0");
    return number();
}

std::int64_t JsonReader::integer() const
{
    if (m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        fail("the number is too large");
    if (!m_value->is_number_integer())
        fail("expected an integer");
    return m_value->get<std::int64_t>();
}

bool JsonReader::boolean() const
{
    if (!m_value->is_boolean())
        fail("expected true or false");
    return m_value->get<bool>();
}

std::vector<std::string> JsonReader::strings() const
{
    std::vector<std::string> result;
    for (const JsonReader &element : elements())
        result.push_back(element.string());
    return result;
}

} // namespace ako::eval
