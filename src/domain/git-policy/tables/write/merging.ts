/** Judges the subcommands that join or replay commits: `merge`, `rebase`, `cherry-pick`, `revert`. */
import { destructive, optionTable, path, refused, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { dropsResolution, NEEDS_TERMINAL, OVERWRITES_IGNORED, RUNS_PROGRAM } from "../families/reasons.ts";
import {
  COMMIT_MAKING_OPTIONS,
  MERGE_OPTIONS,
  MERGING_OPTIONS,
  onlyShowsPatch,
} from "../families/sequence-options.ts";

export const MERGE: CommandTable = {
  tier: "write",
  options: optionTable(
    MERGE_OPTIONS,
    safe(`
      -e --[no-]edit, -m= --[no-]message=, --[no-]into-name=, -v --[no-]verbose, -q --[no-]quiet, --quit,
      --continue, --[no-]progress
    `),
    path("-F= --file="),
    destructive(dropsResolution("merge"), "--abort"),
    destructive(OVERWRITES_IGNORED, "--[no-]overwrite-ignore"),
  ),
};

export const REBASE: CommandTable = {
  tier: "write",
  readsWhen: onlyShowsPatch,
  options: optionTable(
    MERGING_OPTIONS,
    safe(`
      --[no-]onto=, --[no-]keep-base, --[no-]verify, -q --[no-]quiet, -v --[no-]verbose, -n --[no-]stat,
      --[no-]trailer=, --[no-]committer-date-is-author-date, --[no-]reset-author-date,
      --[no-]ignore-date, -C=, --[no-]ignore-whitespace, --[no-]whitespace=, -f --[no-]force-rebase,
      --[no-]ff, --continue, --quit, --show-current-patch, --apply, -m --merge, --empty=,
      -k --[no-]keep-empty, --[no-]autosquash, --[no-]update-refs, --[no-]autostash,
      -r[=] --[no-]rebase-merges[=], --[no-]fork-point, --[no-]root, --[no-]reschedule-failed-exec,
      --[no-]reapply-cherry-picks, --[no-]allow-empty-message
    `),
    destructive(dropsResolution("rebase"), "--abort, --skip"),
    refused(RUNS_PROGRAM, "-x= --[no-]exec="),
    refused(NEEDS_TERMINAL, "-i --interactive, --edit-todo"),
  ),
};

const PICKING = safe(`
  --quit, --continue, -n --no-commit, --commit, -e --[no-]edit, -s --[no-]signoff, -m= --[no-]mainline=
`);

export const CHERRY_PICK: CommandTable = {
  tier: "write",
  options: optionTable(
    COMMIT_MAKING_OPTIONS,
    PICKING,
    safe("-x, -r, --[no-]ff, --[no-]allow-empty, --[no-]allow-empty-message"),
    safe(
      "--[no-]keep-redundant-commits",
      // Stuck only: an older git passes unknown options on to the options of git log.
      "--empty=!",
    ),
    destructive(dropsResolution("cherry-pick"), "--abort, --skip"),
  ),
};

export const REVERT: CommandTable = {
  tier: "write",
  options: optionTable(
    COMMIT_MAKING_OPTIONS,
    PICKING,
    safe("--[no-]reference"),
    destructive(dropsResolution("revert"), "--abort, --skip"),
  ),
};
