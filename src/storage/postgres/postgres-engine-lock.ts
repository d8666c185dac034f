/** Holds the lock of one engine on a Postgres schema; the server frees it when its holder is gone. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import { Client } from "pg";
import { type StorageError, storageErrorOf } from "../schema/storage-error.ts";
import { clientConfig, type PostgresTarget, rethrowAsUnreachable } from "./postgres-pool.ts";

export interface PostgresEngineLock {
  /** Frees the lock; a second call is harmless. */
  release(): Promise<void>;
}

interface PostgresLockOptions {
  /** Called once, if the connection broke and another engine took the lock before this one could take it again. */
  readonly onLost: () => void;
  /** How long to wait for a holder that is just dying; default 2,000. */
  readonly patienceMs?: number;
}

/** Identifies the lock among the database's locks; the schema is the rest of its key. */
const ENGINE_LOCK = 7_268_003;
const POLL_MS = 50;
const AGAIN_MS = 1_000;

/** Takes the lock of the tables' schema, on a separate connection, or returns that another engine holds it. */
export async function takePostgresEngineLock(
  target: PostgresTarget,
  options: PostgresLockOptions,
): Promise<Result<PostgresEngineLock | "held", StorageError>> {
  const first = await connectAndLock(target, options.patienceMs ?? 2_000).catch(storageErrorOrThrow);
  if (first === "held") return ok("held");
  if ("remedy" in first) return err(first);
  const leave = new AbortController();
  const keeping = keep(target, { first, leave: leave.signal, onLost: options.onLost });
  return ok({
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
  /** Resolves when the connection has ended, and the lock with it. */
  readonly broken: Promise<void>;
}

/** Takes the lock again whenever its connection breaks (the server restarted), until it is released. */
async function keep(
  target: PostgresTarget,
  lock: { readonly first: Held; readonly leave: AbortSignal; readonly onLost: () => void },
): Promise<void> {
  const left = new Promise<void>((resolve) => {
    lock.leave.addEventListener("abort", () => resolve(), { once: true });
  });
  let held: Held | "held" | null = lock.first;
  while (!lock.leave.aborted) {
    if (held === "held") return lock.onLost();
    if (held !== null) await Promise.race([held.broken, left]);
    if (lock.leave.aborted) break;
    held = await connectAndLock(target, 0).catch(() => null);
    if (held === null) await Promise.race([delay(AGAIN_MS, undefined, { ref: false }), left]);
  }
  if (held !== null && held !== "held") await held.client.end().catch(() => undefined);
}

async function connectAndLock(target: PostgresTarget, patienceMs: number): Promise<Held | "held"> {
  const client = new Client({ ...clientConfig(target), keepAlive: true });
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  // A broken connection must not end the process.
  client.on("error", () => resolve());
  client.on("end", () => resolve());
  try {
    await client.connect().catch(rethrowAsUnreachable);
    const deadline = performance.now() + patienceMs;
    while (!(await tryLock(client, target.schema))) {
      if (performance.now() >= deadline) {
        await client.end();
        return "held";
      }
      await delay(POLL_MS);
    }
    return { client, broken };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The schema may not exist yet. This is the name that `openDatabase` will give it. */
async function tryLock(client: Client, schema: string | null): Promise<boolean> {
  const answer = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), $2))) as taken",
    [ENGINE_LOCK, schema ?? "public"],
  );
  return answer.rows[0]?.taken === true;
}
