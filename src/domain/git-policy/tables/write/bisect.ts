/** Judges the verbs of `git bisect`. */
import { revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { optionTable, safe } from "../../parse/option-spec.ts";
import type { CommandTable, VerbTable } from "../../table/command-table.ts";
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

export const BISECT: VerbTable = {
  before: optionTable(),
  verbs: new Map<string, CommandTable | { readonly refused: Why }>([
    ["start", START],
    ...["bad", "new", "good", "old", "skip", "reset"].map((verb) => [verb, REVISIONS] as const),
    [
      "terms",
      {
        ...REVISIONS,
        tier: "read",
        options: optionTable(safe("--term-good, --term-old, --term-bad, --term-new")),
      },
    ],
    ["next", REVISIONS],
    ["log", { ...REVISIONS, tier: "read" }],
    ["run", { refused: RUNS }],
    ["replay", { refused: RUNS }],
    ["visualize", { refused: { ...RUNS, rule: "bisect.visualize", because: "opens a window or a pager" } }],
    ["view", { refused: { ...RUNS, rule: "bisect.visualize", because: "opens a window or a pager" } }],
  ]),
  plain: null,
};
