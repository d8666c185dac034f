import { describe, expect, test } from "bun:test";
import type { z } from "zod";
import type { TASK_ENDPOINTS } from "../../src/contract/endpoints/tasks.ts";
import type { Operation } from "../../src/domain/operation.ts";
import { failure } from "../../src/domain/run/failure.ts";
import { doorServer } from "../helpers/door-server.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";

const json = async (response: Response) => [response.status, await response.json()] as const;

function seeded() {
  const door = doorServer();
  door.services.add({
    task: aTask(),
    repository: aRepository(),
    attempts: [{ attempt: anAttempt(), runs: [aRun(PUSHED)] }],
  });
  return door;
}

const OPERATION: Operation = {
  id: "op-1",
  kind: "push",
  subject: { type: "run", id: "run-1" },
  before: null,
  after: { commit: "c" },
  status: "done",
  undoable: false,
  commands: null,
  actor: null,
  at: "2026-01-02T03:04:05.000Z",
  endedAt: null,
};

const RUN = {
  id: "run-1",
  number: 1,
  kind: "agent",
  actor: null,
  reviewer: null,
  instruction: "Fix the bug.",
  status: "SUCCEEDED",
  phase: null,
  outcome: "pushed",
  failure: null,
  commit: "c".repeat(40),
  summary: "Fixed it.",
  usage: {
    input_tokens: 1200,
    cached_input_tokens: 200,
    output_tokens: 80,
    cost_usd: 0.0123,
    cost_estimated: false,
  },
  patch: { files: 1, additions: 3, deletions: 1, path: "/data/runs/run-1/patch.diff" },
  checks: [],
  isolation: "guard",
  isolation_reason: null,
  notes: [],
  held: false,
  position: null,
  waits_for: null,
  resume_at: null,
  question: null,
  last_action: null,
  phase_since: null,
  created_at: "2026-01-02T03:04:05.000Z",
  started_at: "2026-01-02T03:04:05.000Z",
  ended_at: "2026-01-02T03:05:05.000Z",
};

const ATTEMPT = {
  id: "attempt-1",
  number: 1,
  agent: "claude-code",
  executor: "claude-code",
  model: null,
  branch: "tazuna/0a1b2c3d",
  worktree: "/data/worktrees/run_1",
  base: { branch: "main", sha: "b".repeat(40) },
  started_from: null,
  session: null,
  state: "pushed",
  chosen: false,
  origin: null,
  merged: null,
  pull_request: null,
  worker: null,
  depot: null,
  changes: { files: 0, additions: 0, deletions: 0 },
  commit: "c".repeat(40),
  usage: RUN.usage,
  clean_up: null,
  created_at: "2026-01-02T03:04:05.000Z",
  ended_at: null,
  runs: [RUN],
};

const TASK = {
  id: "task-1",
  title: "Fix the bug",
  issue: "Fix the bug.",
  context: null,
  constraints: null,
  base: null,
  on_labels: [],
  publish: "push",
  decision: null,
  repository: { id: "repo-1", name: "shop", path: "/home/me/shop" },
  created_at: "2026-01-02T03:04:05.000Z",
};

describe("looking", () => {
  test("a task, an attempt and a run, each with its parents' ids", async () => {
    await using door = seeded();
    expect(await json(await door.call("/api/v1/tasks/task-1"))).toEqual([
      200,
      { task: TASK, attempts: [ATTEMPT] },
    ]);
    expect(await json(await door.call("/api/v1/attempts/attempt-1"))).toEqual([
      200,
      { ...ATTEMPT, task: "task-1", decision: null },
    ]);
    expect(await json(await door.call("/api/v1/runs/run-1"))).toEqual([
      200,
      { ...RUN, attempt: "attempt-1", task: "task-1" },
    ]);
  });

  test("an id of another kind is not found", async () => {
    await using door = seeded();
    for (const path of ["attempts/task-1", "runs/attempt-1", "runs/none", "tasks/run-1"])
      expect([path, (await door.call(`/api/v1/${path}`)).status]).toEqual([path, 404]);
  });

  test("a failure carries its code, words, remedy and details", async () => {
    await using door = seeded();
    const why = failure("push_auth", "denied", { details: { stderr: "no" } });
    door.services.change("run-1", { status: "FAILED", outcome: null, failure: why });
    const run = (await door.client.run("run-1"))._unsafeUnwrap();
    expect([run.status, run.failure]).toEqual(["FAILED", why]);
  });

  test("tasks come in pages of which the last says so", async () => {
    await using door = doorServer();
    for (let i = 0; i < 5; i += 1)
      door.services.add({
        task: aTask({ id: `t${i}` }),
        repository: aRepository(),
        attempts: [{ attempt: anAttempt({ id: `a${i}` }), runs: [] }],
      });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: z.infer<(typeof TASK_ENDPOINTS)["tasks"]["answer"]> = (
        await door.client.tasks({ all: false, cursor, limit: 2 })
      )._unsafeUnwrap();
      ids.push(...page.items.map((task) => task.id));
      cursor = page.next;
    } while (cursor !== null);
    expect(ids).toEqual(["t0", "t1", "t2", "t3", "t4"]);
  });

  test("attempts, runs and operations come in pages too, each item as it is on its own", async () => {
    await using door = doorServer();
    for (let i = 0; i < 3; i += 1) {
      const attempt = anAttempt({ id: `a${i}`, taskId: `t${i}` });
      const runs = [aRun({ id: `r${i}`, attemptId: `a${i}` })];
      door.services.add({
        task: aTask({ id: `t${i}` }),
        repository: aRepository(),
        attempts: [{ attempt, runs }],
      });
      door.services.world.operations.push({
        ...OPERATION,
        id: `o${i}`,
        subject: { type: "run", id: `r${i}` },
      });
    }
    const get = async (path: string) => {
      const [status, body] = await json(await door.call(`/api/v1/${path}`));
      return { status, ...(body as { items: unknown[]; next: string | null }) };
    };
    for (const kind of ["attempts", "runs", "operations"]) {
      const first = await get(`${kind}?limit=2`);
      const second = await get(`${kind}?limit=2&cursor=${first.next}`);
      expect([first.status, first.items.length, second.items.length, second.next]).toEqual([200, 2, 1, null]);
      expect((await get(kind)).items).toEqual([...first.items, ...second.items]);
      expect([(await get(`${kind}?limit=0`)).status, (await get(`${kind}?limit=201`)).status]).toEqual([
        400, 400,
      ]);
    }
    expect((await get("attempts")).items[1]).toEqual((await json(await door.call("/api/v1/attempts/a1")))[1]);
    expect((await get("runs")).items[1]).toEqual((await json(await door.call("/api/v1/runs/r1")))[1]);
    expect((await get("operations?subject=r1")).items).toMatchObject([{ id: "o1" }]);
  });

  test("lists of everything else are lists of the same shape", async () => {
    await using door = seeded();
    const { world } = door.services;
    world.agents = [{ id: "demo", executor: "demo", version: null, ready: true, reason: null }];
    world.config = [{ key: "base", value: "main", source: "default" }];
    world.scripts = [{ hash: "h", text: "bun install", trusted: false }];
    world.operations = [OPERATION];
    const { endedAt, ...operation } = OPERATION;
    const lists = ["agents", "config", "scripts?repository=/r", "operations", "repositories", "trash"];
    const answers = await Promise.all(lists.map(async (path) => (await door.call(`/api/v1/${path}`)).json()));
    expect(answers).toEqual([
      { items: world.agents, next: null },
      { items: world.config, next: null },
      { items: world.scripts, next: null },
      { items: [{ ...operation, ended_at: endedAt }], next: null },
      {
        items: [
          {
            id: "repo-1",
            name: "shop",
            path: "/home/me/shop",
            bare: false,
            url: null,
            address: null,
            demo: false,
            put_away: false,
            worker: null,
            created_at: "2026-01-02T03:04:05.000Z",
          },
        ],
        next: null,
      },
      { items: [], next: null },
    ]);
  });

  test("doctor answers what the examination of that folder found", async () => {
    await using door = seeded();
    const finding = { id: "git", level: "ok", what: "git 2.39.5." } as const;
    const nothing = { whose: null, why: null, bytes: null, path: null, remedy: null };
    door.services.world.findings = [{ ...finding, ...nothing }];
    const answer = await door.call("/api/v1/doctor?repository=/r");
    expect([answer.status, await answer.json(), door.services.calls]).toEqual([
      200,
      { findings: [{ ...finding, ...nothing }] },
      ["doctor /r"],
    ]);
  });

  test("find says what an id is, and refuses an ambiguous one", async () => {
    await using door = seeded();
    expect(await json(await door.call("/api/v1/find?id=run"))).toEqual([
      200,
      { type: "run", id: "run-1", attempt: "attempt-1", task: "task-1" },
    ]);
    door.services.add({ task: aTask({ id: "task-2" }), repository: aRepository(), attempts: [] });
    expect((await door.call("/api/v1/find?id=task")).status).toBe(400);
    expect((await door.call("/api/v1/find?id=zzz")).status).toBe(404);
  });
});

describe("changing", () => {
  test("a task is created from names, ids and models, and answered with its attempts", async () => {
    await using door = doorServer();
    const response = await door.call("/api/v1/tasks", {
      method: "POST",
      body: JSON.stringify({
        repository: "/r",
        issue: "Do it",
        agents: ["claude-code", { id: "codex", model: "o9" }],
        from_worktree: true,
        budget_usd: 2.5,
      }),
    });
    const body = (await response.json()) as { attempts: { agent: string }[] };
    expect(response.status).toBe(201);
    expect(body.attempts.map(({ agent }) => agent)).toEqual(["claude-code", "codex"]);
    expect(door.services.created).toEqual([
      {
        repository: "/r",
        title: null,
        issue: "Do it",
        context: null,
        constraints: null,
        base: null,
        agents: [
          { id: "claude-code", model: null },
          { id: "codex", model: "o9" },
        ],
        publish: null,
        branch: null,
        fromWorktree: true,
        offline: false,
        budgetUsd: 2.5,
        settings: {},
        worker: null,
        onLabels: [],
      },
    ]);
  });

  test("every change asks its one service", async () => {
    await using door = seeded();
    const { client, services } = door;
    const results = [
      await client.followUp("attempt-1", { instruction: "More" }),
      await client.followUp("attempt-1", { instruction: null, merge_base: true }),
      await client.retry("run-1", { from: "push" }),
      await client.publish("attempt-1", { allow: ["credential"], reason: "A test key" }),
      await client.stop({ type: "run", id: "run-1" }),
      await client.cancel({ type: "attempt", id: "attempt-1" }),
      await client.cancel({ type: "task", id: "task-1" }),
      await client.addRepository({ path: "/r" }),
      await client.addRepository({ url: "https://git.example.com/shop" }),
      await client.moveRepository("repo-1", { path: "/new place" }),
      await client.removeRepository("repo-1"),
      await client.trust({ repository: "/r", hashes: ["h"] }),
      await client.diff("attempt-1", { other: "attempt-2" }),
      await client.restoreTrash("entry/1"),
      await client.emptyTrash({ yes: true }),
      await client.emptyTrash({ yes: false }),
      await client.clean({ id: "attempt/1", yes: true }),
      await client.clean({ id: null, yes: false }),
    ];
    expect(results.map((result) => result.isOk())).toEqual(results.map(() => true));
    expect(services.calls).toEqual([
      "followUp attempt-1 More false",
      "followUp attempt-1 null true",
      "retry run-1 push",
      "publish attempt-1 credential A test key",
      "stop run-1",
      "cancel attempt-1",
      "cancel task-1",
      "addRepository /r",
      "cloneRepository https://git.example.com/shop",
      "moveRepository repo-1 /new place",
      "removeRepository repo-1",
      "trust /r h",
      "diff attempt-1 attempt-2 null",
      "restoreTrash entry/1",
      "emptyTrash true",
      "emptyTrash false",
      "clean attempt/1 true",
      "clean null false",
    ]);
  });

  test.each([
    ["bad_request", 400],
    ["not_found", 404],
    ["conflict", 409],
    ["needs_person", 409],
    ["failed", 422],
  ] as const)("a service's %s is HTTP %i and reaches the client whole", async (kind, status) => {
    await using door = doorServer();
    const refusal = { kind, code: "some_code", message: "No.", remedy: "Do this.", details: { a: 1 } };
    door.services.refuse("createTask", refusal, true);
    const body = JSON.stringify({ repository: "/r", issue: "x" });
    expect((await door.call("/api/v1/tasks", { method: "POST", body })).status).toBe(status);
    const error = (await door.client.createTask({ repository: "/r", issue: "x" }))._unsafeUnwrapErr();
    expect(error).toEqual(refusal);
  });

  test("ids with slashes and odd characters stay one segment", async () => {
    await using door = seeded();
    const error = (await door.client.task("../tasks/task-1?x#y"))._unsafeUnwrapErr();
    expect([error.kind, error.details]).toEqual(["not_found", { id: "../tasks/task-1?x#y" }]);
  });
});

describe("idempotency", () => {
  const body = JSON.stringify({ repository: "/r", issue: "Once", agents: ["demo"] });
  const post = (door: ReturnType<typeof doorServer>, key: string, text = body) =>
    door.call("/api/v1/tasks", { method: "POST", body: text, headers: { "idempotency-key": key } });

  test("the same key and body is carried out once and answered the same", async () => {
    await using door = doorServer();
    const first = await json(await post(door, "k1"));
    const second = await json(await post(door, "k1"));
    expect(second).toEqual(first);
    expect(door.services.created).toHaveLength(1);
  });

  test("also when the requests come at the same time", async () => {
    await using door = doorServer();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => json(await post(door, "k1"))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(door.services.created).toHaveLength(1);
  });

  test("the same key for something else is refused", async () => {
    await using door = doorServer();
    await post(door, "k1");
    const other = await post(door, "k1", body.replace("Once", "Twice"));
    const elsewhere = await door.call("/api/v1/demo", {
      method: "POST",
      body: "{}",
      headers: { "idempotency-key": "k1" },
    });
    expect([other.status, elsewhere.status]).toEqual([422, 422]);
    expect(door.services.created).toHaveLength(1);
  });

  test("what was refused may be asked again", async () => {
    await using door = doorServer();
    door.services.refuse("createTask", {
      kind: "needs_person",
      code: "scripts_not_trusted",
      message: "m",
      remedy: "r",
      details: {},
    });
    expect([(await post(door, "k1")).status, (await post(door, "k1")).status]).toEqual([409, 201]);
  });

  test("a request that was never answered is carried out again, under the same key for the services", async () => {
    await using door = doorServer();
    door.services.breakNext("createTask");
    expect((await post(door, "k1")).status).toBe(500);
    expect((await post(door, "k1", body.replace("Once", "Twice"))).status).toBe(422);
    const again = await json(await post(door, "k1"));
    expect(await json(await post(door, "k1"))).toEqual(again);
    expect(door.services.keys).toEqual([{ key: "k1" }, { key: "k1" }]);
    expect(door.services.created).toHaveLength(1);
  });

  test("the services are told the key of every creation, and none if there is none", async () => {
    await using door = doorServer();
    const { task } = (
      await door.client.createTask({ repository: "/r", issue: "x", agents: ["demo"] })
    )._unsafeUnwrap();
    const { attempts } = (await door.client.task(task.id))._unsafeUnwrap();
    const [attempt] = attempts;
    await door.client.followUp(attempt?.id ?? "", { instruction: "More" }, { key: "a" });
    await door.client.retry(attempt?.runs[0]?.id ?? "", {}, { key: "b" });
    await door.client.demo({}, { key: "c" });
    await door.client.demo({});
    expect(door.services.keys).toEqual([null, { key: "a" }, { key: "b" }, { key: "c" }, null]);
  });

  test("a key that is no key is refused", async () => {
    await using door = doorServer();
    expect((await post(door, "a b")).status).toBe(400);
    expect((await post(door, "k".repeat(201))).status).toBe(400);
  });
});

describe("a run in the queue", () => {
  const change = (door: ReturnType<typeof seeded>, body: unknown) =>
    door.call("/api/v1/runs/run-1", {
      method: "PATCH",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });

  test("is changed by PATCH and removed by DELETE; both answer with the run", async () => {
    await using door = seeded();
    const edited = await json(await change(door, { instruction: "New", position: 2 }));
    expect(edited).toMatchObject([200, { id: "run-1", instruction: "New", attempt: "attempt-1" }]);
    expect((await change(door, { position: 1 })).status).toBe(200);
    const removed = await json(await door.call("/api/v1/runs/run-1", { method: "DELETE" }));
    expect(removed).toMatchObject([200, { status: "CANCELED" }]);
    expect(door.services.calls).toEqual([
      "changeQueued run-1 New 2",
      "changeQueued run-1 null 1",
      "removeQueued run-1",
    ]);
  });

  test("is not changed by what is no change, no words or no place", async () => {
    await using door = seeded();
    const bodies = [
      {},
      { instruction: null, position: null },
      { instruction: "" },
      { instruction: " \n" },
      { instruction: 1 },
      ...[0, -1, 1.5, "1", true].map((position) => ({ position })),
      '{"position":NaN}',
      '{"position":1e999}',
      { position: 1, held: false },
      [],
      "nonsense",
    ];
    for (const body of bodies) expect([body, (await change(door, body)).status]).toEqual([body, 400]);
    expect((await change(door, { instruction: "x".repeat(1_048_577) })).status).toBe(413);
    const plain = await door.call("/api/v1/runs/run-1", { method: "PATCH", body: "{}" });
    expect(plain.status).toBe(415);
    expect((await door.call("/api/v1/runs/run-1?force=true", { method: "DELETE" })).status).toBe(400);
    expect((await door.call("/api/v1/runs/nobody", { method: "DELETE" })).status).toBe(404);
    expect((await door.bare("/api/v1/runs/run-1", { method: "DELETE" })).status).toBe(401);
    expect(door.services.calls).toEqual([]);
  });

  test("is changed by no page of another origin, and by no browser that names none", async () => {
    await using door = seeded();
    const foreign = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    for (const method of ["PATCH", "DELETE"])
      expect((await door.call("/api/v1/runs/run-1", { method, headers: foreign })).status).toBe(403);
    expect(door.services.calls).toEqual([]);
  });
});
