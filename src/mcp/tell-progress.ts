/** Tells a client how far a call is: what the tool says, and that it still runs where the tool says nothing. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ToolProgress } from "../tools/core/tool.ts";

/** Well within the time after which clients give up on a silent call. */
const SILENCE_MS = 5_000;

export interface Progress {
  /** What the tool is handed; absent where the client did not ask. */
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
  let told = 0;
  const tell = (progress: number, message: string) => {
    // The protocol wants it to grow with every message, whoever speaks.
    told = Math.max(progress, told + 1);
    const params = { progressToken, progress: told, message };
    // A client that has gone hears nothing any more; its call is stopped elsewhere.
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
