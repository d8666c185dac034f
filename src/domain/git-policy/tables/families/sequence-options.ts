/** Holds the options of subcommands that make commits from commits: `merge`, `rebase`, `cherry-pick`, `revert`. */
import { among, optionTable, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands } from "../../table/command-table.ts";

/** Any other name would run `git-merge-NAME`. */
const MERGE_STRATEGIES = ["ort", "recursive", "resolve", "octopus", "ours", "subtree"];

/** Signing, messages and conflicts. */
export const COMMIT_MAKING_OPTIONS = optionTable(
  safe(`
    -S[=] --[no-]gpg-sign[=], --[no-]signoff, --[no-]cleanup=, -X= --[no-]strategy-option=,
    --[no-]rerere-autoupdate
  `),
  among(MERGE_STRATEGIES, "--[no-]strategy="),
);

/** The same with the short name of the strategy, which `cherry-pick` and `revert` do not take. */
export const MERGING_OPTIONS = optionTable(
  COMMIT_MAKING_OPTIONS,
  among(MERGE_STRATEGIES, "-s= --[no-]strategy="),
);

/** What `merge` and `pull` share beside those. */
export const MERGE_OPTIONS = optionTable(
  MERGING_OPTIONS,
  safe(`
    -n, --[no-]stat, --[no-]summary, --[no-]compact-summary, --[no-]log[=], --[no-]squash, --[no-]commit,
    --[no-]edit, --[no-]ff, --ff-only, --[no-]verify, --[no-]verify-signatures, --[no-]autostash,
    --[no-]allow-unrelated-histories
  `),
);

/** Whether a call of `am` or `rebase` only asks for the patch at which it stopped. */
export function onlyShowsPatch(call: GitCall): boolean {
  const [first, ...others] = call.options;
  return first?.spec.id === "show-current-patch" && others.length + allOperands(call).length === 0;
}
