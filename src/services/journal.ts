/** Writes acts on git and on worktrees into the journal: the intention before the act, what came of it after. */
import type { Result } from "neverthrow";
import type { Operation } from "../domain/operation.ts";
import { appendFact } from "../storage/facts.ts";
import { endOperation, insertOperation } from "../storage/operations.ts";
import type { WriteTransaction } from "../storage/schema.ts";
import { transact } from "../storage/transact.ts";
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
  const end = (
    status: "done" | "failed",
    state: Operation["after"],
    more = async (_: WriteTransaction) => {},
  ) =>
    transact(context.db, async (trx) => {
      const at = context.clock.iso();
      await more(trx);
      await endOperation(trx, {
        id,
        status,
        after: state,
        undoable: status === "done" && (entry.undoable ?? false),
        endedAt: at,
      });
      await appendFact(trx, {
        at,
        kind: "operation.done",
        ...factSubject(entry.subject),
        data: { operation: id, kind: entry.kind, status },
      });
    });
  try {
    context.failpoint(`before:${entry.kind}`);
    const result = await act();
    context.failpoint(`after:${entry.kind}`);
    await result.match(
      (value) => end("done", after(value), (trx) => record(trx, value)),
      (error) => end("failed", { message: error.message }),
    );
    context.bell.ring();
    return result;
  } catch (error) {
    await end("failed", { message: error instanceof Error ? error.message : String(error) });
    throw error;
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
