// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/treeedit.h"

namespace ako::git {
namespace {

std::unexpected<Error> cannotWrite()
{
    return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot write a folder to the git repository")));
}

} // namespace

void TreeEdit::replace(const QByteArray &path, const std::optional<TreeItem> &item)
{
    Node *node = &m_root;
    const QList<QByteArray> parts = path.split('/');
    for (const QByteArray &part : parts)
        node = &node->children[part];
    node->isReplaced = true;
    node->item = item;
}

Result<git_oid> TreeEdit::write(git_repository *repository, const git_tree *base) const
{
    const Result<std::optional<TreeItem>> tree = apply(repository, m_root, base);
    if (!tree)
        return std::unexpected(tree.error());
    if (*tree)
        return (*tree)->id;
    TreeBuilderHandle empty;
    git_oid id;
    if (git_treebuilder_new(receive(empty), repository, nullptr) != 0 || git_treebuilder_write(&id, empty.get()) != 0)
        return cannotWrite();
    return id;
}

Result<std::optional<TreeItem>> TreeEdit::apply(git_repository *repository, const Node &node, const git_tree *base)
{
    TreeBuilderHandle builder;
    if (git_treebuilder_new(receive(builder), repository, base) != 0)
        return cannotWrite();
    for (const auto &[name, child] : node.children) {
        const git_tree_entry *known = git_treebuilder_get(builder.get(), name.constData());
        const Result<std::optional<TreeItem>> item = applyBelow(repository, child, known);
        if (!item)
            return std::unexpected(item.error());
        int code = 0;
        if (*item)
            code = git_treebuilder_insert(nullptr, builder.get(), name.constData(), &(*item)->id, (*item)->mode);
        else if (known)
            code = git_treebuilder_remove(builder.get(), name.constData());
        if (code != 0)
            return cannotWrite();
    }
    if (git_treebuilder_entrycount(builder.get()) == 0)
        return std::nullopt;
    TreeItem tree{{}, GIT_FILEMODE_TREE};
    if (git_treebuilder_write(&tree.id, builder.get()) != 0)
        return cannotWrite();
    return tree;
}

Result<std::optional<TreeItem>> TreeEdit::applyBelow(git_repository *repository, const Node &node,
                                                     const git_tree_entry *known)
{
    if (node.isReplaced)
        return node.item;
    const git_object_t type = known ? git_tree_entry_type(known) : GIT_OBJECT_INVALID;
    if (type == GIT_OBJECT_COMMIT)
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 is a submodule: what is in it is committed there."))
                .arg(QString::fromUtf8(git_tree_entry_name(known))));
    TreeHandle below;
    if (type == GIT_OBJECT_TREE && git_tree_lookup(receive(below), repository, git_tree_entry_id(known)) != 0)
        return cannotWrite();
    Result<std::optional<TreeItem>> edited = apply(repository, node, below.get());
    // A file in a folder's place, with nothing to put below it, stays.
    if (edited && !*edited && type == GIT_OBJECT_BLOB)
        return TreeItem{*git_tree_entry_id(known), git_tree_entry_filemode(known)};
    return edited;
}

} // namespace ako::git
