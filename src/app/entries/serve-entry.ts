/** Serves a data folder until it is told to stop, or has been idle for long enough. */
import { err, ok, type Result } from "neverthrow";
import { badUsage, failed } from "../../cli/shared/cli-error.ts";
import type { CliError, ServeOptions, Serving } from "../../cli/shared/cli-options.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { type DepotChoice, readDepotChoice } from "../depot/depot-choice.ts";
import { type Engine, startEngine } from "../engine/engine.ts";
import type { EngineError } from "../engine/engine-locks.ts";
import { clientOf, livingServer } from "../find-engine/living-server.ts";
import { readLogChoice } from "../logs/old-logs.ts";
import { openInBrowser } from "../process/open-in-browser.ts";
import type { Settings } from "../process/settings.ts";
import { readExposure } from "../server/exposure.ts";
import { type Server, startServer } from "../server/server.ts";
import { readServerFile } from "../server/server-file.ts";

const IDLE_POLL_MS = 1_000;

export async function serve(
  settings: Settings,
  options: ServeOptions,
  onReady: (serving: Serving) => void,
): Promise<Result<void, CliError>> {
  const exposure = await readExposure(options);
  if (exposure.isErr()) return err(exposure.error);
  const database = options.database ?? (settings.env.TAZUNA_DATABASE || null);
  const depot = await readDepotChoice(options.depot, database);
  if (depot.isErr()) return err(depot.error);
  const logs = await readLogChoice(options.logs, { database, env: settings.env });
  if (logs.isErr()) return err(logs.error);
  const { labels } = options;
  const engine = await startEngine(settings, { database, ...(labels === null ? {} : { labels }) });
  if (engine.isErr()) {
    const running = options.open ? await openRunning(settings, engine.error) : null;
    if (running === null) return err(await engineFailed(engine.error, settings));
    onReady(running);
    return ok(undefined);
  }
  const wrong = wrongHere(engine.value, { labels, depot: depot.value, logs: logs.value });
  if (wrong !== null) {
    await engine.value.stop();
    return err(wrong);
  }
  if (logs.value !== null) engine.value.moveLogs(logs.value);
  const stop = new AbortController();
  let server: Server;
  try {
    server = await startServer(settings, engine.value, {
      port: options.port,
      exposure: exposure.value,
      depot: depot.value,
      // An engine that ends by itself was started by a command, in the background.
      kind: options.idleExitS === null ? "terminal" : "background",
      leave: () => stop.abort(),
    });
  } catch (error) {
    await engine.value.stop();
    return err(cannotListen(error, options));
  }
  // The login of a worker that joined signs nobody in.
  const { publicUrl } = server;
  const link = engine.value.joined === null ? await server.api.signInLink(publicUrl) : publicUrl;
  onReady({ url: publicUrl, link });
  if (options.open) await openInBrowser(link, settings.env);
  await untilStopped(
    stop.signal,
    async () =>
      engine.value.endedBy() !== null ||
      (options.idleExitS !== null &&
        server.idleMs() >= options.idleExitS * 1000 &&
        (await engine.value.isIdle())),
  );
  await server.stop();
  await engine.value.stop();
  const ended = engine.value.endedBy();
  return ended === null ? ok(undefined) : err(failed(ended));
}

/** What this data folder does not allow, once it is known what it is. */
function wrongHere(
  { database, joined }: Pick<Engine, "database" | "joined">,
  given: {
    readonly labels: readonly string[] | null;
    readonly depot: DepotChoice | null;
    readonly logs: string | null;
  },
): CliError | null {
  if (given.labels !== null && database === null) return LABELS_ALONE;
  if (joined === null) return null;
  if (given.depot !== null) return saidByServer("--depot");
  return given.logs === null ? null : saidByServer("--logs");
}

const LABELS_ALONE = badUsage(
  "--label needs a Postgres: one engine with its own database has no other workers to tell apart.",
  "Name the Postgres of the team with `--database`, or leave out `--label`.",
);

function saidByServer(flag: "--depot" | "--logs"): CliError {
  const what = flag === "--depot" ? "the depot is" : "old logs go";
  return badUsage(
    `This data folder joined a server, and where ${what} that server alone says.`,
    `Leave out \`${flag}\` here, and give it to \`tazuna serve\` on the server.`,
  );
}

/** Opens the page if another engine serves this data folder already, such as one that a command started. */
async function openRunning(settings: Settings, error: EngineError): Promise<Serving | null> {
  if (error.code !== "engine_running") return null;
  const server = await livingServer(settings);
  const made = server && (await clientOf(server, { version: settings.version }).link());
  if (!made || made.isErr()) return null;
  const link = made.value.url;
  await openInBrowser(link, settings.env);
  return { url: new URL(link).origin, link };
}

/** Resolves at TERM, INT or HUP, when `stop` aborts, or once `isOver` says so. */
function untilStopped(stop: AbortSignal, isOver: () => Promise<boolean>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(async () => {
      if (await isOver().catch(() => false)) end();
    }, IDLE_POLL_MS);
    const end = () => {
      clearInterval(timer);
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(name, end);
      resolve();
    };
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
    stop.addEventListener("abort", end, { once: true });
  });
}

async function engineFailed(error: EngineError, settings: Settings): Promise<CliError> {
  const elsewhere = error.code === "engine_running" && error.where === "elsewhere";
  const running =
    error.code === "engine_running" && !elsewhere
      ? await readServerFile(`${settings.home}/server.json`)
      : null;
  const at = running === null ? "" : ` It listens on ${running.url}.`;
  return failed({
    code: error.code,
    message: `${error.message}${at}`,
    remedy: error.remedy,
    details: { ...(running === null ? {} : { url: running.url }), ...(elsewhere ? { elsewhere } : {}) },
  });
}

function cannotListen(error: unknown, options: ServeOptions): CliError {
  // The file that says where it listens needs room, too.
  const storage = storageErrorOf(error);
  if (storage?.code === "disk_full") return failed(storage);
  const message = error instanceof Error ? error.message : String(error);
  return failed({
    code: "cannot_listen",
    message: `Tazuna cannot listen on port ${options.port ?? "(any)"}: ${message}`,
    remedy: "Choose another port, or `--port 0` for a free one.",
  });
}
