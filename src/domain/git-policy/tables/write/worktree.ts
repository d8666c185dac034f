/** Judges the verbs of `git worktree`. */
import { files } from "../../kinds/pathspecs.ts";
import { destructive, dryRun, optionTable, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands, type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import { newPath } from "../../table/place.ts";
import { type Judgement, joinJudgements, judgeEach, judgementOf } from "../../verdicts/judgement.ts";
import { never } from "../../verdicts/verdict.ts";

const FORCES = {
  rule: "worktree.force",
  because: "overrides what protects another worktree",
  instead: "Leave it out and read what git says.",
};

const ADD: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -b=, -d --[no-]detach, --[no-]checkout, --[no-]lock, --[no-]reason=, -q --[no-]quiet, --[no-]track,
      --[no-]guess-remote, --[no-]orphan, --[no-]relative-paths
    `),
    destructive(FORCES, "-f --[no-]force"),
    destructive(
      {
        rule: "worktree.reset-branch",
        because: "moves a branch that exists",
        instead: "Use -b with a new name.",
      },
      "-B=",
    ),
  ),
  judge: (call, place) => judgeEach(allOperands(call).slice(0, 1), (folder) => newPath(folder, place)),
};

const MOVE: CommandTable = {
  tier: "write",
  options: optionTable(safe("--[no-]relative-paths"), destructive(FORCES, "-f --[no-]force")),
  judge: (call, place) =>
    joinJudgements(
      files(call, place),
      refuseBareName(call),
      judgeEach(allOperands(call).slice(1), (to) => newPath(to, place)),
    ),
};

const REMOVE: CommandTable = {
  tier: "write",
  options: optionTable(destructive(FORCES, "-f --[no-]force")),
  judge: files,
  loses: {
    rule: "worktree.remove",
    because: "deletes the worktree's ignored files and the log of what it had checked out",
    instead: "git worktree lock keeps it; git worktree list shows what there is.",
  },
};

/** Refuses a bare name: for git it may be the end of the path of any worktree. `remove` is checked when it runs. */
function refuseBareName(call: GitCall): Judgement {
  const [worktree = "./"] = allOperands(call);
  const isPath = /^(?:\.{1,2}[\\/]|[\\/]|[a-zA-Z]:[\\/])/.test(worktree);
  return judgementOf(
    !isPath &&
      never(worktree, {
        rule: "worktree.by-name",
        because: "may be the name of a worktree elsewhere",
        instead: `Write ./${worktree} for a folder here.`,
      }),
  );
}

const PRUNE: CommandTable = {
  tier: "write",
  options: optionTable(safe("-v --[no-]verbose, --[no-]expire="), dryRun("-n --[no-]dry-run")),
  loses: {
    rule: "worktree.prune",
    because: "forgets worktrees whose folders are missing, with the commits that only they had checked out",
    instead: "git worktree prune -n shows what would go.",
  },
};

export const WORKTREE: VerbTable = {
  before: optionTable(),
  verbs: verbs({
    list: {
      tier: "read",
      options: optionTable(safe("--[no-]porcelain, -v --[no-]verbose, --[no-]expire=, -z")),
    },
    add: ADD,
    lock: { tier: "write", options: optionTable(safe("--[no-]reason=")), judge: files },
    unlock: { tier: "write", options: optionTable(), judge: files },
    move: MOVE,
    remove: REMOVE,
    prune: PRUNE,
    repair: { tier: "write", options: optionTable(safe("--[no-]relative-paths")), judge: files },
  }),
  plain: null,
};
