/** Wraps a process of Node's spawn as a child. */
import type { Readable, Writable } from "node:stream";
import type { ByteSource, Child, ChildInput } from "./child.ts";

/** The parts of Node's process that are used here. */
export interface NodeProcess {
  readonly pid?: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  unref(): void;
}

/** Null if it was not started; its `error` event tells the reason. */
export function nodeChild(process: NodeProcess): Child | null {
  const { pid, stdin, stdout, stderr } = process;
  if (pid === undefined) return null;
  return {
    pid,
    stdin: stdin && inputOf(stdin),
    stdout: stdout && sourceOf(stdout),
    stderr: stderr && sourceOf(stderr),
    ended: new Promise((resolve) => {
      process.once("exit", (code, signal) => resolve({ code, signal }));
    }),
    unref: () => process.unref(),
  };
}

/** Uses its events: a web stream around it costs more than the start of a small program. */
function sourceOf(stream: Readable): ByteSource {
  return {
    read: (take) =>
      new Promise((resolve) => {
        stream.on("data", (chunk: Uint8Array) => {
          const taking = take(chunk);
          if (taking === undefined) return;
          stream.pause();
          void taking.then(() => stream.resume());
        });
        stream.once("error", () => {});
        stream.once("close", resolve);
      }),
    giveUp: () => void stream.destroy(),
  };
}

function inputOf(stdin: Writable): ChildInput {
  stdin.on("error", () => {});
  return {
    write: (data) =>
      new Promise((resolve) => {
        if (!stdin.writable) return resolve();
        stdin.write(data, () => resolve());
      }),
    end: (data) =>
      new Promise((resolve) => {
        // A closed stream tells neither an error nor its end again.
        if (stdin.closed) return resolve();
        stdin.once("error", () => resolve());
        stdin.once("close", resolve);
        stdin.end(data);
      }),
  };
}
