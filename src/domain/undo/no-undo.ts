/** Explains why operations of some kinds are not undone, and what to do instead. */

interface NoUndo {
  readonly why: string;
  readonly instead: string;
}

const NOTHING = "There is nothing to undo.";

const REASONS = new Map(
  Object.entries<NoUndo>({
    allow: {
      why: "It was said, and what it allowed may be published by now.",
      instead:
        "While nothing came of it, `tazuna publish {attempt}` takes it back by `--take-back` and its rule. It holds for that very content only.",
    },
    leave_out: {
      why: "The commit without the file may be published by now.",
      instead: "The option `--take-in` of `tazuna publish` lets the file join the next commit.",
    },
    undo: {
      why: "It took back a choice, and no act on git.",
      instead: "`tazuna choose` chooses again.",
    },
    take_back: {
      why: "It was said, and the gate has read the files without it by now.",
      instead: "The option `--allow` of `tazuna publish` allows it again.",
    },
    take_in: {
      why: "The file may be in a commit by now.",
      instead: "Once the gate stops it again, the option `--leave-out` of `tazuna publish` leaves it out.",
    },
    pull_request_comment: {
      why: "Others may have read it by now.",
      instead: "Delete it on the forge.",
    },
    answer_rule_added: {
      why: "What it allowed meanwhile was done.",
      instead: "`tazuna rules` lists it, and says how it is removed.",
    },
    answer_rule_removed: {
      why: "It would allow without a person's word.",
      instead: "Allow it always, the next time you are asked; `tazuna rules` lists what holds.",
    },
    log_removed: {
      why: "What the agent printed was deleted for good.",
      instead: "The patch, the words and the cost of the run stay: `tazuna show {attempt}`.",
    },
    clean: {
      why: "It only ended the attempt; its worktree went by an operation of its own.",
      instead: "`tazuna trash restore {attempt}` brings the attempt back.",
    },
    half_made: {
      why: "What lay at the worktree's place was put aside, so that it could be made.",
      instead: "It is in the folder that the operation names.",
    },
    worktree_lost: {
      why: "It only says that the worktree was gone.",
      instead: '`tazuna continue {attempt} "Go on"` makes it again.',
    },
    push: {
      why: "What was pushed may be with others by now.",
      instead:
        '`tazuna continue {attempt} "Take back what was pushed last"` lets the agent do it; then that is pushed.',
    },
    clone: {
      why: "Attempts may have begun from it by now.",
      instead: "`tazuna repo remove` takes it out of the list.",
    },
    fetch: { why: "It only told this repository what the remote has.", instead: NOTHING },
    review_put_back: {
      why: "What a reviewer writes is no part of the attempt.",
      instead: "It is in the snapshot that the operation names.",
    },
    snapshot: { why: "A snapshot changes nothing but itself.", instead: NOTHING },
    merge: {
      why: "What was merged is in the files and in what came after. Without the merge, the next commit would revert it for all, or claim it.",
      instead:
        "If nothing came after it: `git reset --keep` to the commit that the operation was before, in the worktree. Else revert it there (`git revert -m 1`), then `tazuna continue {attempt}`.",
    },
    apply: {
      why: "Its files are among yours, and you may have changed them since.",
      instead:
        "`git stash push --include-untracked` in your checkout puts everything there aside that is not committed.",
    },
    branch_created: {
      why: "The attempt works on this branch, which you named.",
      instead: "`tazuna cancel {attempt}` ends the attempt; the branch stays.",
    },
    branch_renamed: {
      why: "Another person has a branch of the old name on the remote.",
      instead: "The attempt goes on under its new name; `git push` of your own can add another one.",
    },
    pull_request_create: {
      why: "Others may have read it by now.",
      instead: "Close it on the forge; the branch stays.",
    },
    pull_request_update: {
      why: "Others may have read it by now.",
      instead: '`tazuna pr {attempt} --title "..." --body "..."` changes the words again.',
    },
    pull_request_link: { why: "It only says which pull request is followed.", instead: NOTHING },
    merge_on_forge: {
      why: "The forge has it, and others may have fetched it.",
      instead: "`tazuna revert {attempt}` makes a commit that takes it back.",
    },
    remote_branch_delete: {
      why: "The branch was merged, and the remote's is not Tazuna's to make again.",
      instead:
        "The operation names the branch and its commit: push that commit under that name, and the branch is there again.",
    },
    worktree_add: {
      why: "A worktree goes with its attempt.",
      instead: "`tazuna cancel {attempt}` puts it into the trash.",
    },
    worktree_prune: {
      why: "The worktree it belonged to is in the trash.",
      instead: "`tazuna trash restore {attempt}` brings both back.",
    },
    tree_kept: { why: "It only keeps what an attempt begins from.", instead: NOTHING },
    worktree_repair: { why: "It only made git find the worktrees again.", instead: NOTHING },
    trash_restore: {
      why: "The attempt goes on.",
      instead: "`tazuna cancel {attempt}` puts it into the trash again.",
    },
    demo_remove: {
      why: "The demo was deleted for good.",
      instead: "`tazuna demo` makes a new one.",
    },
    trash_purge: {
      why: "The folder was deleted for good.",
      instead:
        "Its files are in the snapshot that the operation names, ignored ones in the folder beside it.",
    },
    clone_away: {
      why: "The clone was deleted for good, and its remote has all of it.",
      instead: "The next use clones it anew.",
    },
    ref_restored: { why: "The agent had committed nothing there that could come back.", instead: NOTHING },
    foreign_file_changed: {
      why: "Tazuna did not change it, and keeps no copies of git's own files.",
      instead: "Put it back yourself, unless it was you; the operation says what it was.",
    },
    git_settings_changed: {
      why: "The repository's configuration is yours, and Tazuna never writes it.",
      instead: "`tazuna trust` shows each value; `git config --edit` in the repository takes one out.",
    },
    index_flags_cleared: { why: "Git only looks at the files again.", instead: NOTHING },
    git_files_restored: { why: "The files are as git had made them again.", instead: NOTHING },
    git_files_aside: {
      why: "Damaged files of git's own were put aside, and nothing else.",
      instead: "They are in the folder that the operation names.",
    },
    index_rebuilt: { why: "The index had been damaged; the files are as they were.", instead: NOTHING },
    left_files_cleared: {
      why: "Only files that a check had left were taken away.",
      instead: "Run the check again.",
    },
  }),
);

/** For every kind, known or not. */
export function whyNoUndo(kind: string): NoUndo {
  return (
    REASONS.get(kind) ?? {
      why: `An operation of the kind ${kind} cannot be undone.`,
      instead: "`tazuna activity` shows which can.",
    }
  );
}
