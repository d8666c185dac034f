import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { isDestructive } from "../../../../src/lib.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { deep } from "../../../helpers/tier.ts";
import { type GitWorld, gitWorld } from "../git-world.ts";

const BLOCKED = { status: "denied", error: { code: "DESTRUCTIVE_BLOCKED" } };
const DONE = { status: "success", data: { exit_code: 0 } };

/** Through both doors; `allow` goes to `git_command` alone. */
async function bothDoors(world: GitWorld, [subcommand = "", ...args]: readonly string[]) {
  const toolkit = world.toolkitWith({ git: "guarded" });
  return [
    await toolkit.gitCommand(subcommand, args),
    await toolkit.execCommand(".", ["git", subcommand, ...args]),
  ];
}

describe("git worktree remove NAME", () => {
  test("is destructive, and removes a worktree of the workspace once it is allowed", async () => {
    await using world = await gitWorld();
    await world.git(["worktree", "add", "-q", "wt"]);
    for (const answer of await bothDoors(world, ["worktree", "remove", "wt"]))
      expect(answer).toMatchObject(BLOCKED);
    expect(
      await world.toolkit.gitCommand("worktree", ["remove", "wt"], { allow_destructive: true }),
    ).toMatchObject(DONE);
    expect(await Bun.file(join(world.repo, "wt/README.md")).exists()).toBe(false);
  });

  test("never reaches a worktree outside of the workspace, though git finds it by the end of its path", async () => {
    await using world = await gitWorld();
    const outside = join(world.sandbox.root, "elsewhere/wt");
    await mkdir(join(world.sandbox.root, "elsewhere"));
    await world.git(["worktree", "add", "-q", "-b", "wt", outside]);
    await mkdir(join(world.repo, "wt"));
    for (const name of ["wt", "elsewhere/wt", "wt/"])
      for (const verb of [["remove"], ["remove", "--force"], ["lock"], ["unlock"]])
        expect([
          name,
          verb,
          await world.toolkit.gitCommand("worktree", [...verb, name], { allow_destructive: true }),
        ]).toMatchObject([name, verb, { status: "denied", error: { code: "OUTSIDE_WORKSPACE" } }]);
    expect(await Bun.file(join(outside, "README.md")).exists()).toBe(true);
  });
});

/** A patch of which one hunk fits nowhere. */
async function withPatch(): Promise<GitWorld> {
  const world = await gitWorld();
  await writeFiles(world.repo, {
    "the.patch": "--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1,3 +1,3 @@\n-not there\n+ONE\n two\n three\n",
    "mail.patch":
      "From 0 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.com>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] x\n\n---\n--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1,3 +1,3 @@\n-not there\n+ONE\n two\n three\n-- \n2.39\n",
  });
  return world;
}

describe("--reject", () => {
  for (const [words, patch] of [
    [["apply", "--reject"], "the.patch"],
    [["am", "--reject"], "mail.patch"],
  ] as const)
    test(`git ${words.join(" ")} needs allow_destructive, as git writes over a file .rej without asking`, async () => {
      await using world = await withPatch();
      const [subcommand, ...args] = [...words, patch];
      const rejected = join(world.repo, "src/app.txt.rej");
      await writeFiles(world.repo, { "src/app.txt.rej": "precious\n" });
      for (const answer of await bothDoors(world, [subcommand, ...args]))
        expect(answer).toMatchObject(BLOCKED);
      expect(await readFile(rejected, "utf8")).toBe("precious\n");
      await world.toolkit.gitCommand(subcommand, args, { allow_destructive: true });
      expect(await readFile(rejected, "utf8")).toContain("-not there");
    });
});

describe("git am FOLDER", () => {
  test("reads no mail that is a link out of the workspace, nor a folder of mails that is one", async () => {
    await using world = await withPatch();
    const secret = join(world.sandbox.root, "secret");
    await writeFiles(world.sandbox.root, { secret: "hunter2\n", "mails/1": "hunter2\n" });
    await writeFiles(world.repo, { "box/cur/.keep": "", "other/new/.keep": "" });
    await symlink(secret, join(world.repo, "box/cur/1"));
    await symlink(join(world.sandbox.root, "mails"), join(world.repo, "other/cur"));
    for (const folder of ["box", "./box/", "other", join(world.repo, "box")])
      for (const answer of await bothDoors(world, ["am", folder])) {
        expect([folder, answer]).toMatchObject([
          folder,
          { status: "denied", reason: "sandbox", error: { code: "OUTSIDE_WORKSPACE" } },
        ]);
        expect(JSON.stringify(answer)).not.toContain("hunter2");
      }
  });

  test("applies the mails of a folder in the workspace", async () => {
    await using world = await gitWorld();
    await world.sandbox.commit(world.repo, { "new.txt": "new\n" }, "a mail");
    const mail = await world.git(["format-patch", "--stdout", "-1"]);
    await world.git(["reset", "-q", "--hard", "HEAD~1"]);
    await writeFiles(world.repo, { "box/cur/1": mail, "box/new/.keep": "" });
    expect(await world.toolkit.gitCommand("am", ["box"])).toMatchObject(DONE);
    expect(await world.git(["log", "-1", "--format=%s"])).toContain("a mail");
  });
});

test(
  deep(
    "read-only: a destructive form answers READ_ONLY, whatever is allowed; listing verbs run, and no person is asked",
  ),
  async () => {
    await using world = await gitWorld();
    await midwayTwice(world);
    const asked: string[] = [];
    const confirm = ({ subcommand, args }: { subcommand: string; args: readonly string[] }) => {
      asked.push([subcommand, ...args].join(" "));
      return false;
    };
    const narrow = [
      world.toolkitWith({ writeScope: "read-only", confirm }),
      world.toolkitWith({ git: "read-only", confirm }),
    ];
    for (const toolkit of narrow) {
      for (const [subcommand = "", ...args] of [
        ["reset", "--hard"],
        ["push", "--force"],
        ["branch", "-D", "main"],
        ["clean", "-fdx"],
        ["stash", "clear"],
        ["remote", "set-url", "origin", "https://example.invalid/x"],
        ["reflog", "expire", "--all"],
      ])
        for (const allow_destructive of [false, true])
          expect([
            subcommand,
            await toolkit.gitCommand(subcommand, args, { allow_destructive }),
          ]).toMatchObject([subcommand, { status: "denied", error: { code: "READ_ONLY" } }]);
      for (const [subcommand = "", ...args] of [
        ["stash", "list"],
        ["worktree", "list"],
        ["notes"],
        ["notes", "list"],
        ["submodule", "status"],
        ["submodule"],
        ["bisect", "log"],
        ["bisect", "terms"],
        ["rebase", "--show-current-patch"],
      ])
        expect([subcommand, await toolkit.gitCommand(subcommand, args)]).toMatchObject([subcommand, DONE]);
    }
    expect(asked).toEqual([]);
  },
);

test("isDestructive does not throw at arguments that are none", () => {
  const odd = isDestructive as (subcommand: unknown, args?: unknown) => boolean;
  expect([odd("push", null), odd("push"), odd("push", "--force"), odd(null, null), odd("push", [7])]).toEqual(
    Array(5).fill(false),
  );
  expect(odd("push", ["--force"])).toBe(true);
});

/** A bisection and a rebase go on in it. */
async function midwayTwice(world: GitWorld): Promise<void> {
  const { repo, sandbox } = world;
  await world.git(["switch", "-q", "-c", "mine"]);
  await sandbox.commit(repo, { "README.md": "mine\n" }, "mine");
  await world.git(["switch", "-q", "main"]);
  await sandbox.commit(repo, { "README.md": "theirs\n" }, "theirs");
  await world.git(["bisect", "start", "HEAD", "HEAD~1"]);
  await world.git(["rebase", "main", "mine"]).catch(() => "");
}
