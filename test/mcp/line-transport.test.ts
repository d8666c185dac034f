import { expect, test } from "bun:test";
import { createLineTransport } from "../../src/mcp/lines/line-transport.ts";

const lines = (...messages: readonly unknown[]) =>
  new TextEncoder().encode(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" }) as const;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test("a message that makes its listener fail does not prevent the next one", async () => {
  const heard: unknown[] = [];
  const errors: string[] = [];
  const transport = createLineTransport({
    input: once(lines(ping(1), ping(2))),
    write: async () => undefined,
  });
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = (message) => {
    heard.push(message);
    throw new Error(`broken by ${heard.length}`);
  };
  transport.onerror = ({ message }) => errors.push(message);
  await transport.start();
  await closed;
  expect([heard, errors]).toEqual([
    [ping(1), ping(2)],
    ["broken by 1", "broken by 2"],
  ]);
});

test("a client that reads no more has gone: the transport closes once, and writes nothing further", async () => {
  let written = 0;
  let closed = 0;
  const input = (async function* (): AsyncGenerator<Uint8Array> {
    await new Promise(() => undefined);
  })();
  const write = () => {
    written += 1;
    return Promise.reject(new Error("EPIPE"));
  };
  const transport = createLineTransport({ input, write });
  transport.onclose = () => {
    closed += 1;
  };
  await transport.start();
  await Promise.all([transport.send(ping(1)), transport.send(ping(2))]);
  await transport.send(ping(3));
  expect([written, closed]).toEqual([2, 1]);
});

test("nothing further is heard while megabytes of answers wait for a client that does not read", async () => {
  const answer = { jsonrpc: "2.0", id: 1, result: { text: "a".repeat(1024 * 1024) } } as const;
  const asked = 60;
  const taken: (() => void)[] = [];
  let heard = 0;
  const input = (async function* (): AsyncGenerator<Uint8Array> {
    for (let id = 1; id <= asked; id += 1) yield lines(ping(id));
  })();
  const write = () => new Promise<void>((resolve) => void taken.push(resolve));
  const transport = createLineTransport({ input, write });
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = () => {
    heard += 1;
    void transport.send(answer);
  };
  await transport.start();
  // Turns of the event loop in which an eager listener hears them all.
  for (let turn = 0; turn < asked; turn += 1) await new Promise(setImmediate);
  expect([heard, taken.length]).toEqual([16, 16]);
  const reading = setInterval(() => taken.shift()?.(), 0);
  await closed;
  clearInterval(reading);
  expect(heard).toBe(asked);
});
