// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/jsonrpcpeer.h"
#include "agents/acp/permissionpolicy.h"

namespace ako::acp {

// fs/read_text_file: any regular text file of the workspace, as it is on disk now; `line` counts from 1.
RpcReply readTextFile(const nlohmann::json &params, const WorkPlace &place);

// fs/write_text_file: below solution/ only, also through links. Makes folders.
RpcReply writeTextFile(const nlohmann::json &params, const WorkPlace &place);

} // namespace ako::acp
