/** Hands calls on to the worker that holds the files, and answers those that others hand on. */
import { expect, test } from "bun:test";
import { ok } from "neverthrow";
import { answerForwarded } from "../../src/api/http/answer-forwarded.ts";
import { type Endpoint, hasBody, isHandedOn, pathsOf } from "../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { refused } from "../../src/services/core/refusal.ts";
import type { AskedAnswer, AskedCall } from "../../src/services/core/screen-shapes.ts";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";

const OTHER = { id: "worker-2", name: "ci-2" };

const inBase64 = (text: string) => Buffer.from(text).toString("base64");
const answered = (document: unknown, status = 200): AskedAnswer => ({
  status,
  type: "application/json",
  body: inBase64(JSON.stringify(document)),
});

const json = async (response: Response | Promise<Response>) => (await (await response).json()) as Document;
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
type Document = any;

const post = (door: DoorServer, path: string, init: { body?: unknown; key?: string; token?: string } = {}) =>
  (init.token === undefined ? door.call : door.bare)(`/api/v1${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(init.key === undefined ? {} : { "idempotency-key": init.key }),
      ...(init.token === undefined ? {} : { authorization: `Bearer ${init.token}` }),
    },
    body: JSON.stringify(init.body ?? {}),
  });

const call = (given: Partial<AskedCall>): AskedCall => ({
  method: "GET",
  path: "/api/v1/engine",
  body: null,
  idempotencyKey: null,
  caller: "program",
  access: null,
  actor: null,
  ...given,
});

const textOf = ({ body }: AskedAnswer) => Buffer.from(body, "base64").toString();

test("only rows with one id, an answer of one piece and no secret ask the holder", () => {
  const rows = Object.entries<Endpoint>(ENDPOINTS).filter(([, { asksHolder }]) => asksHolder !== undefined);
  expect(rows.length).toBeGreaterThan(20);
  for (const [name, { path, type, open, secret, raw, asksHolder }] of rows)
    expect([
      name,
      path.includes("/:id") !== (asksHolder === "named_repository"),
      type === "text/event-stream",
      open,
      secret,
      raw,
    ]).toEqual([name, true, false, undefined, undefined, undefined]);
});

/** Bodies that name a repository. */
const NAMING: Readonly<Record<string, string>> = {
  previewTask: '{"repository":"x y","issue":"Fix it."}',
  trust: '{"repository":"x y","hashes":[]}',
};

test("every row that asks the holder hands its call on, with body, query and key as they came", async () => {
  await using door = doorServer();
  const asked: AskedCall[] = [];
  door.services.askOther = async (worker, given) => {
    expect(worker).toEqual(OTHER);
    asked.push(given);
    return ok(answered({ done: true }, 202));
  };
  for (const [name, row] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (row.asksHolder === undefined) continue;
    door.services.elsewhere.set(`${row.asksHolder} x y`, OTHER);
    const path = `/api/v1${row.path.replace(":id", "x%20y")}`;
    const needed = { lines: "?path=a&side=new&from=1&to=2", picture: "?path=a&side=new" };
    const query = name.toLowerCase().endsWith("lines")
      ? needed.lines
      : name.toLowerCase().endsWith("picture")
        ? needed.picture
        : row.when?.in === "query"
          ? `?${row.when.name}=${row.when.value}`
          : row.asksHolder === "named_repository" && !hasBody(row)
            ? "?repository=x%20y"
            : "";
    const body = hasBody(row) ? (NAMING[name] ?? '{"any":1}') : null;
    const response = await door.call(path + query, {
      method: row.method,
      headers: { "content-type": "application/json", "idempotency-key": "key-1" },
      ...(body === null ? {} : { body }),
    });
    expect([name, response.status, await response.json()]).toEqual([name, 202, { done: true }]);
    expect(asked.pop()).toEqual({
      method: row.method,
      path: path + query,
      body,
      idempotencyKey: "key-1",
      caller: "program",
      access: null,
      actor: { kind: "owner", id: null, name: null },
    });
    door.services.elsewhere.clear();
  }
  expect([door.services.calls, door.reported]).toEqual([[], []]);
});

test("a refusal of the asked worker is handed back; a look that it does not answer is answered here", async () => {
  await using door = doorServer();
  const { services } = door;
  services.elsewhere.set("run run-1", OTHER).set("attempt attempt-1", OTHER);
  const silent = { remedy: "Ask again.", details: {} };
  services.askOther = async () => refused("failed", "worker_silent", "It is silent.", silent);
  const answer = await post(door, "/runs/run-1/restore");
  expect([answer.status, (await json(answer)).code, services.calls]).toEqual([422, "worker_silent", []]);
  const look = await door.call("/api/v1/attempts/attempt-1/viewed");
  expect(look.status).toBe(200);
});

test("an attempt of the answer lies there, as seen from here", async () => {
  await using door = doorServer();
  door.services.elsewhere.set("task_repository t", OTHER);
  const third = { id: "worker-3", name: "ci-3" };
  door.services.askOther = async () =>
    ok(
      answered(
        {
          task: {},
          attempts: [
            { id: "a", worker: null },
            { id: "b", worker: third },
          ],
        },
        201,
      ),
    );
  const { attempts } = await json(post(door, "/tasks/t/attempts", { body: { agent: "x" } }));
  expect(attempts).toEqual([
    { id: "a", worker: OTHER },
    { id: "b", worker: third },
  ]);
});

test("a call that was handed on goes no further, and its caller may do no more than before", async () => {
  await using door = doorServer();
  const { services, api } = door;
  let hops = 0;
  services.askOther = async () => {
    hops += 1;
    return ok(answered({}));
  };
  services.elsewhere.set("operation o", OTHER);
  const undo = { method: "POST", path: "/api/v1/operations/o/undo", body: "{}" };
  const access = { id: "t", name: "bot", expiresAt: "2999-01-02T12:00:00.000Z", person: null } as const;
  const ends = await Promise.all(
    (["read", "write", "publish"] as const).map(async (scope) => {
      const answer = await answerForwarded(api, call({ ...undo, access: { ...access, scope } }));
      return [scope, JSON.parse(textOf(answer)).code];
    }),
  );
  expect(ends).toEqual([
    ["read", "scope_too_small"],
    ["write", "scope_too_small"],
    ["publish", "not_found"],
  ]);
  // Fields that reach further than their row are judged there, too.
  const further = call({
    method: "POST",
    path: "/api/v1/tasks/t/attempts",
    body: '{"agent":"x","settings":{"publish":"push"}}',
    access: { ...access, scope: "write" },
  });
  expect(JSON.parse(textOf(await answerForwarded(api, further))).code).toBe("scope_too_small");
  const expired = call({
    ...undo,
    access: { ...access, scope: "admin", expiresAt: "2020-01-02T12:00:00.000Z" },
  });
  expect(JSON.parse(textOf(await answerForwarded(api, expired))).code).toBe("token_expired");
  expect(hops).toBe(0);
});

test("a worker gets no answer of rows that hand nothing on, whatever it says of its caller", async () => {
  await using door = doorServer();
  const { services, api } = door;
  for (const [name, row] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (isHandedOn(row) || row.when?.in === "header") continue;
    const query = row.when?.in === "query" ? `?${row.when.name}=${row.when.value}` : "";
    for (const path of pathsOf(row.path)) {
      const body = hasBody(row) ? "{}" : null;
      const given = { method: row.method, path: `/api/v1${path.replace(":id", "x")}${query}`, body };
      const answer = await answerForwarded(api, call(given));
      expect([name, answer.status, JSON.parse(textOf(answer)).code]).toEqual([name, 404, "no_such_address"]);
    }
  }
  for (const path of ["/", "/sign-in?code=x", "/attempts/x"])
    expect((await answerForwarded(api, call({ path }))).status).toBe(404);
  expect([services.calls, door.reported]).toEqual([[], []]);
});

test("nobody says from outside that a call was handed on", async () => {
  await using door = doorServer();
  const { status } = await door.bare("/api/v1/engine", { headers: { asked: '{"caller":"program"}' } });
  expect(status).toBe(401);
});

test("an answer is handed back byte for byte; one of more than 16 MiB is refused, and says so", async () => {
  await using door = doorServer();
  const { services, api } = door;
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const many = (count: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let index = 0; index < count; index++) controller.enqueue(new Uint8Array(1_048_576).fill(65));
        controller.close();
      },
    });
  services.patch = async () => ok(new Blob([bytes]).stream());
  const patch = call({ path: "/api/v1/attempts/a/patch" });
  const answer = await answerForwarded(api, patch);
  expect([answer.status, answer.type]).toEqual([200, "text/x-diff"]);
  expect(new Uint8Array(Buffer.from(answer.body, "base64"))).toEqual(bytes);
  services.elsewhere.set("attempt a", OTHER);
  services.askOther = async (_, given) => ok(await answerForwarded(api, given));
  const here = await door.call("/api/v1/attempts/a/patch");
  expect(new Uint8Array(await here.arrayBuffer())).toEqual(bytes);

  services.patch = async () => ok(many(16));
  expect((await answerForwarded(api, patch)).status).toBe(200);
  services.patch = async () => ok(many(17));
  const tooLarge = await door.call("/api/v1/attempts/a/patch");
  expect([tooLarge.status, (await json(tooLarge)).code]).toEqual([422, "answer_too_large"]);
});
