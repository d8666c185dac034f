/** Looks how far a killed git came with the files of a difference, and takes back what it wrote. */
import { readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, safeTry } from "neverthrow";
import { isThere } from "../../utils/files/is-there.ts";
import { listStaged, type StagedEntry } from "../index/list-staged.ts";
import { rebuildIndex } from "../index/whole-index.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import type { RemoteError } from "../process/remote-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";
import type { Difference, Worktree } from "./lay-difference.ts";

interface HalfLaid {
  /** `whole`: every file is as the difference leaves it. Else all are as before, but for `left`. */
  readonly state: "whole" | "before";
  readonly paths: readonly string[];
  /** Neither as before nor as the difference has them: a person's, which stay. */
  readonly left: readonly string[];
}

/** Whether every file is as the difference leaves it, whatever else was changed. */
export async function isLaid(
  git: Git,
  target: Worktree,
  difference: Difference,
): GitAnswer<boolean, RemoteError> {
  return withScratch(git, "laid", async (folder) =>
    safeTry(async function* () {
      const { entries } = yield* await listStaged(git, target, difference);
      const asked = { tree: difference.to, index: join(folder, "index"), entries };
      const unlike = yield* await unlikeTree(git, target, asked);
      return ok(unlike.size === 0);
    }),
  );
}

/** The worktree was clean when git began. Its index is not used: git writes it after the files. */
export async function settleDifference(
  git: Git,
  target: Worktree,
  difference: Difference,
): GitAnswer<HalfLaid, RemoteError> {
  return withScratch(git, "settle", async (folder) =>
    safeTry(async function* () {
      const { entries } = yield* await listStaged(git, target, difference);
      const paths = entries.map(({ path }) => path);
      const index = join(folder, "index");
      const unlike = async (tree: string) => unlikeTree(git, target, { tree, index, entries });
      const notNew = yield* await unlike(difference.to);
      if (notNew.size === 0) return ok({ state: "whole" as const, paths, left: [] });
      const notOld = yield* await unlike(difference.from);
      const changed = entries.filter(({ path }) => notOld.has(path));
      const left: string[] = [];
      const ours: StagedEntry[] = [];
      for (const entry of changed) {
        const isOurs = !notNew.has(entry.path) || (yield* await isPart(git, target, { entry, folder }));
        if (isOurs) ours.push(entry);
        else left.push(entry.path);
      }
      yield* await takeBack(git, target, { ours, index });
      return ok({ state: "before" as const, paths, left });
    }),
  );
}

/** Those of the paths that are not as the tree has them. */
async function unlikeTree(
  git: Git,
  target: Worktree,
  {
    tree,
    index,
    entries,
  }: { readonly tree: string; readonly index: string; readonly entries: readonly StagedEntry[] },
): GitAnswer<ReadonlySet<string>> {
  return safeTry(async function* () {
    const extraEnv = { GIT_INDEX_FILE: index };
    await rm(index, { force: true });
    yield* await rebuildIndex(git, target, { tree, index });
    // Contents are compared: such an index knows no times of files.
    yield* await git.run(target, ["update-index", "-q", "--really-refresh"], { extraEnv, expect: [0, 1] });
    const differ = yield* await listFields(
      git,
      target,
      ["diff-files", "-z", "--name-only", "--ignore-submodules=all"],
      { extraEnv },
    );
    const known = new Set(yield* await listFields(git, target, ["ls-files", "-z"], { extraEnv }));
    const unlike = new Set(differ);
    for (const { path } of entries)
      if (!known.has(path) && (await isThere(join(target.workTree, path)))) unlike.add(path);
    return ok(new Set(entries.flatMap(({ path }) => (unlike.has(path) ? [path] : []))));
  });
}

/** Git removes a file before it writes it anew, and a killed git may have written the beginning only. */
async function isPart(
  git: Git,
  target: Worktree,
  { entry, folder }: { readonly entry: StagedEntry; readonly folder: string },
): GitAnswer<boolean> {
  const at = join(target.workTree, entry.path);
  if (!(await isThere(at))) return ok(true);
  if (entry.sha === null || entry.mode === "120000") return ok(false);
  const stdoutFile = join(folder, "content");
  const shown = await git.run(target, ["cat-file", "--filters", `--path=${entry.path}`, entry.sha], {
    access: "objects",
    stdoutFile,
  });
  if (shown.isErr()) return err(shown.error);
  const [whole, found] = await Promise.all([readFile(stdoutFile), readFile(at).catch(() => null)]);
  return ok(found?.equals(whole.subarray(0, found.length)) ?? false);
}

/** `index` has the tree from before. */
async function takeBack(
  git: Git,
  target: Worktree,
  { ours, index }: { readonly ours: readonly StagedEntry[]; readonly index: string },
): GitAnswer<void> {
  for (const { path } of ours.filter(({ previousSha }) => previousSha === null)) {
    await rm(join(target.workTree, path), { force: true });
    await removeEmptyFolders(target.workTree, dirname(path));
  }
  const before = ours.filter(({ previousSha }) => previousSha !== null).map(({ path }) => path);
  const extraEnv = { GIT_INDEX_FILE: index };
  const written = await git.run(target, ["checkout-index", "-f", "-z", "--stdin"], {
    access: "objects",
    stdin: toNul(before),
    extraEnv,
  });
  return written.map(() => undefined);
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== "."; at = dirname(at)) {
    const removed = await rmdir(join(root, at)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
