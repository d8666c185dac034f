/** Adds the routes of repositories, agents, settings, scripts to trust, and operations. */
import type { Hono } from "hono";
import {
  configQuery,
  emptyQuery,
  emptyRequest,
  findQuery,
  operationsQuery,
  repositoryRequest,
  scriptsQuery,
  trustRequest,
} from "../../contract/requests.ts";
import type { Services } from "../../services/core/services.ts";
import { showOperation } from "../documents/show-operation.ts";
import { showRepository } from "../documents/show-task.ts";
import { shellOf } from "../http/caller-shell.ts";
import { type Env, type Exchange, listOf, pageOf } from "../http/exchange.ts";

export function addSettingRoutes(api: Hono<Env>, services: Services, { read, write }: Exchange): void {
  api.get("/repositories", (c) => read(c, emptyQuery, () => services.repositories(), listOf(showRepository)));
  api.post("/repositories", (c) =>
    write(c, repositoryRequest, ({ path }) => services.addRepository(path), showRepository, 201),
  );
  api.post("/repositories/:id/move", (c) =>
    write(
      c,
      repositoryRequest,
      ({ path }) => services.moveRepository(c.req.param("id"), path),
      showRepository,
    ),
  );
  api.post("/repositories/:id/remove", (c) =>
    write(
      c,
      emptyRequest,
      () => services.removeRepository(c.req.param("id")),
      ({ repository, ...left }) => ({ repository: showRepository(repository), ...left }),
    ),
  );
  api.get("/agents", (c) =>
    read(c, configQuery, (query) => shellOf(c, services).agents(query), listOf(same)),
  );
  api.get("/doctor", (c) =>
    read(
      c,
      configQuery,
      (query) => shellOf(c, services).doctor(query),
      (findings) => ({ findings }),
    ),
  );
  api.get("/config", (c) => read(c, configQuery, (query) => services.config(query), listOf(same)));
  api.get("/scripts", (c) => read(c, scriptsQuery, (query) => services.scripts(query), listOf(same)));
  api.post("/scripts/trust", (c) => write(c, trustRequest, (body) => services.trust(body), listOf(same)));
  api.get("/operations", (c) =>
    read(c, operationsQuery, (query) => services.operations(query), pageOf(showOperation)),
  );
  api.get("/find", (c) =>
    read(
      c,
      findQuery,
      ({ id }) => services.find(id),
      ({ type, id, attemptId, taskId }) => ({ type, id, attempt: attemptId, task: taskId }),
    ),
  );
}

function same<T>(item: T): T {
  return item;
}
