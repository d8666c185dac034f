/** What several faults of a team do, or wait for. */
import type { WorkerDocument } from "../../../src/contract/endpoints/engine.ts";
import { show } from "../../helpers/asking-agent.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { processesOfRun } from "../crash/processes.ts";
import { rowsOf } from "./left-behind.ts";
import { answerWhatIsAsked, type HeldState, openStates, PATIENT } from "./states.ts";
import type { FaultWorld } from "./world.ts";

export function agentIsStopped(run: string): Promise<unknown> {
  return waitFor("the agent to be stopped", () => processesOfRun(run).length === 0, PATIENT);
}

/** All that had begun; what has not begun waits for the worker that was chosen for it. That one is asked for nothing. */
export async function allEndElsewhere(world: FaultWorld): Promise<void> {
  const { product, postgres, there, held, idOf } = world;
  await world.taken("working");
  await openStates(product);
  await answerWhatIsAsked(product, idOf("asking"), there);
  const ids = held.filter(({ state }) => state !== "queued").map(({ begun }) => begun.run.id);
  const sql = "select * from runs where id = any($1) and status not in ('SUCCEEDED', 'FAILED', 'CANCELED')";
  const going = () => rowsOf(postgres.url, sql, [ids]);
  const how = { ...PATIENT, instead: going };
  await waitFor("all runs to end elsewhere", async () => (await going()).length === 0, how);
}

/** What runs goes on with a wrong clock; what waits begins once it is right again. */
export async function moveClock(world: FaultWorld, moved: string): Promise<void> {
  const { product, there, idOf, setClock } = world;
  const isOff = async () => {
    const { workers } = (await product.tazuna(["workers", "--json"], there)).json<{
      readonly workers: readonly WorkerDocument[];
    }>();
    return workers.find(({ here }) => !here)?.clock?.begins_nothing === true;
  };
  await setClock(moved);
  await waitFor("the others to see it", isOff, PATIENT);
  await openStates(product);
  const status = async (state: HeldState) => (await show(product, idOf(state), there)).run.status;
  await waitFor("a run to end", async () => (await status("checking")) === "SUCCEEDED", PATIENT);
  if ((await status("queued")) !== "PENDING") throw new Error("a run began with a wrong clock");
  await setClock("+0");
  await waitFor("the others to see that it is right", async () => !(await isOff()), PATIENT);
}
