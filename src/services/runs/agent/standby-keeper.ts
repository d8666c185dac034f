/** Starts a run's keeper during the preparation of the run, so that the agent's start does not wait for it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { agentEnvironment, heldBack } from "../../../domain/agent/environment.ts";
import { type Failure, failure } from "../../../domain/run/failure.ts";
import { formatOrder, KEEPER_FILES, type KeeperOrder, RUN_MARKER } from "../../../keeper/files.ts";
import { type StartedWaiting, startWaiting } from "../../../utils/programs/detached.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";

/** A failed start is not a failure yet: it is tried again, and reported, when the agent is due. */
export async function callKeeper(
  context: Uses<"paths" | "userEnv" | "selfCommand" | "standby">,
  world: RunWorld,
): Promise<void> {
  if (context.standby.has(world.run.id)) return;
  const started = await start(context, world);
  if (started.started) context.standby.set(world.run.id, started.process);
}

/** Gives the order to the waiting keeper, else to a new one. Null if the order was given. */
export async function orderKeeper(
  context: Uses<"paths" | "userEnv" | "selfCommand" | "standby">,
  world: RunWorld,
  order: KeeperOrder,
): Promise<Failure | null> {
  const text = formatOrder(order);
  const waiting = context.standby.get(world.run.id);
  context.standby.delete(world.run.id);
  if ((await waiting?.give(text)) === true) return null;
  const started = await start(context, world);
  if (!started.started)
    return failure("internal", `The keeper could not be started: ${started.error.message}`);
  await started.process.give(text);
  return null;
}

export function dismissKeeper(context: Uses<"standby">, runId: string): void {
  context.standby.get(runId)?.sendAway();
  context.standby.delete(runId);
}

async function start(
  context: Uses<"paths" | "userEnv" | "selfCommand">,
  world: RunWorld,
): Promise<StartedWaiting> {
  const { run, configuration } = world;
  const dir = context.paths.run(run.id);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const { env } = agentEnvironment({
    user: context.userEnv,
    deny: heldBack(configuration),
    cwd: dir,
    added: { [RUN_MARKER]: run.id },
  });
  const log = join(dir, KEEPER_FILES.log);
  return startWaiting([...context.selfCommand, "__keep", run.id, "--dir", dir], {
    cwd: dir,
    env,
    stdoutFile: log,
    stderrFile: log,
  });
}
