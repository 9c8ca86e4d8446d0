// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/restrictions.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <sstream>
#include <vector>

namespace ako::tuner {
namespace {

bool containsAny(const std::string &text, std::initializer_list<const char *> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&text](const char *word) { return text.find(word) != std::string::npos; });
}

bool forbids(const std::string &sentence)
{
    return containsAny(
        sentence, {"do not", "don't", "dont ", "no ", "without", "avoid", "never", "must not", "forbid", "may not"});
}

// Sentences and list items, in lower case.
std::vector<std::string> sentencesOf(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<std::string> result(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool endsSentence = (text[i] == '.' || text[i] == ';') &&
                                  (i + 1 == text.size() || std::isspace(static_cast<unsigned char>(text[i + 1])));
        if (text[i] == '\n' || endsSentence)
            result.emplace_back(" ");
        else
            result.back().push_back(text[i]);
    }
    return result;
}

// Takes the flags out of the sentence: -funroll-loops says nothing about unrolling in the source.
std::string takeFlags(const std::string &sentence, std::set<std::string> &flags)
{
    std::string rest = " ";
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
        const std::string original = word;
        while (!word.empty() && std::string("`'\",:;()").find(word.front()) != std::string::npos)
            word.erase(word.begin());
        while (!word.empty() && std::string("`'\",:;().").find(word.back()) != std::string::npos)
            word.pop_back();
        if (word.size() > 2 && word.front() == '-' && std::isalpha(static_cast<unsigned char>(word[1])))
            flags.insert(word);
        else
            rest += original + " ";
    }
    return rest;
}

} // namespace

bool Restrictions::forbidsFile(const std::string &path) const
{
    std::string name = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return !name.empty() && forbiddenText.find(name) != std::string::npos;
}

std::string Restrictions::summary() const
{
    std::string result;
    const auto add = [&result](bool set, const std::string &word) {
        if (set)
            result.append(result.empty() ? "" : ", ").append(word);
    };
    add(noThreads, "threads");
    add(noSimd, "omp simd");
    add(noFastMath, "-ffast-math");
    add(noRestrict, "restrict");
    add(noUnroll, "unrolling");
    add(noFlags, "compiler flags");
    add(noInterchange, "loop interchange");
    for (const std::string &flag : flags)
        add(flag != "-ffast-math", flag);
    return result;
}

Restrictions parseRestrictions(const std::string &hints)
{
    Restrictions result;
    for (const std::string &whole : sentencesOf(hints)) {
        if (!forbids(whole))
            continue;
        const std::string sentence = takeFlags(whole, result.flags);
        result.noThreads =
            result.noThreads || containsAny(sentence, {"openmp", "omp ", "thread", "paralleli", "multi-core"});
        result.noSimd = result.noSimd || containsAny(sentence, {"openmp", "omp simd", " simd"});
        result.noFastMath = result.noFastMath || containsAny(sentence, {"fast-math", "fast math", "fastmath",
                                                                        "reassociat", "reorder the sum"});
        result.noRestrict = result.noRestrict || containsAny(sentence, {"restrict "});
        result.noUnroll = result.noUnroll || containsAny(sentence, {"unroll"});
        result.noFlags =
            result.noFlags || containsAny(sentence, {"compiler flag", "build flag", "change flags", "build.json"});
        result.noInterchange = result.noInterchange || containsAny(sentence, {"interchange", "loop order"});
        if (containsAny(sentence, {"change", "touch", "edit", "modify"}))
            result.forbiddenText.append(whole).append("\n");
    }
    return result;
}

} // namespace ako::tuner
