/** Brings the facts of the live stream into this tab: through a shared worker, or by a stream of its own. */
import type { StreamMessage } from "./stream-messages.ts";
import { tellFacts } from "./tell-facts.ts";

export interface Live {
  /** Tries at once, such as after a sign-in or when a person asks. */
  again(): void;
}

/** Calls `take` with every message in order. */
export function openLive(take: (message: StreamMessage) => void): Live {
  if (typeof SharedWorker === "undefined") return tellFacts(take);
  const worker = new SharedWorker(new URL("./stream-worker.ts", import.meta.url), {
    type: "module",
    // Tabs of another version of the page get a worker of their own.
    name: `tazuna-${__VERSION__}`,
  });
  let live: Live = { again: () => worker.port.postMessage("again") };
  worker.port.onmessage = ({ data }: MessageEvent<StreamMessage>) => take(data);
  // It could not be loaded.
  worker.onerror = () => {
    live = tellFacts(take);
  };
  // A page that the browser keeps for the way back still takes what comes.
  addEventListener("pagehide", ({ persisted }) => {
    if (!persisted) worker.port.postMessage("leave");
  });
  return { again: () => live.again() };
}
