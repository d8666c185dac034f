/** Streams the output of a terminal to its one reader, at that reader's pace. */
import type { TerminalReader } from "../../services/core/open-terminal.ts";
import { eventText, PING, type StreamSource } from "./live-streams.ts";

/**
 * The number of an event is that of the byte after it. Who only asks for the head, or leaves before the first piece,
 * is no reader: the terminal would count as read, and never end.
 */
export function terminalSource(options: {
  readonly read: () => TerminalReader;
  readonly after: number;
  readonly pingMs: number;
}): StreamSource {
  const { read, pingMs } = options;
  let { after } = options;
  let reader: TerminalReader | null = null;
  let isOver = false;
  return {
    async next(signal) {
      if (isOver) return null;
      if (reader === null) {
        const own = read();
        signal.addEventListener("abort", () => own.leave(), { once: true });
        reader = own;
      }
      const piece = await reader.next(after, { waitMs: pingMs, signal });
      if (signal.aborted) return null;
      if (piece.kind === "nothing") return PING;
      isOver = piece.kind !== "output";
      if (piece.kind === "replaced") return eventText("replaced", after, {});
      if (piece.kind === "ended") return eventText("end", after, { code: piece.code });
      after = piece.end;
      return eventText("output", after, { data: Buffer.from(piece.bytes).toString("base64") });
    },
  };
}
