/** Adds the routes of tasks, attempts and runs: creating, steering and reading them. */
import type { Hono } from "hono";
import { err, ok, type Result } from "neverthrow";
import {
  createTaskRequest,
  diffQuery,
  emptyQuery,
  emptyRequest,
  followUpRequest,
  pageQuery,
  patchQuery,
  publishRequest,
  retryRequest,
  tasksQuery,
} from "../../contract/requests.ts";
import type { DiffFiles, DiffView, Refusal, Services } from "../../services/core/services.ts";
import { showAttemptAlone, showListedTask, showRunAlone, showTask } from "../documents/show-task.ts";
import { shellOf } from "../http/caller-shell.ts";
import { type Env, type Exchange, pageOf, unhurriedStream } from "../http/exchange.ts";
import { problemOfRefusal, problemResponse } from "../http/problem-response.ts";
import { parseQuery } from "../http/read-request.ts";

export function addTaskRoutes(api: Hono<Env>, services: Services, exchange: Exchange): void {
  addTasks(api, services, exchange);
  addAttempts(api, services, exchange);
  addRuns(api, services, exchange);
}

function addTasks(api: Hono<Env>, services: Services, { read, write }: Exchange): void {
  api.post("/tasks", (c) =>
    write(
      c,
      createTaskRequest,
      (body, once) => shellOf(c, services).createTask(asked(body), once),
      showTask,
      201,
    ),
  );
  api.get("/tasks", (c) => read(c, tasksQuery, (query) => services.tasks(query), pageOf(showListedTask)));
  api.get("/tasks/:id", (c) => read(c, emptyQuery, () => services.task(c.req.param("id")), showTask));
  api.post("/demo", (c) =>
    write(c, emptyRequest, (_, once) => shellOf(c, services).demo(once), showTask, 201),
  );

  for (const kind of ["tasks", "attempts", "runs"]) {
    api.post(`/${kind}/:id/cancel`, (c) =>
      write(c, emptyRequest, () => services.cancel(c.req.param("id") ?? ""), showTask),
    );
    api.post(`/${kind}/:id/stop`, (c) =>
      write(c, emptyRequest, () => services.stop(c.req.param("id") ?? ""), showTask),
    );
  }
}

function addAttempts(api: Hono<Env>, services: Services, { read, write }: Exchange): void {
  api.get("/attempts", (c) =>
    read(c, pageQuery, (query) => services.attempts(query), pageOf(showAttemptAlone)),
  );
  api.get("/attempts/:id", (c) =>
    read(
      c,
      emptyQuery,
      () => findAttempt(services, c.req.param("id")),
      ({ attempt }) => showAttemptAlone(attempt),
    ),
  );
  api.post("/attempts/:id/runs", (c) =>
    write(
      c,
      followUpRequest,
      ({ merge_base, ...same }, once) =>
        shellOf(c, services).followUp({ ...same, attempt: c.req.param("id"), mergeBase: merge_base }, once),
      showTask,
      201,
    ),
  );
  api.post("/attempts/:id/publish", (c) =>
    write(
      c,
      publishRequest,
      (body, once) => shellOf(c, services).publish({ ...body, attempt: c.req.param("id") }, once),
      showTask,
      201,
    ),
  );
  api.get("/attempts/:id/diff", (c) => {
    const id = c.req.param("id");
    const ask = async ({
      files,
      path,
      ...query
    }: DiffQuery): Promise<Result<DiffView | DiffFiles, Refusal>> =>
      files === "only" ? services.diffFiles(id, query) : services.diff(id, { other: query.other, path });
    return read(c, diffQuery, ask, (diff) => diff);
  });
  api.get("/attempts/:id/patch", async (c) => {
    const query = parseQuery(patchQuery, c.req.url);
    if (query.isErr()) return problemResponse(query.error);
    const patch = await services.patch(c.req.param("id"), query.value);
    if (patch.isErr()) return problemResponse(problemOfRefusal(patch.error));
    return new Response(unhurriedStream(c, patch.value), { headers: PATCH_HEADERS });
  });
}

function addRuns(api: Hono<Env>, services: Services, { read, write }: Exchange): void {
  api.get("/runs", (c) => read(c, pageQuery, (query) => services.runs(query), pageOf(showRunAlone)));
  api.get("/runs/:id", (c) => read(c, emptyQuery, () => findRun(services, c.req.param("id")), showRunAlone));
  api.post("/runs/:id/retry", (c) =>
    write(
      c,
      retryRequest,
      (body, once) => shellOf(c, services).retry({ ...body, run: c.req.param("id") }, once),
      showTask,
      201,
    ),
  );
}

const PATCH_HEADERS = { "content-type": "text/x-diff", "cache-control": "no-store" };

type DiffQuery = (typeof diffQuery)["_zod"]["output"];

type CreateTask = Parameters<Services["createTask"]>[0];
type CreateTaskBody = (typeof createTaskRequest)["_zod"]["output"];

function asked(body: CreateTaskBody): CreateTask {
  const { agents, from_worktree, budget_usd, ...same } = body;
  return {
    ...same,
    agents: agents.map((agent) => (typeof agent === "string" ? { id: agent, model: null } : agent)),
    fromWorktree: from_worktree,
    budgetUsd: budget_usd,
  };
}

async function findAttempt(services: Services, id: string) {
  const found = await services.find(id);
  if (found.isErr()) return err(found.error);
  const detail = await services.task(found.value.taskId);
  if (detail.isErr()) return err(detail.error);
  const attempt = detail.value.attempts.find((each) => each.attempt.id === found.value.attemptId);
  if (attempt === undefined || found.value.type === "task") return err(nothing("attempt", id));
  return ok({ attempt, found: found.value });
}

async function findRun(services: Services, id: string) {
  const parent = await findAttempt(services, id);
  if (parent.isErr()) return err(parent.error);
  const { attempt, found } = parent.value;
  const run = attempt.runs.find((each) => each.id === found.id);
  return run === undefined ? err(nothing("run", id)) : ok({ run, taskId: found.taskId });
}

function nothing(what: string, id: string): Refusal {
  return {
    kind: "not_found",
    code: "not_found",
    message: `No ${what} has the id "${id}".`,
    remedy: "`tazuna list --all` shows the ids; any unique prefix will do.",
    details: { id },
  };
}
