/** Tells what the proxy of a listed network lets through, by real sockets, and that nothing leads elsewhere. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { hostRule, type NetworkPlace, placeText } from "../../../src/domain/network/host-rules.ts";
import type { Lookup } from "../../../src/sandbox/network/find-addresses.ts";
import { createProxy } from "../../../src/sandbox/network/proxy.ts";
import { tally } from "../../helpers/tally.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { waitFor } from "../../helpers/wait-for.ts";

/** Says what it was sent: at its end, or at the empty line of a request without a body. */
const origin = createServer({ allowHalfOpen: true }, (socket) => {
  let text = "";
  const answer = () => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${text}`, "latin1");
  socket.on("error", () => socket.destroy());
  socket.on("end", answer);
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    if (/^GET .*\r\n\r\n$/s.test(text)) answer();
  });
});
const refused: string[] = [];
const asked: string[] = [];
/** What each name leads to: the test's own server, by an address that is listed for it. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "good.test": ["127.0.0.1"],
  "deep.wild.test": ["127.0.0.1"],
  "rebound.test": ["127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "inside.test": ["10.1.2.3", "fd00::1"],
};
const lookup: Lookup = async (host) => {
  asked.push(host);
  return NAMES[host] ?? [];
};

let proxy: Server;
let port: number;
let proxyPort: number;

beforeAll(async () => {
  port = await listening(origin);
  const rules = [
    `good.test:${port}`,
    `*.wild.test:${port}`,
    "rebound.test",
    "metadata.test",
    "inside.test",
    `127.0.0.1:${port}`,
    "gone.test",
  ];
  proxy = createProxy({
    rules: rules.flatMap((text) => hostRule(text) ?? []),
    lookup,
    onRefused: (place: NetworkPlace) => refused.push(placeText(place)),
  });
  proxyPort = await listening(proxy);
});
afterAll(() => {
  proxy?.close();
  origin.close();
});

/** The whole answer to these bytes. */
async function say(
  text: string,
  options: { readonly half?: boolean; readonly socket?: Socket } = {},
): Promise<string> {
  const { socket = await opened() } = options;
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  socket.write(text, "latin1");
  if (options.half !== false) socket.end();
  await gone(socket);
  return answer;
}

describe("what is listed is reached", () => {
  test("through a tunnel, byte for byte in both directions, and closed by half", async () => {
    const body = "\0\xff".repeat(100_000);
    const answer = await say(`CONNECT good.test:${port} HTTP/1.1\r\nHost: whatever\r\n\r\n${body}`);
    expect(answer.startsWith("HTTP/1.1 200 Connection Established\r\n\r\nHTTP/1.1 200 OK")).toBe(true);
    expect(answer.endsWith(body)).toBe(true);
  });

  test("to the last byte of an answer, whichever side ended its input before", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "proxy");
    const listed = createProxy({ rules: [{ host: "127.0.0.1", below: false, port }], onRefused: () => {} });
    await new Promise<void>((resolve) => listed.listen({ path }, resolve));
    // Whether the end is still on its way when the server has gone depends on the sizes of buffers.
    for (const megabytes of [0.5, 1, 1.5, 2]) {
      const body = "x".repeat(megabytes * 1_000_000);
      const socket = connect({ path, allowHalfOpen: true });
      const answer = await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n${body}`, { socket });
      expect(answer.slice(answer.lastIndexOf("\n") + 1).length).toBe(body.length);
    }
    listed.close();
  });

  test("by plain http: the target alone says where, and nothing of the connection to us goes on", async () => {
    const answer = await say(
      `GET http://GOOD.test:${port}/a?b=c HTTP/1.1\r\nHost: evil.test\r\nProxy-Authorization: x\r\nConnection: keep-alive, x\r\nAccept: */*\r\n\r\n`,
      { half: false },
    );
    expect(answer.split("\r\n\r\n").slice(1).join("\r\n\r\n")).toBe(
      `GET /a?b=c HTTP/1.1\r\nHost: GOOD.test:${port}\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });

  test("a name below a domain, a name with a dot at its end, an address that is listed itself", async () => {
    for (const host of ["deep.wild.test", "good.test.", "127.0.0.1"])
      expect(await say(`CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 200 ");
  });
});

describe("what is not listed is refused, told, and not even looked up", () => {
  test.each([
    ["another name", () => `CONNECT evil.test:443 HTTP/1.1\r\n\r\n`, "evil.test:443"],
    ["another port", () => `CONNECT good.test:${port + 1} HTTP/1.1\r\n\r\n`, null],
    ["the domain of a wildcard", () => `CONNECT wild.test:${port} HTTP/1.1\r\n\r\n`, null],
    ["a name that only ends like it", () => `CONNECT evilwild.test:${port} HTTP/1.1\r\n\r\n`, null],
    ["this machine by its name", () => `CONNECT localhost:${port} HTTP/1.1\r\n\r\n`, null],
    ["this machine by other spellings", () => `CONNECT 0x7f.1:${port} HTTP/1.1\r\n\r\n`, null],
    ["this machine by a number", () => `CONNECT 2130706433:${port} HTTP/1.1\r\n\r\n`, null],
    ["this machine by IPv6", () => `CONNECT [::1]:${port} HTTP/1.1\r\n\r\n`, null],
    ["this machine by an IPv4 in IPv6", () => `CONNECT [::ffff:127.0.0.1]:${port} HTTP/1.1\r\n\r\n`, null],
    ["another port of a listed address", () => `CONNECT 127.0.0.1:22 HTTP/1.1\r\n\r\n`, "127.0.0.1:22"],
    ["plain http", () => `GET http://evil.test/x HTTP/1.1\r\nHost: good.test\r\n\r\n`, "evil.test:80"],
    [
      "a body with a request in it",
      () =>
        `POST http://evil.test/ HTTP/1.1\r\nContent-Length: 40\r\n\r\nCONNECT good.test:${port} HTTP/1.1\r\n\r\n`,
      "evil.test:80",
    ],
  ] as readonly (readonly [string, () => string, string | null])[])("%s", async (what, text, place) => {
    tally("attack", `the proxy is asked for ${what}`, { under: "sandbox" });
    refused.length = 0;
    asked.length = 0;
    const answer = await say(text(), { half: false });
    expect(answer).toStartWith("HTTP/1.1 403 Not in sandbox.network\r\n");
    expect(answer).toContain("`sandbox.network` in Tazuna's configuration");
    expect(refused).toHaveLength(1);
    if (place !== null) expect(refused).toEqual([place]);
    expect(asked).toEqual([]);
  });

  test.each([
    ["rebound.test", "127.0.0.1"],
    ["metadata.test", "169.254.169.254"],
    ["inside.test", "10.1.2.3"],
  ])("a listed name that leads to an address of this machine or its networks: %s", async (host, address) => {
    tally("attack", `a listed name leads to ${address}`, { under: "sandbox" });
    const answer = await say(`CONNECT ${host}:443 HTTP/1.1\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 403 ");
    expect(answer).toContain(`${host}:443 leads to ${address}`);
  });

  test("a listed name without an address is no refusal", async () => {
    expect(await say("CONNECT gone.test:443 HTTP/1.1\r\n\r\n")).toStartWith("HTTP/1.1 502 Name not found");
  });
});

describe("an unclean request is not passed on", () => {
  test.each([
    ["a path without a host", "GET / HTTP/1.1\r\nHost: good.test\r\n\r\n"],
    ["https without a tunnel", "GET https://good.test/ HTTP/1.1\r\n\r\n"],
    ["a user in front of the host", "GET http://good.test@evil.test/ HTTP/1.1\r\n\r\n"],
    ["a backslash", "GET http://evil.test\\@good.test/ HTTP/1.1\r\n\r\n"],
    ["a blank in the target", "GET http://good.test/ x HTTP/1.1\r\n\r\n"],
    ["a line that goes on", "GET http://good.test/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n"],
    ["a line feed alone", "GET http://good.test/ HTTP/1.1\nHost: evil.test\r\n\r\n"],
    ["a line feed in a field", "GET http://good.test/ HTTP/1.1\r\nA: b\nHost: evil.test\r\n\r\n"],
    ["a carriage return alone", "GET http://good.test/ HTTP/1.1\r\nA: b\rHost: evil.test\r\n\r\n"],
    ["a blank before the colon", "POST http://good.test/ HTTP/1.1\r\nContent-Length : 5\r\n\r\n"],
    ["two lengths", "POST http://good.test/ HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"],
    [
      "a length and chunks",
      "POST http://good.test/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ["a tunnel without a port", "CONNECT good.test HTTP/1.1\r\n\r\n"],
    ["a tunnel to a port that there is not", "CONNECT good.test:70000 HTTP/1.1\r\n\r\n"],
    ["a NUL", "CONNECT good.test\0.evil.test:443 HTTP/1.1\r\n\r\n"],
    ["a control character in the target", "GET http://good.test/a\x1bb HTTP/1.1\r\n\r\n"],
    ["another version", "GET http://good.test/ HTTP/2.0\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x00\x05hello\r\n\r\n"],
  ])("%s", async (what, text) => {
    tally("attack", `the proxy is sent ${what}`, { under: "sandbox" });
    asked.length = 0;
    expect(await say(text, { half: false })).toStartWith("HTTP/1.1 400 Bad Request\r\n");
    expect(asked).toEqual([]);
  });

  test("a second request behind the first reaches only the host that the first one named", async () => {
    tally("attack", "a request to another host behind one to a listed host", { under: "sandbox" });
    refused.length = 0;
    const answer = await say(
      `POST http://good.test:${port}/ HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET http://evil.test/ HTTP/1.1\r\n\r\n`,
    );
    // The listed server was sent both, and only it.
    expect(answer).toContain("Connection: close\r\n\r\nGET http://evil.test/ HTTP/1.1\r\n\r\n");
    expect(asked.filter((host) => host !== "good.test")).toEqual([]);
    expect(refused).toEqual([]);
  });

  test("lines without an end are cut off", async () => {
    tally("attack", "a request whose lines never end", { under: "sandbox" });
    const endless = `GET http://good.test/ HTTP/1.1\r\n${"A: b\r\n".repeat(20_000)}`;
    expect(await say(endless, { half: false })).toStartWith("HTTP/1.1 431 ");
  });

  test("silent clients, also a crowd of them, do not block others", async () => {
    tally("attack", "five hundred connections that say nothing", { under: "sandbox" });
    const idle = await Promise.all(Array.from({ length: 500 }, opened));
    expect(await say(`CONNECT good.test:${port} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 200 ");
    const crowd = await Promise.all(Array.from({ length: 12 }, opened));
    expect(await say(`CONNECT good.test:${port} HTTP/1.1\r\n\r\n`)).toStartWith("HTTP/1.1 503 ");
    for (const socket of [...idle, ...crowd]) socket.destroy();
    await waitFor("there to be room again", async () =>
      (await say(`CONNECT good.test:${port} HTTP/1.1\r\n\r\n`)).startsWith("HTTP/1.1 200 "),
    );
  });

  test("one who was refused and goes on sending is cut off", async () => {
    const socket = await opened();
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.resume().write("CONNECT example.org:443 HTTP/1.1\r\n\r\n");
    const sending = setInterval(() => !socket.destroyed && socket.write("x"), 50);
    await closed;
    clearInterval(sending);
  });

  test("one who goes in the middle leaves no connection to the server behind", async () => {
    const socket = await opened();
    socket.write(`CONNECT good.test:${port} HTTP/1.1\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.resetAndDestroy();
    await waitFor("nobody to be connected", async () => (await connections(origin)) === 0);
  });
});

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

function opened(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: proxyPort, allowHalfOpen: true });
    socket.once("error", reject).once("connect", () => {
      socket.off("error", reject).on("error", () => socket.destroy());
      resolve(socket);
    });
  });
}

function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    // Read to the end, then closed from here as well.
    socket.on("end", () => socket.end()).on("close", () => resolve());
  });
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}
