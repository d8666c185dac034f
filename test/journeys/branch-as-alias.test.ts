/** Tells what becomes of an agent that makes its own branch another name of one of the user's. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  ask,
  branchAt,
  changedPaths,
  ending,
  noteCodes,
  PAST_THE_GUARD,
  PATIENCE_MS,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", `${PAST_THE_GUARD} . "$TAZUNA_INSTRUCTION_FILE"; echo Done.`);
  await git(product.repository, "branch", "same", "main");
  await git(product.repository, "switch", "-q", "-c", "ahead");
  await product.sandbox.commit(product.repository, { "mine.txt": "the user's own" });
  await git(product.repository, "switch", "-q", "main");
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);

test.each([
  ["where its own was", 'git symbolic-ref "$(git symbolic-ref HEAD)" refs/heads/same', "same"],
  ["elsewhere", 'git symbolic-ref "$(git symbolic-ref HEAD)" refs/heads/ahead', "ahead"],
  [
    "and commits there",
    'git branch victim; git symbolic-ref "$(git symbolic-ref HEAD)" refs/heads/victim; echo two > two.txt; git add -A; git commit -q -m there',
    "victim",
  ],
])(
  "the user's branch %s stays as the agent left it; the commit goes to the attempt's own",
  async (_, script, theirs) => {
    const before = await branchAt(product, product.repository, theirs);
    const end = await ask(product, ["run", `${script}; echo one > one.txt`, "--agent", "doer"]);
    const { branch, base } = end.attempt;
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(noteCodes(end.run)).toContain("agent_commit_undone");
    const kept = await branchAt(product, product.repository, theirs);
    if (theirs !== "victim") expect(kept).toBe(before);
    else expect(await git(product.repository, "log", "-1", "--format=%s", theirs)).toBe("there");
    expect(
      await git(product.repository, "symbolic-ref", "--quiet", `refs/heads/${branch}`).catch(() => null),
    ).toBeNull();
    expect(await branchAt(product, product.repository, branch)).toBe(end.run.commit);
    expect(await git(product.repository, "rev-parse", `${branch}^`)).toBe(base.sha ?? "");
    expect(await changedPaths(product, product.origin, branch)).toEqual(
      theirs === "victim" ? ["one.txt", "two.txt"] : ["one.txt"],
    );
  },
);
