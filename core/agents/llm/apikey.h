// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QObject>
#include <QString>

#include <functional>

namespace ako::llm {

// Where a key came from, for a person; never the key.
struct ApiKey
{
    QString value;  // empty: none was found
    QString source; // "ANTHROPIC_API_KEY", "the keyring"
};

// The environment variable that holds the key of that agent ("anthropic", "openai"), as its makers' own programs take
// it.
QString keyVariable(const QString &agent);

// From the environment, else from the system's keyring where this build has one and it answers within a few seconds.
// `found` is called once, later, on this thread, unless `context` is destroyed before.
void findApiKey(const QString &agent, QObject *context, const std::function<void(const ApiKey &)> &found);

// The keyring alone; an empty value removes the entry. Runs a nested event loop: for the command line.
Result<void> storeApiKey(const QString &agent, const QString &value);
bool hasKeyring(); // this build

} // namespace ako::llm
