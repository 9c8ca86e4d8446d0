// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/cudakernels.h"

#include <algorithm>
#include <charconv>

namespace ako::tuner {
namespace {

// The first token of the declaration that the function's name stands in.
int declarationStart(const Source &source, const Function &function)
{
    int first = function.nameToken;
    while (first > 0 && !source.is(first - 1, ";") && !source.is(first - 1, "}") && !source.is(first - 1, "{") &&
           !source.isKind(first - 1, TokenKind::Directive))
        --first;
    return first;
}

bool areNeighbours(const Source &source, int index)
{
    return source.token(index).end == source.token(index + 1).begin;
}

// name, or the name before <template arguments>.
int nameBefore(const Source &source, int index)
{
    int at = index - 1;
    if (source.is(at, ">")) {
        int depth = 0;
        for (; at >= 0; --at) {
            depth += source.is(at, ">") ? 1 : source.is(at, "<") ? -1 : 0;
            if (source.is(at, ";") || source.is(at, "{"))
                return -1;
            if (depth == 0)
                break;
        }
        --at;
    }
    return source.isIdentifier(at) ? at : -1;
}

// What is between the commas of a list that ends at `last`.
std::vector<Range> partsOf(const Source &source, int first, int last)
{
    std::vector<Range> parts;
    int begin = first;
    for (int i = first; i <= last; i = i == last ? i + 1 : source.after(i)) {
        if (i == last || source.is(i, ",")) {
            parts.push_back({begin, i});
            begin = i + 1;
        }
    }
    return parts;
}

std::optional<long long> numberOf(std::string_view text)
{
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view suffix = text.substr(std::size_t(end - text.data()));
    if (error != std::errc() || suffix.find_first_not_of("uUlL") != std::string_view::npos)
        return std::nullopt;
    return value;
}

struct Factor
{
    std::string text;
    std::optional<long long> value;
};

// A name that is a constant of the file, declared before the function.
std::optional<Factor> constantNamed(const Source &source, const std::string &name, int before)
{
    for (int i = 0; i < before; ++i) {
        if (source.isKind(i, TokenKind::Directive)) {
            const Source line("", std::string(source.view(i).substr(1)));
            if (line.is(0, "define") && line.is(1, name) && line.size() == 3)
                return Factor{name, numberOf(line.view(2))};
        }
        if (!source.is(i, name) || !source.is(i + 1, "="))
            continue;
        for (int at = i - 1; at >= 0 && !source.is(at, ";") && !source.is(at, "}"); --at) {
            if (source.is(at, "constexpr"))
                return Factor{name, source.is(i + 3, ";") || source.is(i + 3, ",") ? numberOf(source.view(i + 2))
                                                                                   : std::nullopt};
        }
    }
    return std::nullopt;
}

std::optional<Factor> factorOf(const Source &source, Range part, int before)
{
    if (part.last != part.first + 1)
        return std::nullopt;
    const std::string text(source.view(part.first));
    if (source.isKind(part.first, TokenKind::Number)) {
        const auto value = numberOf(text);
        return value ? std::optional(Factor{text, value}) : std::nullopt;
    }
    return source.isIdentifier(part.first) ? constantNamed(source, text, before) : std::nullopt;
}

// The brackets of dim3(x, y) or, for the name of a local variable, of its declaration.
int extentsOf(const Source &source, const Launch &launch)
{
    const Range block = launch.block;
    if (source.is(block.first, "dim3") && (source.is(block.first + 1, "(") || source.is(block.first + 1, "{")) &&
        source.after(block.first + 1) == block.last)
        return block.first + 1;
    if (block.last != block.first + 1)
        return -1;
    const Range body = launch.caller->body.tokens;
    for (int i = body.first; i < launch.kernel; ++i) {
        const bool opens = source.is(i + 2, "(") || source.is(i + 2, "{");
        if (source.is(i, "dim3") && source.is(i + 1, source.view(block.first)) && opens)
            return i + 2;
    }
    return -1;
}

std::optional<BlockSize> sizeOf(const Source &source, const Launch &launch, int before)
{
    const int open = extentsOf(source, launch);
    const auto parts = open >= 0 ? partsOf(source, open + 1, source.partner(open)) : std::vector<Range>{launch.block};
    BlockSize size{{}, 1};
    for (const Range &part : parts) {
        const auto factor = factorOf(source, part, before);
        if (!factor)
            return std::nullopt;
        size.expression += (size.expression.empty() ? "" : " * ") + factor->text;
        size.threads = size.threads && factor->value ? std::optional(*size.threads * *factor->value) : std::nullopt;
    }
    return size;
}

} // namespace

RunsOn runsOn(const Source &source, const Function &function)
{
    RunsOn place = RunsOn::Host;
    for (int i = declarationStart(source, function); i < function.nameToken; ++i) {
        if (source.is(i, "__global__"))
            return RunsOn::Kernel;
        if (source.is(i, "__device__"))
            place = RunsOn::Device;
    }
    return place;
}

std::vector<Launch> launchesIn(const Source &source, const std::vector<Function> &functions)
{
    std::vector<Launch> launches;
    for (int i = 1; i + 1 < source.size(); ++i) {
        if (!source.is(i, "<<") || !source.is(i + 1, "<") || !areNeighbours(source, i))
            continue;
        Launch launch;
        launch.kernel = nameBefore(source, i);
        int close = i + 2;
        while (close < source.size() && !source.is(close, ">>") && !source.is(close, ";"))
            close = source.after(close);
        const auto caller = std::find_if(functions.begin(), functions.end(), [i](const Function &each) {
            return i > each.body.tokens.first && i < each.body.tokens.last;
        });
        if (launch.kernel < 0 || caller == functions.end() || !source.is(close, ">>") || !source.is(close + 1, ">") ||
            !source.is(close + 2, "(") || source.partner(close + 2) < 0)
            continue;
        const std::vector<Range> parts = partsOf(source, i + 2, close);
        if (parts.size() < 2)
            continue;
        launch.caller = &*caller;
        launch.grid = parts[0];
        launch.block = parts[1];
        launch.open = close + 2;
        launches.push_back(launch);
    }
    return launches;
}

std::optional<BlockSize> blockSizeOf(const Source &source, const std::vector<Launch> &launches,
                                     const Function &function)
{
    std::optional<BlockSize> result;
    for (const Launch &launch : launches) {
        if (!source.is(launch.kernel, function.name))
            continue;
        const auto size = sizeOf(source, launch, declarationStart(source, function));
        if (!size || (result && result->expression != size->expression))
            return std::nullopt;
        result = size;
    }
    return result;
}

int launchBounds(const Source &source, const Function &function)
{
    for (int i = declarationStart(source, function); i < function.nameToken; ++i) {
        if (source.is(i, "__launch_bounds__") && source.is(i + 1, "("))
            return i;
    }
    return -1;
}

} // namespace ako::tuner
