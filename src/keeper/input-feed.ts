/** Gives an agent its input: its prompt, the lines that the server appends, or nothing. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningProcess } from "../utils/exec.ts";
import { watchFiles } from "../utils/files/file-changes.ts";
import { tailFile } from "../utils/files/tail-file.ts";
import { KEEPER_FILES, type StdinKind } from "./files.ts";

const POLL_MS = 1000;

interface InputFeed {
  /** Writes the input and ends it. With `lines` it goes on until the input is complete, or `signal` aborts. */
  feed(
    agent: RunningProcess,
    options: { readonly signal: AbortSignal; readonly onWritten: () => void },
  ): Promise<void>;
}

/** Opens the input before the agent starts; throws if the prompt cannot be read. */
export async function openInput(dir: string, stdin: StdinKind): Promise<InputFeed> {
  if (stdin === "lines") return { feed: (agent, options) => feedLines(dir, agent, options) };
  const prompt = stdin === "prompt" ? await readFile(join(dir, KEEPER_FILES.prompt)) : Buffer.alloc(0);
  return {
    feed: async (agent) => {
      // Not awaited: the end of the input is queued behind it.
      if (prompt.length > 0) void agent.write(prompt);
      agent.endInput();
    },
  };
}

async function feedLines(
  dir: string,
  agent: RunningProcess,
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: () => void },
): Promise<void> {
  const ended = new AbortController();
  void waitForEnd(dir, signal).then(() => ended.abort());
  const lines = tailFile({
    path: join(dir, KEEPER_FILES.in),
    from: 0,
    ended: ended.signal,
    signal,
    pollMs: POLL_MS,
  });
  for await (const batch of lines) {
    await agent.write(batch.map(({ text }) => `${text}\n`).join(""));
    onWritten();
  }
  agent.endInput();
}

/** Settles once `in.end` exists, or `signal` aborts. */
async function waitForEnd(dir: string, signal: AbortSignal): Promise<void> {
  const changes = watchFiles({
    folder: dir,
    files: [KEEPER_FILES.inEnd],
    pollMs: POLL_MS,
    signals: [signal],
  });
  while (!signal.aborted && !existsSync(join(dir, KEEPER_FILES.inEnd))) await changes.next();
  changes.close();
}
