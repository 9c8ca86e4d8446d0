// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All keys of problem.json, for people: resources/problem-json.txt.
extern const char *const problemHelp;
