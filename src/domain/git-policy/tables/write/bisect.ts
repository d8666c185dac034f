/** Judges the verbs of `git bisect`. */
import { revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { optionTable, safe } from "../../parse/option-spec.ts";
import { type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import type { Why } from "../../verdicts/verdict.ts";

const REVISIONS: CommandTable = {
  tier: "write",
  endOfOptions: false,
  options: optionTable(),
  judge: revisionsAndPathspecs,
};

const START: CommandTable = {
  ...REVISIONS,
  options: optionTable(
    safe("--term-new=, --term-bad=, --term-old=, --term-good=, --no-checkout, --first-parent"),
  ),
};

const RUNS: Why = {
  rule: "bisect.run",
  because: "runs a command that the arguments or a file name",
  instead: "Check each step yourself and say git bisect good or git bisect bad.",
};

const OPENS: Why = { ...RUNS, rule: "bisect.visualize", because: "opens a window or a pager" };

export const BISECT: VerbTable = {
  before: optionTable(),
  verbs: verbs({
    start: START,
    bad: REVISIONS,
    new: REVISIONS,
    good: REVISIONS,
    old: REVISIONS,
    skip: REVISIONS,
    reset: REVISIONS,
    terms: {
      ...REVISIONS,
      tier: "read",
      options: optionTable(safe("--term-good, --term-old, --term-bad, --term-new")),
    },
    next: REVISIONS,
    log: { ...REVISIONS, tier: "read" },
    run: { refused: RUNS },
    replay: { refused: RUNS },
    visualize: { refused: OPENS },
    view: { refused: OPENS },
  }),
  plain: null,
};
