/** Says what a worker found as it began: its name, what holds agents, its clock, its disk, and which agents are ready. */

import { sizeText } from "../../cli/view/size-text.ts";
import { clockFindings } from "../../domain/doctor/clock.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { clockAhead } from "../../services/workers/watch-clock.ts";
import type { WorkerFile } from "../../services/workers/worker-file.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { systemClock } from "../../utils/time/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { createProbe } from "../engine/probe.ts";
import type { Settings } from "../process/settings.ts";

export async function greeting(
  settings: Settings,
  engine: Engine,
  { file, isNew }: { readonly file: WorkerFile; readonly isNew: boolean },
): Promise<readonly string[]> {
  const { which } = createProbe({ env: settings.env, cwd: settings.home });
  const sandbox = await findSandbox({ platform: process.platform, which, scratch: engine.paths.scratch })();
  const ahead = (await clockAhead({ db: engine.db, clock: systemClock })) ?? 0;
  const { free } = await freeSpace(engine.paths.root);
  const holds = sandbox.available ? sandbox.name : "no sandbox, the guard";
  const clock = `clock ${ahead < 0 ? "-" : "+"}${Math.abs(ahead)} ms`;
  return [
    `${isNew ? "Joined" : "Works"} as ${file.name}: ${holds}, ${clock}, ${sizeText(free)} free`,
    ...(file.shared ? [SHARED] : []),
    ...clockFindings(ahead).map(({ what, remedy }) => `${what} ${remedy}`),
    await agentsLine(engine),
    "Waiting. Ctrl+C drains, twice leaves.",
  ];
}

const SHARED =
  "It uses the server's own login to the Postgres, which may make no roles. `tazuna doctor` says what that means.";

async function agentsLine({ services }: Engine): Promise<string> {
  const asked = await services.agents({ repository: null, settings: {} });
  const agents = asked.unwrapOr([]).filter(({ executor }) => executor !== "demo");
  const ready = agents.filter((agent) => agent.ready).map(({ id }) => `${id} ready`);
  const others = agents
    .filter((agent) => !agent.ready && agent.version !== null)
    .map(({ id, reason }) => `${id}: ${reason ?? "not ready"}`);
  return [...ready, ...others].join("; ") || "No agent is ready here; `tazuna agents` says why.";
}
