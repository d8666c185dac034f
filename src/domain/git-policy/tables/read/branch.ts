/** Judges `git branch`, which only reads if it lists. */

import { destructive, optionTable, refused, safe, writing } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands, type CommandTable, has } from "../../table/command-table.ts";
import { type Judgement, judgementOf } from "../../verdicts/judgement.ts";
import { destroys } from "../../verdicts/verdict.ts";
import { choosesFromList, LIST_OPTIONS } from "../families/list-options.ts";
import { NEEDS_TERMINAL } from "../families/reasons.ts";

const SHOWS = safe(`
  -v --[no-]verbose, -q --[no-]quiet, --[no-]abbrev[=], -r --[no-]remotes, -a --[no-]all, -l --[no-]list,
  --[no-]show-current
`);

const CHANGES = writing(`
  -t[=] --[no-]track[=], -u= --[no-]set-upstream-to=, --[no-]unset-upstream, -d --[no-]delete,
  -m --[no-]move, -c --[no-]copy, --[no-]create-reflog, --[no-]recurse-submodules
`);

const LOSES = [
  ...destructive(
    {
      rule: "branch.delete",
      because: "deletes a branch even if its commits are nowhere else",
      instead: "git branch -d deletes only what is merged.",
    },
    "-D",
  ),
  ...destructive(
    {
      rule: "branch.force",
      because: "moves or deletes a branch whose commits may be nowhere else",
      instead: "Choose a new name, or git branch -d for what is merged.",
    },
    "-f --[no-]force, -M, -C",
  ),
];

export const BRANCH: CommandTable = {
  tier: "read",
  options: optionTable(LIST_OPTIONS, SHOWS, CHANGES, LOSES, refused(NEEDS_TERMINAL, "--edit-description")),
  writesWhen: (call) => allOperands(call).length > 0 && !choosesFromList(call),
  judge: judgeBranch,
};

/** Git deletes a remote-tracking branch without any check. */
function judgeBranch(call: GitCall): Judgement {
  const deletesTracking = has(call, "d") && has(call, "r", "a");
  return judgementOf(
    deletesTracking &&
      destroys("branch -d -r", {
        rule: "branch.delete-remote",
        because: "deletes a remote-tracking branch without asking whether it is merged",
        instead: "git fetch --prune removes those that the remote no longer has.",
      }),
  );
}
