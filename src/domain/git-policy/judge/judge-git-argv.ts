/** Judges a command line that may be a call of git, for callers that run any program but guard git. */
import { err, ok } from "neverthrow";
import { type FoundGit, findGit } from "../argv/find-git.ts";
import type { GitCall } from "../parse/parse-call.ts";
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
import { type JudgedGitCommand, judgeGitCommand, UNREAD } from "./check-git-command.ts";
import { type CheckGitOptions, isTexts, readOptions } from "./check-options.ts";

/**
 * Null if the command line is not a call of git. It recognises git and the `git-*` programs by bare, absolute and
 * relative name, also after `env`, `timeout` and similar programs. It does not read text for a shell. `git` runs
 * with the given arguments, so a `checkout` that could mean a branch or a file is refused here.
 */
export function judgeGitArgv(argv: readonly string[], given: CheckGitOptions): GitVerdict | null {
  const read = readOptions(given).andThen((options) => (isTexts(argv) ? ok(options) : err(noCommand())));
  if (read.isErr()) return verdictOf([read.error], UNKNOWN_NATURE, { allowDestructive: false });
  const found = findGit(argv);
  if (found === null) return null;
  const { verdict, call } = judgeFoundGit(found, read.value);
  if (verdict.verdict !== "allow" || !isSingleCheckout(call)) return verdict;
  const { tier, network, paths, newPaths, pathsFromTop } = verdict;
  return verdictOf([ambiguousCheckout(call)], { tier, network, paths, newPaths, pathsFromTop }, read.value);
}

/** Judges a call that was found. As after `checkGitCommand`, git must get `checkout NAME` as `checkout NAME --`. */
export function judgeFoundGit(found: FoundGit, options: CheckGitOptions): JudgedGitCommand {
  const { words, folders, printsOnly } = found;
  const { workspaceRoot, cwd = workspaceRoot, allowDestructive = false } = options;
  const refuse = (findings: readonly Finding[], nature: Nature) => ({
    verdict: verdictOf(findings, nature, { allowDestructive }),
    call: UNREAD,
  });
  const against = [...found.findings, ...foldersFindings(folders, { workspaceRoot, cwd })];
  if (against.length > 0) return refuse(against, UNKNOWN_NATURE);
  if (printsOnly) return refuse([], { ...UNKNOWN_NATURE, tier: "read", paths: folders });
  const [subcommand, ...args] = words;
  const { verdict, call } = judgeGitCommand(subcommand, args, { ...options, cwd: inFolders(cwd, folders) });
  const placed = (given: readonly string[]) => given.map((path) => inFolders("", [...folders, path]));
  const paths = [...(folders.length === 0 ? [] : [inFolders("", folders)]), ...placed(verdict.paths)];
  return { verdict: frozen({ ...verdict, paths, newPaths: placed(verdict.newPaths) }), call };
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
  { workspaceRoot, cwd }: { readonly workspaceRoot: string; readonly cwd: string },
): readonly Finding[] {
  if (folders.length === 0) return [];
  const place = placeOf(workspaceRoot, cwd);
  // If the workspace is not valid, the check itself refuses it.
  if (place === null) return [];
  return folders.flatMap((folder, at) => {
    const finding = pathFinding(place, `-C ${folder}`, inFolders("", folders.slice(0, at + 1)));
    return finding === null ? [] : [finding];
  });
}

function ambiguousCheckout({ pieces }: GitCall): Finding {
  return destroys(["git checkout", ...pieces.flatMap(({ words }) => words)].join(" "), {
    rule: "checkout.ambiguous",
    because: "can mean a branch or a file, and a file would be overwritten",
    instead: "Use git switch NAME, or git checkout NAME -- for a branch.",
  });
}
