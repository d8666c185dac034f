/** Works on one repository from two data folders while its user collects garbage: nothing is lost or mixed up. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, ending, exists, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const MANY = 8;

/** The same settings, in a data folder of its own whose engine is stopped in the end. */
async function secondHome(product: Product) {
  const home = join(dirname(product.home), "second home");
  await mkdir(home, { mode: 0o700 });
  await cp(join(product.home, "config.json"), join(home, "config.json"));
  const env = { TAZUNA_HOME: home };
  return {
    env,
    [Symbol.asyncDispose]: async () => void (await product.tazuna(["engine", "stop"], { env })),
  };
}

/** What a person does beside it until it is disposed of; git may refuse any of it for an instant. */
function tidyUp(product: Product): AsyncDisposable {
  const over = new AbortController();
  const rounds = [
    ["worktree", "prune"],
    ["gc", "--quiet"],
    ["fetch", "--prune"],
    ["pack-refs", "--all"],
  ];
  const work = async () => {
    while (!over.signal.aborted)
      for (const args of rounds) await product.sandbox.git(product.repository, args).catch(() => "");
  };
  const working = work();
  return {
    [Symbol.asyncDispose]: () => {
      over.abort();
      return working;
    },
  };
}

test(
  deep(
    `${MANY} attempts of each of two engines are pushed under own names, and neither removes the other's work`,
  ),
  async () => {
    await using product = await startProduct();
    // Without `{id8}` both want the same names.
    await product.configure({
      branch: "work",
      limits: { parallel: MANY, per_repository: MANY, per_login: MANY },
    });
    await product.agent("agent", 'echo "$TAZUNA_RUN" > own.txt');
    await using second = await secondHome(product);
    await using _person = tidyUp(product);
    const run = (env: Readonly<Record<string, string>>) =>
      ask(product, ["run", "Leave your mark", ...Array(MANY).fill(["--agent", "agent"]).flat()], { env });
    const [one, other] = await Promise.all([run({}), run(second.env)]);
    const all = [...one.attempts, ...other.attempts];
    expect(all.flatMap(({ runs }) => runs.map(ending))).toEqual(
      Array(2 * MANY).fill({ status: "SUCCEEDED", outcome: "pushed" }),
    );
    expect(new Set(all.map(({ branch }) => branch)).size).toBe(2 * MANY);
    const base = await product.sandbox.git(product.repository, ["rev-parse", "main"]);
    for (const { branch, runs } of all) {
      const at = (...args: string[]) => product.sandbox.git(product.origin, args);
      expect([await at("show", `${branch}:own.txt`), await at("rev-parse", `${branch}~1`)]).toEqual([
        runs[0]?.id ?? "",
        base,
      ]);
    }

    const ids = one.attempts.map(({ id }) => id);
    const [canceled = "", ...rest] = ids;
    const verbs = await Promise.all([
      product.tazuna(["cancel", canceled]).then(() => product.tazuna(["trash", "restore", canceled])),
      ...rest.slice(0, 3).map((id) => product.tazuna(["clean", id])),
      ...rest.slice(3, 5).map((id) => product.tazuna(["continue", id, "More"])),
      ...other.attempts
        .slice(0, 3)
        .map(({ id }) => product.tazuna(["continue", id, "More"], { env: second.env })),
    ]);
    expect(verbs.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(verbs.map(() => 0));
    // A clean-up of all that may go, and a look at everything.
    await product.tazuna(["clean", "--yes"]);
    await product.tazuna(["doctor"]);
    for (const { branch, worktree } of other.attempts)
      expect([await exists(worktree ?? ""), await branchAt(product, product.repository, branch)]).toEqual([
        true,
        expect.any(String),
      ]);
    expect(await product.sandbox.git(product.repository, ["fsck", "--no-dangling"])).toBe("");
  },
);
