/** Tells that what may pass is tried again by the engine itself, and ends in one pull request; and that a rename is followed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { forgeWorld } from "../helpers/forge-world.ts";
import { type Said, TROUBLES } from "../helpers/github/answers.ts";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(2 * PATIENCE_MS);

/** What comes instead of the answer to the making of a pull request, and whether that was done all the same. */
const TROUBLE: readonly (readonly [how: Said | "drop", done: boolean, code: string | null])[] = [
  [TROUBLES.html(200), false, "forge_unavailable"],
  ["drop", false, "forge_unavailable"],
  [TROUBLES.secondaryLimit(2), false, "rate_limited"],
  [TROUBLES.fault(502), true, null],
];

test(
  deep("a page, a broken connection, a limit and a lost answer: each ends in one pull request by itself"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const branches: string[] = [];
    for (const [how, done, code] of TROUBLE) {
      const { id, branch } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
      branches.push(branch);
      github.trouble = { on: /^POST .*\/pulls$/, how, done, times: 1 };
      if (code === null) {
        expect((await product.tazuna(["pr", id])).code).toBe(0);
        continue;
      }
      const { error } = await refused(product, ["pr", id]);
      expect([error.code, error.remedy]).toEqual([code, expect.stringContaining("by itself")]);
      // A limit holds for every request: the next attempt waits for its end.
      if (code === "rate_limited")
        await waitFor("the limit to end", () => github.pulls.some(({ head }) => head === branch));
    }
    await waitFor("all of them to be opened", () => github.pulls.length === branches.length, {
      withinMs: 120_000,
    });
    expect(github.pulls.map(({ head }) => head).toSorted()).toEqual(branches.toSorted());
  },
);

test(
  deep("a repository that was renamed: what is there goes on, and new work is pushed and opened"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const first = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    expect((await product.tazuna(["pr", first.id])).code).toBe(0);
    github.oldNames.push(github.name);
    github.name = "ben/yard";
    const again = await ask(product, ["continue", first.id, "Go on"]);
    expect([again.run.outcome, again.run.failure?.code]).toEqual(["pushed", undefined]);
    const other = await ask(product, ["run", "Say hello", "--agent", "editor"]);
    expect(other.run.outcome).toBe("pushed");
    expect((await product.tazuna(["pr", other.attempt.id])).code).toBe(0);
    expect((await product.tazuna(["merge", first.id])).code).toBe(0);
    expect(github.pulls).toMatchObject([
      { head: first.branch, merged: true },
      { head: other.attempt.branch, state: "open" },
    ]);
  },
);
