/** Brings the facts of the live stream into this tab: through a shared worker, or by a stream of its own. */
import type { StreamMessage } from "./stream-messages.ts";

export interface Live {
  /** Tries at once, such as after a sign-in or when a person asks. */
  again(): void;
}

/** Calls `take` with every message in order. */
export function openLive(take: (message: StreamMessage) => void): Live {
  if (typeof SharedWorker === "undefined") return ownStream(take);
  const worker = new SharedWorker(new URL("./stream-worker.ts", import.meta.url), {
    type: "module",
    // Tabs of another version of the page get a worker of their own.
    name: `tazuna-${__VERSION__}`,
  });
  let live: Live = { again: () => worker.port.postMessage("again") };
  worker.port.onmessage = ({ data }: MessageEvent<StreamMessage>) => take(data);
  // It could not be loaded.
  worker.onerror = () => {
    live = ownStream(take);
  };
  // A page that the browser keeps for the way back still takes what comes.
  addEventListener("pagehide", ({ persisted }) => {
    if (!persisted) worker.port.postMessage("leave");
  });
  return { again: () => live.again() };
}

/** Its code is in the worker; a page that has none loads it. */
function ownStream(take: (message: StreamMessage) => void): Live {
  const own = import("./tell-facts.ts").then(({ tellFacts }) => tellFacts(take));
  return { again: () => void own.then(({ again }) => again()) };
}
