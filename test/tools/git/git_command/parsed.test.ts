import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitCommandOutput } from "../../../../src/lib.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { type GitWorld, gitWorld, rawGit } from "../git-world.ts";

// Real repositories with thousands of files, on a busy machine.
setDefaultTimeout(150_000);

async function run(
  world: GitWorld,
  subcommand: string,
  ...args: readonly string[]
): Promise<GitCommandOutput> {
  const result = await world.toolkit.gitCommand(subcommand, args);
  if (result.status !== "success") throw new Error(result.message);
  return result.data;
}

describe("parsed: beside what git prints for the arguments as they are", () => {
  test("seed 002 Next Steps: 3.1.4, output is git's own, whatever form is asked for", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "x\n" });
    for (const args of [
      ["status"],
      ["status", "-sb"],
      ["status", "--porcelain=v2", "-z"],
      ["diff", "--stat"],
      ["log", "--oneline", "--graph"],
      ["branch", "-vv"],
      ["blame", "-s", "README.md"],
    ])
      expect((await run(world, args[0] ?? "", ...args.slice(1))).output).toBe(await rawGit(world, args));
  });

  test("a file that is called -h does not ask for the usage", async () => {
    await using world = await gitWorld();
    await world.sandbox.commit(world.repo, { "-h": "x\n" });
    expect(await run(world, "log", "--", "-h")).toMatchObject({ parsed: { kind: "log", commits: [{}] } });
    expect(await run(world, "status", "-h").catch(() => "refused")).toMatchObject({ parsed: null });
  });

  test("status: renames, both sides of a file, odd names, ignored and untracked files", async () => {
    await using world = await gitWorld();
    await world.sandbox.commit(world.repo, {
      "one two.txt": "a\nb\nc\n",
      "a  b c": "1\n",
      "kind.txt": "1\n",
      'quo"te': "1\n",
      ".gitignore": "*.log\n",
    });
    await rm(join(world.repo, "kind.txt"));
    await symlink("README.md", join(world.repo, "kind.txt"));
    await world.git(["mv", "one two.txt", "日本\tx.txt"]);
    await writeFiles(world.repo, { "README.md": "staged\n", "a.log": "", "new -> file": "" });
    await world.git(["add", "README.md"]);
    await writeFiles(world.repo, { "README.md": "staged\nand more\n", "a  b c": "2\n", 'quo"te': null });
    const { parsed } = await run(world, "status", "--short", "--ignored");
    expect(parsed).toEqual({
      kind: "status",
      branch: "main",
      commit: await world.git(["rev-parse", "HEAD"]),
      upstream: null,
      ahead: null,
      behind: null,
      staged: [
        { path: "README.md", status: "modified", old_path: null },
        { path: "日本\tx.txt", status: "renamed", old_path: "one two.txt" },
      ],
      unstaged: [
        { path: "README.md", status: "modified", old_path: null },
        { path: "a  b c", status: "modified", old_path: null },
        { path: "kind.txt", status: "type_changed", old_path: null },
        { path: 'quo"te', status: "deleted", old_path: null },
      ],
      conflicts: [],
      untracked: ["new -> file"],
      ignored: ["a.log"],
      truncated: false,
    });
  });

  test("status: conflicts, an upstream, a detached HEAD, no commits, and only what the arguments choose", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await world.git(["push", "-q", "-f", "-u", "origin", "main"]);
    await world.git(["checkout", "-q", "-b", "other"]);
    await world.sandbox.commit(world.repo, { "README.md": "theirs\n" });
    await world.git(["checkout", "-q", "main"]);
    await world.sandbox.commit(world.repo, { "README.md": "ours\n" });
    await world.toolkit.gitCommand("merge", ["other"]);
    await writeFiles(world.repo, { "src/new.txt": "" });
    expect((await run(world, "status")).parsed).toMatchObject({
      upstream: "origin/main",
      ahead: 1,
      behind: 0,
      conflicts: [{ path: "README.md", code: "UU" }],
      untracked: ["src/new.txt"],
    });
    expect((await run(world, "status", "--", "src")).parsed).toMatchObject({
      conflicts: [],
      untracked: ["src/new.txt"],
    });
    expect((await run(world, "status", "-uno")).parsed).toMatchObject({ untracked: [] });
    await world.git(["reset", "-q", "--hard"]);
    await world.git(["checkout", "-q", "--detach"]);
    expect((await run(world, "status")).parsed).toMatchObject({ branch: null, upstream: null });
    await world.sandbox.repository("work/empty", { empty: true });
    const empty = await world.toolkit.gitCommand("status", [], { cwd: "empty" });
    expect(empty).toMatchObject({ data: { parsed: { branch: "main", commit: null } } });
  });

  test("diff: exact numbers in large differences, binaries, renames, modes, ranges", async () => {
    await using world = await gitWorld();
    const many = Array.from({ length: 3_000 }, (_, index) => `${index}\n`).join("");
    await world.sandbox.commit(world.repo, {
      "many.txt": many,
      "a.bin": "\0\u0001",
      "old name.txt": "1\n2\n3\n4\n5\n",
    });
    await writeFiles(world.repo, {
      "many.txt": many.replaceAll("1", "one"),
      "a.bin": "\0\u0002",
      "new\tname.txt": "",
    });
    await world.git(["mv", "-f", "old name.txt", "new\tname.txt"]);
    await world.git(["add", "-A"]);
    const changed = many.split("\n").filter((line) => line.includes("1")).length;
    const files = [
      { path: "a.bin", old_path: null, status: "modified", additions: null, deletions: null },
      { path: "many.txt", old_path: null, status: "modified", additions: changed, deletions: changed },
      { path: "new\tname.txt", old_path: "old name.txt", status: "renamed", additions: 0, deletions: 0 },
    ] as const;
    for (const form of [
      [],
      ["--stat"],
      ["--name-only"],
      ["-p", "--color=always"],
      ["--check"],
      ["--word-diff"],
      ["-U0"],
      ["--shortstat"],
    ]) {
      const { parsed } = await run(world, "diff", "--cached", ...form);
      expect([form, parsed]).toEqual([form, { kind: "diff", files: [...files], truncated: false }]);
    }
    await world.git(["commit", "-q", "-m", "x"]);
    expect((await run(world, "diff", "HEAD~1..HEAD", "--stat")).parsed).toMatchObject({ files: [...files] });
    expect((await run(world, "diff", "HEAD~1", "--", "a.bin")).parsed).toMatchObject({ files: [files[0]] });
  });

  test("diff: a file in conflict counts once, as unmerged", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "other"]);
    await world.sandbox.commit(world.repo, { "README.md": "theirs\n" });
    await world.git(["checkout", "-q", "main"]);
    await world.sandbox.commit(world.repo, { "README.md": "ours\n" });
    await world.toolkit.gitCommand("merge", ["other"]);
    const { parsed } = await run(world, "diff");
    expect(parsed?.kind === "diff" && parsed.files.map(({ path, status }) => [path, status])).toEqual([
      ["README.md", "unmerged"],
    ]);
  });

  test("log: merges, author and date, bodies, ranges, any form", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "side"]);
    const env = {
      GIT_AUTHOR_NAME: "あ N. Ame",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_AUTHOR_DATE: "2020-01-02T03:04:05+09:00",
    };
    await world.sandbox.git(
      world.repo,
      ["commit", "-q", "--allow-empty", "-m", "subject: x\n\nbody one\n\nbody two"],
      { env },
    );
    await world.git(["checkout", "-q", "main"]);
    await world.git(["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    const hashes = (await world.git(["rev-list", "main"])).split("\n");
    const subjects = (await world.git(["log", "--format=%s"])).split("\n");
    for (const form of [
      [],
      ["--oneline"],
      ["--stat", "--graph"],
      ["-p", "-m"],
      ["--format=%H %s"],
      ["--name-only"],
      ["--date=relative", "--decorate"],
      ["--left-right", "--parents"],
    ]) {
      const { parsed } = await run(world, "log", ...form);
      const commits = parsed?.kind === "log" ? parsed.commits : [];
      expect([form, commits.map(({ hash }) => hash)]).toEqual([form, hashes]);
      expect(commits.map(({ subject }) => subject)).toEqual(subjects);
    }
    const { parsed } = await run(world, "log", "-1", "side");
    expect(parsed).toEqual({
      kind: "log",
      commits: [
        {
          hash: await world.git(["rev-parse", "side"]),
          parents: [await world.git(["rev-parse", "side~1"])],
          author: { name: "あ N. Ame", email: "a@b.c", date: "2020-01-02T03:04:05+09:00" },
          committer: { name: "Una User", email: "una@example.com", date: expect.any(String) },
          subject: "subject: x",
          body: "body one\n\nbody two",
        },
      ],
      truncated: false,
    });
    expect((await run(world, "log", "side..main", "--oneline")).parsed).toMatchObject({
      commits: [
        {
          subject: "merged",
          parents: [await world.git(["rev-parse", "main^1"]), await world.git(["rev-parse", "side"])],
        },
      ],
    });
    expect((await run(world, "log", "main", "--not", "side", "--")).parsed).toMatchObject({
      commits: [{ subject: "merged" }],
    });
    expect((await run(world, "log", "--grep", "--stat")).parsed).toMatchObject({ commits: [] });
  });

  test("log: what chooses commits by their differences is kept", async () => {
    await using world = await gitWorld();
    await world.sandbox.commit(world.repo, { "README.md": "needle\n" }, "with the needle");
    await world.sandbox.commit(world.repo, { "other.txt": "hay\n" }, "hay");
    for (const args of [
      ["-S", "needle"],
      ["-Gneedle", "-p"],
      ["-L1,1:README.md", "-n", "1"],
      ["--diff-filter=M", "--name-status"],
    ])
      expect([args, (await run(world, "log", ...args)).parsed]).toMatchObject([
        args,
        { commits: [{ subject: "with the needle" }] },
      ]);
  });

  test("branch: the current one, those of other worktrees, remotes, upstreams; null if a branch is made", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await world.git(["push", "-q", "-f", "-u", "origin", "main"]);
    await world.git(["push", "-q", "origin", "main:gone"]);
    await world.git(["branch", "-q", "-t", "gone", "origin/gone"]);
    await world.git(["push", "-q", "origin", ":gone"]);
    const linked = join(world.sandbox.root, "linked tree");
    await world.git(["worktree", "add", "-q", "-b", "in-worktree", linked]);
    await world.sandbox.commit(world.repo, { "x.txt": "" }, "ahead: {0} \u{1f600}");
    const head = await world.git(["rev-parse", "HEAD"]);
    for (const form of [[], ["-v"], ["-vv"], ["--format=%(refname)"], ["--column"]]) {
      const { parsed } = await run(world, "branch", ...form);
      expect(
        parsed?.kind === "branch" &&
          parsed.branches.map(({ name, current, worktree }) => [name, current, worktree]),
      ).toEqual([
        ["gone", false, null],
        ["in-worktree", false, linked],
        ["main", true, world.repo],
      ]);
    }
    const { parsed } = await run(world, "branch", "-a");
    const branches = parsed?.kind === "branch" ? parsed.branches : [];
    expect(branches.find(({ name }) => name === "main")).toEqual({
      name: "main",
      remote: false,
      current: true,
      commit: head,
      subject: "ahead: {0} \u{1f600}",
      upstream: "origin/main",
      upstream_gone: false,
      ahead: 1,
      behind: 0,
      worktree: world.repo,
    });
    expect(branches.find(({ name }) => name === "gone")).toMatchObject({ upstream_gone: true, ahead: null });
    expect(branches.find(({ name }) => name === "origin/main")).toMatchObject({
      remote: true,
      current: false,
    });
    expect((await run(world, "branch", "new-one")).parsed).toBeNull();
    expect((await run(world, "branch", "--show-current")).parsed).toBeNull();
    await world.git(["checkout", "-q", "--detach"]);
    expect((await run(world, "branch", "--list", "ma*")).parsed).toMatchObject({
      detached: false,
      branches: [{ name: "main" }],
    });
    expect((await run(world, "branch")).parsed).toMatchObject({ detached: true });
  });

  test("blame: commit, author and date of each line, uncommitted ones too", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "src/app.txt": "one\n\tTWO\nthree\n" });
    for (const form of [[], ["-s"], ["--porcelain"], ["-e", "-f"]]) {
      const { parsed } = await run(world, "blame", ...form, "src/app.txt");
      expect(
        parsed?.kind === "blame" && parsed.lines.map(({ line, text, author }) => [line, text, author]),
      ).toEqual([
        [1, "one", "Tess Tester"],
        [2, "\tTWO", "Not Committed Yet"],
        [3, "three", "Tess Tester"],
      ]);
    }
    const { parsed } = await run(world, "blame", "-L", "1,1", "src/app.txt");
    expect(parsed).toMatchObject({
      lines: [
        {
          commit: await world.git(["rev-parse", "HEAD"]),
          email: "tess@example.com",
          path: "src/app.txt",
          summary: "first",
        },
      ],
    });
  });

  test("blame: a line of a commit whose date is beyond all calendars", async () => {
    await using world = await gitWorld();
    const tree = await world.git(["rev-parse", "HEAD^{tree}"]);
    const person = "Far <far@example.com> 99999999999999 +0000";
    const file = join(world.sandbox.root, "far-commit");
    await Bun.write(file, `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nFar\n`);
    const far = await world.git(["hash-object", "-t", "commit", "-w", file]);
    const { parsed } = await run(world, "blame", "-L", "1,1", far, "--", "src/app.txt");
    expect(parsed).toMatchObject({ lines: [{ commit: far, date: "9999-12-31T23:59:59.000Z" }] });
  });

  test("stash list: where and what, with messages of any kind", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "1\n" });
    await world.git(["stash", "push", "-q", "-m", "On fire: all of it"]);
    await writeFiles(world.repo, { "README.md": "2\n" });
    await world.git(["stash", "-q"]);
    const { parsed } = await run(world, "stash", "list", "--stat", "--date=relative");
    expect(parsed).toMatchObject({
      kind: "stash_list",
      stashes: [
        { ref: "stash@{0}", branch: "main", message: expect.stringContaining("first") },
        { ref: "stash@{1}", branch: "main", message: "On fire: all of it" },
      ],
    });
    expect((await run(world, "stash", "show")).parsed).toBeNull();
  });

  test("what failed, or has no form, has none", async () => {
    await using world = await gitWorld();
    expect((await run(world, "log", "nope")).parsed).toBeNull();
    expect((await run(world, "show")).parsed).toBeNull();
    expect((await run(world, "rev-parse", "HEAD")).parsed).toBeNull();
  });

  test("a list that is too long is read as far as its last whole record, and says so", async () => {
    await using world = await gitWorld();
    await mkdir(join(world.repo, "many"));
    const names = Array.from({ length: 9_000 }, (_, index) => `many/${"n".repeat(120)}${index}`);
    await Promise.all(names.map((name) => writeFile(join(world.repo, name), "")));
    await rename(join(world.repo, "many"), join(world.repo, "more"));
    const { parsed, truncated } = await run(world, "status", "-uall");
    expect(truncated).toBe(true);
    const untracked = parsed?.kind === "status" ? parsed.untracked : [];
    expect(parsed).toMatchObject({ truncated: true });
    expect(untracked.length).toBeGreaterThan(7_000);
    expect(untracked.every((path) => /^more\/n{120}\d+$/.test(path))).toBe(true);
  });
});
