/** Serves a data folder until it is told to stop, or has been idle for long enough. */
import { err, ok, type Result } from "neverthrow";
import { badUsage, failed } from "../../cli/shared/cli-error.ts";
import type { CliError, ServeOptions, Serving } from "../../cli/shared/cli-options.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { readDepotChoice } from "../depot/depot-choice.ts";
import { type Engine, startEngine } from "../engine/engine.ts";
import type { EngineError } from "../engine/engine-locks.ts";
import { clientOf, livingServer } from "../find-engine/living-server.ts";
import { readIdentity } from "../identity/read-identity.ts";
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
  const database = options.database ?? (settings.env.TAZUNA_DATABASE || null);
  const choices = await readChoices(options, { database, env: settings.env });
  if (choices.isErr()) return err(choices.error);
  const { exposure, depot, logs, identity } = choices.value;
  const { labels } = options;
  const engine = await startEngine(settings, { database, ...(labels === null ? {} : { labels }) });
  if (engine.isErr()) {
    const running = options.open ? await openRunning(settings, engine.error) : null;
    if (running === null) return err(await engineFailed(engine.error, settings));
    onReady(running);
    return ok(undefined);
  }
  const wrong = wrongHere(engine.value, { ...choices.value, labels });
  if (wrong !== null) {
    await engine.value.stop();
    return err(wrong);
  }
  engine.value.moveLogs(logs);
  const stop = new AbortController();
  let server: Server;
  try {
    if (identity !== null) await engine.value.services.settleAdmins(identity.rules);
    server = await startServer(settings, engine.value, {
      port: options.port,
      ...{ exposure, depot, identity },
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
  given: Parameters<typeof ofServerAlone>[0] & { readonly labels: readonly string[] | null },
): CliError | null {
  if (given.labels !== null && database === null) return LABELS_ALONE;
  const flag = joined === null ? null : ofServerAlone(given);
  return flag === null ? null : saidByServer(flag);
}

const LABELS_ALONE = badUsage(
  "--label needs a Postgres: one engine with its own database has no other workers to tell apart.",
  "Name the Postgres of the team with `--database`, or leave out `--label`.",
);

/** Nothing is started by it. */
async function readChoices(
  options: ServeOptions,
  { database, env }: { readonly database: string | null; readonly env: Settings["env"] },
) {
  const exposure = await readExposure(options);
  if (exposure.isErr()) return err(exposure.error);
  const depot = await readDepotChoice(options.depot, database);
  if (depot.isErr()) return err(depot.error);
  const logs = await readLogChoice(options.logs, { database, env });
  if (logs.isErr()) return err(logs.error);
  const identity = await readIdentity(options.oidc);
  return identity.map((door) => ({
    ...{ exposure: exposure.value, depot: depot.value, logs: logs.value },
    identity: door,
  }));
}

const SAID_BY_SERVER = {
  "--depot": "where the depot is",
  "--logs": "where old logs go",
  "--oidc-issuer": "through whom people enter",
};

type FlagOfServer = keyof typeof SAID_BY_SERVER;

/** The first flag that is given and that a worker which joined cannot take. */
function ofServerAlone(given: {
  readonly depot: unknown;
  readonly logs: unknown;
  readonly identity: unknown;
}): FlagOfServer | null {
  if (given.depot !== null) return "--depot";
  if (given.logs !== null) return "--logs";
  return given.identity === null ? null : "--oidc-issuer";
}

function saidByServer(flag: FlagOfServer): CliError {
  return badUsage(
    `This data folder joined a server, and ${SAID_BY_SERVER[flag]} that server alone says.`,
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
