/** Decides whether a repository belongs to its working tree, or is a foreign one that a planted file points to. */
import { dirname, join } from "node:path";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import { isPlainText, placeFrom } from "../../../utils/paths/pointer-files.ts";
import { type FoundRepository, type RepositoryFlaw, realOrNull } from "./find-repository.ts";
import type { KnownFiles } from "./known-files.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";

/**
 * Null if there is no flaw. A place outside of `workspaceRoot` is allowed in three cases. `workspaceRoot` is a folder
 * of a larger repository. Or it is a linked worktree that its repository knows. Or the repository is configured for
 * this working tree (submodules).
 */
export function placeFlaw(
  repository: FoundRepository & { readonly config: readonly ConfigEntry[] },
  workspaceRoot: string,
): RepositoryFlaw | null {
  const { topLevel, gitDir, commonDir } = repository;
  const at = join(topLevel, ".git");
  const workTree = workTreeOf(repository);
  if (workTree !== null && workTree.real !== topLevel)
    return { at: "core.worktree", message: `core.worktree leads to ${workTree.given}, not to ${topLevel}.` };
  const isOurs = (path: string) =>
    [topLevel, workspaceRoot].some((root) => isInside(root, path, process.platform));
  if (isOurs(gitDir) && isOurs(commonDir)) return null;
  const message = `${at} leads to ${gitDir}, outside of the workspace, which does not know ${topLevel} as its own.`;
  if (repository.backPointer === null)
    return gitDir === commonDir && workTree !== null ? null : { at, message };
  const isListed = dirname(gitDir) === join(commonDir, "worktrees");
  return isListed && isSamePlace(repository.backPointer, at) ? null : { at, message };
}

/** Object stores that the repository borrows from places outside of both itself and the workspace. */
export function alternatesFlaw(
  { topLevel, commonDir }: FoundRepository,
  {
    workspaceRoot,
    files,
    localRepositories,
  }: {
    readonly workspaceRoot: string;
    readonly files: KnownFiles;
    /** The repositories that the host granted. */
    readonly localRepositories: readonly string[];
  },
): RepositoryFlaw | null {
  const roots = [topLevel, workspaceRoot, commonDir, ...localRepositories];
  const isOurs = (path: string) => roots.some((root) => isInside(root, path, process.platform));
  const seen = new Set<string>();
  const waiting = [join(commonDir, "objects")];
  for (let store = waiting.pop(); store !== undefined; store = waiting.pop()) {
    const real = realOrNull(store);
    if (real === null || seen.has(real)) continue;
    if (!isOurs(real)) {
      const at = "objects/info/alternates";
      return { at, message: `The repository takes objects from ${real}, outside of the workspace (${at}).` };
    }
    seen.add(real);
    const alternates = alternatesOf(real, files);
    if (alternates === null) {
      const at = join(real, "info", "alternates");
      return { at, message: `${at} does not plainly say where objects lie.` };
    }
    waiting.push(...alternates);
  }
  return null;
}

/** Null if git may read another path: git accepts quotations, and bytes that are not UTF-8. */
function alternatesOf(store: string, files: KnownFiles): readonly string[] | null {
  const answer = files.ask(join(store, "info", "alternates"), (bytes) => bytes.toString("utf8"));
  if (answer.kind === "absent") return [];
  if (answer.kind === "odd" || !isPlainText(answer.value)) return null;
  const lines = answer.value.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.some((line) => line.startsWith('"')) ? null : lines.map((line) => placeFrom(store, line));
}

/** The last setting counts. A linked worktree has its setting in a file of its own, which comes last. */
function workTreeOf({
  config,
  gitDir,
}: Pick<FoundRepository, "gitDir"> & { readonly config: readonly ConfigEntry[] }): {
  readonly given: string;
  readonly real: string | null;
} | null {
  const given = config.findLast((entry) => nameOf(entry) === "core.worktree")?.value ?? null;
  if (given === null) return null;
  return { given, real: realOrNull(placeFrom(gitDir, given)) };
}

function isSamePlace(one: string, other: string): boolean {
  const real = realOrNull(one);
  return real !== null && real === realOrNull(other);
}
