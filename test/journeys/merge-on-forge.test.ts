/** Tells how an attempt with an open pull request is merged: by its forge, and only the commit that is here. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { MergeDocument } from "../../src/contract/endpoints/landing.ts";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { type ForgeWorld, forgeWorld } from "../helpers/forge-world.ts";
import { colleague } from "../helpers/github/colleague.ts";
import { ask, branchAt, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const opened = async ({ product }: ForgeWorld) => {
  const { attempt } = await ask(product, ["run", "Say hello", "--agent", "editor"]);
  expect((await product.tazuna(["pr", attempt.id])).code).toBe(0);
  return attempt;
};
const show = async ({ product }: ForgeWorld, id: string) =>
  (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();

test(
  deep("the forge merges the commit that is here, the checkout stays, and a clean-up takes the rest"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    await world.configure({ delete_remote_branch: true });
    const { id, branch, commit } = await opened(world);
    const before = await usersSide(product, { ours: [branch] });
    const end = await product.tazuna(["merge", id, "--squash", "--json"]);
    const { merge } = end.json<{ merge: MergeDocument }>();
    expect([end.code, merge]).toEqual([
      0,
      {
        target: "main",
        commit: (await world.headOf("main")) ?? "",
        by: "forge",
        remote: { name: "origin", branch: "origin/main", ahead: 0, behind: 1 },
        repository: product.repository,
      },
    ]);
    expect(github.pulls).toMatchObject([{ state: "closed", merged: true }]);
    expect(await usersSide(product, { ours: [branch] })).toEqual(before);
    expect(await show(world, id)).toMatchObject({
      state: "merged",
      merged: { by: "forge", tip: commit, commit: merge.commit },
      pull_request: { state: "merged" },
    });
    expect((await product.tazuna(["merge", id, "--json"])).json<{ merge: MergeDocument }>().merge).toEqual(
      merge,
    );
    expect((await product.tazuna(["clean", "--yes"])).code).toBe(0);
    expect([await world.headOf(branch), await branchAt(product, product.repository, branch)]).toEqual([
      null,
      null,
    ]);
  },
);

test(
  deep(
    "what a colleague pushed, protections and a closed pull request are told, and the local target is never moved",
  ),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id, branch } = await opened(world);
    const before = await usersSide(product, { ours: [branch] });
    github.protection = 'Required status check "ci" is expected.';
    const protections = await refused(product, ["merge", id]);
    expect([protections.error.code, protections.error.message]).toEqual([
      "forge_refused",
      expect.stringContaining("Required status check"),
    ]);
    github.protection = null;
    github.status = 500;
    expect((await refused(product, ["merge", id])).error.code).toBe("forge_unavailable");
    github.status = null;
    await product.sandbox.commitTo(world.bare, branch, { "colleague.txt": "theirs\n" });
    const { error } = await refused(product, ["merge", id]);
    expect(error.code).toBe("pull_request_moved");
    expect(await usersSide(product, { ours: [branch] })).toEqual(before);
    const command = /`tazuna ([^`]+)`/.exec(error.remedy)?.[1] ?? "";
    expect((await product.tazuna(command.split(" "))).code).toBe(0);
    // A colleague merges it at that moment: it is merged already.
    await colleague(world).merges(1);
    expect((await product.tazuna(["merge", id, "--json"])).json<{ merge: MergeDocument }>().merge.by).toBe(
      "forge",
    );
  },
);
