/** Streams the output of a terminal to its one reader, at that reader's pace. */
import type { TerminalReader } from "../../services/core/open-terminal.ts";
import { eventText, PING, type StreamSource } from "./live-streams.ts";

/** The number of an event is that of the byte after it. A reader that another one replaced is sent no end. */
export function terminalSource(options: {
  readonly reader: TerminalReader;
  readonly after: number;
  readonly pingMs: number;
}): StreamSource {
  const { reader, pingMs } = options;
  let { after } = options;
  let known: AbortSignal | null = null;
  return {
    async next(signal) {
      if (known === null) signal.addEventListener("abort", () => reader.leave(), { once: true });
      known = signal;
      const piece = await reader.next(after, { waitMs: pingMs, signal });
      if (signal.aborted || piece.kind === "replaced") return null;
      if (piece.kind === "nothing") return PING;
      if (piece.kind === "ended") return eventText("end", after, { code: piece.code });
      after = piece.end;
      return eventText("output", after, { data: Buffer.from(piece.bytes).toString("base64") });
    },
  };
}
