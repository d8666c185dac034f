/** Speaks MCP over a pair of streams, one JSON message a line; a faulty line does not stop the next. */
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { pause } from "../../contract/client/pause.ts";
import { createLineReader, type TooLong } from "./read-lines.ts";
import { type BadMessage, hasBatches, type ReadMessage, readLine } from "./read-message.ts";

export interface LineStreams {
  /** What the client sends; its end means that the client is done. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when there is room for more; rejects when the reader has gone. */
  readonly write: (text: string) => Promise<void>;
}

/** How long answers may take once the input is over; slower calls are stopped. */
const LAST_ANSWERS_MS = 1_000;

/** Most bytes of one message. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export function createLineTransport({ input, write }: LineStreams): Transport {
  const writer = createLineWriter(write);
  const asked = createAsked();
  let isOpen = true;
  let batches = false;
  const transport: Transport = {
    async start() {
      void listen();
    },
    setProtocolVersion(version) {
      batches = hasBatches(version);
    },
    async send(message) {
      if (!isOpen) return;
      asked.answered(message);
      try {
        await writer.write(`${JSON.stringify(message)}\n`);
      } catch {
        // A client that does not read may not write either: the end of its input may never come.
        await transport.close();
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      writer.release();
      transport.onclose?.();
    },
  };
  const hear = (read: ReadMessage) => {
    if (!("message" in read)) return refuse(read);
    asked.heard(read.message);
    try {
      transport.onmessage?.(read.message);
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown) =>
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  const refuse = (bad: BadMessage) => {
    fail(bad.reason);
    void transport.send(refusalOf(bad));
  };
  const listen = async () => {
    const onLine = (line: Uint8Array | TooLong) => readLine(line, { batches }).forEach(hear);
    try {
      await eachLine(input, { onLine, room: () => writer.room(), isWanted: () => isOpen });
      // A client that has closed its output may still read.
      await asked.settled(LAST_ANSWERS_MS);
    } catch (error) {
      fail(error);
    }
    await transport.close();
  };
  return transport;
}

/** Knows the requests that were received and not answered yet. */
function createAsked() {
  const open = new Set<RequestId>();
  const none = new AbortController();
  let isOver = false;
  return {
    heard: (message: JSONRPCMessage) => {
      if ("method" in message && "id" in message) open.add(message.id);
    },
    answered: (message: JSONRPCMessage) => {
      if (!("method" in message) && message.id !== undefined) open.delete(message.id);
      if (isOver && open.size === 0) none.abort();
    },
    /** Settles once all are answered, or after `maxMs` milliseconds. */
    settled: async (maxMs: number) => {
      isOver = true;
      if (open.size > 0) await pause(maxMs, none.signal);
    },
  };
}

/** Hands over each line, also a last one without a line end, as long as lines are wanted. */
async function eachLine(
  input: LineStreams["input"],
  options: {
    readonly onLine: (line: Uint8Array | TooLong) => void;
    readonly room: () => Promise<void>;
    readonly isWanted: () => boolean;
  },
): Promise<void> {
  const lines = createLineReader({ max: MAX_MESSAGE_BYTES, onLine: options.onLine });
  for await (const chunk of input) {
    if (!options.isWanted()) return;
    lines.push(chunk);
    await options.room();
  }
  lines.end();
}

function refusalOf({ id, code, reason }: BadMessage): JSONRPCMessage {
  // The protocol's type has no null here; JSON-RPC requires it if the id cannot be known.
  return { jsonrpc: "2.0", id, error: { code, message: reason } } as unknown as JSONRPCMessage;
}

interface LineWriter {
  /** Rejects when the reader has gone. */
  write(line: string): Promise<void>;
  /** Settles when the unread answers are few enough, or `release` was called. */
  room(): Promise<void>;
  release(): void;
}

/** Most UTF-16 units of unread answers. */
const MAX_UNREAD = 16 * 1024 * 1024;

function createLineWriter(write: (text: string) => Promise<void>): LineWriter {
  let unread = 0;
  let goOn = () => {};
  return {
    async write(line) {
      unread += line.length;
      try {
        await write(line);
      } finally {
        unread -= line.length;
        if (unread <= MAX_UNREAD) goOn();
      }
    },
    async room() {
      if (unread > MAX_UNREAD)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
    },
    release: () => goOn(),
  };
}
