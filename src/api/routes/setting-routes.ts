/** Routes of what stands around the work: repositories, agents, settings, scripts to trust, operations. */
import type { Hono } from "hono";
import {
  configQuery,
  emptyQuery,
  findQuery,
  operationsQuery,
  repositoryQuery,
  repositoryRequest,
  scriptsQuery,
  trustRequest,
} from "../../contract/requests.ts";
import type { Services } from "../../services/services.ts";
import { type Env, type Exchange, listOf, pageOf } from "../exchange.ts";
import { showOperation } from "../show-operation.ts";
import { showRepository } from "../show-task.ts";

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
  api.get("/agents", (c) => read(c, repositoryQuery, (query) => services.agents(query), listOf(same)));
  api.get("/doctor", (c) =>
    read(
      c,
      configQuery,
      (query) => services.doctor(query),
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
