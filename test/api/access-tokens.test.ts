import { describe, expect, test } from "bun:test";
import { ENVIRONMENT_HEADER } from "../../src/contract/client/http-call.ts";
import {
  covers,
  type Endpoint,
  hasBody,
  pathsOf,
  SCOPES,
  scopeOf,
} from "../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

type Scope = (typeof SCOPES)[number];

const LATER = "2100-01-01T00:00:00.000Z";

function give(door: DoorServer, scope: Scope, expiresAt = LATER): string {
  const text = `token-${scope}`;
  door.services.world.tokens.set(text, { id: scope, name: `my-${scope}`, scope, expiresAt, person: null });
  return text;
}

function ask(door: DoorServer, token: string, path: string, init: { method?: string; body?: unknown } = {}) {
  return door.bare(`/api/v1${path}`, {
    method: init.method ?? "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    signal: AbortSignal.timeout(10_000),
  });
}

/** Null if it was let through, whatever the endpoint answered. */
async function refusal(response: Response): Promise<string | null> {
  if (response.headers.get("content-type") !== "application/problem+json") {
    await response.body?.cancel();
    return null;
  }
  const { code } = (await response.json()) as { code: string };
  return code === "scope_too_small" || response.status === 401 ? code : null;
}

describe("an access token", () => {
  test("opens exactly the endpoints of its scope, for every row of the table", async () => {
    await using door = doorServer();
    const wrong: string[] = [];
    for (const scope of SCOPES) {
      const token = give(door, scope);
      for (const [name, row] of Object.entries<Endpoint>(ENDPOINTS)) {
        if (row.open === true || name === "leave") continue;
        const query = row.when?.in === "query" ? `?${row.when.name}=${row.when.value}` : "";
        for (const path of pathsOf(row.path)) {
          const body = hasBody(row) ? { body: {} } : {};
          const asked = ask(door, token, path.replace(":id", "x") + query, { method: row.method, ...body });
          const code = await refusal(await asked);
          const isOpen = covers(scope, scopeOf(row));
          if (code !== (isOpen ? null : "scope_too_small")) wrong.push(`${scope} ${name}: ${code}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(door.services.calls).toEqual(door.services.calls.filter((call) => !call.startsWith("leave")));
  });

  test("says what it is, what is needed, and how to get that", async () => {
    await using door = doorServer();
    const answer = await ask(door, give(door, "read"), "/tasks", { method: "POST", body: {} });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({
        code: "scope_too_small",
        detail: 'The token "my-read" has the scope `read`, and this needs `write`.',
        remedy: "Use a token of that scope; `tazuna token add` makes one.",
      }),
    ]);
  });

  test("does not reach further by a field of a request", async () => {
    await using door = doorServer();
    const task = { repository: "shop", issue: "Do it" };
    const further: readonly [Scope, string, Record<string, unknown> | null][] = [
      ["admin", "/agents?repository=/etc", null],
      ["admin", "/config?settings=%7B%22isolation%22%3A%22guard%22%7D", null],
      ["admin", "/tasks", { ...task, repository: "/etc" }],
      ["admin", "/tasks", { ...task, settings: { isolation: "guard" } }],
      ["admin", "/tasks", { ...task, from_worktree: true }],
      ["admin", "/runs/x/answer", { answer: "allow", expect: "e", always: "rm" }],
      ["publish", "/tasks", { ...task, publish: "push" }],
      ["publish", "/tasks", { ...task, branch: "main" }],
    ];
    for (const [needed, path, body] of further)
      for (const scope of SCOPES) {
        const method = body === null ? {} : { method: "POST", body };
        const code = await refusal(await ask(door, give(door, scope), path, method));
        expect([path, body, scope, code]).toEqual([
          path,
          body,
          scope,
          covers(scope, needed) ? null : "scope_too_small",
        ]);
      }
    const plain = { ...task, publish: "hold", settings: {}, branch: null };
    const answer = await ask(door, give(door, "write"), "/tasks", { method: "POST", body: plain });
    expect(await refusal(answer)).toBeNull();
  });

  test("below admin, names no environment of a shell", async () => {
    await using door = doorServer();
    const codes = await Promise.all(
      (["write", "admin"] as const).map(async (scope) => {
        const headers = { authorization: `Bearer ${give(door, scope)}`, [ENVIRONMENT_HEADER]: "unknown" };
        return ((await (await door.bare("/api/v1/tasks", { headers })).json()) as { code: string }).code;
      }),
    );
    expect(codes).toEqual(["programs_only", "environment_unknown"]);
  });

  test("opens nothing once it has expired, and says so", async () => {
    let now = Date.parse("2026-01-01T00:00:00.000Z");
    await using door = doorServer({ now: () => now });
    const token = give(door, "admin", "2026-01-02T00:00:00.000Z");
    expect((await ask(door, token, "/tasks")).status).toBe(200);
    now = Date.parse("2026-01-02T00:00:00.000Z");
    const late = await ask(door, token, "/tasks");
    expect([late.status, await late.json()]).toEqual([
      401,
      expect.objectContaining({
        code: "token_expired",
        detail: 'The token "my-admin" expired at 2026-01-02T00:00:00.000Z.',
      }),
    ]);
  });

  for (const how of ["is removed", "expires"])
    test(`ends its streams soon after it ${how}`, async () => {
      let now = Date.parse("2026-01-01T00:00:00.000Z");
      await using door = doorServer({ now: () => now, pingMs: 10 });
      const token = give(door, "read", "2026-01-02T00:00:00.000Z");
      const response = await ask(door, token, "/events");
      let isOver = false;
      const reading = (async () => {
        for await (const _ of response.body ?? []);
        isOver = true;
      })();
      await waitFor("the stream", () => door.api.openStreams() === 1);
      now += 4_000;
      if (how === "is removed") door.services.world.tokens.delete(token);
      else now = Date.parse("2026-01-02T00:00:00.000Z");
      now += 2_000;
      await reading;
      expect([isOver, door.api.openStreams()]).toEqual([true, 0]);
    });

  test("a program's own token and a browser are not limited", async () => {
    await using door = doorServer();
    const body = JSON.stringify({ repository: "/r", issue: "Do it", agents: ["demo"] });
    const answer = await door.call("/api/v1/tasks", { method: "POST", body });
    expect(await refusal(answer)).toBeNull();
  });
});
