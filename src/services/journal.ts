/** Writes acts on git and on worktrees into the journal: the intention before the act, what came of it after. */
import type { Result } from "neverthrow";
import type { Operation } from "../domain/operation.ts";
import { appendFact } from "../storage/facts.ts";
import { endOperation, insertOperation } from "../storage/operations.ts";
import type { WriteTransaction } from "../storage/schema.ts";
import { storageErrorOf } from "../storage/storage-error.ts";
import { transact } from "../storage/transact.ts";
import { sleep } from "../utils/waiting.ts";
import type { ServiceContext } from "./context.ts";

export interface JournalEntry {
  readonly kind: string;
  readonly subject: Operation["subject"];
  readonly before: Operation["before"];
  /** Whether `undo` can take it back; false unless told. */
  readonly undoable?: boolean;
  /** What is to be stored together with the intention. */
  readonly intend?: (trx: WriteTransaction) => Promise<void>;
}

/**
 * Does `act` between two entries of the journal. Where it fails, throws, or the process dies meanwhile, the journal
 * says so: `failed`, or `intended` for ever until recovery has looked. What `record` writes of a success is stored
 * together with its entry: a crash leaves both or neither, and in the latter case recovery looks.
 */
export async function journaled<T, E extends { readonly message: string }>(
  context: ServiceContext,
  entry: JournalEntry,
  act: () => Promise<Result<T, E>>,
  after: (value: T) => Operation["after"],
  record: (trx: WriteTransaction, value: T) => Promise<void> = async () => {},
): Promise<Result<T, E>> {
  const id = context.newId();
  await transact(context.db, async (trx) => {
    await entry.intend?.(trx);
    await insertOperation(trx, {
      ...entry,
      undoable: entry.undoable ?? false,
      id,
      after: null,
      status: "intended",
      at: context.clock.iso(),
      endedAt: null,
    });
  });
  const end = ending(context, id, entry);
  const failed = (error: unknown) => end("failed", { message: messageOf(error) });
  context.failpoint(`before:${entry.kind}`);
  const result = await act().catch(async (error: unknown) => {
    await stored(context, () => failed(error));
    throw error;
  });
  context.failpoint(`after:${entry.kind}`);
  await stored(context, () =>
    result.match(
      (value) => end("done", after(value), (trx) => record(trx, value)),
      (error) => failed(error),
    ),
  ).catch(async (error: unknown) => {
    if (storageErrorOf(error) === null) await stored(context, () => failed(error));
    throw error;
  });
  context.bell.ring();
  return result;
}

/** Writes what came of an act, and what belongs to it, in one transaction. */
function ending(context: ServiceContext, id: string, { kind, subject, undoable = false }: JournalEntry) {
  return (
    status: "done" | "failed",
    after: Operation["after"],
    more = async (_: WriteTransaction) => {},
  ): Promise<void> =>
    transact(context.db, async (trx) => {
      const at = context.clock.iso();
      await more(trx);
      await endOperation(trx, { id, status, after, undoable: status === "done" && undoable, endedAt: at });
      await appendFact(trx, {
        at,
        kind: "operation.done",
        ...factSubject(subject),
        data: { operation: id, kind, status },
      });
    });
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}

const AGAIN_MS = 1000;

/**
 * Stores how an act ended. Where the database cannot be written now (a full disk), whoever asked is told so, and the same
 * is stored as soon as it can be: an entry that stayed intended would be looked at as a crash's when an engine starts.
 */
async function stored(context: ServiceContext, store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (storageErrorOf(error) !== null) void storeLater(context, store);
    throw error;
  }
}

async function storeLater(context: ServiceContext, store: () => Promise<void>): Promise<void> {
  for (;;) {
    await sleep(AGAIN_MS);
    if (context.leaving.aborted) return;
    try {
      await store();
      return context.bell.ring();
    } catch (error) {
      if (storageErrorOf(error) === null) return context.reportFault("the end of an act", error);
    }
  }
}

/** The fact's ids; a reader finds the parents of a run or an attempt by itself. */
function factSubject(subject: Operation["subject"]): {
  taskId: string | null;
  attemptId: string | null;
  runId: string | null;
} {
  return {
    taskId: subject.type === "task" ? subject.id : null,
    attemptId: subject.type === "attempt" ? subject.id : null,
    runId: subject.type === "run" ? subject.id : null,
  };
}
