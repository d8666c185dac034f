/** Reads and moves references; one is updated or deleted only if it has the value that the caller expects. */
import { type Err, err, ok } from "neverthrow";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import { readHeadFiles } from "../process/locate-git-dir.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface Ref {
  /** Full name, such as `refs/heads/main`. */
  readonly name: string;
  /** The object it points at, in full. */
  readonly sha: string;
  /** The name of the reference it stands for, or null. */
  readonly symref: string | null;
}

/** The branch and commit of a worktree's HEAD. */
interface HeadFacts {
  /** Null before the first commit. */
  readonly sha: string | null;
  /** Short name of the branch; null while HEAD is detached. */
  readonly branch: string | null;
}

/** The reference was not what the caller expected. `current` is its value; null means "does not exist". */
export interface RefMoved {
  readonly kind: "ref_moved";
  readonly ref: string;
  readonly expected: string | null;
  readonly current: string | null;
  readonly message: string;
}

const LOCK_RETRIES = 6;

/** Every reference below the given prefixes (default all), sorted by name. */
export async function listRefs(
  git: Git,
  target: GitTarget,
  options: { readonly prefixes?: readonly string[] } = {},
): GitAnswer<readonly Ref[]> {
  const format = "--format=%(objectname)%00%(refname)%00%(symref)";
  const listed = await git.run(target, ["for-each-ref", format, ...(options.prefixes ?? [])]);
  return listed.map(({ stdout }) =>
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [sha = "", name = "", symref = ""] = line.split("\0");
        return { name, sha, symref: symref === "" ? null : symref };
      }),
  );
}

/** The object that a full reference name (or `HEAD`, or a revision) points at, or null. */
export async function readRef(git: Git, target: GitTarget, revision: string): GitAnswer<string | null> {
  const read = await git.run(target, ["rev-parse", "--verify", "--quiet", revision], { expect: [0, 1] });
  return read.map(({ exitCode, stdout }) => (exitCode === 0 ? stdout.trim() : null));
}

/** The branch and commit of HEAD. Nearly always two small files are enough, and no process runs. */
export async function readHead(git: Git, target: GitTarget): GitAnswer<HeadFacts> {
  const heads = await readHeadFiles(target.gitDir);
  if (heads !== null) return ok(heads);
  const both = await git.run(target, ["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"], {
    expect: [0, 128],
  });
  if (both.isErr()) return err(both.error);
  const [sha = "", name = ""] = both.value.stdout.trim().split("\n");
  if (both.value.exitCode === 0) return ok({ sha, branch: branchOf(name) });
  // There is no commit yet, or HEAD is broken; this asks git again and reports it.
  const none = await git.run(target, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { expect: [1] });
  if (none.isErr()) return err(none.error);
  const symbolic = await git.run(target, ["symbolic-ref", "--quiet", "HEAD"], { expect: [0, 1] });
  return symbolic.map(({ stdout }) => ({ sha: null, branch: branchOf(stdout.trim()) }));
}

/**
 * Moves a reference from one value to another. `from: null` makes it, and fails if it exists. If an agent made the
 * reference symbolic, it becomes a plain one, and the branch that it named stays.
 */
export async function updateRef(
  git: Git,
  target: GitTarget,
  move: {
    readonly ref: string;
    readonly from: string | null;
    readonly to: string;
    /** Text for the reflog. */
    readonly reason: string;
  },
): GitAnswer<void, GitError | RefMoved> {
  const { ref, from, to, reason } = move;
  const args = ["update-ref", "--no-deref", "-m", reason, ref, to, from ?? zeros(to)];
  const moved = await git.run(target, args, { lockRetries: LOCK_RETRIES });
  if (moved.isOk()) return ok(undefined);
  const explained = await explainMove(git, target, { ref, expected: from, error: moved.error });
  // If git was killed, it may have done the update before.
  const done = explained.error.kind === "ref_moved" && explained.error.current === to;
  return done && wasKilled(moved.error) ? ok(undefined) : explained;
}

/** Deletes a reference that has the given value. If it is already gone, this succeeds. */
export async function deleteRef(
  git: Git,
  target: GitTarget,
  options: { readonly ref: string; readonly from: string },
): GitAnswer<void, GitError | RefMoved> {
  const args = ["update-ref", "--no-deref", "-d", options.ref, options.from];
  const deleted = await git.run(target, args, { lockRetries: LOCK_RETRIES });
  if (deleted.isOk()) return ok(undefined);
  const current = await readRef(git, target, options.ref);
  if (current.isOk() && current.value === null) return ok(undefined);
  return explainMove(git, target, { ref: options.ref, expected: options.from, error: deleted.error });
}

/** Points HEAD of a worktree at a branch; files and index stay as they are. */
export async function pointHeadAt(
  git: Git,
  target: GitTarget,
  branch: string,
  { reason = "tazuna: back to the branch" }: { readonly reason?: string } = {},
): GitAnswer<void> {
  const set = await git.run(target, ["symbolic-ref", "-m", reason, "HEAD", `refs/heads/${branch}`]);
  return set.map(() => undefined);
}

/**
 * Moves HEAD's branch to a commit; files and index stay as they are. There is one exception: git refuses if the index
 * has conflicts. Then the index is reset too, and the files still stay.
 */
export async function resetSoft(git: Git, target: GitTarget, sha: string): GitAnswer<void> {
  const options = { lockRetries: LOCK_RETRIES };
  const reset = await git.run(target, ["reset", "--soft", sha, "--"], options);
  const conflicts = reset.isErr() && /in the middle of a merge/.test(reset.error.message);
  if (!conflicts) return reset.map(() => undefined);
  return (await git.run(target, ["reset", "--mixed", "--quiet", sha, "--"], options)).map(() => undefined);
}

/** The short name of a branch, or null for anything that is not below `refs/heads/`. */
export function branchOf(ref: string): string | null {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

/** The null id, in the length of this repository's ids. */
function zeros(sha: string): string {
  return "0".repeat(sha.length);
}

async function explainMove(
  git: Git,
  target: GitTarget,
  failed: { readonly ref: string; readonly expected: string | null; readonly error: GitError },
): Promise<Err<never, GitError | RefMoved>> {
  if (failed.error.kind !== "git_failed" && failed.error.kind !== "locked") return err(failed.error);
  const current = await readRef(git, target, failed.ref);
  if (current.isErr() || current.value === failed.expected) return err(failed.error);
  return err({
    kind: "ref_moved",
    ref: failed.ref,
    expected: failed.expected,
    current: current.value,
    message: `${failed.ref} is at ${current.value ?? "nothing"}, not at ${failed.expected ?? "nothing"}`,
  });
}
