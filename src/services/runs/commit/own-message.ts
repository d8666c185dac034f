/** Writes the commit message of a run, without secrets, before any hook reads it. */
import type { Result } from "neverthrow";
import { createRedactor } from "../../../domain/agent/redact.ts";
import { executorsOf, type Origin, originTrailers } from "../../../domain/attempt/origin.ts";
import { messageFor } from "../../../domain/pull-request/ship-draft.ts";
import { commitMessage } from "../../../domain/run/commit-message.ts";
import type { Run } from "../../../domain/run/run.ts";
import { isCommitUndone } from "../../../domain/undo/undone-commit.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { secretsOf } from "../../confinement/secrets-of.ts";
import type { Uses } from "../../core/context-parts.ts";
import { readShipDraft } from "../../drafts/ship-draft.ts";
import type { RunWorld } from "../../run-core/step.ts";

type Worded = Pick<RunWorld, "run" | "attempt" | "task" | "repository" | "configuration" | "earlier">;

interface OwnMessage {
  readonly message: string;
  /** For what a hook makes of it. */
  readonly redactor: ReturnType<typeof createRedactor>;
}

export async function ownMessage(
  context: Uses<"db" | "git" | "userEnv" | "tokens" | "executors">,
  world: Worded,
): Promise<Result<OwnMessage, GitError>> {
  const { run, attempt, task } = world;
  const typed = messageFor(await readShipDraft(context.db.reader, attempt.id), world.earlier);
  const written = typed ?? run.options.message ?? null;
  const author = authorOf(world);
  const origin = originOf(world);
  const executors = [
    ...(author.kind === "agent" ? [attempt.executor] : []),
    ...(origin === null ? [] : executorsOf(origin)),
  ];
  const authors = new Set(executors.flatMap((id) => context.executors.get(id)?.author ?? []));
  return (await secretsOf(context, world)).map((values) => {
    const redactor = createRedactor({ values });
    // Done before the message is made: a token with a capital at its start would no longer be recognized.
    const message = commitMessage({
      instruction: redactor.text(run.instruction),
      summary: redactor.text(author.summary ?? ""),
      message: written === null ? null : redactor.text(written),
      taskId: task.id,
      runId: run.id,
      authors: [...authors],
      from: origin === null ? [] : originTrailers(origin).map(redactor.text),
    });
    return { message, redactor };
  });
}

/** What the attempt began with, if no commit of it holds that yet. */
function originOf({ attempt, earlier }: Pick<Worded, "attempt" | "earlier">): Origin | null {
  const isIn = earlier.some(({ commit, notes }) => commit !== null && !isCommitUndone(notes));
  return isIn ? null : attempt.origin;
}

/** The run whose work is committed: what the gate kept back is an agent's, no matter who allowed it later. */
function authorOf({ run, earlier }: Pick<Worded, "run" | "earlier">): Run {
  const { allowance, leaveOut, retryOf } = run.options;
  const isAsItWas = allowance !== undefined || leaveOut !== undefined;
  return (isAsItWas && earlier.find(({ id }) => id === retryOf)) || run;
}
