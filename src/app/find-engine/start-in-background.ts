/** Starts an engine of the data folder in the background, and waits until it listens or says why it cannot. */
import { open, readFile, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError } from "../../cli/shared/cli-options.ts";
import type { Client } from "../../contract/client/client.ts";
import { withoutTaskSettings } from "../../domain/task/task-settings.ts";
import { startDetached } from "../../utils/programs/detached.ts";
import { identify } from "../../utils/programs/process-identity.ts";
import { newId } from "../../utils/values/ids.ts";
import { makeDataFolder } from "../process/data-folder.ts";
import type { Settings } from "../process/settings.ts";
import { inspectEngineLock } from "./inspect-engine-lock.ts";
import { type CallingSettings, clientOf, livingServer } from "./living-server.ts";

/** A background engine ends by itself after this long without work and without a client. */
const IDLE_EXIT_S = 600;
const START_MS = 60_000;
const POLL_MS = 15;
/** How long the winner of a race has before its process is checked. A holder in another container cannot be seen. */
const RACE_MS = 1_000;

/**
 * The engine that won the race for the data folder may end before it listens (a full disk). The next one then says
 * why.
 */
export async function startInBackground(settings: CallingSettings): Promise<Result<Client, CliError>> {
  const unusable = await makeDataFolder(settings.home);
  if (unusable !== null) return err(failed(unusable));
  const deadline = performance.now() + START_MS;
  for (;;) {
    const started = await startOnce(settings, deadline);
    if (started !== "vacant") return started;
  }
}

/** A client, or why there is none; `vacant` if the engine that was in the way is gone. */
type Started = Result<Client, CliError> | "vacant";

/** Starts `serve` in a session of its own and waits until it listens or says why it cannot. */
async function startOnce(settings: Settings, deadline: number): Promise<Started> {
  // Not in the data folder: the message may be that the folder is full or cannot be written.
  const said = join(tmpdir(), `tazuna-start-${newId()}.json`);
  const idle = ["--idle-exit", settings.env.TAZUNA_IDLE_EXIT || String(IDLE_EXIT_S)];
  const started = await startDetached([...settings.selfCommand, "serve", "--json", "--port", "0", ...idle], {
    cwd: settings.home,
    // The working folder is the data folder, in which a relative TAZUNA_HOME would name another one. The engine works
    // for other shells too.
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

/** The engine's own log; the null device if that cannot be written. */
async function logFile(home: string): Promise<string> {
  const path = join(home, "server.log");
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.close();
  return file === null ? devNull : path;
}

async function waitForEngine(
  settings: CallingSettings,
  child: { readonly pid: number; readonly said: string; readonly deadline: number },
): Promise<Started> {
  const vacantFrom = performance.now() + RACE_MS;
  let isHeld = false;
  while (performance.now() < child.deadline) {
    const server = await livingServer(settings);
    if (server !== null) return ok(clientOf(server, settings));
    const refusal = await saidError(child.said);
    if (refusal !== null && !isRace(refusal)) return err(refusal);
    isHeld = refusal !== null;
    if (isHeld && performance.now() > vacantFrom && (await isVacant(settings))) return "vacant";
    if (refusal === null && !(await lives(child.pid)) && (await saidError(child.said)) === null)
      return err(couldNotStart("it ended at once"));
    await delay(POLL_MS);
  }
  return err(isHeld ? await heldBySomebody(settings) : couldNotStart("it did not answer within a minute"));
}

/** Whether no process holds the data folder, as far as this system tells. */
async function isVacant({ home }: Settings): Promise<boolean> {
  return (await inspectEngineLock(home)).holders?.length === 0;
}

/** The winner of the race never answered: an engine that recovers for very long, or another program. */
async function heldBySomebody({ home }: Settings): Promise<CliError> {
  const { file, holders } = await inspectEngineLock(home);
  const [pid] = holders ?? [];
  return failed({
    code: "engine_running",
    message: `${pid === undefined ? "Another process" : `Process ${pid}`} holds ${file}, and no engine answered within a minute.`,
    remedy: "It may be an engine that still recovers: try again. `tazuna doctor` says what to do about it.",
    details: { lock: file, pid: pid ?? null },
  });
}

/** Whether another engine won the race for the data folder's lock. Its server.json will be there soon. */
function isRace({ code, details }: CliError): boolean {
  return code === "engine_running" && details.elsewhere !== true;
}

/** The error document that `serve --json` printed; null if it printed none. */
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
  return failed({
    code: "engine_not_started",
    message: `The engine could not be started: ${why}.`,
    remedy: "Look into server.log in the data folder, or run `tazuna serve` to see it fail.",
  });
}
