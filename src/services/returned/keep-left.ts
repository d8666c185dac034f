/** Keeps the worktree of an attempt that went on elsewhere while this worker was lost (ADR 0097). */
import type { LeftWorktree } from "../../domain/worker/left-worktree.ts";
import { diffRecords } from "../../git/index/diff.ts";
import { readGitFile } from "../../git/process/locate-git-dir.ts";
import { commonDirByPlace } from "../../git/settings/redirected.ts";
import { takeSnapshot } from "../../git/snapshot/snapshot.ts";
import { RUN_MARKER } from "../../keeper/files.ts";
import { otherWorkerOf } from "../../storage/queries/rows-of-worker.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { insertLeft } from "../../storage/team/left-worktrees.ts";
import { transact } from "../../storage/transact.ts";
import { findMarked } from "../../utils/programs/process-identity.ts";
import { findWorkingIn } from "../../utils/programs/working-in.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { type AttemptInRepository, findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export type ReturnContext = GitContext &
  Uses<"configuration" | "paths" | "timing" | "ownDepot" | "engineStop">;

/** Null if it is kept; else why not. */
export async function keepOne(
  engine: ReturnContext,
  attemptId: string,
  path: string,
): Promise<string | null> {
  const lost = await lostRun(engine, attemptId);
  // A person had it continued elsewhere: no run of it was lost here.
  if (lost === null) return null;
  if (await isAtWork(lost.id, path)) return null;
  const { base } = lost;
  const here = await placeOf(engine, attemptId, path);
  if (here === null) return `${path} is no worktree of a repository of this worker`;
  const context = await loadRepositoryGit(engine, here);
  const worktree = { gitDir: here.gitDir, workTree: path };
  const taken = await takeSnapshot(context.git, worktree, { attempt: attemptId, reason: "returned" });
  if (taken.isErr()) return taken.error.message;
  const { sha, notContained } = taken.value;
  const changed = await diffRecords(context.git, repositoryTarget(here.repository), { from: base, to: sha });
  if (changed.isErr()) return changed.error.message;
  const files = changed.value.length;
  const left: LeftWorktree = {
    ...{ attemptId, workerId: engine.owner, path, sha, base, files },
    notContained: notContained.map((each) => each.path),
    state: files + notContained.length === 0 ? "same" : "kept",
    takenAt: context.clock.iso(),
    endedAt: null,
  };
  // It may have come back to this worker meanwhile.
  const holder = { table: "attempts", id: attemptId, than: engine.owner } as const;
  if ((await otherWorkerOf(engine.db.reader, holder)) === null) return null;
  context.failpoint("returned:snapshot");
  await tell(context, here, (trx) => insertLeft(trx, left));
  context.failpoint("returned:row");
  return null;
}

/** The clone of this worker to which the worktree belongs by its place. What an agent wrote there does not count. */
export async function placeOf(
  { db, owner }: Uses<"db" | "owner">,
  attemptId: string,
  path: string,
): Promise<(AttemptInRepository & { readonly gitDir: string }) | null> {
  const place = await findPlace(db.reader, attemptId);
  const gitDir = await readGitFile(path);
  if (place === null || gitDir === null) return null;
  const own = await listRepositories(db.reader, owner);
  const repository = own.find(({ commonDir }) => commonDir === commonDirByPlace(gitDir));
  return repository === undefined ? null : { attempt: place.attempt, repository, gitDir };
}

/**
 * Whether the agent of the lost run still writes here: a machine that slept may wake before the keeper stops it. The next
 * look sees all that it wrote. Where it went on, the same run may work in another folder.
 */
async function isAtWork(run: string, path: string): Promise<boolean> {
  const marked = new Set(await findMarked({ name: RUN_MARKER, value: run }));
  return ((await findWorkingIn(path)) ?? []).some((pid) => marked.has(pid));
}

/** The latest run that was lost here, and what it went on with elsewhere. */
async function lostRun(
  { db, owner }: Uses<"db" | "owner">,
  attemptId: string,
): Promise<{ readonly id: string; readonly base: string } | null> {
  const runs = await runsOfAttempt(db.reader, attemptId);
  const lost = runs.findLast(({ options }) => options.moved?.worker === owner);
  const base = lost?.options.moved?.copy ?? lost?.startSha ?? null;
  return lost === undefined || base === null ? null : { id: lost.id, base };
}

export async function tell(
  { db, clock, newFacts }: Uses<"db" | "clock" | "newFacts">,
  { attempt }: AttemptInRepository,
  store: (trx: WriteTransaction) => Promise<void>,
): Promise<void> {
  await transact(db, async (trx) => {
    await store(trx);
    await attemptChanged(trx, attempt, { at: clock.iso(), state: attempt.state });
  });
  newFacts.notify();
}
