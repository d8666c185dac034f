import { describe, expect, test } from "bun:test";
import { appendFile, readFile, readlink, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentToolkit } from "../../../../src/tools/toolkit/create-agent-toolkit.ts";
import { copiedFolder } from "../../../helpers/copied-folder.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { deep } from "../../../helpers/tier.ts";
import { countingGit, type GitWorld, gitWorld } from "../git-world.ts";

const LOCAL = "TOKEN=only here\n";

/** A copy of one repository, in which `.env` is ignored on main and lies there. */
interface Made {
  readonly repo: string;
  readonly toolkit: AgentToolkit;
  readonly guarded: AgentToolkit;
  git(args: readonly string[]): Promise<string>;
  /** Whether the ignored file is as it was. */
  isKept(): Promise<boolean>;
}

/**
 * `other` has `.env` as a file of its own, `gone` had it and took it out. `series` changes what main changed, then adds
 * the file. HEAD came from `other`, which is the upstream, was fetched, and has the newest stash.
 */
async function fill({ sandbox }: GitWorld, folder: string): Promise<void> {
  const repo = join(folder, "work");
  const git = (...args: readonly string[]) => sandbox.git(repo, args);
  const environment = async () => {
    await writeFiles(repo, { ".env": "tracked\n" });
    await git("add", "-f", ".env");
    await git("commit", "-qm", "an environment");
  };
  await sandbox.git(folder, ["init", "-q", "--template=", "work"]);
  await sandbox.commit(repo, { ".gitignore": ".env\n*.patch\n", "src/app.txt": "one\n" });
  await git("checkout", "-qb", "series");
  await sandbox.commit(repo, { "ours.txt": "theirs\n" });
  await environment();
  await git("checkout", "-qb", "other", "main");
  await environment();
  await git("format-patch", "-q", "-1");
  await git("checkout", "-qb", "gone");
  await git("rm", "-q", ".env");
  await git("commit", "-qm", "no environment");
  await sandbox.commit(repo, { "later.txt": "later\n" });
  await git("checkout", "-qb", "extra", "main");
  await sandbox.commit(repo, { "extra.txt": "extra\n" });
  await git("checkout", "-q", "main");
  await sandbox.commit(repo, { "ours.txt": "ours\n" });
  await git("clone", "-q", "--bare", "--template=", ".", "../o.git");
  await git("checkout", "-q", "other");
  await writeFiles(repo, { ".env": "changed\n" });
  await git("stash", "-q");
  await git("checkout", "-q", "main");
  await git("branch", "-q", "-u", "other");
  await git("fetch", "-q", ".", "other");
  await writeFiles(repo, { ".env": LOCAL });
}

let copies = 0;

/** The remote `o` lies beside the workspace and has all branches, `nowhere` is none. */
async function withIgnored(world: GitWorld, first?: Step): Promise<Made> {
  copies += 1;
  const folder = join(world.sandbox.root, `copy-${copies}`);
  await copiedFolder("ignored here, tracked there", folder, (made) => fill(world, made));
  const repo = join(folder, "work");
  const remotes = ["o", "nowhere"].map((name) => `[remote "${name}"]\n\turl = ${join(folder, name)}.git\n`);
  await appendFile(join(repo, ".git/config"), remotes.join(""));
  const git: Made["git"] = (args) => world.sandbox.git(repo, args);
  const made: Made = {
    repo,
    toolkit: world.toolkitWith({ workspaceRoot: repo }),
    guarded: world.toolkitWith({ workspaceRoot: repo, git: "guarded" }),
    git,
    isKept: async () => (await readFile(join(repo, ".env"), "utf8").catch(() => "")) === LOCAL,
  };
  await first?.(made);
  return made;
}

type Step = (made: Made) => Promise<unknown>;

const on =
  (branch: string): Step =>
  async ({ repo, git }) => {
    await unlink(join(repo, ".env"));
    await git(["checkout", "-q", branch]);
    await writeFiles(repo, { ".env": LOCAL });
  };

/** A rebase that stopped in a conflict before it came to the file. */
const stopped =
  (...words: readonly string[]): Step =>
  async ({ repo, git }) => {
    await unlink(join(repo, ".env"));
    await git(["checkout", "-q", "series"]);
    await git(["rebase", ...words, "main"]).catch(() => "");
    await writeFiles(repo, { ".env": LOCAL, "ours.txt": "resolved\n" });
    await git(["add", "ours.txt"]);
  };

const CALLS: readonly (readonly [words: string, first?: Step])[] = [
  ["merge other"],
  ["merge --squash other"],
  ["merge --no-commit -s resolve other"],
  ["merge -s octopus other"],
  ["merge -X no-renames other"],
  ["merge -m x other extra"],
  ["merge -"],
  ["merge"],
  // Not `:/environment`: the commit that took the file out says so too, and may be younger by a second.
  ["merge :/^an"],
  ["merge FETCH_HEAD"],
  ["merge other", ({ git }) => git(["checkout", "-q", "--orphan", "unborn"])],
  ["cherry-pick other"],
  ["cherry-pick -n other"],
  ["cherry-pick main..other"],
  ["cherry-pick -"],
  ["revert --no-edit HEAD~1", on("gone")],
  ["rebase other"],
  ["rebase --apply other"],
  ["rebase --onto other main~1"],
  ["rebase --onto main...other main~1 other"],
  ["rebase --keep-base main other"],
  ["rebase"],
  ["rebase main other"],
  ["rebase -r main gone"],
  ["rebase --root other"],
  ["rebase --continue", stopped()],
  ["rebase --continue", stopped("--apply")],
  ["pull --no-rebase o other"],
  ["pull --rebase o other"],
  ["pull o other", ({ git }) => git(["config", "pull.rebase", "true"])],
  ["pull --ff-only o other", ({ git }) => git(["reset", "-q", "--hard", "HEAD~1"])],
  ["stash pop"],
  ["stash apply 0"],
  ["stash branch again"],
];

const call = ({ toolkit }: Pick<Made, "toolkit">, line: string, options = {}) => {
  const [subcommand = "", ...args] = line.split(" ");
  return toolkit.gitCommand(subcommand, args, options);
};

describe("a file that is ignored here and tracked there is not written over", () => {
  test(deep("by any spelling of a call that would do it, which git itself would let through"), async () => {
    await using world = await gitWorld();
    const shared = await withIgnored(world);
    for (const [at, [line, first]] of CALLS.entries()) {
      const made = first === undefined ? shared : await withIgnored(world, first);
      expect([at, line, await call(made, line)]).toMatchObject([
        at,
        line,
        {
          status: "denied",
          reason: "policy",
          error: {
            code: "DESTRUCTIVE_BLOCKED",
            message: expect.stringContaining(".env. Move it away first"),
            details: { at: join(made.repo, ".env") },
          },
        },
      ]);
      expect([at, line, await made.isKept()]).toEqual([at, line, true]);
      const mine = first === undefined ? await withIgnored(world) : made;
      await call(mine, line, { allow_destructive: true });
      expect([at, line, await mine.isKept()]).toEqual([at, line, false]);
    }
  }, 120_000);

  test("by checkout, switch and am, which keep it by themselves", async () => {
    await using world = await gitWorld();
    const made = await withIgnored(world);
    for (const line of [
      "checkout other",
      "switch other",
      "checkout -b new other",
      "am 0001-an-environment.patch",
    ]) {
      expect([line, await call(made, line)]).toMatchObject([
        line,
        { status: "success", data: { stderr: expect.stringMatching(/\.env/) } },
      ]);
      expect([line, await made.isKept()]).toEqual([line, true]);
    }
  }, 30_000);

  test("a folder in place of a file, a file in place of a folder, a link, and a new rule", async () => {
    await using world = await gitWorld();
    const { repo, git, sandbox } = world;
    await sandbox.commit(repo, { ".gitignore": "cache\nout\nlink\ndeep\n" });
    await git(["checkout", "-qb", "other"]);
    await writeFiles(repo, { "cache/x": "x\n", out: "a file\n", "link/x": "x\n", "deep/er/file": "x\n" });
    await git(["add", "-f", "cache", "out", "link", "deep"]);
    await git(["commit", "-qm", "all of them"]);
    await git(["checkout", "-qb", "unruly", "main"]);
    await sandbox.commit(repo, { ".gitignore": "*.txt\n" });
    await writeFiles(repo, { "notes.txt": "theirs\n" });
    await git(["add", "-f", "notes.txt"]);
    await git(["commit", "-qm", "a rule, then what it hides"]);
    await git(["checkout", "-q", "main"]);
    const mine = { cache: "mine\n", "out/mine": "mine\n", "deep/er/file": "mine\n", "notes.txt": "mine\n" };
    await writeFiles(repo, mine);
    await symlink("cache", join(repo, "link"));
    const answer = await world.toolkit.gitCommand("merge", ["other"]);
    expect(answer).toMatchObject({ error: { code: "DESTRUCTIVE_BLOCKED" } });
    for (const path of ["cache", "out/mine", "link", "deep/er/file"])
      expect(JSON.stringify(answer)).toContain(path);
    expect(await world.toolkit.gitCommand("rebase", ["unruly"])).toMatchObject({
      error: { code: "DESTRUCTIVE_BLOCKED", message: expect.stringContaining("notes.txt") },
    });
    for (const [path, text] of Object.entries(mine))
      expect(await readFile(join(repo, path), "utf8")).toBe(text);
    expect(await readlink(join(repo, "link"))).toBe("cache");
  });

  test("if it cannot be known what would be written, as with subtrees", async () => {
    await using world = await gitWorld();
    const { toolkit, guarded, isKept } = await withIgnored(world);
    for (const line of [
      "merge -s subtree other",
      "merge -Xsubtree=src other",
      "cherry-pick --strategy-option=subtree other",
      "pull --no-rebase -s subtree o other",
    ])
      for (const answer of [
        await call({ toolkit }, line),
        await guarded.execCommand(".", ["git", ...line.split(" ")]),
      ])
        expect([line, answer]).toMatchObject([line, { error: { code: "DESTRUCTIVE_BLOCKED" } }]);
    expect(await isKept()).toBe(true);
  }, 30_000);

  test("by am, whatever am.threeWay is set to", async () => {
    await using world = await gitWorld();
    const made = await withIgnored(world);
    await made.git(["config", "--global", "am.threeWay", "true"]);
    await call(made, "am 0001-an-environment.patch");
    expect(await made.isKept()).toBe(true);
  });

  test("through exec_command where git is guarded, and as a service, it is kept as well", async () => {
    await using world = await gitWorld();
    const { repo, guarded: toolkit, isKept } = await withIgnored(world);
    for (const command of [
      ["git", "merge", "other"],
      ["git", "-C", "src", "cherry-pick", "other"],
      ["env", "LANG=C", "git", "pull", "--no-rebase", "o", "other"],
      ["timeout", "20", "git", "rebase", "other"],
    ])
      for (const answer of [
        await toolkit.execCommand(".", command),
        await toolkit.spawnService({ name: "git", command }),
      ])
        expect([command, answer]).toMatchObject([
          command,
          {
            status: "denied",
            error: { code: "DESTRUCTIVE_BLOCKED", details: { at: join(repo, ".env") } },
          },
        ]);
    expect(await toolkit.execCommand(".", ["git", "pull", "nowhere", "main"])).toMatchObject({
      error: { message: expect.stringContaining("nowhere") },
    });
    expect(await toolkit.execCommand(".", ["git", "merge", "--no-edit", "gone"])).toMatchObject({
      status: "success",
      data: { exit_code: 0 },
    });
    expect(await isKept()).toBe(true);
  }, 30_000);

  for (const [line, renames] of [
    ["merge other", "ours"],
    ["merge other", "theirs"],
  ] as const)
    test(`git ${line}, which moves what one side added into the folder as the other side (${renames}) has renamed it`, async () => {
      await using world = await gitWorld();
      const { repo, git, sandbox } = world;
      await sandbox.commit(repo, {
        "conf/a/one": "1\n2\n3\n",
        "conf/a/two": "4\n5\n6\n",
        ".gitignore": "local\n",
      });
      await git(["branch", "other"]);
      const rename = () => git(["mv", "conf", "settings"]);
      const add = async () => {
        await writeFiles(repo, { "conf/a/local": "tracked\n" });
        await git(["add", "-f", "conf/a/local"]);
      };
      const [mine, theirs] = renames === "ours" ? [rename, add] : [add, rename];
      await mine();
      await git(["commit", "-qm", "on main"]);
      await git(["checkout", "-q", "other"]);
      await theirs();
      await git(["commit", "-qm", "on other"]);
      await git(["checkout", "-q", "main"]);
      await writeFiles(repo, { "settings/a/local": LOCAL });
      const [subcommand = "", ...args] = line.split(" ");
      const local = join(repo, "settings/a/local");
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({
        error: { code: "DESTRUCTIVE_BLOCKED", details: { at: local } },
      });
      expect(await readFile(local, "utf8")).toBe(LOCAL);
      await world.toolkit.gitCommand(subcommand, args, { allow_destructive: true });
      expect(await readFile(local, "utf8")).not.toBe(LOCAL);
    }, 30_000);

  for (const side of ["main", "other"] as const)
    test(`git merge of a folder with a file of that name, where ${side} has the file`, async () => {
      await using world = await gitWorld();
      const { repo, git, sandbox } = world;
      await sandbox.commit(repo, { thing: "before\n", ".gitignore": "*~*\n" });
      await git(["branch", "other"]);
      await git(["checkout", "-q", side]);
      await sandbox.commit(repo, { thing: "changed\n" });
      await git(["checkout", "-q", side === "main" ? "other" : "main"]);
      await git(["rm", "-q", "thing"]);
      await sandbox.commit(repo, { "thing/x": "x\n" });
      await git(["checkout", "-q", "main"]);
      const local = join(repo, side === "main" ? "thing~HEAD" : "thing~other");
      await writeFile(local, LOCAL);
      expect(await world.toolkit.gitCommand("merge", ["other"])).toMatchObject({
        error: { code: "DESTRUCTIVE_BLOCKED", details: { at: local } },
      });
      await world.toolkit.gitCommand("merge", ["other"], { allow_destructive: true });
      expect(await readFile(local, "utf8")).not.toBe(LOCAL);
    }, 30_000);

  test("a message names five paths, and says how many more there are", async () => {
    await using world = await gitWorld();
    const { repo, git, sandbox } = world;
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.o`, `${at}\n`]));
    await git(["checkout", "-qb", "other"]);
    await sandbox.commit(repo, files);
    await git(["checkout", "-q", "main"]);
    await sandbox.commit(repo, { ".gitignore": "*.o\n" });
    await writeFiles(repo, files);
    expect(await world.toolkit.gitCommand("merge", ["other"])).toMatchObject({
      error: { message: expect.stringContaining("0.o, 1.o, 2.o, 3.o, 4.o and 3 more") },
    });
  });
});

describe("what writes over nothing goes on as before", () => {
  const CLEAN: readonly (readonly [words: string, first?: Step])[] = [
    ["merge --no-edit gone"],
    ["merge --no-edit -s resolve gone"],
    ["cherry-pick gone"],
    ["rebase --onto main gone~1 gone"],
    ["pull --no-rebase --no-edit o gone"],
    ["revert --no-edit HEAD"],
    [
      "stash apply",
      async ({ repo, git }) => {
        await writeFiles(repo, { "ours.txt": "changed\n" });
        await git(["stash", "-q"]);
      },
    ],
  ];

  test("by any of these calls", async () => {
    await using world = await gitWorld();
    for (const [line, first] of CLEAN) {
      const made = await withIgnored(world, first);
      await writeFiles(made.repo, { "node_modules/a/index.js": "x\n" });
      expect([line, await call(made, line)]).toMatchObject([
        line,
        { status: "success", data: { exit_code: 0 } },
      ]);
      expect([line, await made.isKept()]).toEqual([line, true]);
    }
  }, 60_000);

  test("a file that was taken out here, and is unchanged on the other side, stays and is merged", async () => {
    await using world = await gitWorld();
    const { repo, git, sandbox } = world;
    await sandbox.commit(repo, { "dist/app.js": "built\n" });
    await git(["checkout", "-qb", "other"]);
    await sandbox.commit(repo, { "other.txt": "other\n" });
    await git(["checkout", "-q", "main"]);
    await git(["rm", "-q", "-r", "--cached", "dist"]);
    await sandbox.commit(repo, { ".gitignore": "dist\n" });
    await writeFiles(repo, { "dist/app.js": "built again\n" });
    const origin = join(world.sandbox.root, "o.git");
    await git(["clone", "-q", "--bare", ".", origin]);
    await git(["remote", "add", "o", origin]);
    for (const line of ["pull --no-rebase --no-edit o other", "cherry-pick other"])
      expect([line, await call(world, line)]).toMatchObject([line, { status: "success" }]);
    expect(await readFile(join(repo, "dist/app.js"), "utf8")).toBe("built again\n");
  });

  test("of a missing commit, and of a remote that does not answer, git's own words are passed on", async () => {
    await using world = await gitWorld();
    const made = await withIgnored(world, ({ git }) => git(["stash", "clear"]));
    for (const line of [
      "merge nowhere",
      "cherry-pick nowhere",
      "rebase nowhere",
      "stash pop",
      "pull nowhere main",
    ])
      expect([line, await call(made, line)]).toMatchObject([
        line,
        {
          status: "success",
          data: { exit_code: expect.any(Number), stderr: expect.stringMatching(/nowhere|upstream|No stash/) },
        },
      ]);
  });

  test("git is asked where commits come into the working tree, and nowhere else", async () => {
    await using world = await gitWorld();
    const { repo: workspaceRoot } = await withIgnored(world);
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ workspaceRoot, env: counting.env });
    for (const line of ["add -A", "commit --allow-empty -m x", "stash", "checkout main", "merge --continue"])
      await call({ toolkit }, line);
    const firsts = (await counting.calls()).map(([first]) => first);
    expect(firsts).toEqual(["add", "commit", "stash", "checkout", "merge"]);
    await call({ toolkit }, "merge --no-edit gone");
    const asked = (await counting.calls()).slice(firsts.length).map(([first]) => first);
    expect(asked.slice(0, -1).sort()).toEqual([
      "cat-file",
      "diff-tree",
      "diff-tree",
      "merge-base",
      "merge-tree",
    ]);
    expect(asked.at(-1)).toBe("merge");
  });
});

describe("submodules", () => {
  test("git submodule update brings them up to date; what goes into them with another command is destructive", async () => {
    await using world = await gitWorld();
    const module = await world.sandbox.repository("module");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", module, "lib/sub"]);
    await world.git(["commit", "-qm", "a submodule"]);
    const inner = join(world.repo, "lib/sub");
    await world.sandbox.commit(inner, { "new.txt": "new\n" });
    await world.git(["commit", "-qam", "the submodule moves on"]);
    await world.git(["branch", "next"]);
    await world.git(["checkout", "-q", "HEAD~1"], inner);
    for (const line of [
      "submodule update --checkout",
      "submodule update --merge",
      "submodule update -r",
      "checkout --recurse-submodules next",
      "switch --recurse-submodules next",
      "pull --recurse-submodules origin next",
    ])
      expect([line, await call(world, line)]).toMatchObject([
        line,
        { error: { code: "DESTRUCTIVE_BLOCKED" } },
      ]);
    expect(await call(world, "submodule update --init")).toMatchObject({ data: { exit_code: 0 } });
    expect(await readFile(join(inner, "new.txt"), "utf8")).toBe("new\n");
  }, 30_000);
});
