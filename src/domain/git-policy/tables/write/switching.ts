/** Judges the subcommands that change what is checked out: `checkout`, `switch`, `restore`, `reset`. */

import { pathspecs, revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { destructive, optionTable, path, refused, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { type CommandTable, has, hasNo } from "../../table/command-table.ts";
import type { Place } from "../../table/place.ts";
import { type Judgement, joinJudgements, judgementOf } from "../../verdicts/judgement.ts";
import { destroys } from "../../verdicts/verdict.ts";
import { PATHSPEC_FILE_OPTIONS } from "../families/pathspec-options.ts";
import {
  MERGES_INTO_CHANGES,
  NEEDS_TERMINAL,
  OVERWRITES_IGNORED,
  OVERWRITES_IN_SUBMODULES,
} from "../families/reasons.ts";

const DISCARDS = {
  rule: "checkout.force",
  because: "throws uncommitted changes away",
  instead: "Commit or stash the changes first.",
};

const RESETS_BRANCH = {
  rule: "checkout.reset-branch",
  because: "moves a branch that exists",
  instead: "Choose a new name.",
};

const TWICE_CHECKED_OUT = {
  rule: "checkout.other-worktrees",
  because: "checks out a branch that another worktree works on",
  instead: "Make a new branch, or --detach.",
};

const MOVING = optionTable(
  safe(`
    -q --[no-]quiet, --[no-]progress, -d --[no-]detach, -t[=] --[no-]track[=], --[no-]guess,
    --[no-]orphan=
  `),
  destructive(OVERWRITES_IN_SUBMODULES, "--[no-]recurse-submodules[=]"),
  destructive(MERGES_INTO_CHANGES, "-m --[no-]merge, --[no-]conflict="),
  destructive(OVERWRITES_IGNORED, "--[no-]overwrite-ignore"),
  destructive(TWICE_CHECKED_OUT, "--[no-]ignore-other-worktrees"),
);

const OVERWRITES_FILES = {
  rule: "checkout.paths",
  because: "overwrites files with another version of them",
  instead: "git stash push -- FILE keeps what is there; a branch alone is NAME --.",
};

export const CHECKOUT: CommandTable = {
  tier: "write",
  endOfOptions: false,
  options: optionTable(
    MOVING,
    safe("-b=, -l, --[no-]overlay"),
    destructive(DISCARDS, "-f --[no-]force"),
    destructive(RESETS_BRANCH, "-B="),
    destructive(
      OVERWRITES_FILES,
      "-2 --ours, -3 --theirs, --[no-]ignore-skip-worktree-bits, --[no-]pathspec-file-nul",
    ),
    path("--[no-]pathspec-from-file="),
    refused(NEEDS_TERMINAL, "-p --[no-]patch"),
  ),
  judge: judgeCheckout,
};

/**
 * One name is a branch. Several names, or one that can only be a file, overwrite files. The program that runs git
 * writes `NAME --`.
 */
function judgeCheckout(call: GitCall, place: Place): Judgement {
  const { operands, afterDashes } = call;
  const [first] = operands;
  const overwrites =
    operands.length > 1 ||
    afterDashes.length > 0 ||
    has(call, "pathspec-from-file") ||
    (first !== undefined && isFilePattern(first));
  return joinJudgements(
    revisionsAndPathspecs(call, place),
    judgementOf(
      overwrites && destroys(["git checkout", ...operands, ...afterDashes].join(" "), OVERWRITES_FILES),
    ),
  );
}

/** A name of this form is never a branch or commit. */
function isFilePattern(text: string): boolean {
  return (
    text === "." ||
    text === ".." ||
    /^(?:\.{1,2}\/|[/\\]|:)/.test(text) ||
    /[*?[\\]/.test(text) ||
    text.endsWith("/")
  );
}

export const SWITCH: CommandTable = {
  tier: "write",
  options: optionTable(
    MOVING,
    safe("-c= --[no-]create="),
    destructive(DISCARDS, "-f --[no-]force, --[no-]discard-changes"),
    destructive(RESETS_BRANCH, "-C= --[no-]force-create="),
  ),
};

export const RESTORE: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -s= --[no-]source=, -S --[no-]staged, -W --[no-]worktree, --[no-]ignore-unmerged, --[no-]overlay,
      -q --[no-]quiet, --[no-]recurse-submodules[=], --[no-]progress, -m --[no-]merge, --[no-]conflict=,
      -2 --ours, -3 --theirs, --[no-]ignore-skip-worktree-bits
    `),
    PATHSPEC_FILE_OPTIONS,
    refused(NEEDS_TERMINAL, "-p --[no-]patch"),
  ),
  judge: (call, place) => {
    const stagedOnly = has(call, "S") && !hasNo(call, "S") && !has(call, "W");
    return joinJudgements(
      pathspecs(call, place),
      judgementOf(
        !stagedOnly &&
          destroys("git restore", {
            rule: "restore.worktree",
            because: "overwrites files and throws their uncommitted changes away",
            instead:
              "git restore --staged only takes files out of the index; git stash push -- FILE keeps changes.",
          }),
      ),
    );
  },
};

export const RESET: CommandTable = {
  tier: "write",
  endOfOptions: false,
  options: optionTable(
    safe(`
      -q --[no-]quiet, --[no-]refresh, --mixed, --soft, -N --[no-]intent-to-add,
      --no-recurse-submodules
    `),
    PATHSPEC_FILE_OPTIONS,
    destructive(
      {
        rule: "reset.hard",
        because: "throws uncommitted changes away",
        instead: "--soft and --mixed keep the files; git stash keeps changes.",
      },
      "--hard, --merge, --keep, --recurse-submodules[=]",
    ),
    refused(NEEDS_TERMINAL, "-p --[no-]patch"),
  ),
  judge: revisionsAndPathspecs,
};

/**
 * Whether a checkout names one thing that git may take for a branch or for a file. False with `--`, for files (`.`),
 * and for a sure commit (`-b NEW START`, `--detach`, `--orphan`, `--track`).
 */
export function isSingleCheckout(call: GitCall): boolean {
  const [first = "-", ...others] = call.operands;
  return (
    call.subcommand === "checkout" &&
    others.length === 0 &&
    first !== "-" &&
    !isFilePattern(first) &&
    !call.dashes &&
    !has(call, "b", "d", "orphan", "t")
  );
}
