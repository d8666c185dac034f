/** Tells that every git command of a run reads a remote's relative address as the user's checkout does. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ask, branchAt, changedPaths, ending, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await mkdir(join(product.repository, "src"));
});

afterAll(() => product[Symbol.asyncDispose]());

const address = (...args: readonly string[]) => product.sandbox.git(product.repository, ["config", ...args]);

test(
  deep("fetch, push, the merge of others' commits and a follow-up reach it, with the command in a subfolder"),
  async () => {
    await address("remote.origin.url", "../origin.git");
    await using working = gate(product, "agent");
    const going = ask(product, ["run", `${working.wait}; echo one > one.txt`, "--agent", "doer"], {
      cwd: join(product.repository, "src"),
    });
    await working.reached();
    const { branch } = (await product.tazuna(["list", "--json"])).json<{
      tasks: { attempts: { branch: string }[] }[];
    }>().tasks[0]?.attempts[0] ?? { branch: "" };
    await working.open();
    const first = await going;
    expect<unknown>([ending(first.run), branch]).toEqual([PUSHED, first.attempt.branch]);
    await using again = gate(product, "again");
    const next = ask(product, ["continue", first.attempt.id, `${again.wait}; echo two > two.txt`]);
    await again.reached();
    await product.sandbox.commitTo(product.origin, branch, { "theirs.txt": "theirs\n" });
    await again.open();
    expect<unknown>(ending((await next).run)).toEqual(PUSHED);
    expect(await product.sandbox.git(product.origin, ["log", "--format=%s", "-1", branch])).toStartWith(
      "Merge branch",
    );
  },
);

test(
  deep("a name without dots, a push-only address and a rule that rewrites it count as git reads them"),
  async () => {
    await mkdir(join(product.repository, "remotes.local"));
    await symlink(product.origin, join(product.repository, "remotes.local", "x.git"));
    await address("remote.origin.url", "remotes.local/x.git");
    expect<unknown>(ending((await ask(product, ["run", "echo a > a.txt", "--agent", "doer"])).run)).toEqual(
      PUSHED,
    );
    await address("remote.origin.url", product.origin);
    await address("remote.origin.pushurl", "./remotes.local/x.git");
    expect<unknown>(ending((await ask(product, ["run", "echo b > b.txt", "--agent", "doer"])).run)).toEqual(
      PUSHED,
    );
    await address("--unset", "remote.origin.pushurl");
    await address("remote.origin.url", "../elsewhere/origin.git");
    await address(`url.${dirname(product.origin)}/.insteadOf`, "../elsewhere/");
    expect<unknown>(ending((await ask(product, ["run", "echo c > c.txt", "--agent", "doer"])).run)).toEqual(
      PUSHED,
    );
    await address("--unset", `url.${dirname(product.origin)}/.insteadOf`);
  },
);

test("a rule that makes an address relative counts from the checkout too, for fetches and for pushes", async () => {
  const mirror = join(dirname(product.origin), "mirror.git");
  await product.sandbox.git(product.repository, ["clone", "--quiet", "--bare", product.origin, mirror]);
  await address("remote.origin.url", `up:${basename(product.origin)}`);
  await address("url.../.insteadOf", "up:");
  const fetched = await ask(product, ["run", "echo d > d.txt", "--agent", "doer"]);
  await address("url.../mirror.pushInsteadOf", "up:origin");
  const pushed = await ask(product, ["run", "echo e > e.txt", "--agent", "doer"]);
  expect<unknown>([
    ending(fetched.run),
    await branchAt(product, product.origin, fetched.attempt.branch),
    ending(pushed.run),
    await branchAt(product, mirror, pushed.attempt.branch),
  ]).toEqual([PUSHED, fetched.run.commit, PUSHED, pushed.run.commit]);
  for (const rule of ["url.../.insteadOf", "url.../mirror.pushInsteadOf"]) await address("--unset", rule);
});

test("in a linked worktree of the user's it counts from there, and from the main checkout if nothing lies there", async () => {
  const linked = join(product.repository, "..", "deep", "er", "linked");
  await product.sandbox.git(product.repository, ["worktree", "add", "--quiet", "--detach", linked]);
  await address("remote.origin.url", "../origin.git");
  const fromMain = await ask(product, ["run", "echo d > d.txt", "--agent", "doer", "--base", "main"], {
    cwd: linked,
  });
  expect<unknown>(ending(fromMain.run)).toEqual(PUSHED);
  const own = join(dirname(linked), "origin.git");
  await product.sandbox.git(product.repository, ["clone", "--quiet", "--bare", product.origin, own]);
  const fromLinked = await ask(product, ["run", "echo e > e.txt", "--agent", "doer", "--base", "main"], {
    cwd: linked,
  });
  expect<unknown>([
    ending(fromLinked.run),
    await changedPaths(product, own, fromLinked.attempt.branch),
    await product.sandbox.git(product.origin, ["branch", "--list", fromLinked.attempt.branch]),
  ]).toEqual([PUSHED, ["e.txt"], ""]);
});

test("one that leads nowhere is unreachable, as it is for git", async () => {
  await address("remote.origin.url", "../nowhere.git");
  const end = await ask(product, ["run", "echo f > f.txt", "--agent", "doer"]);
  expect(end.run.failure?.code).toBe("fetch_failed");
});
