/** Tells that only what the gate read is published, also if an agent's leftovers write git before the commit. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, noteCodes, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";

setDefaultTimeout(PATIENCE_MS);

const REJECTED = { status: "FAILED", outcome: null, failure: "gate_rejected" };
/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
const GIT = Bun.which("git") ?? "/usr/bin/git";

let product: Product;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
  // A check is the repository's own script, such as its tests: what an agent wrote into those runs in it.
  await product.configure({ checks: [{ name: "test", run: "sh ./test.sh" }] });
  await writeFile(join(product.home, "loot.txt"), `${TOKEN}\n`);
});
afterAll(() => product?.[Symbol.asyncDispose]());

/** What lies at the remote, every version of every file. */
async function atOrigin(): Promise<string> {
  const { git } = product.sandbox;
  const objects = await git(product.origin, ["cat-file", "--batch-all-objects", "--batch", "--unordered"]);
  return objects;
}

async function attack(name: string, script: string): Promise<TaskEnd> {
  const file = join(product.home, `${name}.sh`);
  await writeFile(
    file,
    `unset GIT_CONFIG_COUNT; loot='${join(product.home, "loot.txt")}'; git() { '${GIT}' "$@"; }\n${script}\n`,
  );
  await product.agent(name, `echo ". '${file}'" > test.sh; echo ${name} > work.txt`);
  return ask(product, ["run", `Be ${name}`, "--agent", name]);
}

describe("what a check writes into git is not published", () => {
  test.each([
    [
      "a file that the gate never read",
      'git update-index --add --cacheinfo "100644,$(git hash-object -w "$loot"),notes.txt"',
    ],
    ["another content of a file", 'cp "$loot" work.txt; git add work.txt'],
  ])("%s", async (what, script) => {
    const end = await attack(what.replaceAll(/\W/g, "-"), script);
    expect<unknown>(ending(end.run)).toEqual(REJECTED);
    expect(end.run.failure?.details.findings).toMatchObject([{ rule: "changed_meanwhile" }]);
    expect(await atOrigin()).not.toContain(TOKEN);
    const { git } = product.sandbox;
    const start = await git(product.repository, ["rev-parse", "main"]);
    expect(await git(product.repository, ["rev-parse", end.attempt.branch])).toBe(start);
    expect(await git(end.attempt.worktree, ["diff", "--cached", "--name-only"])).toBe("");
    expect(await Bun.file(join(end.attempt.worktree, "work.txt")).exists()).toBe(true);
    tally("attack", `between gate and commit: ${what}`, { under: "guard" });
  });

  test.each([
    ["commits of its own on the branch", 'git update-ref HEAD "$(commit -p HEAD)"', "agent_commit_undone"],
    [
      "another parent, with a history of its own",
      'commit > "$(git rev-parse --git-dir)/MERGE_HEAD"',
      "agent_commit_undone",
    ],
    [
      "another branch of the repository",
      'git update-ref refs/heads/by-check "$(commit)"',
      "foreign_ref_moved",
    ],
  ])("%s: what the gate read is, and the rest is told", async (what, script, code) => {
    const end = await attack(
      what.replaceAll(/\W/g, "-"),
      `commit() { tree=$(printf '100644 blob %s\tx' "$(git hash-object -w "$loot")" | git mktree)
       git -c user.name=x -c user.email=x@x commit-tree -m x "$@" "$tree"; }\n${script}`,
    );
    expect<unknown>(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(noteCodes(end.run)).toContain(code);
    expect(await atOrigin()).not.toContain(TOKEN);
    const history = await product.sandbox.git(product.origin, ["rev-list", "--count", end.attempt.branch]);
    expect(history).toBe("2");
    tally("attack", `between gate and commit: ${what}`, { under: "guard" });
  });

  test("a program for git to run with the person's rights: it is not run, and nothing is pushed", async () => {
    const mark = join(product.home, "ran");
    const end = await attack(
      "planter",
      `git config core.gitProxy 'touch ${mark}'; git config credential.helper '!touch ${mark}'`,
    );
    const key = ["--unset", "credential.helper"];
    await product.sandbox.git(product.repository, ["config", ...key]);
    await product.sandbox.git(product.repository, ["config", "--unset", "core.gitProxy"]);
    // Only calls that talk to a remote heed these two: the commit is made, and its push is refused.
    expect<unknown>(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "setup_failed" });
    expect(noteCodes(end.run)).toContain("git_settings_changed");
    expect(await Bun.file(mark).exists()).toBe(false);
    tally("attack", "between gate and commit: a program for git to run", { under: "guard" });
  });
});
