/** Judges the subcommands that show history and differences: `log`, `show`, `diff`, `shortlog`. */
import { diffOperands, revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { optionTable, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { DIFF_OPTIONS } from "../families/diff-options.ts";
import { REVISION_OPTIONS } from "../families/revision-options.ts";

/** Options of `git log` and `git show` beside the two families. */
export const LOG_OPTIONS = optionTable(
  DIFF_OPTIONS,
  REVISION_OPTIONS,
  safe(`
    -q, -L=, --source, --no-source, --[no-]use-mailmap, --[no-]mailmap, --[no-]decorate[=],
    --[no-]decorate-refs=, --[no-]decorate-refs-exclude=, --[no-]clear-decorations, --root, --full-diff
  `),
);

export const LOG: CommandTable = { tier: "read", options: LOG_OPTIONS, judge: revisionsAndPathspecs };

export const DIFF: CommandTable = {
  tier: "read",
  options: optionTable(
    DIFF_OPTIONS,
    safe("--cached --staged, --merge-base, -0, -1 --base, -2 --ours, -3 --theirs, -q, --no-color"),
  ),
  judge: diffOperands,
};

export const SHORTLOG: CommandTable = {
  tier: "read",
  options: optionTable(
    REVISION_OPTIONS,
    safe(`
      -c --[no-]committer, -n --[no-]numbered, -s --[no-]summary, -e --[no-]email, -w[=], --[no-]group=
    `),
  ),
  judge: revisionsAndPathspecs,
};
