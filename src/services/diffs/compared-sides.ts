/** Finds the two states that a diff compares: of an attempt, of two, since a run, or of what a run changed. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { readRef } from "../../git/refs/refs.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { treeOfFiles } from "../../git/snapshot/tree-of-files.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { isFolder } from "../../utils/files/is-there.ts";
import { withPatchNow } from "../attempts/attempt-patch.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptInRepository, findPlace } from "../core/find-place.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { DiffOf } from "../core/request-shapes.ts";
import { findLeft } from "../returned/find-left.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";

type SidesContext = Uses<"db" | "git" | "configuration">;

interface Compared {
  readonly context: Uses<"git">;
  readonly target: GitTarget;
  /** Null if nothing can differ. Both sides are full ids of commits or trees. */
  readonly range: { readonly from: string; readonly to: string } | null;
}

export async function comparedSides(engine: SidesContext, of: DiffOf): Promise<Result<Compared, Refusal>> {
  if ("run" in of) return sidesOfRun(engine, of.run);
  if (of.worker != null) return sidesOfLeft(engine, { attempt: of.attempt, worker: of.worker });
  const own = await sidesOf(engine, of.attempt);
  if (own.isErr()) return err(own.error);
  if (of.since !== null) return sinceRun(engine, own.value, { attempt: of.attempt, run: of.since });
  const other = of.other === null ? null : await sidesOf(engine, of.other);
  if (other?.isErr()) return err(other.error);
  const { context, target } = own.value;
  if (other?.isOk() && other.value.target.gitDir !== target.gitDir)
    return err(elsewhere(of.attempt, of.other));
  // Between two attempts from the first to the second, as git does.
  const { from, to } = other?.isOk() ? { from: own.value.to, to: other.value.to } : own.value;
  return ok({ context, target, range: rangeOf(from, to) });
}

function rangeOf(from: string | null, to: string | null): Compared["range"] {
  return from === null || to === null ? null : { from, to };
}

export interface Sides {
  readonly context: Uses<"git">;
  readonly target: GitTarget;
  /** The two sides that its diff compares; null before a run has made something. */
  readonly from: string | null;
  readonly to: string | null;
}

/** An attempt in which no run has left anything is at its base. */
export async function sidesOf(engine: SidesContext, attemptId: string): Promise<Result<Sides, Refusal>> {
  const { reader } = engine.db;
  const place = await findPlace(reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const context = await loadRepositoryGit(engine, place);
  const { attempt, repository } = place;
  const target = repositoryTarget(repository);
  const runs = await runsOfAttempt(reader, attemptId);
  const branch = `refs/heads/${attempt.branch}^{commit}`;
  const tip = attempt.state === "open" ? (await readRef(context.git, target, branch)).unwrapOr(null) : null;
  const now = await withPatchNow(context, { ...place, runs, tip });
  return now
    .map(({ patch, base }) => ({ context, target, from: patch?.from ?? base.sha, to: patch?.to ?? base.sha }))
    .mapErr(gitRefusal);
}

/** What was edited on a worker that came back, and was brought here: after the copy with which the attempt went on. */
async function sidesOfLeft(
  engine: SidesContext,
  asked: { readonly attempt: string; readonly worker: string },
): Promise<Result<Compared, Refusal>> {
  const place = await findPlace(engine.db.reader, asked.attempt);
  if (place === null) return err(notFound("attempt", asked.attempt));
  const context = await loadRepositoryGit(engine, place);
  return safeTry(async function* () {
    const left = yield* await findLeft(context, asked);
    return ok({
      context,
      target: repositoryTarget(place.repository),
      range: { from: left.base, to: left.sha },
    });
  });
}

/** From what the run left to the attempt as it is now. */
async function sinceRun(
  engine: SidesContext,
  { context, target, to }: Sides,
  asked: { readonly attempt: string; readonly run: string },
): Promise<Result<Compared, Refusal>> {
  const run = await getRun(engine.db.reader, asked.run);
  const place = run && (await findPlace(engine.db.reader, run.attemptId));
  if (place?.attempt.id !== asked.attempt || run === null) return err(notFound("run", asked.run));
  // It has not left anything yet.
  if (!isEnded(run.status)) return ok({ context, target, range: null });
  const left = await leftByRun({ ...engine, git: context.git }, place, run);
  return left.andThen((from) =>
    from === null ? err(notKnown(run)) : ok({ context, target, range: rangeOf(from, to) }),
  );
}

/** What the run changed; of one that works, from its beginning to the files as they lie there. */
async function sidesOfRun(engine: SidesContext, runId: string): Promise<Result<Compared, Refusal>> {
  return safeTry(async function* () {
    const run = await getRun(engine.db.reader, runId);
    const place = run && (await findPlace(engine.db.reader, run.attemptId));
    if (run === null || place === null) return err(notFound("run", runId));
    const context = await loadRepositoryGit(engine, place);
    const target = repositoryTarget(place.repository);
    const { before } = yield* (await readRunTrees(context.git, target, runId)).mapErr(gitRefusal);
    // A review changes nothing, and neither does a run that has not begun.
    if (before === null || run.kind === "review") return ok({ context, target, range: null });
    const left = yield* await leftByRun(context, place, run);
    if (left !== null) return ok({ context, target, range: { from: before, to: left } });
    return isEnded(run.status) ? err(notKnown(run)) : ok({ context, target, range: null });
  });
}

/**
 * Its own tree, else its commit. If the gate kept all of it back there is neither: then the tree with which the next
 * run began, else the files as they lie there. Null if none is known.
 */
async function leftByRun(
  { git, db }: Uses<"git" | "db">,
  { attempt, repository }: AttemptInRepository,
  run: Run,
): Promise<Result<string | null, Refusal>> {
  const target = repositoryTarget(repository);
  const own = (await readRunTrees(git, target, run.id)).mapErr(gitRefusal);
  if (own.isErr()) return err(own.error);
  const { before, after } = own.value;
  // A review leaves what it found.
  const known = run.kind === "review" ? before : (after ?? run.commit);
  if (known !== null || before === null) return ok(known);
  const begun = workOf(await runsOfAttempt(db.reader, attempt.id)).filter(
    ({ startSha }) => startSha !== null,
  );
  const next = begun[begun.findIndex(({ id }) => id === run.id) + 1];
  if (next !== undefined)
    return (await readRunTrees(git, target, next.id)).map(({ before }) => before).mapErr(gitRefusal);
  if (attempt.gitDir === null || !(await isFolder(attempt.worktree))) return ok(null);
  return (await treeOfFiles(git, worktreeTarget(attempt))).mapErr(gitRefusal);
}

function notKnown({ id, attemptId }: Run): Refusal {
  return refuse("conflict", "no_tree", `It is not known what the run ${shortId(id)} left.`, {
    remedy: `\`tazuna diff ${shortId(attemptId)}\` shows what the whole attempt changed.`,
    details: { run: id, attempt: attemptId },
  });
}

function elsewhere(attempt: string, other: string | null): Refusal {
  const message = "The two attempts are in different repositories, so that git cannot compare them.";
  return refuse("conflict", "another_repository", message, {
    remedy: "Name two attempts of one repository; `tazuna list --all` shows which these are.",
    details: { attempt, other },
  });
}

/** Also a question may write: the files that no commit has become a tree. */
export function gitRefusal({ kind, message }: RemoteError): Refusal {
  const remedy =
    kind === "disk_full"
      ? "Free some space on the disk of the repository; `tazuna clean` shows what Tazuna can remove. Then ask again."
      : "Mend what git says, then ask again.";
  return refuse("failed", "git_failed", message, { remedy });
}
