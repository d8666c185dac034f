/** Holds the lock that lets one engine at a time work on a Postgres, whatever its data folder; the server frees it when its holder is gone. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import { Client } from "pg";
import { clientConfig, type PostgresTarget, rethrowAsUnreachable } from "./postgres-pool.ts";
import { type StorageError, storageErrorOf } from "./storage-error.ts";

export interface PostgresEngineLock {
  /** Frees the lock; once more is harmless. */
  release(): Promise<void>;
}

export interface PostgresLockOptions {
  /** Called once, where the connection broke and another engine took the lock before it could be taken again. */
  readonly onLost: () => void;
  /** How long a holder that is just dying is waited for; 2,000 unless told. */
  readonly patienceMs?: number;
}

/** Names the lock among those of the database; the schema is the rest of its key. */
const ENGINE_LOCK = 7_268_003;
const LOOK_MS = 50;
const AGAIN_MS = 1_000;

/** Takes the lock of the schema that holds the tables, on a connection of its own, or answers that another engine holds it. */
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

/** Takes the lock again whenever its connection breaks (the server was started anew), until it is given up. */
async function keep(
  target: PostgresTarget,
  of: { readonly first: Held; readonly leave: AbortSignal; readonly onLost: () => void },
): Promise<void> {
  const left = new Promise<void>((resolve) => {
    of.leave.addEventListener("abort", () => resolve(), { once: true });
  });
  let held: Held | "held" | null = of.first;
  while (!of.leave.aborted) {
    if (held === "held") return of.onLost();
    if (held !== null) await Promise.race([held.broken, left]);
    if (of.leave.aborted) break;
    held = await connectAndLock(target, 0).catch(() => null);
    if (held === null) await Promise.race([delay(AGAIN_MS, undefined, { ref: false }), left]);
  }
  if (held !== null && held !== "held") await held.client.end().catch(() => undefined);
}

async function connectAndLock(target: PostgresTarget, patienceMs: number): Promise<Held | "held"> {
  const client = new Client({ ...clientConfig(target), keepAlive: true });
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  // A connection that breaks must not end the process.
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
      await delay(LOOK_MS);
    }
    return { client, broken };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The schema may not be there yet; it gets the name that `openDatabase` will give it. */
async function tryLock(client: Client, schema: string | null): Promise<boolean> {
  const answer = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), $2))) as taken",
    [ENGINE_LOCK, schema ?? "public"],
  );
  return answer.rows[0]?.taken === true;
}
