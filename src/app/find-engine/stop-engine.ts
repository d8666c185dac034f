/** Ends the engine of a data folder: asks it, then ends its process after proof that it is the engine's. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError, StoppedEngine } from "../../cli/shared/cli-options.ts";
import { readKeeperState } from "../../keeper/control.ts";
import { RUN_MARKER } from "../../keeper/files.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { lockHolders } from "../../utils/locks/lock-holders.ts";
import { listMarked } from "../../utils/programs/process-identity.ts";
import { sleep } from "../../utils/time/waiting.ts";
import type { Settings } from "../process/settings.ts";
import type { ServerFile } from "../server/server-file.ts";
import { clientOf, findServer, isItsProcess } from "./living-server.ts";

/** Longer than an engine waits for steps that are under way. */
const TIMEOUT_MS = 15_000;
const KILL_MS = 5_000;
const POLL_MS = 20;

export async function stopEngine(settings: Settings): Promise<Result<StoppedEngine, CliError>> {
  const server = await findServer(settings);
  const lock = join(settings.home, "engine.lock");
  if (!("file" in server)) {
    const [pid] = (await lockHolders(lock)) ?? [];
    if (pid !== undefined) return err(held(pid, lock));
    return ok({ stopped: null, agents: await agentsAtWork(settings) });
  }
  const { file } = server;
  if (file.kind === "command") return err(ofCommand(file.pid));
  const holders = await lockHolders(lock);
  // Any process that can write in the data folder may have written the file. The lock is the proof.
  if (file.start_time === "" || holders?.includes(file.pid) === false) return err(notProved(file.pid, lock));
  const agents = await agentsAtWork(settings);
  const ended = await endProcess(file, server.state === "answers");
  return ended === null
    ? err(staysAlive(file.pid))
    : ok({ stopped: { pid: file.pid, forced: ended === "killed" }, agents });
}

/** Ids of runs whose keepers live, read from the processes and the data folder. It needs no engine. */
export async function agentsAtWork({ home }: Pick<Settings, "home">): Promise<readonly string[]> {
  const paths = dataPaths(home);
  const runs = new Set((await listMarked(RUN_MARKER)).map(({ value }) => value));
  const ids = [...runs].filter((id) => /^[\w-]+$/.test(id));
  const states = await Promise.all(ids.map((id) => readKeeperState(paths.run(id))));
  return ids.filter((_, index) => states[index]?.alive === true && states[index]?.exit === null).sort();
}

/** Null if the process lives on. */
async function endProcess(file: ServerFile, answers: boolean): Promise<"ended" | "killed" | null> {
  const leaves = answers && (await clientOf(file).leave({ only_idle: false })).isOk();
  if (!leaves && !(await signal(file, "SIGTERM"))) return "ended";
  if (await endsWithin(file, TIMEOUT_MS)) return "ended";
  // Agents have keepers of their own, and the next engine goes on with the open work: nothing is lost.
  if (!(await signal(file, "SIGKILL"))) return "ended";
  return (await endsWithin(file, KILL_MS)) ? "killed" : null;
}

/** False if the process is gone: another process may have its number by now. */
async function signal(file: ServerFile, name: NodeJS.Signals): Promise<boolean> {
  if (!(await isItsProcess(file))) return false;
  try {
    process.kill(file.pid, name);
    return true;
  } catch {
    return isItsProcess(file);
  }
}

async function endsWithin(file: ServerFile, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    if (!(await isItsProcess(file))) return true;
    await sleep(POLL_MS);
  }
  return false;
}

function held(pid: number, lock: string): CliError {
  return failed({
    code: "engine_not_stopped",
    message: `Process ${pid} holds ${lock}, and no engine answers.`,
    remedy: `It may be an engine that just starts: try again. \`ps -p ${pid} -o pid,etime,args\` shows what it is.`,
    details: { pid, lock },
  });
}

function notProved(pid: number, lock: string): CliError {
  return failed({
    code: "engine_not_stopped",
    message: `server.json names process ${pid}, which does not hold ${lock}: it is left alone.`,
    remedy: `\`ps -p ${pid} -o pid,etime,args\` shows what it is; \`tazuna doctor\` says who holds the data folder.`,
    details: { pid, lock },
  });
}

function ofCommand(pid: number): CliError {
  return failed({
    code: "engine_not_stopped",
    message: `The engine belongs to a \`tazuna run --foreground\` (process ${pid}).`,
    remedy: "Press Ctrl-C there twice: the first stops its runs, the second leaves them running.",
    details: { pid },
  });
}

function staysAlive(pid: number): CliError {
  return failed({
    code: "engine_not_stopped",
    message: `The engine (process ${pid}) was killed and is still there.`,
    remedy:
      "It may wait for a disk or a network file system that does not answer. Mend that, then try again.",
    details: { pid },
  });
}
