/** Tells that a remote with several push addresses has a commit only if every one of them took it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, ending, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

let product: Product;
let mirror: string;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  mirror = join(dirname(product.origin), "mirror.git");
  await git(product.repository, "clone", "--quiet", "--bare", product.origin, mirror);
  await git(product.repository, "config", "--add", "remote.origin.pushurl", product.origin);
  await git(product.repository, "config", "--add", "remote.origin.pushurl", mirror);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (at: string, ...args: readonly string[]) => product.sandbox.git(at, args);
const run = (script: string) => ask(product, ["run", script, "--agent", "doer"]);
const both = async (branch: string) => [
  await branchAt(product, product.origin, branch),
  await branchAt(product, mirror, branch),
];

test(deep("the one that refuses is named, whichever it is; a retry pushes what is missing"), async () => {
  const hook = join(mirror, "hooks", "pre-receive");
  await writeFile(hook, "#!/bin/sh\necho 'Mirrors are read only.'\nexit 1\n", { mode: 0o755 });
  const refused = await run("echo one > one.txt");
  expect<unknown>({
    ending: ending(refused.run),
    message: refused.run.failure?.message,
    said: refused.run.failure?.details.remote,
    at: [refused.run.failure?.details.url, refused.run.failure?.details.arrived],
    there: await both(refused.attempt.branch),
  }).toEqual({
    ending: failed("push_rejected"),
    message: `${mirror} refused the push: [remote rejected] (pre-receive hook declined) (${product.origin} took it)`,
    said: "Mirrors are read only.",
    at: [mirror, [product.origin]],
    there: [refused.run.commit, null],
  });
  await writeFile(hook, "#!/bin/sh\nexit 0\n");
  const again = await ask(product, ["retry", refused.run.id, "--from", "push"]);
  expect<unknown>([ending(again.run), await both(again.attempt.branch)]).toEqual([
    PUSHED,
    [refused.run.commit, refused.run.commit],
  ]);
});

test(
  deep("one that cannot be reached is named without its password, and the follow-up after it reaches both"),
  async () => {
    await rename(mirror, `${mirror}.away`);
    const away = await run("echo two > two.txt");
    expect([ending(away.run), away.run.failure?.message]).toEqual([
      failed("remote_unreachable"),
      expect.stringContaining(`${mirror} did not get the push: `),
    ]);
    await rename(`${mirror}.away`, mirror);
    const next = await ask(product, ["continue", away.attempt.id, "echo three > three.txt"]);
    expect<unknown>([ending(next.run), await both(next.attempt.branch)]).toEqual([
      PUSHED,
      [next.run.commit, next.run.commit],
    ]);
    const secret = "http://una:s3cret-word@127.0.0.1:9/mirror.git";
    await git(product.repository, "config", "--replace-all", "remote.origin.pushurl", secret, "mirror");
    const unreachable = await run("echo four > four.txt");
    expect([
      ending(unreachable.run),
      unreachable.run.failure?.details.url,
      JSON.stringify(unreachable.document).includes("s3cret-word"),
    ]).toEqual([failed("remote_unreachable"), expect.stringContaining("127.0.0.1:9/mirror.git"), false]);
    await git(product.repository, "config", "--replace-all", "remote.origin.pushurl", mirror, "127.0.0.1");
  },
);

test(
  deep(
    "commits that only another address has are not merged: it is named; two `url`s without a `pushurl` count too",
  ),
  async () => {
    await git(product.repository, "config", "--unset-all", "remote.origin.pushurl");
    await git(product.repository, "config", "--add", "remote.origin.url", mirror);
    const first = await run("echo five > five.txt");
    expect<unknown>([ending(first.run), await both(first.attempt.branch)]).toEqual([
      PUSHED,
      [first.run.commit, first.run.commit],
    ]);
    await product.sandbox.commitTo(mirror, first.attempt.branch, { "theirs.txt": "t\n" });
    const next = await ask(product, ["continue", first.attempt.id, "echo six > six.txt"]);
    expect<unknown>([ending(next.run), next.run.failure?.details.url]).toEqual([
      failed("push_rejected"),
      mirror,
    ]);
  },
);

test("a name that others took at one address only is given up before any address has it", async () => {
  await product.configure({ branch: "taken" });
  await using working = gate(product, "taken");
  const going = run(`${working.wait}; echo seven > seven.txt`);
  await working.reached();
  await git(mirror, "branch", "taken", "main");
  await working.open();
  const end = await going;
  expect<unknown>([ending(end.run), end.attempt.branch, await both("taken-2"), await both("taken")]).toEqual([
    PUSHED,
    "taken-2",
    [end.run.commit, end.run.commit],
    [null, await branchAt(product, mirror, "main")],
  ]);
});
