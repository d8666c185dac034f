/** Answers what is asked of a task, an attempt or a run with the whole task; makes what is asked for only once. */
import { err, ok, type Result } from "neverthrow";
import { createdUnder } from "../../storage/tables/idempotency-keys.ts";
import type { AttemptDetail, ResolvedId, TaskDetail } from "../core/answer-shapes.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { Once } from "../core/request-shapes.ts";
import type { Answer } from "../core/services.ts";
import { findId, taskDetail } from "../queries/task-detail.ts";

type Create = (key: string | null) => Promise<Result<string, Refusal>>;

/**
 * A second request with the same key answers with what the first one made. `create` answers with the id of what it
 * made and records it under the key, in one transaction.
 */
export async function createdOnce({ db }: Uses<"db">, once: Once, create: Create): ReturnType<Create> {
  const key = once?.key ?? null;
  const before = key === null ? null : await createdUnder(db.reader, key);
  return before === null ? create(key) : ok(before);
}

export function createTaskAnswers(context: ServiceContext) {
  /** Runs `act` on what the id names; answers with the whole task. */
  const onFound = async (
    id: string,
    act: (found: ResolvedId) => Promise<Result<void, Refusal>>,
  ): Answer<TaskDetail> => {
    const found = await findId(context, id);
    if (found.isErr()) return err(found.error);
    const done = await act(found.value);
    return done.isErr() ? err(done.error) : taskDetail(context, found.value.taskId);
  };
  const detailOf = (id: string): Answer<TaskDetail> => onFound(id, async () => ok(undefined));
  /** `create` answers with the id of a task, an attempt or a run. */
  const createOnce = async (once: Once, create: Create, detail = detailOf): Answer<TaskDetail> => {
    const created = await createdOnce(context, once, create);
    return created.isErr() ? err(created.error) : detail(created.value);
  };
  const attemptOf = async (run: string) => (await detailOf(run)).map((task) => withAttemptOf(task, run));
  return { onFound, createOnce, attemptOf };
}

/** The task with the attempt of that run alone. */
function withAttemptOf(task: TaskDetail, run: string): TaskDetail {
  const has = ({ runs }: AttemptDetail) => runs.some(({ id }) => id === run);
  return { ...task, attempts: task.attempts.filter(has) };
}
