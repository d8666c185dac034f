/** Keeps what a person has typed into the form of a new task, until it is sent or thrown away. */
import { ok } from "neverthrow";
import type { Draft } from "../../domain/draft/draft.ts";
import { deleteDraft, getDraft, saveDraft } from "../../storage/tables/drafts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Answer } from "../core/services.ts";

const TASK = "task";

/** Null if there is none. */
export async function readTaskDraft({ db }: Uses<"db">): Answer<Draft | null> {
  return ok(await getDraft(db.reader, TASK));
}

/** Null throws it away. */
export async function keepTaskDraft(
  context: Uses<"db" | "clock" | "newFacts">,
  content: Draft["content"] | null,
): Answer<Draft | null> {
  const updatedAt = context.clock.iso();
  const draft = content && { name: TASK, content, updatedAt };
  await transact(context.db, async (trx) => {
    if (draft === null) await deleteDraft(trx, TASK);
    else await saveDraft(trx, draft);
    const ids = { taskId: null, attemptId: null, runId: null };
    await appendFact(trx, { at: updatedAt, kind: "draft.changed", ...ids, data: { draft: TASK } });
  });
  context.newFacts.notify();
  return ok(draft);
}
