/** Shows decisions: one, or those of a task with its history. */
import { err, ok, type Result } from "neverthrow";
import type { Decision } from "../../domain/decision/decision.ts";
import { getDecision, pageDecisions } from "../../storage/tables/decisions.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import { type Listed, listed } from "../queries/lists.ts";

/** Newest first. */
export function listDecisions(
  context: Uses<"db">,
  { task, ...query }: PageQuery & { readonly task: string | null },
): Listed<Decision> {
  return listed(query, {
    read: (cursor) => pageDecisions(context.db.reader, { ...query, task, cursor }),
    show: async (decisions) => decisions,
  });
}

export async function showDecision(context: Uses<"db">, id: string): Promise<Result<Decision, Refusal>> {
  const decision = await getDecision(context.db.reader, id);
  return decision === null ? err(notFound("decision", id)) : ok(decision);
}
