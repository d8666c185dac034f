/** Finds files that `git stash` would remove without keeping them. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { allOperands, has } from "../../../domain/git-policy/table/command-table.ts";
import type { ToolContext } from "../../core/context.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import { assumedOf, filesOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";

interface Place {
  readonly context: ToolContext;
  readonly cwd: string;
}

/** The first file that would be lost, or null. */
export function stashLoss({ call }: Pick<CallNature, "call">, place: Place): RepositoryFlaw | null {
  const putting = puttingAway(call);
  if (putting === null) return has(call, "autostash") ? lostInFolders(place) : null;
  return (
    (has(putting, "u", "a") ? null : lostInFolders(place)) ??
    (takesEverything(putting) ? lostUnseen(place) : null)
  );
}

/** Untracked files in a folder that replaced a tracked file. With `--include-untracked` git keeps them. */
function lostInFolders({ context, cwd }: Place): RepositoryFlaw | null {
  const found = indexPaths(cwd, context, filesOf);
  if (found === null) return null;
  for (const path of found.paths) {
    const at = join(found.topLevel, path);
    if (!lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) continue;
    const message = `${path} was a file and is a folder now: git stash would delete what is untracked in it. Use stash push --include-untracked.`;
    return { at, message };
  }
  return null;
}

/** Files that git assumes unchanged. It does not stash their changes, and puts its own content back. */
function lostUnseen({ context, cwd }: Place): RepositoryFlaw | null {
  const found = indexPaths(cwd, context, assumedOf);
  if (found === null) return null;
  const isThere = (path: string) =>
    lstatSync(join(found.topLevel, path), { throwIfNoEntry: false }) !== undefined;
  const path = found.unnamed ? "A file" : [...found.paths].find(isThere);
  if (path === undefined) return null;
  const message = `${path} is taken for unchanged (git update-index --assume-unchanged): git stash would overwrite it without keeping its changes. Use stash push -- with the files to put away.`;
  return { at: join(found.topLevel, found.unnamed ? "." : path), message };
}

/** A call of `git stash` that puts changes away; null for any other call. */
function puttingAway(call: GitCall): GitCall | null {
  return /^stash(?: push| save)?$/.test(call.subcommand) && !call.asksForUsage ? call : null;
}

/** If files are named, git looks only at those. The words after `save` are a message. */
function takesEverything(call: GitCall): boolean {
  if (has(call, "S")) return false;
  return (
    call.subcommand === "stash save" || (allOperands(call).length === 0 && !has(call, "pathspec-from-file"))
  );
}
