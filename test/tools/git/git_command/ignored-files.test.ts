import { describe, expect, test } from "bun:test";
import { readFile, readlink, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { countingGit, type GitWorld, gitWorld } from "../git-world.ts";

const LOCAL = "TOKEN=only here\n";

interface Made extends GitWorld {
  /** Whether the ignored file is as it was. */
  isKept(): Promise<boolean>;
}

/** `.env` is ignored on main and lies there; `other` has it as a file of its own, `gone` had it and took it out. */
async function withIgnored(): Promise<Made> {
  const world = await gitWorld();
  const { repo, git, sandbox } = world;
  await sandbox.commit(repo, { ".gitignore": ".env\n" });
  await git(["checkout", "-qb", "other"]);
  await writeFiles(repo, { ".env": "tracked\n" });
  await git(["add", "-f", ".env"]);
  await git(["commit", "-qm", "an environment"]);
  await git(["checkout", "-qb", "gone"]);
  await git(["rm", "-q", ".env"]);
  await git(["commit", "-qm", "no environment"]);
  await sandbox.commit(repo, { "later.txt": "later\n" });
  await git(["checkout", "-q", "main"]);
  await sandbox.commit(repo, { "ours.txt": "ours\n" });
  await writeFiles(repo, { ".env": LOCAL });
  const isKept = async () => (await readFile(join(repo, ".env"), "utf8").catch(() => "")) === LOCAL;
  return Object.assign(world, { isKept });
}

/** Remotes outside of the workspace: `o` has all branches, `nowhere` is none. */
async function withRemotes({ git, sandbox }: GitWorld): Promise<void> {
  const at = join(sandbox.root, "o.git");
  await git(["init", "-q", "--bare", at]);
  await git(["remote", "add", "o", at]);
  await git(["remote", "add", "nowhere", join(sandbox.root, "nowhere.git")]);
  await git(["push", "-q", "o", "--all"]);
}

type Step = (world: Made) => Promise<unknown>;

/** A stash of `other`, where the file is tracked. */
const stashed: Step = async ({ repo, git }) => {
  await unlink(join(repo, ".env"));
  await git(["checkout", "-q", "other"]);
  await writeFiles(repo, { ".env": "changed\n" });
  await git(["stash", "-q"]);
  await git(["checkout", "-q", "main"]);
  await writeFiles(repo, { ".env": LOCAL });
};

const onGone: Step = async ({ repo, git }) => {
  await unlink(join(repo, ".env"));
  await git(["checkout", "-q", "gone"]);
  await writeFiles(repo, { ".env": LOCAL });
};

const patch: Step = ({ git }) => git(["format-patch", "-q", "-1", "other"]);

/** A series that stopped in a conflict before it came to the file. */
const stopped =
  (...words: readonly string[]): Step =>
  async ({ repo, git, sandbox }) => {
    await unlink(join(repo, ".env"));
    await git(["checkout", "-qb", "series", "main~1"]);
    await sandbox.commit(repo, { "ours.txt": "theirs\n" });
    await writeFiles(repo, { ".env": "tracked\n" });
    await git(["add", "-f", ".env"]);
    await git(["commit", "-qm", "an environment"]);
    if (words[0] !== "rebase") await git(["checkout", "-q", "main"]);
    await git([...words]).catch(() => "");
    await writeFiles(repo, { ".env": LOCAL, "ours.txt": "resolved\n" });
    await git(["add", "ours.txt"]);
  };

/** Back on main by way of `other`, so that `-` names it; git has not touched the file. */
const cameFromOther: Step = async ({ repo, git }) => {
  await unlink(join(repo, ".env"));
  await git(["checkout", "-q", "other"]);
  await git(["checkout", "-q", "main"]);
  await writeFiles(repo, { ".env": LOCAL });
};

const followsOther: Step = ({ git }) => git(["branch", "-q", "-u", "other"]);

const CALLS: readonly (readonly [words: string, first?: Step])[] = [
  ["merge other"],
  ["merge --squash other"],
  ["merge --no-commit -s resolve other"],
  ["merge -s octopus other"],
  [
    "merge -m x other extra",
    async ({ git, sandbox, repo }) => {
      await git(["checkout", "-qb", "extra"]);
      await sandbox.commit(repo, { "extra.txt": "extra\n" });
      await git(["checkout", "-q", "main"]);
    },
  ],
  ["merge -", cameFromOther],
  ["merge", followsOther],
  // Not `:/environment`: the commit that took the file out says so too, and is the younger one where a second passed between them.
  ["merge :/^an"],
  ["merge FETCH_HEAD", ({ git }) => git(["fetch", "-q", ".", "other"])],
  ["cherry-pick other"],
  ["cherry-pick -n other"],
  ["cherry-pick main..other"],
  ["cherry-pick -", cameFromOther],
  ["revert --no-edit HEAD~1", onGone],
  ["rebase other"],
  ["rebase --apply other"],
  ["rebase --onto other main~1"],
  ["rebase", followsOther],
  ["rebase main other"],
  ["rebase -r main gone"],
  ["pull --no-rebase o other", withRemotes],
  ["pull --rebase o other", withRemotes],
  [
    "pull o other",
    (world) => withRemotes(world).then(() => world.git(["config", "--global", "pull.rebase", "true"])),
  ],
  [
    "pull --ff-only o other",
    (world) => withRemotes(world).then(() => world.git(["reset", "-q", "--hard", "HEAD~1"])),
  ],
  ["stash pop", stashed],
  ["stash apply 0", stashed],
  ["stash branch again", stashed],
  ["bisect start gone~1 main~1", onGone],
  [
    "bisect bad gone~1",
    (world) =>
      onGone(world)
        .then(() => world.git(["bisect", "start"]))
        .then(() => world.git(["bisect", "good", "main~1"])),
  ],
  ["bisect reset other", ({ git }) => git(["bisect", "start"])],
  ["am -3 0001-an-environment.patch", patch],
  ["cherry-pick --continue", stopped("cherry-pick", "main~1..series")],
  ["rebase --continue", stopped("rebase", "main")],
  ["rebase --continue", stopped("rebase", "--apply", "main")],
];

describe("a file that is ignored here and tracked there is not written over", () => {
  for (const [at, [line, first]] of CALLS.entries())
    test(`${at + 1}: git ${line}`, async () => {
      await using world = await withIgnored();
      await first?.(world);
      expect(await world.isKept()).toBe(true);
      const [subcommand = "", ...args] = line.split(" ");
      const at = join(world.repo, ".env");
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({
        status: "denied",
        reason: "policy",
        error: {
          code: "DESTRUCTIVE_BLOCKED",
          message: expect.stringContaining(".env. Move it away first"),
          details: { at },
        },
      });
      expect(await world.isKept()).toBe(true);
      // Without the look git writes over it.
      await world.toolkit.gitCommand(subcommand, args, { allow_destructive: true });
      expect(await world.isKept()).toBe(false);
    }, 30_000);

  for (const line of [
    "checkout other",
    "switch other",
    "checkout -b new other",
    "am 0001-an-environment.patch",
  ])
    test(`git ${line} keeps it by itself`, async () => {
      await using world = await withIgnored();
      await patch(world);
      const [subcommand = "", ...args] = line.split(" ");
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({ status: "success" });
      expect(await world.isKept()).toBe(true);
    });

  test("a folder in place of a file, a file in place of a folder, a link, and a rule that comes along", async () => {
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

  test("where nobody can tell what would be written, as with subtrees and patches from standard input", async () => {
    await using world = await withIgnored();
    await withRemotes(world);
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const words of [
      ["merge", "-s", "subtree", "other"],
      ["merge", "-Xsubtree=src", "other"],
      ["cherry-pick", "--strategy-option=subtree", "other"],
      ["pull", "--no-rebase", "-s", "subtree", "o", "other"],
      ["am", "-3"],
    ])
      for (const answer of [
        await toolkit.gitCommand(words[0] ?? "", words.slice(1)),
        await toolkit.execCommand(".", ["git", ...words], {
          stdin: await world.git(["format-patch", "--stdout", "-1", "other"]),
        }),
      ])
        expect([words, answer]).toMatchObject([words, { error: { code: "DESTRUCTIVE_BLOCKED" } }]);
    await world.git(["config", "--global", "am.threeWay", "true"]);
    await patch(world);
    await toolkit.gitCommand("am", ["0001-an-environment.patch"]);
    expect(await world.isKept()).toBe(true);
  }, 30_000);

  test("through exec_command where git is guarded, and as a service, it is kept as well", async () => {
    await using world = await withIgnored();
    await withRemotes(world);
    const toolkit = world.toolkitWith({ git: "guarded" });
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
            error: { code: "DESTRUCTIVE_BLOCKED", details: { at: join(world.repo, ".env") } },
          },
        ]);
    expect(await toolkit.execCommand(".", ["git", "pull", "nowhere", "main"])).toMatchObject({
      error: { message: expect.stringContaining("nowhere") },
    });
    expect(await toolkit.execCommand(".", ["git", "merge", "--no-edit", "gone"])).toMatchObject({
      status: "success",
      data: { exit_code: 0 },
    });
    expect(await world.isKept()).toBe(true);
  }, 30_000);

  for (const [line, renames] of [
    ["merge other", "ours"],
    ["cherry-pick other", "ours"],
    ["rebase other", "ours"],
    ["rebase other", "theirs"],
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
    ["cherry-pick gone"],
    ["rebase --onto main gone~1 gone"],
    ["pull --no-rebase --no-edit o gone", withRemotes],
    ["revert --no-edit HEAD"],
    [
      "stash apply",
      async ({ repo, git }) => {
        await writeFiles(repo, { "ours.txt": "changed\n" });
        await git(["stash", "-q"]);
      },
    ],
  ];

  for (const [line, first] of CLEAN)
    test(`git ${line}`, async () => {
      await using world = await withIgnored();
      await first?.(world);
      await writeFiles(world.repo, { "node_modules/a/index.js": "x\n" });
      const [subcommand = "", ...args] = line.split(" ");
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({
        status: "success",
        data: { exit_code: 0 },
      });
      expect(await world.isKept()).toBe(true);
    });

  test("a file that was taken out here, and that the other side still has as it was, stays and is merged", async () => {
    await using world = await gitWorld();
    const { repo, git, sandbox } = world;
    await sandbox.commit(repo, { "dist/app.js": "built\n" });
    await git(["checkout", "-qb", "other"]);
    await sandbox.commit(repo, { "other.txt": "other\n" });
    await git(["checkout", "-q", "main"]);
    await git(["rm", "-q", "-r", "--cached", "dist"]);
    await sandbox.commit(repo, { ".gitignore": "dist\n" });
    await writeFiles(repo, { "dist/app.js": "built again\n" });
    await withRemotes(world);
    for (const words of [
      ["pull", "--no-rebase", "--no-edit", "o", "other"],
      ["cherry-pick", "other"],
    ])
      expect(await world.toolkit.gitCommand(words[0] ?? "", words.slice(1))).toMatchObject({
        status: "success",
      });
    expect(await readFile(join(repo, "dist/app.js"), "utf8")).toBe("built again\n");
  });

  test("what git says of a commit that is not there, and of a remote that does not answer, is its own", async () => {
    await using world = await withIgnored();
    await withRemotes(world);
    for (const [subcommand, ...args] of [
      ["merge", "nowhere"],
      ["cherry-pick", "nowhere"],
      ["rebase", "nowhere"],
      ["stash", "pop"],
      ["pull", "nowhere", "main"],
    ] as const)
      expect([subcommand, await world.toolkit.gitCommand(subcommand, args)]).toMatchObject([
        subcommand,
        {
          status: "success",
          data: { exit_code: expect.any(Number), stderr: expect.stringMatching(/nowhere|upstream|No stash/) },
        },
      ]);
  });

  test("git is asked where commits come into the working tree, and nowhere else", async () => {
    await using world = await withIgnored();
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ env: counting.env });
    for (const words of [
      ["add", "-A"],
      ["commit", "--allow-empty", "-m", "x"],
      ["stash"],
      ["merge", "--continue"],
    ])
      await toolkit.gitCommand(words[0] ?? "", words.slice(1));
    expect((await counting.calls()).map(([first]) => first)).toEqual(["add", "commit", "stash", "merge"]);
    await toolkit.gitCommand("merge", ["--no-edit", "gone"]);
    const asked = (await counting.calls()).slice(4).map(([first]) => first);
    expect(asked).toEqual(["cat-file", "merge-base", "diff-tree", "cat-file", "diff-tree", "merge"]);
  });
});

describe("an ignored file of a submodule is not written over", () => {
  /** The submodule stands on a commit in which the file is ignored; the next one has it. */
  async function withModule(): Promise<Made> {
    const world = await gitWorld();
    const module = await world.sandbox.repository("module");
    await world.sandbox.commit(module, { ".gitignore": ".env\n" });
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", module, "lib/sub"]);
    await world.git(["commit", "-qm", "a submodule"]);
    const inner = join(world.repo, "lib/sub");
    await writeFiles(inner, { ".env": "tracked\n" });
    await world.git(["add", "-f", ".env"], inner);
    await world.git(["commit", "-qm", "an environment"], inner);
    await world.git(["commit", "-qam", "the submodule moves on"]);
    await world.git(["branch", "next"]);
    await world.git(["checkout", "-q", "HEAD~1"], inner);
    await writeFiles(inner, { ".env": LOCAL });
    const isKept = async () => (await readFile(join(inner, ".env"), "utf8").catch(() => "")) === LOCAL;
    return Object.assign(world, { isKept });
  }

  test("git submodule update says what is in the way, and updates once it is gone", async () => {
    await using world = await withModule();
    const update = () => world.toolkit.gitCommand("submodule", ["update", "--init"]);
    expect(await update()).toMatchObject({
      data: { exit_code: 128, stderr: expect.stringContaining(".env") },
    });
    expect(await world.isKept()).toBe(true);
    await unlink(join(world.repo, "lib/sub/.env"));
    expect(await update()).toMatchObject({ data: { exit_code: 0 } });
    expect(await readFile(join(world.repo, "lib/sub/.env"), "utf8")).toBe("tracked\n");
  }, 30_000);

  test("what goes into submodules with another command is destructive, as an option and as a setting", async () => {
    await using world = await withModule();
    for (const [subcommand, ...args] of [
      ["submodule", "update", "--checkout"],
      ["submodule", "update", "--merge"],
      ["submodule", "update", "-r"],
      ["checkout", "--recurse-submodules", "next"],
      ["switch", "--recurse-submodules", "next"],
      ["pull", "--recurse-submodules", "origin", "next"],
    ] as const)
      expect([subcommand, args, await world.toolkit.gitCommand(subcommand, args)]).toMatchObject([
        subcommand,
        args,
        { error: { code: "DESTRUCTIVE_BLOCKED" } },
      ]);
    await world.git(["config", "submodule.lib/sub.update", "rebase"]);
    expect(await world.toolkit.gitCommand("submodule", ["update"])).toMatchObject({
      error: { code: "DESTRUCTIVE_BLOCKED", details: { at: "submodule.lib/sub.update" } },
    });
    expect(await world.isKept()).toBe(true);
    expect(
      await world.toolkit.gitCommand("submodule", ["update", "--checkout"], { allow_destructive: true }),
    ).toMatchObject({ data: { exit_code: 0 } });
    expect(await world.isKept()).toBe(false);
  }, 30_000);
});
