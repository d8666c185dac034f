/** Wraps a process of Bun's own spawn as a child; Node's spawn modules load more slowly than Bun itself. */
import { sleep } from "../time/waiting.ts";
import type { ByteSource, Child, ChildInput } from "./child.ts";

export function bunChild(process: Bun.Subprocess): Child {
  const { pid, stdin, stdout, stderr } = process;
  return {
    pid,
    stdin: typeof stdin === "object" ? inputOf(stdin) : null,
    stdout: stdout instanceof ReadableStream ? sourceOf(stdout) : null,
    stderr: stderr instanceof ReadableStream ? sourceOf(stderr) : null,
    ended: process.exited.then(() => {
      const { exitCode, signalCode } = process;
      return { code: exitCode, signal: signalCode === null ? null : String(signalCode) };
    }),
    unref: () => process.unref(),
  };
}

/**
 * How long one stream may be read without a pause. While there is data, Bun reads on, runs no timers, and does not
 * free the memory of the chunks.
 */
const MAX_READ_MS = 10;

function sourceOf(stream: ReadableStream<Uint8Array>): ByteSource {
  const reader = stream.getReader();
  return {
    read: async (take) => {
      let busySince = 0;
      let lastChunk = 0;
      for (;;) {
        const { done, value } = await reader.read().catch(() => FINISHED);
        if (done) return;
        const began = performance.now();
        const taking = take(value);
        if (taking !== undefined) await taking;
        if (began - lastChunk > 1) busySince = began;
        lastChunk = performance.now();
        if (lastChunk - busySince >= MAX_READ_MS) await sleep(0);
      }
    },
    giveUp: () => void reader.cancel().catch(() => {}),
  };
}

const FINISHED = { done: true, value: undefined } as const;

function inputOf(sink: Bun.FileSink): ChildInput {
  const unlessClosed = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch {
      // The reading end is closed.
    }
  };
  const write = async (data: string | Uint8Array) => {
    await sink.write(data);
    await sink.flush();
  };
  return {
    write: (data) => unlessClosed(() => write(data)),
    end: (data) =>
      unlessClosed(async () => {
        if (data !== undefined) await write(data);
        await sink.end();
      }),
  };
}
