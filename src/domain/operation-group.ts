/** Sorts the kinds of operations into groups that a person narrows a list to. */

export const OPERATION_GROUPS = ["git", "worktrees", "stepped"] as const;
export type OperationGroup = (typeof OPERATION_GROUPS)[number];

/** `stepped`: what the proof of ownership undid, and what it saw others do. All other kinds are of `git`. */
export const KINDS_OF: Readonly<Record<Exclude<OperationGroup, "git">, readonly string[]>> = {
  stepped: [
    "ref_restored",
    "review_put_back",
    "git_files_restored",
    "git_settings_changed",
    "left_files_cleared",
    "index_flags_cleared",
    "foreign_ref_moved",
    "foreign_file_changed",
  ],
  worktrees: [
    "worktree_add",
    "worktree_prune",
    "worktree_repair",
    "worktree_lost",
    "worktree_missing",
    "trash",
    "trash_restore",
    "trash_purge",
    "clone_away",
    "clean",
    "half_made",
    "git_files_aside",
    "run_restore",
    "index_rebuilt",
    "demo_remove",
  ],
};

export function groupOfKind(kind: string): OperationGroup {
  if (KINDS_OF.stepped.includes(kind)) return "stepped";
  return KINDS_OF.worktrees.includes(kind) ? "worktrees" : "git";
}
