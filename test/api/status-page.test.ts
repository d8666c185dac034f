import { describe, expect, test } from "bun:test";
import { failure } from "../../src/domain/run/failure.ts";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";
import { memoryServices } from "../helpers/memory-services.ts";
import {
  A_QUESTION,
  anAttempt,
  aRepository,
  aRun,
  aTask,
  PUSHED,
  PUSHED_PATCH,
} from "../helpers/sample-documents.ts";

const HTML = { accept: "text/html" };

/** Signs a browser in and answers its cookie header. */
async function signIn(door: DoorServer, link = door.api.signInLink(door.url)): Promise<string> {
  const response = await door.bare(link.slice(door.url.length), { headers: HTML });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

async function page(door: DoorServer): Promise<string> {
  const response = await door.bare("/", { headers: { ...HTML, cookie: await signIn(door) } });
  expect(response.headers.get("content-type")).toStartWith("text/html");
  return response.text();
}

/** What a reader sees: the text without tags. */
const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

describe("signing a browser in", () => {
  test("a visitor who is not signed in sees only how to sign in", async () => {
    await using door = doorServer();
    door.services.add({ task: aTask({ title: "Secret plan" }), repository: aRepository(), attempts: [] });
    const response = await door.bare("/", { headers: HTML });
    const text = await response.text();
    expect(response.status).toBe(401);
    expect(text).toContain("tazuna open");
    expect(text).not.toContain("Secret plan");
    expect(text).not.toContain("1.2.3");
  });

  test("a link works once and leaves a cookie that no script and no other site can use", async () => {
    await using door = doorServer();
    const link = door.api.signInLink(door.url);
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
      const link = door.api.signInLink(door.url);
      expect(await signIn(door, `${link}${beside}`)).toStartWith("tazuna_");
      expect(await signIn(door, link)).toBe("");
    },
  );

  test.each(["OPTIONS", "POST", "PUT", "PATCH", "DELETE"])("a link is not opened with %s", async (method) => {
    await using door = doorServer();
    const path = door.api.signInLink(door.url).slice(door.url.length);
    const refused = await door.bare(path, { method, headers: { origin: door.url } });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await signIn(door, `${door.url}${path}`)).toStartWith("tazuna_");
  });

  test("of many who open one link at once, one is signed in", async () => {
    await using door = doorServer();
    const link = door.api.signInLink(door.url);
    const cookies = await Promise.all(Array.from({ length: 8 }, () => signIn(door, link)));
    expect(cookies.filter((cookie) => cookie !== "").length).toBe(1);
  });

  test("who is signed in may follow a used link", async () => {
    await using door = doorServer();
    const link = door.api.signInLink(door.url, { attempt: "a/../b" });
    const cookie = await signIn(door, link);
    const again = await door.bare(link.slice(door.url.length), { headers: { cookie } });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/#attempt-a%2F..%2Fb"]);
  });

  test("a link grows too old, a session too", async () => {
    let now = 1_000_000;
    await using door = doorServer({ now: () => now });
    const link = door.api.signInLink(door.url);
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

  test("a program asks for a fresh link", async () => {
    await using door = doorServer();
    const { url } = (await door.client.link({ attempt: "attempt-1" }))._unsafeUnwrap();
    expect(url).toStartWith(`${door.url}/sign-in?code=`);
    expect(await signIn(door, url)).not.toBe("");
  });

  test("old links go when there are too many", async () => {
    await using door = doorServer();
    const first = door.api.signInLink(door.url);
    for (let i = 0; i < 100; i += 1) door.api.signInLink(door.url);
    expect(await signIn(door, first)).toBe("");
    expect(await signIn(door)).not.toBe("");
  });
});

describe("the status page", () => {
  test("with nothing to show says how to start", async () => {
    await using door = doorServer();
    const text = words(await page(door));
    expect(text).toContain("No attempts yet.");
    expect(text).toContain('tazuna run "..." --agent claude-code --agent codex');
    expect(text).toContain("tazuna demo");
  });

  test("shows each attempt's state, last action, failure with its remedy, and time", async () => {
    const services = memoryServices();
    const now = Date.parse("2026-01-02T03:07:12.000Z");
    await using door = doorServer({ services, now: () => now });
    const run = (id: string, more: Parameters<typeof aRun>[0]) => ({
      attempt: anAttempt({
        id: `attempt-${id}`,
        agent: `agent-${id}`,
        patch: more?.patch ? PUSHED_PATCH : null,
      }),
      runs: [aRun({ id: `run-${id}`, attemptId: `attempt-${id}`, ...more })],
    });
    services.add({
      task: aTask(),
      repository: aRepository(),
      attempts: [
        run("a", {
          status: "RUNNING",
          phase: "agent",
          lastAction: { at: "2026-01-02T03:07:00.000Z", text: "Edit src/main.ts" },
        }),
        run("b", {
          status: "FAILED",
          phase: null,
          failure: failure("push_rejected", "The hook said no.", {
            remedy: "Ask it, then `tazuna retry b`.",
          }),
        }),
        run("c", PUSHED),
        run("d", { status: "RUNNING", phase: "waiting", question: A_QUESTION }),
        run("e", {
          status: "SUCCEEDED",
          phase: null,
          outcome: "no_changes",
          summary: null,
          patch: { files: 0, additions: 0, deletions: 0 },
        }),
      ],
    });
    const html = await page(door);
    const text = words(html);
    for (const part of [
      "5 attempts: 1 waiting for you, 1 working, 1 failed, 1 done, 1 no changes.",
      "Fix the bug",
      "Running agent-a 3m 07s Edit src/main.ts",
      "Failed: push_rejected agent-b",
      "The hook said no. Ask it, then `tazuna retry b`.",
      "Pushed agent-c 1m 00s Fixed it. 1 file +3 −1 · commit cccccccccccc · $0.0123",
      "Asks you: npm install agent-d",
    ])
      expect(text).toContain(part);
    expect(html).toContain('id="attempt-attempt-a"');
    expect(text).not.toContain("0 files");
  });

  test("what agents and people wrote is text, never markup, and steers nothing", async () => {
    await using door = doorServer();
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>\u202e\u001b[31m`;
    door.services.add({
      task: aTask({ title: evil }),
      repository: aRepository({ name: evil }),
      attempts: [
        {
          attempt: anAttempt({
            agent: evil,
            branch: evil,
            worktree: evil,
            base: { branch: evil, sha: evil },
          }),
          runs: [
            aRun({
              status: "RUNNING",
              phase: "agent",
              lastAction: { at: "", text: evil },
              notes: [{ code: "x", message: evil, details: {} }],
            }),
          ],
        },
        {
          attempt: anAttempt({ id: 'x" onfocus="alert(3)' }),
          runs: [
            aRun({ ...PUSHED, summary: evil }),
            aRun({ status: "FAILED", failure: failure("internal", evil) }),
          ],
        },
      ],
    });
    const html = await page(door);
    for (const bad of ["<script>", "<img", 'onfocus="alert', "\u202e", "\u001b"])
      expect(html).not.toContain(bad);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("says what is wrong if the tasks cannot be read", async () => {
    await using door = doorServer();
    door.services.refuse("tasks", {
      kind: "failed",
      code: "database_locked",
      message: "The database is locked.",
      remedy: "Wait.",
      details: {},
    });
    expect(words(await page(door))).toContain("The database is locked. Wait.");
  });

  test("its script and style come from their own addresses, and the page holds neither", async () => {
    await using door = doorServer();
    const html = await page(door);
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/);
    const script = await door.bare("/assets/status.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const text = await script.text();
    expect(() => new Bun.Transpiler({ loader: "js" }).transformSync(text)).not.toThrow();
    expect(text).toContain("new EventSource");
    expect(text).toMatch(/const elapsed = function elapsedText\(ms\) \{/);
    const style = await door.bare("/assets/status.css");
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
  });
});
