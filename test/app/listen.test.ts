import { expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { listen } from "../../src/app/listen.ts";

setDefaultTimeout(60_000);

const ask = (port: number, path: string): Socket => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
};

test("a connection that is idle is closed, one whose answer is being made is not, and is idle again after it", async () => {
  const release = Promise.withResolvers<void>();
  const server = listen({ port: 0, host: "127.0.0.1", idleS: 1 }, async (request, connection) => {
    if (new URL(request.url).pathname === "/quick") return new Response("quick");
    connection.keepOpen?.();
    await release.promise;
    connection.letIdle?.();
    return new Response("slow");
  });
  try {
    const port = server.port ?? 0;
    const slow = ask(port, "/slow");
    let said = "";
    slow.on("data", (chunk) => {
      said += String(chunk);
    });
    const closed = once(slow, "close");
    // Two idle connections after each other pass away: the slow answer takes longer than the limit in any case.
    for (const _ of [1, 2]) await once(ask(port, "/quick").resume(), "close");
    expect(slow.closed).toBe(false);
    release.resolve();
    await closed;
    expect(said).toEndWith("slow");
  } finally {
    await server.stop(true);
  }
});
