/** Shows a process of Bun's own spawn as a child; its modules for Node's take longer to load than Bun itself. */
import type { Child, ChildInput } from "./child.ts";

export function bunChild(process: Bun.Subprocess): Child {
  const { pid, stdin, stdout, stderr } = process;
  return {
    pid,
    stdin: typeof stdin === "object" ? inputOf(stdin) : null,
    stdout: stdout instanceof ReadableStream ? stdout : null,
    stderr: stderr instanceof ReadableStream ? stderr : null,
    ended: process.exited.then(() => {
      const { exitCode, signalCode } = process;
      return { code: exitCode, signal: signalCode === null ? null : String(signalCode) };
    }),
    unref: () => process.unref(),
  };
}

function inputOf(sink: Bun.FileSink): ChildInput {
  const unlessClosed = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch {
      // Nobody reads any more.
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
