/** Judges the subcommands that add, move and remove files: `add`, `rm`, `mv`, `clean`. */
import { pathspecs, unguardedPathspecs } from "../../kinds/pathspecs.ts";
import { destructive, dryRun, optionTable, refused, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands, type CommandTable, has, hasNo, valuesOf } from "../../table/command-table.ts";
import { newPath, type Place } from "../../table/place.ts";
import { type Judgement, joinJudgements, judgeEach, judgementOf } from "../../verdicts/judgement.ts";
import { destroys } from "../../verdicts/verdict.ts";
import { PATHSPEC_FILE_OPTIONS } from "../families/pathspec-options.ts";
import { NEEDS_TERMINAL } from "../families/reasons.ts";

export const ADD: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -v --[no-]verbose, -f --[no-]force, -u --[no-]update, --[no-]renormalize, -N --[no-]intent-to-add,
      -A --[no-]all, --[no-]ignore-removal, --[no-]refresh, --[no-]ignore-errors, --[no-]ignore-missing,
      --[no-]sparse, --[no-]chmod=, --[no-]warn-embedded-repo
    `),
    dryRun("-n --[no-]dry-run"),
    PATHSPEC_FILE_OPTIONS,
    refused(NEEDS_TERMINAL, "-i --[no-]interactive, -p --[no-]patch, -e --[no-]edit"),
  ),
  judge: pathspecs,
};

export const RM: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("-q --[no-]quiet, --[no-]cached, -r, --[no-]ignore-unmatch, --[no-]sparse"),
    dryRun("-n --[no-]dry-run"),
    PATHSPEC_FILE_OPTIONS,
    destructive(
      {
        rule: "rm.force",
        because: "deletes files with changes that are not committed",
        instead: "Commit them first, or use --cached to keep the file.",
      },
      "-f --[no-]force",
    ),
  ),
  judge: judgeRm,
};

/**
 * Git checks for changes before it deletes. It does not check a file in conflict, a file that it assumes unchanged,
 * or ignored files of a submodule.
 */
function judgeRm(call: GitCall, place: Place): Judgement {
  const fromFile = place.unguarded.length > 0 ? valuesOf(call, "pathspec-from-file") : [];
  const keepsFiles = has(call, "cached") && !hasNo(call, "cached");
  const [lost] = keepsFiles ? [] : [...unguardedPathspecs(call, place), ...fromFile];
  return joinJudgements(
    pathspecs(call, place),
    judgementOf(
      lost !== undefined &&
        destroys(`git rm ${lost}`, {
          rule: "rm.unguarded",
          because:
            "deletes a file in conflict or taken for unchanged with its changes, or a submodule with its ignored files",
          instead: "--cached only takes it out of the index.",
        }),
    ),
  );
}

export const MV: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("-v --[no-]verbose, -k, --[no-]sparse"),
    dryRun("-n --[no-]dry-run"),
    destructive(
      { rule: "mv.force", because: "overwrites the file that is there", instead: "Choose another name." },
      "-f --[no-]force",
    ),
  ),
  // Git moves a file into its own folder before it notices that the name is invalid.
  judge: (call, place) => judgeEach(allOperands(call), (text) => newPath(text, place)),
};

/** A setting of the repository decides whether `clean` needs `-f`. Only a dry run certainly deletes nothing. */
export const CLEAN: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("-q --[no-]quiet, -f --[no-]force, -d, -e= --[no-]exclude=, -x, -X"),
    dryRun("-n --[no-]dry-run"),
    refused(NEEDS_TERMINAL, "-i --[no-]interactive"),
  ),
  judge: pathspecs,
  loses: {
    rule: "clean.force",
    because: "deletes files that git does not hold",
    instead: "git clean -n shows what would go; git stash push -u puts files away.",
  },
};
