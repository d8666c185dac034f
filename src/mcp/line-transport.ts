/** Speaks MCP over a pair of streams, one JSON message a line; whatever a line holds, the next one is heard. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { createLineWriter } from "./line-writer.ts";
import { createLineReader } from "./read-lines.ts";
import { type BadMessage, hasBatches, type ReadMessage, readLine } from "./read-message.ts";

export interface LineStreams {
  /** What the client says; its end is the client's. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when there is room for more; rejects when nobody reads any more. */
  readonly write: (text: string) => Promise<void>;
}

/** Bytes of one message. */
export const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;

export function createLineTransport({ input, write }: LineStreams): Transport {
  const writer = createLineWriter(write);
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
      try {
        await writer.write(`${JSON.stringify(message)}\n`);
      } catch {
        // Who does not read does not write either: the end of its input may never come.
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
    const lines = createLineReader({
      most: MOST_MESSAGE_BYTES,
      onLine: (line) => readLine(line, { batches }).forEach(hear),
    });
    try {
      for await (const chunk of input) {
        if (!isOpen) return;
        lines.push(chunk);
        await writer.room();
      }
    } catch (error) {
      fail(error);
    }
    await transport.close();
  };
  return transport;
}

function refusalOf({ id, code, reason }: BadMessage): JSONRPCMessage {
  // The protocol's type has no null here; JSON-RPC wants it where the id cannot be known.
  return { jsonrpc: "2.0", id, error: { code, message: reason } } as unknown as JSONRPCMessage;
}
