/** Judges `git reflog`, which only reads if it shows entries. */

import { revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { dryRun, optionTable, safe } from "../../parse/option-spec.ts";
import type { CommandTable, VerbTable } from "../../table/command-table.ts";
import { saying } from "../../verdicts/judgement.ts";
import { destroys } from "../../verdicts/verdict.ts";
import { LOG_OPTIONS } from "./history.ts";

const SHOW: CommandTable = { tier: "read", options: LOG_OPTIONS, judge: revisionsAndPathspecs };

/** Only these entries keep commits that a branch no longer holds. */
const LOSES: Pick<CommandTable, "tier" | "judge"> = {
  tier: "write",
  judge: ({ subcommand }) =>
    saying(
      destroys(`git ${subcommand}`, {
        rule: "reflog.expire",
        because: "forgets commits that nothing else may keep",
        instead: `git ${subcommand} --dry-run shows what would go.`,
      }),
    ),
};

const REWRITING = safe("--[no-]rewrite, --[no-]updateref, --[no-]verbose");
const DRY = dryRun("-n --[no-]dry-run");

export const REFLOG: VerbTable = {
  before: optionTable(),
  verbs: new Map<string, CommandTable>([
    ["show", SHOW],
    ["exists", { tier: "read", options: optionTable() }],
    ["list", { tier: "read", options: optionTable() }],
    [
      "expire",
      {
        ...LOSES,
        options: optionTable(
          REWRITING,
          DRY,
          safe("--expire=, --expire-unreachable=, --[no-]stale-fix, --[no-]all, --[no-]single-worktree"),
        ),
      },
    ],
    ["delete", { ...LOSES, options: optionTable(REWRITING, DRY) }],
    ["drop", { ...LOSES, options: optionTable(safe("--[no-]all, --[no-]single-worktree")) }],
  ]),
  plain: SHOW,
  open: true,
};
