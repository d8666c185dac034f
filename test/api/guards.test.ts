import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { AWAY, Away, doorServer, TOKEN } from "../helpers/door-server.ts";
import { memoryServices } from "../helpers/memory-services.ts";

const JSON_TYPE = { "content-type": "application/json" };
const TASK = JSON.stringify({ repository: "/r", issue: "Do it", agents: ["demo"] });

async function refusal(response: Response) {
  const { status, kind, code } = (await response.json()) as Record<string, unknown>;
  return { http: response.status, type: response.headers.get("content-type"), status, kind, code };
}

/** A raw request, for headers that no well-behaved client sends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("who is let in", () => {
  test("health answers everybody, everything else wants the token (promise 7.3)", async () => {
    await using door = doorServer();
    const health = await door.bare("/api/v1/health");
    expect([health.status, await health.json()]).toEqual([200, { name: "tazuna", version: "1.2.3" }]);
    for (const path of ["/tasks", "/events", "/agents", "/config", "/find?id=x", "/nothing"])
      expect(await refusal(await door.bare(`/api/v1${path}`))).toEqual({
        http: 401,
        type: "application/problem+json",
        status: 401,
        kind: "unauthorized",
        code: "token_required",
      });
  });

  test("a wrong, half or differently dressed token does not open (promise 7.3)", async () => {
    await using door = doorServer();
    for (const authorization of [
      "Bearer x",
      `Bearer ${TOKEN}x`,
      `Basic ${TOKEN}`,
      TOKEN,
      "Bearer ",
      "Bearer",
    ]) {
      const response = await door.bare("/api/v1/tasks", { headers: { authorization } });
      expect([authorization, response.status]).toEqual([authorization, 401]);
    }
    const inQuery = await door.bare(`/api/v1/tasks?token=${TOKEN}`);
    expect(inQuery.status).toBe(401);
  });

  test("a host name that is not ours is refused, with the token too (DNS rebinding) (promise 7.2)", async () => {
    await using door = doorServer();
    const port = Number(door.host.split(":")[1]);
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", "127.0.0.1:1"]) {
      const answer = await raw(
        port,
        `GET /api/v1/tasks HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
      );
      expect([host, answer.split("\r\n")[0]]).toEqual([host, "HTTP/1.1 403 Forbidden"]);
      expect(answer).toContain("host_not_allowed");
    }
  });

  test("a page of another origin changes nothing and gets no CORS header (promise 7.2)", async () => {
    await using door = doorServer();
    for (const origin of ["http://evil.example", "null", `https://${door.host}`, "http://127.0.0.1:1"]) {
      const response = await door.call("/api/v1/tasks", { method: "POST", body: TASK, headers: { origin } });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect((await refusal(response)).code).toBe("origin_not_allowed");
    }
    expect(door.services.created).toEqual([]);
  });

  test("a preflight of another origin is refused without a CORS header", async () => {
    await using door = doorServer();
    const response = await door.bare("/api/v1/tasks", {
      method: "OPTIONS",
      headers: { origin: "http://evil.example", "access-control-request-method": "POST" },
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  test("a browser that says it comes from another site is refused even if it sends no origin", async () => {
    await using door = doorServer();
    for (const site of ["cross-site", "same-site"]) {
      const response = await door.call("/api/v1/tasks", { headers: { "sec-fetch-site": site } });
      expect((await refusal(response)).code).toBe("origin_not_allowed");
    }
  });

  test("every answer carries the headers that restrict browsers", async () => {
    await using door = doorServer();
    for (const path of ["/", "/api/v1/health", "/api/v1/tasks", "/nothing"]) {
      const { headers } = await door.bare(path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("what is taken", () => {
  test("changes are taken as JSON only (promise 7.4)", async () => {
    await using door = doorServer();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
      const response = await door.call("/api/v1/tasks", {
        method: "POST",
        body: TASK,
        headers: { "content-type": type },
      });
      expect([type, (await refusal(response)).code, response.status]).toEqual([type, "content_type", 415]);
    }
    const stop = await door.bare("/api/v1/runs/x/stop", {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect((await refusal(stop)).code).toBe("content_type");
    const withCharset = await door.call("/api/v1/tasks", {
      method: "POST",
      body: TASK,
      headers: { "content-type": "Application/JSON; charset=utf-8" },
    });
    expect(withCharset.status).toBe(201);
  });

  test("a body over 1 MiB is refused, announced or not, and nothing is done", async () => {
    await using door = doorServer();
    const big = JSON.stringify({ repository: "/r", issue: "x".repeat(1_048_600) });
    const announced = await door.call("/api/v1/tasks", { method: "POST", body: big });
    const streamed = await door.call("/api/v1/tasks", {
      method: "POST",
      body: new Blob([big]).stream(),
      headers: JSON_TYPE,
    });
    expect([await refusal(announced), await refusal(streamed)].map(({ http, code }) => [http, code])).toEqual(
      [
        [413, "body_too_large"],
        [413, "body_too_large"],
      ],
    );
    expect(door.services.created).toEqual([]);
  });

  test.each([
    ["{", "bad_json"],
    ["\u00ff", "bad_request"],
    ["[]", "bad_request"],
    ['"x"', "bad_request"],
    ["null", "bad_request"],
  ])("the body %j is refused", async (body, code) => {
    await using door = doorServer();
    const bytes = body === "\u00ff" ? new Uint8Array([0x22, 0xff, 0x22]) : body;
    const response = await door.call("/api/v1/tasks", { method: "POST", body: bytes });
    const said = await refusal(response);
    expect([said.http, said.code === code || said.code === "bad_json"]).toEqual([400, true]);
  });

  test("an unknown key is named with the nearest known one", async () => {
    await using door = doorServer();
    const response = await door.call("/api/v1/tasks", {
      method: "POST",
      body: JSON.stringify({ repository: "/r", isue: "x" }),
    });
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "bad request",
      status: 400,
      kind: "bad_request",
      code: "bad_request",
      detail: 'Unknown key "isue". Did you mean "issue"?',
      remedy: "Correct the body and send it again.",
      details: { in: "body", path: "", key: "isue", nearest: "issue" },
    });
  });

  test.each([
    ["limit=0", '"limit" is not valid: must be from 1 to 200.'],
    ["limit=201", '"limit" is not valid: must be from 1 to 200.'],
    ["limit=1e2", '"limit" is not valid: must be a whole number.'],
    ["limit=1&limit=2", '"limit" is given twice.'],
    ["curser=x", 'Unknown key "curser". Did you mean "cursor"?'],
    ["all=yes", '"all" is not valid: Invalid option: expected one of "true"|"false".'],
  ])("the query %s is refused in words", async (query, detail) => {
    await using door = doorServer();
    const response = await door.call(`/api/v1/tasks?${query}`);
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([400, detail]);
  });
});

describe("surprises", () => {
  test("are reported here and answered without their text there", async () => {
    await using door = doorServer();
    door.services.breakNext("agents");
    const response = await door.call("/api/v1/agents");
    const body = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ kind: "internal", code: "internal" });
    expect(body).not.toContain("broken on purpose");
    expect(String(door.reported[0])).toContain("broken on purpose: agents");
  });

  test("that people can be told of are no surprises: a database that is away is named, with its remedy", async () => {
    const agents = async () => {
      throw new Away("in the words of a driver");
    };
    await using door = doorServer({ services: { ...memoryServices(), agents } });
    const response = await door.call("/api/v1/agents");
    expect([response.status, await response.json(), door.reported]).toEqual([
      503,
      expect.objectContaining({ kind: "failed", code: AWAY.code, detail: AWAY.message, remedy: AWAY.remedy }),
      [],
    ]);
  });

  test("an address that does not exist is a problem document", async () => {
    await using door = doorServer();
    const response = await door.call("/api/v1/taskz");
    expect(await refusal(response)).toMatchObject({ http: 404, code: "no_such_address" });
  });
});

describe("the environment of a caller's shell", () => {
  const ID = "0b1c2d3e-4f50-4a61-8b72-8394a5b6c7d8";
  const hand = (body: unknown, more: RequestInit = {}) => ({
    method: "POST",
    body: JSON.stringify(body),
    ...more,
    headers: { ...JSON_TYPE, ...more.headers },
  });

  test("a program hands it over once, and names it with what it asks for", async () => {
    await using door = doorServer();
    const variables = [
      ["A", "1"],
      ["__proto__", "two\nlines"],
    ];
    expect((await door.call("/api/v1/environments", hand({ id: ID, variables }))).status).toBe(201);
    expect(Object.entries(door.services.environments.get(ID) ?? {})).toEqual(variables as [string, string][]);
    const named = { headers: { ...JSON_TYPE, "tazuna-environment": ID } };
    expect((await door.call("/api/v1/tasks", { method: "POST", body: TASK, ...named })).status).toBe(201);
    expect(door.services.calls).toEqual([`inShell ${ID}`, "createTask Do it"]);
  });

  test("one that is not known is refused before anything is done", async () => {
    await using door = doorServer();
    const named = { headers: { ...JSON_TYPE, "tazuna-environment": ID } };
    const response = await door.call("/api/v1/tasks", { method: "POST", body: TASK, ...named });
    expect(await refusal(response)).toMatchObject({ http: 409, code: "environment_unknown" });
    expect(door.services.created).toEqual([]);
  });

  test("a browser neither hands one over nor names one", async () => {
    await using door = doorServer();
    const link = new URL(await door.api.signInLink(door.url));
    const signedIn = await door.bare(link.pathname + link.search);
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { ...JSON_TYPE, cookie, origin: door.url };
    const body = { id: ID, variables: [] };
    const handed = await door.bare("/api/v1/environments", hand(body, { headers }));
    door.services.keepEnvironment(ID, {});
    const named = await door.bare("/api/v1/agents", { headers: { ...headers, "tazuna-environment": ID } });
    const answers = [await refusal(handed), await refusal(named)];
    expect(answers.map(({ http, code }) => [http, code])).toEqual([
      [403, "programs_only"],
      [403, "programs_only"],
    ]);
  });

  test.each([
    ["a name with a sign of equality", { id: ID, variables: [["A=B", "1"]] }, 400],
    ["an empty name", { id: ID, variables: [["", "1"]] }, 400],
    ["a NUL in a value", { id: ID, variables: [["A", "1\0"]] }, 400],
    ["an id that is none", { id: "mine", variables: [] }, 400],
    ["more than a system takes", { id: ID, variables: [["A", "x".repeat(5 * 1024 * 1024)]] }, 413],
  ])("%s is refused", async (_, body, status) => {
    await using door = doorServer();
    const response = await door.call("/api/v1/environments", hand(body));
    expect([response.status, door.services.environments.size]).toEqual([status, 0]);
  });
});
