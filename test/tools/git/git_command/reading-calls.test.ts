import { describe, expect, test } from "bun:test";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { deep } from "../../../helpers/tier.ts";
import { type GitWorld, gitWorld, setTrap } from "../git-world.ts";

const READS: readonly (readonly string[])[] = [
  ["status"],
  ["diff"],
  ["diff", "HEAD"],
  ["diff", "--stat"],
  ["diff", "--name-only"],
  ["diff", "--exit-code"],
  ["log", "-p"],
  ["show"],
  ["describe", "--always", "--dirty"],
  ["describe", "--always", "--broken"],
  ["blame", "README.md"],
  ["ls-files", "-m"],
  ["shortlog", "-s"],
];

async function indexOf(repo: string): Promise<readonly unknown[]> {
  const path = join(repo, ".git/index");
  const { mtimeNs, ino } = await stat(path, { bigint: true });
  return [(await readFile(path)).toString("hex"), mtimeNs, ino];
}

/** Looks changed by its time, and is not. */
async function touched({ repo }: GitWorld, seconds: number): Promise<void> {
  await utimes(join(repo, "README.md"), seconds, seconds);
}

describe('a call that reads if git is "read-only"', () => {
  test(deep("leaves the index as it is, in bytes and time, and answers as ever"), async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "read-only" });
    for (const [number, [subcommand = "", ...args]] of READS.entries()) {
      await touched(world, 1_700_000_000 + number);
      const before = await indexOf(world.repo);
      const answers = [
        await toolkit.gitCommand(subcommand, args),
        await toolkit.execCommand(".", ["git", subcommand, ...args]),
      ];
      expect([subcommand, ...args, await indexOf(world.repo)]).toEqual([subcommand, ...args, before]);
      for (const answer of answers)
        expect([subcommand, ...args, answer]).toMatchObject([
          subcommand,
          ...args,
          { status: "success", data: { exit_code: 0 } },
        ]);
    }
    const before = await indexOf(world.repo);
    expect(await toolkit.gitDiff()).toMatchObject({ data: { files: [], patch: "" } });
    expect(await toolkit.gitCommand("diff", ["--name-only"])).toMatchObject({ data: { output: "" } });
    await toolkit.gitStatusSummary();
    expect(await indexOf(world.repo)).toEqual(before);
    await writeFiles(world.repo, { "README.md": "changed\n" });
    expect(await toolkit.gitDiff()).toMatchObject({ data: { files: [{ path: "README.md" }] } });
    await world.git(["add", "-A"]);
    expect(await toolkit.gitDiff()).toMatchObject({ data: { files: [] } });
    expect(await toolkit.gitDiff({ staged: true })).toMatchObject({
      data: { files: [{ path: "README.md" }] },
    });
    await toolkit.close();
  });

  test("sees a change that left size and time as the index holds them", async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "read-only" });
    const [readme, index] = [join(world.repo, "README.md"), join(world.repo, ".git/index")];
    const text = await readFile(readme, "utf8");
    await world.git(["config", "core.trustctime", "false"]);
    await touched(world, 1_700_000_000);
    await world.git(["add", "-A"]);
    await utimes(index, 1_700_000_000, 1_700_000_000);
    await writeFile(readme, text.toUpperCase());
    await touched(world, 1_700_000_000);
    expect(await toolkit.gitDiff()).toMatchObject({ data: { files: [{ path: "README.md" }] } });
    expect(await toolkit.gitCommand("diff", ["--name-only"])).toMatchObject({
      data: { output: "README.md\n" },
    });
    expect(await toolkit.execCommand(".", ["git", "diff", "--name-only"])).toMatchObject({
      data: { stdout: "README.md\n" },
    });
    await toolkit.close();
  });

  for (const args of [["diff"], ["describe", "--always", "--dirty"]])
    test(`plain git ${args.join(" ")} writes it, so there is something to leave`, async () => {
      await using world = await gitWorld();
      await touched(world, 1_700_000_000);
      const before = await indexOf(world.repo);
      await world.git(args);
      expect(await indexOf(world.repo)).not.toEqual(before);
    });
});

describe("shortlog without a terminal", () => {
  test("means HEAD if no revision is named, through git_command and guarded exec_command", async () => {
    await using world = await gitWorld();
    await world.sandbox.commit(world.repo, { "src/app.txt": "more\n" });
    await world.git(["branch", "other", "HEAD~1"]);
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const [count, ...args] of [
      ["2"],
      ["2", "-e"],
      ["2", "--since=2.weeks"],
      ["2", "--", "src"],
      ["1", "--", "README.md"],
      ["1", "other"],
      ["1", "HEAD~1..HEAD"],
      ["2", "--all"],
    ]) {
      const expected = { status: "success", data: { exit_code: 0 } };
      const through = await toolkit.gitCommand("shortlog", ["-s", ...args]);
      expect(through).toMatchObject({
        ...expected,
        data: { output: expect.stringMatching(new RegExp(`^ +${count}\t`)) },
      });
      for (const front of [["git"], ["env", "git", "-C", "."]])
        for (const shell_mode of ["default", "direct"] as const)
          expect(
            await toolkit.execCommand(".", [...front, "shortlog", "-s", ...args], { shell_mode }),
          ).toMatchObject({
            ...expected,
            data: { stdout: expect.stringMatching(new RegExp(`^ +${count}\t`)) },
          });
    }
    expect(await toolkit.gitCommand("shortlog", ["-h"])).toMatchObject({ status: "success" });
  });

  test("a log that is given is read, and outside of a repository nothing is added", async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "guarded" });
    const stdin = "commit 1\nAuthor: Una <una@example.com>\n\n    words\n";
    expect(await toolkit.execCommand(".", ["git", "shortlog"], { stdin })).toMatchObject({
      data: { stdout: expect.stringContaining("Una (1):") },
    });
    const outside = world.toolkitWith({ workspaceRoot: world.sandbox.home });
    expect(await outside.gitCommand("shortlog")).toMatchObject({ data: { output: "", exit_code: 0 } });
  });
});

test("git_diff outside of a repository says so in one sentence", async () => {
  await using world = await gitWorld();
  const { home } = world.sandbox;
  expect(await world.toolkitWith({ workspaceRoot: home }).gitDiff()).toMatchObject({
    message: `${home} is not under git, or has no working tree.`,
    error: { code: "NOT_GIT_REPOSITORY" },
  });
});

describe("what reading could run", () => {
  test("merges that are done again run no merge driver of the repository", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    await world.git(["checkout", "-q", "-b", "other"]);
    await world.sandbox.commit(world.repo, { "README.md": "theirs\n" });
    await world.git(["checkout", "-q", "main"]);
    await world.sandbox.commit(world.repo, { "README.md": "ours\n" });
    await world.git(["merge", "-q", "other"]).catch(() => "");
    await world.sandbox.commit(world.repo, { "README.md": "both\n" });
    await world.git(["config", "merge.evil.driver", trap.program]);
    await world.git(["config", "log.diffMerges", "remerge"]);
    await writeFile(join(world.repo, ".git/info/attributes"), "* merge=evil\n");
    for (const [subcommand = "", ...args] of [
      ["log", "-p", "--remerge-diff"],
      ["show", "--diff-merges=r"],
      ["show", "--diff-merges", "remerge"],
      ["reflog", "-p", "--remerge-diff"],
    ])
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({
        error: { code: "UNSAFE_REPOSITORY", details: { at: "merge.evil.driver" } },
      });
    for (const [subcommand = "", ...args] of [
      ["log", "-p", "-m"],
      ["show", "-m"],
      ["show", "--diff-merges=on"],
    ])
      expect(await world.toolkit.gitCommand(subcommand, args)).toMatchObject({ data: { exit_code: 0 } });
    expect(await trap.sprung()).toBe(false);
    await world.git(["show", "-m"]);
    expect(await trap.sprung()).toBe(true);
  });

  test("diff.submodule and status.submoduleSummary start nothing in a submodule", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    const module = await world.sandbox.repository("module");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", module, "sub"]);
    await world.git(["commit", "-qm", "a submodule"]);
    const sub = join(world.repo, "sub");
    for (const key of ["diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor"])
      await world.git(["config", key, trap.program], sub);
    await writeFiles(world.repo, { ".git/modules/sub/info/attributes": "* diff=evil\n" });
    await writeFiles(sub, { "README.md": "changed\n" });
    await world.git(["config", "diff.submodule", "diff"]);
    await world.git(["config", "status.submoduleSummary", "true"]);
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const [subcommand = "", ...args] of [
      ["diff"],
      ["status"],
      ["status", "-v"],
      ["log", "-p"],
      ["show"],
      ["submodule", "summary"],
    ]) {
      expect(await toolkit.gitCommand(subcommand, args)).toMatchObject({ data: { exit_code: 0 } });
      expect(await toolkit.execCommand(".", ["git", subcommand, ...args])).toMatchObject({
        data: { exit_code: 0 },
      });
    }
    expect(await trap.sprung()).toBe(false);
    expect(await toolkit.gitCommand("diff")).toMatchObject({
      data: { output: expect.stringContaining("+Subproject commit") },
    });
    await world.git(["config", "filter.evil.clean", trap.program], sub);
    expect(await toolkit.gitCommand("diff")).toMatchObject({ error: { code: "UNSAFE_REPOSITORY" } });
    expect(await trap.sprung()).toBe(false);
    await world.git(["diff"]);
    expect(await trap.sprung()).toBe(true);
  });
});

test("a repository whose objects are a file is for git to refuse", async () => {
  await using world = await gitWorld();
  await rm(join(world.repo, ".git/objects"), { recursive: true });
  await writeFile(join(world.repo, ".git/objects"), "");
  expect(await world.toolkit.gitCommand("status")).toMatchObject({
    status: "success",
    data: { exit_code: 128, stderr: expect.stringContaining("not a git repository") },
  });
});
