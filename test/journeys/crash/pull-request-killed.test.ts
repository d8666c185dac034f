/** Tells that an engine which is killed while it makes or changes a pull request ends with one, as it was wanted. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { AttemptAlone } from "../../../src/contract/task-document.ts";
import { type ForgeWorld, forgeWorld } from "../../helpers/forge-world.ts";
import { ask, PATIENCE_MS } from "../../helpers/journey.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** Asks an engine that is killed at the point; the next one may be asked by the same command. */
async function killedAt({ product }: ForgeWorld, point: string, args: readonly string[]): Promise<void> {
  await product.killEngine();
  const reached = join(product.home, point.replace(":", "-"));
  await product.tazuna(args, { env: { TAZUNA_FAILPOINT: `${point}@${reached}` } });
  expect(await Bun.file(reached).exists()).toBe(true);
}

const linked = ({ product }: ForgeWorld, id: string) =>
  waitFor("the pull request to be known", async () => {
    const { pull_request } = (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
    return pull_request?.number === null || pull_request?.waits ? false : pull_request;
  });

test.each(["before:pull_request_create", "after:pull_request_create"])(
  "%s: one is made, with its words",
  async (point) => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    await killedAt(world, point, ["pr", id, "--title", "Mine"]);
    expect(await linked(world, id)).toMatchObject({ number: 1, state: "open", title: "Mine" });
    expect(github.pulls).toMatchObject([{ number: 1, title: "Mine" }]);
    // The next look, and the next command, change nothing more.
    expect((await product.tazuna(["pr", id])).code).toBe(0);
    expect(github.pulls).toMatchObject([{ number: 1, title: "Mine" }]);
  },
);

test(
  deep(
    "after:pull_request_create: one that a colleague closed and renamed meanwhile is the one, and no second is made",
  ),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    github.onChange = () => void Object.assign(github.pulls[0] ?? {}, { state: "closed", title: "Not now" });
    await killedAt(world, "after:pull_request_create", ["pr", id]);
    github.onChange = () => {};
    expect(await linked(world, id)).toMatchObject({ number: 1, state: "closed", title: "Not now" });
    expect(github.pulls).toHaveLength(1);
  },
);

test.each(["before:pull_request_update", "after:pull_request_update"])(
  deep("%s: the words come to what was asked for"),
  async (point) => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    await product.tazuna(["pr", id, "--draft"]);
    await killedAt(world, point, ["pr", id, "--title", "Mine"]);
    expect((await product.tazuna(["pr", id, "--title", "Mine"])).code).toBe(0);
    expect(github.pulls).toMatchObject([{ number: 1, title: "Mine", draft: false, state: "open" }]);
  },
);

test.each(["before:pull_request_comment", "after:pull_request_comment"])(
  deep("%s: an answer that is sent again is there once"),
  async (point) => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    await product.tazuna(["pr", id]);
    github.comments.push({ id: 9, body: "Why hello?", path: "hello.txt", line: 1 });
    const reply = ["pr", id, "--reply", "Because it greets.", "--thread", "line:9"];
    await killedAt(world, point, reply);
    expect((await product.tazuna(reply)).code).toBe(0);
    const said = github.comments.filter(({ body }) => body.includes("Because it greets."));
    expect(said.map(({ body }) => body)).toEqual(["<!-- tazuna -->\nBecause it greets."]);
  },
);
