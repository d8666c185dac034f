/** Shows what lets callers in over a restart: an access token, made, used and removed, and a sign-in link. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import { PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
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

/** The files of a folder that contain a text. */
async function holders(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of new Glob("**/*").scan({ cwd: folder, dot: true })) {
    const content = await readFile(join(folder, path)).catch(() => Buffer.of());
    if (content.includes(text)) found.push(path);
  }
  return found;
}
