/** Joins the HTTP API to an engine, makes it listen, and writes its address into a file. */
import { randomBytes } from "node:crypto";
import { createApi } from "../../api/create-api.ts";
import { createDepotRoute } from "../../api/depot/depot-route.ts";
import { answerForwarded } from "../../api/http/answer-forwarded.ts";
import type { Api, IdempotencyStore, IdentityDoor } from "../../api/http/api-options.ts";
import { settingsOfEnvironment } from "../../domain/task/task-settings.ts";
import { redactUrl } from "../../git/process/redact-url.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { type StorageError, StorageFailure, storageErrorOf } from "../../storage/schema/storage-error.ts";
import { answerKey, claimKey, forgetKey, forgetKeysBefore } from "../../storage/tables/idempotency-keys.ts";
import { transact } from "../../storage/transact.ts";
import { identify } from "../../utils/programs/process-identity.ts";
import { type Clock, systemClock } from "../../utils/time/clock.ts";
import type { DepotChoice } from "../depot/depot-choice.ts";
import { bodyLimit } from "../depot/open-depot.ts";
import type { Engine } from "../engine/engine.ts";
import type { Settings } from "../process/settings.ts";
import { openDoors } from "./doors.ts";
import { engineProcess } from "./engine-process.ts";
import type { Exposure } from "./exposure.ts";
import { createMcpRoute } from "./mcp-route.ts";
import { type PublishedFile, publishServerFile } from "./publish-server-file.ts";
import { sameToken } from "./same-token.ts";
import type { ServerFile } from "./server-file.ts";
import { readWebFiles } from "./web-files.ts";

export interface Server {
  /** For programs on this machine. */
  readonly url: string;
  /** For browsers. */
  readonly publicUrl: string;
  readonly token: string;
  readonly api: Api;
  /** Milliseconds since the last answer; zero while one is being made or a stream is open. */
  idleMs(): number;
  stop(): Promise<void>;
}

interface ServerOptions {
  /** Null takes the usual port; 0 takes a free one. */
  readonly port: number | null;
  readonly exposure: Exposure;
  /** Absent or null: where the depot is stays as it is. */
  readonly depot?: DepotChoice | null;
  /** Through whom people enter; absent or null if they do not. */
  readonly identity?: IdentityDoor | null;
  readonly kind: ServerFile["kind"];
  /** Ends this process's engine; null if a command owns the engine. */
  readonly leave: (() => void) | null;
}

export async function startServer(
  settings: Settings,
  engine: Engine,
  options: ServerOptions,
): Promise<Server> {
  const token = randomBytes(32).toString("base64url");
  const place = { hosts: [] as readonly string[], url: "" };
  const { whileAsked, idleMs } = createAnswerClock();
  const since = systemClock.iso();
  const watched = () => api.openStreams() > 0 || mcp.sessions() > 0;
  const { version, home } = settings;
  const about = () => ({ pid: process.pid, version, home, since, kind: options.kind, url: place.url });
  const api = createApi({
    ...aroundTheApi(engine),
    engine: engineProcess(engine, { about, watched, leave: options.leave }),
    token,
    version,
    allowedHosts: () => place.hosts,
    linkOrigin: () => place.url,
    identity: options.identity ?? null,
    tools: async () => (await import("../process/list-tools.ts")).listTools().map((tool) => ({ ...tool })),
    browserSettings: settingsOfEnvironment(settings.env).task,
    web: await readWebFiles(settings.webFolder),
  });
  const mcp = createMcpRoute({ token, allowedHosts: () => place.hosts, settings, engine });
  const { depot = null } = options;
  const served = { depot: engine.depot.open(depot), allowedHosts: () => place.hosts };
  const copies = createDepotRoute({ ...served, ...CLOCK_AND_LOG });
  const doorOf = (request: Request) => (mcp.isFor(request) ? mcp : copies.isFor(request) ? copies : api);
  const doors = openDoors({ ...options, ...bodyLimit(depot) }, (request, connection) =>
    whileAsked(() => doorOf(request).fetch(request, connection)),
  );
  const { localUrl: url, publicUrl } = doors;
  place.url = publicUrl;
  place.hosts = doors.hosts;
  await engine.depot.settle(depot, { localUrl: url, publicUrl });
  engine.answerOthers((call) => whileAsked(() => answerForwarded(api, call)));
  engine.notifyPeople((attempt) => `${publicUrl}/attempts/${attempt}`);
  const published = await publish(engine, {
    url,
    token,
    version,
    since,
    kind: options.kind,
    database: engine.database === null ? null : redactUrl(engine.database),
  });
  return {
    url,
    publicUrl,
    token,
    api,
    idleMs: () => (watched() ? 0 : idleMs()),
    stop: async () => {
      await published.takeBack();
      api.close();
      await mcp.close();
      await doors.stop();
    },
  };
}

/** Knows for how long nothing has been asked. */
function createAnswerClock() {
  let asked = 0;
  let lastAnswer = performance.now();
  return {
    whileAsked: async <T>(answer: () => Promise<T>): Promise<T> => {
      asked += 1;
      try {
        return await answer();
      } finally {
        asked -= 1;
        lastAnswer = performance.now();
      }
    },
    idleMs: () => (asked > 0 ? 0 : performance.now() - lastAnswer),
  };
}

/** The part of the API's options that no flag changes. */
function aroundTheApi(engine: Engine) {
  return {
    services: engine.services,
    sameToken,
    idempotency: createIdempotencyStore(engine.db, systemClock),
    explain,
    ...CLOCK_AND_LOG,
  };
}

const CLOCK_AND_LOG = {
  now: Date.now,
  report: (error: unknown) => {
    process.stderr.write(`${new Date().toISOString()} request: ${String(error)}\n`);
  },
};

/** Writes down where this process listens; later errors go to its own log. */
async function publish(
  engine: Engine,
  file: Omit<ServerFile, "pid" | "start_time" | "boot_id">,
): Promise<PublishedFile> {
  const identity = await identify(process.pid);
  const whole = {
    ...file,
    pid: process.pid,
    start_time: identity?.startTime ?? "",
    boot_id: identity?.bootId ?? "",
  };
  return publishServerFile(engine.paths.serverFile, whole, (error) =>
    process.stderr.write(`${new Date().toISOString()} server.json: ${String(error)}\n`),
  );
}

/** Faults that a person can mend: faults of the database, and a full disk, at any step. */
function explain(error: unknown): StorageError | null {
  if (error instanceof StorageFailure) return error.storage;
  const known = storageErrorOf(error);
  return known?.code === "disk_full" && error instanceof Error
    ? { ...known, message: `There is no room on the disk: ${error.message}.` }
    : null;
}

const KEPT_MS = 24 * 3_600_000;

function createIdempotencyStore(db: Database, clock: Clock): IdempotencyStore {
  return {
    claim: (key, fingerprint) =>
      transact(db, async (trx) => {
        await forgetKeysBefore(trx, new Date(clock.now().getTime() - KEPT_MS).toISOString());
        return claimKey(trx, { key, bodyHash: fingerprint, at: clock.iso() });
      }),
    answer: (key, answer) => transact(db, (trx) => answerKey(trx, { key, answer })),
    forget: (key) => transact(db, (trx) => forgetKey(trx, key)),
  };
}
