/** Keeps the content of a worktree as a commit under a private reference, before any action that could lose it. */
import { join } from "node:path";
import { err, ok, safeTry } from "neverthrow";
import { type NotContained, type StagedCopy, stageCopy } from "../index/snapshot-index.ts";
import { copyIndex, rebuildIndex } from "../index/whole-index.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { deleteRef, listRefs, type RefMoved, readHead, readRef, updateRef } from "../refs/refs.ts";
import { identityVariables, TAZUNA } from "../repository/identity.ts";
import { overKilled } from "../runner/ask-again.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

export interface Snapshot {
  /** `refs/tazuna/snapshots/ATTEMPT/N`. */
  readonly ref: string;
  readonly sha: string;
  readonly tree: string;
  /** What the commit does not hold. If there is any, the worktree may be moved but never deleted. */
  readonly notContained: readonly NotContained[];
}

export type SnapshotError =
  | GitError
  | RefMoved
  /** The reference was written, but does not read back as the commit. */
  | { readonly kind: "snapshot_unproven"; readonly ref: string; readonly message: string };

interface SnapshotOptions {
  readonly attempt: string;
  readonly reason: string;
  /** The highest number that was ever given, as far as known; its reference may be deleted. Default 0. */
  readonly above?: number;
}

/**
 * Temporary index, `add -A --ignore-errors`, `write-tree`, `commit-tree` with HEAD as parent, the reference, read
 * back. If git is killed, all of it is repeated. The worktree's own index is only read; if there is none, HEAD's
 * replaces it. Ignored files are not included.
 */
export async function takeSnapshot(
  git: Git,
  target: GitTarget,
  options: SnapshotOptions & { readonly timeoutMs?: number },
): GitAnswer<Snapshot, SnapshotError> {
  return overKilled(() => takeOnce(git, target, options));
}

async function takeOnce(
  git: Git,
  target: GitTarget,
  options: SnapshotOptions & { readonly timeoutMs?: number },
): GitAnswer<Snapshot, SnapshotError> {
  return withScratch(git, "snapshot", async (folder) =>
    safeTry(async function* () {
      const index = join(folder, "index");
      const { sha: parent } = yield* await readHead(git, target);
      // With an empty index, git would treat tracked files as deleted if they are ignored or outside a sparse
      // checkout.
      if (!(await copyIndex(target, index)) && parent !== null)
        yield* await rebuildIndex(git, target, { tree: parent, index });
      const staged = yield* await stageCopy(git, target, { index, ...options });
      return keep(git, target, { ...staged, ...options, parent });
    }),
  );
}

/** A snapshot of a commit and its whole history, if no worktree is left to take one of. */
export async function snapshotOfCommit(
  git: Git,
  target: GitTarget,
  options: SnapshotOptions & { readonly commit: string },
): GitAnswer<Snapshot, SnapshotError> {
  const tree = await readRef(git, target, `${options.commit}^{tree}`);
  if (tree.isErr()) return err(tree.error);
  const { commit: parent } = options;
  return keep(git, target, { ...options, tree: tree.value ?? "", parent, notContained: [] });
}

/** The snapshots of an attempt, oldest first. */
export async function listSnapshots(
  git: Git,
  target: GitTarget,
  attempt: string,
): GitAnswer<readonly { readonly number: number; readonly ref: string; readonly sha: string }[]> {
  const folder = folderOf(attempt);
  const refs = await listRefs(git, target, { prefixes: [folder] });
  return refs.map((found) =>
    found
      .map(({ name, sha }) => ({ number: Number(name.slice(folder.length)), ref: name, sha }))
      .filter(({ number }) => Number.isInteger(number))
      .sort((a, b) => a.number - b.number),
  );
}

async function keep(
  git: Git,
  target: GitTarget,
  made: StagedCopy & SnapshotOptions & { readonly parent: string | null },
): GitAnswer<Snapshot, SnapshotError> {
  return safeTry(async function* () {
    const parent = made.parent === null ? [] : ["-p", made.parent];
    const message = `Tazuna snapshot: ${made.reason}`;
    const committed = yield* await git.run(
      target,
      ["commit-tree", made.tree, ...parent, "-m", message, "--no-gpg-sign"],
      {
        extraEnv: identityVariables({ source: "fallback", author: TAZUNA, committer: TAZUNA }),
      },
    );
    const sha = committed.stdout.trim();
    const kept = yield* await nextRef(git, target, { ...made, sha });
    const read = await readRef(git, target, `${kept}^{tree}`);
    if (read.isErr()) {
      // The caller stops here, and the reference would be left over unnoticed.
      await deleteRef(git, target, { ref: kept, from: sha });
      return err(read.error);
    }
    if (read.value !== made.tree)
      return err({ kind: "snapshot_unproven" as const, ref: kept, message: `${kept} does not read back` });
    return ok({ ref: kept, sha, tree: made.tree, notContained: made.notContained });
  });
}

const MAX_TRIES = 20;

/** Makes the next reference of the attempt; a concurrent snapshot takes the next number. */
async function nextRef(
  git: Git,
  target: GitTarget,
  made: Pick<SnapshotOptions, "attempt" | "above"> & { readonly sha: string },
): GitAnswer<string, GitError | RefMoved> {
  const existing = await listSnapshots(git, target, made.attempt);
  if (existing.isErr()) return err(existing.error);
  const first = Math.max(existing.value.at(-1)?.number ?? 0, made.above ?? 0) + 1;
  for (let number = first; ; number++) {
    const ref = `${folderOf(made.attempt)}${number}`;
    const updated = await updateRef(git, target, {
      ref,
      from: null,
      to: made.sha,
      reason: "tazuna: snapshot",
    });
    if (updated.isOk()) return ok(ref);
    if (updated.error.kind !== "ref_moved" || number - first >= MAX_TRIES) return err(updated.error);
  }
}

function folderOf(attempt: string): string {
  return `refs/tazuna/snapshots/${attempt}/`;
}
