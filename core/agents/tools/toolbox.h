// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <nlohmann/json.hpp>

namespace ako {

// Something that an agent may ask this program to do, as it is told to a model.
struct Tool
{
    QString name; // letters, digits and underscores
    QString description;
    nlohmann::json parameters; // a JSON Schema of type object
};

struct ToolAnswer
{
    QString text;
    bool failed = false;

    bool operator==(const ToolAnswer &) const = default;
};

// Tools of one kind. The same ones serve an agent that is a program of its own (through MCP) and a model that is asked
// directly.
class Toolbox : public QObject
{
    Q_OBJECT

public:
    using Reply = std::function<void(const ToolAnswer &)>;
    using QObject::QObject;

    virtual QList<Tool> tools() const = 0;
    // Exactly one reply, now or later, also where there is no such tool or the arguments make no sense. `arguments` may
    // be anything that a model has written.
    virtual void call(const QString &name, const nlohmann::json &arguments, const Reply &reply) = 0;

    bool has(const QString &name) const;
};

// Arguments as a model writes them; none of these fails on another type.
QString textArgument(const nlohmann::json &arguments, const char *name);
std::optional<qint64> numberArgument(const nlohmann::json &arguments, const char *name); // also "3"

// A schema of type object with these properties: name, type, description, and whether it has to be there.
struct Parameter
{
    const char *name;
    const char *type;
    const char *description;
    bool isNeeded = true;
};
nlohmann::json schemaOf(std::initializer_list<Parameter> parameters);

// The lines from `line` (from 1) on, at most `limit` of them (below 0: all), and at most `characters`, with a last line
// that says how to get the rest.
QString linesOf(const QString &text, qint64 line, qint64 limit, qsizetype characters);

} // namespace ako
