import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, type Reply } from "../../src/contract/client/client.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct, type RunDocument as TaskDocument } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

async function clientOf(product: Product): Promise<Client> {
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  return createClient({ url, token, fetch });
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Every item, read in pages of one. */
async function oneByOne<T>(read: (query: { cursor: string | null; limit: number }) => Reply<Page<T>>) {
  const items: T[] = [];
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page: Page<T> = (await read({ cursor, limit: 1 }))._unsafeUnwrap();
    items.push(...page.items);
    cursor = page.next;
  }
  return items;
}

test(deep("operations, attempts and runs of all tasks are listed in pages, the newest first"), async () => {
  await using product = await startProduct();
  await product.agent("agent", 'echo "$TAZUNA_RUN" > new.txt; echo Done.');
  const first = await ask(product, ["run", "One", "--agent", "agent"]);
  const second = await ask(product, ["run", "Two", "--agent", "agent", "--agent", "agent"]);
  const later = await ask(product, ["continue", first.attempt.id, "Once more"]);
  const client = await clientOf(product);

  const operations = await oneByOne((query) => client.operations({ ...query, subject: null }));
  const attempts = await oneByOne(client.attempts);
  const runs = await oneByOne(client.runs);

  const whole = (await client.operations({ cursor: null, limit: 200, subject: null }))._unsafeUnwrap();
  expect(operations).toEqual(whole.items);
  expect(operations.map(({ at }) => at)).toEqual(
    operations
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(attempts.map(({ id, task }) => [id, task]).at(-1)).toEqual([
    first.attempt.id,
    first.document.task.id,
  ]);
  expect(new Set(attempts.map(({ id }) => id))).toEqual(
    new Set([first.attempt.id, ...second.attempts.map(({ id }) => id)]),
  );
  expect(attempts.at(-1)?.runs.map(({ id }) => id)).toEqual([first.run.id, later.run.id]);
  expect(runs).toHaveLength(4);
  expect([runs[0], runs[3]]).toMatchObject([
    { id: later.run.id, attempt: first.attempt.id, task: first.document.task.id, outcome: "pushed" },
    { id: first.run.id, attempt: first.attempt.id },
  ]);
  expect([(await client.run(later.run.id))._unsafeUnwrap()]).toEqual(runs.slice(0, 1));

  const api = await httpApi(product);
  const paged = Object.values(ENDPOINTS).filter(({ request }) => "cursor" in (request.shape ?? {}));
  expect(paged.length).toBeGreaterThan(9);
  for (const { path } of paged) {
    const id = path.startsWith("/runs") ? first.run.id : first.attempt.id;
    const files = path.endsWith("/diff") ? "files=only&" : "";
    const refused = await api.json(`${path.replace(":id", id)}?${files}cursor=x`);
    expect([path, refused.code]).toEqual([path, "bad_cursor"]);
  }
});

test(
  deep("list shows the repository one is in, a named one, what failed, and removed attempts only with --all"),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", 'echo "$TAZUNA_RUN" > new.txt; echo Done.');
    await product.agent("breaks", "exit 3");
    const other = await product.sandbox.repository("till");
    const kept = await ask(product, ["run", "One", "--agent", "agent", "--agent", "breaks"]);
    const gone = await ask(product, ["run", "Two", "--agent", "agent"]);
    const there = await ask(product, ["run", "Three", "--agent", "agent", "--repo", other]);
    await ask(product, ["cancel", gone.attempt.id]);
    const list = async (words: readonly string[], cwd = product.repository) => {
      const end = await product.tazuna(["list", ...words, "--json"], { cwd });
      return end
        .json<{ tasks: TaskDocument[] }>()
        .tasks.flatMap(({ attempts }) => attempts.map(({ id }) => id));
    };
    const [good = "", bad = ""] = kept.attempts.map(({ id }) => id);
    expect(await list([])).toEqual([good, bad]);
    expect(await list([], product.home)).toEqual([there.attempt.id, good, bad]);
    expect(await list(["--repo", "till"])).toEqual([there.attempt.id]);
    expect(await list([], other)).toEqual([there.attempt.id]);
    expect(await list(["--failed"])).toEqual([bad]);
    expect(await list(["--all"])).toEqual([there.attempt.id, gone.attempt.id, good, bad]);
    expect(await list(["--all", "--repo", "."])).toEqual([gone.attempt.id, good, bad]);
    // A branch is an id, and so is a repository's name; an attempt stands for its last run.
    expect((await product.tazuna(["show", there.attempt.branch, "--json"])).json()).toMatchObject({
      id: there.attempt.id,
    });
    const retried = await ask(product, ["retry", kept.attempts[1]?.branch ?? ""]);
    expect([retried.attempt.id, retried.run.number]).toEqual([bad, 2]);
    // The newest task with a failed run goes on: a page without it is no end of what failed.
    const later = await ask(product, ["run", "Later", "--agent", "breaks"]);
    await product.agent("breaks", "exit 0");
    await ask(product, ["retry", later.attempt.id]);
    expect(await list(["--failed", "--limit", "1"])).toEqual([bad]);
    const again = await ask(product, ["run", "Four", "--agent", "agent", "--repo", "till"], {
      cwd: product.home,
    });
    expect(again.document.task.repository.id).toBe(there.document.task.repository.id);
  },
);
