/** Joins the HTTP door to an engine, has it listen, and writes down where. */
import { randomBytes } from "node:crypto";
import type { Api } from "../api/api-options.ts";
import { createApi } from "../api/create-api.ts";
import { redactUrl } from "../git/redact-url.ts";
import { type StorageError, StorageFailure, storageErrorOf } from "../storage/storage-error.ts";
import { systemClock } from "../utils/clock.ts";
import { identify } from "../utils/process-identity.ts";
import type { Engine } from "./engine.ts";
import { createIdempotencyStore } from "./idempotency.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { createMcpRoute } from "./mcp-route.ts";
import { sameToken } from "./same-token.ts";
import { type PublishedFile, publishServerFile, type ServerFile } from "./server-file.ts";
import { sessionSecret } from "./session-secret.ts";
import type { Settings } from "./settings.ts";

export interface Server {
  readonly url: string;
  readonly token: string;
  readonly api: Api;
  /** Milliseconds since the last answer, zero while one is being made or a stream is open. */
  idleMs(): number;
  stop(): Promise<void>;
}

interface ServerOptions extends ListenOptions {
  /** The address of a Postgres; null for the data folder's own database. */
  readonly database: string | null;
}

export async function startServer(
  settings: Settings,
  engine: Engine,
  options: ServerOptions,
): Promise<Server> {
  const token = randomBytes(32).toString("base64url");
  const place = { hosts: [] as string[], lastAnswer: performance.now(), asked: 0 };
  const api = createApi({
    services: engine.services,
    token,
    sameToken,
    version: settings.version,
    allowedHosts: () => place.hosts,
    sessionSecret: await sessionSecret(settings.home),
    idempotency: createIdempotencyStore(engine.db, systemClock),
    now: Date.now,
    explain,
    report: (error) => process.stderr.write(`${new Date().toISOString()} request: ${String(error)}\n`),
  });
  const mcp = createMcpRoute({ token, allowedHosts: () => place.hosts, settings, engine });
  const server = listen(options, async (request, connection) => {
    place.asked += 1;
    try {
      return await (mcp.isFor(request) ? mcp.fetch(request, connection) : api.fetch(request, connection));
    } finally {
      place.asked -= 1;
      place.lastAnswer = performance.now();
    }
  });
  const port = server.port ?? 0;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}`;
  place.hosts = [...new Set(["127.0.0.1", "localhost", "[::1]", host])].map((name) => `${name}:${port}`);
  const published = await publish(engine, {
    url,
    token,
    version: settings.version,
    database: options.database === null ? null : redactUrl(options.database),
  });
  return {
    url,
    token,
    api,
    idleMs: () =>
      api.openStreams() > 0 || mcp.sessions() > 0 || place.asked > 0
        ? 0
        : performance.now() - place.lastAnswer,
    stop: async () => {
      await published.takeBack();
      api.close();
      await mcp.close();
      await server.stop(true);
    },
  };
}

/** Says where this process listens; what goes wrong later is for its own log. */
async function publish(engine: Engine, file: Omit<ServerFile, "pid" | "start_time">): Promise<PublishedFile> {
  const own = await identify(process.pid);
  const whole = { ...file, pid: process.pid, start_time: own?.startTime ?? "" };
  return publishServerFile(engine.paths.serverFile, whole, (error) =>
    process.stderr.write(`${new Date().toISOString()} server.json: ${String(error)}\n`),
  );
}

/** What a person can mend: whatever the database says, and a disk without room, wherever that was met. */
function explain(error: unknown): StorageError | null {
  if (error instanceof StorageFailure) return error.storage;
  const known = storageErrorOf(error);
  return known?.code === "disk_full" && error instanceof Error
    ? { ...known, message: `There is no room on the disk: ${error.message}.` }
    : null;
}
