import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createToolContext } from "../../src/lib.ts";
import { createMcpSessions } from "../../src/mcp/http/http-sessions.ts";
import { createMcpServer } from "../../src/mcp/server/create-mcp-server.ts";
import type { McpServer } from "../../src/mcp/server/serve-tools.ts";
import { INITIALIZE } from "../helpers/mcp-http.ts";
import { waitFor } from "../helpers/wait-for.ts";

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };

/** Sessions without a socket, and the servers that they made. */
function sessionsOf(limits: { readonly maxSessions: number; readonly idleMs: number }) {
  const sessions = createMcpSessions({ ...limits, report: (error) => expect(error).toBeNull() });
  const made: McpServer[] = [];
  const place = {
    scope: "here",
    makeServer: () => {
      const workspace = {
        first: createToolContext({ workspaceRoot: tmpdir() }),
        openRoot: null,
        report: () => undefined,
      };
      const server = createMcpServer({ tools: [], special: new Map(), workspace, version: "1" });
      made.push(server);
      return server;
    },
  };
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    sessions.handle(
      new Request("http://here/mcp", {
        method: "POST",
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify(body),
      }),
      place,
    );
  const begin = async () => {
    const response = await send(INITIALIZE);
    await response.text();
    return {
      status: response.status,
      headers: { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" },
    };
  };
  const stream = (headers: Record<string, string>) =>
    sessions.handle(
      new Request("http://here/mcp", { headers: { accept: "text/event-stream", ...headers } }),
      place,
    );
  return { sessions, made, send, begin, stream, [Symbol.asyncDispose]: () => sessions.close() };
}

describe("sessions over HTTP", () => {
  test("that are unused for long enough end", async () => {
    await using on = sessionsOf({ maxSessions: 4, idleMs: 60 });
    const { headers } = await on.begin();
    expect(on.sessions.count()).toBe(1);
    await on.made[0]?.ended;
    expect(on.sessions.count()).toBe(0);
    expect((await on.send(PING, headers)).status).toBe(404);
  });

  test("whose stream is open do not end, until its reader goes", async () => {
    await using on = sessionsOf({ maxSessions: 4, idleMs: 40 });
    const { headers } = await on.begin();
    const stream = await on.stream(headers);
    await on.begin();
    await on.made[1]?.ended;
    expect(on.sessions.count()).toBe(1);
    await stream.body?.cancel();
    await waitFor("this one to end", () => on.sessions.count() === 0);
  });

  test("whose streams broke while they were read are as idle as any other", async () => {
    await using on = sessionsOf({ maxSessions: 1, idleMs: 60_000 });
    const { headers } = await on.begin();
    const reader = (await on.stream(headers)).body?.getReader();
    const next = reader?.read();
    expect((await on.begin()).status).toBe(503);
    await reader?.cancel();
    await next;
    expect((await on.begin()).status).toBe(200);
  });

  test("make room for a new one: the one that was idle for longest goes", async () => {
    await using on = sessionsOf({ maxSessions: 2, idleMs: 60_000 });
    const [one, two] = [await on.begin(), await on.begin()];
    await (await on.send(PING, one.headers)).text();
    const three = await on.begin();
    const statuses = await Promise.all(
      [one, two, three].map(async ({ headers }) => (await on.send(PING, headers)).status),
    );
    expect(statuses).toEqual([200, 404, 200]);
  });

  test("that are all at work leave no room, and say so", async () => {
    await using on = sessionsOf({ maxSessions: 1, idleMs: 60_000 });
    const { headers } = await on.begin();
    const stream = await on.stream(headers);
    expect((await on.begin()).status).toBe(503);
    await stream.body?.cancel();
    expect((await on.begin()).status).toBe(200);
  });

  test("are never more than that, however many begin at once", async () => {
    await using on = sessionsOf({ maxSessions: 2, idleMs: 60_000 });
    const begun = await Promise.all(Array.from({ length: 6 }, on.begin));
    expect(begun.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
    expect([on.sessions.count(), on.made.length]).toEqual([2, 2]);
    expect((await on.begin()).status).toBe(200);
    expect(on.sessions.count()).toBe(2);
  });

  test("that begin while the server ends are ended too", async () => {
    await using on = sessionsOf({ maxSessions: 1, idleMs: 60_000 });
    const begun = on.begin();
    await on.sessions.close();
    await begun;
    expect([on.made.length, on.sessions.count()]).toEqual([1, 0]);
    await on.made[0]?.ended;
  });

  test("nothing is made for who does not begin one", async () => {
    await using on = sessionsOf({ maxSessions: 1, idleMs: 60_000 });
    expect([(await on.send(PING)).status, (await on.send("nonsense")).status, on.made.length]).toEqual([
      400, 400, 0,
    ]);
  });

  test("whose beginning is refused leave nothing behind", async () => {
    await using on = sessionsOf({ maxSessions: 1, idleMs: 60_000 });
    expect((await on.send(INITIALIZE, { accept: "text/plain" })).status).toBe(406);
    expect(on.sessions.count()).toBe(0);
    await on.made[0]?.ended;
  });
});
