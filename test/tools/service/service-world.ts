/** Makes a workspace in which services run with an environment that tells their processes from all others. */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ToolResult } from "../../../src/lib.ts";
import { contextOn, type ToolContextOptions } from "../../../src/tools/core/context.ts";
import type { CallOptions } from "../../../src/tools/core/tool.ts";
import type { GetServiceLogsOutput } from "../../../src/tools/service/get_service_logs/contract.ts";
import type { ListServicesOutput } from "../../../src/tools/service/list_services/contract.ts";
import type { SpawnServiceOutput } from "../../../src/tools/service/spawn_service/contract.ts";
import type { StopServiceOutput } from "../../../src/tools/service/stop_service/contract.ts";
import { type AgentToolkit, createAgentToolkit } from "../../../src/tools/toolkit/create-agent-toolkit.ts";
import { taggedEnv } from "../../helpers/programs.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

export interface ServiceWorld extends AsyncDisposable {
  readonly root: string;
  readonly toolkit: AgentToolkit;
  /** Throws with the message of anything but a success. */
  spawn(args: object, options?: CallOptions): Promise<SpawnServiceOutput>;
  stop(name: string, more?: object): Promise<StopServiceOutput>;
  logs(name: string, more?: object): Promise<GetServiceLogsOutput>;
  list(): Promise<ListServicesOutput["services"]>;
  /** Code and message of a refusal; throws on a success. */
  refusal(
    tool: string,
    args: object,
    options?: CallOptions,
  ): Promise<{ code: string; message: string; details: object }>;
  /** Pids of living processes that a service started. */
  left(): Promise<readonly number[]>;
}

export async function serviceWorld(options: Partial<ToolContextOptions> = {}): Promise<ServiceWorld> {
  const dir = await tempDir();
  const root = join(dir.path, "ws");
  await mkdir(root);
  const tagged = taggedEnv();
  const host = { platform: process.platform, environment: () => tagged.env };
  const toolkit = createAgentToolkit(
    contextOn(host, { workspaceRoot: root, policy: { defaultPolicy: "allow" }, ...options }),
  );
  const dataOf = async <Data>(tool: string, args: object, callOptions?: CallOptions): Promise<Data> => {
    const result = (await toolkit.invoke(tool, args, callOptions)) as ToolResult<Data>;
    if (result.status !== "success") throw new Error(`${result.error.code}: ${result.message}`);
    return result.data;
  };
  await writeFile(join(root, "server.mjs"), SERVER);
  return {
    root,
    toolkit,
    spawn: (args, callOptions) => dataOf("spawn_service", args, callOptions),
    stop: (name, more = {}) => dataOf("stop_service", { name, ...more }),
    logs: (name, more = {}) => dataOf("get_service_logs", { name, ...more }),
    list: async () => (await dataOf<ListServicesOutput>("list_services", {})).services,
    refusal: async (tool, args, callOptions) => {
      const result = await toolkit.invoke(tool, args, callOptions);
      if (result.status === "success") throw new Error(`${tool} succeeded`);
      const { code, message, details } = result.error;
      return { code, message, details };
    },
    left: () => tagged.left(),
    [Symbol.asyncDispose]: async () => {
      await toolkit.close();
      await tagged[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** A real HTTP server: `server.mjs PORT [DELAY_MS]`; `/log?TEXT` makes it print. */
const SERVER = `
import { createServer } from "node:http";
const [port, delay = "0"] = process.argv.slice(2);
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url, "http://localhost");
  if (pathname === "/log") console.log(decodeURIComponent(search.slice(1)));
  response.end("hello");
});
console.log("starting");
setTimeout(() => server.listen(Number(port), "127.0.0.1", () => console.error("listening on " + server.address().port)), Number(delay));
`;

/** The argv of that server, on the runtime of the tests. */
export function serverOn(port: number, delayMs = 0): readonly string[] {
  return [process.execPath, "server.mjs", String(port), String(delayMs)];
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
