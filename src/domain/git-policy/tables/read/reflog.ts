/** Judges `git reflog`, which only reads if it shows entries. */
import { revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { dryRun, optionTable, safe } from "../../parse/option-spec.ts";
import { type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import { LOG_OPTIONS } from "./history.ts";

const SHOW: CommandTable = { tier: "read", options: LOG_OPTIONS, judge: revisionsAndPathspecs };

/** Only these entries keep commits that a branch no longer holds. */
function loses(verb: string): Pick<CommandTable, "tier" | "loses"> {
  const because = "forgets commits that nothing else may keep";
  const instead = `git reflog ${verb} --dry-run shows what would go.`;
  return { tier: "write", loses: { rule: "reflog.expire", because, instead } };
}

const REWRITING = safe("--[no-]rewrite, --[no-]updateref, --[no-]verbose");
const DRY = dryRun("-n --[no-]dry-run");
const EXPIRING = safe(
  "--expire=, --expire-unreachable=, --[no-]stale-fix, --[no-]all, --[no-]single-worktree",
);

export const REFLOG: VerbTable = {
  before: optionTable(),
  verbs: verbs({
    show: SHOW,
    exists: { tier: "read", options: optionTable() },
    list: { tier: "read", options: optionTable() },
    expire: { ...loses("expire"), options: optionTable(REWRITING, DRY, EXPIRING) },
    delete: { ...loses("delete"), options: optionTable(REWRITING, DRY) },
    drop: { ...loses("drop"), options: optionTable(safe("--[no-]all, --[no-]single-worktree")) },
  }),
  plain: SHOW,
  open: true,
};
