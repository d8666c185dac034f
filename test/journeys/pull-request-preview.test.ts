/** Shows that the preview of a pull request is what is sent, and that its commit message is what git has. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { forgeWorld } from "../helpers/forge-world.ts";
import { colleague } from "../helpers/github/colleague.ts";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Preview {
  readonly title: string;
  readonly body: string;
  readonly keeps: unknown;
  readonly base: string;
  readonly head: string;
  readonly draft: boolean;
  readonly refusal: { readonly code: string } | null;
  readonly pull_request: { readonly number: number } | null;
  readonly merge: string | null;
  readonly commit: { readonly sha: string | null; readonly message: string } | null;
}

test(
  deep("the preview is exactly what opening the pull request sends, and keeps the words of people"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const template = ".github/pull_request_template.md";
    await product.sandbox.commitTo(world.bare, "main", { [template]: "## Summary\n\n- [ ] tested\n" });
    const { attempt, run } = await ask(product, ["run", "Say hello", "--agent", "editor"]);
    const read = async () =>
      (await http<Preview>(product, `GET /attempts/${attempt.id}/pull-request/preview`)).body;
    const before = await read();
    expect(before).toMatchObject({ refusal: null, pull_request: null, merge: null, draft: false });
    const made = await product.sandbox.git(product.repository, [
      "log",
      "-1",
      "--format=%B",
      run.commit ?? "",
    ]);
    expect(before.commit).toEqual({ sha: run.commit ?? "", message: made.trimEnd() });
    expect(github.requests.filter((asked) => asked.includes("/repos/"))).toEqual([]);
    await product.tazuna(["pr", attempt.id]);
    const { title, body, base, head, draft } = before;
    expect(github.pulls).toMatchObject([{ title, body, base, head, draft }]);

    await colleague(world).edits(1, { title: "Say hello to everybody" });
    await world.attend();
    const after = await waitFor("the new title", async () => {
      const preview = await read();
      return preview.title === "Say hello to everybody" && preview;
    });
    expect(after).toMatchObject({
      keeps: { title: true, body: false },
      pull_request: { number: 1 },
      merge: expect.stringMatching(/^(It can be merged|The forge still)/),
    });
  },
);

test(deep("opening the pull request uses up the typed words that it names, and no others"), async () => {
  await using world = await forgeWorld();
  const { product, github } = world;
  const { attempt } = await ask(product, ["run", "Say hello", "--agent", "editor"]);
  const words = { title: "Hello of mine", body: "What I wrote for a quarter of an hour" };
  const typed = async () =>
    (await http<{ typed: object }>(product, `GET /attempts/${attempt.id}/pull-request/preview`)).body.typed;
  await http(product, `PATCH /attempts/${attempt.id}/draft`, words);
  // The command knows nothing of them.
  await product.tazuna(["pr", attempt.id]);
  expect(github.pulls).toMatchObject([{ title: "Say hello" }]);
  expect(await typed()).toMatchObject(words);
  const open = (asked: object) => http(product, `POST /attempts/${attempt.id}/pull-request`, asked);
  expect((await open({ title: words.title })).status).toBe(201);
  expect(await typed()).toMatchObject({ title: null, body: words.body });
  expect((await open(words)).status).toBe(201);
  expect(await typed()).toMatchObject({ title: null, body: null });
  expect(github.pulls).toMatchObject([words]);
});

test("without a forge the preview says why there can be none, and still has the words", async () => {
  await using product = await startProduct();
  await using barrier = gate(product, "preview");
  await product.agent("doer", `${barrier.wait}; echo one > one.txt`);
  const { attempt, run } = await ask(product, ["run", "Write one", "--agent", "doer", "--detach"]);
  await barrier.reached();
  const read = async () =>
    (await http<Preview>(product, `GET /attempts/${attempt.id}/pull-request/preview`)).body;
  const working = await read();
  expect(working).toMatchObject({ title: "Write one", refusal: { code: "no_forge" } });
  expect(working.commit).toEqual({ sha: null, message: expect.stringContaining(`Tazuna-Run: ${run.id}`) });
  await barrier.open();
  await product.tazuna(["wait", attempt.id]);
  const ended = await read();
  expect(ended.commit?.sha).not.toBe(null);
  expect(ended.commit?.message).toBe(working.commit?.message.trimEnd());
  expect((await http(product, "GET /attempts/x/pull-request/preview")).status).toBe(404);
});
