/** Lists the table of each of the 40 subcommands. */
import type { GitSubcommand } from "../seed-lists.ts";
import type { SubcommandTable } from "./command-table.ts";
import { DIFF, LOG, SHORTLOG } from "./read/history.ts";
import { BLAME, CAT_FILE, LS_FILES, LS_TREE, STATUS } from "./read/state.ts";

export const SUBCOMMANDS: Partial<Readonly<Record<GitSubcommand, SubcommandTable>>> = {
  status: STATUS,
  diff: DIFF,
  log: LOG,
  show: LOG,
  shortlog: SHORTLOG,
  "ls-files": LS_FILES,
  "ls-tree": LS_TREE,
  "cat-file": CAT_FILE,
  blame: BLAME,
};
