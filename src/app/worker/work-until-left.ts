/** Lets a worker work until it is told to leave: the first Ctrl+C or TERM drains, a second one or HUP leaves at once. */
import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../../services/core/services.ts";
import type { Engine } from "../engine/engine.ts";

const LOOK_MS = 500;

interface LeaveOptions {
  /** What still goes on after so long is stopped; null waits for it. */
  readonly withinMs: number | null;
  /** Aborts when the engine's own API is asked to end it. */
  readonly asked: AbortSignal;
  readonly tell: (line: string) => void;
}

export async function workUntilLeft(engine: Engine, options: LeaveOptions): Promise<void> {
  const leave = new AbortController();
  const leaving = AbortSignal.any([leave.signal, options.asked]);
  let isDraining = false;
  const onSignal = async (name: NodeJS.Signals) => {
    if (name === "SIGHUP" || isDraining) return leave.abort();
    isDraining = true;
    const end = await drained(engine.services, { ...options, leaving });
    isDraining = false;
    if (end === "left") leave.abort();
    else options.tell(end);
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, onSignal);
  const look = setInterval(() => {
    if (engine.endedBy() !== null) leave.abort();
  }, LOOK_MS);
  await aborted(leaving);
  clearInterval(look);
  for (const name of names) process.off(name, onSignal);
}

/** Resolves once nothing goes on here, or with a line that says why it works on. */
async function drained(
  services: Pick<Services, "drainWorker" | "workers">,
  { withinMs, tell, leaving }: LeaveOptions & { readonly leaving: AbortSignal },
): Promise<string> {
  try {
    const own = (await services.workers()).unwrapOr([]).find(({ here }) => here);
    const asked = await services.drainWorker({ worker: own?.id ?? "", withinMs, until: "start" });
    if (asked.isErr()) return `${asked.error.message} ${LEAVE}`;
    for (let told = -1; !leaving.aborted; ) {
      const now = (await services.workers()).unwrapOr([]).find(({ here }) => here);
      if (now === undefined || now.drain === null) return RESUMED;
      const { runs } = now.drain;
      if (runs === 0) return "left";
      if (runs !== told) tell(`Drains: ${runs === 1 ? "1 run goes" : `${runs} runs go`} on. ${LEAVE}`);
      told = runs;
      await delay(LOOK_MS, undefined, { signal: leaving }).catch(() => undefined);
    }
    return "left";
  } catch (error) {
    return `It could not be drained (${error instanceof Error ? error.message : String(error)}). ${LEAVE}`;
  }
}

const LEAVE = "HUP, or Ctrl+C twice, leaves at once; agents then go on.";
const RESUMED = "Somebody resumed it meanwhile: it works on.";

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
