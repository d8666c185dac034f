import { describe, expect, test } from "bun:test";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolCatalog } from "../../../../src/lib.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { gitWorld, rawGit, setTrap } from "../git-world.ts";

describe("git_diff", () => {
  test("seed 000 §9: git_diff tells which files differ, and the patch: the working tree against the index", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "one\ntwo\n", "untracked.txt": "" });
    const result = await world.toolkit.gitDiff();
    expect(result).toEqual({
      status: "success",
      data: {
        files: [{ path: "README.md", old_path: null, status: "modified", additions: 2, deletions: 1 }],
        additions: 2,
        deletions: 1,
        patch: await rawGit(world, ["diff"]),
        truncated: false,
      },
    });
    const data = result.status === "success" ? result.data : null;
    expect<unknown>(ToolCatalog.git_diff.output.parse(data)).toEqual(data);
  });

  test("what is staged, against HEAD or a base; renames and binaries", async () => {
    await using world = await gitWorld();
    await world.git(["mv", "src/app.txt", "src/new name.txt"]);
    await writeFiles(world.repo, { "b.bin": "\0\u0001\u0002" });
    await world.git(["add", "-A"]);
    expect(await world.toolkit.gitDiff({ staged: true, stat_only: true })).toEqual({
      status: "success",
      data: {
        files: [
          { path: "b.bin", old_path: null, status: "added", additions: null, deletions: null },
          {
            path: "src/new name.txt",
            old_path: "src/app.txt",
            status: "renamed",
            additions: 0,
            deletions: 0,
          },
        ],
        additions: 0,
        deletions: 0,
        patch: null,
        truncated: false,
      },
    });
    expect(await world.toolkit.gitDiff({ staged: true, base: "HEAD", paths: ["b.bin"] })).toMatchObject({
      data: { files: [{ path: "b.bin" }] },
    });
    expect(await world.toolkit.gitDiff()).toMatchObject({ data: { files: [], patch: "" } });
  });

  test("two commits, a range of three dots, paths relative to cwd, lines of context", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "feature"]);
    await world.sandbox.commit(world.repo, { "src/app.txt": "one\nTWO\nthree\n" });
    await world.git(["checkout", "-q", "main"]);
    await world.sandbox.commit(world.repo, { "README.md": "main moved on\n" });
    const files = [{ path: "src/app.txt", old_path: null, status: "modified", additions: 1, deletions: 1 }];
    expect(await world.toolkit.gitDiff({ base: "main...feature" })).toMatchObject({ data: { files } });
    expect(
      await world.toolkit.gitDiff({ base: "main", head: "feature", cwd: "src", paths: ["app.txt"] }),
    ).toMatchObject({
      data: { files, patch: await rawGit(world, ["diff", "main", "feature", "--", "src"]) },
    });
    const bare = await world.toolkit.gitDiff({ base: "main...feature", context_lines: 0 });
    expect(bare.status === "success" && bare.data.patch).toContain("@@ -2 +2 @@");
  });

  test("a patch that is too long is cut and says so; the list of files is whole", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "line\n".repeat(1_000), "src/app.txt": "x\n" });
    const result = await world.toolkit.gitDiff({ max_chars: 1_000 });
    expect(result).toMatchObject({ data: { truncated: true, additions: 1_001 } });
    expect(result.status === "success" && result.data.files.length).toBe(2);
    expect(result.status === "success" && result.data.patch?.length).toBe(1_000);
  });

  test("what is wrong has its code", async () => {
    await using world = await gitWorld();
    await symlink(world.sandbox.root, join(world.repo, "out"));
    for (const [code, input] of [
      ["UNKNOWN_REVISION", { base: "nope" }],
      ["UNKNOWN_REVISION", { base: "README.md" }],
      ["INVALID_ARGUMENT", { base: "--output=x" }],
      ["INVALID_ARGUMENT", { base: "" }],
      ["INVALID_ARGUMENT", { head: "HEAD" }],
      ["INVALID_ARGUMENT", { base: "HEAD", head: "HEAD", staged: true }],
      ["INVALID_ARGUMENT", { context_lines: -1 }],
      ["INVALID_ARGUMENT", { context_lines: 1.5 }],
      ["INVALID_ARGUMENT", { max_chars: 1 }],
      ["INVALID_ARGUMENT", { paths: "src" }],
      ["INVALID_ARGUMENT", { path: "src" }],
      ["OUTSIDE_WORKSPACE", { paths: ["../x"] }],
      ["OUTSIDE_WORKSPACE", { paths: ["/etc/passwd"] }],
      ["OUTSIDE_WORKSPACE", { paths: ["out/x"] }],
      ["NOT_DIRECTORY", { cwd: "README.md" }],
    ] as const)
      expect([input, await world.toolkit.invoke("git_diff", input)]).toMatchObject([
        input,
        { error: { code } },
      ]);
    const plain = world.toolkitWith({ workspaceRoot: world.sandbox.home });
    expect(await plain.gitDiff()).toMatchObject({ error: { code: "NOT_GIT_REPOSITORY" } });
  });

  test("nothing that the repository names is run, and it works if nothing may be written", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    for (const key of ["core.fsmonitor", "diff.external", "diff.evil.textconv", "diff.evil.command"])
      await world.git(["config", key, trap.program]);
    await writeFile(join(world.repo, ".git/info/attributes"), "* diff=evil\n");
    await writeFiles(world.repo, { "README.md": "changed\n" });
    const toolkit = world.toolkitWith({ writeScope: "read-only", git: "read-only" });
    expect(await toolkit.gitDiff()).toMatchObject({ status: "success", data: { additions: 1 } });
    await world.git(["config", "filter.evil.clean", trap.program]);
    expect(await toolkit.gitDiff()).toMatchObject({ error: { code: "UNSAFE_REPOSITORY" } });
    expect(await trap.sprung()).toBe(false);
  });
});
