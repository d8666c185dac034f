/** Serves the HTTP door over services in memory on a free port, as the real server does. */
import { createApi } from "../../src/api/create-api.ts";
import type { Api, IdempotencyStore, IdempotentAnswer, WebFiles } from "../../src/api/http/api-options.ts";
import { type Client, createClient } from "../../src/contract/client/client.ts";
import { type MemoryServices, memoryServices } from "./memory-services.ts";

export interface DoorServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly api: Api;
  readonly services: MemoryServices;
  readonly client: Client;
  /** Everything that was reported as a surprise. */
  readonly reported: unknown[];
  /** A request with the bearer token. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** A request without it. */
  bare(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Something that is thrown and that people are told of. */
export class Away extends Error {}
export const AWAY = { code: "away", message: "It is away.", remedy: "Wait for it." };

export const TOKEN = "token-of-the-test";

const ENGINE = {
  pid: 1,
  version: "1.2.3",
  since: "2026-01-02T03:04:05.000Z",
  home: "/data",
  kind: "background" as const,
  idle: true,
  runs: [],
};

export interface DoorOptions {
  readonly services?: MemoryServices;
  readonly pingMs?: number;
  readonly now?: () => number;
  readonly web?: WebFiles;
  readonly browserSettings?: Readonly<Record<string, string>>;
}

export function doorServer(options: DoorOptions = {}): DoorServer {
  const services = options.services ?? memoryServices();
  const reported: unknown[] = [];
  const hosts: string[] = [];
  const api = createApi({
    services,
    engine: {
      about: async () => ({ ...ENGINE, url }),
      leave: async ({ onlyIdle }) => onlyIdle,
    },
    tools: async () => [{ name: "tree", title: "Tree", description: "Shows a tree.", parameters: {} }],
    token: TOKEN,
    sameToken: (a, b) => a === b,
    version: "1.2.3",
    allowedHosts: () => hosts,
    idempotency: memoryKeys(),
    web: options.web ?? null,
    browserSettings: options.browserSettings ?? {},
    now: options.now ?? Date.now,
    explain: (error) => (error instanceof Away ? AWAY : null),
    report: (error) => void reported.push(error),
    logPollMs: 10,
    ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: (request, socket) => {
      const address = socket.requestIP(request)?.address;
      return api.fetch(request, address === undefined ? {} : { address });
    },
  });
  const host = `127.0.0.1:${server.port}`;
  hosts.push(host, `localhost:${server.port}`);
  const url = `http://${host}`;
  const bare = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: "manual", ...init });
  const stop = async () => {
    api.close();
    await server.stop(true);
  };
  return {
    url,
    host,
    api,
    services,
    reported,
    client: createClient({ url, token: TOKEN, fetch }),
    bare,
    call: (path, init = {}) =>
      bare(path, {
        ...init,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(init.method === "POST" ? { "content-type": "application/json" } : {}),
          ...init.headers,
        },
      }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function memoryKeys(): IdempotencyStore {
  const known = new Map<string, { fingerprint: string; answer: IdempotentAnswer | null }>();
  return {
    async claim(key, fingerprint) {
      const before = known.get(key);
      if (before === undefined) known.set(key, { fingerprint, answer: null });
      if (before === undefined) return { kind: "new" };
      return before.fingerprint === fingerprint ? { kind: "same", answer: before.answer } : { kind: "other" };
    },
    async answer(key, answer) {
      known.set(key, { fingerprint: known.get(key)?.fingerprint ?? "", answer });
    },
    async forget(key) {
      known.delete(key);
    },
  };
}
