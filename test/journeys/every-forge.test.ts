/** Walks one story on every forge: from a draft to a merge, with a review, a failed check and a colleague. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MergeDocument } from "../../src/contract/endpoints/landing.ts";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { EVERY_KIND, type ProductWorld, productWorld } from "../helpers/forges/product-world.ts";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const started = async ({ product }: ProductWorld) =>
  (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;

/** What `show` says of the pull request, once it is so. */
const shows = ({ product }: ProductWorld, id: string, is: (attempt: AttemptAlone) => boolean) =>
  waitFor(
    "the pull request to be so",
    async () => {
      const attempt = (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
      return is(attempt) && attempt;
    },
    { withinMs: 60_000 },
  );

const pr = async ({ product }: ProductWorld, id: string, ...more: string[]) =>
  (await product.tazuna(["pr", id, ...more, "--json"])).json<{ pull_request: unknown }>();

describe.each(EVERY_KIND)("%s", (kind) => {
  test("a draft, a colleague's title, a review and a failed check that the agent gets, and the merge", async () => {
    await using world = await productWorld(kind);
    const { product, forge } = world;
    const { id, branch } = await started(world);
    expect(await pr(world, id, "--draft")).toEqual({
      pull_request: { number: 1, url: world.page(1), state: "open", head: branch, base: "main", draft: true },
    });
    const [pull] = forge.pulls;
    if (pull === undefined) throw new Error("no pull request");
    expect(pull).toMatchObject({ title: "Say hello", draft: true, head: branch, base: "main" });
    expect(pull.body).toStartWith("Said hello.");
    // A second one makes it ready; the colleague's title stays.
    pull.title = "Say hello to everybody";
    expect(await pr(world, id)).toMatchObject({ pull_request: { number: 1, draft: false } });
    expect(forge.pulls).toMatchObject([{ title: "Say hello to everybody", draft: false }]);
    await world.attend();
    const head = (await world.headOf(branch)) ?? "";
    forge.checks.set(head, [{ id: 5, name: "ci", conclusion: "failure", output: "expected 1, got 2" }]);
    forge.comments.push({ id: 9, body: "Why hello?", path: "hello.txt", line: 1 });
    await shows(world, id, (one) => one.pull_request?.failed_checks[0] === "ci");
    const named = ["continue", id, "--from-review", world.thread(9)];
    const sent = await ask(product, ["continue", id, "--from-review", "--from-checks"]);
    expect(sent.run.outcome).toBe("pushed");
    for (const words of ["hello.txt:1", "> Why hello?", "> expected 1, got 2"])
      expect(sent.run.instruction).toContain(words);
    expect((await refused(product, ["continue", id, "--from-review"])).error.code).toBe("nothing_new");
    expect((await ask(product, named)).run.outcome).toBe("pushed");
    const merged = await product.tazuna(["merge", id, "--json"]);
    expect([merged.code, merged.json<{ merge: MergeDocument }>().merge]).toMatchObject([
      0,
      { target: "main", by: "forge", commit: (await world.headOf("main")) ?? "" },
    ]);
    expect(forge.pulls).toMatchObject([{ state: "closed", merged: true }]);
    await shows(
      world,
      id,
      ({ state, pull_request }) => state === "merged" && pull_request?.state === "merged",
    );
    // The token is in no file of the data folder.
    const log = await readFile(join(product.home, "server.log"), "utf8").catch(() => "");
    const database = await readFile(join(product.home, "tazuna.db"), "latin1").catch(() => "");
    expect([log.includes(world.token), database.includes(world.token)]).toEqual([false, false]);
  });

  test("an engine that is killed between the making and its record ends with one", async () => {
    await using world = await productWorld(kind);
    const { product, forge } = world;
    const { id } = await started(world);
    await product.killEngine();
    const point = "after:pull_request_create";
    const reached = join(product.home, "reached");
    await product.tazuna(["pr", id, "--title", "Mine"], {
      env: { TAZUNA_FAILPOINT: `${point}@${reached}` },
    });
    expect(await Bun.file(reached).exists()).toBe(true);
    await shows(world, id, ({ pull_request }) => pull_request?.number === 1 && !pull_request.waits);
    expect((await product.tazuna(["pr", id])).code).toBe(0);
    expect(forge.pulls).toMatchObject([{ number: 1, title: "Mine", state: "open" }]);
  });
});
