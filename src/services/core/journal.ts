/** Writes acts on git and on worktrees into the journal: the intention before the act, the result after it. */
import type { Result } from "neverthrow";
import { recordedName } from "../../domain/actor.ts";
import type { Operation } from "../../domain/operation.ts";
import { readIdentity } from "../../git/repository/identity.ts";
import { noteCommandsIn } from "../../git/runner/note-commands.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { endOperation, insertOperation } from "../../storage/tables/operations.ts";
import { transact } from "../../storage/transact.ts";
import { sleep } from "../../utils/time/waiting.ts";
import type { JournalContext, Uses } from "./context-parts.ts";

interface JournalEntry {
  readonly kind: string;
  readonly subject: Operation["subject"];
  readonly before: Operation["before"];
  /** Whether `undo` can take it back; false by default. */
  readonly undoable?: boolean;
  /** What is to be stored together with the intention. */
  readonly intend?: (trx: WriteTransaction) => Promise<void>;
}

/**
 * Runs `act` between two entries of the journal. If it fails or throws, the journal says `failed`. If the process dies,
 * the entry stays `intended` until recovery has looked. The changes that `record` makes after a success are stored
 * together with its entry: a crash leaves both or neither. If it leaves neither, recovery looks.
 */
export async function journaled<T, E extends { readonly message: string }>(
  context: JournalContext,
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
      workerId: context.owner,
      actor: context.actor,
      after: null,
      status: "intended",
      at: context.clock.iso(),
      endedAt: null,
    });
  });
  const commands: string[] = [];
  const end = ending(context, id, { ...entry, commands });
  const failed = (error: unknown) => end("failed", { message: messageOf(error) });
  context.failpoint(`before:${entry.kind}`);
  const result = await noteCommandsIn(commands, act).catch(async (error: unknown) => {
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
  context.newFacts.notify();
  return result;
}

/** Stores the result of an act, and what belongs to it, in one transaction. */
function ending(
  context: Uses<"db" | "clock">,
  id: string,
  { kind, subject, undoable = false, commands }: JournalEntry & { readonly commands: readonly string[] },
) {
  return (
    status: "done" | "failed",
    after: Operation["after"],
    more = async (_: WriteTransaction) => {},
  ): Promise<void> =>
    transact(context.db, async (trx) => {
      const at = context.clock.iso();
      await more(trx);
      await endOperation(trx, {
        id,
        status,
        after,
        undoable: status === "done" && undoable,
        commands: commands.length === 0 ? null : [...commands],
        endedAt: at,
      });
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
 * Stores how an act ended. If the database cannot be written now (a full disk), the caller gets the error. The same
 * is stored as soon as it can be. At an engine's start, an entry that is still intended would look like a crash.
 */
async function stored(
  context: Uses<"engineStop" | "newFacts" | "reportFault">,
  store: () => Promise<void>,
): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (storageErrorOf(error) !== null) void storeLater(context, store);
    throw error;
  }
}

async function storeLater(
  context: Uses<"engineStop" | "newFacts" | "reportFault">,
  store: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await sleep(AGAIN_MS);
    if (context.engineStop.aborted) return;
    try {
      await store();
      return context.newFacts.notify();
    } catch (error) {
      if (storageErrorOf(error) === null) return context.reportFault("the end of an act", error);
    }
  }
}

/** The fact's ids; a reader finds the parents of a run or an attempt from them. */
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

/**
 * The person who asks for an act, in one line. The owner of the machine is named as their commits name them (`Name
 * <address>`); null if git cannot tell.
 */
export async function askedBy(context: Uses<"git" | "actor">, target: GitTarget): Promise<string | null> {
  const named = context.actor && recordedName(context.actor);
  if (named !== null) return named;
  const identity = await readIdentity(context.git, target);
  return identity.map(({ author: { name, email } }) => `${name} <${email}>`).unwrapOr(null);
}
