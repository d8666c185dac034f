/** Judges `git commit`; an amended commit stays in the reflog of its branch. */
import { pathspecs } from "../../kinds/pathspecs.ts";
import { dryRun, optionTable, path, refused, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { PATHSPEC_FILE_OPTIONS } from "../families/pathspec-options.ts";
import { NEEDS_TERMINAL } from "../families/reasons.ts";

export const COMMIT: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -q --[no-]quiet, -v --[no-]verbose, --[no-]author=, --[no-]date=, -m= --[no-]message=,
      -c= --[no-]reedit-message=, -C= --[no-]reuse-message=, --[no-]fixup=, --[no-]squash=,
      --[no-]reset-author, --[no-]trailer=, -s --[no-]signoff, -e --[no-]edit, --[no-]cleanup=,
      --[no-]status, -S[=] --[no-]gpg-sign[=], -a --[no-]all, -i --[no-]include, -o --[no-]only,
      -n --[no-]verify, --[no-]short, --[no-]branch, --[no-]ahead-behind, --[no-]porcelain, --[no-]long,
      -z --[no-]null, --[no-]amend, --[no-]post-rewrite, -u[=] --[no-]untracked-files[=],
      --[no-]allow-empty, --[no-]allow-empty-message
    `),
    PATHSPEC_FILE_OPTIONS,
    dryRun("--[no-]dry-run"),
    path("-F= --[no-]file=, -t= --[no-]template="),
    refused(NEEDS_TERMINAL, "--[no-]interactive, -p --[no-]patch"),
  ),
  judge: pathspecs,
};
