/** Adds the routes that clean up and undo, and those of the trash: list, restore, delete for good. */
import type { Hono } from "hono";
import type { TrashDocument } from "../../contract/answers.ts";
import { cleanRequest, emptyQuery, emptyRequest, emptyTrashRequest } from "../../contract/requests.ts";
import type { Services } from "../../services/core/services.ts";
import type { TrashEntry } from "../../services/core/tidy.ts";
import { showOperation } from "../documents/show-operation.ts";
import { type Env, type Exchange, listOf } from "../http/exchange.ts";

export function addTrashRoutes(api: Hono<Env>, services: Services, { read, write }: Exchange): void {
  api.get("/trash", (c) => read(c, emptyQuery, () => services.trash(), listOf(showEntry)));
  api.post("/trash/:id/restore", (c) =>
    write(
      c,
      emptyRequest,
      () => services.restoreTrash(c.req.param("id")),
      (restored) => restored,
    ),
  );
  api.post("/runs/:id/restore", (c) =>
    write(c, emptyRequest, () => services.restoreRun(c.req.param("id")), showDone),
  );
  api.post("/operations/:id/undo", (c) =>
    write(c, emptyRequest, () => services.undo(c.req.param("id")), showDone),
  );
  api.post("/clean", (c) =>
    write(
      c,
      cleanRequest,
      (body) => services.clean(body),
      (cleaned) => cleaned,
    ),
  );
  api.post("/trash/empty", (c) =>
    write(
      c,
      emptyTrashRequest,
      (body) => services.emptyTrash(body),
      (emptied) => emptied,
    ),
  );
}

function showDone(operation: Operation) {
  return { operation: showOperation(operation) };
}

type Operation = Parameters<typeof showOperation>[0];

function showEntry({ id, attemptId, path, snapshot, bytes, deletedAt }: TrashEntry): TrashDocument {
  return { id, attempt: attemptId, path, snapshot, bytes, deleted_at: deletedAt };
}
