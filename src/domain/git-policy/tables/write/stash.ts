/** Judges the verbs of `git stash`; a stash stays until it is dropped. */
import { pathspecs } from "../../kinds/pathspecs.ts";
import { optionTable, refused, safe } from "../../parse/option-spec.ts";
import { type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import { DIFF_OPTIONS } from "../families/diff-options.ts";
import { PATHSPEC_FILE_OPTIONS } from "../families/pathspec-options.ts";
import { NEEDS_TERMINAL } from "../families/reasons.ts";
import { LOG_OPTIONS } from "../read/history.ts";

const PUTTING_AWAY = safe(`
  -k --[no-]keep-index, -S --[no-]staged, -q --[no-]quiet, -u --[no-]include-untracked, -a --[no-]all,
  -m= --[no-]message=
`);
const PICKING = refused(NEEDS_TERMINAL, "-p --[no-]patch");

const PUSH: CommandTable = {
  tier: "write",
  endOfOptions: false,
  options: optionTable(PUTTING_AWAY, PATHSPEC_FILE_OPTIONS, PICKING),
  judge: pathspecs,
};

const TAKING: CommandTable = {
  tier: "write",
  options: optionTable(safe("--[no-]index, -q --[no-]quiet")),
};

const LOSES: CommandTable = {
  tier: "write",
  options: optionTable(safe("-q --[no-]quiet")),
  loses: {
    rule: "stash.drop",
    because: "deletes changes that were put away",
    instead: "git stash apply takes them out and keeps the entry.",
  },
};

export const STASH: VerbTable = {
  before: optionTable(),
  verbs: verbs({
    list: { tier: "read", options: LOG_OPTIONS },
    show: {
      tier: "read",
      options: optionTable(DIFF_OPTIONS, safe("-u --[no-]include-untracked, --only-untracked")),
    },
    push: PUSH,
    save: { tier: "write", endOfOptions: false, options: optionTable(PUTTING_AWAY, PICKING) },
    pop: TAKING,
    apply: TAKING,
    branch: { tier: "write", options: optionTable() },
    create: { tier: "write", options: optionTable() },
    store: { tier: "write", options: optionTable(safe("-m= --[no-]message=, -q --[no-]quiet")) },
    drop: LOSES,
    clear: LOSES,
  }),
  plain: PUSH,
};
