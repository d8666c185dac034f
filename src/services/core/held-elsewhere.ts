/** Knows which rows are another data folder's: what lies on its disk is neither touched nor judged here (ADR 0081). */
import { basename, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { attemptsOfOthers, otherWorkerOf, runsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { workerNamed, workersOfAttempts } from "../../storage/team/workers.ts";
import type { Uses } from "./context-parts.ts";
import { type Refusal, refuse, shortId } from "./refusal.ts";

/** Whose rows count. Without an engine nobody's name is known. */
interface Whose {
  readonly db: Pick<Database, "kind" | "reader">;
  readonly owner: string | null;
}

/** The worker whose rows may be touched. Null for all rows: an SQLite lies in its data folder and serves no other. */
export function ownWorker({
  db,
  owner,
}: {
  readonly db: Pick<Database, "kind">;
  readonly owner: string | null;
}) {
  return db.kind === "sqlite" ? null : owner;
}

/** The other data folder that holds the attempt's worktree; null if none does. */
export async function holderOf(context: Whose, attemptId: string): Promise<string | null> {
  const than = ownWorker(context);
  return than === null ? null : otherWorkerOf(context.db.reader, { table: "attempts", id: attemptId, than });
}

/** The attempts that other data folders hold; of all attempts if `among` is null. */
export async function heldByOthers(
  context: Whose,
  among: readonly string[] | null,
): Promise<ReadonlySet<string>> {
  const than = ownWorker(context);
  return than === null ? new Set() : attemptsOfOthers(context.db.reader, { than, among });
}

/** By attempt: the other worker that holds its files, as people call it. */
export async function othersOf(
  context: Whose,
  attempts: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> {
  const than = ownWorker(context);
  const found = than === null ? [] : await workersOfAttempts(context.db.reader, { than, among: attempts });
  return new Map(
    [...found].map(([attempt, { id, name }]) => [attempt, { id, name: name ?? shortId(id) }] as const),
  );
}

/** How people call the worker: by its name, or by the beginning of its id if it never registered. */
export async function nameOfWorker({ db }: Pick<Whose, "db">, id: string): Promise<string> {
  return (await workerNamed(db.reader, id)) ?? shortId(id);
}

/**
 * Runs that another worker drives, and begun runs whose files another one holds: it goes on with them. A push needs no
 * files, and a cancel may end a run anywhere.
 */
export async function leftToOthers(
  context: Whose,
  runs: readonly Pick<Run, "id" | "status" | "kind" | "stopRequest">[],
): Promise<ReadonlySet<string>> {
  const than = ownWorker(context);
  if (than === null) return new Set();
  const others = await runsOfOthers(context.db.reader, { than, among: runs.map(({ id }) => id) });
  const nobodys = { drives: null, holds: null };
  const left = runs.filter((run) => isLeftToOthers({ run, ...(others.get(run.id) ?? nobodys) }, than));
  return new Set(left.map(({ id }) => id));
}

/** The same for one run, of which is known who drives it and who holds its files; null for nobody. */
export function isLeftToOthers(
  {
    run: { status, kind, stopRequest },
    drives,
    holds,
  }: {
    readonly run: Pick<Run, "status" | "kind" | "stopRequest">;
    readonly drives: string | null;
    readonly holds: string | null;
  },
  than: string,
): boolean {
  if (stopRequest === "cancel") return false;
  const needsFiles = status !== "PENDING" && kind !== "publish";
  return (drives !== null && drives !== than) || (needsFiles && holds !== null && holds !== than);
}

/** Ask it before an act on the attempt's files. Null if they are here, or nowhere. */
export async function refuseElsewhere(context: Whose, attemptId: string): Promise<Refusal | null> {
  const holder = await holderOf(context, attemptId);
  return holder === null ? null : elsewhere(context, { attemptId, holder });
}

/** Ask it before an act of the journal is taken back. */
export async function refuseOthersAct(
  context: Whose,
  act: { readonly id: string; readonly attemptId: string | null },
): Promise<Refusal | null> {
  const than = ownWorker(context);
  const holder =
    than === null ? null : await otherWorkerOf(context.db.reader, { table: "operations", id: act.id, than });
  return holder === null ? null : elsewhere(context, { attemptId: act.attemptId, holder });
}

async function elsewhere(
  context: Whose,
  { attemptId, holder }: { readonly attemptId: string | null; readonly holder: string },
): Promise<Refusal> {
  const name = await nameOfWorker(context, holder);
  const what =
    attemptId === null ? "What it was done to" : `What belongs to the attempt ${shortId(attemptId)}`;
  const details = { attempt: attemptId, worker: holder };
  if ((await standingOf(context.db.reader, holder)).isRemoved)
    return refuse("conflict", "held_elsewhere", `${what} lies on a worker that was removed, ${name}.`, {
      remedy: `Its files stay on that machine.${attemptId === null ? "" : ` \`tazuna continue ${shortId(attemptId)} "what is left to do"\` goes on in a clone here, from what was pushed.`}`,
      details,
    });
  const message = `${what} lies on another worker, ${name}.`;
  return refuse("conflict", "held_elsewhere", message, {
    remedy: `Ask there: on its machine, with TAZUNA_HOME set to its data folder. Its file \`worker-id\` begins with ${shortId(holder)}; \`tazuna workers\` shows who is there.`,
    details,
  });
}

/** Ask it before an act on the files of a repository. */
export async function refuseRepositoryElsewhere(
  context: Whose,
  { id, path, address }: Pick<Repository, "id" | "path" | "address">,
): Promise<Refusal | null> {
  const than = ownWorker(context);
  const holder =
    than === null ? null : await otherWorkerOf(context.db.reader, { table: "repositories", id, than });
  if (holder === null) return null;
  const name = await nameOfWorker(context, holder);
  const message = `The repository ${path} lies on another worker, ${name}.`;
  return refuse("conflict", "held_elsewhere", message, {
    remedy: `Ask on its machine. Or register a clone of it here: ${
      address === null
        ? "`tazuna repo add` with its address or a folder"
        : `\`tazuna repo add ${shellWord(address)}\``
    }.`,
    details: { repository: id, worker: holder },
  });
}

/** The attempt as this data folder sees it: what another one holds has no worktree here, and one may be made. */
export async function seenHere(context: Uses<"db" | "owner" | "paths">, attempt: Attempt): Promise<Attempt> {
  if ((await holderOf(context, attempt.id)) === null) return attempt;
  return { ...attempt, worktree: join(context.paths.worktrees, basename(attempt.worktree)), gitDir: null };
}
