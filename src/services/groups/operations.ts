/** Joins what lists operations, and what takes work back. */
import { restoreRun } from "../attempts/restore-run.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { listOperations } from "../queries/lists.ts";
import { takeLeft } from "../returned/take-left.ts";
import { undoOperation } from "../undo/undo-operation.ts";

export function operationServices(context: ServiceContext) {
  return {
    operations: (query) => listOperations(context, query),
    undo: (id) => undoOperation(context, id),
    takeLeft: (asked) => takeLeft(context, asked),
    restoreRun: (id) => restoreRun(context, id),
  } satisfies Partial<Services>;
}
