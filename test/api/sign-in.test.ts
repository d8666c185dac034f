import { describe, expect, test } from "bun:test";
import type { DoorServer } from "../helpers/door-server.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";
import { signIn, signInDoor } from "../helpers/sign-in-door.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

const statusOf = async (door: DoorServer, cookie: string) =>
  (await door.bare("/api/v1/tasks", { headers: { cookie } })).status;

describe("signing a browser in", () => {
  test("a link works once and leaves a cookie that no script and no other site can use", async () => {
    await using door = await signInDoor();
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
      /^tazuna_\d+=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await door.bare(link.slice(door.url.length));
    expect([second.status, second.headers.get("set-cookie")]).toEqual([401, null]);
    expect(await second.text()).toContain("used before");
  });

  test.each([")", ").", ",", ";", "'", ">", "]", "%29", "%20", "%0A", "`"])(
    "a link works with %s, which was copied along",
    async (beside) => {
      await using door = await signInDoor();
      const link = await door.api.signInLink(door.url);
      expect(await signIn(door, { link: `${link}${beside}` })).toStartWith("tazuna_");
      expect(await signIn(door, { link })).toBe("");
    },
  );

  test("a code that is typed signs in once, in any case, with or without its dashes, and uses its link up", async () => {
    await using door = await signInDoor();
    const make = async () => (await door.client.link({ attempt: null }))._unsafeUnwrap();
    const { url, code } = await make();
    expect(code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
    const typed = code.replaceAll("-", "").toLowerCase();
    expect(await signIn(door, { link: `${door.url}/sign-in?code=${typed}` })).toStartWith("tazuna_");
    expect(await signIn(door, { link: `${door.url}/sign-in?code=${code}` })).toBe("");
    expect(await signIn(door, { link: url })).toBe("");
    const other = await make();
    expect(await signIn(door, { link: other.url })).toStartWith("tazuna_");
    expect(await signIn(door, { link: `${door.url}/sign-in?code=${other.code}` })).toBe("");
  });

  test.each(["OPTIONS", "POST", "PUT", "PATCH", "DELETE"])("a link is not opened with %s", async (method) => {
    await using door = await signInDoor();
    const path = (await door.api.signInLink(door.url)).slice(door.url.length);
    const refused = await door.bare(path, { method, headers: { origin: door.url } });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await signIn(door, { link: `${door.url}${path}` })).toStartWith("tazuna_");
  });

  test("of many who open one link at once, one is signed in", async () => {
    await using door = await signInDoor();
    const link = await door.api.signInLink(door.url);
    const cookies = await Promise.all(Array.from({ length: 8 }, () => signIn(door, { link })));
    expect(cookies.filter((cookie) => cookie !== "").length).toBe(1);
  });

  test("who is signed in may follow a used link", async () => {
    await using door = await signInDoor();
    const link = await door.api.signInLink(door.url, { attempt: "a/../b" });
    const cookie = await signIn(door, { link });
    const again = await door.bare(link.slice(door.url.length), { headers: { cookie } });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/attempts/a%2F..%2Fb"]);
  });

  test("a link grows too old, a signed-in browser too", async () => {
    await using door = await signInDoor();
    const { kysely } = door.db.writes;
    const link = await door.api.signInLink(door.url);
    await kysely.updateTable("signInCodes").set({ expiresAt: "2026-01-01T00:00:00.000Z" }).execute();
    expect(await signIn(door, { link })).toBe("");
    const cookie = await signIn(door);
    expect(await statusOf(door, cookie)).toBe(200);
    await kysely.updateTable("browsers").set({ expiresAt: "2026-01-01T00:00:00.000Z" }).execute();
    expect(await statusOf(door, cookie)).toBe(401);
  });

  test("every server of a database knows the browser, and no cookie can be made up", async () => {
    await using door = await signInDoor();
    const [name = "", value = ""] = (await signIn(door)).split("=");
    const { host } = door.beside();
    const ask = async (given: string) =>
      (
        await fetch(`http://${host}/api/v1/tasks`, {
          headers: { cookie: `a=b; tazuna_${host.split(":")[1]}=${given}` },
        })
      ).status;
    expect([name.startsWith("tazuna_"), await ask(value)]).toEqual([true, 200]);
    const flipped = value[0] === "A" ? "B" : "A";
    const { hash } = await door.db.reader.selectFrom("browsers").select("hash").executeTakeFirstOrThrow();
    const odd = [
      flipped + value.slice(1),
      `${value}x`,
      value.slice(1),
      value.toLowerCase() === value ? value.toUpperCase() : value.toLowerCase(),
      `${value}%00`,
      `%00${value}`,
      "%E0%A4%A",
      "%FF%FE",
      "\u00e9".repeat(43),
      `"${value}`,
      "' or 1=1 --",
      "1799999999999.uGKWsX3fmWpB4IlmE1Fz9uHzSnyzRiZbaQeU2Pyzurw%3D",
      "_".repeat(43),
      "A".repeat(8_000),
      hash,
      "",
    ];
    for (const given of odd) expect([given, await ask(given)]).toEqual([given, 401]);
    expect(door.reported).toEqual([]);
  });

  test("a signed-in browser changes things only from its own page", async () => {
    await using door = await signInDoor();
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
    await using door = await signInDoor({ browserSettings: { isolation: "guard", "limits.cost_usd": "2" } });
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
    await using door = await signInDoor();
    const { url } = (await door.client.link({ attempt: "attempt-1" }))._unsafeUnwrap();
    expect(url).toStartWith(`${door.url}/sign-in?code=`);
    expect(await signIn(door, { link: url })).not.toBe("");
  });

  test("old links go when there are too many", async () => {
    await using door = await signInDoor();
    const first = await door.api.signInLink(door.url);
    // Of links made in the same millisecond none is older.
    const made = Date.now();
    await waitFor("a later millisecond", () => Date.now() > made);
    for (let i = 0; i < 100; i += 1) await door.api.signInLink(door.url);
    expect(await signIn(door, { link: first })).toBe("");
    expect(await signIn(door)).not.toBe("");
  });
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("signing browsers out", () => {
  test("each is listed as what it is, knows itself, and is signed out at once at every server", async () => {
    await using door = await signInDoor();
    const own = await signIn(door, { headers: { "user-agent": FIREFOX } });
    const other = await signIn(door, { headers: { "user-agent": "curl/8.5.0 <b>x</b>" } });
    const list = async (cookie: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
      ((await (await door.bare("/api/v1/browsers", { headers: { cookie } })).json()) as any).items;
    const items = (await list(own)).toSorted((one: { here: boolean }) => (one.here ? 1 : -1));
    const known = { id: expect.any(String), worker: null, person: null };
    const times = { created_at: expect.any(String), last_seen_at: expect.any(String) };
    const shape = { ...known, ...times, expires_at: expect.any(String) };
    expect(items).toEqual([
      { ...shape, user_agent: "curl/8.5.0 <b>x</b>", here: false },
      { ...shape, user_agent: "Firefox on Linux", here: true },
    ]);
    const beside = door.beside();
    const there = other.replace(/^tazuna_\d+/, `tazuna_${beside.host.split(":")[1]}`);
    expect(await statusOf(beside, there)).toBe(200);
    const end = (id: string, cookie: string) =>
      door.bare(`/api/v1/browsers/${id}`, { method: "DELETE", headers: { cookie, origin: door.url } });
    const answers = [
      await end(items[0].id.slice(0, 13), own),
      await end(items[0].id, own),
      await end("", own),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect([await statusOf(door, other), await statusOf(beside, there)]).toEqual([401, 401]);
    expect([await statusOf(door, own), (await list(own)).length]).toEqual([200, 1]);
  });

  test("all others are signed out, or all if a program asks", async () => {
    await using door = await signInDoor();
    const cookies = [await signIn(door), await signIn(door), await signIn(door)];
    const [own = ""] = cookies;
    const all = () => Promise.all(cookies.map((cookie) => statusOf(door, cookie)));
    const type = { "content-type": "application/json" };
    const asked = await door.bare("/api/v1/browsers/sign-out", {
      method: "POST",
      body: "{}",
      headers: { ...type, cookie: own, origin: door.url },
    });
    expect([asked.status, await all()]).toEqual([200, [200, 401, 401]]);
    expect((await door.client.signOutBrowsers())._unsafeUnwrap().items.length).toBe(1);
    expect(await all()).toEqual([401, 401, 401]);
  });

  test("a browser that signs in again is signed in once", async () => {
    await using door = await signInDoor();
    const first = await signIn(door);
    const second = await signIn(door, { headers: { cookie: first } });
    expect([await statusOf(door, first), await statusOf(door, second)]).toEqual([401, 200]);
    // A link that does not work signs nobody out.
    expect(await signIn(door, { link: `${door.url}/sign-in?code=x`, headers: { cookie: second } })).toBe("");
    expect(await statusOf(door, second)).toBe(200);
  });

  for (const how of [
    "is signed out here",
    "is signed out at another server",
    "has been signed in for too long",
  ])
    test(deep(`the streams of a browser end soon after it ${how}, and no other's`), async () => {
      await using door = await signInDoor({ pingMs: how.includes("too long") ? 100 : 600_000 });
      const gone = await signIn(door, { headers: { "user-agent": FIREFOX } });
      const stays = await signIn(door);
      let looks = 0;
      const { stillSignedIn } = door.services;
      door.services.stillSignedIn = (ids) => {
        looks += 1;
        return stillSignedIn(ids);
      };
      // Logs that say nothing do not wait for facts, as the stream of facts does.
      const attempts = [{ attempt: anAttempt(), runs: [aRun()] }];
      door.services.add({ task: aTask(), repository: aRepository(), attempts });
      const event = { kind: "message", text: "At work." };
      door.services.addLog("run-1", [{ n: 1, at: null, source: "agent", event }]);
      const follow = async (cookie: string) => {
        const response = await door.bare("/api/v1/runs/run-1/events", {
          headers: { cookie, accept: "text/event-stream" },
        });
        const state = { isOver: false };
        void (async () => {
          for await (const _ of response.body ?? []);
          state.isOver = true;
        })().catch(() => undefined);
        return state;
      };
      const streams = [await follow(gone), await follow(gone), await follow(stays)];
      await waitFor("the streams", () => door.api.openStreams() === 3);
      // The looks of their beginning are over, so that the fact of the sign-out has to lead to one.
      for (let round = 0; how.includes("here") && round < 2; round += 1) {
        const before = looks;
        door.services.addFact({ kind: "run.action" });
        await waitFor("a look", () => looks > before);
      }
      const all = (await door.services.browsers())._unsafeUnwrap();
      const id = all.find(({ userAgent }) => userAgent === "Firefox on Linux")?.id ?? "";
      if (how.includes("here")) await door.client.signOutBrowser(id);
      if (how.includes("another")) await door.beside().client.signOutBrowser(id);
      if (how.includes("too long"))
        await door.db.writes.kysely
          .updateTable("browsers")
          .set({ expiresAt: "2026-01-01T00:00:00.000Z" })
          .where("id", "=", id)
          .execute();
      await waitFor("both to end", () => streams.filter(({ isOver }) => isOver).length === 2);
      expect([streams.map(({ isOver }) => isOver), door.api.openStreams()]).toEqual([[true, true, false], 1]);
    });

  test("a visit is noted once an hour, and not with every request", async () => {
    await using door = await signInDoor();
    const { kysely } = door.db.writes;
    const cookie = await signIn(door);
    const seen = async () =>
      (await door.db.reader.selectFrom("browsers").select("lastSeenAt").executeTakeFirstOrThrow()).lastSeenAt;
    const first = await seen();
    await statusOf(door, cookie);
    expect(await seen()).toBe(first);
    await kysely.updateTable("browsers").set({ lastSeenAt: "2026-01-01T00:00:00.000Z" }).execute();
    await statusOf(door, cookie);
    await waitFor("the visit to be noted", async () => (await seen()) >= first);
  });
});
