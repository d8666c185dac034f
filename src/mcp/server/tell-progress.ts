/** Tells a client about a call's progress: the tool's reports, and a sign of life if the tool is silent. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ToolProgress } from "../../tools/core/tool.ts";

/** Well within the time after which clients give up on a silent call. */
const SILENCE_MS = 5_000;

interface Progress {
  /** The callback for the tool; absent if the client did not ask for progress. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** To be called when the call is over. */
  end(): void;
}

const UNASKED: Progress = { end: () => undefined };

export function tellProgress(
  { _meta, notify }: Pick<ServerContext["mcpReq"], "_meta" | "notify">,
  tool: string,
): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return UNASKED;
  const began = performance.now();
  let last = 0;
  const tell = (progress: number, message: string) => {
    // The protocol requires a number that grows with every message, the tool's and ours.
    last = Math.max(progress, last + 1);
    const params = { progressToken, progress: last, message };
    // A client that has gone gets no messages; its call is stopped elsewhere.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const stillRuns = () => tell(0, `${tool} has run for ${Math.round((performance.now() - began) / 1000)} s`);
  let timer = setInterval(stillRuns, SILENCE_MS);
  let isOver = false;
  return {
    onProgress: ({ progress, message }) => {
      if (isOver) return;
      clearInterval(timer);
      timer = setInterval(stillRuns, SILENCE_MS);
      tell(progress, message);
    },
    end: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}
