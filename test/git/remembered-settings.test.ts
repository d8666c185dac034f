/** Tells that remembered settings are those that git would read, after each kind of change, and how seldom git is asked. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { createGit, type Git, type GitTarget } from "../../src/git/runner/run-git.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { madeWorktree, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const PATTERNS = ["^remote\\..*\\.(url|pushurl)$", "^x\\.", "^core\\.hookspath$", "^nothing\\."];

/** Git that writes down each start, in a repository with two worktrees; the user's files lie in a home. */
async function scene(sandbox: GitSandbox) {
  const calls = join(sandbox.root, "calls");
  const binary = join(sandbox.root, "counting-git");
  await writeFile(binary, `#!/bin/sh\necho "$*" >> '${calls}'\nexec '${Bun.which("git")}' "$@"\n`);
  await chmod(binary, 0o755);
  const { GIT_CONFIG_GLOBAL: _, GIT_CONFIG_NOSYSTEM: __, ...env } = sandbox.env;
  const system = join(sandbox.root, "system config");
  const git = createGit({
    ...{ binary, timeoutMs: 60_000, scratch: join(sandbox.root, "scratch") },
    env: { ...env, GIT_CONFIG_SYSTEM: system },
  });
  const repo = await sandbox.repository("repo");
  const first = await madeWorktree(sandbox, git, repo);
  await sandbox.git(repo, ["worktree", "add", "-q", "-b", "second", join(sandbox.root, "second")]);
  const second = {
    gitDir: join(repo, ".git", "worktrees", "second"),
    workTree: join(sandbox.root, "second"),
  };
  return {
    ...{ git, repo, second, system, home: sandbox.home },
    targets: [{ gitDir: join(repo, ".git"), workTree: null }, first.target, second],
    set: (...args: readonly string[]) => sandbox.git(repo, ["config", ...args]),
    switchTo: (branch: string) => sandbox.git(second.workTree, ["switch", "-q", "-C", branch]),
    started: async () => (await readFile(calls, "utf8").catch(() => "")).split("\n").length - 1,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function read(git: Git, target: GitTarget, words: readonly string[]): Promise<string> {
  const answer = (await git.run(target, ["config", ...words], { expect: [0, 1] }))._unsafeUnwrap();
  return `${answer.exitCode} ${answer.stdout}`;
}

/** The same question with its words in another order is always git's to answer. */
async function differences({ git, targets }: Scene): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const target of targets)
    for (const pattern of PATTERNS) {
      const [ours, gits] = [
        await read(git, target, ["--null", "--get-regexp", pattern]),
        await read(git, target, ["--get-regexp", "--null", pattern]),
      ];
      if (ours !== gits) wrong.push(`${target.gitDir} ${pattern}: ${ours}, not ${gits}`);
    }
  return wrong;
}

let last = 1000;
/** Text of the same length each time: no size tells of the change. */
const value = () => {
  last = last === 9999 ? 1000 : last + 1;
  return String(last);
};
const setting = () => `[x]\n\tmine = ${value()}\n`;

/** What a person, a program or another git does to the configuration. Each may come after each other one. */
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "git writes a setting": ({ set }) => set("--replace-all", "x.mine", value()),
  "a remote gets another address": ({ set }) => set("remote.other.url", `https://example.com/${value()}`),
  "an editor writes in place": ({ repo }) => appendFile(join(repo, ".git", "config"), setting()),
  "the user's file is replaced": async ({ home }) => {
    await writeFile(join(home, "new"), setting());
    await rename(join(home, "new"), join(home, ".gitconfig"));
  },
  "the user's file becomes a link to another one": async ({ home }) => {
    const file = join(home, `dotfiles-${value()}`);
    await writeFile(file, setting());
    await rm(join(home, ".gitconfig"), { force: true });
    await symlink(file, join(home, ".gitconfig"));
  },
  "the target of that link changes": ({ home }) => appendFile(join(home, ".gitconfig"), setting()),
  "the user's file goes": ({ home }) => rm(join(home, ".gitconfig"), { force: true }),
  "the user's other file comes": async ({ home }) => {
    await mkdir(join(home, ".config", "git"), { recursive: true });
    await writeFile(join(home, ".config", "git", "config"), setting());
  },
  "a file of the machine comes": ({ system }) => writeFile(system, setting()),
  "a file is included that is not there": ({ set }) => set("--add", "include.path", "../included"),
  "an included file comes": ({ repo }) => writeFile(join(repo, "included"), setting()),
  "an included file includes another one": ({ repo }) =>
    appendFile(join(repo, "included"), "[include]\n\tpath = ~/deeper\n"),
  "that one comes": ({ home }) => writeFile(join(home, "deeper"), setting()),
  "an included file goes": ({ repo }) => rm(join(repo, "included"), { force: true }),
  "a file is included for one worktree": async ({ set, home, second }) => {
    await writeFile(join(home, "one"), setting());
    await set(`includeIf.gitdir:${second.gitDir}.path`, join(home, "one"));
  },
  "a file is included for a branch": async ({ set, home }) => {
    await writeFile(join(home, "branch"), setting());
    await set("includeIf.onbranch:special.path", join(home, "branch"));
  },
  "that branch is checked out": ({ switchTo }) => switchTo("special"),
  "another branch is checked out": ({ switchTo }) => switchTo("second"),
  "a worktree gets settings of its own": async ({ set, second }) => {
    await set("extensions.worktreeConfig", "true");
    await writeFile(join(second.gitDir, "config.worktree"), setting());
  },
  "hooks are moved": ({ set }) => set("core.hooksPath", `~/hooks-${value()}`),
};

describe("what is remembered of the settings", () => {
  test("is asked once for all worktrees, and again only after a change", async () => {
    await using sandbox = await gitSandbox();
    const made = await scene(sandbox);
    const { git, targets, started, set } = made;
    const ask = async () => {
      for (const target of targets)
        for (const pattern of PATTERNS) await read(git, target, ["--null", "--get-regexp", pattern]);
    };
    await ask();
    const before = await started();
    await ask();
    expect(await started()).toBe(before);
    await set("x.mine", "new");
    await ask();
    expect(await started()).toBe(before + 1);
    expect(await differences(made)).toEqual([]);
  });

  test("does not answer a call with settings or variables of its own", async () => {
    await using sandbox = await gitSandbox();
    const { git, targets } = await scene(sandbox);
    const [target] = targets;
    if (target === undefined) throw new Error("there is a repository");
    const words = ["config", "--null", "--get-regexp", "^x\\."];
    const own = await git.run(target, words, { config: { "x.mine": "here" }, expect: [0, 1] });
    expect(own._unsafeUnwrap().stdout).toBe("x.mine\nhere\0");
  });

  test("is what git reads after each change in turn", async () => {
    await using sandbox = await gitSandbox();
    const made = await scene(sandbox);
    for (const [name, change] of Object.entries(CHANGES)) {
      await change(made);
      expect([name, await differences(made)]).toEqual([name, []]);
    }
  });

  test(deep("is what git reads after any of these in any order"), async () => {
    const changes = fc.array(fc.constantFrom(...Object.keys(CHANGES)), { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, async (names) => {
        await using sandbox = await gitSandbox();
        const made = await scene(sandbox);
        for (const name of names) {
          await CHANGES[name]?.(made);
          expect([name, await differences(made)]).toEqual([name, []]);
        }
      }),
      { numRuns: 12 },
    );
  });
});
