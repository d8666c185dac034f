/** Shows what lets callers in, over a restart too: access tokens, sign-in links, browsers that are signed in. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { Client } from "pg";
import type { BrowserDocument } from "../../src/contract/endpoints/access.ts";
import { PATIENCE_MS, refused } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Made {
  readonly token: string;
  readonly scope: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly used_at: string | null;
}

test(
  deep("a script starts an agent with its own token, which outlives the server, is stored nowhere, and ends"),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo one > hello.txt");
    await product.tazuna(["repo", "add", "."]);
    const made = (
      await product.tazuna(["token", "add", "ci", "--scope", "write", "--days", "2", "--json"])
    ).json<Made>();
    expect(made.token).toMatch(/^tzt_[\w-]{43}$/);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(2 * 24 * 3_600_000);

    const call = async (path: string, body?: unknown) => {
      const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${made.token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
      return { status: answer.status, document: (await answer.json()) as any };
    };
    const { items } = (await call("/repositories")).document;
    const task = { repository: items[0].id, issue: "Write hello", agents: ["writer"] };
    const created = await call("/tasks", task);
    expect(created.status).toBe(201);
    const state = async () => (await call(`/tasks/${created.document.task.id}`)).document.attempts[0].state;
    await waitFor("the attempt to be pushed", async () => (await state()) === "pushed");

    // A server makes its own token anew at each start; this one stays.
    await product.killEngine();
    await product.tazuna(["list"]);
    expect((await call("/tasks")).status).toBe(200);
    const listed = (await product.tazuna(["token", "--json"])).json<{ tokens: readonly Made[] }>().tokens;
    expect(listed).toEqual([expect.objectContaining({ scope: "write", used_at: expect.any(String) })]);
    expect(listed[0]).not.toHaveProperty("token");
    expect((await call("/tokens")).document.code).toBe("scope_too_small");
    expect(await holders(product.home, made.token)).toEqual([]);

    const { error: taken } = await refused(product, ["token", "add", "ci"]);
    expect([taken.code, taken.remedy]).toEqual([
      "token_name_taken",
      "Choose another name, or remove that one first with `tazuna token remove`.",
    ]);
    expect((await product.tazuna(["token", "remove", "ci"])).stdout).toBe("ci opens nothing any more.\n");
    expect((await call("/tasks")).document.code).toBe("token_required");
    expect((await refused(product, ["token", "remove", "ci"])).error.code).toBe("not_found");
    for (const words of [["add"], ["remove"], ["--days", "3"], ["add", "x", "--days", "900"], ["make"]])
      expect([words, (await product.tazuna(["token", ...words])).code]).toEqual([words, 2]);
  },
);

test(deep("a sign-in link outlives the server, works once, and is stored nowhere as it is"), async () => {
  await using product = await startProduct();
  await product.tazuna(["list"]);
  const server = async () => JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const { url, token } = await server();
  const made = await fetch(`${url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const { pathname, search, searchParams } = new URL(((await made.json()) as { url: string }).url);
  await product.killEngine();
  await product.tazuna(["list"]);
  expect(await holders(product.home, searchParams.get("code") ?? "")).toEqual([]);
  const next = await server();
  const open = () => fetch(next.url + pathname + search, { redirect: "manual" });
  const [first, second] = [await open(), await open()];
  expect([first.status, first.headers.has("set-cookie"), second.status]).toEqual([303, true, 401]);
});

/** Asks for the tasks, or follows the facts, with the secret of a signed-in browser. */
function browse(home: string, secret: string) {
  const ask = async (path: string) => {
    const { url } = JSON.parse(await readFile(join(home, "server.json"), "utf8")) as { url: string };
    return fetch(`${url}/api/v1${path}`, {
      headers: { cookie: `tazuna_${new URL(url).port}=${secret}` },
    });
  };
  return { status: async () => (await ask("/tasks")).status, follow: () => ask("/events") };
}

/** Opens a fresh link of a server as a browser does, and answers with the secret of its cookie. */
async function signIn(home: string): Promise<string> {
  const { url, token } = JSON.parse(await readFile(join(home, "server.json"), "utf8"));
  const made = await fetch(`${url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const link = ((await made.json()) as { url: string }).url;
  const opened = await fetch(link, {
    redirect: "manual",
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
  });
  return /=([\w-]{43});/.exec(opened.headers.get("set-cookie") ?? "")?.[1] ?? "";
}

async function browsersOf(product: Product, how: object = {}): Promise<readonly BrowserDocument[]> {
  const listed = await product.tazuna(["browsers", "--json"], how);
  return listed.json<{ browsers: readonly BrowserDocument[] }>().browsers;
}

test(
  deep("a signed-in browser outlives the server, is stored nowhere as it is, and is signed out"),
  async () => {
    await using product = await startProduct();
    const { home } = product;
    await product.tazuna(["list"]);
    expect((await product.tazuna(["browsers"])).stdout).toBe("No browser is signed in.\n");
    const [first, second, third] = [await signIn(home), await signIn(home), await signIn(home)];
    const statuses = () => Promise.all([first, second, third].map((secret) => browse(home, secret).status()));
    expect(await statuses()).toEqual([200, 200, 200]);
    await product.killEngine();
    await product.tazuna(["list"]);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await holders(home, first)).toEqual([]);
    expect((await holders(home, "Firefox on Linux")).length).toBeGreaterThan(0);

    const [newest, ...others] = await browsersOf(product);
    expect(newest).toEqual({
      id: expect.any(String),
      user_agent: "Firefox on Linux",
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      expires_at: expect.any(String),
      worker: null,
      person: null,
      here: false,
    });
    expect(others.length).toBe(2);
    const id = newest?.id.slice(0, 8) ?? "";
    const signedOut = await product.tazuna(["browsers", "sign-out", id]);
    expect(signedOut.stdout).toBe(`Firefox on Linux (${id}) is signed out.\n`);
    expect(await statuses()).toEqual([200, 200, 401]);
    expect((await refused(product, ["browsers", "sign-out", id])).error.code).toBe("not_found");
    expect((await product.tazuna(["browsers", "sign-out", "--all"])).stdout).toBe("Signed out: 2.\n");
    expect(await statuses()).toEqual([401, 401, 401]);
    for (const words of [["sign-out"], ["--all"], ["list", id], ["sign-out", id, "--all"], ["leave"]])
      expect([words, (await product.tazuna(["browsers", ...words])).code]).toEqual([words, 2]);
  },
);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(missing !== "")(
  deep(`a browser that is signed in at one worker is known, and signed out, at all of them${missing}`),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    const homes = { here: product.home, there: join(dirname(product.home), "other home") };
    const there = { env: { TAZUNA_HOME: homes.there } };
    try {
      await product.tazuna(["workers"]);
      await product.tazuna(["workers"], there);
      const secret = await signIn(homes.here);
      const [here, elsewhere] = [browse(homes.here, secret), browse(homes.there, secret)];
      expect([await here.status(), await elsewhere.status()]).toEqual([200, 200]);
      const streams = await Promise.all([here.follow(), elsewhere.follow()]);
      let open = 0;
      for (const { body } of streams)
        void (async () => {
          const reader = body?.getReader();
          await reader?.read();
          open += 1;
          while ((await reader?.read())?.done === false);
          open -= 1;
        })();
      await waitFor("both streams", () => open === 2);
      const workers = await product.tazuna(["workers", "--json"], there);
      const own = workers
        .json<{ workers: readonly { name: string; here: boolean }[] }>()
        .workers.find((worker) => !worker.here);
      const [browser, ...more] = await browsersOf(product, there);
      expect([browser?.worker, more]).toEqual([own?.name ?? "", []]);
      await product.tazuna(["browsers", "sign-out", browser?.id ?? ""], there);
      expect([await here.status(), await elsewhere.status()]).toEqual([401, 401]);
      await waitFor("both streams to end", () => open === 0);

      const client = new Client({ connectionString: server.url });
      await client.connect();
      const rows = await client.query("select to_jsonb(browsers)::text as row from browsers");
      const facts = await client.query("select to_jsonb(facts)::text as row from facts");
      await client.end();
      const stored = [...rows.rows, ...facts.rows].map(({ row }) => String(row));
      expect([rows.rowCount, stored.filter((row) => row.includes(secret))]).toEqual([1, []]);
      for (const home of Object.values(homes)) expect(await holders(home, secret)).toEqual([]);
    } finally {
      await product.tazuna(["engine", "stop"], there);
    }
  },
);

/** The files of a folder that contain a text. */
async function holders(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of new Glob("**/*").scan({ cwd: folder, dot: true })) {
    const content = await readFile(join(folder, path)).catch(() => Buffer.of());
    if (content.includes(text)) found.push(path);
  }
  return found;
}
