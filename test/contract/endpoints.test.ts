import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { CODES } from "../../src/contract/codes.ts";
import { openApiDocument } from "../../src/contract/description/open-api.ts";
import { type Endpoint, pathsOf } from "../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { STATUS_OF } from "../../src/contract/problem.ts";

const SRC = join(import.meta.dir, "../../src");
const ROWS = Object.entries<Endpoint>(ENDPOINTS);
const document = openApiDocument("1.2.3") as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
};

interface Operation {
  readonly operationId: string;
  readonly security?: unknown;
  readonly responses: Record<string, { readonly content: Record<string, unknown> }>;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("the table", () => {
  test("offers these routes, which programs of others rely on", () => {
    const routes = ROWS.flatMap(([, { method, path }]) => pathsOf(path).map((each) => `${method} ${each}`));
    expect([...new Set(routes)].toSorted()).toEqual(ROUTES);
  });

  test("says of those rows that their requests have no fields, and of no others", () => {
    const wrong = ROWS.filter(
      ([, { request, empty }]) => (Object.keys(request.shape).length === 0) !== (empty === true),
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  test("takes only requests whose fields it names", () => {
    const loose = ROWS.filter(
      ([, { request, open }]) => open !== true && request.safeParse({ extra: 1 }).success,
    );
    expect(loose.map(([name]) => name)).toEqual([]);
  });

  test("asks more of an access token than to read or to write at these rows", () => {
    const more = ROWS.flatMap(([name, row]) => (row.needs === undefined ? [] : [{ name, needs: row.needs }]));
    const named = Object.groupBy(more, ({ needs }) => needs);
    const names = Object.entries(named).map(([scope, rows = []]) => [
      scope,
      rows.map(({ name }) => name).join(" "),
    ]);
    expect(Object.fromEntries(names)).toEqual(NEEDS);
  });

  test("a row for chosen requests stands before the row of the same path that takes the others", () => {
    const places = ROWS.map(([name, { method, path, when }]) => ({ name, place: `${method} ${path}`, when }));
    const never = places.filter((one, at) =>
      places.slice(0, at).some(({ place, when }) => place === one.place && !when),
    );
    expect(never.map(({ name }) => name)).toEqual([]);
  });
});

/** Every code that the services and the HTTP door refuse with, as their sources name it, with its status. */
function codesInSources(): Map<string, number> {
  const found = new Map<string, number>();
  const statuses: Readonly<Record<string, number>> = STATUS_OF;
  for (const folder of ["services", "api"])
    for (const file of new Glob("**/*.ts").scanSync(join(SRC, folder))) {
      const text = readFileSync(join(SRC, folder, file), "utf8");
      for (const [, kind = "", code = ""] of text.matchAll(/\brefused?\(\s*"(\w+)",\s*"(\w+)"/g))
        found.set(code, statuses[kind] ?? 0);
      for (const [, kind = "", code = "", rest = ""] of text.matchAll(
        /\bkind: "(\w+)",\s*(?:status: \d+,\s*)?code: "(\w+)"([\s\S]*?)\n\s*\}/g,
      ))
        found.set(code, Number(/\bstatus: (\d+)/.exec(rest)?.[1] ?? statuses[kind]));
    }
  return found;
}

describe("the codes", () => {
  const inSources = codesInSources();

  test("each refusal of a service or of the door is listed with its status", () => {
    const known: Readonly<Record<string, number>> = CODES;
    const elsewhere = ["no_such_address", "method_not_allowed"];
    const wrong = [...inSources].filter(
      ([code, status]) => known[code] !== status && !elsewhere.includes(code),
    );
    expect(wrong).toEqual([]);
  });

  test("none is listed that nothing refuses with", () => {
    const storage = readFileSync(join(SRC, "storage/schema/storage-error.ts"), "utf8");
    const idle = Object.keys(CODES).filter(
      (code) =>
        !inSources.has(code) && !new RegExp(`\\b${code}\\b`).test(storage) && code !== "environment_unknown",
    );
    expect(idle).toEqual([]);
  });

  test("each is a possible answer of an endpoint", () => {
    const told = JSON.stringify(document.paths);
    expect(Object.keys(CODES).filter((code) => !told.includes(`"${code}"`))).toEqual([]);
  });
});

describe("the OpenAPI description", () => {
  test("has one operation for each method and path, under a name of its own", () => {
    const routes = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace("{id}", ":id")}`,
    );
    expect(routes.toSorted()).toEqual(ROUTES);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("refers to no schema that it lacks", () => {
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(named.filter((name = "") => !(name in document.components.schemas))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  test("says which endpoints need no token, and which make something", () => {
    const open = operations
      .filter(({ operation }) => operation.security !== undefined)
      .map(({ path }) => path);
    expect(open.toSorted()).toEqual([
      "/health",
      "/join/{id}",
      "/join/{id}",
      "/openapi.json",
      "/sign-in-ways",
      "/webhooks/forge",
    ]);
    const made = operations.filter(({ operation }) => "201" in operation.responses).map(({ path }) => path);
    expect(made.toSorted()).toEqual([
      "/attempts/{id}/comments",
      "/attempts/{id}/publish",
      "/attempts/{id}/pull-request",
      "/attempts/{id}/revert",
      "/attempts/{id}/reviews",
      "/attempts/{id}/runs",
      "/attempts/{id}/terminal",
      "/decisions",
      "/demo",
      "/environments",
      "/pull-requests/{id}/comments",
      "/repositories",
      "/runs/{id}/fork",
      "/runs/{id}/retry",
      "/tasks",
      "/tasks/{id}/attempts",
      "/tasks/{id}/compose",
      "/tokens",
      "/workers/invitations",
    ]);
  });

  test("shows a page of a log and its stream as two contents of one answer", () => {
    const content = document.paths["/runs/{id}/events"]?.get?.responses["200"]?.content ?? {};
    expect(Object.keys(content).toSorted()).toEqual(["application/json", "text/event-stream"]);
  });
});

const NEEDS = {
  read: "leaveBrowser previewTask",
  publish:
    "accessTokens addAccessToken removeAccessToken publish takeBack merge apply undo openPullRequest reply",
  admin:
    "drainWorker resumeWorker removeWorker inviteWorker leave link browsers signOutBrowser signOutBrowsers people changePerson removePerson teamActs keepEnvironment demo removeDemo openTerminal followTerminal typeInTerminal resizeTerminal closeTerminal removeAnswerRule removeLogs emptyTrash addRepository moveRepository removeRepository changeSetting trust keepTaskDraft",
};

const ROUTES = [
  "DELETE /answer-rules/:id",
  "DELETE /browsers/:id",
  "DELETE /comments/:id",
  "DELETE /demo",
  "DELETE /people/:id",
  "DELETE /runs/:id",
  "DELETE /terminals/:id",
  "DELETE /tokens/:id",
  "DELETE /workers/:id",
  "GET /agents",
  "GET /answer-rules",
  "GET /attempts",
  "GET /attempts/:id",
  "GET /attempts/:id/checks",
  "GET /attempts/:id/comments",
  "GET /attempts/:id/diff",
  "GET /attempts/:id/gate",
  "GET /attempts/:id/lines",
  "GET /attempts/:id/patch",
  "GET /attempts/:id/picture",
  "GET /attempts/:id/pull-request/preview",
  "GET /attempts/:id/situation",
  "GET /attempts/:id/viewed",
  "GET /browsers",
  "GET /capacity",
  "GET /config",
  "GET /config/schema",
  "GET /decisions",
  "GET /doctor",
  "GET /drafts/task",
  "GET /engine",
  "GET /events",
  "GET /find",
  "GET /health",
  "GET /join/:id",
  "GET /openapi.json",
  "GET /operations",
  "GET /people",
  "GET /pull-requests",
  "GET /pull-requests/:id",
  "GET /repositories",
  "GET /repositories/:id/branches",
  "GET /repositories/:id/files",
  "GET /runs",
  "GET /runs/:id",
  "GET /runs/:id/diff",
  "GET /runs/:id/events",
  "GET /runs/:id/lines",
  "GET /runs/:id/picture",
  "GET /scripts",
  "GET /sign-in-ways",
  "GET /storage",
  "GET /storage/logs",
  "GET /tasks",
  "GET /tasks/:id",
  "GET /tasks/:id/compare",
  "GET /team-acts",
  "GET /terminals/:id/output",
  "GET /tokens",
  "GET /tools",
  "GET /trash",
  "GET /workers",
  "GET /you",
  "PATCH /attempts/:id/draft",
  "PATCH /comments/:id",
  "PATCH /people/:id",
  "PATCH /runs/:id",
  "PATCH /settings",
  "POST /attempts/:id/apply",
  "POST /attempts/:id/came-back",
  "POST /attempts/:id/cancel",
  "POST /attempts/:id/checks/base",
  "POST /attempts/:id/comments",
  "POST /attempts/:id/merge",
  "POST /attempts/:id/publish",
  "POST /attempts/:id/pull-request",
  "POST /attempts/:id/revert",
  "POST /attempts/:id/reviews",
  "POST /attempts/:id/runs",
  "POST /attempts/:id/stop",
  "POST /attempts/:id/take-back",
  "POST /attempts/:id/terminal",
  "POST /browsers/sign-out",
  "POST /clean",
  "POST /decisions",
  "POST /demo",
  "POST /engine/leave",
  "POST /environments",
  "POST /join/:id",
  "POST /links",
  "POST /operations/:id/undo",
  "POST /pull-requests/:id/comments",
  "POST /repositories",
  "POST /repositories/:id/fetch",
  "POST /repositories/:id/move",
  "POST /repositories/:id/remove",
  "POST /runs/:id/answer",
  "POST /runs/:id/cancel",
  "POST /runs/:id/fork",
  "POST /runs/:id/restore",
  "POST /runs/:id/resume",
  "POST /runs/:id/retry",
  "POST /runs/:id/stop",
  "POST /scripts/trust",
  "POST /storage/logs/remove",
  "POST /storage/scan",
  "POST /tasks",
  "POST /tasks/:id/attempts",
  "POST /tasks/:id/cancel",
  "POST /tasks/:id/compose",
  "POST /tasks/:id/stop",
  "POST /tasks/preview",
  "POST /terminals/:id/input",
  "POST /tokens",
  "POST /trash/:id/restore",
  "POST /trash/empty",
  "POST /webhooks/forge",
  "POST /workers/:id/drain",
  "POST /workers/:id/resume",
  "POST /workers/invitations",
  "POST /you/sign-out",
  "PUT /attempts/:id/seen",
  "PUT /attempts/:id/viewed",
  "PUT /drafts/task",
  "PUT /terminals/:id/size",
];
