import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ToolCatalog } from "../../src/tools/catalog.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { dataOf } from "../helpers/mcp.ts";
import { beginSession, httpClient, INITIALIZE, type McpHttp, mcpHttp, post } from "../helpers/mcp-http.ts";
import { LINUX } from "../helpers/need.ts";
import { PATH, taggedEnv } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

const PING = { jsonrpc: "2.0", id: 2, method: "ping" };

describe("tazuna mcp --http", () => {
  let sandbox: GitSandbox;
  let repository: string;
  let server: McpHttp;

  beforeAll(async () => {
    sandbox = await gitSandbox();
    repository = await sandbox.repository("project");
    server = await mcpHttp({ cwd: repository, env: sandbox.env });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await sandbox?.[Symbol.asyncDispose]();
  });

  test("says once where it listens, on this machine, and the token", () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(server.token).toMatch(/^[\w-]{43}$/);
  });

  test("after thirty wrong tokens more are too many; the right one passes", async () => {
    await using other = await mcpHttp({ cwd: repository, env: sandbox.env });
    const wrong = async () => (await post({ ...other, token: "wrong" }, INITIALIZE)).status;
    const statuses: number[] = [];
    for (let i = 0; i < 31; i += 1) statuses.push(await wrong());
    expect([new Set(statuses.slice(0, 30)), statuses[30]]).toEqual([new Set([401]), 429]);
    expect((await post(other, INITIALIZE)).status).toBe(200);
  });

  test("lists and calls every tool for the protocol's own client", async () => {
    await using http = await httpClient(server);
    const { tools } = await http.client.listTools();
    // Nobody is behind a server that a person started.
    expect(tools.map(({ name }) => name)).toEqual(
      Object.keys(ToolCatalog).filter((name) => name !== "ask_person"),
    );
    expect(dataOf(await http.call("git_status_summary"))).toMatchObject({
      repository_root: repository,
      branch: "main",
    });
  });

  test("answers many clients at once, each its own calls", async () => {
    const said = await Promise.all(
      Array.from({ length: 8 }, async (_, who) => {
        await using http = await httpClient(server);
        const calls = ["a", "b", "c", "d"].map((what) =>
          http.call("exec_command", { cwd: ".", command: ["echo", `${who}-${what}`] }),
        );
        return (await Promise.all(calls)).map((result) => dataOf(result).stdout);
      }),
    );
    expect(said).toEqual(said.map((_, who) => ["a", "b", "c", "d"].map((what) => `${who}-${what}\n`)));
  });

  test(deep("tells progress to a client that asked"), async () => {
    await using http = await httpClient(server);
    const told: number[] = [];
    const done = http.client.callTool(
      {
        name: "exec_command",
        arguments: { cwd: ".", command: ["sh", "-c", "for i in 1 2 3; do echo $i; sleep 1; done"] },
      },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    await waitFor("progress", () => told.length > 0);
    expect(dataOf(await done)).toMatchObject({ stdout: "1\n2\n3\n" });
  });

  test.each<[string, Record<string, string>, number, string]>([
    ["no token", { authorization: "" }, 401, "token_required"],
    ["another token", { authorization: `Bearer ${"x".repeat(43)}` }, 401, "token_required"],
    ["a token in another scheme", { authorization: "Basic eDp5" }, 401, "token_required"],
    ["another host", { host: "example.org" }, 403, "host_not_allowed"],
    ["another origin", { origin: "https://example.org" }, 403, "origin_not_allowed"],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, 403, "origin_not_allowed"],
    ["a page without origin", { origin: "null" }, 403, "origin_not_allowed"],
  ])("refuses %s", async (_, headers, status, code) => {
    const response = await post(server, INITIALIZE, headers);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each<[string, unknown, Record<string, string>, number]>([
    ["no JSON", "{", {}, 400],
    ["no message", "7", {}, 400],
    ["a call without a session", PING, {}, 400],
    ["a session that there is not", PING, { "mcp-session-id": "gone" }, 404],
    ["another kind of body", INITIALIZE, { "content-type": "text/plain" }, 415],
    ["a client that reads no events", INITIALIZE, { accept: "application/json" }, 406],
    ["eleven million characters", `"${"x".repeat(11_000_000)}"`, {}, 413],
  ])("refuses %s", async (_, body, headers, status) => {
    const response = await post(server, body, headers);
    await response.text();
    expect(response.status).toBe(status);
  });

  test("a message that is too long is answered with its id, wherever that stands", async () => {
    const params = { x: "x".repeat(15_000_000) };
    for (const message of [
      { id: "first", jsonrpc: "2.0", method: "ping", params },
      { jsonrpc: "2.0", method: "ping", params, id: "last" },
    ]) {
      const response = await post(server, message, {});
      const error = { code: -32000, message: "The message is longer than 10 MiB." };
      expect([response.status, await response.json()]).toEqual([
        413,
        { jsonrpc: "2.0", error, id: message.id },
      ]);
    }
  });

  test.each([
    ["2025-03-26", [{ ...PING, id: 5 }, PING], 200],
    ["2025-03-26", [PING, 7], 400],
    ["2025-06-18", [PING], 400],
    ["2025-11-25", [PING], 400],
    ["2025-11-25", { ...PING, id: 1.5 }, 400],
  ])("of a client that speaks %s a body %j is answered with %d", async (protocolVersion, body, status) => {
    const params = { ...INITIALIZE.params, protocolVersion };
    const begun = await post(server, { ...INITIALIZE, params });
    await begun.text();
    const session = begun.headers.get("mcp-session-id") ?? "";
    const response = await post(server, body, { "mcp-session-id": session });
    const text = await response.text();
    expect([response.status, text.match(/"code":-32600/g)?.length ?? 0]).toEqual([
      status,
      status === 200 ? 0 : 1,
    ]);
    expect(text.match(/"result":{}/g)?.length ?? 0).toBe(status === 200 ? 2 : 0);
  });

  test("bytes that are no UTF-8 are refused, in a session too: a path of them would be another path", async () => {
    const session = await beginSession(server);
    const call = { ...PING, method: "tools/call", params: { name: "tree", arguments: { path: "caf?" } } };
    const bytes = Buffer.from(JSON.stringify(call));
    bytes[bytes.indexOf("?")] = 0xe9;
    const headers = {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": session,
    };
    const response = await fetch(server.url, { method: "POST", headers, body: bytes });
    expect([response.status, await response.json()]).toEqual([
      400,
      { jsonrpc: "2.0", error: { code: -32700, message: "The body is not JSON in UTF-8." }, id: null },
    ]);
  });

  test("has nothing at other addresses, and takes no other methods", async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const other = await fetch(new URL("/", server.url), { headers });
    const session = await beginSession(server);
    const put = await fetch(server.url, {
      method: "PUT",
      headers: { ...headers, "mcp-session-id": session },
    });
    expect([other.status, put.status]).toEqual([404, 405]);
  });

  test("a session that was ended by DELETE is gone, and is no session for its services either", async () => {
    const session = await beginSession(server);
    const headers = { "mcp-session-id": session };
    expect((await post(server, PING, headers)).status).toBe(200);
    const authorization = `Bearer ${server.token}`;
    const ended = await fetch(server.url, { method: "DELETE", headers: { ...headers, authorization } });
    expect(ended.status).toBe(200);
    expect((await post(server, PING, headers)).status).toBe(404);
  });

  test("a stream that broke goes on after its last event", async () => {
    const session = await beginSession(server);
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    const command = ["sh", "-c", "while [ ! -e go-on ]; do sleep 0.05; done; echo heard"];
    const call = {
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: { name: "exec_command", arguments: { cwd: ".", command } },
    };
    const broken = new AbortController();
    const first = await fetch(server.url, {
      method: "POST",
      headers: {
        ...headers,
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(call),
      signal: broken.signal,
    });
    const reader = first.body?.getReader();
    const begun = new TextDecoder().decode((await reader?.read())?.value);
    const last = /^id: (.+)$/m.exec(begun)?.[1] ?? "";
    broken.abort();
    await Bun.write(join(repository, "go-on"), "");
    const again = async () => {
      const response = await fetch(server.url, {
        headers: {
          ...headers,
          authorization: `Bearer ${server.token}`,
          accept: "text/event-stream",
          "last-event-id": last,
        },
      });
      if (response.status !== 409) return response;
      await response.text();
      return null;
    };
    const resumed = await waitFor("the stream to be taken up again", again);
    const text = await resumed.text();
    expect(text).toContain('"stdout":"heard\\n"');
  });
});

describe("tazuna mcp --http, as it is started", () => {
  test("takes the token of TAZUNA_MCP_TOKEN, unless it could be guessed", async () => {
    await using folder = await tempDir();
    const env = { PATH, HOME: folder.path, TAZUNA_MCP_TOKEN: "this is the token of the day" };
    await using server = await mcpHttp({ cwd: folder.path, env });
    expect(server.token).toBe("this is the token of the day");
    await using http = await httpClient(server);
    expect((await http.client.listTools()).tools.length).toBeGreaterThan(0);
    await expect(mcpHttp({ cwd: folder.path, env: { ...env, TAZUNA_MCP_TOKEN: "short" } })).rejects.toThrow(
      "refused: weak_token",
    );
  });

  test("says so when the port is taken", async () => {
    await using folder = await tempDir();
    const env = { PATH, HOME: folder.path };
    await using server = await mcpHttp({ cwd: folder.path, env });
    const port = new URL(server.url).port;
    const second = Bun.spawn([join(import.meta.dir, "../../bin/tazuna"), "mcp", "--http", port], {
      cwd: folder.path,
      env,
      stderr: "pipe",
    });
    expect(await second.stderr.text()).toContain(`cannot listen on port ${port}`);
    expect(await second.exited).toBe(1);
  });

  test.skipIf(LINUX.missing)(
    `told to stop, it ends every session's commands and services, exit code 0${LINUX.why}`,
    async () => {
      await using folder = await tempDir();
      await using tagged = taggedEnv();
      await using server = await mcpHttp({ cwd: folder.path, env: tagged.env });
      await using one = await httpClient(server);
      await using two = await httpClient(server);
      await one.call("spawn_service", { name: "web", command: ["sleep", "300"], ready_after_ms: 0 });
      two
        .call("exec_command", { cwd: ".", command: ["sh", "-c", "touch began; sleep 100"] })
        .catch(() => undefined);
      await waitFor("the command to begin", () => Bun.file(join(folder.path, "began")).exists());
      server.kill("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(await tagged.left()).toEqual([]);
    },
  );

  test.skipIf(LINUX.missing)(
    `a session that ends takes its services along, and no other's${LINUX.why}`,
    async () => {
      await using folder = await tempDir();
      await using tagged = taggedEnv();
      await using server = await mcpHttp({ cwd: folder.path, env: tagged.env });
      const before = (await tagged.left()).length;
      await using one = await httpClient(server);
      await using two = await httpClient(server);
      const service = { name: "web", command: ["sleep", "300"], shell_mode: "direct", ready_after_ms: 0 };
      await one.call("spawn_service", service);
      await two.call("spawn_service", service);
      expect((await tagged.left()).length).toBe(before + 2);
      await one.transport.terminateSession();
      await waitFor("one service to be gone", async () => (await tagged.left()).length === before + 1);
      expect(dataOf(await two.call("list_services"))).toMatchObject({
        services: [{ name: "web", status: "running" }],
      });
    },
  );
});
