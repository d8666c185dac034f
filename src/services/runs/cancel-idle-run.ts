/** Ends a run that nobody drives at the moment: one that is queued, or that waits for its provider. */
import type { ServiceContext } from "../context.ts";
import { keepLease } from "./keep-lease.ts";
import { loadWorld } from "./load-world.ts";
import { moveByStep } from "./move-run.ts";

/** Moves it to CANCELED, unless its driver has begun meanwhile: then that one sees the stored wish. */
export async function cancelIdleRun(context: ServiceContext, runId: string): Promise<void> {
  if (context.driving.has(runId)) {
    context.driving.get(runId)?.abort();
    return;
  }
  const here = new AbortController();
  context.driving.set(runId, here);
  const lease = await keepLease(context, runId);
  try {
    const world =
      lease && (await loadWorld(context, { runId, epoch: lease.epoch, signal: here.signal, resumed: true }));
    if (!world) return;
    const idle = world.run.phase === "queued" || world.run.phase === "waiting";
    if (idle) await moveByStep(context, world, { event: "cancel" });
  } finally {
    await lease?.release();
    // A driver that began meanwhile has put itself here.
    if (context.driving.get(runId) === here) context.driving.delete(runId);
    context.dispatcher().poke();
  }
}
