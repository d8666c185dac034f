/**
 * Holds the locks of an engine on a Postgres schema: one that all engines share, and one of its own worker. The server
 * frees them when their holder is gone.
 */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import { Client } from "pg";
import { type StorageError, storageErrorOf } from "../schema/storage-error.ts";
import { WORKER_LOCK } from "../team/workers.ts";
import { askedOften, clientConfig, type PostgresTarget, rethrowAsUnreachable } from "./postgres-pool.ts";

export interface PostgresEngineLock {
  /** Whether no other engine works on the schema, so that its tables may be changed. */
  readonly isAlone: boolean;
  /** Lets other engines in. Until then an engine that is alone keeps them out. */
  share(): Promise<void>;
  /** Frees the locks; a second call is harmless. */
  release(): Promise<void>;
}

/** Who holds the lock instead: an engine of a program that works alone, or another process of this worker. */
export type Holder = "alone" | "worker";

interface PostgresLockOptions {
  /** The `worker-id` of the data folder. */
  readonly worker: string;
  /** Called once, if the connection broke and another engine took a lock before this one could take it again. */
  readonly onLost: () => void;
  /** How long to wait for a holder that is just dying or beginning; default 5,000. */
  readonly patienceMs?: number;
}

/** Identifies the lock among the database's locks; the schema is the rest of its key. Earlier programs hold it alone. */
const ENGINE_LOCK = 7_268_003;
const POLL_MS = 50;
const AGAIN_MS = 1_000;

/** Takes the locks on a separate connection, or returns who holds one of them. */
export async function takePostgresEngineLock(
  target: PostgresTarget,
  options: PostgresLockOptions,
): Promise<Result<PostgresEngineLock | Holder, StorageError>> {
  const { worker, onLost, patienceMs = 5_000 } = options;
  const first = await connectAndLock(target, { worker, patienceMs, wantsAlone: true }).catch(
    storageErrorOrThrow,
  );
  if (typeof first === "string") return ok(first);
  if ("remedy" in first) return err(first);
  const leave = new AbortController();
  const keeping = keep(target, { first, worker, leave: leave.signal, onLost });
  return ok({
    isAlone: first.isAlone,
    share: async () => {
      if (first.isAlone) await shareLock(first.client, target.schema).catch(storageErrorOrThrow);
    },
    release: () => {
      leave.abort();
      return keeping;
    },
  });
}

function storageErrorOrThrow(thrown: unknown): StorageError {
  const known = storageErrorOf(thrown);
  if (known === null) throw thrown;
  return known;
}

interface Held {
  readonly client: Client;
  readonly isAlone: boolean;
  /** Resolves when the connection has ended, and the locks with it. */
  readonly broken: Promise<void>;
}

/** Takes the locks again whenever their connection breaks (the server restarted), until they are released. */
async function keep(
  target: PostgresTarget,
  lock: {
    readonly first: Held;
    readonly worker: string;
    readonly leave: AbortSignal;
    readonly onLost: () => void;
  },
): Promise<void> {
  const left = new Promise<void>((resolve) => {
    lock.leave.addEventListener("abort", () => resolve(), { once: true });
  });
  const again = { worker: lock.worker, patienceMs: 0, wantsAlone: false };
  let held: Held | Holder | null = lock.first;
  while (!lock.leave.aborted) {
    if (typeof held === "string") return lock.onLost();
    if (held !== null) await Promise.race([held.broken, left]);
    if (lock.leave.aborted) break;
    held = await connectAndLock(target, again).catch(() => null);
    if (held === null) await Promise.race([delay(AGAIN_MS, undefined, { ref: false }), left]);
  }
  if (held !== null && typeof held !== "string") await held.client.end().catch(() => undefined);
}

async function connectAndLock(
  target: PostgresTarget,
  wanted: { readonly worker: string; readonly patienceMs: number; readonly wantsAlone: boolean },
): Promise<Held | Holder> {
  const client = new Client(clientConfig(target));
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  // A broken connection must not end the process.
  client.on("error", () => resolve());
  client.on("end", () => resolve());
  try {
    await client.connect().catch(rethrowAsUnreachable);
    await askedOften(client);
    const deadline = performance.now() + wanted.patienceMs;
    for (;;) {
      const got = await tryLocks(client, { ...wanted, schema: target.schema });
      if (got === "taken" || got === "taken alone") return { client, broken, isAlone: got === "taken alone" };
      if (performance.now() >= deadline) {
        await client.end();
        return got;
      }
      await delay(POLL_MS);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The schema may not exist yet. This is the name that `openDatabase` will give it. */
const SCHEMA = "coalesce(current_schema(), $1)";

/** Nothing is held after an answer that names a holder. */
async function tryLocks(
  client: Client,
  wanted: { readonly schema: string | null; readonly worker: string; readonly wantsAlone: boolean },
): Promise<"taken" | "taken alone" | Holder> {
  const schema = wanted.schema ?? "public";
  const ask = async (lock: string, values: readonly unknown[]) => {
    const answer = await client.query<{ taken: boolean }>(`select ${lock} as taken`, [schema, ...values]);
    return answer.rows[0]?.taken === true;
  };
  const worker = `hashtextextended(${SCHEMA} || ' ' || $2, ${WORKER_LOCK})`;
  if (!(await ask(`pg_try_advisory_lock(${worker})`, [wanted.worker]))) return "worker";
  const engine = `(${ENGINE_LOCK}, hashtext(${SCHEMA}))`;
  if (wanted.wantsAlone && (await ask(`pg_try_advisory_lock${engine}`, []))) return "taken alone";
  if (await ask(`pg_try_advisory_lock_shared${engine}`, [])) return "taken";
  await ask(`pg_advisory_unlock(${worker})`, [wanted.worker]);
  return "alone";
}

/** Nobody gets in between: the shared lock is taken before the other one is freed. */
async function shareLock(client: Client, schema: string | null): Promise<void> {
  const engine = `(${ENGINE_LOCK}, hashtext(${SCHEMA}))`;
  await client.query(`select pg_advisory_lock_shared${engine}, pg_advisory_unlock${engine}`, [
    schema ?? "public",
  ]);
}
