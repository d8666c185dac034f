/** Counts the files that an attempt's own new ignore rules hide from its commits. */
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import { linesOf, listHidden, type RulesBefore, rulesIn } from "../../../git/index/hidden-files.ts";
import { filledGitlinks, foreignGitlinks } from "../../../git/index/submodule.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readGitFile } from "../../../git/process/locate-git-dir.ts";
import { readRef } from "../../../git/refs/refs.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import type { Uses } from "../../core/context-parts.ts";
import { gitlinksOf } from "../../core/known-trees.ts";
import { excludeFile, readStart, startFile } from "../../run-core/record-start.ts";
import { note, type RunWorld } from "../../run-core/step.ts";
import { setupFile } from "../../worktrees/left-by-setup.ts";

/** A place that can hide files: the worktree, or a submodule in it that was filled. */
interface Place {
  readonly target: GitTarget & { readonly workTree: string };
  /** Stands before its paths. */
  readonly prefix: string;
  /** Commits whose rules existed before. */
  readonly commits: readonly string[];
}

/** A note with their number; no note if there are none. Rules from before the first agent (a setup's) do not count. */
export async function hiddenFilesNote(
  context: Uses<"git" | "knownTrees" | "paths">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<readonly RunNote[], GitError>> {
  const places = await placesOf(context, world, target);
  if (places.isErr()) return err(places.error);
  const paths: string[] = [];
  for (const place of places.value) {
    const hidden = await listHidden(context.git, place.target, await rulesBefore(context, world, place));
    if (hidden.isErr()) return err(hidden.error);
    for (const path of hidden.value) paths.push(place.prefix + path);
  }
  if (paths.length === 0) return ok([]);
  const count = paths.length;
  const files = count === 1 ? "1 file is" : `${count} files are`;
  const message = `${files} not committed, such as ${paths[0]}: ignore rules that came after this attempt began hide ${count === 1 ? "it" : "them"}.`;
  return ok([note("hidden_by_own_rules", message, { count, paths: paths.slice(0, 100) })]);
}

async function placesOf(
  context: Uses<"git" | "knownTrees">,
  { attempt, run, earlier }: RunWorld,
  target: GitTarget,
): Promise<Result<readonly Place[], GitError>> {
  const { worktree, base } = attempt;
  const start = [...earlier, run].find(({ startSha }) => startSha !== null)?.startSha ?? null;
  const commits = [start, base.sha].filter((commit) => commit !== null);
  const places: Place[] = [{ target: { ...target, workTree: worktree }, prefix: "", commits }];
  const links = await gitlinksOf(context, target, run.startSha ?? "HEAD");
  if (links.isErr()) return err(links.error);
  const filled = await filledGitlinks(target, links.value);
  const foreign = await foreignGitlinks(target, filled);
  for (const path of filled) {
    const workTree = join(worktree, path);
    const gitDir = foreign.includes(path) ? null : await readGitFile(workTree);
    if (gitDir === null) continue;
    const recorded: string[] = [];
    for (const commit of commits) {
      const found = await readRef(context.git, target, `${commit}:${path}`);
      if (found.isErr()) return err(found.error);
      if (found.value !== null) recorded.push(found.value);
    }
    places.push({ target: { gitDir, workTree }, prefix: `${path}/`, commits: recorded });
  }
  return ok(places);
}

/** In a sandbox an agent can write no ignore rules but those of its worktree. */
async function rulesBefore(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  { target, commits }: Place,
): Promise<RulesBefore> {
  const { attempt, repository, run, earlier } = world;
  const runs = [...earlier, run];
  const starts = await Promise.all(runs.map(({ id }) => changedAt(startFile(context, id))));
  const first = starts.find((at) => at !== null) ?? Number.POSITIVE_INFINITY;
  const began = Math.max(first, (await changedAt(setupFile(context, attempt.id))) ?? 0);
  return async (file) => {
    if (!isAbsolute(file)) {
      const changed = await changedAt(join(target.workTree, file));
      return (changed ?? 0) < began ? null : rulesIn(context.git, target, { path: file, commits });
    }
    if (run.isolation === "sandbox") return null;
    if (file === excludeFile(repository)) return excludedBefore(context, runs);
    const changed = await changedAt(file);
    return (changed ?? 0) < (starts.at(-1) ?? Number.POSITIVE_INFINITY) ? null : new Set();
  };
}

/** The time of the last change (ctime), which no program can set; null if there is no such file. */
async function changedAt(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.ctimeMs ?? null;
}

/** Null if it is not known. */
async function excludedBefore(
  context: Uses<"paths">,
  runs: RunWorld["earlier"],
): Promise<ReadonlySet<string> | null> {
  for (const { id } of runs) {
    const start = await readStart(context, id);
    if (start !== null) return start.exclude === undefined ? null : linesOf(start.exclude);
  }
  return null;
}
