// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ako::eval {

// Parses a whole text; a fault is a Failure(ProblemError) with line and column. Duplicate keys are a fault too.
nlohmann::ordered_json parseStrictJson(const std::string &text, const std::string &path);

// A JSON value together with its place, so that every complaint names the file and the JSON pointer.
class JsonReader
{
public:
    JsonReader(const nlohmann::ordered_json &value, std::string path, std::string place = {});

    const std::string &place() const { return m_place; }
    [[noreturn]] void fail(const std::string &reason, Status status = Status::ProblemError) const;

    void requireObject() const;
    void allowOnly(std::initializer_list<std::string_view> keys) const;
    void allowAtMost(std::size_t count, const char *what) const; // members or elements
    bool has(std::string_view key) const { return m_value->is_object() && m_value->contains(key); }
    JsonReader at(std::string_view key) const; // fails where the key is missing
    std::optional<JsonReader> find(std::string_view key) const;
    std::vector<std::pair<std::string, JsonReader>> members() const;
    std::vector<JsonReader> elements() const;

    std::string string() const;
    std::string printable() const; // a name that goes into printed lines, and so could hold a line of its own
    double number() const;
    double nonNegative() const;
    std::int64_t integer() const;
    bool boolean() const;
    bool isString() const { return m_value->is_string(); }
    bool isNumber() const { return m_value->is_number(); }
    std::vector<std::string> strings() const;

private:
    const nlohmann::ordered_json *m_value;
    std::string m_path, m_place;
};

} // namespace ako::eval
