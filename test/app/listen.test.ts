import { expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { listen } from "../../src/app/server/listen.ts";
import { makeCertificate, OPENSSL } from "../helpers/certificate.ts";
import { doorServer, TOKEN } from "../helpers/door-server.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

// Those that wait for the clock of the runtime wait at once, each for a server of its own.
setDefaultTimeout(420_000);

const ask = (port: number, path: string): Socket => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
};

test.each(["", "a b", "[::1", "127.0.0.1#", "x@127.0.0.1"])(
  "a request whose host is %j is refused before it is read",
  async (host) => {
    const answers: string[] = [];
    const server = listen(
      { port: 0, host: "127.0.0.1" },
      async ({ url }) => new Response(new URL(url).pathname),
    );
    try {
      const socket = connect(server.port ?? 0, "127.0.0.1");
      socket.on("data", (chunk) => void answers.push(String(chunk)));
      socket.write(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      await once(socket, "close");
      expect(answers.join("")).toStartWith("HTTP/1.1 400 ");
      expect(answers.join("")).toEndWith("\r\n\r\n");
    } finally {
      await server.stop(true);
    }
  },
);

test("what breaks while a request is answered is not shown to who asked", async () => {
  const server = listen({ port: 0, host: "127.0.0.1" }, async () =>
    Promise.reject(new Error("a secret place")),
  );
  try {
    const response = await fetch(server.url);
    expect([response.status, (await response.text()).includes("secret")]).toEqual([500, false]);
  } finally {
    await server.stop(true);
  }
});

test.concurrent(
  deep("an idle connection is closed; one that waits for its answer is not, until the answer is sent"),
  async () => {
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
  },
);

test.concurrent(
  deep("a client that never ends a request's head is cut off, however often it writes"),
  async () => {
    const server = listen({ port: 0, host: "127.0.0.1" }, async () => new Response("quick"));
    const sockets = [connect(server.port ?? 0, "127.0.0.1"), connect(server.port ?? 0, "127.0.0.1")];
    const [silent, busy] = sockets as [Socket, Socket];
    const begun = performance.now();
    const writing = setInterval(() => busy.write("a"), 500);
    try {
      for (const socket of sockets) socket.on("error", () => undefined).resume();
      busy.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ");
      await Promise.all([once(silent, "close"), once(busy, "close")]);
      // 10 s, plus the runtime's clock of 4 s and a busy machine. The runtime's own limit would be two
      // minutes.
      expect(performance.now() - begun).toBeLessThan(100_000);
    } finally {
      clearInterval(writing);
      await server.stop(true);
    }
  },
);

test.concurrent.skipIf(OPENSSL === null)(
  deep("over TLS too: who says nothing, before or after the handshake, and who never ends a head"),
  async () => {
    await using folder = await tempDir();
    const files = await makeCertificate(folder.path, { names: "DNS:localhost" });
    const [cert, key] = await Promise.all([readFile(files.cert, "utf8"), readFile(files.key, "utf8")]);
    const server = listen(
      { port: 0, host: "127.0.0.1", tls: { cert, key } },
      async () => new Response("quick"),
    );
    const at = { port: server.port ?? 0, host: "127.0.0.1", ca: cert, servername: "localhost" };
    const busy = connectTls(at);
    const sockets = [connect(at.port, at.host), connectTls(at), busy];
    const closed = sockets.map((socket) => once(socket.on("error", () => undefined).resume(), "close"));
    busy.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ");
    const writing = setInterval(() => busy.write("a"), 500);
    const begun = performance.now();
    try {
      await Promise.all(closed);
      expect(performance.now() - begun).toBeLessThan(100_000);
    } finally {
      clearInterval(writing);
      await server.stop(true);
    }
  },
);

test.concurrent(deep("of a second request on a connection the head is not waited for longer"), async () => {
  const server = listen({ port: 0, host: "127.0.0.1", idleS: 1 }, async () => new Response("quick"));
  const socket = ask(server.port ?? 0, "/");
  await once(socket, "data");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ");
  const writing = setInterval(() => socket.write("a"), 200);
  try {
    await once(socket, "close");
  } finally {
    clearInterval(writing);
    await server.stop(true);
  }
});

test.concurrent(
  deep("the connection of a stream is not idle before the stream is over, and is then"),
  async () => {
    await using door = doorServer();
    const runs = [aRun()];
    door.services.add({
      task: aTask(),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt(), runs }],
    });
    const server = listen({ port: 0, host: "127.0.0.1", idleS: 1 }, (request, connection) =>
      door.api.fetch(request, connection),
    );
    try {
      const port = server.port ?? 0;
      const socket = connect(port, "127.0.0.1");
      const closed = once(socket.resume(), "close");
      socket.write(
        `GET /api/v1/runs/run-1/events HTTP/1.1\r\nHost: ${door.host}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n\r\n`,
      );
      for (const _ of [1, 2]) await once(ask(port, "/").resume(), "close");
      expect(socket.closed).toBe(false);
      door.services.addLog("run-1", [], { ended: true });
      await closed;
    } finally {
      await server.stop(true);
    }
  },
);
