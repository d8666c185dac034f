/** Turns a journaled operation into its document. */
import type { OperationDocument } from "../../contract/endpoints/operations.ts";
import type { Services } from "../../services/core/services.ts";

type Operation = Extract<
  Awaited<ReturnType<Services["operations"]>>,
  { value: unknown }
>["value"]["items"][number];

export function showOperation(operation: Operation): OperationDocument {
  const { id, kind, subject, before, after, status, undoable, at, endedAt } = operation;
  return {
    id,
    kind,
    subject,
    before: before === null ? null : { ...before },
    after: after === null ? null : { ...after },
    status,
    undoable,
    at,
    ended_at: endedAt,
  };
}
