/** Tells what the server answers to requests that no page or program of ours would send, over real sockets. */
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { type DoorServer, doorServer, TOKEN } from "../helpers/door-server.ts";

const TASK = JSON.stringify({ repository: "/r", issue: "Do it", agents: ["demo"] });

/** The status line and the code of the answer to these bytes. */
function raw(door: DoorServer, text: string): Promise<string> {
  const port = Number(door.host.split(":")[1]);
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => {
      const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? "";
      resolve(`${answer.split(" ")[1] ?? ""} ${code}`.trim());
    });
    socket.on("error", reject);
  });
}

const get = (path: string, headers: readonly string[]) =>
  `${[`GET ${path} HTTP/1.1`, ...headers, `Authorization: Bearer ${TOKEN}`, "Connection: close"].join("\r\n")}\r\n\r\n`;

describe("the host", () => {
  test("counts as it is written in the list, in any case; every other spelling is refused", async () => {
    await using door = doorServer();
    const port = door.host.split(":")[1];
    const answers: Record<string, string> = {};
    const hosts = [
      `LocalHost:${port}`,
      `localhost.:${port}`,
      `127.0.0.1.:${port}`,
      `127.1:${port}`,
      `0x7f000001:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `evil.example:${port}`,
      "localhost",
    ];
    for (const host of hosts)
      answers[host.replaceAll(port ?? "", "PORT")] = await raw(door, get("/api/v1/tasks", [`Host: ${host}`]));
    expect(answers).toEqual({
      "LocalHost:PORT": "200",
      "localhost.:PORT": "403 host_not_allowed",
      "127.0.0.1.:PORT": "403 host_not_allowed",
      "127.1:PORT": "403 host_not_allowed",
      "0x7f000001:PORT": "403 host_not_allowed",
      "[::ffff:127.0.0.1]:PORT": "403 host_not_allowed",
      "0.0.0.0:PORT": "403 host_not_allowed",
      "evil.example:PORT": "403 host_not_allowed",
      localhost: "403 host_not_allowed",
    });
  });

  test("is one: two of them are refused, and so is none", async () => {
    await using door = doorServer();
    const two = [`Host: ${door.host}`, "Host: evil.example"];
    expect(await raw(door, get("/api/v1/tasks", two))).toBe("403 host_not_allowed");
    expect(await raw(door, get("/api/v1/tasks", two.toReversed()))).toBe("403 host_not_allowed");
    expect(await raw(door, get("/api/v1/tasks", []))).toBe("400");
  });

  test("is the header's, whatever the address in the first line says", async () => {
    await using door = doorServer();
    const ask = get("http://evil.example/api/v1/tasks", [
      `Host: ${door.host}`,
      "Origin: http://evil.example",
    ]);
    expect(await raw(door, ask)).toBe("403 origin_not_allowed");
    const other = get(`http://${door.host}/api/v1/tasks`, ["Host: evil.example"]);
    expect(await raw(door, other)).toBe("403 host_not_allowed");
  });
});

/** A browser that signed in. */
async function cookieOf(door: DoorServer): Promise<string> {
  const link = await door.api.signInLink(door.url);
  const signedIn = await door.bare(link.slice(door.url.length));
  return signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
}

describe("a signed-in browser that another page uses", () => {
  test("sends no change: not as a form, not as text, not as JSON, not without an origin (promise 7.2)", async () => {
    await using door = doorServer();
    const cookie = await cookieOf(door);
    const send = async (type: string | null, headers: Record<string, string>) => {
      const response = await door.bare("/api/v1/tasks", {
        method: "POST",
        body: TASK,
        headers: { cookie, ...(type === null ? {} : { "content-type": type }), ...headers },
      });
      return ((await response.json()) as { code?: string }).code ?? response.status;
    };
    const evil = { origin: "http://evil.example" };
    const form = "application/x-www-form-urlencoded";
    expect(await send("text/plain", evil)).toBe("origin_not_allowed");
    expect(await send(form, evil)).toBe("origin_not_allowed");
    expect(await send("multipart/form-data; boundary=x", { origin: "null" })).toBe("origin_not_allowed");
    expect(await send("application/json", { origin: "null" })).toBe("origin_not_allowed");
    expect(await send("application/json", { "sec-fetch-site": "cross-site" })).toBe("origin_not_allowed");
    expect(await send("application/json", {})).toBe("origin_missing");
    expect(await send(form, { origin: door.url })).toBe("content_type");
    expect(await send("text/plain", { origin: door.url })).toBe("content_type");
    expect(door.services.created).toEqual([]);
    expect(await send("application/json", { origin: door.url })).toBe(201);
  });

  test("is a browser as long as no token is sent: a wrong one beside its cookie is refused", async () => {
    await using door = doorServer();
    const cookie = await cookieOf(door);
    const status = async (headers: Record<string, string>) =>
      (await door.bare("/api/v1/tasks", { headers })).status;
    expect(await status({ cookie, authorization: "Bearer wrong" })).toBe(401);
    expect(await status({ cookie, authorization: "" })).toBe(401);
    expect(await status({ cookie: "tazuna_1=x", authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect(await status({ cookie: `${cookie}x` })).toBe(401);
    expect(await status({ cookie: cookie.replace(/=.+/, `=${"9".repeat(43)}`) })).toBe(401);
    const both = { cookie, authorization: `Bearer ${TOKEN}`, origin: "http://evil.example" };
    expect(await status(both)).toBe(403);
  });
});

test("two hundred connections that say nothing keep nobody out", async () => {
  await using door = doorServer();
  const port = Number(door.host.split(":")[1]);
  const silent = await Promise.all(
    Array.from(
      { length: 200 },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, "127.0.0.1", () => resolve(socket));
          socket.on("error", reject);
        }),
    ),
  );
  expect((await door.call("/api/v1/tasks")).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

test("every answer says that it is of its own origin, names no referrer, and is what it says it is", async () => {
  await using door = doorServer();
  for (const path of ["/", "/sign-in", "/api/v1/health", "/api/v1/tasks", "/nothing"]) {
    const { headers } = await door.bare(path);
    const named = ["cross-origin-opener-policy", "cross-origin-resource-policy", "referrer-policy"];
    expect([path, ...named.map((name) => headers.get(name)), headers.get("x-content-type-options")]).toEqual([
      path,
      "same-origin",
      "same-origin",
      "no-referrer",
      "nosniff",
    ]);
  }
});
