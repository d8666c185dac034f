/** Tells how what was merged of an attempt is taken back: by an attempt whose commit does it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ask, branchAt, ending, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  // On a branch of the person's own, nothing holds `main`.
  await git("switch", "--quiet", "--create", "mine");
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (...args: string[]) => product.sandbox.git(product.repository, args);
const run = (script: string) => ask(product, ["run", script, "--agent", "doer"]);
const tazuna = async (...args: string[]) => {
  const end = await product.tazuna([...args, "--json"]);
  if (end.code !== 0) throw new Error(end.stdout);
};
const tree = (revision: string) => git("rev-parse", `${revision}^{tree}`);
/** Merges by hand: in a clone, so that the checkout stays where it is. */
async function byHand(how: (git: (...args: string[]) => Promise<string>) => Promise<unknown>): Promise<void> {
  const path = await product.sandbox.clone(product.origin, `hand-${Math.random()}`);
  await how((...args) => product.sandbox.git(path, args));
  await product.sandbox.git(path, ["push", "--quiet", "origin", "main"]);
  await git("fetch", "--quiet", "origin");
}

/** The ways in which an attempt comes into `main`; the first is tried by `npm test`. */
const WAYS: Readonly<Record<string, (id: string, branch: string) => Promise<unknown>>> = {
  merge: async (id) => {
    await tazuna("merge", id);
    await git("push", "--quiet", "origin", "main");
  },
  squash: async (id) => {
    await tazuna("merge", id, "--squash");
    await git("push", "--quiet", "origin", "main");
  },
  "fast-forward": async (id, branch) => {
    await byHand((theirs) => theirs("merge", "--quiet", "--ff-only", `origin/${branch}`));
    await tazuna("merge", id);
  },
  rebase: async (id, branch) => {
    await byHand(async (theirs) => {
      await theirs("commit", "--quiet", "--allow-empty", "-m", "Colleague");
      await theirs("cherry-pick", `main~1..origin/${branch}`);
    });
    await tazuna("merge", id);
  },
};

for (const [way, merge] of Object.entries(WAYS)) {
  const title = `a ${way} is taken back by one pushed commit`;
  test(way === "merge" ? title : deep(title), async () => {
    await git("fetch", "--quiet", "origin", "main:main");
    const before = await tree("main");
    const first = await run(`echo a > ${way}-a.txt`);
    const { attempt } = await ask(product, [
      "continue",
      first.attempt.id,
      `echo b > ${way}-b.txt; echo ${way} >> README.md`,
    ]);
    await merge(attempt.id, attempt.branch);
    await git("fetch", "--quiet", "origin");
    const merged = await git("rev-parse", "origin/main");
    const user = await usersSide(product);
    const reverted = await ask(product, ["revert", attempt.id]);
    expect(reverted.attempts).toHaveLength(1);
    expect(await usersSide(product, { ours: [reverted.attempt.branch] })).toEqual(user);
    const { commit, kind } = reverted.run;
    expect([kind, ending(reverted.run)]).toEqual(["commit", { status: "SUCCEEDED", outcome: "pushed" }]);
    expect(await branchAt(product, product.origin, reverted.attempt.branch)).toBe(commit);
    expect(await git("rev-parse", `${commit}^`)).toBe(merged);
    expect(await tree(commit ?? "")).toBe(before);
    expect(await git("show", "--no-patch", "--format=%B", commit ?? "")).toMatch(
      /^Revert "[^\n]*"\n\nThis reverts commit [0-9a-f]{40}/,
    );
    // So that the next test begins without it.
    await byHand(async (theirs) => theirs("merge", "--quiet", "--ff-only", commit ?? ""));
  });
}

test(
  deep("a merge that is not pushed is taken back here alone, and what is not merged is refused"),
  async () => {
    await git("fetch", "--quiet", "origin", "main:main");
    const { attempt } = await run("echo one > one.txt");
    const { error } = await refused(product, ["revert", attempt.id]);
    expect(error.code).toBe("not_merged");
    await tazuna("merge", attempt.id);
    const reverted = await ask(product, ["revert", attempt.id]);
    expect([ending(reverted.run), await branchAt(product, product.origin, reverted.attempt.branch)]).toEqual([
      { status: "SUCCEEDED", outcome: "committed" },
      null,
    ]);
    const goOn = await refused(product, ["continue", reverted.attempt.id, "Go on"]);
    expect([goOn.error.code, goOn.error.remedy]).toEqual([
      "no_agent",
      expect.stringContaining(`--base ${reverted.attempt.branch}`),
    ]);
    await tazuna("merge", reverted.attempt.id);
    expect(await tree("main")).toBe(await tree("origin/main"));
    const again = await refused(product, ["revert", attempt.id]);
    expect([again.error.code, again.error.message]).toEqual([
      "not_merged",
      expect.stringContaining("taken back"),
    ]);
    await git("update-ref", "refs/heads/main", "origin/main");
  },
);

test(
  deep("lines that others changed since are refused with the files, and go to an agent on request"),
  async () => {
    await git("fetch", "--quiet", "origin", "main:main");
    const { attempt } = await run("echo agent > README.md");
    await tazuna("merge", attempt.id);
    await git("push", "--quiet", "origin", "main");
    await product.sandbox.commitTo(product.origin, "main", { "README.md": "colleague\n" });
    await git("fetch", "--quiet", "origin");
    const { error } = await refused(product, ["revert", attempt.id]);
    expect([error.code, error.details.files]).toEqual(["revert_conflict", ["README.md"]]);
    const command = /`tazuna ([^`]+)`/.exec(error.remedy)?.[1] ?? "";
    expect(command).toBe(`revert ${attempt.id.slice(0, 8)} --agent doer`);
    await product.agent(
      "doer",
      "grep -q '<<<<<<<' README.md && echo 'colleague, without the agent' > README.md; echo Done.",
    );
    const resolved = await ask(product, command.split(" "));
    expect([resolved.run.kind, ending(resolved.run)]).toEqual([
      "agent",
      { status: "SUCCEEDED", outcome: "pushed" },
    ]);
    expect(await git("show", `${resolved.run.commit}:README.md`)).toBe("colleague, without the agent");
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    // Nobody resolves them: the gate keeps the markers out.
    await product.agent("lazy", "echo Done.");
    const lazy = await ask(product, ["revert", attempt.id, "--agent", "lazy"]);
    expect(lazy.run.failure?.code).toBe("gate_rejected");
  },
);
