// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ako::eval {

// Keeps the first bytes of a child's output and counts the rest.
class BoundedText
{
public:
    explicit BoundedText(std::size_t limit = std::size_t(256) << 10)
        : m_limit(limit)
    {
    }
    void append(std::string_view data)
    {
        m_total += data.size();
        if (m_text.size() < m_limit)
            m_text.append(data.substr(0, m_limit - m_text.size()));
    }
    std::uint64_t total() const { return m_total; }
    std::string text() const
    {
        if (m_total <= m_text.size())
            return m_text;
        return m_text + "\n[" + std::to_string(m_total - m_text.size()) + " more bytes left out]\n";
    }

private:
    std::size_t m_limit;
    std::uint64_t m_total = 0;
    std::string m_text;
};

// For a message: a text that is longer is cut and says how long it was. No character of UTF-8 is cut in two.
std::string shortened(std::string_view text, std::size_t limit = 80);
std::string inQuotes(std::string_view text); // the same in quotation marks

} // namespace ako::eval
