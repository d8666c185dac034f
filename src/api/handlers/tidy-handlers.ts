/** Handles the endpoints of the journal, of clean-ups and of the trash. */
import { ok } from "neverthrow";
import { showing } from "../../contract/document-of.ts";
import { type OPERATION_ENDPOINTS, operationFields } from "../../contract/endpoints/operations.ts";
import { type TRASH_ENDPOINTS, trashFields } from "../../contract/endpoints/trash.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { factsSource } from "../streams/facts-stream.ts";
import { type Handlers, listOf, pageOf, shown } from "./handler.ts";

export function operationHandlers({
  pingMs = 15_000,
}: Pick<ApiOptions, "pingMs">): Handlers<typeof OPERATION_ENDPOINTS> {
  return {
    followFacts: async ({ services, request }) => ok(factsSource({ services, after: request.after, pingMs })),
    operations: ({ services, request }) => shown(services.operations(request), pageOf(showOperation)),
    undo: ({ services, id }) => shown(services.undo(id), showDone),
  };
}

export const trashHandlers: Handlers<typeof TRASH_ENDPOINTS> = {
  clean: ({ services, request: { id, ids, yes } }) => services.clean({ ids: id === null ? ids : [id], yes }),
  storage: ({ services, request }) => services.storage(request),
  scanStorage: ({ services }) => services.scanStorage(),
  storedLogs: ({ services, request }) => services.storedLogs(request),
  removeLogs: ({ services, request }) => services.removeLogs(request.runs),
  trash: ({ services }) => shown(services.trash(), listOf(showEntry)),
  restoreTrash: ({ services, id }) => services.restoreTrash(id),
  emptyTrash: ({ services, request }) => services.emptyTrash(request),
};

/** An operation as the answer to what made it. */
export function showDone(operation: Parameters<typeof showOperation>[0]) {
  return { operation: showOperation(operation) };
}

const showOperation = showing(operationFields);
const showEntry = showing(trashFields);
