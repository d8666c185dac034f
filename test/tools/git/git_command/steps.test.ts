import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { type GitWorld, gitWorld } from "../git-world.ts";

/** Stopped in a conflict of `README.md`. */
async function inConflict(): Promise<GitWorld> {
  const world = await gitWorld();
  await world.git(["checkout", "-q", "-b", "other"]);
  await world.sandbox.commit(world.repo, { "README.md": "theirs\n" });
  await world.git(["checkout", "-q", "main"]);
  await world.sandbox.commit(world.repo, { "README.md": "ours\n" });
  await world.git(["merge", "-q", "other"]).catch(() => undefined);
  return world;
}

describe("in the middle of a merge", () => {
  const ways = [
    ["git_command", "open"],
    ["exec_command", "guarded"],
  ] as const;
  for (const [door, git] of ways) {
    test(`it is finished by git merge --continue through ${door}`, async () => {
      await using world = await inConflict();
      await writeFiles(world.repo, { "README.md": "both\n" });
      await world.git(["add", "README.md"]);
      expect(await run(world, { door, git }, ["merge", "--continue"])).toBe(0);
      expect(await world.git(["rev-list", "--parents", "-1", "HEAD"])).toMatch(/^\S+ \S+ \S+$/);
    });

    test(`it is left by git merge --quit through ${door}`, async () => {
      await using world = await inConflict();
      expect(await run(world, { door, git }, ["merge", "--quit"])).toBe(0);
      expect(await world.git(["status", "--porcelain"])).toBe("UU README.md");
    });
  }

  test("it is taken back by git merge --abort if that is allowed", async () => {
    await using world = await inConflict();
    const answer = await world.toolkit.gitCommand("merge", ["--abort"], { allow_destructive: true });
    expect(answer).toMatchObject({ data: { exit_code: 0 } });
    expect(await world.git(["status", "--porcelain"])).toBe("");
  });
});

describe("git checkout with one name", () => {
  for (const pattern of [".", "./README.md", ":/", "*.md"])
    test(`${pattern} restores files if that is allowed`, async () => {
      await using world = await gitWorld();
      await writeFiles(world.repo, { "README.md": "changed\n" });
      const answer = await world.toolkit.gitCommand("checkout", [pattern], { allow_destructive: true });
      expect(answer).toMatchObject({ data: { exit_code: 0 } });
      expect(await world.git(["status", "--porcelain"])).toBe("");
    });

  test("a branch is checked out through guarded exec_command, in both shell modes; a file of that name is not touched", async () => {
    await using world = await gitWorld();
    await world.git(["branch", "other"]);
    await writeFiles(world.repo, { "README.md": "precious\n" });
    const toolkit = world.toolkitWith({ git: "guarded" });
    const calls = [
      ["default", "git", "checkout", "other"],
      ["direct", "env", "git", "checkout", "-q", "main"],
      ["direct", "git", "-C", "src", "checkout", "HEAD~0"],
    ] as const;
    for (const [shell_mode, ...command] of calls)
      expect(await toolkit.execCommand(".", command, { shell_mode })).toMatchObject({
        status: "success",
        data: { exit_code: 0, command },
      });
    expect(await toolkit.execCommand(".", ["git", "checkout", "README.md"])).toMatchObject({
      data: { exit_code: 128 },
    });
    expect(await Bun.file(join(world.repo, "README.md")).text()).toBe("precious\n");
  });
});

async function run(
  world: GitWorld,
  { door, git }: { readonly door: "git_command" | "exec_command"; readonly git: "open" | "guarded" },
  [subcommand, ...args]: readonly [string, ...string[]],
): Promise<number | string> {
  const toolkit = world.toolkitWith({ git });
  const answer =
    door === "git_command"
      ? await toolkit.gitCommand(subcommand, args)
      : await toolkit.execCommand(".", ["git", subcommand, ...args]);
  return answer.status === "success" ? answer.data.exit_code : answer.error.code;
}
