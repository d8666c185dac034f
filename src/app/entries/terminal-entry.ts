/** Runs the host of a terminal: `tazuna __terminal`. Its orders come on stdin, and its output goes to stdout. */
import { hostTerminal } from "../../keeper/terminal/host-terminal.ts";
import { startHeld } from "../../sandbox/start-held.ts";
import { createLineSplitter } from "../../utils/files/line-splitter.ts";

/** Answers the exit code of the shell. */
export function runTerminalEntry(): Promise<number> {
  return hostTerminal({ lines: linesOf(Bun.stdin.stream()), held: startHeld });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const splitter = createLineSplitter();
  for await (const chunk of stream) for (const { text } of splitter.push(chunk)) yield text;
  return undefined;
}
