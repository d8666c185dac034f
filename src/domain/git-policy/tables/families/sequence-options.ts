/** Holds the options of those that make commits out of commits: `merge`, `rebase`, `cherry-pick`, `revert`. */
import { among, optionTable, safe } from "../../parse/option-spec.ts";

/** Any other name would run `git-merge-NAME`. */
export const MERGE_STRATEGIES = ["ort", "recursive", "resolve", "octopus", "ours", "subtree"];

/** Signing, messages and conflicts. */
export const COMMIT_MAKING_OPTIONS = optionTable(
  safe(
    "-S[=] --[no-]gpg-sign[=]",
    "--[no-]signoff",
    "--[no-]cleanup=",
    "-X= --[no-]strategy-option=",
    "--[no-]rerere-autoupdate",
  ),
  among(MERGE_STRATEGIES, "--[no-]strategy="),
);
