/** Kills the engine while work goes into the user's own branches and checkout: all of it arrives, once, or nothing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MergeDocument } from "../../../src/contract/endpoints/landing.ts";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import type { AttemptDocument, TaskDocument } from "../../../src/contract/task-document.ts";
import { doomedGit } from "../../helpers/doomed-git.ts";
import { forgeWorld } from "../../helpers/forge-world.ts";
import { ask, branchAt, PATIENCE_MS, refused, taskEnd, usersSide } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { eventually } from "./eventually.ts";
import { around, creating } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

/** Asks for it with an engine that is killed at the failpoint; the next one goes on. */
async function killedAt(product: Product, failpoint: string, args: readonly string[]) {
  await product.killEngine();
  const reached = join(dirname(product.home), `reached-${failpoint.replace(":", "-")}`);
  const end = await product.tazuna([...args, "--json"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  expect([existsSync(reached), end.code]).toEqual([true, 0]);
  tally("kill", `the engine at ${failpoint} of ${args[0]}`, { under: "guard" });
  return end;
}

for (const failpoint of drawn(around("merge_attempt")))
  for (const how of drawn(["beside", "--here"]))
    test(deep(`a merge (${how}), killed at ${failpoint}`), async () => {
      await using product = await startProduct();
      await product.agent("agent", "echo one > one.txt; echo Done.");
      const git = (...args: string[]) => product.sandbox.git(product.repository, args);
      if (how === "beside") await git("switch", "--quiet", "--create", "mine");
      const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      const end = await killedAt(product, failpoint, ["merge", id, ...(how === "beside" ? [] : [how])]);
      const { merge } = end.json<{ merge: MergeDocument }>();
      const shown = (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>();
      expect<unknown>({
        state: shown.state,
        merged: [shown.merged?.by, shown.merged?.commit],
        main: await git("rev-parse", "main"),
        merges: await git("rev-list", "--count", "--merges", "main"),
        status: await git("status", "--porcelain"),
      }).toEqual({
        state: "merged",
        merged: ["tazuna", merge.commit],
        main: merge.commit,
        merges: "1",
        status: "",
      });
    });

for (const failpoint of around("apply"))
  test(deep(`a patch for the checkout, killed at ${failpoint}`), async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo one > one.txt; echo two >> README.md; echo Done.");
    const git = (...args: string[]) => product.sandbox.git(product.repository, args);
    const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
    await killedAt(product, failpoint, ["apply", id]);
    expect(await git("status", "--porcelain")).toBe(" M README.md\n?? one.txt");
    const { operations } = (await product.tazuna(["activity", id, "--json"])).json<{
      operations: readonly OperationDocument[];
    }>();
    const ends = operations.filter(({ kind }) => kind === "apply").map(({ status }) => status);
    expect(ends.toReversed()).toEqual(failpoint === "before:apply" ? ["abandoned", "done"] : ["done"]);
  });

for (const failpoint of around("remote_branch_delete"))
  test(
    deep(`the clean-up of a merged attempt and of its remote branch, killed at ${failpoint}`),
    async () => {
      await using product = await startProduct({ env: { TAZUNA_FORGE_DELETE_REMOTE_BRANCH: "true" } });
      await product.agent("agent", "echo one > one.txt; echo Done.");
      const { id, branch } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      expect((await product.tazuna(["merge", id, "--here"])).code).toBe(0);
      await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
      await killedAt(product, failpoint, ["clean", "--yes"]);
      await eventually("the clean-up to be finished", async () => {
        const { state } = (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>();
        return state === "removed";
      });
      expect([
        await branchAt(product, product.origin, branch),
        await branchAt(product, product.repository, branch),
      ]).toEqual([null, null]);
    },
  );

for (const failpoint of around("merge_on_forge"))
  test(deep(`a pull request that is merged on its forge, killed at ${failpoint}`), async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
    await product.tazuna(["pr", id]);
    const end = await killedAt(product, failpoint, ["merge", id]);
    expect([end.json<{ merge: MergeDocument }>().merge.commit, github.pulls.length]).toEqual([
      (await world.headOf("main")) ?? "",
      1,
    ]);
    const merges = await product.sandbox.git(world.bare, ["rev-list", "--count", "--merges", "main"]);
    const shown = (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>();
    expect([merges, shown.state, shown.merged?.by]).toEqual(["1", "merged", "forge"]);
  });

for (const failpoint of drawn([...around("tree_kept"), ...creating("run")], "revert"))
  test(
    deep(`a revert, killed at ${failpoint}, makes one attempt, and leaves no tree that nobody needs`),
    async () => {
      await using product = await startProduct();
      await product.agent("agent", "echo one > one.txt; echo Done.");
      const git = (...args: string[]) => product.sandbox.git(product.repository, args);
      const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      await product.tazuna(["merge", id, "--here"]);
      const { attempt, document } = taskEnd(await killedAt(product, failpoint, ["revert", id]));
      expect(await git("diff", "--name-status", "main", attempt.commit ?? "")).toBe("D\tone.txt");
      const all = (await product.tazuna(["show", document.task.id, "--json"])).json<TaskDocument>();
      const kept = await git("for-each-ref", "--format=%(refname)", "refs/tazuna/runs/*/from");
      expect([all.attempts.length, kept.split("\n").length]).toEqual([2, 1]);
    },
  );

for (const failpoint of drawn([...around("tree_kept"), ...creating("run")], "compose"))
  for (const verb of drawn(["compose", "fork"], failpoint))
    test(
      deep(`a ${verb}, killed at ${failpoint}, makes one attempt, and leaves no tree that nobody needs`),
      async () => {
        await using product = await startProduct();
        await product.agent("agent", "echo one > one.txt; echo Done.");
        await product.agent("other", "echo two > two.txt; echo Done.");
        const git = (...args: string[]) => product.sandbox.git(product.repository, args);
        const end = await ask(product, ["run", "Change it", "--agent", "agent", "--agent", "other"]);
        const [one, two] = end.attempts.map(({ id }) => id);
        const args = {
          compose: ["compose", end.document.task.id, "--take", `${one}:.`, "--take", `${two}:two.txt`],
          fork: ["fork", `${one}`, "--agent", "other"],
        }[verb];
        const made = taskEnd(await killedAt(product, failpoint, args ?? []));
        expect([made.attempts.length, made.run.outcome]).toEqual([1, "pushed"]);
        expect(await git("diff", "--name-only", "main", made.attempt.commit ?? "")).toBe("one.txt\ntwo.txt");
        const all = (await product.tazuna(["show", end.document.task.id, "--json"])).json<TaskDocument>();
        const kept = await git("for-each-ref", "--format=%(refname)", "refs/tazuna/runs/*/from");
        expect([all.attempts.length, kept]).toEqual([3, `refs/tazuna/runs/${made.run.id}/from`]);
      },
    );

// As a power failure would leave the files.
for (const what of ["apply", "merge --here"])
  test(
    deep(`a git that is killed between the files of the checkout leaves nothing of them (${what})`),
    async () => {
      await using doomed = await doomedGit();
      await using product = await startProduct({ env: { PATH: doomed.path } });
      await product.agent(
        "agent",
        "echo one > one.txt; echo two >> README.md; rm gone.txt; mkdir d; echo d > d/d; echo Done.",
      );
      const { repository } = product;
      const git = (...args: string[]) => product.sandbox.git(repository, args);
      await product.sandbox.commit(repository, { "gone.txt": "gone\n" }, "Gone");
      await git("push", "--quiet", "origin", "main");
      const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      const before = await usersSide(product);
      const words = what === "apply" ? "read-tree -m -u" : "merge --ff-only";
      const half = `cd '${repository}'; rm gone.txt; printf on > one.txt; mkdir d; echo d > d/d; : > .git/index.lock`;
      await doomed.doom(words, 1, `( ${half} )`);
      const args = what === "apply" ? ["apply", id] : ["merge", id, "--here"];
      const end = await refused(product, args);
      expect([end.error.code, await git("status", "--porcelain")]).toEqual([
        what === "apply" ? "apply_failed" : "merge_failed",
        "",
      ]);
      expect((await usersSide(product)).refs).toEqual(before.refs);
      await doomed.spare();
      expect((await product.tazuna(args)).code).toBe(0);
      expect(await readFile(join(repository, "one.txt"), "utf8")).toBe("one\n");
    },
  );

for (const what of ["apply", "merge --here"])
  test(
    deep(
      `git and engine are killed between the files of the checkout; the next engine takes them back (${what})`,
    ),
    async () => {
      await using doomed = await doomedGit();
      await using product = await startProduct({ env: { PATH: doomed.path } });
      await product.agent("agent", "echo one > one.txt; echo two >> README.md; echo Done.");
      const { repository } = product;
      const git = (...args: string[]) => product.sandbox.git(repository, args);
      const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      const pid = join(dirname(product.home), "pid");
      const half = `cd '${repository}'; printf on > one.txt; rm README.md; : > .git/index.lock`;
      const words = what === "apply" ? "read-tree -m -u" : "merge --ff-only";
      await doomed.doom(words, 1, `( ${half} ); echo $$ > '${pid}'; exec sleep 1000`);
      const args = what === "apply" ? ["apply", id] : ["merge", id, "--here"];
      const asked = product.start(args);
      const working = await eventually("git to be between two files", async () => {
        const text = await readFile(pid, "utf8").catch(() => "");
        return text.endsWith("\n") ? Number(text) : null;
      });
      asked.kill("SIGKILL");
      await product.killEngine();
      process.kill(working, "SIGKILL");
      await doomed.spare();
      await product.tazuna(["list"]);
      await eventually(
        "the checkout to be as before",
        async () => (await git("status", "--porcelain")) === "",
      );
      expect(existsSync(join(repository, ".git/index.lock"))).toBe(false);
      expect((await product.tazuna(args)).code).toBe(0);
      expect(await readFile(join(repository, "one.txt"), "utf8")).toBe("one\n");
      tally("fault", `git and engine killed between the files of ${what}`);
    },
  );

test(deep("what a person wrote after a power failure stays, and doctor names it"), async () => {
  await using doomed = await doomedGit();
  await using product = await startProduct({ env: { PATH: doomed.path } });
  await product.agent("agent", "echo one > one.txt; echo two >> README.md; echo Done.");
  const { repository } = product;
  const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
  const pid = join(dirname(product.home), "pid");
  await doomed.doom(
    "read-tree -m -u",
    1,
    `( cd '${repository}'; echo one > one.txt ); echo $$ > '${pid}'; exec sleep 1000`,
  );
  const asked = product.start(["apply", id]);
  const working = await eventually("git to be between two files", async () => {
    const text = await readFile(pid, "utf8").catch(() => "");
    return text.endsWith("\n") ? Number(text) : null;
  });
  asked.kill("SIGKILL");
  await product.killEngine();
  process.kill(working, "SIGKILL");
  await doomed.spare();
  await writeFile(join(repository, "README.md"), "mine\n");
  await product.tazuna(["list"]);
  expect((await product.tazuna(["doctor", "--json"])).stdout).toContain("README.md");
  expect(await readFile(join(repository, "README.md"), "utf8")).toBe("mine\n");
});
