/** Finds the engine of the data folder, or starts one in the background, and answers a client of it. */
import { open, readFile, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { CliError } from "../cli/cli-options.ts";
import { type Client, createClient } from "../contract/client.ts";
import { withoutTaskSettings } from "../domain/configuration/task-settings.ts";
import { startDetached } from "../utils/detached.ts";
import { newId } from "../utils/ids.ts";
import { identify } from "../utils/process-identity.ts";
import { makeDataFolder } from "./data-folder.ts";
import { lookAtEngineLock } from "./engine-lock-look.ts";
import { readServerFile, type ServerFile } from "./server-file.ts";
import type { Settings } from "./settings.ts";

/** A background engine ends by itself after this long without work and without a client. */
const IDLE_EXIT_S = 600;
const START_MS = 60_000;
const LOOK_MS = 15;
/** How long whoever won a race has before it is asked whether it lives: holders in another container are not seen. */
const RACE_MS = 1_000;

/** A client of the engine that listens now, started if need be. */
export async function connect(settings: Settings): Promise<Result<Client, CliError>> {
  const known = await livingServer(settings);
  if (known !== null) return ok(clientOf(known));
  return startInBackground(settings);
}

/** What `server.json` names, where that very process lives and answers. */
export async function livingServer(settings: Settings): Promise<ServerFile | null> {
  const look = await lookForServer(settings);
  return look.state === "answers" ? look.file : null;
}

/** `died`: it is named, and is not there any more. `silent`: its process lives and does not answer. */
export type ServerLook =
  | { readonly state: "none" | "died" }
  | { readonly state: "silent" | "answers"; readonly file: ServerFile };

/** Whether an engine works on the data folder; none is started. */
export async function lookForServer({ home }: Settings): Promise<ServerLook> {
  const file = await readServerFile(join(home, "server.json"));
  if (file === null) return { state: "none" };
  if (!(await isItsProcess(file))) return { state: "died" };
  return { state: (await answers(file)) ? "answers" : "silent", file };
}

export function clientOf(file: Pick<ServerFile, "url" | "token">): Client {
  return createClient({ url: file.url, token: file.token, fetch: (url, init) => fetch(url, init) });
}

/** After a kill the file stays, and its port may be another Tazuna's by now, which would only refuse our token. */
async function isItsProcess(file: ServerFile): Promise<boolean> {
  return file.start_time === "" || (await identify(file.pid))?.startTime === file.start_time;
}

async function answers(file: ServerFile): Promise<boolean> {
  const response = await fetch(`${file.url}/api/v1/health`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  );
  if (response === null || !response.ok) return false;
  const health: unknown = await response.json().catch(() => null);
  return typeof health === "object" && health !== null && "name" in health && health.name === "tazuna";
}

/** The engine that won the race for the data folder may end before it listens (a full disk): then the next one says why. */
async function startInBackground(settings: Settings): Promise<Result<Client, CliError>> {
  const unusable = await makeDataFolder(settings.home);
  if (unusable !== null) return err({ exit: 1, details: {}, ...unusable });
  const deadline = performance.now() + START_MS;
  for (;;) {
    const started = await startOnce(settings, deadline);
    if (started !== "vacant") return started;
  }
}

/** An engine, or why there is none; `vacant` where another one was in the way that is gone. */
type Started = Result<Client, CliError> | "vacant";

/** Starts `serve` in a session of its own and waits until it listens or says why it cannot. */
async function startOnce(settings: Settings, deadline: number): Promise<Started> {
  // Not in the data folder: that it is full or cannot be written may be what the engine has to say.
  const said = join(tmpdir(), `tazuna-start-${newId()}.json`);
  const idle = ["--idle-exit", settings.env.TAZUNA_IDLE_EXIT || String(IDLE_EXIT_S)];
  const started = await startDetached([...settings.selfCommand, "serve", "--json", "--port", "0", ...idle], {
    cwd: settings.home,
    // It works in the data folder; a relative TAZUNA_HOME would name another one there. It works for other shells too.
    env: { ...withoutTaskSettings(settings.env), ...settings.tokens, TAZUNA_HOME: settings.home },
    stdoutFile: said,
    stderrFile: await logFile(settings.home),
  });
  if (!started.started) return err(couldNotStart(started.error.message));
  try {
    return await waitForEngine(settings, { pid: started.pid, said, deadline });
  } finally {
    await rm(said, { force: true });
  }
}

/** The engine's own log; nowhere, where that cannot be written. */
async function logFile(home: string): Promise<string> {
  const path = join(home, "server.log");
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.close();
  return file === null ? devNull : path;
}

async function waitForEngine(
  settings: Settings,
  of: { readonly pid: number; readonly said: string; readonly deadline: number },
): Promise<Started> {
  const vacantFrom = performance.now() + RACE_MS;
  let isHeld = false;
  while (performance.now() < of.deadline) {
    const server = await livingServer(settings);
    if (server !== null) return ok(clientOf(server));
    const refusal = await saidError(of.said);
    if (refusal !== null && !isRace(refusal)) return err(refusal);
    isHeld = refusal !== null;
    if (isHeld && performance.now() > vacantFrom && (await isVacant(settings))) return "vacant";
    if (refusal === null && !(await lives(of.pid)) && (await saidError(of.said)) === null)
      return err(couldNotStart("it ended at once"));
    await delay(LOOK_MS);
  }
  return err(isHeld ? await heldBySomebody(settings) : couldNotStart("it did not answer within a minute"));
}

/** Nobody holds the data folder, as far as this system tells. */
async function isVacant({ home }: Settings): Promise<boolean> {
  return (await lookAtEngineLock(home)).holders?.length === 0;
}

/** Whoever won the race never answered: an engine that recovers for very long, or no engine at all. */
async function heldBySomebody({ home }: Settings): Promise<CliError> {
  const { file, holders } = await lookAtEngineLock(home);
  const [pid] = holders ?? [];
  return {
    exit: 1,
    code: "engine_running",
    message: `${pid === undefined ? "Another process" : `Process ${pid}`} holds ${file}, and no engine answered within a minute.`,
    remedy: "It may be an engine that still recovers: try again. `tazuna doctor` says how to look at it.",
    details: { lock: file, pid: pid ?? null },
  };
}

/** Someone else's engine won the race for the data folder's lock: its server.json will be there in a moment. */
function isRace({ code, details }: CliError): boolean {
  return code === "engine_running" && details.elsewhere !== true;
}

/** The error document that `serve --json` printed, if it printed one. */
async function saidError(path: string): Promise<CliError | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  try {
    const { error } = JSON.parse(text) as { error?: Omit<CliError, "exit"> };
    return error === undefined ? null : { exit: 1, ...error };
  } catch {
    return null;
  }
}

async function lives(pid: number): Promise<boolean> {
  return (await identify(pid)) !== null;
}

function couldNotStart(why: string): CliError {
  return {
    exit: 1,
    code: "engine_not_started",
    message: `The engine could not be started: ${why}.`,
    remedy: "Look into server.log in the data folder, or run `tazuna serve` to see it fail.",
    details: {},
  };
}
