/** Finds what a worker that came back had of an attempt, and brings its commit here (ADR 0097). */
import { err, ok, type Result } from "neverthrow";
import { type LeftWorktree, leftRef } from "../../domain/worker/left-worktree.ts";
import { fetchCopy } from "../../git/depot/fetch-copy.ts";
import { readRef } from "../../git/refs/refs.ts";
import { leftOfAttempts } from "../../storage/team/left-worktrees.ts";
import type { Uses } from "../core/context-parts.ts";
import type { TakeLeft } from "../core/decide-shapes.ts";
import { type AttemptInRepository, findPlace } from "../core/find-place.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { depotOf } from "../depot/depot-of.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export type FetchContext = Uses<"db" | "owner" | "git" | "ownDepot" | "engineStop">;

const FETCH_MS = 5 * 60_000;

export interface FoundLeft extends LeftWorktree {
  /** Of its worker. */
  readonly name: string;
}

/** By the name of the worker, or by the beginning of its id. */
export async function findLeft(
  { db }: Uses<"db">,
  { attempt, worker }: Pick<TakeLeft, "attempt" | "worker">,
): Promise<Result<FoundLeft, Refusal>> {
  if ((await findPlace(db.reader, attempt)) === null) return err(notFound("attempt", attempt));
  const all = db.kind === "sqlite" ? [] : await leftOfAttempts(db.reader, [attempt]);
  const found = all.find(({ name, workerId }) => name === worker || workerId.startsWith(worker));
  if (found !== undefined && found.state !== "same")
    return ok({ ...found, name: found.name ?? shortId(found.workerId) });
  return err(
    refuse(
      "conflict",
      "nothing_left",
      `Nothing of the attempt ${shortId(attempt)} came back with ${worker}.`,
      {
        remedy: `\`tazuna show ${shortId(attempt)}\` says which worker came back with edits of it.`,
        details: { attempt, worker },
      },
    ),
  );
}

/** For whoever compares it. */
export async function bringLeft(
  engine: FetchContext & Uses<"configuration">,
  asked: Pick<TakeLeft, "attempt" | "worker">,
): Promise<Result<void, Refusal>> {
  const left = await findLeft(engine, asked);
  if (left.isErr()) return err(left.error);
  const place = await findPlace(engine.db.reader, asked.attempt);
  if (place === null) return err(notFound("attempt", asked.attempt));
  return fetchLeft(await loadRepositoryGit(engine, place), place, left.value);
}

/** Its commit is in the clone of this worker from then on, under a reference that nobody else writes. */
export async function fetchLeft(
  context: FetchContext,
  { repository }: Pick<AttemptInRepository, "repository">,
  left: FoundLeft,
): Promise<Result<void, Refusal>> {
  const target = repositoryTarget(repository);
  const ref = leftRef(left);
  const isHere = async () => (await readRef(context.git, target, ref)).unwrapOr(null) === left.sha;
  if (await isHere()) return ok(undefined);
  const depot = await depotOf(context, repository);
  if (depot === null) return err(notHere(left, "there is no depot"));
  const fetched = await fetchCopy(context.git, target, {
    ...{ depot, from: ref, to: ref },
    timeoutMs: FETCH_MS,
    signal: context.engineStop,
  });
  if (fetched.isErr()) return err(notHere(left, fetched.error.message));
  return (await isHere()) ? ok(undefined) : err(notHere(left, "the depot has another commit"));
}

export function notHere({ attemptId, name }: FoundLeft, why: string): Refusal {
  return refuse("failed", "left_not_here", `What ${name} still had could not be brought here: ${why}.`, {
    remedy: `Nothing was changed. See that ${name} and this machine reach the depot, then ask again.`,
    details: { attempt: attemptId },
  });
}
