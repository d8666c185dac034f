/** Speaks MCP over a pair of streams, one JSON message a line; whatever a line holds, the next one is heard. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
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
/** UTF-16 units of answers that nobody has read yet; while there are more, nothing further is heard. */
const MOST_UNREAD = 16 * 1024 * 1024;

export function createLineTransport({ input, write }: LineStreams): Transport {
  let isOpen = true;
  let unread = 0;
  let goOn = () => {};
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
      const line = `${JSON.stringify(message)}\n`;
      unread += line.length;
      try {
        await write(line);
      } catch {
        // Who does not read does not write either: the end of its input may never come.
        await transport.close();
      }
      unread -= line.length;
      if (unread <= MOST_UNREAD) goOn();
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      goOn();
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
  const refuse = ({ id, code, reason }: BadMessage) => {
    transport.onerror?.(new Error(reason));
    // The protocol's type has no null here; JSON-RPC wants it where the id cannot be known.
    const answer = { jsonrpc: "2.0", id, error: { code, message: reason } } as unknown as JSONRPCMessage;
    void transport.send(answer);
  };
  const room = () =>
    new Promise<void>((resolve) => {
      goOn = resolve;
    });
  const listen = async () => {
    const lines = createLineReader({
      most: MOST_MESSAGE_BYTES,
      onLine: (line) => readLine(line, { batches }).forEach(hear),
    });
    try {
      for await (const chunk of input) {
        if (!isOpen) return;
        lines.push(chunk);
        if (unread > MOST_UNREAD) await room();
      }
    } catch (error) {
      fail(error);
    }
    await transport.close();
  };
  return transport;
}
