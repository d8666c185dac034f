/** Speaks to an MCP server over HTTP: with the protocol's own client, or by single requests. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { BIN, type McpStart } from "./mcp.ts";
import { waitFor } from "./wait-for.ts";

export interface McpHttp extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** `tazuna mcp --http 0`, once it listens; killed at the end of the scope. */
export async function mcpHttp({ cwd, env, args = [] }: McpStart): Promise<McpHttp> {
  const child = Bun.spawn([BIN, "mcp", "--http", "0", "--json", ...args], {
    cwd,
    env: { ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let out = "";
  let errors = "";
  const said = Promise.all([
    (async () => {
      for await (const chunk of child.stdout) out += new TextDecoder().decode(chunk);
    })(),
    (async () => {
      for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk);
    })(),
  ]);
  const line = await waitFor("the server to listen", async () => {
    const ended = child.exitCode;
    // Its end may be known before its last words are read.
    if (ended !== null) await said;
    if (out.includes("\n") && out.trim().endsWith("}")) return out;
    if (ended !== null) throw new Error(`tazuna mcp ended with ${ended}: ${errors}`);
    return null;
  });
  const { url, token, error } = JSON.parse(line) as {
    readonly url: string;
    readonly token: string;
    readonly error?: { readonly code: string };
  };
  if (error !== undefined) throw new Error(`refused: ${error.code}`);
  return {
    url,
    token,
    pid: child.pid,
    stderr: () => errors,
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

export interface HttpClient extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

export async function httpClient(at: { readonly url: string; readonly token: string }): Promise<HttpClient> {
  const transport = new StreamableHTTPClientTransport(new URL(at.url), {
    requestInit: { headers: { authorization: `Bearer ${at.token}` } },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    transport,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** One POST as a client makes it; `headers` over the usual ones. */
export function post(
  at: { readonly url: string; readonly token: string },
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(at.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${at.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A session that was begun by hand; the answer is read. */
export async function beginSession(at: { readonly url: string; readonly token: string }): Promise<string> {
  const response = await post(at, INITIALIZE);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}
