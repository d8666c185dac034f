/** Speaks to the real `tazuna mcp`: with the protocol's own client, or line by line. */
import { join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { waitFor } from "./wait-for.ts";

export const BIN = join(import.meta.dir, "../../bin/tazuna");

export interface McpStart {
  /** Where it is started. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Behind `tazuna mcp`. */
  readonly args?: readonly string[];
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** What the server wrote to standard error so far. */
  stderr(): string;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** A client that has connected. `roots` are offered if they are given, and asked for anew after `changeRoots`. */
export async function mcpClient(
  start: McpStart & { readonly roots?: () => readonly string[] },
): Promise<McpClient> {
  const { cwd, env, args = [], roots } = start;
  const transport = new StdioClientTransport({
    command: BIN,
    args: ["mcp", ...args],
    cwd,
    env: { ...env },
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (roots !== undefined)
    client.setRequestHandler("roots/list", () => ({ roots: roots().map((uri) => ({ uri })) }));
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => errors,
    call: (name, given = {}) => client.callTool({ name, arguments: given }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface McpLines extends AsyncDisposable {
  readonly pid: number;
  /** Every line of standard output so far. */
  readonly lines: readonly string[];
  stderr(): string;
  /** Writes bytes as they are. */
  write(text: string | Uint8Array): Promise<void>;
  /** Asks, and waits for the answer with that id. */
  ask(id: string | number, method: string, params?: unknown): Promise<Message>;
  answerTo(id: string | number | null): Promise<Message>;
  /** Begins as every client does. */
  initialize(capabilities?: Record<string, unknown>): Promise<Message>;
  /** Ends its standard input. */
  end(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** The process itself, killed at the end of the scope. */
export function mcpLines({ cwd, env, args = [] }: McpStart): McpLines {
  const child = Bun.spawn([BIN, "mcp", ...args], {
    cwd,
    env: { ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: string[] = [];
  let errors = "";
  void collect(child.stdout, (text, rest) => {
    const parts = (rest + text).split("\n");
    lines.push(...parts.slice(0, -1));
    return parts.at(-1) ?? "";
  });
  void collect(child.stderr, (text) => {
    errors += text;
    return "";
  });
  const messages = () => lines.map((line) => JSON.parse(line) as Message);
  const isAnswer = (id: string | number | null) => (message: Message) =>
    message.id === id && message.method === undefined;
  const answerTo = (id: string | number | null) =>
    waitFor(`the answer to ${id}`, () => messages().find(isAnswer(id)));
  const write = async (text: string | Uint8Array) => {
    child.stdin.write(text);
    await child.stdin.flush();
  };
  const ask = async (id: string | number, method: string, params: unknown = {}) => {
    await write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answerTo(id);
  };
  return {
    pid: child.pid,
    lines,
    stderr: () => errors,
    write,
    ask,
    answerTo,
    async initialize(capabilities = {}) {
      const clientInfo = { name: "lines", version: "1" };
      const params = { protocolVersion: "2025-06-18", capabilities, clientInfo };
      const answer = await ask("initialize", "initialize", params);
      await write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
      return answer;
    },
    async end() {
      await child.stdin.end();
    },
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  take: (text: string, rest: string) => string,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) rest = take(decoder.decode(chunk, { stream: true }), rest);
}

/** What a program reads of an error. */
export function errorOf(result: CallToolResult): Readonly<Record<string, unknown>> {
  return (result._meta?.error ?? {}) as Readonly<Record<string, unknown>>;
}

/** The text that an agent reads. */
export function textOf(result: CallToolResult): string {
  return result.content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
}

export function dataOf(result: CallToolResult): Readonly<Record<string, unknown>> {
  return (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>;
}
