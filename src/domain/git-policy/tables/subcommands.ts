/** Lists the table of each of the 40 subcommands. */

import type { SubcommandTable } from "../table/command-table.ts";
import type { GitSubcommand } from "../verdicts/seed-lists.ts";
import { BRANCH } from "./read/branch.ts";
import { DIFF, LOG, SHORTLOG } from "./read/history.ts";
import { DESCRIBE, REV_PARSE } from "./read/names.ts";
import { REFLOG } from "./read/reflog.ts";
import { REMOTE } from "./read/remote.ts";
import { BLAME, CAT_FILE, LS_FILES, LS_TREE, STATUS } from "./read/state.ts";
import { TAG } from "./read/tag.ts";
import { BISECT } from "./write/bisect.ts";
import { COMMIT } from "./write/commit.ts";
import { ADD, CLEAN, MV, RM } from "./write/files.ts";
import { INIT } from "./write/init.ts";
import { CHERRY_PICK, MERGE, REBASE, REVERT } from "./write/merging.ts";
import { NOTES } from "./write/notes.ts";
import { AM, APPLY } from "./write/patches.ts";
import { STASH } from "./write/stash.ts";
import { SUBMODULE } from "./write/submodule.ts";
import { CHECKOUT, RESET, RESTORE, SWITCH } from "./write/switching.ts";
import { CLONE, FETCH, PULL, PUSH } from "./write/transfer.ts";
import { WORKTREE } from "./write/worktree.ts";

export const SUBCOMMANDS: Readonly<Record<GitSubcommand, SubcommandTable>> = {
  status: STATUS,
  diff: DIFF,
  log: LOG,
  show: LOG,
  branch: BRANCH,
  remote: REMOTE,
  tag: TAG,
  "rev-parse": REV_PARSE,
  describe: DESCRIBE,
  shortlog: SHORTLOG,
  "ls-files": LS_FILES,
  "ls-tree": LS_TREE,
  "cat-file": CAT_FILE,
  blame: BLAME,
  reflog: REFLOG,
  add: ADD,
  commit: COMMIT,
  checkout: CHECKOUT,
  switch: SWITCH,
  merge: MERGE,
  rebase: REBASE,
  stash: STASH,
  "cherry-pick": CHERRY_PICK,
  reset: RESET,
  revert: REVERT,
  fetch: FETCH,
  pull: PULL,
  push: PUSH,
  restore: RESTORE,
  rm: RM,
  mv: MV,
  init: INIT,
  clone: CLONE,
  worktree: WORKTREE,
  submodule: SUBMODULE,
  notes: NOTES,
  bisect: BISECT,
  apply: APPLY,
  am: AM,
  clean: CLEAN,
};
