import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitWorld, gitWorld, rawGit, setTrap } from "../git-world.ts";

const SECRET = "hunter2-and-more";
const UNSAFE = { error: { code: "UNSAFE_REPOSITORY" } };

/** Puts a link in the place of a file or folder of the repository. */
async function linkTo(world: GitWorld, name: string, target: string): Promise<void> {
  const at = join(world.repo, ".git", name);
  await rm(at, { recursive: true, force: true });
  await mkdir(dirname(at), { recursive: true });
  await symlink(target, at);
}

/** A rebase that stopped, as far as `git status` looks. */
async function stoppedRebase(world: GitWorld): Promise<void> {
  await mkdir(join(world.repo, ".git/rebase-merge"), { recursive: true });
  for (const [name, text] of [
    ["head-name", "refs/heads/main\n"],
    ["onto", "main\n"],
    ["interactive", ""],
    ["done", "pick x\n"],
  ] as const)
    await writeFile(join(world.repo, ".git/rebase-merge", name), text);
}

describe("links out of a repository, at any depth", () => {
  type Call = readonly [string, ...string[]];
  const commit: Call = ["commit", "--allow-empty", "-m", "words of mine"];
  const written: readonly (readonly [string, Call])[] = [
    ["logs/HEAD", commit],
    ["logs/refs", commit],
    ["refs/heads", ["branch", "other"]],
    ["objects/info", commit],
    ["worktrees/wt", ["worktree", "add", "wt2"]],
    ["rebase-merge/message", ["rebase", "--continue"]],
    ["modules/sub/logs/HEAD", ["submodule", "update"]],
  ];
  for (const [name, [subcommand, ...args]] of written)
    test(`${name}: a writing call is refused, and nothing is written there`, async () => {
      await using world = await gitWorld();
      await world.git(["pack-refs", "--all"]);
      const outside = join(world.sandbox.root, "outside");
      await mkdir(outside);
      const target = /HEAD|message/.test(name) ? join(world.sandbox.root, "profile") : outside;
      await writeFile(join(world.sandbox.root, "profile"), "mine\n");
      if (name.startsWith("modules/")) {
        await mkdir(join(world.repo, ".git/modules/sub"), { recursive: true });
        await writeFile(join(world.repo, ".git/modules/sub/HEAD"), "ref: refs/heads/main\n");
      }
      await linkTo(world, name, target);
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject(UNSAFE);
      expect(await readFile(join(world.sandbox.root, "profile"), "utf8")).toBe("mine\n");
      expect(await readdir(outside)).toEqual([]);
    });

  test("plain git appends to what a log leads to, so there is something to refuse", async () => {
    await using world = await gitWorld();
    const profile = join(world.sandbox.root, "profile");
    await writeFile(profile, "mine\n");
    await linkTo(world, "logs/HEAD", profile);
    await world.git(commit);
    expect(await readFile(profile, "utf8")).toContain("words of mine");
  });

  const shown: readonly (readonly [string, Call])[] = [
    ["objects/info/alternates", ["log", "-1"]],
    ["shallow", ["log", "-1"]],
    ["packed-refs", ["branch"]],
    ["info/attributes", ["status"]],
    ["rebase-merge/git-rebase-todo", ["status"]],
    ["BISECT_START", ["status"]],
    ["rebase-apply/0001", ["am", "--show-current-patch"]],
  ];
  for (const [name, [subcommand, ...args]] of shown)
    test(`${name}: a call that would show what stands there is refused`, async () => {
      await using world = await gitWorld();
      const secret = join(world.sandbox.root, "secret");
      await writeFile(secret, `${SECRET} a:${SECRET}=b\n${SECRET}\n`);
      if (name.startsWith("rebase-merge")) await stoppedRebase(world);
      await linkTo(world, name, secret);
      for (const git of ["open", "read-only"] as const) {
        if (git === "read-only" && subcommand === "am") continue;
        const toolkit = world.toolkitWith({ git });
        const answer = await toolkit.gitCommand(subcommand, args);
        expect(answer).toMatchObject(UNSAFE);
        expect(JSON.stringify(answer)).not.toContain(SECRET);
      }
    });

  test("plain git status shows the words of such a file, so there is something to refuse", async () => {
    await using world = await gitWorld();
    await writeFile(join(world.sandbox.root, "secret"), `${SECRET}\n`);
    await stoppedRebase(world);
    await linkTo(world, "rebase-merge/git-rebase-todo", join(world.sandbox.root, "secret"));
    expect(await rawGit(world, ["status"])).toContain(SECRET);
  });

  test("hooks and excludes that are kept elsewhere are in the way of nothing", async () => {
    await using world = await gitWorld();
    const elsewhere = join(world.sandbox.root, "dotfiles");
    await mkdir(join(elsewhere, "hooks"), { recursive: true });
    await writeFile(join(elsewhere, "exclude"), "*.swp\n");
    await linkTo(world, "hooks", join(elsewhere, "hooks"));
    await linkTo(world, "info/exclude", join(elsewhere, "exclude"));
    for (const [subcommand, ...args] of [["status"], commit, ["branch", "other"]] as const)
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({ data: { exit_code: 0 } });
  });
});

describe("files that the configuration names", () => {
  for (const [key, subcommand, ...args] of [
    ["core.attributesFile", "status"],
    ["core.attributesFile", "add", "-A"],
    ["mailmap.file", "log", "-1"],
    ["blame.ignoreRevsFile", "blame", "README.md"],
  ] as const)
    test(`${key}: git ${subcommand} is refused if it lies outside of the workspace, also behind a link, and runs if inside`, async () => {
      await using world = await gitWorld();
      const secret = join(world.sandbox.root, "secret");
      await writeFile(secret, `${SECRET} a:${SECRET}=b\n${SECRET} <una@example.com>\n`);
      await symlink(secret, join(world.repo, "link"));
      await writeFile(join(world.repo, "own"), "");
      for (const value of [secret, "../secret", "link", "~/secret"]) {
        await world.git(["config", key, value]);
        const answer = await world.toolkit.gitCommand(subcommand, args);
        expect(answer).toMatchObject(UNSAFE);
        expect(JSON.stringify(answer)).not.toContain(SECRET);
      }
      for (const value of ["own", join(world.repo, "own"), ""]) {
        await world.git(["config", key, value]);
        const answer = await world.toolkit.gitCommand(subcommand, args, { cwd: "." });
        expect(answer).toMatchObject({ data: { exit_code: 0 } });
      }
    });

  test("blame passes over the commits that the repository's own file lists, as plain git does", async () => {
    await using world = await gitWorld();
    const head = await world.sandbox.commit(world.repo, { "README.md": "reformatted\n" });
    await writeFile(join(world.repo, ".git-blame-ignore-revs"), `# formatting\n${head}\n`);
    await world.git(["config", "blame.ignoreRevsFile", ".git-blame-ignore-revs"]);
    for (const cwd of [".", "src"]) {
      const file = cwd === "." ? "README.md" : "app.txt";
      expect(await world.toolkit.gitCommand("blame", [file], { cwd })).toMatchObject({
        data: { exit_code: 0, output: await rawGit(world, ["blame", file], join(world.repo, cwd)) },
      });
    }
  });
});

test("git is refused in the folder of a submodule's repository, whatever version of git would work there", async () => {
  await using world = await gitWorld();
  const trap = await setTrap(join(world.sandbox.root, "traps"));
  for (const name of ["modules/sub", "modules/a/b", "worktrees/wt"]) {
    const folder = join(world.repo, "planted/.git", name);
    await world.git(["init", "-q", "--bare", folder]);
    await world.git(["config", "core.worktree", world.repo], folder);
    await world.git(["config", "filter.x.clean", trap.program], folder);
    for (const cwd of [folder, join(folder, "refs")]) {
      expect(await world.toolkit.gitCommand("status", [], { cwd })).toMatchObject(UNSAFE);
      const command = ["git", "-C", cwd, "status"];
      expect(await world.toolkitWith({ git: "guarded" }).execCommand(".", command)).toMatchObject(UNSAFE);
      expect(await world.toolkit.gitStatusSummary(cwd.slice(world.repo.length + 1))).toMatchObject({
        error: { code: "NOT_GIT_REPOSITORY" },
      });
    }
  }
  expect(await trap.sprung()).toBe(false);
});
