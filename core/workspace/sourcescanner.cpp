// SPDX-License-Identifier: GPL-3.0-or-later
// No libclang: to read a .cu it needs the CUDA headers and each workspace's own flags and include paths, which this
// machine may lack, and it would open every header that a file of the user's names. What the plan asks of a source
// (functions at namespace scope, how they are declared, what they include and call) is told by its tokens, also of one
// that does not compile.
#include "workspace/functionsizes.h"
#include "workspace/sourcefacts.h"

#include <QList>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ako {

namespace {

bool isWordStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

struct Token
{
    QByteArrayView text; // a word, a literal's quote pair or one character
    qsizetype offset = 0;
    int line = 0;
    bool isWord = false;
};

enum class Scope { Namespace, AnonymousNamespace, ExternC, Class, Body };

// Follows braces and remembers what each one opened.
class Scanner
{
public:
    Scanner(const QByteArray &original, const QByteArray &blanked, SourceFacts &facts)
        : m_original(original)
        , m_text(blanked)
        , m_facts(facts)
    {
    }

    void run()
    {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '\n') {
                ++m_line;
                ++m_at;
                m_lineStart = true;
            } else if (c == '#' && m_lineStart) {
                directive();
            } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
                ++m_at;
            } else {
                m_lineStart = false;
                token();
            }
        }
    }

private:
    // -- preprocessor --------------------------------------------------------------------------------------------
    void directive()
    {
        const int line = m_line;
        const qsizetype start = m_at;
        skipDirectiveLine();
        QByteArray text = m_text.mid(start + 1, m_at - start - 1).trimmed();
        qsizetype length = 0;
        while (length < text.size() && isWordStart(text[length]))
            ++length;
        const QByteArray name = text.left(length);
        if (name == "include")
            include(m_original.mid(start, m_at - start), line);
        else if (name.startsWith("if"))
            conditional(text);
        else if (name.startsWith("el"))
            otherBranch();
        else if (name == "endif" && !m_branches.isEmpty())
            m_branches.removeLast();
    }

    void skipDirectiveLine()
    {
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '\n') {
                const bool afterReturn = m_at > 0 && m_text[m_at - 1] == '\r';
                const qsizetype last = m_at - (afterReturn ? 2 : 1);
                if (last < 0 || m_text[last] != '\\')
                    return;
                ++m_line;
            }
            ++m_at;
        }
    }

    void include(const QByteArray &directive, int line)
    {
        const qsizetype quote = directive.indexOf('"');
        const qsizetype angle = directive.indexOf('<');
        if (quote >= 0 && (angle < 0 || quote < angle)) {
            const qsizetype end = directive.indexOf('"', quote + 1);
            if (end > quote + 1)
                m_facts.localIncludes.append({QString::fromUtf8(directive.mid(quote + 1, end - quote - 1)), line});
        } else if (angle >= 0) {
            const qsizetype end = directive.indexOf('>', angle);
            m_facts.systemIncludes.append(QString::fromUtf8(directive.mid(angle + 1, end - angle - 1)));
        }
    }

    // Each branch of a conditional starts from the same braces; what "#if 0" hides is not looked at.
    void conditional(const QByteArray &text)
    {
        m_branches.append({m_scopes, m_head});
        if (text == "if 0" || text == "if false")
            skipDisabled();
    }

    void otherBranch()
    {
        if (m_branches.isEmpty())
            return;
        m_scopes = m_branches.last().scopes;
        m_head = m_branches.last().head;
    }

    void skipDisabled()
    {
        int depth = 0;
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '\n') {
                ++m_line;
                ++m_at;
                continue;
            }
            qsizetype end = m_text.indexOf('\n', m_at);
            end = end < 0 ? m_text.size() : end;
            const QByteArray line = m_text.mid(m_at, end - m_at).simplified().replace("# ", "#");
            if (line.startsWith("#if"))
                ++depth;
            else if (depth == 0 && (line.startsWith("#el") || line.startsWith("#endif")))
                return;
            else if (line.startsWith("#endif"))
                --depth;
            m_at = end;
        }
    }

    // -- tokens --------------------------------------------------------------------------------------------------
    void token()
    {
        Token token{{}, m_at, m_line, false};
        if (isWordStart(m_text[m_at])) {
            while (m_at < m_text.size() && isWord(m_text[m_at]))
                ++m_at;
            token.isWord = true;
        } else {
            ++m_at;
        }
        token.text = QByteArrayView(m_text).sliced(token.offset, m_at - token.offset);
        take(token);
    }

    void take(const Token &token)
    {
        if (token.text == "{")
            open();
        else if (token.text == "}")
            close();
        else if (!atNamespaceScope())
            noteUse(token);
        else if (token.text == ";")
            m_head.clear();
        else
            m_head.append(token);
    }

    bool atNamespaceScope() const
    {
        return std::all_of(m_scopes.cbegin(), m_scopes.cend(),
                           [](Scope scope) { return scope != Scope::Class && scope != Scope::Body; });
    }

    void noteUse(const Token &token)
    {
        if ((token.text == "(" || token.text == "<") && m_previousWord.isWord)
            m_facts.calls.insert(QString::fromLatin1(m_previousWord.text));
        m_previousWord = token.isWord ? token : Token{};
    }

    void open()
    {
        const Scope scope = atNamespaceScope() ? classifyHead() : Scope::Body;
        m_scopes.append(scope);
        // "int table[] = {" goes on after its brace; everything else starts afresh inside.
        m_head.clear();
        m_previousWord = {};
    }

    void close()
    {
        if (!m_scopes.isEmpty())
            m_scopes.removeLast();
        m_head.clear();
    }

    // -- heads ---------------------------------------------------------------------------------------------------
    bool headHas(QByteArrayView word) const
    {
        return std::any_of(m_head.cbegin(), m_head.cend(),
                           [&](const Token &token) { return token.isWord && token.text == word; });
    }

    bool headIsExternC() const
    {
        for (qsizetype i = 0; i + 1 < m_head.size(); ++i) {
            if (m_head[i].text == "extern" && m_head[i + 1].text == "\"")
                return m_original.mid(m_head[i + 1].offset, 3) == "\"C\"";
        }
        return false;
    }

    Scope classifyHead()
    {
        if (headHas("namespace"))
            return m_head.last().text == "namespace" ? Scope::AnonymousNamespace : Scope::Namespace;
        if (noteFunction())
            return Scope::Body;
        if (headIsExternC())
            return Scope::ExternC;
        return headHas("class") || headHas("struct") || headHas("union") || headHas("enum") ? Scope::Class
                                                                                            : Scope::Body;
    }

    // The index after the group that opens at `index`.
    qsizetype afterGroup(qsizetype index, char open, char close) const
    {
        int depth = 0;
        for (; index < m_head.size(); ++index) {
            if (m_head[index].text.front() == open)
                ++depth;
            else if (m_head[index].text.front() == close && --depth == 0)
                return index + 1;
        }
        return index;
    }

    // `void f(...)`: the first word before a parenthesis that is no attribute. Members (A::f) and initialisers are
    // none.
    bool noteFunction()
    {
        static const QList<QByteArray> notNames{"__attribute__", "__launch_bounds__", "alignas",         "__declspec",
                                                "decltype",      "noexcept",          "__align__",       "requires",
                                                "asm",           "_Alignas",          "__cluster_dims__"};
        qsizetype i = 0;
        while (i < m_head.size()) {
            const Token &token = m_head[i];
            const bool opensGroup = i + 1 < m_head.size() && m_head[i + 1].text == "(";
            if (token.text == "template" && i + 1 < m_head.size() && m_head[i + 1].text == "<")
                i = afterGroup(i + 1, '<', '>');
            else if (token.text == "=" || token.text == "operator")
                return false;
            else if (!token.isWord || !opensGroup)
                ++i;
            else if (notNames.contains(token.text.toByteArray()))
                i = afterGroup(i + 1, '(', ')');
            else
                return addFunction(i);
        }
        return false;
    }

    bool addFunction(qsizetype name)
    {
        if (name == 0 || m_head[name - 1].text == ":")
            return true; // a body all the same: a constructor, a member or a macro
        const qsizetype end = afterGroup(name + 1, '(', ')');
        const qsizetype from = m_head[name + 1].offset + 1;
        const qsizetype to = m_head[std::max(end - 1, name + 1)].offset;
        FunctionFact function;
        function.name = QString::fromLatin1(m_head[name].text);
        function.line = m_head[name].line;
        function.parameters = QString::fromUtf8(m_text.mid(from, std::max<qsizetype>(to - from, 0)).simplified());
        function.returns = returnType(name);
        function.hasPointers = function.parameters.contains(QLatin1Char('*'));
        function.isExternC = headIsExternC() || m_scopes.contains(Scope::ExternC);
        function.isStatic = headHas("static") || m_scopes.contains(Scope::AnonymousNamespace);
        function.isGlobal = headHas("__global__");
        function.body = m_at;
        if (function.name == QLatin1String("main")) {
            m_facts.hasMain = true;
            m_facts.mainLine = function.line;
        }
        m_facts.functions.append(function);
        return true;
    }

    QString returnType(qsizetype name) const
    {
        static const QList<QByteArray> others{"extern",   "static",     "inline",    "constexpr",
                                              "__host__", "__device__", "__global__"};
        QStringList words;
        for (qsizetype i = 0; i < name; ++i) {
            const Token &token = m_head[i];
            if ((token.isWord && !others.contains(token.text.toByteArray())) || token.text == "*" || token.text == "&")
                words.append(QString::fromLatin1(token.text));
        }
        return words.join(QLatin1Char(' '));
    }

    struct Branch
    {
        QList<Scope> scopes;
        QList<Token> head;
    };

    const QByteArray &m_original;
    const QByteArray &m_text;
    SourceFacts &m_facts;
    qsizetype m_at = 0;
    int m_line = 1;
    bool m_lineStart = true;
    QList<Scope> m_scopes;
    QList<Token> m_head;
    QList<Branch> m_branches;
    Token m_previousWord;
};

} // namespace

bool SourceFacts::isHeader() const
{
    static const QStringList suffixes{QStringLiteral(".h"),   QStringLiteral(".hpp"), QStringLiteral(".hh"),
                                      QStringLiteral(".hxx"), QStringLiteral(".cuh"), QStringLiteral(".inl"),
                                      QStringLiteral(".inc")};
    return std::any_of(suffixes.cbegin(), suffixes.cend(),
                       [this](const QString &suffix) { return path.endsWith(suffix, Qt::CaseInsensitive); });
}

const FunctionFact *SourceFacts::definition(const QString &symbol) const
{
    const auto found = std::find_if(functions.cbegin(), functions.cend(),
                                    [&](const FunctionFact &f) { return f.name == symbol && !f.isStatic; });
    return found == functions.cend() ? nullptr : &*found;
}

SourceFacts scanSource(const QString &path, const QByteArray &text)
{
    SourceFacts facts;
    facts.path = path;
    const QByteArray blanked = withoutCommentsAndStrings(text);
    Scanner(text, blanked, facts).run();
    addFunctionSizes(blanked, facts);
    if (facts.hasMain)
        facts.sizes = scanSizes(blanked);
    return facts;
}

} // namespace ako
