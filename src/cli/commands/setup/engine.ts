/** Shows the engine of the data folder, stops it, or restarts it; its agents go on under their keepers. */
import { err, ok } from "neverthrow";
import { cleanLine } from "../../../contract/text.ts";
import { wordArgument } from "../../shared/checked-value.ts";
import type { EngineStatus, StoppedEngine } from "../../shared/cli-options.ts";
import { defineCommand } from "../../shared/command.ts";
import { shortId } from "../../shared/resolve-id.ts";

const ACTION = {
  ...wordArgument("ACTION", "`status` (default), `stop` or `restart`", ["status", "stop", "restart"]),
  optional: true,
} as const;

export const engineCommand = defineCommand({
  brief: "Show the background engine, stop it, or start it anew; agents go on meanwhile",
  args: [ACTION],
  async act({ entries }, _flags, action = "status") {
    const engine = await entries.engine();
    if (action === "stop") {
      const stopped = await engine.stop();
      return stopped.map((end) => ({ document: end, text: stoppedText(end) }));
    }
    const restarted = action === "restart" ? await engine.restart() : ok(null);
    if (restarted.isErr()) return err(restarted.error);
    const status = await engine.status();
    const end = restarted.value;
    return ok({
      exit: status.state === "silent" ? 1 : 0,
      document: { ...end, engine: status },
      text: `${end === null ? "" : stoppedText(end)}${statusText(status)}`,
    });
  },
});

function stoppedText({ stopped, agents }: StoppedEngine): string {
  const what =
    stopped === null
      ? "No engine works on this data folder."
      : `The engine (process ${stopped.pid}) ${stopped.forced ? "did not end by itself and was killed; nothing is lost" : "has ended"}.`;
  return `${what}\n${agentsText(agents, "goes on", "go on")}`;
}

function agentsText(agents: readonly string[], one: string, many: string): string {
  if (agents.length === 0) return "";
  const runs = agents.map(shortId).join(", ");
  const next = "The next command starts an engine, which picks them up.";
  return agents.length === 1
    ? `The agent of run ${runs} ${one} under its keeper. ${next}\n`
    : `${agents.length} agents ${many} under their keepers (runs ${runs}). ${next}\n`;
}

const STARTED_BY = {
  background: "by a command, in the background; it ends by itself once nothing is to be done",
  terminal: "in a terminal, with `tazuna serve`",
  command: "by a `tazuna run --foreground`, to which it belongs",
} as const;

function statusText(status: EngineStatus): string {
  const { state, pid, version, url, since, home, kind, runs, agents } = status;
  const folder = `Data folder: ${cleanLine(home)}\n`;
  if (state === "none")
    return `No engine works; a command starts one when it needs one.\n${folder}${agentsText(agents, "works", "work")}`;
  if (state === "starting")
    return `Process ${pid} holds the data folder and does not answer yet: an engine that starts or ends.\n${folder}`;
  const head =
    state === "silent"
      ? `The engine (process ${pid}) does not answer; \`tazuna engine stop\` ends it, and agents work on.\n`
      : `The engine works: process ${pid}, version ${version}${since === null ? "" : `, since ${since}`}, ${url}\n`;
  const started = kind === null ? "" : `Started: ${STARTED_BY[kind]}\n`;
  const environment =
    "Environment: of the shell that started it; each run has that of the shell that asked for it\n";
  return `${head}${folder}${started}${environment}${runsText(runs)}`;
}

function runsText(runs: EngineStatus["runs"]): string {
  if (runs.length === 0) return "Runs at work: none\n";
  const lines = runs.map(
    ({ id, attempt, status, phase }) =>
      `  run ${shortId(id)} of attempt ${shortId(attempt)}: ${status}${phase === null ? "" : ` (${phase})`}\n`,
  );
  return `Runs at work:\n${lines.join("")}`;
}
