import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { countingGit, type GitWorld, gitWorld, setTrap } from "../git-world.ts";

/** A file in conflict whose working copy holds what is nowhere else, and a submodule with an ignored file. */
async function withUnguarded(options: { readonly indexArgs?: readonly string[] } = {}): Promise<GitWorld> {
  const world = await gitWorld();
  const module = await world.sandbox.repository("module");
  await world.sandbox.commit(module, { ".gitignore": "kept.txt\n" });
  await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", module, "lib/sub"]);
  await world.git(["commit", "-qm", "a submodule"]);
  await world.git(["checkout", "-q", "-b", "other"]);
  await world.sandbox.commit(world.repo, { "src/app.txt": "theirs\n" });
  await world.git(["checkout", "-q", "main"]);
  await world.sandbox.commit(world.repo, { "src/app.txt": "ours\n" });
  await world.git(["merge", "-q", "other"]).catch(() => "");
  await writeFiles(world.repo, { "src/app.txt": "resolved by hand\n", "lib/sub/kept.txt": "precious\n" });
  if (options.indexArgs !== undefined) await world.git(["update-index", ...options.indexArgs]);
  return world;
}

async function whatIsLeft({ repo }: GitWorld): Promise<readonly (string | null)[]> {
  const files = ["src/app.txt", "lib/sub/kept.txt"].map((path) => Bun.file(join(repo, path)));
  return Promise.all(files.map(async (file) => ((await file.exists()) ? file.text() : null)));
}

const KEPT = ["resolved by hand\n", "precious\n"];

describe("git rm does not delete what is only there", () => {
  const CALLS: readonly (readonly [cwd: string, ...args: readonly string[]])[] = [
    [".", "src/app.txt"],
    [".", "-r", "src"],
    [".", "-r", "."],
    [".", "*.txt"],
    [".", ":/src/app.txt"],
    ["src", "app.txt"],
    ["src", "../src/app.txt"],
    [".", "lib/sub"],
    [".", "-r", "lib"],
    ["lib", "sub"],
    [".", "--cached", "--no-cached", "src/app.txt"],
    [".", "--pathspec-from-file=list"],
  ];

  test("a file in conflict and a submodule survive without allow_destructive, through git_command", async () => {
    await using world = await withUnguarded();
    await writeFiles(world.repo, { list: "src/app.txt\n" });
    for (const [cwd, ...args] of CALLS)
      expect([args, await world.toolkit.gitCommand("rm", args, { cwd })]).toMatchObject([
        args,
        { status: "denied", error: { code: "DESTRUCTIVE_BLOCKED" } },
      ]);
    expect(await whatIsLeft(world)).toEqual(KEPT);
  });

  for (const indexArgs of [["--index-version=4"], ["--split-index"]])
    test(`also if the index was written with ${indexArgs}`, async () => {
      await using world = await withUnguarded({ indexArgs });
      for (const path of ["src/app.txt", "lib/sub"])
        expect(await world.toolkit.gitCommand("rm", [path])).toMatchObject({
          error: { code: "DESTRUCTIVE_BLOCKED" },
        });
      expect(await whatIsLeft(world)).toEqual(KEPT);
    });

  test("and through exec_command if git is guarded, by any way into the folder", async () => {
    await using world = await withUnguarded();
    await writeFiles(world.repo, { list: "src/app.txt\n" });
    await symlink("src", join(world.repo, "link"));
    const toolkit = world.toolkitWith({ git: "guarded" });
    const commands = [
      ...CALLS.map(([cwd, ...args]) => ["git", "-C", cwd, "rm", ...args]),
      ["git", "rm", "src/app.txt"],
      ["env", "-C", "src", "git", "rm", "app.txt"],
      ["git", "-C", "link", "rm", "app.txt"],
      ["git", "-C", "link", "rm", "../lib/sub"],
      ["git", "--icase-pathspecs", "rm", "SRC/APP.TXT"],
      ["git-rm", "src/app.txt"],
    ];
    for (const command of commands)
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "denied", error: { code: "DESTRUCTIVE_BLOCKED" } },
      ]);
    expect(await whatIsLeft(world)).toEqual(KEPT);
  });

  test("other files go, --cached keeps the file, and allow_destructive opens it", async () => {
    await using world = await withUnguarded();
    const gone = { status: "success", data: { exit_code: 0 } };
    expect(await world.toolkit.gitCommand("rm", ["README.md"])).toMatchObject(gone);
    expect(await world.toolkit.gitCommand("rm", ["--cached", "src/app.txt"])).toMatchObject(gone);
    expect(await whatIsLeft(world)).toEqual(KEPT);
    expect(
      await world.toolkit.gitCommand("rm", ["-f", "lib/sub"], { allow_destructive: true }),
    ).toMatchObject(gone);
    expect(await whatIsLeft(world)).toEqual(["resolved by hand\n", null]);
  });

  test("it costs no process of its own", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    await world.toolkitWith({ env: counting.env }).gitCommand("rm", ["README.md"]);
    expect(await counting.calls()).toEqual([["rm", "README.md"]]);
  });
});

describe("paths that git takes from the top of the repository", () => {
  const SECRET = "hunter2-and-more";

  /** The workspace is a folder of a larger repository, in which secrets lie beside it. */
  async function inside(): Promise<GitWorld> {
    const world = await gitWorld();
    await writeFiles(world.repo, { secret: `${SECRET}\n`, "src/inner/own": "own\n" });
    const other = await world.sandbox.repository("work/neighbour");
    await world.sandbox.commit(other, { [`${SECRET}.txt`]: SECRET }, SECRET);
    return world;
  }

  test("a file or repository above the workspace is neither read nor shown by a message", async () => {
    await using world = await inside();
    const workspaceRoot = join(world.repo, "src");
    const toolkit = world.toolkitWith({ workspaceRoot, git: "guarded" });
    for (const cwd of [".", "inner"])
      for (const [subcommand = "", ...args] of [
        ["blame", "--contents", "secret", "app.txt"],
        ["blame", "--contents=./secret", "app.txt"],
        ["blame", "--ignore-revs-file", "secret", "app.txt"],
        ["blame", "-S", "secret", "app.txt"],
        ["blame", "-Ssecret", "app.txt"],
        ["ls-files", "-o", "-X", "secret"],
        ["ls-files", "-o", "--exclude-from=secret"],
        ["notes", "add", "-F", "secret"],
        ["notes", "append", "--file=secret"],
        ["fetch", "neighbour"],
        ["fetch", "./neighbour"],
        ["pull", "neighbour", "main"],
        ["push", "neighbour", "HEAD:refs/heads/x"],
        ["remote", "show", "neighbour"],
        ["remote", "add", "x", "./neighbour"],
      ]) {
        const code = /^(fetch|pull|push|remote)$/.test(subcommand) ? "UNSAFE_URL" : "OUTSIDE_WORKSPACE";
        const answers = [
          await toolkit.gitCommand(subcommand, args, { cwd }),
          await toolkit.execCommand(cwd, ["git", subcommand, ...args]),
          await toolkit.execCommand(".", ["git", "-C", cwd, subcommand, ...args]),
        ];
        for (const answer of answers)
          expect([subcommand, ...args, answer]).toMatchObject([
            subcommand,
            ...args,
            { status: "denied", error: { code } },
          ]);
        expect(JSON.stringify(answers)).not.toContain(SECRET);
      }
    expect(await world.git(["notes", "list"])).toBe("");
  });

  test("plain git reads them there, so there is something to refuse", async () => {
    await using world = await inside();
    const shown = await world.git(["blame", "--contents", "secret", "app.txt"], join(world.repo, "src"));
    expect(shown).toContain(SECRET);
  });

  test("absolute paths, names of remotes, and all paths if the workspace is the top, stay allowed", async () => {
    await using world = await inside();
    const src = join(world.repo, "src");
    const toolkit = world.toolkitWith({ workspaceRoot: src });
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await writeFiles(world.repo, { "src/words": "one\ntwo\nthree\n" });
    for (const [subcommand = "", ...args] of [
      ["blame", "--contents", join(src, "words"), "app.txt"],
      ["fetch", "origin"],
      ["remote", "show", "origin"],
      ["commit", "--allow-empty", "-F", "words"],
      ["ls-files", "-o", "--exclude-per-directory=.gitignore"],
    ])
      expect([subcommand, await toolkit.gitCommand(subcommand, args)]).toMatchObject([
        subcommand,
        { status: "success", data: { exit_code: 0 } },
      ]);
    expect(await world.toolkit.gitCommand("blame", ["--contents", "src/words", "src/app.txt"])).toMatchObject(
      { status: "success", data: { exit_code: 0 } },
    );
  });
});

describe("a folder of git's own is no place for files", () => {
  test("nothing is moved or made there through a link; the hook never runs", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    await writeFiles(world.repo, { hook: `#!/bin/sh\n'${trap.program}' </dev/null\n` });
    await chmod(join(world.repo, "hook"), 0o755);
    await symlink(".git/hooks", join(world.repo, "hooks"));
    await symlink(".git", join(world.repo, "dot"));
    await mkdir(join(world.repo, ".git/hooks"), { recursive: true });
    await world.git(["add", "-A"]);
    await world.git(["commit", "-qm", "a hook among the files"]);
    const toolkit = world.toolkitWith({ git: "guarded", gitExtras: { hooks: "run" } });
    for (const [subcommand = "", ...args] of [
      ["mv", "hook", "hooks/pre-commit"],
      ["mv", "hook", "hooks/"],
      ["mv", "hook", "dot/hooks/pre-commit"],
      ["mv", "dot/HEAD", "stolen"],
      ["worktree", "add", "-b", "b1", "dot/made"],
      ["worktree", "add", "-b", "b2", "hooks/made"],
      ["init", "dot/made"],
      ["clone", "https://example.invalid/x", "dot/made"],
    ])
      for (const answer of [
        await toolkit.gitCommand(subcommand, args, { allow_destructive: true }),
        await toolkit.execCommand(".", ["git", subcommand, ...args]),
      ])
        expect([subcommand, ...args, answer]).toMatchObject([
          subcommand,
          ...args,
          { status: "denied", reason: "policy", error: { code: "GIT_DIRECTORY" } },
        ]);
    // What git itself does not follow.
    const patch = "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+x\n";
    await writeFile(join(world.repo, "the.patch"), patch);
    for (const [subcommand = "", ...args] of [
      ["apply", "--directory=hooks", "the.patch"],
      ["add", "hooks/pre-commit"],
      ["rm", "hooks/pre-commit"],
    ])
      await toolkit.gitCommand(subcommand, args, { allow_destructive: true });
    const planted = (await readdir(join(world.repo, ".git/hooks"))).filter(
      (name) => !name.endsWith(".sample"),
    );
    expect(planted).toEqual([]);
    expect(await toolkit.gitCommand("commit", ["--allow-empty", "-m", "x"])).toMatchObject({
      data: { exit_code: 0 },
    });
    expect(await trap.sprung()).toBe(false);
  });

  test("a bare repository inside the workspace is such a folder, and files of git may be read", async () => {
    await using world = await gitWorld();
    await world.sandbox.origin("work/inside.git");
    expect(await world.toolkit.gitCommand("mv", ["README.md", "inside.git/hooks/update"])).toMatchObject({
      error: { code: "GIT_DIRECTORY" },
    });
    await writeFile(join(world.repo, ".git/COMMIT_EDITMSG"), "the words of before\n");
    expect(
      await world.toolkit.gitCommand("commit", ["--allow-empty", "-F", ".git/COMMIT_EDITMSG"]),
    ).toMatchObject({ status: "success", data: { exit_code: 0 } });
    await rm(join(world.repo, "inside.git"), { recursive: true });
  });
});

describe("files that git was told to take for unchanged keep their changes", () => {
  type Told = (world: GitWorld) => Promise<unknown>;
  const rows: readonly (readonly [string, Told])[] = [
    ["--assume-unchanged", ({ git }) => git(["update-index", "--assume-unchanged", "src/app.txt"])],
    [
      "--assume-unchanged in a split index",
      async ({ git }) => {
        await git(["update-index", "--split-index"]);
        await git(["update-index", "--assume-unchanged", "src/app.txt"]);
      },
    ],
    [
      "core.ignoreStat",
      async ({ repo, git }) => {
        await git(["config", "core.ignoreStat", "true"]);
        await rm(join(repo, ".git/index"));
        await git(["reset", "-q", "--hard"]);
      },
    ],
  ];
  const losing = [
    ["rm", "src/app.txt"],
    ["rm", "-r", "src"],
    ["stash"],
    ["stash", "-u"],
    ["stash", "push", "-k", "-m", "words"],
    ["stash", "save", "words"],
  ];
  const keeping = [
    ["stash", "push", "--", "README.md"],
    ["stash", "pop"],
    ["rm", "--cached", "src/app.txt"],
  ];
  for (const [what, told] of rows)
    test(`${what}: git rm and git stash ask first, and what does not touch them runs`, async () => {
      await using world = await gitWorld();
      await told(world);
      await writeFiles(world.repo, { "src/app.txt": "precious\n", "README.md": "changed\n" });
      for (const [subcommand = "", ...args] of losing)
        expect([args, await world.toolkit.gitCommand(subcommand, args)]).toMatchObject([
          args,
          { error: { code: "DESTRUCTIVE_BLOCKED" } },
        ]);
      for (const [subcommand = "", ...args] of keeping)
        if (what !== "core.ignoreStat" || subcommand === "rm")
          expect([args, await world.toolkit.gitCommand(subcommand, args)]).toMatchObject([
            args,
            { status: "success", data: { exit_code: 0 } },
          ]);
      expect(await Bun.file(join(world.repo, "src/app.txt")).text()).toBe("precious\n");
    });

  for (const args of [["rm", "src/app.txt"], ["stash"]])
    test(`plain git ${args[0]} loses them, so there is something to ask for`, async () => {
      await using world = await gitWorld();
      await world.git(["update-index", "--assume-unchanged", "src/app.txt"]);
      await writeFiles(world.repo, { "src/app.txt": "precious\n", "README.md": "changed\n" });
      await world.git(args);
      const file = Bun.file(join(world.repo, "src/app.txt"));
      expect((await file.exists()) ? await file.text() : "").not.toContain("precious");
      expect(await world.git(["log", "--all", "-p"])).not.toContain("precious");
    });

  test("a file that --skip-worktree hides survives git rm --sparse; a sparse checkout is not in the way of git rm", async () => {
    await using world = await gitWorld();
    await world.git(["update-index", "--skip-worktree", "src/app.txt"]);
    await writeFiles(world.repo, { "src/app.txt": "precious\n" });
    expect(await world.toolkit.gitCommand("rm", ["--sparse", "src/app.txt"])).toMatchObject({
      error: { code: "DESTRUCTIVE_BLOCKED" },
    });
    await rm(join(world.repo, "src/app.txt"));
    expect(await world.toolkit.gitCommand("rm", ["--sparse", "src/app.txt"])).toMatchObject({
      data: { exit_code: 0 },
    });
  });
});
