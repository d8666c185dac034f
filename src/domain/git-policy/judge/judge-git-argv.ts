/** Judges a command line that may be a call of git, for callers that run any program but guard git. */
import { err, ok } from "neverthrow";
import { findGit } from "../argv/find-git.ts";
import { type GlobalOptions, readGlobalOptions } from "../argv/global-options.ts";
import { pathFinding, placeOf } from "../table/place.ts";
import { isSingleCheckout } from "../tables/write/switching.ts";
import {
  destroys,
  type Finding,
  frozen,
  type GitVerdict,
  type Nature,
  never,
  UNKNOWN_NATURE,
  verdictOf,
} from "../verdicts/verdict.ts";
import { type JudgedGitCommand, judgeGitCommand } from "./check-git-command.ts";
import { type CheckGitOptions, isTexts, readOptions } from "./check-options.ts";

/**
 * Null if the command line is not a call of git. It recognises git and the `git-*` programs by bare, absolute and
 * relative name, also after `env`, `timeout` and similar programs. It does not read text for a shell. `git` runs
 * with the given arguments, so a `checkout` that could mean a branch or a file is refused here.
 */
export function judgeGitArgv(argv: readonly string[], given: CheckGitOptions): GitVerdict | null {
  return judgeArgv(argv, given)?.verdict ?? null;
}

/** The same verdict with the parsed call, for those who judge the call further. */
export function judgeArgv(argv: readonly string[], given: CheckGitOptions): JudgedGitCommand | null {
  const read = readOptions(given).andThen((options) => (isTexts(argv) ? ok(options) : err(noCommand())));
  if (read.isErr())
    return { verdict: verdictOf([read.error], UNKNOWN_NATURE, { allowDestructive: false }), call: null };
  const options = read.value;
  const found = findGit(argv);
  if (found === null) return null;
  const global: GlobalOptions = found.takesGlobalOptions
    ? readGlobalOptions(found.words)
    : { rest: found.words, folders: [], findings: [], printsOnly: false };
  const folders = [...found.folders, ...global.folders];
  const against = [...found.findings, ...global.findings, ...foldersFindings(folders, options)];
  const { allowDestructive = false } = options;
  const refuse = (findings: readonly Finding[], nature: Nature) => ({
    verdict: verdictOf(findings, nature, { allowDestructive }),
    call: null,
  });
  if (against.length > 0) return refuse(against, UNKNOWN_NATURE);
  if (global.printsOnly) return refuse([], { ...UNKNOWN_NATURE, tier: "read", paths: folders });
  const [subcommand, ...args] = global.rest;
  const { cwd = options.workspaceRoot } = options;
  const { verdict, call } = judgeGitCommand(subcommand, args, { ...options, cwd: inFolders(cwd, folders) });
  const { tier, network, pathsFromTop } = verdict;
  const placed = (given: readonly string[]) => given.map((path) => inFolders("", [...folders, path]));
  const nature = {
    tier,
    network,
    paths: [...(folders.length === 0 ? [] : [inFolders("", folders)]), ...placed(verdict.paths)],
    newPaths: placed(verdict.newPaths),
    pathsFromTop,
  };
  if (verdict.verdict === "allow" && call !== null && isSingleCheckout(call))
    return refuse([ambiguousCheckout(args)], nature);
  return { verdict: frozen({ ...verdict, ...nature }), call };
}

/** An invalid argv must not count as "not a call of git", because it might then be run. */
function noCommand(): Finding {
  return never("argv", { rule: "argv.invalid", because: "must be a list of strings" }, "INVALID_ARGUMENT");
}

/** Each folder is relative to the one before, as in `git -C a -C b`. */
function inFolders(start: string, folders: readonly string[]): string {
  return folders.reduce((from, folder) => {
    if (from === "" || /^[\\/]|^[a-zA-Z]:/.test(folder)) return folder;
    return `${from}/${folder}`;
  }, start);
}

function foldersFindings(
  folders: readonly string[],
  { workspaceRoot, cwd }: CheckGitOptions,
): readonly Finding[] {
  if (folders.length === 0) return [];
  const place = placeOf(workspaceRoot, cwd ?? workspaceRoot);
  // If the workspace is not valid, the check itself refuses it.
  if (place === null) return [];
  return folders.flatMap((folder, at) => {
    const finding = pathFinding(place, `-C ${folder}`, inFolders("", folders.slice(0, at + 1)));
    return finding === null ? [] : [finding];
  });
}

function ambiguousCheckout(args: readonly string[]): Finding {
  return destroys(`git checkout ${args.join(" ")}`, {
    rule: "checkout.ambiguous",
    because: "can mean a branch or a file, and a file would be overwritten",
    instead: "Use git switch NAME, or git checkout NAME -- for a branch.",
  });
}
