/** Judges the verbs of `git notes`. */
import {
  among,
  destructive,
  dryRun,
  optionTable,
  pathFromTop,
  refused,
  safe,
} from "../../parse/option-spec.ts";
import { type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import { dropsResolution, INTERNAL, NEEDS_TERMINAL, READS_STDIN } from "../families/reasons.ts";

const FORCE = destructive(
  {
    rule: "notes.force",
    because: "replaces a note that is there",
    instead: "git notes append adds to it.",
  },
  "-f --[no-]force",
);

const WRITING = [
  ...safe(`
    -m= --message=, -C= --reuse-message=, -c= --reedit-message=, --[no-]allow-empty, --[no-]separator[=],
    --[no-]stripspace, -e --[no-]edit
  `),
  ...pathFromTop("-F= --file="),
];

const LISTS: CommandTable = { tier: "read", options: optionTable() };

const REMOVE: CommandTable = {
  tier: "write",
  options: optionTable(safe("--[no-]ignore-missing"), refused(READS_STDIN, "--[no-]stdin")),
  loses: { rule: "notes.remove", because: "deletes notes", instead: "Append to them." },
};

const PRUNE: CommandTable = {
  tier: "write",
  options: optionTable(safe("-v --[no-]verbose"), dryRun("-n --[no-]dry-run")),
  loses: { rule: "notes.remove", because: "deletes notes", instead: "git notes prune -n shows which." },
};

const MERGE: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("-v --[no-]verbose, -q --[no-]quiet, --commit"),
    among(["manual", "ours", "theirs", "union", "cat_sort_uniq"], "-s= --[no-]strategy="),
    destructive(dropsResolution("notes merge"), "--abort"),
  ),
};

export const NOTES: VerbTable = {
  before: optionTable(safe("--[no-]ref=")),
  verbs: verbs({
    list: LISTS,
    show: LISTS,
    "get-ref": LISTS,
    add: { tier: "write", options: optionTable(WRITING, FORCE) },
    append: { tier: "write", options: optionTable(WRITING) },
    copy: {
      tier: "write",
      options: optionTable(
        FORCE,
        refused(READS_STDIN, "--[no-]stdin"),
        refused(INTERNAL, "--[no-]for-rewrite="),
      ),
    },
    edit: { refused: { ...NEEDS_TERMINAL, instead: "Use git notes append -m TEXT." } },
    merge: MERGE,
    remove: REMOVE,
    prune: PRUNE,
  }),
  plain: LISTS,
};
