/** Judges the subcommands that show files and objects: `status`, `ls-files`, `ls-tree`, `cat-file`, `blame`. */
import { pathspecs, revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { among, optionTable, pathFromTop, refused, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { DIFF_OPTIONS } from "../families/diff-options.ts";
import { REVISION_OPTIONS } from "../families/revision-options.ts";

export const STATUS: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      -v --[no-]verbose, -s --[no-]short, -b --[no-]branch, --[no-]show-stash, --[no-]ahead-behind,
      --[no-]porcelain[=], --[no-]long, -z --[no-]null, -u[=] --[no-]untracked-files[=],
      --[no-]ignored[=], --[no-]ignore-submodules[=], --[no-]column[=], --[no-]renames,
      -M[=] --[no-]find-renames[=]
    `),
  ),
  judge: pathspecs,
};

export const LS_FILES: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      -z, -t, -v, -f, -c --[no-]cached, -d --[no-]deleted, -m --[no-]modified, -o --[no-]others,
      -i --[no-]ignored, -s --[no-]stage, -k --[no-]killed, --[no-]directory, --[no-]eol,
      --[no-]empty-directory, -u --[no-]unmerged, --[no-]resolve-undo, -x= --exclude=,
      --exclude-standard, --full-name, --[no-]recurse-submodules, --[no-]error-unmatch,
      --[no-]with-tree=, --[no-]abbrev[=], --[no-]debug, --[no-]deduplicate, --[no-]sparse,
      --[no-]format=
    `),
    pathFromTop("-X= --exclude-from="),
    // Git reads this file in every folder from the top on. A free name would show files above the workspace.
    among([".gitignore"], "--exclude-per-directory="),
  ),
  judge: pathspecs,
};

export const LS_TREE: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      -d, -r, -t, -z, -l --long, --name-only, --name-status, --object-only, --[no-]full-name,
      --[no-]full-tree, --[no-]format=, --[no-]abbrev[=]
    `),
  ),
  judge: revisionsAndPathspecs,
};

export const CAT_FILE: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      -e, -p, -t, -s, -z, -Z, --[no-]allow-unknown-type, --[no-]use-mailmap, --[no-]mailmap, --batch[=],
      --batch-check[=], --batch-command[=], --batch-all-objects, --[no-]buffer, --[no-]follow-symlinks,
      --[no-]unordered, --[no-]filter=
    `),
    refused(
      { rule: "option.program", because: "runs a configured program", instead: "Use cat-file -p." },
      "--textconv, --filters, --path=",
    ),
  ),
};

export const BLAME: CommandTable = {
  tier: "read",
  options: optionTable(
    DIFF_OPTIONS,
    REVISION_OPTIONS,
    safe(`
      --[no-]incremental, -b, --[no-]root, --[no-]show-stats, --[no-]progress, --[no-]score-debug,
      -f --[no-]show-name, -n --[no-]show-number, -p --[no-]porcelain, --[no-]line-porcelain, -c, -t, -l,
      -s, -e --[no-]show-email, -w, --[no-]ignore-rev=, --[no-]color-lines, --[no-]color-by-age,
      --[no-]minimal, -C[=], -M[=], -L=, --[no-]abbrev[=], --reverse, -h
    `),
    pathFromTop("--[no-]ignore-revs-file=, -S=, --[no-]contents="),
  ),
  judge: revisionsAndPathspecs,
};
