/** Shows the state of a data folder's engine, ends the engine, or replaces it by a fresh one. */
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { EngineEntry, EngineStatus } from "../../cli/shared/cli-options.ts";
import { lockHolders } from "../../utils/locks/lock-holders.ts";
import { connect } from "../find-engine/connect.ts";
import { clientOf, findServer } from "../find-engine/living-server.ts";
import { agentsAtWork, stopEngine } from "../find-engine/stop-engine.ts";
import type { Settings } from "../process/settings.ts";

export function createEngineEntry(settings: Settings, tell: (line: string) => void): EngineEntry {
  return {
    status: () => statusOf(settings),
    stop: () => stopEngine(settings),
    restart: async () => {
      const server = await findServer(settings);
      if (server.state === "answers" && server.file.kind === "terminal")
        return err(
          failed({
            code: "engine_in_terminal",
            message: `The engine (process ${server.file.pid}) was started in a terminal.`,
            remedy:
              "Press Ctrl-C there and start it again; `tazuna engine stop` ends it, and the next command starts one in the background.",
            details: { pid: server.file.pid },
          }),
        );
      const stopped = await stopEngine(settings);
      if (stopped.isErr()) return err(stopped.error);
      const client = await connect(settings, tell);
      return client.isErr() ? err(client.error) : ok(stopped.value);
    },
  };
}

async function statusOf(settings: Settings): Promise<EngineStatus> {
  const { home } = settings;
  const [server, agents] = await Promise.all([findServer(settings), agentsAtWork(settings)]);
  const nothing = { version: null, url: null, since: null, kind: null, idle: null, runs: [], agents, home };
  if (!("file" in server)) {
    const [pid] = (await lockHolders(join(home, "engine.lock"))) ?? [];
    return { ...nothing, state: pid === undefined ? "none" : "starting", pid: pid ?? null };
  }
  const { pid, version, url, since, kind } = server.file;
  const known = { ...nothing, pid, version, url, since, kind };
  if (server.state === "silent") return { ...known, state: "silent" };
  const asked = await clientOf(server.file, { version: settings.version }).engine();
  return asked.isErr()
    ? { ...known, state: "works" }
    : { ...known, state: "works", idle: asked.value.idle, runs: asked.value.runs };
}
