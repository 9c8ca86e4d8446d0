// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <git2.h>

#include <utility>

namespace ako::git {

// Owners of libgit2's objects. This header stays inside core/git.
template <typename T, void (*release)(T *)>
class Handle
{
public:
    Handle() = default;
    Handle(Handle &&other) noexcept
        : m_object(std::exchange(other.m_object, nullptr))
    {
    }
    Handle &operator=(Handle &&other) noexcept
    {
        std::swap(m_object, other.m_object);
        return *this;
    }
    ~Handle() { release(m_object); }

    T *get() const { return m_object; }
    explicit operator bool() const { return m_object != nullptr; }

    // Where libgit2 wants a place to put its pointer.
    T **place()
    {
        release(std::exchange(m_object, nullptr));
        return &m_object;
    }

private:
    T *m_object = nullptr;
};

using RepositoryHandle = Handle<git_repository, git_repository_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using CommitHandle = Handle<git_commit, git_commit_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;
using TreeEntryHandle = Handle<git_tree_entry, git_tree_entry_free>;
using TreeBuilderHandle = Handle<git_treebuilder, git_treebuilder_free>;
using BlobHandle = Handle<git_blob, git_blob_free>;
using IndexHandle = Handle<git_index, git_index_free>;
using ConfigHandle = Handle<git_config, git_config_free>;
using SignatureHandle = Handle<git_signature, git_signature_free>;
using PatchHandle = Handle<git_patch, git_patch_free>;
using StatusHandle = Handle<git_status_list, git_status_list_free>;
using OdbHandle = Handle<git_odb, git_odb_free>;
using StreamHandle = Handle<git_odb_stream, git_odb_stream_free>;

template <typename T, void (*release)(T *)>
T **receive(Handle<T, release> &handle)
{
    return handle.place();
}

// libgit2 is ready after the first call; it is never shut down, as handles may be anywhere.
void initialiseLibrary();

// "What failed: libgit2's own words", copied at once, before another call replaces them.
std::unexpected<Error> failure(const QString &what, const QString &remedy = {});

QString translate(const char *text); // in the context ako::Repository
QString idText(const git_oid &id);
// From a full or abbreviated hexadecimal id; never from a name, so that text of any origin is safe here.
Result<CommitHandle> lookupCommit(git_repository *repository, const QString &id);

} // namespace ako::git
