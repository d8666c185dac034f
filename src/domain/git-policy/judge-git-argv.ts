/** Judges a command line that may be a call of git, for those who run any program but guard git. */
import { findGit } from "./argv/find-git.ts";
import { type GlobalOptions, readGlobalOptions } from "./argv/global-options.ts";
import { type CheckGitOptions, checkGitCommand } from "./check-git-command.ts";
import { pathFinding, placeOf } from "./kinds/place.ts";
import { isSingleCheckout } from "./single-checkout.ts";
import {
  destroys,
  type Finding,
  type GitVerdict,
  type Nature,
  UNKNOWN_NATURE,
  verdictOf,
} from "./verdict.ts";

/**
 * Null where the command line is no call of git. Recognised are git and the `git-*` programs by bare, absolute and
 * relative name, also behind `env`, `timeout` and their like; text that is given to a shell is not looked into.
 * `git` runs with the arguments as they are, so a `checkout` that could mean a branch or a file is refused here.
 */
export function judgeGitArgv(argv: readonly string[], options: CheckGitOptions): GitVerdict | null {
  const found = findGit(argv);
  if (found === null) return null;
  const global: GlobalOptions = found.takesGlobalOptions
    ? readGlobalOptions(found.words)
    : { rest: found.words, folders: [], findings: [], printsOnly: false };
  const folders = [...found.folders, ...global.folders];
  const against = [...found.findings, ...global.findings, ...foldersFindings(folders, options)];
  const { allowDestructive = false } = options;
  const refuse = (findings: readonly Finding[], nature: Nature) =>
    verdictOf(findings, nature, { allowDestructive });
  if (against.length > 0) return refuse(against, UNKNOWN_NATURE);
  if (global.printsOnly) return refuse([], { ...UNKNOWN_NATURE, tier: "read", paths: folders });
  const [subcommand, ...args] = global.rest;
  const { cwd = options.workspaceRoot } = options;
  const verdict = checkGitCommand(subcommand, args, { ...options, cwd: inFolders(cwd, folders) });
  const { tier, network, pathsFromTop } = verdict;
  const placed = (given: readonly string[]) => given.map((path) => inFolders("", [...folders, path]));
  const nature = {
    tier,
    network,
    paths: [...(folders.length === 0 ? [] : [inFolders("", folders)]), ...placed(verdict.paths)],
    newPaths: placed(verdict.newPaths),
    pathsFromTop,
  };
  if (verdict.verdict === "allow" && subcommand === "checkout" && isSingleCheckout(args))
    return refuse([ambiguousCheckout(args)], nature);
  return { ...verdict, ...nature };
}

/** Each relative to the one before, as `git -C a -C b` takes them. */
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
  // A workspace that is none is refused by the check itself.
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
