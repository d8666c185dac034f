import { describe, expect, test } from "bun:test";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";

const HTML = { accept: "text/html" };

/** Signs a browser in and answers its cookie header. */
async function signIn(door: DoorServer, given?: string): Promise<string> {
  const link = given ?? (await door.api.signInLink(door.url));
  const response = await door.bare(link.slice(door.url.length), { headers: HTML });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

describe("signing a browser in", () => {
  test("a link works once and leaves a cookie that no script and no other site can use", async () => {
    await using door = doorServer();
    const link = await door.api.signInLink(door.url);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{32}$/);
    const path = link.slice(door.url.length);
    const previews = [
      { method: "HEAD" },
      { method: "OPTIONS" },
      { method: "POST" },
      { headers: { "sec-purpose": "prefetch;prerender" } },
      { headers: { purpose: "prefetch" } },
      { headers: { "x-moz": "prefetch" } },
      { headers: { "x-purpose": "preview" } },
    ];
    for (const preview of previews) {
      const response = await door.bare(path, preview);
      expect([response.headers.get("set-cookie"), response.status < 300 || response.status >= 400]).toEqual([
        null,
        true,
      ]);
    }
    const first = await door.bare(link.slice(door.url.length));
    expect([first.status, first.headers.get("location")]).toEqual([303, "/"]);
    expect(first.headers.get("set-cookie")).toMatch(
      /^tazuna_\d+=\d+\.[\w%]{43,}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await door.bare(link.slice(door.url.length));
    expect([second.status, second.headers.get("set-cookie")]).toEqual([401, null]);
    expect(await second.text()).toContain("used before");
  });

  test.each([")", ").", ",", ";", "'", ">", "]", "%29", "%20", "%0A", "`"])(
    "a link works with %s, which was copied along",
    async (beside) => {
      await using door = doorServer();
      const link = await door.api.signInLink(door.url);
      expect(await signIn(door, `${link}${beside}`)).toStartWith("tazuna_");
      expect(await signIn(door, link)).toBe("");
    },
  );

  test("a code that is typed signs in once, in any case, with or without its dashes, and uses its link up", async () => {
    await using door = doorServer();
    const make = async () => (await door.client.link({ attempt: null }))._unsafeUnwrap();
    const { url, code } = await make();
    expect(code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
    const typed = code.replaceAll("-", "").toLowerCase();
    expect(await signIn(door, `${door.url}/sign-in?code=${typed}`)).toStartWith("tazuna_");
    expect(await signIn(door, `${door.url}/sign-in?code=${code}`)).toBe("");
    expect(await signIn(door, url)).toBe("");
    const other = await make();
    expect(await signIn(door, other.url)).toStartWith("tazuna_");
    expect(await signIn(door, `${door.url}/sign-in?code=${other.code}`)).toBe("");
  });

  test.each(["OPTIONS", "POST", "PUT", "PATCH", "DELETE"])("a link is not opened with %s", async (method) => {
    await using door = doorServer();
    const path = (await door.api.signInLink(door.url)).slice(door.url.length);
    const refused = await door.bare(path, { method, headers: { origin: door.url } });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await signIn(door, `${door.url}${path}`)).toStartWith("tazuna_");
  });

  test("of many who open one link at once, one is signed in", async () => {
    await using door = doorServer();
    const link = await door.api.signInLink(door.url);
    const cookies = await Promise.all(Array.from({ length: 8 }, () => signIn(door, link)));
    expect(cookies.filter((cookie) => cookie !== "").length).toBe(1);
  });

  test("who is signed in may follow a used link", async () => {
    await using door = doorServer();
    const link = await door.api.signInLink(door.url, { attempt: "a/../b" });
    const cookie = await signIn(door, link);
    const again = await door.bare(link.slice(door.url.length), { headers: { cookie } });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/attempts/a%2F..%2Fb"]);
  });

  test("a link grows too old, a session too", async () => {
    let now = 1_000_000;
    await using door = doorServer({ now: () => now });
    const link = await door.api.signInLink(door.url);
    now += 10 * 60_000 + 1;
    expect(await signIn(door, link)).toBe("");
    const cookie = await signIn(door);
    expect((await door.bare("/api/v1/tasks", { headers: { cookie } })).status).toBe(200);
    now += 31 * 24 * 3600_000;
    expect((await door.bare("/api/v1/tasks", { headers: { cookie } })).status).toBe(401);
  });

  test("a session survives a restart, but not another secret, and cannot be made up", async () => {
    await using door = doorServer();
    const [name = "", value = ""] = (await signIn(door)).split("=");
    const get = (server: DoorServer, cookieValue: string) => {
      const port = server.host.split(":")[1];
      return server.bare("/api/v1/tasks", { headers: { cookie: `a=b; tazuna_${port}=${cookieValue}` } });
    };
    await using restarted = doorServer();
    await using other = doorServer({ sessionSecret: "o".repeat(32) });
    const [until = "", signature = ""] = value.split(".");
    const statuses = [
      await get(restarted, value),
      await get(other, value),
      await get(door, `${Number(until) + 1}.${signature}`),
      await get(door, `${until}.${"A".repeat(43)}`),
      await get(door, `${until}.${"A".repeat(43)}%3D`),
      await get(door, `x.${signature}`),
      await get(door, until),
      await get(door, `${until}.`),
      await get(door, ""),
    ].map((response) => response.status);
    expect([name.startsWith("tazuna_"), ...statuses]).toEqual([
      true,
      200,
      401,
      401,
      401,
      401,
      401,
      401,
      401,
      401,
    ]);
  });

  test("a signed-in browser changes things only from its own page", async () => {
    await using door = doorServer();
    const cookie = await signIn(door);
    const post = (headers: Record<string, string>) =>
      door.bare("/api/v1/demo", {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", cookie, ...headers },
      });
    const statuses = [
      await post({}),
      await post({ origin: "http://127.0.0.1:1" }),
      await post({ origin: door.url }),
    ];
    expect(statuses.map((response) => response.status)).toEqual([403, 403, 201]);
  });

  test("what a browser asks for gets the settings of the engine's environment, but its own win", async () => {
    await using door = doorServer({ browserSettings: { isolation: "guard", "limits.cost_usd": "2" } });
    const cookie = await signIn(door);
    const body = JSON.stringify({ repository: "/r", issue: "Fix it.", settings: { "limits.cost_usd": "5" } });
    const type = { "content-type": "application/json" };
    await door.bare("/api/v1/tasks", {
      method: "POST",
      body,
      headers: { ...type, cookie, origin: door.url },
    });
    await door.call("/api/v1/tasks", { method: "POST", body, headers: type });
    expect(door.services.created.map(({ settings }) => settings)).toEqual([
      { isolation: "guard", "limits.cost_usd": "5" },
      { "limits.cost_usd": "5" },
    ]);
  });

  test("a program asks for a fresh link", async () => {
    await using door = doorServer();
    const { url } = (await door.client.link({ attempt: "attempt-1" }))._unsafeUnwrap();
    expect(url).toStartWith(`${door.url}/sign-in?code=`);
    expect(await signIn(door, url)).not.toBe("");
  });

  test("old links go when there are too many", async () => {
    await using door = doorServer();
    const first = await door.api.signInLink(door.url);
    for (let i = 0; i < 100; i += 1) await door.api.signInLink(door.url);
    expect(await signIn(door, first)).toBe("");
    expect(await signIn(door)).not.toBe("");
  });
});
