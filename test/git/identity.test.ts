import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { type Identity, identityVariables, readIdentity, TAZUNA } from "../../src/git/repository/identity.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { committedEdit, discovered, madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

type Env = Readonly<Record<string, string>>;

const MINE = { name: "Una User", email: "una@example.com" };
const NOBODY: Identity = { source: "fallback", author: TAZUNA, committer: TAZUNA };
const mine: Identity = { source: "user", author: MINE, committer: MINE };

/** A sandbox without any identity, a repository in it, and a linked worktree as a run has one. */
async function nobody() {
  const stack = new AsyncDisposableStack();
  const sandbox = stack.use(await gitSandbox({ identity: "none" }));
  const repo = await sandbox.repository("repo");
  const worktree = await madeWorktree(sandbox, productGit(sandbox), repo);
  const told = async (env: Env = {}) =>
    (await readIdentity(productGit(sandbox, { env }), worktree.target))._unsafeUnwrap();
  return { sandbox, repo, worktree, told, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Who a user's own commit in the same worktree would be by. Null if git refuses to make one up. */
async function gitsAnswer(sandbox: GitSandbox, path: string, env: Env): Promise<Identity> {
  // With EMAIL set git makes no address up, and counts it as given; else this keeps it from guessing.
  const careful = env.EMAIL ? [] : ["-c", "user.useConfigOnly=true"];
  const made = await sandbox
    .git(path, [...careful, "commit", "-q", "--allow-empty", "-m", "x"], { env })
    .catch(() => null);
  if (made === null) return NOBODY;
  const said = await sandbox.git(path, ["log", "-1", "--format=%an%x00%ae%x00%cn%x00%ce"]);
  const [an = "", ae = "", cn = "", ce = ""] = said.split("\0");
  return { source: "user", author: { name: an, email: ae }, committer: { name: cn, email: ce } };
}

describe("the identity", () => {
  test("is Tazuna's if only a name is configured, or only an address", async () => {
    await using at = await nobody();
    expect(await at.told()).toEqual(NOBODY);
    for (const [key, value] of [
      ["user.name", "Una User"],
      ["user.email", "una@example.com"],
    ] as const) {
      await at.sandbox.git(at.repo, ["config", key, value]);
      expect(await at.told()).toEqual(NOBODY);
      await at.sandbox.git(at.repo, ["config", "--unset", key]);
    }
    await at.sandbox.git(at.repo, ["config", "user.name", ""]);
    await at.sandbox.git(at.repo, ["config", "user.email", "una@example.com"]);
    expect(await at.told()).toEqual(NOBODY);
    // An author alone is no identity either: a commit also needs a committer.
    expect(await at.told({ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.c" })).toEqual(NOBODY);
  });

  test("is found in the user's, the system's, the repository's and the worktree's configuration", async () => {
    await using at = await nobody();
    const { sandbox, repo, worktree } = at;
    const text = "[user]\n\tname = Una User\n\temail = una@example.com\n";
    const system = join(sandbox.root, "system");
    await writeFile(system, text);
    expect(await at.told({ GIT_CONFIG_SYSTEM: system, GIT_CONFIG_NOSYSTEM: "0" })).toEqual(mine);
    expect(await at.told({ GIT_CONFIG_SYSTEM: system })).toEqual(NOBODY);
    expect(await at.told({ GIT_CONFIG_GLOBAL: system })).toEqual(mine);
    const worktreeOnly = ["config", "--worktree"];
    await sandbox.git(repo, ["config", "extensions.worktreeConfig", "true"]);
    await sandbox.git(worktree.path, [...worktreeOnly, "user.name", "Una User"]);
    await sandbox.git(worktree.path, [...worktreeOnly, "user.email", "una@example.com"]);
    expect(await at.told()).toEqual(mine);
    const main = { gitDir: (await discovered(productGit(sandbox), repo)).gitDir, workTree: null };
    expect((await readIdentity(productGit(sandbox), main))._unsafeUnwrap()).toEqual(NOBODY);
  });

  test("is found by include and by every condition of includeIf that names the run's worktree", async () => {
    await using at = await nobody();
    const { sandbox, repo, worktree } = at;
    const file = join(sandbox.root, "mine.inc");
    await writeFile(file, "[user]\n\tname = Una User\n\temail = una@example.com\n");
    await sandbox.git(repo, ["remote", "add", "origin", "https://example.com/a/b.git"]);
    const global = join(sandbox.home, "conditions");
    for (const [section, expected] of [
      ["include", mine],
      [`includeIf "gitdir:${repo}/"`, mine],
      [`includeIf "gitdir/i:${repo.toUpperCase()}/"`, mine],
      [`includeIf "gitdir:${sandbox.root}/elsewhere/"`, NOBODY],
      ['includeIf "onbranch:tazuna/**"', mine],
      ['includeIf "onbranch:main"', NOBODY],
      ['includeIf "hasconfig:remote.*.url:https://example.com/**"', mine],
      ['includeIf "hasconfig:remote.*.url:https://example.org/**"', NOBODY],
    ] as const) {
      await writeFile(global, `[${section}]\n\tpath = ${file}\n`);
      const env = { GIT_CONFIG_GLOBAL: global };
      expect(await gitsAnswer(sandbox, worktree.path, env)).toEqual(expected);
      expect(await at.told(env)).toEqual(expected);
    }
  });

  test("takes the address of EMAIL as git does, and the commit is the user's", async () => {
    await using at = await nobody();
    const { sandbox, worktree } = at;
    await sandbox.git(at.repo, ["config", "user.name", "Una User"]);
    const env = { EMAIL: "una@example.com" };
    expect(await gitsAnswer(sandbox, worktree.path, env)).toEqual(mine);
    expect(await at.told(env)).toEqual(mine);
    expect(await at.told({ EMAIL: "" })).toEqual(NOBODY);
    await committedEdit(productGit(sandbox, { env }), worktree);
    expect(await sandbox.git(worktree.path, ["log", "-1", "--format=%an <%ae> %cn <%ce>"])).toBe(
      "Una User <una@example.com> Una User <una@example.com>",
    );
    await sandbox.git(at.repo, ["config", "user.useConfigOnly", "true"]);
    expect(await at.told(env)).toEqual(NOBODY);
  });

  test(deep("of any configuration is who git itself would commit as"), async () => {
    await using at = await nobody();
    const { sandbox, repo, worktree } = at;
    const global = join(sandbox.home, "generated");
    const system = join(sandbox.home, "generated-system");
    await fc.assert(
      fc.asyncProperty(SETTINGS, SETTINGS, SETTINGS, VARIABLES, async (own, users, systems, variables) => {
        await writeConfig(sandbox, global, users);
        await writeConfig(sandbox, system, systems);
        await writeConfig(sandbox, join(repo, ".git/own"), own);
        await sandbox.git(repo, ["config", "include.path", "own"]);
        const env = {
          ...variables,
          GIT_CONFIG_GLOBAL: global,
          GIT_CONFIG_SYSTEM: system,
          GIT_CONFIG_NOSYSTEM: "0",
        };
        const ours = await at.told(env);
        expect(ours).toEqual(await gitsAnswer(sandbox, worktree.path, env));
        expect(Object.keys(identityVariables(ours))).toHaveLength(ours.source === "user" ? 0 : 4);
      }),
      { numRuns: 40 },
    );
  });
});

async function writeConfig(sandbox: GitSandbox, file: string, settings: Env): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, "");
  for (const [key, value] of Object.entries(settings))
    await sandbox.git(sandbox.root, ["config", "--file", file, key, value]);
}

const VALUE = fc.oneof(
  fc.constantFrom("", "Una", "una@example.com", "<>", "Ü. Person", "a <b> c", "手綱"),
  fc.string({ unit: fc.constantFrom(..."aé手 .,;:<>\"'\\@-\t\r\n\u2028\u00a0#"), maxLength: 8 }),
);

/** A dictionary of which each key may be missing. */
const some = (keys: readonly string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, VALUE])), { requiredKeys: [] }) as fc.Arbitrary<Env>;

const SETTINGS = some([
  "user.name",
  "user.email",
  "author.name",
  "author.email",
  "committer.name",
  "committer.email",
]);
const VARIABLES = some([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "EMAIL",
]);
