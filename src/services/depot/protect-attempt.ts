/** Copies what an attempt has changed into the depot, and stores what the depot has of it. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { isOfEnd } from "../../domain/depot/end-snapshot.ts";
import { commitLiveFiles, readLiveFiles } from "../../git/depot/live-copy.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { listSnapshots } from "../../git/snapshot/snapshot.ts";
import { snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import {
  type Copy,
  getProtection,
  noteProtected,
  noteUnprotected,
  speaksFor,
} from "../../storage/team/protections.ts";
import { transact } from "../../storage/transact.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";
import { depotOf } from "./depot-of.ts";
import { pushAll, pushNumbered, type Work } from "./push-copy.ts";

export type ProtectContext = GitContext & Uses<"configuration">;

/** `none`: there is nothing to copy, or no depot for it. `stale`: somebody else speaks for the attempt. */
type Protected = "protected" | "unchanged" | "unprotected" | "stale" | "none";

/** The run that works on it in this process; null if none does. */
export type HeldRun = { readonly id: string; readonly epoch: number } | null;

/** The first push of a repository takes its whole history along. */
const PUSH_MS = 30 * 60_000;

/** Copies the files as they are now, if they have changed. The snapshots that the depot lacks go along, or are `asked` for. */
export function protectAttempt(
  engine: ProtectContext,
  attemptId: string,
  how: { readonly lease: HeldRun; readonly asked?: boolean },
): Promise<Protected> {
  return engine.ownDepot.turns.run(attemptId, () => protectFiles(engine, attemptId, how));
}

async function protectFiles(
  engine: ProtectContext,
  attemptId: string,
  { lease, asked = false }: Parameters<typeof protectAttempt>[2],
): Promise<Protected> {
  const begun = await begin(engine, attemptId, { lease, timeoutMs: PUSH_MS });
  if (begun === null) return "none";
  const { context, work } = begun;
  const { attempt } = work.place;
  if (attempt.state !== "open" && !(await hasEndSnapshot(context, attempt))) return "none";
  const known = await getProtection(context.db.reader, attemptId);
  const isOpen = attempt.state === "open" && attempt.gitDir !== null;
  if (!isOpen) return snapshotsOnly(context, work);
  const files = await readLiveFiles(context.git, worktreeTarget(attempt));
  if (files.isErr()) return tell(context, work, err(`the files cannot be read: ${files.error.message}`));
  const { tree, base } = files.value;
  const isKnown = known?.tree === tree && known.base === base;
  if (isKnown && known.unprotectedSince === null && !asked) return "unchanged";
  if (isKnown && known.unprotectedSince === null) return pushSnapshots(context, work);
  if (lease === null) {
    if (!isKnown) {
      const kept = await keepSnapshot(context, { attempt }, { reason: "depot" });
      if (kept.isErr()) return tell(context, work, err(kept.error.message));
    }
    return snapshotsOnly(context, work);
  }
  const target = worktreeTarget(attempt);
  const commit = await commitLiveFiles(context.git, target, files.value);
  if (commit.isErr()) return tell(context, work, err(commit.error.message));
  const of = { kind: "live", attempt: attemptId, run: lease.id, epoch: lease.epoch } as const;
  const copy = { sha: commit.value, tree, base, runId: lease.id };
  return tell(context, work, await pushNumbered(context, work, { of, known: known?.ref ?? null, copy }));
}

async function hasEndSnapshot({ db }: Uses<"db">, attempt: Attempt): Promise<boolean> {
  const newest = (await snapshotsOfAttempt(db.reader, attempt.id)).findLast(({ droppedAt }) => !droppedAt);
  return newest !== undefined && isOfEnd(attempt, newest.createdAt);
}

interface CommitToKeep {
  readonly lease: NonNullable<HeldRun>;
  readonly sha: string;
}

/** Copies the commit that a run is about to publish. What takes longer than the remote can wait goes on meanwhile. */
export async function protectCommit(
  engine: ProtectContext,
  attemptId: string,
  commit: CommitToKeep,
): Promise<void> {
  const known = await getProtection(engine.db.reader, attemptId);
  // A depot that is away is tried again at its time. The files that go there then hold the commit.
  if (known !== null && known.unprotectedSince !== null) return engine.ownDepot.nudge(attemptId);
  const keeping = engine.ownDepot.turns.run(attemptId, () => keepCommit(engine, attemptId, commit));
  await settlesWithin(COMMIT_MS, keeping);
}

async function keepCommit(
  engine: ProtectContext,
  attemptId: string,
  { lease, sha }: CommitToKeep,
): Promise<Protected> {
  const begun = await begin(engine, attemptId, { lease, timeoutMs: COMMIT_MS });
  if (begun === null) return "none";
  const { context, work } = begun;
  const known = await getProtection(context.db.reader, attemptId);
  if (known?.sha === sha && known.unprotectedSince === null) return "unchanged";
  const tree = await readRef(context.git, repositoryTarget(work.place.repository), `${sha}^{tree}`);
  if (tree.isErr()) return tell(context, work, err(tree.error.message));
  const of = { kind: "runs", attempt: attemptId, run: lease.id, epoch: lease.epoch } as const;
  const copy = { sha, tree: tree.value ?? "", base: sha, runId: lease.id };
  return tell(context, work, await pushNumbered(context, work, { of, known: known?.ref ?? null, copy }));
}

const COMMIT_MS = 30_000;

async function begin(
  engine: ProtectContext,
  attemptId: string,
  how: { readonly lease: HeldRun; readonly timeoutMs: number },
) {
  const { reader } = engine.db;
  const place = await findPlace(reader, attemptId);
  const depot = place && (await depotOf(engine, place.repository));
  if (place === null || depot === null) return null;
  const context = await loadRepositoryGit(engine, place);
  const speaker = { attemptId, worker: engine.owner, lease: how.lease };
  // Else each try would take a snapshot, of files that another worker speaks for.
  if (!(await speaksFor(reader, speaker))) return null;
  return { context, work: { place, depot, speaker, timeoutMs: how.timeoutMs } };
}

/** Nothing else has changed. */
async function pushSnapshots(context: ProtectContext, work: Work): Promise<Protected> {
  const refused = await pushAll(context, work, []);
  return refused.isErr() ? tell(context, work, err(refused.error)) : "unchanged";
}

/** Of an attempt on which nothing works. */
async function snapshotsOnly(context: ProtectContext, work: Work): Promise<Protected> {
  const { attempt, repository } = work.place;
  const target = repositoryTarget(repository);
  const snapshots = await listSnapshots(context.git, target, attempt.id);
  if (snapshots.isErr()) return tell(context, work, err(snapshots.error.message));
  const newest = snapshots.value.at(-1);
  if (newest === undefined) return "none";
  const refused = await pushAll(context, work, []);
  if (refused.isErr()) return tell(context, work, err(refused.error));
  const [why] = refused.value.values();
  if (why !== undefined) return tell(context, work, err(why));
  const { ref, sha } = newest;
  return tell(context, work, await describe(context, target, { ref, sha }));
}

async function describe(
  { git }: Pick<ProtectContext, "git">,
  target: GitTarget,
  { ref, sha }: Pick<Copy, "ref" | "sha">,
): Promise<Result<Copy, string>> {
  const tree = await readRef(git, target, `${sha}^{tree}`);
  const base = await readRef(git, target, `${sha}^`);
  if (tree.isErr() || base.isErr()) return err(`the snapshot ${ref} cannot be read`);
  return ok({ ref, sha, tree: tree.value ?? "", base: base.value, runId: null });
}

/** Stores what it came to. A fact tells of the first failure, and of the first success after it. */
async function tell(
  context: Uses<"db" | "clock" | "newFacts">,
  { place, speaker }: Work,
  came: Result<Copy, string>,
): Promise<Protected> {
  const { attempt } = place;
  const noted = await transact(context.db, async (trx) => {
    const stored = came.isOk()
      ? await noteProtected(trx, speaker, came.value)
      : await noteUnprotected(trx, speaker, came.error);
    if (stored?.isNews === true)
      await attemptChanged(trx, attempt, {
        at: context.clock.iso(),
        state: attempt.state,
        unprotected: came.isErr(),
      });
    return stored;
  });
  if (noted === null) return "stale";
  if (noted.isNews) context.newFacts.notify();
  return came.isOk() ? "protected" : "unprotected";
}
