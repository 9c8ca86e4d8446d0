// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/session.h"

namespace ako {

// The entry in ITERATIONS.md and trajectory/. Doing it twice changes nothing.
Result<outcome::Logged> writeEntry(Session &session, const effect::WriteEntry &entry);

// An ITERATIONS.md that was removed from disk is put back as HEAD has it, with what a person wrote there.
Result<void> bringBackLog(const Session &session);

// Commits what the loop owns, with solution/ exactly as it was benched. `previous` may have got an analysis.
Result<outcome::Committed> commitEntry(Session &session, const effect::Commit &commit, const IterationRecord *previous);

// A person's words: into the entry's record and the run log of ITERATIONS.md, and committed by themselves.
Result<outcome::Annotated> annotateEntry(Session &session, const effect::Annotate &annotate);

// Sets the draft's files aside below .ako/discarded/ and puts solution/ back to `base`; null: it stays.
Result<outcome::Discarded> discardEntry(Session &session, const effect::Discard &discard, const IterationRecord *base);

} // namespace ako
